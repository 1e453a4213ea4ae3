//! Crowds: ways against closed forms, meetings of random walkers, feet, memory.

use burgess_agents::crowd::{
    Activity, Crowd, CrowdSettings, Floor, Gait, Gate, Goal, NoInfluence, Obstacle, WALKER_NUMBERS, Walker,
};
use glam::DVec2;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use crate::support::{RATE, fill, floor, least_distance, leaving, region, run_until_empty, wall};

/// Random columns: the way past one column is at most a little longer than the exact taut string.
#[test]
fn ways_round_a_wall_have_the_length_of_the_taut_string() {
    let mut random = Pcg64::seed_from_u64(4);
    for _ in 0..10 {
        let end = random.random_range(3.0..7.0);
        let goal = region([11.9, 0.4], [12.1, 0.6]);
        let mut crowd = leaving(floor([13.0, 10.0], vec![wall([6.0, 0.0], [6.0, end])]), vec![Goal::Region(goal)]);
        for _ in 0..20 {
            let start = DVec2::new(random.random_range(0.5..5.0), random.random_range(0.5..end - 0.5));
            let tip = DVec2::new(6.0, end);
            let exact = start.distance(tip) + tip.distance(DVec2::new(12.0, 0.5));
            let found = crowd.way(0, start).unwrap();
            // First-order fast marching on cells of 0.1 m is too long by a few per cent near a corner, and the way
            // keeps
            // the body off the wall's end.
            assert!((found - exact).abs() < 0.04 * exact + 0.2, "{found} and {exact}");
        }
    }
}

/// Two who meet head-on, exactly or with a random offset, pass each other.
#[test]
fn head_on_meetings_end() {
    for seed in 0..100 {
        let mut random = Pcg64::seed_from_u64(seed);
        let offset: f64 = if seed % 4 == 0 { 0.0 } else { random.random_range(-0.4..0.4) };
        let width = random.random_range(1.4..4.0);
        let goals =
            vec![Goal::Region(region([15.0, 0.0], [16.0, width])), Goal::Region(region([0.0, 0.0], [1.0, width]))];
        let mut crowd = leaving(floor([16.0, width], Vec::new()), goals);
        let middle = 0.5 * width;
        let speed = if seed % 3 == 0 { 1.34 } else { random.random_range(0.8..1.8) };
        let shift = offset.clamp(0.2 - middle, middle - 0.2);
        crowd.walkers.push(Walker::new(DVec2::new(2.0, middle), 0.0, 0, 1.34));
        crowd.walkers.push(Walker::new(DVec2::new(14.0, middle + shift), std::f64::consts::PI, 1, speed));
        let time = run_until_empty(&mut crowd, 60.0);
        assert!(time < 13.0 / 0.8 + 8.0, "seed {seed}: {time} s");
    }
}

/// Two who meet at a right angle, at the same moment or nearly so.
#[test]
fn right_angle_meetings_end() {
    for seed in 0..100 {
        let mut random = Pcg64::seed_from_u64(seed);
        let offset: f64 = if seed % 4 == 0 { 0.0 } else { random.random_range(-1.0..1.0) };
        let goals =
            vec![Goal::Region(region([11.0, 0.0], [12.0, 12.0])), Goal::Region(region([0.0, 11.0], [12.0, 12.0]))];
        let mut crowd = leaving(floor([12.0, 12.0], Vec::new()), goals);
        let swapped = seed % 2;
        let east = Walker::new(DVec2::new(1.5, 6.0), 0.0, 0, 1.34);
        let north = Walker::new(DVec2::new(6.0, 1.5 + offset), std::f64::consts::FRAC_PI_2, 1, 1.34);
        crowd.walkers.extend(if swapped == 0 { [east, north] } else { [north, east] });
        let time = run_until_empty(&mut crowd, 60.0);
        assert!(time < 10.5 / 1.34 + 5.0, "seed {seed}: {time} s");
    }
}

