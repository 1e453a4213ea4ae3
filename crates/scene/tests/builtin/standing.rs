//! Scenes in which nothing should move.

use glam::{DQuat, DVec3};

use super::run::Run;

/// Maximum change of position (m) and orientation (rad) of bodies since `before`.
fn moved(run: &Run, names: &[String], before: &[(DVec3, DQuat)]) -> (f64, f64) {
    let mut most = (0.0_f64, 0.0_f64);
    for (name, (place, turn)) in names.iter().zip(before) {
        let pose = run.pose(name);
        most.0 = most.0.max((pose.translation - *place).length());
        most.1 = most.1.max((turn.conjugate() * pose.rotation).to_scaled_axis().length());
    }
    most
}

fn places(run: &Run, names: &[String]) -> Vec<(DVec3, DQuat)> {
    names.iter().map(|name| run.pose(name)).map(|pose| (pose.translation, pose.rotation)).collect()
}

#[test]
fn the_cube_does_not_spin() {
    let mut run = Run::start("spinning-cube");
    let cube = run.names("cube");
    run.until(5.0);
    let before = places(&run, &cube);
    run.finish();
    let (offset, turn) = moved(&run, &cube, &before);
    // Exact sticking: only rounding errors accumulate over a minute.
    assert!(offset < 1e-9 && turn < 1e-9, "it moved {offset} m and turned {turn} rad in a minute");
}

#[test]
fn the_wall_stands() {
    let mut run = Run::start("brick-wall");
    let bricks = run.names("brick");
    assert_eq!(bricks.len(), 34);
    let start = places(&run, &bricks);
    run.until(2.0);
    let settled = places(&run, &bricks);
    let (sunk, _) = moved(&run, &bricks, &start);
    // Each of eight gaps of half a millimetre closes.
    assert!(sunk < 0.006, "settling moves a brick {sunk} m");
    run.finish();
    let (offset, turn) = moved(&run, &bricks, &settled);
    assert!(offset < 1e-4 && turn < 1e-3, "bricks moved {offset} m and turned {turn} rad in eight seconds");
}

#[test]
fn stacks_stand() {
    let mut run = Run::start("stacks");
    let names: Vec<_> =
        ["tower", "pyramid", "drum", "light", "heavy"].iter().flat_map(|word| run.names(word)).collect();
    let start = places(&run, &names);
    run.finish();
    let (offset, turn) = moved(&run, &names, &start);
    assert!(offset < 1e-3 && turn < 1e-2, "something moved {offset} m and turned {turn} rad in ten seconds");
}
