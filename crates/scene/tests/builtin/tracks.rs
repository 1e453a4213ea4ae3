//! Tracks of a car, dominoes, a marble and a part feeder, and walls that are knocked down.

use super::run::Run;

#[test]
fn the_car_drives_through_the_loop() {
    let mut run = Run::start("car-track");
    let (mut over_top, mut humps) = (false, 0.0_f64);
    let ride = run.position("chassis").z;
    run.watch(6.0, |run| {
        let at = run.position("chassis");
        over_top |= at.z > 5.0 && run.tilt("chassis") > 150.0;
        if at.x < -25.0 {
            humps = humps.max(at.z - ride);
        }
    });
    let (at, velocity) = (run.position("chassis"), run.velocity("chassis"));
    assert!(humps > 0.03, "the obstacles lifted it by {humps} m");
    assert!(over_top, "it passed the top upside down");
    assert!(
        at.x > 5.0 && at.z < ride + 0.05 && run.tilt("chassis") < 5.0,
        "the car did not leave the loop forward: {at}"
    );
    assert!(velocity.x > 10.0, "{velocity}");
}

/// Number of bricks that have moved by more than their height or fallen over.
fn down(run: &Run, names: &[String], start: &[glam::DVec3]) -> usize {
    let moved = |(name, before): &(&String, &glam::DVec3)| {
        (run.position(name) - **before).length() > 0.25 || run.tilt(name) > 45.0
    };
    names.iter().zip(start).filter(moved).count()
}

fn wall_comes_down(scene: &str, word: &str, stands_until: f64, end: f64, at_least: usize) {
    let mut run = Run::start(scene);
    let bricks = run.names(word);
    assert_eq!(bricks.len(), 34);
    run.until(stands_until);
    let start: Vec<_> = bricks.iter().map(|name| run.position(name)).collect();
    for (brick, at) in run.spec.bodies.iter().filter(|body| body.name.starts_with(word)).zip(&start) {
        assert!((brick.position - *at).length() < 0.02, "{} stands until it is hit", brick.name);
    }
    run.until(end);
    let count = down(&run, &bricks, &start);
    assert!(count >= at_least, "{count} bricks are down");
}

#[test]
fn the_chain_knocks_the_wall_down() {
    // Eight bricks at 1/240 s as at 1/1920 s.
    wall_comes_down("demolition-chain", "block", 1.0, 2.2, 8);
}

#[test]
fn the_car_knocks_the_wall_down() {
    wall_comes_down("car-into-wall", "block", 2.5, 3.2, 8);
}

// cargo test -p burgess-scene --release builtin -- --ignored
#[test]
#[ignore = "takes about a minute"]
fn the_chain_reaches_the_second_wall() {
    wall_comes_down("demolition-chain-two-walls", "block", 1.0, 6.0, 12);
    wall_comes_down("demolition-chain-two-walls", "second block", 1.0, 6.0, 5);
}

// cargo test -p burgess-scene --release builtin -- --ignored
#[test]
#[ignore = "takes about a minute"]
fn all_dominoes_fall() {
    let mut run = Run::start("dominoes");
    let dominoes = run.names("domino");
    assert_eq!(dominoes.len(), 150);
    let start: Vec<_> = dominoes.iter().map(|name| run.position(name)).collect();
    run.until(0.02);
    for (name, before) in dominoes.iter().zip(&start).skip(1) {
        assert!((run.position(name) - *before).length() < 1e-4, "{name} stands by itself");
    }
    run.finish();
    for (name, before) in dominoes.iter().zip(&start) {
        let moved = (run.position(name) - *before).length();
        assert!(run.tilt(name) > 60.0 || moved > 0.12, "{name} still stands, {moved} m away");
    }
}

#[test]
fn the_marble_runs_down_through_every_door() {
    let mut run = Run::start("marble-machine");
    assert_eq!(run.names("gearwheel").len(), 17);
    assert_eq!(run.names("ridge").len(), 6);
    let doors = run.names("trapdoor");
    let mut opened = vec![0.0_f64; doors.len()];
    run.watch(run.spec.duration, |run| {
        for (most, door) in opened.iter_mut().zip(&doors) {
            *most = most.max(run.joint(door));
        }
    });
    assert_eq!(doors.len(), 6);
    for (door, most) in doors.iter().zip(&opened) {
        assert!(*most > 0.3, "{door} opened by {most} rad only");
        assert!(run.joint(door) < 0.05, "{door} closed again");
    }
    assert!(run.position("marble").z < 0.03, "the marble is at {}", run.position("marble"));
    for gear in run.names("gearwheel") {
        // 2 rad/s, to 1 %.
        let turned = run.joint(&gear).abs();
        assert!((turned - 2.0 * run.time()).abs() < 0.02 * turned, "{gear} turned {turned} rad");
    }
}

#[test]
fn parts_climb_the_feeder() {
    let mut run = Run::start("part-feeder");
    let parts: Vec<_> = ["nut", "bolt", "washer", "cube"].iter().flat_map(|word| run.names(word)).collect();
    assert_eq!(parts.len(), 12);
    let start: Vec<_> = parts.iter().map(|name| run.position(name)).collect();
    run.until(3.0);
    for (part, before) in parts.iter().zip(&start) {
        let moved = run.position(part) - *before;
        assert!(moved.x > 0.1 && moved.z > 0.005, "{part} moved by {moved}");
    }
}
