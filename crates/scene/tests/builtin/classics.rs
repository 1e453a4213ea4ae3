//! Scenes with closed-form solutions: sliding, bouncing and thrown bodies.

use super::run::Run;

const GRAVITY: f64 = 9.81;

#[test]
fn cubes_slide_according_to_their_friction_and_the_last_stays() {
    let mut run = Run::start("sliding-cubes");
    let cubes = run.names("cube");
    let starts: Vec<_> = cubes.iter().map(|name| run.position(name)).collect();
    let time = 0.5;
    run.until(time);
    let (sin, cos) = libm::sincos(30_f64.to_radians());
    for (index, name) in cubes.iter().enumerate() {
        let moved = (run.position(name) - starts[index]).length();
        let acceleration = if index == 6 { 0.0 } else { GRAVITY * (sin - sin / cos * (index as f64 / 6.0) * cos) };
        let expected = 0.5 * acceleration * time * time;
        // Second order in the step; exact for the cube without friction.
        assert!((moved - expected).abs() < 1e-4, "{name}: {moved} m, expected {expected} m");
    }
    run.finish();
    for name in &cubes[..5] {
        assert!(run.position(name).z < 0.2, "{name} has reached the floor");
    }
    let crept = (run.position(&cubes[6]) - starts[6]).length();
    assert!(crept < 1e-6, "the last cube crept {crept} m");
}

#[test]
fn bounce_heights_agree_with_the_restitution() {
    let mut run = Run::start("bouncing-balls");
    let balls = run.names("ball");
    let mut highest = [0.0_f64; 7];
    // The first fall takes 0.64 s, each full flight twice as long.
    run.until(0.70);
    run.watch(1.28 + 0.64, |run| {
        for (high, name) in highest.iter_mut().zip(&balls) {
            *high = high.max(run.position(name).z - 0.1);
        }
    });
    for (index, high) in highest.iter().enumerate().skip(1) {
        let restitution = index as f64 / 6.0;
        let expected = 2.0 * restitution * restitution;
        // Errors: the distance covered within a step at the top, and the step in which the ball hits the floor.
        assert!((high - expected).abs() < 0.01, "ball {index}: {high} m, expected {expected} m");
    }
    let mut top = 0.0_f64;
    run.until(8.0);
    run.watch(10.0, |run| top = top.max(run.position("ball 6").z - 0.1));
    assert!((top - 2.0).abs() < 0.01, "the elastic ball reaches {top} m");
    assert!((run.position("ball 0").z - 0.1).abs() < 1e-3, "the dead ball lies");
}

#[test]
fn the_block_stops_on_the_slope() {
    let mut run = Run::start("inclined-plane");
    let start = run.position("block");
    run.finish();
    let (sin, cos) = libm::sincos(15_f64.to_radians());
    let expected = 2.0 * 2.0 / (2.0 * GRAVITY * (0.5 * cos - sin));
    let slid = (run.position("block") - start).length();
    assert!((slid - expected).abs() < 2e-3 * expected, "slid {slid} m, expected {expected} m");
    assert!(run.velocity("block").length() < 1e-9);
}

#[test]
fn the_ball_leaves_the_table_at_its_edge() {
    let mut run = Run::start("ball-off-table");
    let speed = 6.0;
    run.until(1.75 / speed);
    assert!((run.position("ball").z - 0.8).abs() < 1e-4, "still on the table: {}", run.position("ball"));
    let mut landing = None;
    let mut last = run.position("ball");
    run.watch(1.4, |run| {
        let here = run.position("ball");
        if landing.is_none() && here.z < 0.0505 {
            landing = Some(last.x + (here.x - last.x) * 0.5);
        }
        last = here;
    });
    let expected = speed * (2.0 * 0.75 / GRAVITY).sqrt();
    let landing = landing.expect("it lands");
    // It moves 25 mm per step, and rolls a few millimetres around the edge.
    assert!((landing - expected).abs() < 0.04, "landed {landing} m away, expected {expected} m");
    assert!((run.velocity("ball").x - speed).abs() < 0.05, "nothing slows it: {}", run.velocity("ball"));
}

#[test]
fn the_ball_flies_over_the_ramp_and_rolls_away() {
    let mut run = Run::start("ball-over-ramp");
    let (mut flew, mut on_ramp) = (false, false);
    run.watch(4.0, |run| {
        let at = run.position("ball");
        flew |= at.x > 3.6 && at.z > 0.75;
        on_ramp |= at.x > 1.6 && at.x < 3.5 && at.z - 0.3 * (at.x - 1.5) < 0.116;
    });
    assert!(flew && on_ramp, "flew {flew}, on the ramp {on_ramp}");
    run.finish();
    let (at, velocity) = (run.position("ball"), run.velocity("ball"));
    assert!(at.x > 6.0 && (at.z - 0.11).abs() < 2e-3, "it rolls on the ground at {at}");
    assert!(velocity.x > 0.5 && velocity.z.abs() < 0.02, "{velocity}");
}
