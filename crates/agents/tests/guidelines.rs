//! Tests of RiMEA's guideline for evacuation analyses (version 4.1.1), and the flow through bottlenecks.

use burgess_agents::crowd::{
    Crowd, CrowdSettings, FREE_SPEED, Goal, Measures, NoInfluence, Obstacle, Walker, speed_share,
};
use glam::DVec2;
use rand::RngExt as _;
use rand_pcg::Pcg64;

use crate::support::{RATE, fill, floor, leaving, region, run_until_empty, wall};

/// Free speeds of a mixed group of persons, in m/s.
fn mixed(random: &mut Pcg64) -> f64 {
    random.random_range(1.0..1.6)
}

/// Test 1: one person walks 40 m at 1.33 m/s in 26 s to 34 s.
#[test]
fn one_person_walks_a_corridor_at_its_speed() {
    let goal = Goal::Region(region([41.0, 0.0], [42.0, 2.0]));
    let mut crowd = leaving(floor([42.0, 2.0], Vec::new()), vec![goal]);
    crowd.walkers.push(Walker::new(DVec2::new(1.0, 1.0), 0.0, 0, 1.33));
    let time = run_until_empty(&mut crowd, 60.0);
    println!("corridor: {time:.2} s");
    assert!((time - 40.0 / 1.33).abs() < 0.05 * 40.0 / 1.33, "{time}");
}

/// Mean speed (m/s) in a ring corridor of 4 m at a density (1/m^2).
fn ring_speed(density: f64, seed: u64) -> f64 {
    let (length, width) = (16.0, 4.0);
    let mut crowd = Crowd::new(
        CrowdSettings::default(),
        floor([length, width], Vec::new()).into_ring(),
        vec![Goal::Direction(DVec2::X)],
    );
    let count = (density * length * width) as usize;
    fill(&mut crowd, &region([0.0, 0.0], [length, width]), count, 0, |_| FREE_SPEED, seed);
    crowd.walkers.iter_mut().for_each(|walker| *walker = Walker::new(walker.gait.root(), 0.0, 0, FREE_SPEED));
    crowd.stagger(0.5);
    let advance = |crowd: &Crowd| crowd.walkers.iter().map(|walker| walker.gait.root().x).sum::<f64>() / count as f64;
    for _ in 0..(10.0 * RATE) as usize {
        crowd.step(1.0 / RATE, &NoInfluence);
    }
    let before = advance(&crowd);
    let time = 30.0;
    for _ in 0..(time * RATE) as usize {
        crowd.step(1.0 / RATE, &NoInfluence);
    }
    (advance(&crowd) - before) / time
}

/// Test 4: the fundamental diagram.
#[test]
fn the_fundamental_diagram_is_that_of_weidmann() {
    let densities = [0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5];
    let mut sum = 0.0;
    for density in densities {
        let speed = ring_speed(density, 1);
        let expected = FREE_SPEED * speed_share(density);
        sum += (speed / expected - 1.0).abs();
        println!("{density}: {speed:.3} m/s, expected {expected:.3}");
    }
    println!("mean error {:.1} %", 100.0 * sum / densities.len() as f64);
    assert!(sum / densities.len() as f64 <= 0.15);
}

/// Test 6: twenty persons walk round a corner to the left, and nobody passes a wall (which every run checks).
#[test]
fn a_group_walks_round_a_corner() {
    for seed in 0..5 {
        let blocked = Obstacle::Rectangle { min: DVec2::ZERO, max: DVec2::new(10.0, 10.0) };
        let goal = Goal::Region(region([10.0, 11.0], [12.0, 12.0]));
        let outer = Obstacle::Rectangle { min: DVec2::new(0.0, -3.0), max: DVec2::new(12.0, -2.0) };
        let place = burgess_agents::crowd::Floor::new(
            DVec2::new(0.0, -2.0),
            DVec2::new(12.0, 12.0),
            vec![blocked, outer],
            Vec::new(),
        );
        let mut crowd = leaving(place.unwrap(), vec![goal]);
        fill(&mut crowd, &region([0.3, -1.7], [6.0, -0.3]), 20, 0, mixed, seed);
        let time = run_until_empty(&mut crowd, 60.0);
        assert!(time < 40.0, "seed {seed}: {time}");
    }
}

/// Time (s) in which a hall of 30 m by 20 m with doors of 1 m is left.
fn time_to_leave(persons: usize, doors: usize, seed: u64) -> f64 {
    let (wide, deep) = (30.0, 20.0);
    let gaps = [5.0, 25.0];
    let row = |y: f64, open: usize| {
        let ends = gaps.iter().take(open).flat_map(|&gap| [gap - 0.5, gap + 0.5]);
        let points: Vec<f64> = std::iter::once(0.0).chain(ends).chain([wide]).collect();
        points.chunks_exact(2).map(|ends| wall([ends[0], y], [ends[1], y])).collect::<Vec<_>>()
    };
    let walls = [row(2.0, doors / 2), row(2.0 + deep, doors / 2)].concat();
    let mut crowd = leaving(
        floor([wide, deep + 4.0], walls),
        vec![
            Goal::Region(region([0.0, 0.0], [wide, 1.0])),
            Goal::Region(region([0.0, deep + 3.0], [wide, deep + 4.0])),
        ],
    );
    fill(&mut crowd, &region([0.3, 2.3], [wide - 0.3, deep + 1.7]), persons, 0, mixed, seed);
    for walker in &mut crowd.walkers {
        walker.goal = usize::from(walker.gait.root().y > 2.0 + 0.5 * deep);
    }
    run_until_empty(&mut crowd, 900.0)
}

