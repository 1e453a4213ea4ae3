//! Meshes: their hulls for contacts, and their inertia by the four ways that MJCF has.
//!
//! A solid's inertia is summed over the pyramids of its triangles with its centre of mass, and that centre over the pyramids
//! with the middle of the surface. `exact` counts pyramids with their sign; `legacy` counts all of them as positive, which is
//! too much for bodies that are not convex; `convex` takes the faces of the hull; `shell` takes the triangles themselves.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use burgess_geometry::Polyhedron;
use glam::{DMat3, DVec3};

use super::inertia::{Inertia, LEAST};
use crate::import::{ImportError, Triangles};
use crate::xml::Element;

/// Hulls with more corners are refused: contacts would be slow beyond use.
const MAX_HULL_VERTICES: usize = 20_000;

/// No hull is made of more corners: it would take many seconds.
const MAX_POINTS: usize = 500_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshInertia {
    Convex,
    Exact,
    Legacy,
    Shell,
}

/// Volume or area, centre of mass and second moments about it.
type Moments = (f64, DVec3, DMat3);

/// A mesh as the geoms see it: scaled and moved. Hull and moments are made when somebody needs them.
#[derive(Debug, Clone)]
pub(super) struct Mesh {
    triangles: Triangles,
    way: MeshInertia,
    /// The convex hull, or why there is none.
    hull: OnceCell<Result<Polyhedron, String>>,
    /// None if it has no volume.
    moments: OnceCell<Option<Moments>>,
}

impl Mesh {
    pub fn new(triangles: Triangles, way: MeshInertia) -> Self {
        Self { triangles, way, hull: OnceCell::new(), moments: OnceCell::new() }
    }

    fn polyhedron(&self) -> &Result<Polyhedron, String> {
        self.hull.get_or_init(|| {
            let points = distinct(&self.triangles.vertices);
            if points.len() > MAX_POINTS {
                return Err(format!("it has more than {MAX_POINTS} corners"));
            }
            let hull = Polyhedron::hull(&points).map_err(|error| error.to_string())?;
            let many = hull.vertices().len() > MAX_HULL_VERTICES;
            if many { Err(format!("it would have more than {MAX_HULL_VERTICES} corners")) } else { Ok(hull) }
        })
    }

    /// The corners of the convex hull, in m.
    pub fn hull(&self, element: &Element) -> Result<&[DVec3], ImportError> {
        let refuse = |fault: &String| element.conflict(format!("its mesh has no convex hull: {fault}"));
        self.polyhedron().as_ref().map(Polyhedron::vertices).map_err(refuse)
    }

    fn moments(&self) -> Option<Moments> {
        *self.moments.get_or_init(|| {
            let by_hull = self.way == MeshInertia::Convex || self.triangles.faces.is_empty();
            let corners: Vec<[DVec3; 3]> = if by_hull {
                self.polyhedron().as_ref().ok()?.triangles().collect()
            } else {
                self.triangles.corners().collect()
            };
            if self.way == MeshInertia::Shell { shell(&corners) } else { solid(&corners, self.way) }
        })
    }

    /// With a mass or else a density; nothing if it has no mass.
    pub fn inertia(&self, mass: Option<f64>, density: f64, element: &Element) -> Result<Option<Inertia>, ImportError> {
        if mass.unwrap_or(density) <= LEAST {
            return Ok(None);
        }
        let Some((measure, center_of_mass, second)) = self.moments() else {
            return Err(element.conflict("its mesh has no volume, so it has no mass; give the body an <inertial>"));
        };
        let mass = mass.unwrap_or(density * measure);
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - second) * (mass / measure);
        Ok((mass > LEAST).then_some(Inertia { mass, center_of_mass, inertia }))
    }
}

/// Points without the ones that are there already, in their order.
fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    let mut seen = BTreeSet::new();
    // Zero has two signs, but is one place.
    let key = |point: &DVec3| point.to_array().map(|value| (value + 0.0).to_bits());
    points.iter().filter(|point| seen.insert(key(point))).copied().collect()
}

fn area([a, b, c]: &[DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

/// The sum of `v v^T` over three corners and their sum.
fn square([a, b, c]: [DVec3; 3]) -> DMat3 {
    outer(a) + outer(b) + outer(c) + outer(a + b + c)
}

/// Area and middle of a surface.
fn middle(corners: &[[DVec3; 3]]) -> Option<(f64, DVec3)> {
    let (mut whole, mut sum) = (0.0, DVec3::ZERO);
    for triangle in corners {
        let own = area(triangle);
        whole += own;
        sum += (triangle[0] + triangle[1] + triangle[2]) * (own / 3.0);
    }
    (whole > 0.0 && whole.is_finite()).then(|| (whole, sum / whole))
}

/// Area, centre of mass and second moments about it.
fn shell(corners: &[[DVec3; 3]]) -> Option<Moments> {
    let (whole, center) = middle(corners)?;
    let second = corners.iter().fold(DMat3::ZERO, |sum, triangle| {
        sum + square(triangle.map(|corner| corner - center)) * (area(triangle) / 12.0)
    });
    Some((whole, center, second))
}

/// Volume, centre of mass and second moments about it.
fn solid(corners: &[[DVec3; 3]], way: MeshInertia) -> Option<Moments> {
    let (_, middle) = middle(corners)?;
    let pyramid = |[a, b, c]: [DVec3; 3]| {
        let volume = a.dot(b.cross(c)) / 6.0;
        if way == MeshInertia::Legacy { volume.abs() } else { volume }
    };
    let (mut volume, mut first) = (0.0, DVec3::ZERO);
    for triangle in corners {
        let local = triangle.map(|corner| corner - middle);
        let own = pyramid(local);
        volume += own;
        first += (local[0] + local[1] + local[2]) * (own / 4.0);
    }
    let center = middle + first / volume;
    let (mut volume, mut second) = (0.0, DMat3::ZERO);
    for triangle in corners {
        let local = triangle.map(|corner| corner - center);
        let own = pyramid(local);
        volume += own;
        second += square(local) * (own / 20.0);
    }
    (volume > LEAST && center.is_finite()).then_some((volume, center, second))
}
