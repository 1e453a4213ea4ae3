//! Pedestrians and cars on three axes.

use burgess_formula::Formula;
use glam::{DVec2, DVec3};

use super::looks;
use crate::spec::{AxisSpec, BodySpec, JointKind, JointSpec, ShapeSpec, StackAxisSpec, StackJoint};

/// Radius of a body and of a head, in m.
const BODY: f64 = 0.13;
const HEAD: f64 = 0.11;
/// Lowest and highest centre of the capsule of a body, and centre of a head, in m.
const LOW: f64 = 0.58;
const HIGH: f64 = 1.3;
const TOP: f64 = 1.58;
/// Group of pedestrians and cars. They keep apart by themselves, so they are not tested against each other.
const WALKERS: u32 = 1 << 8;

/// A joint on which a body slides along x and y and turns about z.
fn on_the_floor(place: DVec2, heading: f64) -> JointSpec {
    let axis = |direction: DVec3, position: f64| AxisSpec { position, ..AxisSpec::new(direction) };
    let axes = vec![
        StackAxisSpec::Slide(axis(DVec3::X, place.x)),
        StackAxisSpec::Slide(axis(DVec3::Y, place.y)),
        StackAxisSpec::Hinge(axis(DVec3::Z, heading)),
    ];
    JointSpec::new(JointKind::Stack(StackJoint { axes }))
}

fn grouped(mut shape: ShapeSpec) -> ShapeSpec {
    (shape.group, shape.mask) = (WALKERS, !WALKERS);
    shape
}

/// A pedestrian at a place (m) with a heading (rad).
pub fn person(name: impl Into<String>, place: DVec2, heading: f64, color: DVec3) -> BodySpec {
    let coat = ShapeSpec::capsule(BODY, HIGH - LOW).at(DVec3::Z * (0.5 * (LOW + HIGH)));
    let mut head = ShapeSpec::sphere(HEAD).at(DVec3::Z * TOP);
    head.color = Some(DVec3::new(0.85, 0.67, 0.55));
    let mut body = BodySpec::jointed(name, on_the_floor(place, heading), [grouped(coat), grouped(head)]);
    body.color = Some(color);
    body
}

/// A car of the given length and width (m) at a place (m) with a heading (rad).
pub fn car(name: impl Into<String>, place: DVec2, heading: f64, [length, width]: [f64; 2], color: DVec3) -> BodySpec {
    let chassis = ShapeSpec::cuboid(DVec3::new(length, width, 0.5)).at(DVec3::Z * 0.55).with_density(250.0);
    let mut cabin = ShapeSpec::cuboid(DVec3::new(0.5 * length, 0.9 * width, 0.5)).at(DVec3::new(-0.2, 0.0, 1.05));
    cabin.color = Some(looks::STEEL);
    cabin.density = 50.0;
    let mut shapes = vec![grouped(chassis), grouped(cabin)];
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let place = DVec3::new(0.32 * length * x, 0.44 * width * y, 0.36);
        let mut wheel = ShapeSpec::cylinder(0.31, 0.2).at(place);
        wheel.orientation = super::turned(DVec3::X, 90.0);
        wheel.color = Some(looks::BLACK);
        shapes.push(grouped(wheel));
    }
    let mut body = BodySpec::jointed(name, on_the_floor(place, heading), shapes);
    body.color = Some(color);
    body
}

/// A formula of a built-in scene; 0 if it does not parse, which the tests would notice.
pub fn formula(text: &str) -> Formula {
    Formula::parse(text).or_else(|_| Formula::parse("0")).unwrap_or_default()
}
