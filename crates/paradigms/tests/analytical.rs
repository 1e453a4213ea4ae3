//! Analytical contact forces: closed forms of sticking, sliding, rolling, spinning, and of constraints.

use crate::force_support::*;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::constraint_solver::{AnalyticalSettings, ForceMethod};
use burgess_paradigms::{Paradigm, UpdateStrategy, analytical};
use burgess_simulation::{ColliderSpec, ConstraintKind, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

const STEP: f64 = 1.0 / 240.0;

fn simulate(builder: WorldBuilder) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Analytical.simulate(world, state, STEP).unwrap()
}

fn simulate_with(builder: WorldBuilder, settings: AnalyticalSettings, strategy: UpdateStrategy) -> Simulation {
    let (world, state) = builder.build().unwrap();
    analytical(world, state, STEP, settings, strategy).unwrap()
}

fn with_method(method: ForceMethod) -> AnalyticalSettings {
    AnalyticalSettings { method, ..AnalyticalSettings::default() }
}

#[test]
fn a_box_sticks_below_and_slides_above_the_angle_of_friction() {
    for method in [ForceMethod::Lemke, ForceMethod::GaussSeidel, ForceMethod::Arnold] {
        let mu = 0.5;
        let scene = |share: f64| box_on_slope(mu, libm::atan(share * mu));
        let mut held = simulate_with(scene(0.95), with_method(method), UpdateStrategy::Eager);
        let start = position(&held);
        held.run(2.0).unwrap();
        let crept = (position(&held) - start).length();
        // The solvers' tolerance is 1e-6 m/s^2 at most; feedback turns it into 1e-9 m.
        assert!(crept < 1e-7, "{method:?}: crept {crept:e}");

        let mut sliding = simulate_with(scene(1.05), with_method(method), UpdateStrategy::Eager);
        sliding.run(1.0).unwrap();
        let angle = libm::atan(1.05 * mu);
        let expected = G * (libm::sin(angle) - mu * libm::cos(angle));
        // Below the speed of rest slip is damped as if it stuck, which costs up to half of g h.
        let speed = velocity(&sliding).length();
        assert!((speed - expected).abs() < 0.5 * G * STEP, "{method:?}: {speed} against {expected}");
    }
}

#[test]
fn a_sliding_block_stops_where_friction_says() {
    let mu = 0.4;
    let mut simulation = simulate(sliding_box(mu, DVec3::new(3.0, 1.0, 0.0)));
    simulation.run(1.5).unwrap();
    let distance = position(&simulation).truncate().length();
    let expected = 10.0 / (2.0 * mu * G);
    // Below the speed of rest (0.02 m/s) slip fades within steps instead of evenly: some 1e-5 m.
    assert!((distance - expected).abs() < 5e-5, "{distance} against {expected}");
    let stopped = position(&simulation);
    simulation.run(3.0).unwrap();
    assert!((position(&simulation) - stopped).length() < 1e-7);
}

#[test]
fn a_rolling_ball_rolls_on_and_a_sliding_one_ends_up_rolling() {
    let (radius, speed) = (0.1, 2.0);
    let rolling = Motion::new(DVec3::Y * (speed / radius), DVec3::X * speed);
    let mut simulation = simulate(ball_on_ground(0.5, radius, rolling));
    simulation.run(2.0).unwrap();
    assert!((velocity(&simulation).x - speed).abs() < 1e-9, "{}", velocity(&simulation));
    assert!((position(&simulation).z - radius).abs() < 1e-9);

    let mut simulation = simulate(ball_on_ground(0.3, radius, Motion::new(DVec3::ZERO, DVec3::X * speed)));
    simulation.run(1.0).unwrap();
    let (v, spin) = (velocity(&simulation).x, simulation.state().v[1]);
    // Momentum about the point of contact is kept whatever friction does.
    assert!((v - 5.0 / 7.0 * speed).abs() < 1e-9, "rolls at {v}");
    assert!((v - spin * radius).abs() < 1e-9, "slips by {}", v - spin * radius);
}

