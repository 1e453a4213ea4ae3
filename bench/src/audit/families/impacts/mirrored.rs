//! Pairs of mirrored worlds: bodies that collide with each other and the ground, beside the same bodies reflected in the
//! plane y = 0. What happens in one is the reflection of what happens in the other.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::LinkId;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Capsule, Cuboid, Sphere};
use burgess_geometry::{Polyhedron, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Simulation};
use glam::{DQuat, DVec3};

use crate::case::{Case, GRAVITY, ground};
use crate::law::{Bound, Law, largest, place};
use crate::random::Random;

/// Largest difference of the two worlds, as a share of size: rounding errors of 1e-16, which collisions multiply.
const DIFFERENCE: f64 = 1e-9;
/// Time for which they are compared, in s. Later the rounding errors may have grown too much.
const COMPARED: f64 = 1.0;

/// A body of one of the worlds.
#[derive(Debug, Clone)]
struct Body {
    shape: Shape,
    density: f64,
    pose: Pose,
    velocity: Motion,
}

impl Body {
    /// Returns the reflection in the plane y = 0. Angular velocities are reflected with the opposite sign, and a polyhedron
    /// by its corners; the other shapes are their own reflections.
    fn mirrored(&self) -> Result<Self> {
        let DQuat { x, y, z, w } = self.pose.rotation;
        let shape = match &self.shape {
            Shape::Polyhedron(hull) => {
                let corners: Vec<DVec3> = hull.vertices().iter().map(|corner| reflected(*corner)).collect();
                Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners)?))
            }
            own => own.clone(),
        };
        let pose = Pose::new(DQuat::from_xyzw(-x, y, -z, w), reflected(self.pose.translation));
        let velocity = Motion::new(-reflected(self.velocity.angular), reflected(self.velocity.linear));
        Ok(Self { shape, density: self.density, pose, velocity })
    }
}

fn reflected(vector: DVec3) -> DVec3 {
    DVec3::new(vector.x, -vector.y, vector.z)
}

/// Draws two mirrored worlds.
pub fn draw(random: &mut Random) -> Result<Case> {
    let size = random.magnitude(0.1, 0.5);
    let mut bodies = Vec::new();
    for index in 0..1 + random.below(4) {
        let shape = match random.below(4) {
            0 => Shape::Sphere(Sphere::new(0.4 * size)?),
            1 => Shape::Cuboid(Cuboid::new(0.4 * size * DVec3::new(1.0, random.between(0.3, 1.0), 0.7))?),
            2 => Shape::Capsule(Capsule::new(0.2 * size, 0.3 * size)?),
            _ => {
                let points: Vec<DVec3> = (0..12).map(|_| 0.5 * size * random.direction()).collect();
                Shape::Polyhedron(Arc::new(Polyhedron::hull(&points)?))
            }
        };
        let aside = 0.3 * size * random.heading();
        let pose = Pose::new(random.rotation(), aside + DVec3::Z * size * (1.0 + 1.2 * f64::from(index as u32)));
        let velocity =
            Motion::new(random.between(0.0, 5.0) * random.direction(), random.between(0.0, 1.0) * random.direction());
        bodies.push(Body { shape, density: random.density(), pose, velocity });
    }
    let mirrored = bodies.iter().map(Body::mirrored).collect::<Result<Vec<Body>>>()?;
    let friction = if random.chance(0.3) { 0.0 } else { random.between(0.0, 1.0) };
    let restitution = if random.chance(0.5) { 0.0 } else { random.between(0.0, 0.8) };
    let material = Material { friction, restitution, ..Material::default() };
    let what = format!("{} bodies and their mirror images, restitution {restitution:.2}", bodies.len());
    let (case, links) = build(&bodies, material, what.clone(), size)?;
    let (other, _) = build(&mirrored, material, what, size)?;
    let offsets = [DVec3::ZERO, DVec3::X * size, DVec3::Z * size];
    let indices: Vec<usize> = links.iter().map(|&link| case.index(link)).collect();
    let points: Vec<_> = indices.iter().flat_map(|&link| offsets.map(|offset| (link, offset))).collect();
    let law = Law::new("mirror", Bound::fixed(DIFFERENCE), move |paradigm, step| {
        let mut image: Option<Simulation> = paradigm.simulate(other.world.clone(), other.state.clone(), step).ok();
        let points = points.clone();
        Box::new(move |simulation| {
            // An image that fails cannot be compared.
            let Some(image) = &mut image else { return Some(f64::NAN) };
            if image.step().is_err() {
                return Some(f64::NAN);
            }
            image.data_mut().update_kinematics();
            let errors = points
                .iter()
                .map(|point| (reflected(place(simulation, *point)) - place(image, *point)).length() / size);
            Some(largest(errors))
        })
    });
    Ok(case.with_law(law).until(COMPARED))
}

fn build(bodies: &[Body], material: Material, what: String, size: f64) -> Result<(Case, Vec<LinkId>)> {
    let mut builder = ground(material.friction);
    builder.default_material(material);
    let mut links = Vec::new();
    let mut scale = 0.0;
    for body in bodies {
        let collider = ColliderSpec::new(body.shape.clone()).with_density(body.density);
        let mass = collider.shape.mass_properties(body.density)?.mass;
        let link = builder.body("body", body.pose, [collider])?;
        builder.set_velocity(link, body.velocity);
        let speeds = body.velocity.linear.length_squared() + 0.1 * (size * body.velocity.angular).length_squared();
        scale += mass * (GRAVITY * body.pose.translation.z + 0.5 * speeds);
        links.push(link);
    }
    Ok((Case::dissipative(what, builder, scale, 0.3 * size)?, links))
}