/// Mean ratio of the times to leave the hall by two doors and by four, over crowds at random places.
fn doors_ratio(persons: usize, seeds: std::ops::Range<u64>) -> f64 {
    let count = seeds.end - seeds.start;
    let ratio = |seed: u64| {
        let [four, two] = [4, 2].map(|doors| time_to_leave(persons, doors, seed));
        println!("{persons} persons: four doors {four:.1} s, two doors {two:.1} s, ratio {:.2}", two / four);
        two / four
    };
    seeds.map(ratio).sum::<f64>() / count as f64
}

/// Test 9: with two of four doors it takes about twice as long to leave. The walk to the doors, which does not depend
/// on their number, counts more in a small crowd.
#[test]
fn with_half_of_the_doors_it_takes_twice_as_long() {
    let ratio = doors_ratio(500, 1..3);
    assert!((1.85..2.1).contains(&ratio), "{ratio}");
}

/// Test 9 with the 1,000 persons of the guideline.
#[test]
#[ignore = "takes minutes"]
fn with_half_of_the_doors_a_thousand_take_twice_as_long() {
    let ratio = doors_ratio(1000, 1..4);
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
}

/// Test 12: there is congestion before the corridor, none behind it.
#[test]
fn congestion_is_before_the_corridor() {
    let walls = vec![
        Obstacle::Rectangle { min: DVec2::new(10.0, 0.0), max: DVec2::new(15.0, 4.5) },
        Obstacle::Rectangle { min: DVec2::new(10.0, 5.5), max: DVec2::new(15.0, 10.0) },
        wall([25.0, 0.0], [25.0, 4.5]),
        wall([25.0, 5.5], [25.0, 10.0]),
    ];
    let mut crowd = leaving(floor([27.0, 10.0], walls), vec![Goal::Region(region([26.0, 0.0], [27.0, 10.0]))]);
    fill(&mut crowd, &region([0.3, 0.3], [9.0, 9.7]), 150, 0, mixed, 3);
    let [mut before, mut behind] = [0.0_f64; 2];
    for step in 0..(60.0 * RATE) as usize {
        crowd.step(1.0 / RATE, &NoInfluence);
        if step as f64 > 20.0 * RATE {
            before += Measures::of(&crowd, &region([8.0, 3.5], [10.0, 6.5])).density;
            behind += Measures::of(&crowd, &region([23.0, 3.5], [25.0, 6.5])).density;
        }
    }
    let samples = 40.0 * RATE;
    println!("density before {:.2}, behind {:.2}", before / samples, behind / samples);
    assert!(before / samples > 2.0 && behind / samples < 1.0);
    assert!(run_until_empty(&mut crowd, 300.0) < 300.0);
}

/// Persons per second through a bottleneck of a width (m), over the time in which the middle half of them passes.
fn bottleneck_flow(width: f64, seed: u64) -> f64 {
    let middle = 4.0;
    let walls = vec![wall([8.0, 0.0], [8.0, middle - 0.5 * width]), wall([8.0, middle + 0.5 * width], [8.0, 8.0])];
    let mut crowd = leaving(floor([11.0, 8.0], walls), vec![Goal::Region(region([10.0, 0.0], [11.0, 8.0]))]);
    fill(&mut crowd, &region([0.3, 0.3], [7.0, 7.7]), 120, 0, mixed, seed);
    let mut passed_at = [0.0; 2];
    for step in 0..(300.0 * RATE) as usize {
        crowd.step(1.0 / RATE, &NoInfluence);
        let passed = crowd.walkers.iter().filter(|walker| walker.position().is_none_or(|place| place.x > 8.0)).count();
        for (at, count) in passed_at.iter_mut().zip([30, 90]) {
            if passed >= count && *at == 0.0 {
                *at = step as f64 / RATE;
            }
        }
        if passed_at[1] > 0.0 {
            break;
        }
    }
    60.0 / (passed_at[1] - passed_at[0])
}

/// The flow through a bottleneck grows linearly with its width: Seyfried et al. (2009) found 1.9 persons per metre and
/// second.
#[test]
fn flows_through_bottlenecks_grow_linearly_with_their_width() {
    let widths = [0.8, 1.0, 1.2, 1.6, 2.0, 2.4];
    let flows = widths.map(|width| (0..2).map(|seed| bottleneck_flow(width, seed)).sum::<f64>() / 2.0);
    let count = widths.len() as f64;
    let (mean_width, mean_flow) = (widths.iter().sum::<f64>() / count, flows.iter().sum::<f64>() / count);
    let pairs = || widths.iter().zip(&flows).map(|(width, flow)| (width - mean_width, flow - mean_flow));
    let (covariance, variance) = pairs().fold((0.0, 0.0), |(sum, square), (w, f)| (sum + w * f, square + w * w));
    let slope = covariance / variance;
    let spread: f64 = pairs().map(|(_, f)| f * f).sum();
    let residual: f64 = pairs().map(|(w, f)| (f - slope * w) * (f - slope * w)).sum();
    println!("flows {flows:.2?}, slope {slope:.2}, R^2 {:.3}", 1.0 - residual / spread);
    assert!(1.0 - residual / spread > 0.95 && (1.5..2.2).contains(&slope), "{flows:?}");
}
