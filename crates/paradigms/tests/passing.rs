//! Nothing passes through anything unnoticed: bodies are held apart, or the simulation ends with a failure that says so.

use std::sync::Arc;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Failure, Simulation, SteadyMotion, WorldBuilder};
use glam::{DQuat, DVec3};

use crate::worlds::{at, ball, bouncing, cuboid, ground};

const OTHERS: [Paradigm; 4] = [Paradigm::Analytical, Paradigm::Penalty, Paradigm::Hybrid, Paradigm::Impulse];
const STEP: f64 = 1.0 / 240.0;

fn simulate(builder: WorldBuilder, paradigm: Paradigm) -> Simulation {
    let (world, state) = builder.build().unwrap();
    paradigm.simulate(world, state, STEP).unwrap()
}

/// A ball of 5 cm flies at a fixed plate of 1 cm.
#[test]
fn bullets_do_not_pass_through_plates() {
    for paradigm in OTHERS {
        for speed in [10.0, 50.0, 300.0] {
            let mut builder = bouncing(0.3, 0.5);
            builder.gravity(DVec3::ZERO);
            builder.fixed(cuboid(DVec3::new(0.005, 1.0, 1.0)));
            let bullet = builder.body("bullet", at(-0.7, 0.0, 0.0), [ball(0.05)]).unwrap();
            builder.set_velocity(bullet, Motion::new(DVec3::ZERO, DVec3::X * speed));
            let mut simulation = simulate(builder, paradigm);
            let outcome = simulation.run(0.2);
            let x = simulation.state().q[0];
            assert!(outcome.is_err() || x < 0.0, "{} at {speed} m/s: {x}", paradigm.name());
            // Backtracking and conservative advancement find the moment of impact at any speed.
            assert!(outcome.is_ok() || paradigm == Paradigm::Penalty, "{} at {speed} m/s", paradigm.name());
        }
    }
}

/// A press that nothing stops pushes a ball into the ground. No motion is right, so none is reported as complete.
#[test]
fn presses_end_with_a_failure() {
    for paradigm in OTHERS {
        let mut builder = bouncing(0.0, 0.5);
        builder.fixed(ground());
        builder.body("ball", at(0.0, 0.0, 0.05), [ball(0.05)]).unwrap();
        let press = SteadyMotion { start: at(0.0, 0.0, 0.16), linear: DVec3::NEG_Z, angular: DVec3::ZERO };
        builder.scripted("press", Arc::new(press), [cuboid(DVec3::splat(0.05))]);
        let mut simulation = simulate(builder, paradigm);
        let outcome = simulation.run(0.2);
        assert!(outcome.is_err(), "{}: {:?}", paradigm.name(), simulation.state().q);
    }
}

/// A long thin rod that is pushed into the ground sideways fails at its own thickness, not at half of its length.
#[test]
fn thin_bodies_fail_at_their_thickness() {
    let mut builder = bouncing(0.0, 0.5);
    builder.fixed(ground());
    builder.body("rod", at(0.0, 0.0, 0.011), [cuboid(DVec3::new(1.0, 0.01, 0.01))]).unwrap();
    let press = SteadyMotion { start: at(0.0, 0.0, 0.071), linear: DVec3::NEG_Z, angular: DVec3::ZERO };
    builder.scripted("press", Arc::new(press), [cuboid(DVec3::new(1.0, 0.05, 0.05))]);
    let mut simulation = simulate(builder, Paradigm::Penalty);
    let failure = simulation.run(1.0).unwrap_err();
    let Failure::PassedThrough { depth, bound, .. } = failure else { panic!("{failure}") };
    assert!(bound <= 0.02 && depth < 0.03, "{depth} m, {bound} m");
}

/// A cube of 1000 kg on one of 1 kg. The analytical paradigm holds it. The others may fail, but say so.
#[test]
fn heavy_bodies_do_not_push_light_ones_into_the_ground_unnoticed() {
    for paradigm in OTHERS {
        let mut builder = bouncing(0.0, 0.5);
        builder.fixed(ground());
        for (index, density) in [1e3, 1e6].into_iter().enumerate() {
            let collider = cuboid(DVec3::splat(0.05)).with_density(density);
            builder.body("cube", at(0.0, 0.0, 0.05 + 0.1 * index as f64), [collider]).unwrap();
        }
        let mut simulation = simulate(builder, paradigm);
        let outcome = simulation.run(4.0);
        let heights = [simulation.state().q[2], simulation.state().q[9]];
        if paradigm == Paradigm::Analytical {
            assert!(outcome.is_ok() && (heights[0] - 0.05).abs() < 1e-6 && (heights[1] - 0.15).abs() < 1e-6);
        } else if outcome.is_ok() {
            assert!(heights[0] > 0.0 && heights[1] > 0.05, "{}: {heights:?}", paradigm.name());
        }
    }
}

