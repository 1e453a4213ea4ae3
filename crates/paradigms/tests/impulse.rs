//! Impulse-based simulation: closed forms, rest, stability.

use crate::worlds::{at, ball, bouncing, brick_wall, cuboid, ground, smallest_distance};
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::Pose;
use burgess_paradigms::collision_solver::{SequentialImpulses, SimultaneousImpulses};
use burgess_paradigms::time_control::ConservativeAdvancement;
use burgess_paradigms::{ContactPoints, FreeMotion, ImpulseSettings, Paradigm, impulse, impulse_data};
use burgess_simulation::constraint_solver::VelocitySolverSettings;
use burgess_simulation::modules::{CollisionSolver, Modules};
use burgess_simulation::{Oscillation, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Impulse.simulate(world, state, step).unwrap()
}

fn simulate_with(builder: WorldBuilder, step: f64, settings: ImpulseSettings) -> Simulation {
    let (world, state) = builder.build().unwrap();
    impulse(world, state, step, settings).unwrap()
}

/// Where the centre of mass of a body is.
fn place(simulation: &Simulation, body: usize) -> DVec3 {
    DVec3::from_slice(&simulation.state().q[simulation.world().model().links()[body].q..])
}

#[test]
fn balls_bounce_to_the_height_of_their_restitution() {
    for step in [1e-3, 1.0 / 60.0] {
        for e in [0.2, 0.5, 0.8, 1.0] {
            let mut builder = bouncing(e, 0.4);
            builder.fixed(ground());
            builder.body("ball", at(0.0, 0.0, 1.1), [ball(0.1)]).unwrap();
            let mut simulation = simulate(builder, step);
            while simulation.state().v[5] <= 0.0 {
                simulation.step().unwrap();
            }
            let (v, z) = (simulation.state().v[5], simulation.state().q[2]);
            let highest = z - 0.1 + v * v / (2.0 * 9.81);
            // The ball turns round in the middle of its envelope, half of 1 % of its radius above the ground.
            let turn = 0.5 * 0.01 * 0.1;
            let expected = turn + e * e * (1.0 - turn);
            assert!((highest - expected).abs() < 1e-9, "e {e}: {highest} instead of {expected}");
        }
    }
}

/// Five equal elastic balls that touch, the first one coming at 2 m/s. Their speeds afterwards.
fn cradle(simultaneous: bool) -> Vec<f64> {
    let mut builder = bouncing(1.0, 0.0);
    builder.gravity(DVec3::ZERO);
    let mut balls = Vec::new();
    for k in 0..5 {
        let x = if k == 0 { -0.5 } else { 0.1 * k as f64 + 1e-5 * k as f64 };
        balls.push(builder.body("ball", at(x, 0.0, 0.0), [ball(0.05)]).unwrap());
    }
    builder.set_velocity(balls[0], Motion::new(DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0)));
    let (world, state) = builder.build().unwrap();
    let settings = ImpulseSettings::default();
    let (data, envelope) = impulse_data(world, state, &settings).unwrap();
    let collisions: Box<dyn CollisionSolver> = if simultaneous {
        Box::new(SimultaneousImpulses::new(envelope, VelocitySolverSettings::default()))
    } else {
        Box::new(SequentialImpulses::new(settings.law, envelope))
    };
    let time_control = Box::new(ConservativeAdvancement::new(&data, envelope, 1000));
    let modules = Modules { motion: Box::new(FreeMotion::new(&data)), constraints: None, collisions: Some(collisions) };
    let mut simulation = Simulation::with_modules(data, time_control, modules, 1.0 / 60.0).unwrap();
    simulation.run(0.5).unwrap();
    (0..5).map(|k| simulation.state().v[6 * k + 3]).collect()
}

/// What a row of steel balls on strings does: sequential impulses are right.
#[test]
fn blows_travel_through_a_row_of_balls_one_after_the_other() {
    let speeds = cradle(false);
    let expected = [0.0, 0.0, 0.0, 0.0, 2.0];
    for (speed, expected) in speeds.iter().zip(expected) {
        assert!((speed - expected).abs() < 1e-12, "{speeds:?}");
    }
}

/// Simultaneous impulses keep momentum, energy and the law of restitution at every contact, but are not what nature
/// does: of n balls the first comes back with (2 - n) / n of its speed, the others leave together with 2 / n.
#[test]
fn simultaneous_impulses_let_all_balls_leave_together() {
    let speeds = cradle(true);
    let expected = [-1.2, 0.8, 0.8, 0.8, 0.8];
    for (speed, expected) in speeds.iter().zip(expected) {
        assert!((speed - expected).abs() < 1e-8, "{speeds:?}");
    }
    let energy: f64 = speeds.iter().map(|v| v * v).sum();
    assert!((energy - 4.0).abs() < 1e-8);
}