#[test]
fn a_spinning_ball_does_not_sink_into_a_smooth_plane() {
    // At 20 rad/s the lowest point of a ball of 0.1 m is accelerated upward by 40 m/s^2.
    let scene = || ball_on_ground(0.0, 0.1, Motion::new(DVec3::new(3.0, 20.0, 0.0), DVec3::ZERO));
    let mut right = simulate(scene());
    right.run(1.0).unwrap();
    assert!((position(&right).z - 0.1).abs() < 1e-9, "height {}", position(&right).z);

    let without = AnalyticalSettings { rolling_terms: false, feedback: 0.0, ..AnalyticalSettings::default() };
    let mut wrong = simulate_with(scene(), without, UpdateStrategy::Eager);
    // Nothing holds it but the collision solver, which lets a quarter of g h pass as no collision.
    wrong.run(0.5).unwrap();
    assert!(position(&wrong).z < 0.098, "height {}", position(&wrong).z);
}

#[test]
fn a_ball_rolls_off_the_table_as_contacts_are_updated() {
    // The edge of the table is at x = 0; the ball passes it in the middle of a step.
    let fall = |strategy: UpdateStrategy| {
        let mut builder = with_friction(0.0);
        let table = Pose::from_translation(DVec3::new(-0.5, 0.0, -0.05));
        builder.fixed(cuboid(DVec3::new(0.5, 0.5, 0.05)).at(table));
        let start = Pose::from_translation(DVec3::new(-0.06, 0.0, 0.1));
        let body = builder.body("ball", start, [ball(0.1)]).unwrap();
        builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::X * 20.0));
        let mut simulation = simulate_with(builder, AnalyticalSettings::default(), strategy);
        simulation.step().unwrap();
        velocity(&simulation).z
    };
    // In 1/240 s it covers 83 mm and is over the edge after 60: the last stage of the step sees that.
    let (eager, lazy) = (fall(UpdateStrategy::Eager), fall(UpdateStrategy::Lazy));
    // A plane is a ball of 1e8 m: v^2 / 1e8 for a step.
    assert!(lazy.abs() < 1e-7, "lazy: held all the way, {lazy}");
    assert!(eager < -0.1 * G * STEP, "eager: lets it fall, {eager}");
    assert!(fall(UpdateStrategy::PartlyLazy).abs() < 1e-7);
}

#[test]
fn forces_under_a_box_carry_its_weight() {
    let mut simulation = simulate(sliding_box(0.4, DVec3::ZERO));
    simulation.step().unwrap();
    let mass = simulation.world().model().mass();
    let mut total = DVec3::ZERO;
    for (_, record) in simulation.data().pairs.iter() {
        total += record.impulses.iter().map(|stored| stored.impulse / STEP).sum::<DVec3>();
    }
    assert!((total - DVec3::Z * mass * G).length() < 1e-6 * mass * G, "{total}");
}

#[test]
fn stacks_stand() {
    for (method, count) in [(ForceMethod::Lemke, 2), (ForceMethod::GaussSeidel, 3)] {
        let mut simulation = simulate_with(stack(count), with_method(method), UpdateStrategy::Eager);
        let start = simulation.state().q.clone();
        simulation.run(1.0).unwrap();
        let moved = start.iter().zip(&simulation.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved < 1e-6, "{method:?}: moved by {moved:e}");
    }
}

#[test]
fn a_ball_rests_in_a_groove() {
    for friction in [0.0, 0.5] {
        let mut simulation = simulate(ball_in_groove(friction));
        let start = position(&simulation);
        simulation.run(1.0).unwrap();
        assert!((position(&simulation) - start).length() < 1e-8, "{}", position(&simulation) - start);
    }
}

#[test]
fn pendulums_on_constraints_swing_as_their_closed_form() {
    // A rod of 1 m with a solid ball of 0.05 m: inertia m (1 + 2/5 r^2) about the pin, level to level in one period.
    let energy_kept = |kind: ConstraintKind| {
        let (builder, _) = pendulum(kind);
        let mut simulation = simulate(builder);
        let start = simulation.energy();
        let (mut worst, mut farthest) = (0.0_f64, 0.0_f64);
        while simulation.state().time < 3.0 {
            simulation.step().unwrap();
            worst = worst.max((simulation.energy() - start).abs());
            farthest = farthest.max((position(&simulation).length() - 1.0).abs());
        }
        (worst, farthest)
    };
    let weight = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64 * 0.05 * 0.05 * G;
    for kind in [ConstraintKind::Pin, ConstraintKind::Hinge] {
        let (energy, length) = energy_kept(kind);
        // Fourth order in the step.
        assert!(energy < 1e-5 * weight && length < 1e-6, "{kind:?}: {energy:e} {length:e}");
    }
}

