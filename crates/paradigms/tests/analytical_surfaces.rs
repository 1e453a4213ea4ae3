//! Contact forces on round, moving and articulated bodies.

use std::sync::Arc;

use crate::force_support::*;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::shape::{Capsule, Cylinder, Ellipsoid};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Oscillation, Simulation, SteadyMotion, WorldBuilder};
use glam::{DQuat, DVec3};

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Analytical.simulate(world, state, step).unwrap()
}

/// Normal force between the first pair that has one, in N.
fn contact_force(simulation: &Simulation) -> DVec3 {
    let records = simulation.data().pairs.iter().map(|(_, record)| record);
    records.flat_map(|record| &record.impulses).map(|stored| stored.impulse).sum::<DVec3>() / simulation.step_length()
}

#[test]
fn a_ball_leaves_a_larger_ball_at_the_known_angle() {
    // Sliding off without friction: contact ends where cos = 2/3. Rolling without slip: 10/17.
    for (friction, expected) in [(0.0, 2.0 / 3.0), (20.0, 10.0 / 17.0)] {
        let (large, small) = (1.0, 0.1);
        let mut builder = with_friction(friction);
        builder.fixed(ball(large));
        let angle: f64 = 0.1;
        let place = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle)) * (large + small);
        let body = builder.body("ball", Pose::from_translation(place), [ball(small)]).unwrap();
        // As if it had come from the top, where it nearly stood.
        let falls = 2.0 * G * (large + small) * (1.0 - libm::cos(angle));
        let rolls = if friction > 0.0 { 7.0 / 5.0 } else { 1.0 };
        let speed = libm::sqrt(falls / rolls);
        let along = DVec3::new(libm::cos(angle), 0.0, -libm::sin(angle)) * speed;
        let spin = if friction > 0.0 { DVec3::Y * (speed / small) } else { DVec3::ZERO };
        builder.set_velocity(body, Motion::new(spin, along));
        let mut simulation = simulate(builder, 1e-3);
        let mut left_at = None;
        while left_at.is_none() && simulation.state().time < 3.0 {
            simulation.step().unwrap();
            let place = position(&simulation);
            assert!(place.length() > large + small - 1e-6, "sinks to {}", place.length());
            if contact_force(&simulation) == DVec3::ZERO {
                left_at = Some(place.z / place.length());
            }
        }
        // It is there within a few steps; cos changes by 3e-3 in one.
        let found = left_at.unwrap();
        assert!((found - expected).abs() < 5e-3, "left at {found} instead of {expected}");
    }
}

#[test]
fn a_cylinder_a_capsule_and_an_ellipsoid_roll_on_a_plane() {
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let shapes = [
        Shape::Cylinder(Cylinder::new(0.1, 0.2).unwrap()),
        Shape::Capsule(Capsule::new(0.1, 0.2).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.1, 0.1, 0.3)).unwrap()),
    ];
    for shape in shapes {
        let mut builder = with_friction(0.8);
        builder.fixed(ground());
        let kind = shape.kind();
        let pose = Pose::new(upright, DVec3::new(0.0, 0.0, 0.1));
        let body = builder.body("roller", pose, [ColliderSpec::new(shape)]).unwrap();
        builder.set_velocity(body, Motion::new(DVec3::Y * 10.0, DVec3::X));
        let mut simulation = simulate(builder, 1.0 / 240.0);
        simulation.run(1.0).unwrap();
        assert!((velocity(&simulation) - DVec3::X).length() < 1e-6, "{kind}: {}", velocity(&simulation));
        assert!(
            (position(&simulation) - DVec3::new(1.0, 0.0, 0.1)).length() < 1e-6,
            "{kind}: {}",
            position(&simulation)
        );
    }
}

#[test]
fn an_ellipsoid_that_tumbles_keeps_its_energy_and_its_ground() {
    let mut builder = with_friction(0.0);
    builder.fixed(ground());
    let shape = Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.1, 0.15, 0.3)).unwrap());
    let body =
        builder.body("egg", Pose::from_translation(DVec3::new(0.0, 0.0, 0.3)), [ColliderSpec::new(shape)]).unwrap();
    builder.set_velocity(body, Motion::new(DVec3::new(1.0, 0.3, 0.2), DVec3::ZERO));
    let mut simulation = simulate(builder, 1e-3);
    let start = simulation.energy();
    let mut lasted = 0;
    while simulation.state().time < 0.5 {
        simulation.step().unwrap();
        lasted += usize::from(contact_force(&simulation) != DVec3::ZERO);
        assert!(simulation.statistics().penetration < 1e-5, "{}", simulation.statistics().penetration);
        // It falls over by 0.1 m or more: fractions of a per mille of m g 0.3 m.
        assert!((simulation.energy() - start).abs() < 2e-3 * start, "{} of {start}", simulation.energy() - start);
    }
    assert!(lasted > 400, "it should not leave the ground: {lasted} steps on it");
}

