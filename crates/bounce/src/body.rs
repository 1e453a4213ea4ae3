//! The bodies of bounce.

use std::sync::Arc;

use burgess_geometry::shape::tessellation;
use burgess_geometry::{GeometryError, Polyhedron, Pose, Shape};
use glam::{DQuat, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The kind of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Cubes, balls, cones, tubes, pyramids and tori in three sizes.
    Primitives,
    /// Hulls of this number of random unit vectors.
    Hulls(usize),
}

/// Sizes of the primitives.
const SIZES: [f64; 3] = [0.5, 1.0, 1.5];
/// Number of different hulls in one world: enough for variety, few enough to build quickly with many vertices.
const MAX_HULLS: usize = 16;

/// A body of bounce.
#[derive(Debug, Clone)]
pub struct Body {
    pub shape: Arc<Shape>,
    pub pose: Pose,
    pub velocity: DVec3,
    /// Its rotation in one step.
    pub turn: DQuat,
    pub gravity: f64,
    /// Radius of the bounding sphere around its origin.
    pub radius: f64,
}

/// A vector with each component uniform in [-1, 1].
pub fn random_vector(random: &mut Pcg64Mcg) -> DVec3 {
    let mut component = || random.random_range(-1.0..=1.0);
    DVec3::new(component(), component(), component())
}

/// A unit vector, uniform on the sphere.
fn random_direction(random: &mut Pcg64Mcg) -> DVec3 {
    loop {
        let v = random_vector(random);
        let square = v.length_squared();
        if square <= 1.0 && square > 1e-6 {
            return v / square.sqrt();
        }
    }
}

/// The shapes that the bodies of a world share.
pub fn shapes(kind: BodyKind, bodies: usize, random: &mut Pcg64Mcg) -> Result<Vec<Arc<Shape>>, GeometryError> {
    let mut shapes = Vec::new();
    match kind {
        BodyKind::Primitives => {
            for size in SIZES {
                let half = 0.5 * size;
                shapes.extend([
                    Shape::Polyhedron(Arc::new(Polyhedron::cuboid(DVec3::splat(half))?)),
                    Shape::Polyhedron(Arc::new(tessellation::sphere(half, 2)?)),
                    Shape::Polyhedron(Arc::new(tessellation::cone(half, size, 16)?)),
                    Shape::Compound(Arc::new(tessellation::tube(half, 0.5 * half, size, 12)?)),
                    Shape::Polyhedron(Arc::new(tessellation::pyramid(size, size)?)),
                    Shape::Compound(Arc::new(tessellation::torus(0.75 * half, 0.25 * half, 12, 8)?)),
                ]);
            }
        }
        BodyKind::Hulls(vertices) => {
            for _ in 0..bodies.min(MAX_HULLS) {
                let points: Vec<DVec3> = (0..vertices).map(|_| random_direction(random)).collect();
                shapes.push(Shape::Polyhedron(Arc::new(Polyhedron::hull(&points)?)));
            }
        }
    }
    Ok(shapes.into_iter().map(Arc::new).collect())
}

impl Body {
    /// A body at a random place in a cube of side `world`, with random motion.
    pub fn random(shape: Arc<Shape>, world: f64, step_size: f64, random: &mut Pcg64Mcg) -> Self {
        let radius = shape.bounding_radius(DVec3::ZERO);
        let translation = 0.5 * world * random_vector(random);
        let rotation =
            DQuat::from_axis_angle(random_direction(random), random.random_range(0.0..std::f64::consts::TAU));
        let velocity = random_vector(random);
        let turn = DQuat::from_scaled_axis(step_size * random_vector(random));
        let gravity = 0.1 * random.random_range(-1.0..=1.0);
        Self { shape, pose: Pose::new(rotation, translation), velocity, turn, gravity, radius }
    }

    /// Moves the body by one step (rule 3).
    pub fn advance(&mut self, step_size: f64) {
        self.pose.translation += step_size * self.velocity;
        self.pose.rotation = (self.turn * self.pose.rotation).normalize();
        self.velocity.z += step_size * self.gravity;
    }
}