#[test]
fn a_distance_and_a_taut_rope_hold_alike() {
    let end = |kind: ConstraintKind| {
        let mut builder = WorldBuilder::new();
        let bob = builder.body("bob", Pose::from_translation(DVec3::X), [ball(0.05)]).unwrap();
        builder.constraint(kind, (None, Pose::IDENTITY), (Some(bob), Pose::IDENTITY));
        let mut simulation = simulate(builder);
        simulation.run(0.7).unwrap();
        position(&simulation)
    };
    let (rod, rope) = (end(ConstraintKind::Distance { length: 1.0 }), end(ConstraintKind::Rope { length: 1.0 }));
    assert!((rod.length() - 1.0).abs() < 1e-6 && (rope.length() - 1.0).abs() < 1e-6, "{rod} {rope}");
    assert!((rod - rope).length() < 1e-6, "{rod} {rope}");
}

#[test]
fn slides_and_welds_hold_and_springs_swing() {
    let mut builder = WorldBuilder::new();
    let welded = builder.body("welded", Pose::from_translation(DVec3::X), [ball(0.05)]).unwrap();
    let sliding = builder.body("sliding", Pose::from_translation(DVec3::Y), [ball(0.05)]).unwrap();
    let swinging = builder.body("swinging", Pose::from_translation(DVec3::new(3.0, 0.0, -0.5)), [ball(0.05)]).unwrap();
    let at = |x: DVec3| (None, Pose::from_translation(x));
    builder.constraint(ConstraintKind::Weld, at(DVec3::ZERO), (Some(welded), Pose::from_translation(-DVec3::X)));
    builder.constraint(ConstraintKind::Slide, at(DVec3::Y), (Some(sliding), Pose::IDENTITY));
    let (stiffness, damping) = (20.0, 0.0);
    let spring = ConstraintKind::Spring { length: 0.5, stiffness, damping };
    builder.constraint(spring, at(DVec3::X * 3.0), (Some(swinging), Pose::IDENTITY));
    let mut simulation = simulate(builder);
    simulation.run(0.5).unwrap();
    let q = &simulation.state().q;
    assert!((DVec3::from_slice(q) - DVec3::X).length() < 1e-9, "a weld holds a cantilever");
    assert!((DVec3::from_slice(&q[7..]) - DVec3::new(0.0, 1.0, -0.125 * G)).length() < 1e-9, "a slide lets fall");
    let mass = simulation.world().model().mass() / 3.0;
    let expected = -0.5 - mass * G / stiffness * (1.0 - libm::cos((stiffness / mass).sqrt() * 0.5));
    // RK4 at 13 rad/s and 1/240 s.
    assert!((q[16] - expected).abs() < 1e-5, "{} against {expected}", q[16]);
}

#[test]
fn joint_limits_stop_and_dry_friction_holds() {
    let arm = |properties: AxisProperties, speed: f64| {
        let mut builder = WorldBuilder::new();
        let joint = JointSpec::revolute(DVec3::Y).with(properties);
        let rod = cuboid(DVec3::new(0.25, 0.02, 0.02)).at(Pose::from_translation(DVec3::X * 0.25));
        let link = builder.link("arm", None, joint, None, [rod]).unwrap();
        builder.set_joint_velocities(link, &[speed]);
        simulate(builder)
    };
    let mut limited = arm(AxisProperties { limit: Some((-0.5, 0.3)), ..AxisProperties::default() }, 0.0);
    limited.run(2.0).unwrap();
    assert!((limited.state().q[0] - 0.3).abs() < 1e-6, "falls onto its limit: {}", limited.state().q[0]);

    // Its weight makes 0.25 m g about the hinge, at first.
    let weight = 0.5 * 0.04 * 0.04 * 1000.0 * G * 0.25;
    let mut held = arm(AxisProperties { friction: 1.01 * weight, ..AxisProperties::default() }, 0.0);
    held.run(1.0).unwrap();
    assert!(held.state().q[0].abs() < 1e-9, "creeps to {}", held.state().q[0]);
    let mut yielding = arm(AxisProperties { friction: 0.9 * weight, ..AxisProperties::default() }, 0.0);
    yielding.step().unwrap();
    let inertia = weight / G / 0.25 * (0.25 / 3.0 + (0.02 * 0.02) / 3.0);
    assert!((yielding.state().v[0] - 0.1 * weight / inertia * STEP).abs() < 1e-4, "{}", yielding.state().v[0]);
}