/// Crowds in random halls with columns, walking in opposite and crossing directions: nobody overlaps, everybody
/// arrives.
#[test]
fn random_crowds_arrive_without_touching() {
    for seed in 0..12 {
        let mut random = Pcg64::seed_from_u64(100 + seed);
        let size = 14.0;
        let column = |_: usize| {
            let center = DVec2::new(random.random_range(4.0..10.0), random.random_range(4.0..10.0));
            Obstacle::Disc { center, radius: random.random_range(0.1..0.7) }
        };
        let columns: Vec<Obstacle> = (0..3).map(column).collect();
        let goals = vec![
            Goal::Region(region([13.0, 0.0], [14.0, size])),
            Goal::Region(region([0.0, 0.0], [1.0, size])),
            Goal::Region(region([0.0, 13.0], [size, 14.0])),
        ];
        let mut crowd = leaving(floor([size, size], columns), goals);
        let speed = |random: &mut Pcg64| random.random_range(0.7..1.8);
        fill(&mut crowd, &region([1.2, 1.2], [3.5, 12.8]), 25, 0, speed, seed);
        fill(&mut crowd, &region([10.5, 3.6], [12.8, 12.8]), 20, 1, speed, seed + 50);
        fill(&mut crowd, &region([4.0, 1.2], [10.0, 3.0]), 15, 2, speed, seed + 90);
        let time = run_until_empty(&mut crowd, 120.0);
        // A gap between columns that only one person fits through takes the longest.
        assert!(time < 115.0, "seed {seed}: {time} s");
    }
}

/// The planted foot does not move while it is planted: zero slip over ten minutes of walking to and fro.
#[test]
fn planted_feet_do_not_slip() {
    let goals = vec![Goal::Region(region([9.0, 0.0], [10.0, 6.0])), Goal::Region(region([0.0, 0.0], [1.0, 6.0]))];
    let mut crowd = Crowd::new(CrowdSettings::default(), floor([10.0, 6.0], Vec::new()), goals);
    fill(&mut crowd, &region([1.2, 0.5], [8.8, 5.5]), 12, 0, |random| random.random_range(0.7..1.8), 8);
    let (mut slip, mut steps, mut way) = (0.0_f64, 0, 0.0);
    for _ in 0..(600.0 * RATE) as usize {
        let before = crowd.walkers.clone();
        crowd.step(1.0 / RATE, &NoInfluence);
        for (walker, before) in crowd.walkers.iter_mut().zip(&before) {
            way += walker.gait.root().distance(before.gait.root());
            // A foot that is on the floor before and after was planted, or landed where it was to land.
            for foot in 0..2 {
                let ((then, height), (now, _)) = (before.gait.foot(foot), walker.gait.foot(foot));
                let planted = foot != walker.gait.swing || walker.gait.phase() >= 1.0;
                if height == 0.0 && planted {
                    slip = slip.max(then.position.distance(now.position));
                }
            }
            steps += usize::from(walker.gait.swing != before.gait.swing);
            if walker.activity == Activity::Arrived {
                walker.send_to(1 - walker.goal);
            }
        }
    }
    println!("{steps} steps, {way:.0} m, slip {slip} m");
    assert!(steps > 8000 && way > 4000.0, "{steps} steps, {way} m");
    assert!(slip < 1e-12, "{slip} m");
}

/// The root is the mean of the feet at the ends of a step and moves evenly between them.
#[test]
fn roots_follow_the_feet() {
    let gait = Gait::standing(DVec2::new(2.0, 3.0), 0.7);
    assert!((gait.root() - DVec2::new(2.0, 3.0)).length() < 1e-12 && gait.velocity() == DVec2::ZERO);
    assert!((gait.heading() - 0.7).abs() < 1e-12 && gait.stride() == 0);
}