#[test]
fn a_platform_carries_a_box_with_its_acceleration() {
    let mut builder = with_friction(0.5);
    let lift = Oscillation {
        middle: Pose::from_translation(DVec3::Z * -0.1),
        amplitude: DVec3::new(0.0, 0.0, 0.05),
        angle: DVec3::ZERO,
        frequency: 1.0,
        phase: 0.0,
    };
    builder.scripted("lift", Arc::new(lift), [cuboid(DVec3::new(1.0, 1.0, 0.1))]);
    builder.body("box", Pose::from_translation(DVec3::Z * 0.1), [cuboid(DVec3::splat(0.1))]).unwrap();
    let rate = std::f64::consts::TAU;
    let mut simulation = simulate(builder, 1e-3);
    let mass = 8.0;
    while simulation.state().time < 1.0 {
        let time = simulation.state().time;
        simulation.step().unwrap();
        if time > 0.1 {
            let expected = mass * (G - 0.05 * rate * rate * libm::sin(rate * time));
            let found = contact_force(&simulation).z;
            assert!((found - expected).abs() < 1e-2 * expected, "{found} against {expected} at {time} s");
        }
    }
}

#[test]
fn a_conveyor_takes_a_box_along() {
    let mut builder = with_friction(0.5);
    let belt = SteadyMotion { start: Pose::from_translation(DVec3::Z * -0.1), linear: DVec3::X, angular: DVec3::ZERO };
    builder.scripted("belt", Arc::new(belt), [cuboid(DVec3::new(10.0, 1.0, 0.1))]);
    builder.body("box", Pose::from_translation(DVec3::Z * 0.1), [cuboid(DVec3::splat(0.1))]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 240.0);
    simulation.run(1.0).unwrap();
    // It slips for v / (mu g) and lags by v^2 / (2 mu g).
    let lag = 1.0 / (2.0 * 0.5 * G);
    assert!((velocity(&simulation) - DVec3::X).length() < 1e-6, "{}", velocity(&simulation));
    assert!((position(&simulation).x - (1.0 - lag)).abs() < 1e-4, "{} against {}", position(&simulation).x, 1.0 - lag);
}

#[test]
fn an_arm_on_a_hinge_rests_on_the_ground() {
    let mut builder = with_friction(0.3);
    builder.fixed(ground());
    let height = 0.3;
    let joint = JointSpec::revolute(DVec3::Y)
        .in_parent(Pose::from_translation(DVec3::Z * height))
        .with(AxisProperties { damping: 0.2, ..AxisProperties::default() });
    let rod = ColliderSpec::new(Shape::Capsule(Capsule::new(0.05, 0.5).unwrap()))
        .at(Pose::new(DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2), DVec3::X * 0.5));
    builder.link("arm", None, joint, None, [rod]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 240.0);
    simulation.run(3.0).unwrap();
    // Its end, a ball of 5 cm at 1 m, lies on the ground.
    let expected = libm::asin((height - 0.05) / 1.0);
    assert!((simulation.state().q[0] - expected).abs() < 1e-5, "{} against {expected}", simulation.state().q[0]);
    // The ground carries half of the weight, less what friction does about the hinge (nothing at rest).
    let mass = simulation.world().model().mass();
    let force = contact_force(&simulation);
    let moment = force.z * libm::cos(expected) + force.x * (height / 1.0);
    assert!((moment - 0.5 * mass * G * libm::cos(expected)).abs() < 1e-2 * mass * G, "{force}");
}

#[test]
fn a_tree_stands_on_the_ground() {
    // A box with two feet on sprung hinges.
    let mut builder = with_friction(0.6);
    builder.fixed(ground());
    let trunk =
        builder.body("trunk", Pose::from_translation(DVec3::Z * 0.4), [cuboid(DVec3::new(0.2, 0.1, 0.1))]).unwrap();
    for (side, name) in [(-1.0, "left"), (1.0, "right")] {
        let properties = AxisProperties { stiffness: 200.0, damping: 5.0, ..AxisProperties::default() };
        let hip = JointSpec::revolute(DVec3::Y)
            .in_parent(Pose::from_translation(DVec3::new(0.15 * side, 0.0, -0.1)))
            .with(properties);
        let leg = cuboid(DVec3::new(0.03, 0.1, 0.15)).at(Pose::from_translation(DVec3::Z * -0.15));
        builder.link(name, Some(trunk), hip, None, [leg]).unwrap();
    }
    let mut simulation = simulate(builder, 1.0 / 240.0);
    simulation.run(1.5).unwrap();
    let weight = simulation.world().model().mass() * G;
    assert!((contact_force(&simulation).z - weight).abs() < 1e-3 * weight, "{}", contact_force(&simulation));
    assert!(simulation.state().v.iter().all(|v| v.abs() < 1e-3), "{:?}", simulation.state().v);
    assert!((simulation.state().q[2] - 0.4).abs() < 0.01);
}