#[test]
fn contacts_do_not_feed_energy() {
    let mut builder = stack(2);
    let thrown = builder.body("thrown", Pose::from_translation(DVec3::new(-1.0, 0.02, 0.35)), [ball(0.1)]).unwrap();
    builder.set_velocity(thrown, Motion::new(DVec3::new(3.0, 5.0, -2.0), DVec3::X * 3.0));
    let mut simulation = simulate(builder);
    let start = simulation.energy();
    while simulation.state().time < 0.7 {
        simulation.step().unwrap();
        assert!(simulation.energy() < 1.001 * start, "at {} s", simulation.state().time);
    }
}

#[test]
fn snapshots_are_complete() {
    let scene = || {
        let mut builder = stack(2);
        let thrown = builder.body("thrown", Pose::from_translation(DVec3::new(-0.5, 0.02, 0.3)), [ball(0.1)]).unwrap();
        builder.set_velocity(thrown, Motion::new(DVec3::new(3.0, 5.0, -2.0), DVec3::X * 3.0));
        simulate_with(builder, with_method(ForceMethod::GaussSeidel), UpdateStrategy::Eager)
    };
    resumes_to_the_same_bits(scene(), scene(), 52);
}

#[test]
fn balls_bounce_to_the_height_of_their_restitution() {
    for e in [0.3, 0.8, 1.0] {
        let mut builder = WorldBuilder::new();
        builder.default_material(Material { friction: 0.4, restitution: e, ..Material::default() });
        builder.fixed(ground());
        builder.body("ball", Pose::from_translation(DVec3::new(0.0, 0.0, 1.1)), [ball(0.1)]).unwrap();
        let mut simulation = simulate(builder);
        let (mut highest, mut bounced) = (0.0_f64, false);
        while simulation.state().time < 1.2 && !(bounced && velocity(&simulation).z < 0.0) {
            simulation.step().unwrap();
            bounced |= velocity(&simulation).z > 0.0;
            highest = if bounced { highest.max(position(&simulation).z - 0.1) } else { 0.0 };
        }
        // The highest point is looked for at steps: g h^2 / 8; the millimetre of the contact tolerance is accounted
        // for.
        assert!((highest - e * e).abs() < 2e-4, "{highest} against {}", e * e);
    }
}

#[test]
fn a_rod_that_jams_gets_impulses() {
    // Painleve: at tan(angle) = 2 a rod that is pushed over the ground with friction above 4/3 has no finite forces.
    let mut builder = with_friction(2.0);
    builder.fixed(ground());
    let (half, radius, angle) = (0.5, 0.01, libm::atan(2.0));
    let rod = Shape::Capsule(Capsule::new(radius, half).unwrap());
    let tilt = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2 - angle);
    let height = half * libm::sin(angle) + radius;
    let body = builder.body("rod", Pose::new(tilt, DVec3::new(0.0, 0.0, height)), [ColliderSpec::new(rod)]).unwrap();
    // Its lower end is at -x of its middle: sliding to -x drives it into the ground.
    builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::X * -5.0));
    let mut simulation = simulate(builder);
    let start = simulation.energy();
    let mut impulses = 0;
    while simulation.state().time < 0.5 {
        simulation.step().unwrap();
        impulses += simulation.statistics().steps_by_impulses;
        assert!(simulation.energy() < 1.01 * start, "at {} s", simulation.state().time);
    }
    assert!(impulses > 0, "it should jam");
}