/// A closed room: everybody finds that there is no way, nobody moves, and all leave once a door opens.
#[test]
fn a_closed_room_has_no_way_until_a_door_opens() {
    let wall_with_gap = vec![wall([6.0, 0.0], [6.0, 2.0]), wall([6.0, 3.2], [6.0, 6.0])];
    let door = Gate { min: DVec2::new(5.9, 2.0), max: DVec2::new(6.1, 3.2), detour: true };
    let place = Floor::new(DVec2::ZERO, DVec2::new(10.0, 6.0), wall_with_gap, vec![door]).unwrap();
    let mut crowd = leaving(place, vec![Goal::Region(region([9.0, 0.0], [10.0, 6.0]))]);
    fill(&mut crowd, &region([0.5, 0.5], [5.0, 5.5]), 20, 0, |_| 1.34, 2);
    crowd.gates_open[0] = false;
    for _ in 0..(10.0 * RATE) as usize {
        crowd.step(1.0 / RATE, &NoInfluence);
    }
    assert!(crowd.walkers.iter().all(|walker| walker.activity == Activity::NoWay));
    crowd.gates_open[0] = true;
    assert!(run_until_empty(&mut crowd, 60.0) < 60.0);
}

/// Walkers wait before a closed light and go on when it opens.
#[test]
fn closed_lights_are_waited_for() {
    let light = Gate { min: DVec2::new(5.0, 0.0), max: DVec2::new(8.0, 6.0), detour: false };
    let place = Floor::new(DVec2::ZERO, DVec2::new(14.0, 6.0), Vec::new(), vec![light]).unwrap();
    let mut crowd = leaving(place, vec![Goal::Region(region([13.0, 0.0], [14.0, 6.0]))]);
    fill(&mut crowd, &region([0.5, 0.5], [4.0, 5.5]), 15, 0, |_| 1.34, 2);
    crowd.gates_open[0] = false;
    for _ in 0..(20.0 * RATE) as usize {
        crowd.step(1.0 / RATE, &NoInfluence);
        assert!(crowd.walkers.iter().all(|walker| walker.gait.root().x < 5.0));
    }
    assert!(crowd.walkers.iter().any(|walker| walker.activity == Activity::AtGate));
    crowd.gates_open[0] = true;
    assert!(run_until_empty(&mut crowd, 60.0) < 40.0);
}

/// Walkers survive the way through their numbers, at any step, to the last bit.
#[test]
fn crowds_go_on_from_their_numbers() {
    let build = || {
        let goals = vec![Goal::Region(region([13.0, 0.0], [14.0, 6.0]))];
        let mut crowd = leaving(floor([14.0, 6.0], Vec::new()), goals);
        fill(&mut crowd, &region([0.5, 0.5], [8.0, 5.5]), 60, 0, |random| random.random_range(0.8..1.6), 6);
        crowd
    };
    let mut original = build();
    let mut restored = build();
    for step in 0..900 {
        original.step(1.0 / RATE, &NoInfluence);
        if step % 37 == 0 {
            let numbers: Vec<[f64; WALKER_NUMBERS]> = original.walkers.iter().map(Walker::to_numbers).collect();
            restored.walkers = numbers.iter().map(Walker::from_numbers).collect();
            restored.cursor = original.cursor;
        } else {
            restored.step(1.0 / RATE, &NoInfluence);
        }
        assert_eq!(original.walkers, restored.walkers, "step {step}");
    }
}

/// Sixty walkers on a circle change places with those opposite.
#[test]
fn a_circle_swaps_places() {
    let (count, radius) = (60, 8.0);
    let center = DVec2::splat(10.0);
    let place = |index: usize| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * index as f64 / count as f64);
        center + radius * DVec2::new(cos, sin)
    };
    let goals = (0..count).map(|index| Goal::Point(place((index + count / 2) % count))).collect();
    let mut crowd = leaving(floor([20.0, 20.0], Vec::new()), goals);
    for index in 0..count {
        let to_center = center - place(index);
        crowd.walkers.push(Walker::new(place(index), libm::atan2(to_center.y, to_center.x), index, 1.34));
    }
    crowd.stagger(0.5);
    let time = run_until_empty(&mut crowd, 200.0);
    println!("circle: {time:.1} s, nearest {:.3} m", least_distance(&crowd));
    assert!(time < 100.0, "{time}");
}
