//! Scenes that the force-level paradigms share.
#![allow(dead_code, reason = "each test file uses some of it")]

use burgess_dynamics::LinkId;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_simulation::{ConstraintKind, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

pub use crate::worlds::{ball, cuboid, ground};

pub const G: f64 = 9.81;

pub fn with_friction(friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    builder
}

/// A flat box on a slope, at rest.
pub fn box_on_slope(friction: f64, angle: f64) -> WorldBuilder {
    let mut builder = with_friction(friction);
    let tilt = DQuat::from_rotation_y(angle);
    builder.fixed(ground().at(Pose::new(tilt, DVec3::ZERO)));
    let pose = Pose::new(tilt, tilt * DVec3::new(0.0, 0.0, 0.1));
    builder.body("box", pose, [cuboid(DVec3::new(0.2, 0.2, 0.1))]).unwrap();
    builder
}

/// A flat box that slides over level ground.
pub fn sliding_box(friction: f64, velocity: DVec3) -> WorldBuilder {
    let mut builder = with_friction(friction);
    builder.fixed(ground());
    let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 0.1));
    let block = builder.body("block", pose, [cuboid(DVec3::new(0.2, 0.2, 0.1))]).unwrap();
    builder.set_velocity(block, Motion::new(DVec3::ZERO, velocity));
    builder
}

/// A ball that touches level ground, with a velocity.
pub fn ball_on_ground(friction: f64, radius: f64, velocity: Motion) -> WorldBuilder {
    let mut builder = with_friction(friction);
    builder.fixed(ground());
    let body = builder.body("ball", Pose::from_translation(DVec3::new(0.0, 0.0, radius)), [ball(radius)]).unwrap();
    builder.set_velocity(body, velocity);
    builder
}

/// Cubes of 0.2 m on top of each other, just touching.
pub fn stack(count: usize) -> WorldBuilder {
    let mut builder = with_friction(0.5);
    builder.fixed(ground());
    for k in 0..count {
        let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 0.1 + 0.2 * k as f64));
        builder.body(&format!("cube {k}"), pose, [cuboid(DVec3::splat(0.1))]).unwrap();
    }
    builder
}

/// A ball on a rod of 1 m, held by a constraint at the origin, started level along x.
pub fn pendulum(kind: ConstraintKind) -> (WorldBuilder, LinkId) {
    let mut builder = WorldBuilder::new();
    let bob = builder.body("bob", Pose::from_translation(DVec3::X), [ball(0.05)]).unwrap();
    builder.constraint(kind, (None, Pose::IDENTITY), (Some(bob), Pose::from_translation(-DVec3::X)));
    (builder, bob)
}

/// A ball at rest in a groove of two slopes of 45 degrees.
pub fn ball_in_groove(friction: f64) -> WorldBuilder {
    let mut builder = with_friction(friction);
    for side in [-1.0, 1.0] {
        let tilt = DQuat::from_rotation_y(side * std::f64::consts::FRAC_PI_4);
        builder.fixed(ground().at(Pose::new(tilt, DVec3::ZERO)));
    }
    let height = 0.1 * std::f64::consts::SQRT_2;
    builder.body("ball", Pose::from_translation(DVec3::new(0.0, 0.0, height)), [ball(0.1)]).unwrap();
    builder
}

/// Position of the first body.
pub fn position(simulation: &Simulation) -> DVec3 {
    DVec3::from_slice(&simulation.state().q)
}

/// Velocity of the first body's centre of mass.
pub fn velocity(simulation: &Simulation) -> DVec3 {
    DVec3::from_slice(&simulation.state().v[3..])
}

/// Goes on from a snapshot at some steps, and compares hashes with the run that was not interrupted.
pub fn resumes_to_the_same_bits(mut simulation: Simulation, mut other: Simulation, steps: usize) {
    for step in 0..steps {
        simulation.step().unwrap();
        if step % 37 == 11 {
            let snapshot = simulation.snapshot();
            other.restore(&snapshot).unwrap();
            assert_eq!(simulation.state_hash(), other.state_hash(), "after restoring at step {step}");
            for _ in 0..20 {
                simulation.step().unwrap();
                other.step().unwrap();
            }
            assert_eq!(simulation.state_hash(), other.state_hash(), "20 steps after restoring at step {step}");
            simulation.restore(&snapshot).unwrap();
        }
    }
}