#[test]
fn bodies_at_rest_stay_in_their_envelopes() {
    for points in [ContactPoints::Closest, ContactPoints::Tracked, ContactPoints::Region] {
        let mut builder = bouncing(0.0, 0.5);
        builder.fixed(ground());
        let tilted = DQuat::from_scaled_axis(DVec3::new(0.02, 0.01, 0.0));
        builder.body("box", Pose::new(tilted, DVec3::new(0.0, 0.0, 0.11)), [cuboid(DVec3::splat(0.1))]).unwrap();
        builder.body("ball", at(1.0, 0.0, 0.11), [ball(0.1)]).unwrap();
        let settings = ImpulseSettings { points, ..ImpulseSettings::default() };
        let mut simulation = simulate_with(builder, 1.0 / 60.0, settings);
        let rest: f64 = [8.0, 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3].iter().map(|m| m * 9.81 * 0.1).sum();
        let epsilon: f64 = 0.01 * 0.1;
        // What one boosted micro-collision can give at the most.
        let boost = 2.0 * (2.0 * 9.81 * epsilon).sqrt();
        let bound = rest + 0.5 * simulation.world().model().mass() * boost * boost;
        simulation.run(1.0).unwrap();
        while simulation.state().time < 5.0 {
            simulation.step().unwrap();
            let distance = smallest_distance(&mut simulation);
            assert!(distance > 0.0 && distance < epsilon, "{points:?}: {distance}");
            let energy = simulation.energy();
            assert!(energy < bound, "{points:?}: {energy} of {bound}");
            assert!(place(&simulation, 0).z < 0.1 + 3.0 * epsilon);
        }
    }
}

/// Yaw of a cube that was dropped, from 2 s to 32 s, in rad.
fn yaw_of_dropped_cube(points: ContactPoints, tilt: f64) -> f64 {
    let mut builder = bouncing(0.3, 0.5);
    builder.fixed(ground());
    let tilted = DQuat::from_scaled_axis(DVec3::new(tilt, 0.7 * tilt, 0.0));
    builder.body("cube", Pose::new(tilted, DVec3::new(0.0, 0.0, 0.15)), [cuboid(DVec3::splat(0.1))]).unwrap();
    let settings = ImpulseSettings { points, ..ImpulseSettings::default() };
    let mut simulation = simulate_with(builder, 1.0 / 60.0, settings);
    simulation.run(2.0).unwrap();
    let heading = |simulation: &Simulation| {
        let x = DQuat::from_slice(&simulation.state().q[3..7]) * DVec3::X;
        libm::atan2(x.y, x.x)
    };
    let (mut last, mut yaw) = (heading(&simulation), 0.0);
    while simulation.state().time < 32.0 {
        simulation.step().unwrap();
        let now = heading(&simulation);
        let turns = ((now - last) / std::f64::consts::TAU).round();
        yaw += now - last - std::f64::consts::TAU * turns;
        last = now;
    }
    yaw
}

/// Fontijne (2000) figure 3.11: micro-collisions at the closest points alone fall into an order and make the cube spin;
/// with tracked contacts only a random walk is left.
#[test]
fn tracked_contacts_keep_cubes_from_spinning() {
    for tilt in [0.02, -0.05, 0.11] {
        let closest = yaw_of_dropped_cube(ContactPoints::Closest, tilt);
        let tracked = yaw_of_dropped_cube(ContactPoints::Tracked, tilt);
        assert!(closest.abs() > 1.0, "closest {closest}");
        assert!(tracked.abs() < 0.2, "tracked {tracked}");
    }
}

#[test]
fn a_wall_of_bricks_stands() {
    let mut simulation = simulate(brick_wall(), 1.0 / 60.0);
    let start: Vec<DVec3> = (0..34).map(|brick| place(&simulation, brick)).collect();
    let mut sub_steps = 0;
    while simulation.state().time < 2.0 {
        simulation.step().unwrap();
        sub_steps += simulation.statistics().sub_steps;
        assert!(smallest_distance(&mut simulation) > 0.0, "at {} s", simulation.state().time);
    }
    let moved = start.iter().enumerate().map(|(brick, start)| (place(&simulation, brick) - *start).length());
    let most = moved.fold(0.0, f64::max);
    // The gaps between rows, seven of half a millimetre, and the crawl of Fontijne (2000) figure 3.12.
    assert!(most < 0.02, "moved {most}");
    assert!(sub_steps < 20_000, "{sub_steps} sub-steps");
}

