//! Coins, billiards and bowling.

use super::run::Run;

#[test]
fn coins_come_to_lie_flat_on_the_table() {
    let mut run = Run::start("coin-toss");
    run.finish();
    let coins = run.names("coin");
    assert_eq!(coins.len(), 18);
    let mut flat = 0;
    for name in &coins {
        let at = run.position(name);
        // Half a coin's diameter, or on another coin.
        assert!(at.z > 0.0 && at.z < 0.014, "{name} is at {at}");
        let tilt = run.tilt(name);
        flat += usize::from(!(5.0..=175.0).contains(&tilt));
    }
    // One or two may still roll on their edge or lean against others.
    assert!(flat >= 15, "{flat} lie flat");
}

#[test]
fn the_break_scatters_the_rack() {
    let mut run = Run::start("billiards");
    let balls = run.names("ball");
    assert_eq!(balls.len(), 15);
    let start: Vec<_> = balls.iter().map(|name| run.position(name)).collect();
    let energy = run.simulation.energy();
    run.until(0.3);
    assert!(run.simulation.energy() < energy, "friction and restitution take energy");
    run.finish();
    let moved = |index: &usize| (run.position(&balls[*index]) - start[*index]).length() > 0.15;
    let count = (0..balls.len()).filter(moved).count();
    assert!(count >= 13, "{count} balls left their places");
    for name in &balls {
        let at = run.position(name);
        // What has fallen through a pocket may roll away on the floor.
        let is_pocketed = at.z < 0.1;
        assert!(at.z > 0.0 && (is_pocketed || at.x.abs() < 1.5 && at.y.abs() < 0.85), "{name} left the table to {at}");
    }
}

#[test]
fn pins_fall_where_the_ball_passes_and_stand_before_it_comes() {
    let mut run = Run::start("bowling");
    let pins = run.names("pin");
    assert_eq!(pins.len(), 10);
    let start: Vec<_> = pins.iter().map(|name| run.position(name)).collect();
    run.until(1.3);
    for (name, before) in pins.iter().zip(&start) {
        let crept = (run.position(name) - *before).length();
        assert!(crept < 1e-4 && run.tilt(name) < 0.1, "{name} moved {crept} m by itself");
    }
    run.finish();
    let fallen = pins.iter().filter(|name| run.tilt(name) > 60.0 || run.position(name).z < 0.05).count();
    assert!(fallen >= 5, "{fallen} pins fell");
}
