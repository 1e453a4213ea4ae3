//! Meshes: their convex hulls for contacts, and their inertia by the four methods of MJCF.
//!
//! The inertia of a solid is a sum over the tetrahedra between its triangles and its centre of mass. The centre of mass
//! is a sum over the tetrahedra between its triangles and the centroid of the surface. `exact` uses signed volumes;
//! `legacy` uses absolute volumes, which overestimates the mass of meshes that are not convex; `convex` uses the faces
//! of the hull; `shell` uses the triangles themselves.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use burgess_geometry::Polyhedron;
use glam::{DMat3, DVec3};

use super::inertia::{Inertia, MIN_VALUE};
use crate::import::{ImportError, Triangles};
use crate::xml::Element;

/// Maximum number of vertices of a hull: contacts of larger hulls are too slow.
const MAX_HULL_VERTICES: usize = 20_000;

/// Maximum number of points from which a hull is computed: more would take many seconds.
const MAX_HULL_INPUT_POINTS: usize = 500_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshInertia {
    Convex,
    Exact,
    Legacy,
    Shell,
}

/// Volume or area, centre of mass and second moments about the centre of mass.
type Moments = (f64, DVec3, DMat3);

/// A mesh after scaling and transformation by its asset. Hull and moments are computed on first use.
#[derive(Debug, Clone)]
pub(super) struct Mesh {
    triangles: Triangles,
    method: MeshInertia,
    /// The convex hull, or the reason why it cannot be computed.
    hull: OnceCell<Result<Polyhedron, String>>,
    /// `None` if the mesh has no volume.
    moments: OnceCell<Option<Moments>>,
}

impl Mesh {
    pub fn new(triangles: Triangles, method: MeshInertia) -> Self {
        Self { triangles, method, hull: OnceCell::new(), moments: OnceCell::new() }
    }

    fn polyhedron(&self) -> &Result<Polyhedron, String> {
        self.hull.get_or_init(|| {
            let points = distinct(&self.triangles.vertices);
            if points.len() > MAX_HULL_INPUT_POINTS {
                return Err(format!("it has more than {MAX_HULL_INPUT_POINTS} vertices"));
            }
            let hull = Polyhedron::hull(&points).map_err(|error| error.to_string())?;
            let many = hull.vertices().len() > MAX_HULL_VERTICES;
            if many { Err(format!("the hull has more than {MAX_HULL_VERTICES} vertices")) } else { Ok(hull) }
        })
    }

    /// Returns the vertices of the convex hull, in m.
    pub fn hull(&self, element: &Element) -> Result<&[DVec3], ImportError> {
        let refuse =
            |fault: &String| element.conflict(format!("the convex hull of the mesh cannot be computed: {fault}"));
        self.polyhedron().as_ref().map(Polyhedron::vertices).map_err(refuse)
    }

    fn moments(&self) -> Option<Moments> {
        *self.moments.get_or_init(|| {
            let by_hull = self.method == MeshInertia::Convex || self.triangles.faces.is_empty();
            let corners: Vec<[DVec3; 3]> = if by_hull {
                self.polyhedron().as_ref().ok()?.triangles().collect()
            } else {
                self.triangles.corners().collect()
            };
            if self.method == MeshInertia::Shell { shell(&corners) } else { solid(&corners, self.method) }
        })
    }

    /// Returns the inertia for a given mass, or else a density; `None` if the mesh has no mass.
    pub fn inertia(&self, mass: Option<f64>, density: f64, element: &Element) -> Result<Option<Inertia>, ImportError> {
        if mass.unwrap_or(density) <= MIN_VALUE {
            return Ok(None);
        }
        let Some((measure, center_of_mass, second)) = self.moments() else {
            return Err(
                element.conflict("the mesh has no volume, so its mass is unknown; add an <inertial> to the body")
            );
        };
        let mass = mass.unwrap_or(density * measure);
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - second) * (mass / measure);
        Ok((mass > MIN_VALUE).then_some(Inertia { mass, center_of_mass, inertia }))
    }
}

/// Removes duplicate points and keeps the order.
fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    let mut seen = BTreeSet::new();
    // Adding zero turns minus zero into zero.
    let key = |point: &DVec3| point.to_array().map(|value| (value + 0.0).to_bits());
    points.iter().filter(|point| seen.insert(key(point))).copied().collect()
}

fn area([a, b, c]: &[DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

/// Returns the sum of `v v^T` over three vertices and their sum.
fn square([a, b, c]: [DVec3; 3]) -> DMat3 {
    outer(a) + outer(b) + outer(c) + outer(a + b + c)
}

/// Returns area and centroid of a surface.
fn surface_centroid(corners: &[[DVec3; 3]]) -> Option<(f64, DVec3)> {
    let (mut whole, mut sum) = (0.0, DVec3::ZERO);
    for triangle in corners {
        let own = area(triangle);
        whole += own;
        sum += (triangle[0] + triangle[1] + triangle[2]) * (own / 3.0);
    }
    (whole > 0.0 && whole.is_finite()).then(|| (whole, sum / whole))
}

/// Returns area, centre of mass and second moments of a shell.
fn shell(corners: &[[DVec3; 3]]) -> Option<Moments> {
    let (whole, center) = surface_centroid(corners)?;
    let second = corners.iter().fold(DMat3::ZERO, |sum, triangle| {
        sum + square(triangle.map(|corner| corner - center)) * (area(triangle) / 12.0)
    });
    Some((whole, center, second))
}

/// Returns volume, centre of mass and second moments of a solid.
fn solid(corners: &[[DVec3; 3]], method: MeshInertia) -> Option<Moments> {
    let (_, middle) = surface_centroid(corners)?;
    let tetrahedron_volume = |[a, b, c]: [DVec3; 3]| {
        let volume = a.dot(b.cross(c)) / 6.0;
        if method == MeshInertia::Legacy { volume.abs() } else { volume }
    };
    let (mut volume, mut first) = (0.0, DVec3::ZERO);
    for triangle in corners {
        let local = triangle.map(|corner| corner - middle);
        let own = tetrahedron_volume(local);
        volume += own;
        first += (local[0] + local[1] + local[2]) * (own / 4.0);
    }
    let center = middle + first / volume;
    let (mut volume, mut second) = (0.0, DMat3::ZERO);
    for triangle in corners {
        let local = triangle.map(|corner| corner - center);
        let own = tetrahedron_volume(local);
        volume += own;
        second += square(local) * (own / 20.0);
    }
    (volume > MIN_VALUE && center.is_finite()).then_some((volume, center, second))
}
