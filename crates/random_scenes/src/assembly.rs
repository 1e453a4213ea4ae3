//! Trees of bodies connected by joints, made around the origin.

use burgess_scene::spec::{BodySpec, Orientation, PoseSpec, SceneSpec};
use glam::DVec3;

use super::random::Random;
use super::{joints, shapes};

/// Largest number of links of a tree.
const LINKS: usize = 8;
/// Largest speed of a body at the start, in m/s, and in rad/s.
const SPEED: f64 = 3.0;
const SPIN: f64 = 8.0;

/// Makes one to a few bodies, the root first; their names are numbers from `first` on.
pub(super) fn random(random: &mut Random, first: usize, most: usize, is_driven: bool) -> Vec<BodySpec> {
    let count = if random.chance(0.6) { 1 } else { 2 + random.below(LINKS - 1) };
    let hangs = random.chance(0.15);
    let mut bodies: Vec<BodySpec> = Vec::new();
    let mut sizes: Vec<(f64, f64)> = Vec::new();
    // Links of one tree have similar densities: a light link between heavy ones spins faster than the steps can
    // resolve.
    let density = random.magnitude(100.0, 8000.0);
    for index in 0..count.min(most.max(1)) {
        let name = format!("b{}", first + index);
        let (body, size) = make(random, name, density);
        let body = if index > 0 {
            let parent = if random.chance(0.6) { index - 1 } else { random.below(index) };
            link(random, body, size, &bodies[parent].name, sizes[parent].1, is_driven)
        } else if hangs {
            let joint = joints::random(random, size.0, size.1, is_driven).in_child(anchor(random, size.1));
            BodySpec { joint: Some(joint), ..body }
        } else {
            float(random, body, size)
        };
        bodies.push(body);
        sizes.push(size);
    }
    bodies
}

/// Makes a body with one or two shapes, its mass (kg) and its radius (m).
fn make(random: &mut Random, name: String, density: f64) -> (BodySpec, (f64, f64)) {
    let mut body = BodySpec::new(name, DVec3::ZERO, [shapes::random(random, density)]);
    if random.chance(0.1) {
        body.shapes.push(shapes::random(random, density).at(random.vector(0.1)).turned(random.orientation()));
    }
    let mut alone = SceneSpec::new("body", "");
    alone.bodies.push(BodySpec { shapes: body.shapes.iter().cloned().map(plain).collect(), ..body.clone() });
    let size = alone.build(".").map_or((1.0, 0.1), |built| {
        let reach = built.world.colliders().iter().fold(0.0, |most: f64, collider| most.max(collider.reach));
        (built.world.model().mass(), reach)
    });
    (body, size)
}

fn plain(shape: burgess_scene::spec::ShapeSpec) -> burgess_scene::spec::ShapeSpec {
    burgess_scene::spec::ShapeSpec { material: None, ..shape }
}

fn float(random: &mut Random, mut body: BodySpec, (mass, radius): (f64, f64)) -> BodySpec {
    body.orientation = if random.chance(0.3) { Orientation::Straight } else { random.orientation() };
    if random.chance(0.4) {
        (body.velocity, body.angular_velocity) = (random.vector(SPEED), random.vector(SPIN));
    }
    if random.chance(0.1) {
        body.joint = Some(joints::floating(random, mass, radius));
    }
    body
}

fn link(random: &mut Random, body: BodySpec, size: (f64, f64), parent: &str, reach: f64, is_driven: bool) -> BodySpec {
    let joint = joints::random(random, size.0, size.1, is_driven);
    let (in_parent, in_child) = (anchor(random, reach), anchor(random, size.1));
    BodySpec { joint: Some(joint.on(parent, in_parent).in_child(in_child)), ..body }
}

/// A random point near the surface of a body with the given radius (m).
fn anchor(random: &mut Random, radius: f64) -> PoseSpec {
    PoseSpec { position: random.direction() * radius * random.between(0.7, 1.1), orientation: random.orientation() }
}