/// Without gravity nothing is boosted, and elastic or not, energy never grows.
#[test]
fn collisions_never_feed_energy() {
    for (e, friction) in [(1.0, 0.0), (1.0, 0.5), (0.6, 0.8)] {
        let mut builder = bouncing(e, friction);
        builder.gravity(DVec3::ZERO);
        for axis in DVec3::AXES {
            for side in [-1.0, 1.0] {
                let turn = DQuat::from_rotation_arc(DVec3::Z, -side * axis);
                builder.fixed(ground().at(Pose::new(turn, 0.6 * side * axis)));
            }
        }
        for k in 0..8 {
            let corner = DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) - DVec3::splat(0.5);
            let shape = if k % 2 == 0 { cuboid(DVec3::new(0.1, 0.07, 0.05)) } else { ball(0.08) };
            let body = builder.body("body", Pose::from_translation(0.6 * corner), [shape]).unwrap();
            let velocity = DVec3::new(1.0 + k as f64, -2.0, 0.5 * k as f64);
            builder.set_velocity(body, Motion::new(corner, velocity));
        }
        let mut simulation = simulate(builder, 1.0 / 240.0);
        let start = simulation.energy();
        let (mut most, mut impulses) = (0.0_f64, 0);
        while simulation.state().time < 3.0 {
            simulation.step().unwrap();
            impulses += simulation.statistics().impulses;
            most = most.max(simulation.energy() / start);
            assert!(smallest_distance(&mut simulation) > 0.0);
        }
        assert!(impulses > 50);
        // The rest is the integrator's, on boxes that tumble at up to 40 rad/s.
        assert!(most < 1.0 + 5e-3, "{most}");
    }
}

/// Work follows what happens: ten balls that bounce need few looks a second.
#[test]
fn ten_balls_are_cheap() {
    let mut builder = bouncing(0.8, 0.3);
    builder.fixed(ground());
    for k in 0..10 {
        let shape = ball(0.05 + 0.005 * k as f64);
        builder.body("ball", at(0.5 * (k % 5) as f64, 0.5 * (k / 5) as f64, 0.3 + 0.1 * k as f64), [shape]).unwrap();
    }
    let mut simulation = simulate(builder, 1.0 / 60.0);
    let mut sub_steps = 0;
    while simulation.state().time < 5.0 {
        simulation.step().unwrap();
        sub_steps += simulation.statistics().sub_steps;
    }
    assert!(sub_steps < 300 * 12, "{sub_steps}");
}

#[test]
fn a_shaken_tray_keeps_what_is_on_it() {
    let mut builder = bouncing(0.2, 0.8);
    let shake = Oscillation {
        middle: Pose::IDENTITY,
        amplitude: DVec3::new(0.01, 0.0, 0.005),
        angle: DVec3::ZERO,
        frequency: 3.0,
        phase: 0.0,
    };
    builder.scripted("tray", std::sync::Arc::new(shake), [cuboid(DVec3::new(0.5, 0.5, 0.05))]);
    builder.body("box", at(0.0, 0.0, 0.16), [cuboid(DVec3::splat(0.1))]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    while simulation.state().time < 3.0 {
        simulation.step().unwrap();
        assert!(smallest_distance(&mut simulation) > 0.0, "at {} s", simulation.state().time);
    }
    assert!(place(&simulation, 1).z < 0.18);
}

#[test]
fn dry_friction_holds_a_joint() {
    let mut builder = bouncing(0.0, 0.5);
    // 0.2 m of lever times the weight of 0.64 kg is 1.26 N m.
    let stiff = AxisProperties { friction: 2.0, ..AxisProperties::default() };
    let arm = cuboid(DVec3::new(0.2, 0.02, 0.02)).at(at(0.2, 0.0, 0.0));
    builder.link("arm", None, JointSpec::revolute(DVec3::Y).with(stiff), None, [arm]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    simulation.run(2.0).unwrap();
    assert!(simulation.state().q[0].abs() < 1e-9, "{:?}", simulation.state());
}

#[test]
fn a_step_that_needs_too_much_says_so() {
    let settings = ImpulseSettings { budget: 3, ..ImpulseSettings::default() };
    let mut simulation = simulate_with(brick_wall(), 1.0 / 10.0, settings);
    let failure = (0..50).find_map(|_| simulation.step().err()).unwrap();
    assert_eq!(failure.name(), "budget_exhausted");
    assert!(failure.to_string().contains("'brick'"), "{failure}");
}
