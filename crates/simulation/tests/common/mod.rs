//! Worlds that several tests use.
#![allow(dead_code, reason = "every test uses some of them")]

use std::sync::Arc;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, LinkId, Motor, State};
use burgess_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{
    ColliderSpec, ConstraintKind, ControllerContext, HighLevelController, Material, Oscillation, World, WorldBuilder,
};
use glam::{DQuat, DVec3};

pub fn ground() -> ColliderSpec {
    ColliderSpec::new(Shape::HalfSpace(HalfSpace))
}

pub fn cuboid(half_extents: DVec3) -> ColliderSpec {
    ColliderSpec::new(Shape::Cuboid(Cuboid::new(half_extents).unwrap()))
}

pub fn ball(radius: f64) -> ColliderSpec {
    ColliderSpec::new(Shape::Sphere(Sphere::new(radius).unwrap()))
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// Returns a small wall of loose bricks.
pub fn wall() -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.fixed(ground());
    for row in 0..4 {
        for column in 0..4 {
            let x = 0.41 * f64::from(column) + 0.1 * f64::from(row % 2);
            builder.body("brick", at(x, 0.0, 0.1 + 0.2 * f64::from(row)), [cuboid(DVec3::new(0.2, 0.1, 0.1))]).unwrap();
        }
    }
    builder.build().unwrap()
}

/// Returns boxes that tumble onto each other.
pub fn heap() -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.fixed(ground());
    for k in 0..12 {
        let turn = DQuat::from_rotation_x(0.4 * f64::from(k));
        let place =
            Pose::new(turn, DVec3::new(0.05 * f64::from(k % 3), 0.03 * f64::from(k % 2), 0.3 + 0.35 * f64::from(k)));
        builder.body("box", place, [cuboid(DVec3::new(0.15, 0.1, 0.12))]).unwrap();
    }
    builder.build().unwrap()
}

/// Returns elastic balls that bounce on a floor and collide.
pub fn balls() -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.3, restitution: 0.8, tangential_restitution: 0.0 });
    builder.fixed(ground());
    for k in 0..9 {
        let place = at(0.25 * f64::from(k % 3), 0.25 * f64::from(k / 3), 0.5 + 0.1 * f64::from(k));
        let body = builder.body("ball", place, [ball(0.1)]).unwrap();
        builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::new(0.3 * f64::from(k % 2), 0.1, 0.0)));
    }
    builder.build().unwrap()
}

/// Adds a quadruped of nine links: a torso with four legs of two hinges, with servos.
pub fn quadruped(builder: &mut WorldBuilder, place: Pose) -> LinkId {
    let torso = builder.body("torso", place, [cuboid(DVec3::new(0.25, 0.15, 0.08))]).unwrap();
    for (k, (x, y)) in [(0.2, 0.17), (0.2, -0.17), (-0.2, 0.17), (-0.2, -0.17)].into_iter().enumerate() {
        let servo = AxisProperties {
            limit: Some((-1.2, 1.2)),
            motor: Motor::Position { target: 0.0, stiffness: 60.0, damping: 3.0 },
            max_effort: 40.0,
            ..AxisProperties::default()
        };
        let leg = |length: f64| {
            ColliderSpec::new(Shape::Capsule(Capsule::new(0.03, 0.5 * length).unwrap())).at(at(0.0, 0.0, -0.5 * length))
        };
        let hip = JointSpec::revolute(DVec3::Y).with(servo).in_parent(at(x, y, 0.0));
        let upper = builder.link(&format!("thigh {k}"), Some(torso), hip, None, [leg(0.2)]).unwrap();
        let knee = JointSpec::revolute(DVec3::Y).with(servo).in_parent(at(0.0, 0.0, -0.22));
        builder.link(&format!("shank {k}"), Some(upper), knee, None, [leg(0.2)]).unwrap();
    }
    torso
}

/// Returns the quadruped above the ground.
pub fn standing_quadruped() -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.8, ..Material::default() });
    builder.fixed(ground());
    quadruped(&mut builder, at(0.0, 0.0, 0.55));
    builder.build().unwrap()
}

/// A controller that swings all motors.
#[derive(Debug)]
pub struct Swing;

impl HighLevelController for Swing {
    fn period(&self) -> f64 {
        0.04
    }

    fn memory(&self) -> usize {
        1
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        memory[0] += 0.25;
        let dofs = context.world.model().dofs();
        for dof in 6..dofs {
            let target = 0.4 * libm::sin(memory[0] + dof as f64);
            context.set_motor(dof, Motor::Position { target, stiffness: 60.0, damping: 3.0 });
        }
    }
}

/// Returns a chain with a rope, limits and dry friction, a pair of balls at a fixed distance, and a moving table.
pub fn mechanism() -> (World, State) {
    let mut builder = WorldBuilder::new();
    let shake = Oscillation {
        middle: at(0.0, 0.0, -0.1),
        amplitude: DVec3::new(0.03, 0.0, 0.0),
        angle: DVec3::ZERO,
        frequency: 3.0,
        phase: 0.3,
    };
    builder.scripted("table", Arc::new(shake), [cuboid(DVec3::new(2.0, 2.0, 0.1))]);
    let limits = AxisProperties { limit: Some((-0.7, 0.7)), friction: 0.05, ..AxisProperties::default() };
    let rod = || {
        let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let shape = Shape::Capsule(Capsule::new(0.03, 0.12).unwrap());
        ColliderSpec::new(shape).at(Pose::new(turn, DVec3::new(0.15, 0.0, 0.0)))
    };
    let mut parent = None;
    for k in 0..5 {
        let place = if k == 0 { at(0.0, 0.0, 0.8) } else { at(0.3, 0.0, 0.0) };
        let joint = JointSpec::revolute(DVec3::Y).with(limits).in_parent(place);
        parent = Some(builder.link("rod", parent, joint, None, [rod()]).unwrap());
    }
    builder.constraint(ConstraintKind::Rope { length: 1.2 }, (parent, at(0.3, 0.0, 0.0)), (None, at(0.6, 0.0, 1.2)));
    let coin = Shape::Cylinder(Cylinder::new(0.1, 0.01).unwrap());
    builder
        .body("coin", Pose::new(DQuat::from_rotation_x(0.8), DVec3::new(0.5, 0.5, 0.4)), [ColliderSpec::new(coin)])
        .unwrap();
    let a = builder.body("left", at(-0.5, 0.0, 0.3), [ball(0.1)]).unwrap();
    let b = builder.body("right", at(-0.2, 0.0, 0.3), [ball(0.1)]).unwrap();
    builder.constraint(ConstraintKind::Distance { length: 0.3 }, (Some(a), Pose::IDENTITY), (Some(b), Pose::IDENTITY));
    builder.build().unwrap()
}

/// Returns all worlds with their names.
pub fn worlds() -> Vec<(&'static str, (World, State))> {
    vec![
        ("wall", wall()),
        ("heap", heap()),
        ("balls", balls()),
        ("quadruped", standing_quadruped()),
        ("mechanism", mechanism()),
    ]
}
