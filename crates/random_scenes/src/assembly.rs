//! Bodies that hang together by joints, made around the origin.

use burgess_scene::spec::{BodySpec, Orientation, PoseSpec, SceneSpec};
use glam::DVec3;

use super::dice::Dice;
use super::{joints, shapes};

/// The most links of a tree.
const LINKS: usize = 8;
/// The fastest start of a body, in m/s, and in rad/s.
const SPEED: f64 = 3.0;
const SPIN: f64 = 8.0;

/// One to a few bodies, the first one the root; they are called by numbers from `first` on.
pub(super) fn random(dice: &mut Dice, first: usize, most: usize, is_driven: bool) -> Vec<BodySpec> {
    let count = if dice.chance(0.6) { 1 } else { 2 + dice.below(LINKS - 1) };
    let hangs = dice.chance(0.15);
    let mut bodies: Vec<BodySpec> = Vec::new();
    let mut sizes: Vec<(f64, f64)> = Vec::new();
    // Links of one tree are made of much the same: a light one between heavy ones whirls faster than steps can follow.
    let density = dice.magnitude(100.0, 8000.0);
    for index in 0..count.min(most.max(1)) {
        let name = format!("b{}", first + index);
        let (body, size) = make(dice, name, density);
        let body = if index > 0 {
            let parent = if dice.chance(0.6) { index - 1 } else { dice.below(index) };
            link(dice, body, size, &bodies[parent].name, sizes[parent].1, is_driven)
        } else if hangs {
            let joint = joints::random(dice, size.0, size.1, is_driven).in_child(anchor(dice, size.1));
            BodySpec { joint: Some(joint), ..body }
        } else {
            float(dice, body, size)
        };
        bodies.push(body);
        sizes.push(size);
    }
    bodies
}

/// A body with one or two shapes, its mass (kg) and its radius (m). Those of two shapes that touch are as good as any.
fn make(dice: &mut Dice, name: String, density: f64) -> (BodySpec, (f64, f64)) {
    let mut body = BodySpec::new(name, DVec3::ZERO, [shapes::random(dice, density)]);
    if dice.chance(0.1) {
        body.shapes.push(shapes::random(dice, density).at(dice.vector(0.1)).turned(dice.orientation()));
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

fn float(dice: &mut Dice, mut body: BodySpec, (mass, radius): (f64, f64)) -> BodySpec {
    body.orientation = if dice.chance(0.3) { Orientation::Straight } else { dice.orientation() };
    if dice.chance(0.4) {
        (body.velocity, body.angular_velocity) = (dice.vector(SPEED), dice.vector(SPIN));
    }
    if dice.chance(0.1) {
        body.joint = Some(joints::floating(dice, mass, radius));
    }
    body
}

fn link(dice: &mut Dice, body: BodySpec, size: (f64, f64), parent: &str, reach: f64, is_driven: bool) -> BodySpec {
    let joint = joints::random(dice, size.0, size.1, is_driven);
    let (in_parent, in_child) = (anchor(dice, reach), anchor(dice, size.1));
    BodySpec { joint: Some(joint.on(parent, in_parent).in_child(in_child)), ..body }
}

/// A place near the surface of a body of some radius (m).
fn anchor(dice: &mut Dice, radius: f64) -> PoseSpec {
    PoseSpec { position: dice.direction() * radius * dice.between(0.7, 1.1), orientation: dice.orientation() }
}
