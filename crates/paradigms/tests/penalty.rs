//! Penalty contacts: holding, sliding and bouncing.

use crate::force_support::*;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::Pose;
use burgess_paradigms::constraint_solver::{PenaltySettings, PenaltySpring};
use burgess_paradigms::{Paradigm, penalty};
use burgess_simulation::{ConstraintKind, Material, Simulation, WorldBuilder, WorldError};
use glam::DVec3;

const STEP: f64 = 1e-3;

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Penalty.simulate(world, state, step).unwrap()
}

#[test]
fn a_box_sticks_below_and_slides_above_the_angle_of_friction() {
    let mu = 0.5;
    let mut held = simulate(box_on_slope(mu, libm::atan(0.9 * mu)), STEP);
    held.run(0.3).unwrap();
    let settled = position(&held);
    held.run(3.0).unwrap();
    // The springs settle within 0.3 s; nothing creeps afterwards.
    assert!((position(&held) - settled).length() < 1e-6, "crept {}", (position(&held) - settled).length());

    let angle = libm::atan(1.2 * mu);
    let mut sliding = simulate(box_on_slope(mu, angle), STEP);
    sliding.run(0.3).unwrap();
    let start = velocity(&sliding).length();
    sliding.run(1.3).unwrap();
    let expected = G * (libm::sin(angle) - mu * libm::cos(angle));
    // First order in the step.
    assert!((velocity(&sliding).length() - start - expected).abs() < 0.01 * expected);
}

#[test]
fn a_sliding_block_stops_where_friction_says() {
    let mu = 0.4;
    let mut simulation = simulate(sliding_box(mu, DVec3::new(3.0, 1.0, 0.0)), STEP);
    simulation.run(3.0).unwrap();
    let expected = 10.0 / (2.0 * mu * G);
    let distance = position(&simulation).truncate().length();
    // While it sinks in by some g h^2, friction is not yet all there.
    assert!((distance / expected - 1.0).abs() < 0.01, "{distance} against {expected}");
    assert!(velocity(&simulation).length() < 1e-6);
}

#[test]
fn a_ball_bounces_nearly_as_its_restitution_says() {
    // A light wheel in a strong damper, far away, has the steps cut into pieces.
    for (e, damping) in [(0.2, 0.0), (0.5, 0.0), (0.2, 20.0), (0.5, 20.0), (0.8, 20.0)] {
        let mut builder = WorldBuilder::new();
        builder.default_material(Material { friction: 0.0, restitution: e, ..Material::default() });
        builder.fixed(ground());
        builder.body("ball", Pose::from_translation(DVec3::new(0.0, 0.0, 1.1)), [ball(0.1)]).unwrap();
        let damped = AxisProperties { damping, ..AxisProperties::default() };
        let axle =
            JointSpec::revolute(DVec3::Z).in_parent(Pose::from_translation(DVec3::new(9.0, 0.0, 1.0))).with(damped);
        builder.link("wheel", None, axle, None, [ball(0.05)]).unwrap();
        let mut simulation = simulate(builder, STEP);
        let mut fastest = 0.0_f64;
        while simulation.state().time < 0.6 {
            simulation.step().unwrap();
            fastest = fastest.max(velocity(&simulation).z);
        }
        assert_eq!(simulation.statistics().sub_steps > 5, damping > 0.0);
        let found = fastest / libm::sqrt(2.0 * G);
        assert!((found - e).abs() < 0.1, "bounced with {found} instead of {e}");
    }
}

#[test]
fn a_ball_that_slides_ends_up_rolling() {
    let (radius, speed) = (0.1, 2.0);
    let mut simulation = simulate(ball_on_ground(0.3, radius, Motion::new(DVec3::ZERO, DVec3::X * speed)), STEP);
    simulation.run(1.0).unwrap();
    // 5/7 of the speed is left when it rolls: momentum about the point of contact is kept.
    let (v, spin) = (velocity(&simulation).x, simulation.state().v[1]);
    assert!((v - 5.0 / 7.0 * speed).abs() < 0.01 * speed, "rolls at {v}");
    assert!((v - spin * radius).abs() < 1e-3 * speed, "slips by {}", v - spin * radius);
}

#[test]
fn a_stack_of_two_stands() {
    let mut simulation = simulate(stack(2), STEP);
    simulation.run(0.5).unwrap();
    let settled = simulation.state().q.clone();
    simulation.run(3.0).unwrap();
    let moved = settled.iter().zip(&simulation.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved < 1e-6, "moved by {moved}");
    // Springs sink by mg/k, with k of twenty steps per period about (20 / 2 pi)^2 g h^2 times the load.
    assert!(simulation.statistics().penetration < 100.0 * G * STEP * STEP);
}

#[test]
fn a_ball_rests_in_a_groove() {
    let mut simulation = simulate(ball_in_groove(0.0), STEP);
    simulation.run(2.0).unwrap();
    let rest = position(&simulation);
    assert!(rest.x.abs() < 1e-9 && velocity(&simulation).length() < 1e-6, "{rest}");
}

#[test]
fn a_pendulum_hangs_on_its_pin() {
    let (builder, _) = pendulum(ConstraintKind::Pin);
    let mut simulation = simulate(builder, STEP);
    let energy = simulation.energy();
    let mut lowest = 0.0_f64;
    while simulation.state().time < 1.5 {
        simulation.step().unwrap();
        let length = position(&simulation).length();
        assert!((length - 1.0).abs() < 1e-3, "the rod is {length} m long");
        lowest = lowest.min(position(&simulation).z);
    }
    assert!((lowest + 1.0).abs() < 1e-3);
    // A force that is held for a step while the rod turns is of first order: 1.2 % of m g l (5.14 J) in this time.
    assert!((simulation.energy() - energy).abs() < 0.1, "energy changed by {}", simulation.energy() - energy);
}

#[test]
fn springs_do_not_feed_energy() {
    let mut builder = stack(3);
    let thrown = builder.body("thrown", Pose::from_translation(DVec3::new(-1.0, 0.02, 0.4)), [ball(0.1)]).unwrap();
    builder.set_velocity(thrown, Motion::new(DVec3::new(3.0, 5.0, -2.0), DVec3::X * 4.0));
    let mut simulation = simulate(builder, STEP);
    let start = simulation.energy();
    while simulation.state().time < 2.0 {
        simulation.step().unwrap();
        assert!(simulation.energy() < 1.001 * start, "at {} s", simulation.state().time);
    }
}

#[test]
fn snapshots_hold_the_anchors_of_friction() {
    let scene = || simulate(box_on_slope(0.5, 0.3), STEP);
    resumes_to_the_same_bits(scene(), scene(), 150);
    let mut simulation = scene();
    simulation.run(0.2).unwrap();
    let mut changed = simulation.snapshot();
    let before = simulation.state_hash();
    for (_, record) in &mut changed.pairs {
        record.stretches.clear();
    }
    simulation.restore(&changed).unwrap();
    assert_ne!(simulation.state_hash(), before, "the hash must see anchors");
}

#[test]
fn springs_that_are_none_are_refused() {
    let (world, state) = stack(1).build().unwrap();
    let spring = PenaltySpring::Given { stiffness: -1.0, damping: 0.0 };
    let refused = penalty(world, state, STEP, PenaltySettings { spring, ..PenaltySettings::default() });
    assert!(matches!(refused, Err(WorldError::OutOfRange { .. })));
}
