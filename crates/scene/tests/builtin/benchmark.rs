//! Scenes of SimBenchmark.

use super::run::Run;

#[test]
fn rolling_balls_agree_with_the_closed_form() {
    let mut run = Run::start("rolling");
    let time = 2.0;
    run.until(time);
    let (board, ball, force, gravity) = (10.0, 1.0, 150.0, 9.81);
    let ground = 0.4 * (board + 25.0 * ball) * gravity;
    let each = (force - ground) / board / (3.5 / ball + 25.0 / board);
    let board_speed = (force - ground - 25.0 * each) / board * time;
    let found = run.velocity("board").x;
    assert!((found - board_speed).abs() < 1e-3 * board_speed, "board: {found} m/s, expected {board_speed}");
    for name in run.names("ball") {
        let found = run.velocity(&name).x;
        assert!((found - each / ball * time).abs() < 1e-3, "{name}: {found} m/s, expected {}", each * time);
    }
    run.finish();
}

#[test]
fn elastic_balls_conserve_energy() {
    for (name, tolerance) in [("bouncing", 1e-9), ("elastic-six-cubed", 1e-3)] {
        let mut run = Run::start(name);
        let before = run.simulation.energy();
        run.finish();
        let drift = (run.simulation.energy() - before).abs() / before;
        assert!(drift < tolerance, "{name}: energy drifted by {drift}");
    }
}

#[test]
fn the_heap_falls_apart_without_penetration() {
    let mut run = Run::start("six-cubed");
    let mut deepest = 0.0_f64;
    run.watch(10.0, |run| deepest = deepest.max(run.simulation.statistics().penetration));
    assert!(deepest < 0.01, "balls are {deepest} m deep in each other");
    let balls = run.names("ball");
    assert_eq!(balls.len(), 216);
    let low = balls.iter().filter(|name| run.position(name).z < 0.15).count();
    assert!(low > 150, "{low} balls lie on the ground");
}
