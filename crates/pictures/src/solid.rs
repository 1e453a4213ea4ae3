//! Shapes as facets: flat convex polygons that enclose every convex part, in world coordinates.
//!
//! The facets of curved surfaces depend on the eye: the rings of a sphere are centred on the line of sight, and the
//! generators of a cylinder start at the outline. So a few facets give an accurate outline. Their shading depends on
//! the
//! [patch](Patch) that they belong to.

use std::f64::consts::{PI, TAU};

use burgess_geometry::shape::{Ellipsoid, Frustum, HeightField, Mesh};
use burgess_geometry::{Polyhedron, Pose, Shape};
use glam::{DMat3, DVec3};

use super::camera::{Camera, DOTS};

/// Maximum error of the outline of a curved body, in pixels.
const OUTLINE_TOLERANCE: f64 = 0.1;
/// Number of rings of facets on the visible side of a sphere.
const RINGS: usize = 6;
/// Number of rings of facets on the hidden side of a sphere.
const RINGS_BEHIND: usize = 4;
/// A cone whose radii have a smaller ratio is drawn as flat strips, because a gradient cannot show that they converge.
const MIN_GRADIENT_TAPER: f64 = 0.4;
/// Maximum number of samples per side of a drawn height field; finer ones are drawn coarser.
const MAX_SAMPLES: usize = 64;
/// Maximum number of triangles of a mesh that is drawn exactly; of larger meshes the convex parts are drawn.
const MAX_TRIANGLES: usize = 4000;

/// A flat piece of a surface.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    /// Corners counter-clockwise seen from outside, in m.
    pub corners: Vec<DVec3>,
    /// Outward unit normal.
    pub normal: DVec3,
    /// Index of the patch in the solid.
    pub patch: usize,
    /// Number of the closed convex part of the solid; different for each facet if the solid consists of bare facets.
    pub part: usize,
    /// The facet is between two parts and never visible.
    pub is_inner: bool,
}

/// Common shading of a group of facets.
#[derive(Debug, Clone, Copy)]
pub(super) enum Patch {
    /// Uniform shading.
    Flat {
        /// Outward normal.
        normal: DVec3,
    },
    /// Part of an ellipsoid.
    Ball {
        /// Centre, in m.
        center: DVec3,
        /// Semi-axes as columns.
        axes: DMat3,
    },
    /// The side of a cylinder or frustum.
    Round {
        /// Centre, in m.
        center: DVec3,
        /// Unit vector along the axis.
        axis: DVec3,
        /// Radius at the centre, in m.
        radius: f64,
        /// Axial component of the normal relative to its radial component: zero for cylinders.
        lean: f64,
        /// Whether it continues smoothly into spheres at its ends.
        has_round_ends: bool,
    },
}

/// A shape divided into facets.
#[derive(Debug, Clone, Default)]
pub(super) struct Solid {
    pub facets: Vec<Facet>,
    pub patches: Vec<Patch>,
    /// Number of parts.
    pub parts: usize,
    /// Whether the parts are single facets that hide what is behind them, instead of closed bodies.
    pub is_bare: bool,
}

impl Solid {
    /// Divides a shape into facets for a camera. Half-spaces, and shapes that contain the camera, have no facets.
    pub fn new(shape: &Shape, pose: &Pose, camera: &Camera) -> Self {
        let mut solid = Self::default();
        solid.add(shape, pose, camera);
        solid
    }

    fn add(&mut self, shape: &Shape, pose: &Pose, camera: &Camera) {
        match shape {
            Shape::HalfSpace(_) => {}
            Shape::Sphere(ball) => self.add_ball(pose, DVec3::splat(ball.radius), camera),
            Shape::Ellipsoid(Ellipsoid { semi_axes }) => self.add_ball(pose, *semi_axes, camera),
            Shape::Cuboid(cuboid) => self.add_polyhedron(&cuboid.polyhedron, pose),
            Shape::Polyhedron(polyhedron) => self.add_polyhedron(polyhedron, pose),
            Shape::Capsule(capsule) => self.add_capsule(pose, capsule.radius, capsule.half_length, camera),
            Shape::Cylinder(c) => self.add_frustum(pose, [c.radius; 2], c.half_length, camera),
            Shape::Cone(cone) => self.add_frustum(pose, [cone.radius, 0.0], cone.half_length, camera),
            Shape::Frustum(Frustum { bottom_radius, top_radius, half_length }) => {
                self.add_frustum(pose, [*bottom_radius, *top_radius], *half_length, camera);
            }
            Shape::Compound(compound) => {
                compound.parts().iter().for_each(|part| self.add(part.shape(), &pose.compose(part.pose()), camera));
            }
            Shape::Mesh(mesh) => self.add_mesh(mesh, pose, camera),
            Shape::HeightField(field) => self.add_terrain(field, pose),
        }
    }

