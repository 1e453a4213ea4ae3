//! The frame lock with simulated walls: its two guarantees, and what a slow, a dying and a returning wall cost.

use std::time::Duration;

use burgess_walls::{FrameLock, LockError, LockMode, LockSettings, Order};
use proptest::prelude::*;

use crate::simulated_walls::{Behaviour, World};

/// Period of 60 frames per second, in microseconds.
const PERIOD: u64 = 16_667;
const SECOND: u64 = 1_000_000;

fn group(walls: Vec<Behaviour>, seconds: u64) -> World {
    let mut world = World::new(PERIOD, LockMode::Commit, walls, 1);
    world.run(seconds * SECOND);
    world
}

/// Four walls whose screens refresh at different times.
fn four() -> Vec<Behaviour> {
    (0..4).map(|wall| Behaviour { phase: 3000 * wall, ..Behaviour::default() }).collect()
}

#[test]
fn all_walls_show_every_frame_on_schedule() {
    let world = group(four(), 10);
    let log = &world.log;
    assert_eq!(log.locked.len(), 4);
    assert!(log.late.is_empty());
    // 600 frames fit into ten seconds; the first ones are for locking.
    assert!(log.commits.len() > 590, "{}", log.commits.len());
    for wall in 0..4 {
        let frames: Vec<u64> =
            log.shown.iter().filter(|shown| shown.wall == wall && shown.locked).map(|shown| shown.frame).collect();
        assert!(frames.windows(2).all(|pair| pair[1] == pair[0] + 1), "wall {wall} skipped frames");
    }
    assert_eq!(log.differences().0, 1);
}

#[test]
fn walls_whose_screens_refresh_together_hardly_differ() {
    let log = group(vec![Behaviour { phase: 5000, ..Behaviour::default() }; 4], 10).log;
    assert_eq!(log.commits.len(), log.required.values().filter(|walls| !walls.is_empty()).count());
    let (largest, share) = log.differences();
    // While walls are locked one by one, some differ.
    assert!(largest <= 1 && share < 0.01, "{largest} {share}");
}

#[test]
fn a_wall_that_stops_costs_the_others_less_than_one_frame() {
    let slow = Some((5 * SECOND, 6 * SECOND, 1000));
    let mut walls = four();
    walls[2].slow = slow;
    let with = group(walls, 10);
    assert_eq!(with.log.late.iter().map(|(_, wall)| *wall).collect::<Vec<_>>(), [2]);
    let without = group(four(), 10);
    // Frames catch up after the delay, so the schedule is the same.
    let frames = |world: &World| world.log.commits.len() as i64;
    assert!((frames(&with) - frames(&without)).abs() <= 1, "{} {}", frames(&with), frames(&without));
    let delays =
        with.log.commits.iter().filter_map(|(frame, time)| Some(time.saturating_sub(*without.log.commits.get(frame)?)));
    let worst = delays.max().expect("frames");
    assert!(worst < PERIOD, "a frame was {worst} us late");
}

#[test]
fn a_wall_that_is_ten_times_slower_leaves_and_returns() {
    let mut walls = four();
    // 20 to 40 ms instead of 2 to 4: sometimes within two periods, but never within one.
    walls[1].slow = Some((3 * SECOND, 6 * SECOND, 10));
    let with = group(walls, 12);
    let without = group(four(), 12);
    let log = &with.log;
    let left = log.late.first().expect("it leaves").0;
    assert!(left < 3 * SECOND + 10 * PERIOD, "left after {left} us");
    let back = log.locked.iter().find(|(time, wall)| *wall == 1 && *time > 6 * SECOND).expect("it returns").0;
    assert!(back < 7 * SECOND, "back at {back} us");
    // In all, the others lose less than one frame.
    let missing = without.log.commits.len() - log.commits.len();
    assert!(missing <= 1, "{missing} frames");
    let delays =
        log.commits.iter().filter_map(|(frame, time)| Some(time.saturating_sub(*without.log.commits.get(frame)?)));
    assert!(delays.max().expect("frames") < PERIOD);
}

#[test]
fn a_killed_wall_is_locked_again_within_a_second_of_returning() {
    let mut walls = four();
    walls[0].present = (0, 4 * SECOND);
    walls.push(Behaviour { present: (5 * SECOND, u64::MAX), ..Behaviour::default() });
    let world = group(walls, 8);
    let log = &world.log;
    let back = log.locked.iter().find(|(_, wall)| *wall == 4).expect("it returns").0 - 5 * SECOND;
    assert!(back < SECOND / 4, "{back} us");
    // Its first frame is a key frame.
    let first = log.keys.iter().find(|(_, wall, _)| *wall == 4).expect("a frame");
    assert!(first.2);
    // Nobody waits for a wall that has left.
    let gaps: Vec<u64> = log.commits.values().zip(log.commits.values().skip(1)).map(|(a, b)| b - a).collect();
    assert!(gaps.iter().all(|gap| *gap < 2 * PERIOD), "{:?}", gaps.iter().max());
}

#[test]
fn a_wall_that_cannot_hold_the_period_never_delays_the_others() {
    let mut walls = four();
    walls[3].drawing = (20_000, 30_000);
    let log = group(walls, 10).log;
    assert!(log.locked.iter().all(|(_, wall)| *wall != 3));
    assert!(log.commits.len() > 590);
    // It shows frames nevertheless, at its own pace.
    let own = log.shown.iter().filter(|shown| shown.wall == 3).count();
    assert!((350..450).contains(&own), "{own}");
}