/// Without gravity, a motor of 50 N m presses an arm against a wall that it lies on. Its forearm hangs free.
#[test]
fn arms_rest_against_walls_without_gravity() {
    let mut builder = bouncing(0.0, 0.5);
    builder.gravity(DVec3::ZERO);
    builder.fixed(ground().at(at(0.0, 0.0, -0.05)));
    let lying = Pose::new(DQuat::from_rotation_arc(DVec3::Z, DVec3::X), DVec3::X * 0.25);
    let rod = || ColliderSpec::new(Shape::Capsule(Capsule::new(0.05, 0.2).unwrap())).at(lying);
    let shoulder = AxisProperties { motor: Motor::Effort(50.0), max_effort: 50.0, ..AxisProperties::default() };
    let arm = builder.link("arm", None, JointSpec::revolute(DVec3::Y).with(shoulder), None, [rod()]).unwrap();
    let elbow = JointSpec::revolute(DVec3::Y).in_parent(Pose::from_translation(DVec3::X * 0.5));
    let forearm = builder.link("forearm", Some(arm), elbow, None, [rod()]).unwrap();
    builder.set_positions(forearm, &[-1.0]);
    let mut simulation = simulate(builder, Paradigm::Analytical);
    simulation.run(2.0).unwrap();
    let q = &simulation.state().q;
    assert!(q[0].abs() < 1e-5 && (q[1] + 1.0).abs() < 1e-4, "{q:?}");
}

/// A body that flies out of the world ends the simulation.
#[test]
fn bodies_that_leave_the_world_are_reported() {
    for paradigm in OTHERS {
        let mut builder = WorldBuilder::new();
        builder.gravity(DVec3::ZERO);
        let stray = builder.body("stray", at(999_990.0, 0.0, 0.0), [ball(10.0)]).unwrap();
        builder.set_velocity(stray, Motion::new(DVec3::ZERO, DVec3::X * 1000.0));
        let failure = simulate(builder, paradigm).run(1.0).unwrap_err();
        assert_eq!(failure.name(), "left_world", "{}: {failure}", paradigm.name());
    }
}

/// A box on a slope at a share of the friction angle's tangent, by impulses: how far it moves from 1 s to 5 s.
fn crept(share: f64) -> f64 {
    let friction = 0.5;
    let tilt = DQuat::from_rotation_y(libm::atan(share * friction));
    let mut builder = bouncing(0.0, friction);
    builder.fixed(ground().at(Pose::new(tilt, DVec3::ZERO)));
    let pose = Pose::new(tilt, tilt * DVec3::Z * 0.1);
    builder.body("box", pose, [cuboid(DVec3::new(0.2, 0.2, 0.1))]).unwrap();
    let mut simulation = simulate(builder, Paradigm::Impulse);
    simulation.run(1.0).unwrap();
    let settled = DVec3::from_slice(&simulation.state().q[..3]);
    simulation.run(5.0).unwrap();
    (DVec3::from_slice(&simulation.state().q[..3]) - settled).length()
}

#[test]
fn micro_collisions_do_not_creep() {
    for share in [0.3, 0.6, 0.8] {
        assert!(crept(share) < 4e-4, "{} m at {share}", crept(share));
    }
}

/// Above the friction angle a box slides at least as fast as Coulomb says: creep is undone only as far as friction
/// allows. (By impulses it slides faster than that.)
#[test]
fn micro_collisions_slide_above_the_friction_angle() {
    let (friction, share) = (0.5, 1.5);
    let angle = libm::atan(share * friction);
    let along = 9.81 * (libm::sin(angle) - friction * libm::cos(angle));
    let expected = 0.5 * along * (25.0 - 1.0);
    let moved = crept(share);
    assert!(moved > 0.99 * expected, "{moved} m instead of {expected} m");
}