    fn patch(&mut self, patch: Patch) -> usize {
        self.patches.push(patch);
        self.patches.len() - 1
    }

    /// Adds a facet to the current part. Degenerate facets are omitted.
    fn facet(&mut self, corners: Vec<DVec3>, patch: usize) {
        let fan = corners.windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]));
        if let Some(normal) = fan.sum::<DVec3>().try_normalize() {
            self.facets.push(Facet { corners, normal, patch, part: self.parts, is_inner: false });
        }
    }

    fn flat(&mut self, corners: Vec<DVec3>, normal: DVec3) {
        let patch = self.patch(Patch::Flat { normal });
        self.facets.push(Facet { corners, normal, patch, part: self.parts, is_inner: false });
    }

    fn add_polyhedron(&mut self, polyhedron: &Polyhedron, pose: &Pose) {
        for (face, index) in polyhedron.faces().iter().zip(0..) {
            let corner = |vertex: u32| pose.transform_point(polyhedron.vertices()[vertex as usize]);
            let corners = polyhedron.sides(index).iter().map(|side| corner(side.vertex)).collect();
            self.flat(corners, pose.transform_vector(face.plane.normal));
        }
        self.parts += 1;
    }

    /// Adds an ellipsoid: rings of the unit sphere about the direction to the eye, one of them the outline, then
    /// transformed.
    fn add_ball(&mut self, pose: &Pose, semi_axes: DVec3, camera: &Camera) {
        let (center, axes) = (pose.translation, pose.matrix() * DMat3::from_diagonal(semi_axes));
        let to_eye = axes.inverse() * (camera.eye - center);
        let distance = to_eye.length();
        if !(distance > 1.0 && distance.is_finite()) {
            return;
        }
        let w = to_eye / distance;
        let u = w.any_orthonormal_vector();
        let v = w.cross(u);
        let outline = libm::acos(1.0 / distance);
        let behind = (0..RINGS_BEHIND).map(|ring| PI - (PI - outline) * ring as f64 / RINGS_BEHIND as f64);
        let front = (0..=RINGS).rev().map(|ring| outline * ring as f64 / RINGS as f64);
        let segments = segments(semi_axes.max_element(), center, camera);
        let ring = |angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            let is_pole = angle == 0.0 || angle == PI;
            let around = circle(if is_pole { 1 } else { segments });
            let on_ball = |(x, y): (f64, f64)| if is_pole { cos * w } else { sin * (x * u + y * v) + cos * w };
            around.map(|c| center + axes * on_ball(c)).collect::<Vec<_>>()
        };
        let rings: Vec<_> = behind.chain(front).map(ring).collect();
        let patch = self.patch(Patch::Ball { center, axes });
        rings.windows(2).for_each(|pair| self.band(&pair[0], &pair[1], patch));
        self.parts += 1;
    }

    fn add_capsule(&mut self, pose: &Pose, radius: f64, half_length: f64, camera: &Camera) {
        let RevolutionFrame { center, axis, u, v } = RevolutionFrame::new(pose, camera);
        let segments = segments(radius, center, camera);
        let steps = (segments / 4).max(2);
        let ring = |end: f64, step: usize| {
            let (sin, cos) = libm::sincos(0.5 * PI * step as f64 / steps as f64);
            let middle = center + end * (half_length + radius * sin) * axis;
            if step == steps {
                return vec![center + end * (half_length + radius) * axis];
            }
            circle(segments).map(|(x, y)| middle + radius * cos * (x * u + y * v)).collect::<Vec<_>>()
        };
        let ball = |end: f64| Patch::Ball { center: center + end * half_length * axis, axes: radius * DMat3::IDENTITY };
        let lower = self.patch(ball(-1.0));
        let side = self.patch(Patch::Round { center, axis, radius, lean: 0.0, has_round_ends: true });
        let upper = self.patch(ball(1.0));
        for step in (0..steps).rev() {
            self.band(&ring(-1.0, step + 1), &ring(-1.0, step), lower);
        }
        self.band(&ring(-1.0, 0), &ring(1.0, 0), side);
        for step in 0..steps {
            self.band(&ring(1.0, step), &ring(1.0, step + 1), upper);
        }
        self.parts += 1;
    }

    fn add_frustum(&mut self, pose: &Pose, radii: [f64; 2], half_length: f64, camera: &Camera) {
        let RevolutionFrame { center, axis, u, v } = RevolutionFrame::new(pose, camera);
        let largest = radii[0].max(radii[1]);
        let segments = segments(largest, center, camera);
        let ring = |end: f64, radius: f64| {
            let middle = center + end * half_length * axis;
            let around = circle(if radius > 0.0 { segments } else { 1 });
            around.map(|(x, y)| middle + radius * (x * u + y * v)).collect::<Vec<_>>()
        };
        let (lower, upper) = (ring(-1.0, radii[0]), ring(1.0, radii[1]));
        if radii[0].min(radii[1]) < MIN_GRADIENT_TAPER * largest {
            let first = self.facets.len();
            self.band(&lower, &upper, 0);
            for index in first..self.facets.len() {
                self.facets[index].patch = self.patch(Patch::Flat { normal: self.facets[index].normal });
            }
        } else {
            let lean = (radii[0] - radii[1]) / (2.0 * half_length);
            let radius = 0.5 * (radii[0] + radii[1]);
            let patch = self.patch(Patch::Round { center, axis, radius, lean, has_round_ends: false });
            self.band(&lower, &upper, patch);
        }
        if upper.len() > 1 {
            self.flat(upper, axis);
        }
        if lower.len() > 1 {
            self.flat(lower.into_iter().rev().collect(), -axis);
        }
        self.parts += 1;
    }

    fn add_mesh(&mut self, mesh: &Mesh, pose: &Pose, camera: &Camera) {
        let surface = mesh.surface();
        if surface.triangles().len() > MAX_TRIANGLES {
            let parts = mesh.parts().parts().iter();
            return parts.for_each(|part| self.add(part.shape(), &pose.compose(part.pose()), camera));
        }
        surface.surface().for_each(|corners| self.bare(corners.map(|corner| pose.transform_point(corner))));
    }

    fn add_terrain(&mut self, field: &HeightField, pose: &Pose) {
        let places = |count: usize| {
            let cells = (count - 1).min(MAX_SAMPLES - 1);
            (0..=cells).map(|cell| cell * (count - 1) / cells).collect::<Vec<_>>()
        };
        let (columns, rows) = (places(field.columns()), places(field.rows()));
        let point = |column: usize, row: usize| pose.transform_point(field.vertex(column, row));
        for row in rows.windows(2) {
            for column in columns.windows(2) {
                let [a, b] = [point(column[0], row[0]), point(column[1], row[0])];
                let [c, d] = [point(column[1], row[1]), point(column[0], row[1])];
                self.bare([a, b, c]);
                self.bare([a, c, d]);
            }
        }
    }

    /// Adds a single triangle as a part of its own.
    fn bare(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners;
        if let Some(normal) = (b - a).cross(c - a).try_normalize() {
            self.is_bare = true;
            self.flat(corners.to_vec(), normal);
            self.parts += 1;
        }
    }

    /// Adds the facets between two rings about the same axis, the second further along it; a ring of one point is a
    /// tip.
    fn band(&mut self, lower: &[DVec3], upper: &[DVec3], patch: usize) {
        let count = lower.len().max(upper.len());
        let at = |ring: &[DVec3], index: usize| ring[index % ring.len()];
        for this in 0..count {
            let next = (this + 1) % count;
            let corners = match (lower.len(), upper.len()) {
                (1, _) => vec![lower[0], at(upper, next), at(upper, this)],
                (_, 1) => vec![at(lower, this), at(lower, next), upper[0]],
                _ => vec![at(lower, this), at(lower, next), at(upper, next), at(upper, this)],
            };
            self.facet(corners, patch);
        }
    }
}