#[test]
fn with_one_phase_frames_are_shown_at_their_times() {
    let mut walls = four();
    walls[2].slow = Some((5 * SECOND, 6 * SECOND, 20));
    let mut world = World::new(PERIOD, LockMode::Timed, walls, 1);
    world.run(10 * SECOND);
    let log = &world.log;
    assert_eq!(log.late.iter().map(|(_, wall)| *wall).collect::<Vec<_>>(), [2]);
    let back = log.locked.iter().filter(|(_, wall)| *wall == 2).nth(1).expect("it returns").0;
    assert!((6 * SECOND..7 * SECOND).contains(&back), "{back}");
    for shown in log.shown.iter().filter(|shown| shown.locked && shown.wall != 2) {
        let time = log.prepared[&shown.frame] + PERIOD;
        assert!(shown.time >= time && shown.time <= time + PERIOD + 1, "{shown:?} at {time}");
    }
}

#[test]
fn messages_against_the_protocol_are_refused() {
    let mut lock = FrameLock::new(LockSettings { period: Duration::from_millis(10), mode: LockMode::Commit });
    let mut orders = Vec::new();
    let at = Duration::from_millis;
    lock.join(1, at(0), &mut orders);
    assert_eq!(orders, [Order::Prepare { wall: 1, frame: 1, key: true, show_at: None }]);
    assert_eq!(lock.ready(1, 2, at(1), &mut orders), Err(LockError::Ready { found: 2, expected: Some(1) }));
    assert!(lock.shown(1, 1, at(1), &mut orders).is_err());
    assert_eq!(lock.ready(1, 1, at(1), &mut orders), Ok(()));
    assert!(lock.ready(1, 1, at(2), &mut orders).is_err());
    orders.clear();
    lock.advance(at(10), &mut orders);
    assert!(orders.contains(&Order::Commit { wall: 1, frame: 1, locked: false }), "{orders:?}");
    assert!(orders.contains(&Order::Prepare { wall: 1, frame: 2, key: false, show_at: None }), "{orders:?}");
    let error = lock.ready(1, 2, at(12), &mut orders).expect_err("not shown");
    assert_eq!(error.to_string(), "ready for frame 2 before frame 1 was shown");
    assert_eq!(lock.shown(1, 1, at(13), &mut orders), Ok(()));
    assert_eq!(lock.ready(1, 2, at(14), &mut orders), Ok(()));
    assert_eq!(lock.ready(7, 2, at(14), &mut orders), Ok(()), "a wall that has left");
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let slow = (0..6 * SECOND, 0..3 * SECOND, 2_u64..30);
    let present = (0..3 * SECOND, 4 * SECOND..12 * SECOND);
    let drawing = (500..8000_u64, 0..14_000_u64);
    ((0..500_u64, 0..8000_u64), drawing, 5000..25_000_u64, 0..20_000_u64, prop::option::of(slow), present).prop_map(
        |((latency, jitter), (draw, more), refresh, phase, slow, present)| Behaviour {
            latency: (latency, latency + jitter),
            drawing: (draw, draw + more),
            refresh,
            phase,
            slow: slow.map(|(from, length, factor)| (from, from + length, factor)),
            present,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_guarantees_hold_for_any_delays(walls in prop::collection::vec(behaviour(), 1..7), seed in any::<u64>()) {
        let mut world = World::new(PERIOD, LockMode::Commit, walls, seed);
        world.run(8 * SECOND);
        let log = &world.log;
        // No locked wall shows a frame before all locked walls have drawn it.
        for shown in log.shown.iter().filter(|shown| shown.locked) {
            for wall in &log.required[&shown.frame] {
                let ready = log.ready.get(&(*wall, shown.frame));
                prop_assert!(ready.is_some_and(|ready| *ready <= shown.time), "{shown:?}: wall {wall} at {ready:?}");
            }
        }
        // The frames that locked walls show differ by at most one.
        prop_assert!(log.differences().0 <= 1);
        // Frames never go back.
        for wall in 0..7 {
            let frames: Vec<u64> = log.shown.iter().filter(|shown| shown.wall == wall).map(|shown| shown.frame).collect();
            prop_assert!(frames.windows(2).all(|pair| pair[0] < pair[1]));
        }
        // A wall that is not ready is waited for less than one period beyond its own.
        for (frame, time) in &log.commits {
            let gap = log.commits.get(&(frame + 1)).map_or(0, |next| next - time);
            prop_assert!(gap <= 2 * PERIOD, "{gap} us after frame {frame}");
        }
    }

    #[test]
    fn arbitrary_messages_never_panic_or_stop_the_lock(
        messages in prop::collection::vec((0_u32..4, 0_u64..30, 0_u8..5), 0..200),
        timed in any::<bool>(),
    ) {
        let mode = if timed { LockMode::Timed } else { LockMode::Commit };
        let mut lock = FrameLock::new(LockSettings { period: Duration::from_millis(10), mode });
        let mut orders = Vec::new();
        let mut now = Duration::ZERO;
        for (wall, frame, kind) in messages {
            now += Duration::from_millis(3);
            match kind {
                0 => lock.join(wall, now, &mut orders),
                1 => lock.leave(wall, now, &mut orders),
                2 => drop(lock.ready(wall, frame, now, &mut orders)),
                3 => drop(lock.shown(wall, frame, now, &mut orders)),
                _ => lock.advance(now, &mut orders),
            }
        }
        if lock.walls() > 0 {
            let frame = lock.frame();
            for _ in 0..5 {
                now = now.max(lock.next_wake().expect("walls"));
                lock.advance(now, &mut orders);
            }
            prop_assert!(lock.frame() > frame, "the lock stands still");
        }
    }
}
