//! The hybrid paradigm: impulses for transient contacts, forces for lasting ones.

use crate::force_support::*;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use burgess_simulation::{ConstraintKind, Material, Simulation, WorldBuilder, WorldError};
use glam::DVec3;

const STEP: f64 = 1.0 / 240.0;

fn simulate(builder: WorldBuilder) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Hybrid.simulate(world, state, STEP).unwrap()
}

/// Does any pair last?
fn lasting(simulation: &Simulation) -> bool {
    simulation.data().pairs.iter().any(|(_, record)| record.touch.is_some_and(|touch| touch.lasting))
}

#[test]
fn a_ball_bounces_by_impulses_and_comes_to_rest_by_forces() {
    let e: f64 = 0.5;
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.4, restitution: e, ..Material::default() });
    builder.fixed(ground());
    builder.body("ball", Pose::from_translation(DVec3::new(0.0, 0.0, 0.6)), [ball(0.1)]).unwrap();
    let mut simulation = simulate(builder);
    let (mut highest, mut bounced, mut falling_again) = (0.0_f64, false, false);
    while !falling_again {
        simulation.step().unwrap();
        bounced |= velocity(&simulation).z > 0.0;
        falling_again = bounced && velocity(&simulation).z < 0.0;
        highest = if bounced { highest.max(position(&simulation).z - 0.1) } else { 0.0 };
        assert!(!lasting(&simulation), "a bounce is transient");
    }
    // It meets the ground within the millimetre of the contact tolerance.
    assert!((highest - 0.5 * e * e).abs() < 1.5e-3, "{highest}");
    simulation.run(3.0).unwrap();
    assert!(lasting(&simulation), "rest lasts");
    assert!((position(&simulation).z - 0.1).abs() < 1e-6 && velocity(&simulation).length() < 1e-6);
    assert_eq!(simulation.statistics().impulses, 0);
}

#[test]
fn a_box_on_a_slope_sticks_and_slides_as_under_forces_alone() {
    let mu = 0.5;
    let mut held = simulate(box_on_slope(mu, libm::atan(0.9 * mu)));
    held.run(0.2).unwrap();
    let settled = position(&held);
    held.run(1.5).unwrap();
    assert!((position(&held) - settled).length() < 1e-6, "crept {}", (position(&held) - settled).length());

    let angle = libm::atan(1.2 * mu);
    let mut sliding = simulate(box_on_slope(mu, angle));
    sliding.run(0.2).unwrap();
    let start = velocity(&sliding).length();
    sliding.run(1.2).unwrap();
    let expected = G * (libm::sin(angle) - mu * libm::cos(angle));
    assert!((velocity(&sliding).length() - start - expected).abs() < 1e-3 * expected);
}

#[test]
fn a_blow_makes_a_lasting_contact_transient() {
    let mut builder = stack(1);
    let above = Pose::from_translation(DVec3::new(0.0, 0.0, 0.9));
    builder.body("falling", above, [ball(0.1)]).unwrap();
    let mut simulation = simulate(builder);
    simulation.run(0.2).unwrap();
    assert!(lasting(&simulation));
    let start = simulation.energy();
    let mut impulses = 0;
    while simulation.state().time < 1.5 {
        simulation.step().unwrap();
        impulses += simulation.statistics().impulses;
        assert!(simulation.energy() < 1.001 * start, "at {} s", simulation.state().time);
    }
    assert!(impulses > 0);
    let cube = position(&simulation);
    assert!((cube.z - 0.1).abs() < 1e-4, "the cube stays where it stood: {cube}");
}

#[test]
fn snapshots_hold_since_when_bodies_touch() {
    let scene = || {
        let mut builder = stack(1);
        let thrown = builder.body("thrown", Pose::from_translation(DVec3::new(-0.4, 0.02, 0.3)), [ball(0.1)]).unwrap();
        builder.set_velocity(thrown, Motion::new(DVec3::new(3.0, 5.0, -2.0), DVec3::X * 3.0));
        simulate(builder)
    };
    resumes_to_the_same_bits(scene(), scene(), 90);
}

#[test]
fn constraints_are_refused() {
    let (builder, _) = pendulum(ConstraintKind::Pin);
    let (world, state) = builder.build().unwrap();
    assert!(matches!(Paradigm::Hybrid.simulate(world, state, STEP), Err(WorldError::Impossible { .. })));
}