/// A frame of a shape of revolution, rotated about its axis so that the first direction is at the outline.
struct RevolutionFrame {
    center: DVec3,
    axis: DVec3,
    u: DVec3,
    v: DVec3,
}

impl RevolutionFrame {
    fn new(pose: &Pose, camera: &Camera) -> Self {
        let (center, axis) = (pose.translation, pose.transform_vector(DVec3::Z));
        let u = across(axis, camera.eye - center);
        Self { center, axis, u, v: axis.cross(u) }
    }
}

/// Returns the direction perpendicular to an axis and the line of sight.
pub(super) fn across(axis: DVec3, to_eye: DVec3) -> DVec3 {
    axis.cross(to_eye).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector())
}

/// Returns the number of steps around a circle, a multiple of four.
fn segments(radius: f64, center: DVec3, camera: &Camera) -> usize {
    // The distance between a chord of angle a and its arc is r (1 - cos a/2), about r a^2 / 8.
    let pixels = camera.dots(radius, center) / DOTS;
    let angle = libm::sqrt(8.0 * OUTLINE_TOLERANCE / pixels.max(1e-3));
    4 * ((TAU / angle / 4.0).ceil().clamp(3.0, 14.0) as usize)
}

/// Returns points of the unit circle, counter-clockwise.
fn circle(count: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..count).map(move |index| {
        let (sin, cos) = libm::sincos(TAU * index as f64 / count as f64);
        (cos, sin)
    })
}
