//! Articulated scenes: pendulums, pistons, a skeleton, a robot.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::run::Run;

/// Arithmetic-geometric mean of two numbers.
fn arithmetic_geometric_mean(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

#[test]
fn pendulums_have_the_right_period_energy_and_cone() {
    let mut run = Run::start("pendulums");
    let energy = run.simulation.energy();
    let cone = run.tilt("spherical");
    let (mut crossings, mut last) = (Vec::new(), (0.0, run.joint("single")));
    let mut off = 0.0_f64;
    run.watch(10.0, |run| {
        let (time, angle) = (run.time(), run.joint("single"));
        if last.1 > 0.0 && angle <= 0.0 {
            crossings.push(last.0 + (time - last.0) * last.1 / (last.1 - angle));
        }
        last = (time, angle);
        off = off.max((run.tilt("spherical") - cone).abs());
    });
    // Rod and bob of steel, as in the scene.
    let (rod, bob) = (7850.0 * PI * 1e-4 * 0.8, 7850.0 * 4.0 / 3.0 * PI * 0.06 * 0.06 * 0.06);
    let moment = rod * 0.4 + bob * 0.8;
    let inertia = rod * (0.64 / 3.0 + 0.25e-4) + bob * (0.64 + 0.4 * 0.0036);
    let small = TAU * (inertia / (moment * 9.81)).sqrt();
    let period = small / arithmetic_geometric_mean(1.0, libm::cos(30_f64.to_radians()));
    let measured = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    assert!((measured - period).abs() < 1e-4 * period, "period {measured} s, expected {period} s");
    assert!(off < 0.01, "the cone opened or closed by {off} degrees");
    let drift = (run.simulation.energy() - energy).abs() / energy;
    assert!(drift < 1e-4, "energy drifted by {drift}");
}

#[test]
fn the_piston_follows_its_crank_and_the_rocker_swings() {
    let mut run = Run::start("pistons");
    let (mut worst, mut gap) = (0.0_f64, 0.0_f64);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    run.watch(10.0, |run| {
        let angle = run.joint("crank");
        let (sin, cos) = libm::sincos(angle);
        let expected = 0.1 * cos + (0.35_f64 * 0.35 - 0.01 * sin * sin).sqrt();
        worst = worst.max((run.position("piston").x - expected).abs());
        let rocker = run.joint("rocker");
        (low, high) = (low.min(rocker), high.max(rocker));
        let end = run.pose("coupler").transform_point(DVec3::X * 0.3);
        gap = gap.max((end - run.pose("rocker").transform_point(DVec3::X * 0.25)).length());
    });
    let turns = run.joint("crank") / TAU;
    assert!((turns - 40.0 / TAU).abs() < 0.2, "the crank made {turns} turns");
    assert!(run.joint("linkage crank") / TAU > 6.0);
    assert!(worst < 1e-3, "the piston is {worst} m from its closed form");
    assert!(gap < 1e-3, "the linkage opened by {gap} m");
    // At the ends of the swing, crank and coupler are collinear.
    let corner = |reach: f64| PI - libm::acos((0.3 * 0.3 + 0.25 * 0.25 - reach * reach) / (2.0 * 0.3 * 0.25));
    let (inner, outer) = (corner(0.2), corner(0.4));
    assert!((low - inner.min(outer)).abs() < 0.01 && (high - inner.max(outer)).abs() < 0.01, "{low} to {high}");
}

#[test]
fn the_skeleton_reaches_the_ground_within_its_joint_limits() {
    let mut run = Run::start("skeleton-on-stairs");
    let bones: Vec<_> = run.spec.bodies.iter().filter(|body| body.joint.is_some()).cloned().collect();
    assert_eq!(bones.len(), 15);
    let mut beyond = 0.0_f64;
    run.watch(6.0, |run| {
        for bone in &bones {
            beyond = beyond.max(run.beyond_limit(bone));
        }
    });
    // A limit is enforced at the end of a step; a joint at 10 rad/s moves 2.4 degrees in one.
    assert!(beyond < 3.0, "a joint went {beyond} degrees beyond its limit");
    let beyond = bones.iter().map(|bone| run.beyond_limit(bone)).fold(0.0, f64::max);
    assert!(beyond < 1.0, "at the end a joint is {beyond} degrees beyond its limit");
    assert!(run.position("pelvis").z < 0.5, "the pelvis is at {}", run.position("pelvis"));
    assert!(run.velocity("pelvis").length() < 0.01, "it lies still");
}

#[test]
fn a_ball_hitting_a_floating_robot_conserves_momentum() {
    let mut run = Run::start("quadruped-momentum");
    let before = run.simulation.observables();
    run.finish();
    let after = run.simulation.observables();
    let moved = (after.linear_momentum - before.linear_momentum).length() / before.linear_momentum.length();
    let turned = (after.angular_momentum - before.angular_momentum).length() / before.angular_momentum.length();
    assert!(run.velocity("ball").x < 3.0, "the ball has hit: {}", run.velocity("ball"));
    // Positions are relative to the trunk, so momentum is conserved to the order of the step.
    assert!(moved < 1e-4 && turned < 1e-4, "momentum changed by {moved}, angular momentum by {turned}");
}

#[test]
fn a_slack_robot_conserves_energy_in_the_air() {
    let mut run = Run::start("quadruped-energy");
    let before = run.simulation.energy();
    run.finish();
    let drift = (run.simulation.energy() - before).abs() / before;
    assert!(drift < 1e-3, "energy drifted by {drift}");
}

#[test]
fn the_robot_stands() {
    let mut run = Run::start("quadruped-standing");
    run.until(2.0);
    let settled = run.pose("trunk");
    run.finish();
    let pose = run.pose("trunk");
    assert!(run.position("trunk").z > 0.4 && run.tilt("trunk") < 3.0, "{} {}", pose.translation, run.tilt("trunk"));
    let crept = (pose.translation - settled.translation).length();
    assert!(crept < 1e-5, "it crept {crept} m in eighteen seconds");
}
