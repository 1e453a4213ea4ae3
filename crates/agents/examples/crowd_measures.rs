//! Prints measures of crowds, one JSON object per line: the fundamental diagram, flows through bottlenecks, an exchange
//! of places on a circle, and the cost of a step, also of flocks. `--trajectories FILE` writes the paths through a
//! bottleneck, and `--only MEASURE` prints one of the measures.
//!
//!     cargo run --release -p burgess-agents --example crowd_measures -- --trajectories trajectories.txt

use std::time::Instant;

use burgess_agents::crowd::{
    Crowd, CrowdSettings, FREE_SPEED, Floor, Goal, NoInfluence, Obstacle, Region, Trajectories, Walker, speed_share,
};
use burgess_agents::flock::{FlockPilot, FlockSettings, Flyer};
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
use glam::{DVec2, DVec3};

/// Time between two steps of a crowd, in s.
const STEP: f64 = 1.0 / 60.0;
/// Steps that are timed, and how often.
const TIMED_STEPS: usize = 300;
const REPETITIONS: usize = 5;
/// Steps between two frames of a trajectory file.
const FRAME_STEPS: usize = 6;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut trajectories, mut only) = (None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--trajectories" => trajectories = arguments.next(),
            "--only" => only = arguments.next(),
            other => {
                eprintln!("unknown argument '{other}'; expected --trajectories FILE or --only MEASURE");
                std::process::exit(2);
            }
        }
    }
    let measures: [(&str, &dyn Fn()); 5] = [
        ("diagram", &|| [0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5].into_iter().for_each(diagram)),
        ("bottleneck", &|| bottlenecks(trajectories.as_deref())),
        ("circle", &|| circle(250)),
        ("cost", &|| [125, 250, 500, 1000, 2000, 4000].into_iter().for_each(cost)),
        ("flock_cost", &|| [250, 500, 1000, 2000].into_iter().for_each(flock_cost)),
    ];
    let names = measures.map(|(name, _)| name).join(", ");
    if let Some(only) = only {
        let Some(chosen) = measures.iter().position(|(name, _)| *name == only) else {
            eprintln!("unknown measure '{only}'; expected one of {names}");
            std::process::exit(2);
        };
        measures[chosen].1();
        return;
    }
    measures.iter().for_each(|(_, measure)| measure());
}

fn diagram(density: f64) {
    let (speed, expected) = (ring_speed(density), FREE_SPEED * speed_share(density));
    println!(r#"{{"measure":"diagram","density":{density},"speed":{speed:.4},"weidmann":{expected:.4}}}"#);
}

fn bottlenecks(trajectories: Option<&str>) {
    for width in [0.8, 1.0, 1.2, 1.6, 2.0, 2.4] {
        let file = trajectories.filter(|_| width == 1.2);
        println!(r#"{{"measure":"bottleneck","width":{width},"flow":{:.3}}}"#, bottleneck(width, file));
    }
}

fn region(min: [f64; 2], max: [f64; 2]) -> Region {
    Region { min: DVec2::from_array(min), max: DVec2::from_array(max) }
}

/// Adds walkers on a lattice in a region.
fn fill(crowd: &mut Crowd, place: &Region, count: usize, goal: impl Fn(usize) -> usize) {
    let size = place.max - place.min;
    let columns = ((count as f64 * size.x / size.y).sqrt().ceil() as usize).max(1);
    let spacing = size / DVec2::new(columns as f64, count.div_ceil(columns) as f64);
    let slack = (0.5 * (spacing - DVec2::splat(2.0 * crowd.settings().radius))).max(DVec2::ZERO);
    for index in 0..count {
        let center = DVec2::new((index % columns) as f64 + 0.5, (index / columns) as f64 + 0.5);
        // Multiples of irrational numbers are spread evenly.
        let jitter = DVec2::new((index as f64 * 0.754_877).fract(), (index as f64 * 0.569_840).fract());
        let position = place.min + center * spacing + (2.0 * jitter - DVec2::ONE) * slack;
        let speed = 1.0 + 0.68 * (index as f64 * 0.618_034).fract();
        crowd.walkers.push(Walker::new(position, 0.0, goal(index), speed));
    }
    crowd.stagger(0.5);
}

fn floor(size: [f64; 2], obstacles: Vec<Obstacle>) -> Floor {
    Floor::new(DVec2::ZERO, DVec2::from_array(size), obstacles, Vec::new()).expect("a floor with an extent")
}

/// Mean speed (m/s) in a corridor of 4 m that is a ring, at a density (1/m^2).
fn ring_speed(density: f64) -> f64 {
    let (length, width) = (16.0, 4.0);
    let goal = Goal::Direction(DVec2::X);
    let mut crowd = Crowd::new(CrowdSettings::default(), floor([length, width], Vec::new()).into_ring(), vec![goal]);
    let count = (density * length * width) as usize;
    fill(&mut crowd, &region([0.0, 0.0], [length, width]), count, |_| 0);
    crowd.walkers.iter_mut().for_each(|walker| walker.speed = FREE_SPEED);
    let advance = |crowd: &Crowd| crowd.walkers.iter().map(|walker| walker.gait.root().x).sum::<f64>() / count as f64;
    run(&mut crowd, 10.0);
    let before = advance(&crowd);
    run(&mut crowd, 60.0);
    (advance(&crowd) - before) / 60.0
}

fn run(crowd: &mut Crowd, seconds: f64) {
    for _ in 0..(seconds / STEP).round() as usize {
        crowd.step(STEP, &NoInfluence);
    }
}

/// Persons per second through a bottleneck of a width (m), while the middle half of 120 persons passes.
fn bottleneck(width: f64, file: Option<&str>) -> f64 {
    let middle = 4.0;
    let wall = |from: f64, to: f64| Obstacle::Wall(DVec2::new(8.0, from), DVec2::new(8.0, to));
    let walls = vec![wall(0.0, middle - 0.5 * width), wall(middle + 0.5 * width, 8.0)];
    let settings = CrowdSettings { leave: true, ..CrowdSettings::default() };
    let goal = Goal::Region(region([10.0, 0.0], [11.0, 8.0]));
    let mut crowd = Crowd::new(settings, floor([11.0, 8.0], walls), vec![goal]);
    fill(&mut crowd, &region([0.3, 0.3], [7.0, 7.7]), 120, |_| 0);
    let mut trajectories = Trajectories::new(1.0 / (STEP * FRAME_STEPS as f64));
    let mut times = [None; 2];
    for step in 0..(600.0 / STEP) as usize {
        if step % FRAME_STEPS == 0 && file.is_some() {
            trajectories.add(&crowd);
        }
        crowd.step(STEP, &NoInfluence);
        let passed = crowd.walkers.iter().filter(|walker| walker.position().is_none_or(|place| place.x > 8.0)).count();
        for (time, count) in times.iter_mut().zip([30, 90]) {
            if passed >= count {
                time.get_or_insert(step as f64 * STEP);
            }
        }
        if crowd.walkers.iter().all(|walker| walker.position().is_none()) {
            break;
        }
    }
    if let Some(path) = file
        && let Err(error) = std::fs::write(path, trajectories.text())
    {
        eprintln!("{path}: cannot be written: {error}");
    }
    match times {
        [Some(first), Some(last)] => 60.0 / (last - first),
        _ => 0.0,
    }
}

/// Walkers on a circle change places with those opposite, as in the example of RVO2.
fn circle(count: usize) {
    let radius = 25.0;
    let center = DVec2::splat(30.0);
    let place = |index: usize| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * index as f64 / count as f64);
        center + radius * DVec2::new(cos, sin)
    };
    let goals = (0..count).map(|index| Goal::Point(place((index + count / 2) % count))).collect();
    let settings = CrowdSettings { leave: true, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(settings, floor([60.0, 60.0], Vec::new()), goals);
    for index in 0..count {
        let ahead = center - place(index);
        crowd.walkers.push(Walker::new(place(index), libm::atan2(ahead.y, ahead.x), index, FREE_SPEED));
    }
    crowd.stagger(0.5);
    let limit = 2.0 * settings.squeezed_radius - 1e-6;
    let (mut collisions, mut seconds, mut steps) = (0, 0.0, 0);
    while crowd.walkers.iter().any(|walker| walker.position().is_some()) && steps < 60_000 {
        let start = Instant::now();
        crowd.step(STEP, &NoInfluence);
        seconds += start.elapsed().as_secs_f64();
        steps += 1;
        let places: Vec<DVec2> = crowd.walkers.iter().filter_map(Walker::position).collect();
        for (index, place) in places.iter().enumerate() {
            collisions += places[index + 1..].iter().filter(|other| other.distance(*place) < limit).count();
        }
    }
    println!(
        r#"{{"measure":"circle","agents":{count},"step_us":{:.2},"collisions":{collisions},"arrived_s":{:.2}}}"#,
        1e6 * seconds / f64::from(steps),
        f64::from(steps) * STEP
    );
}

/// The time of a step of a crowd at one person per two square metres, half of which walk against the others.
fn cost(count: usize) {
    let size = (2.0 * count as f64).sqrt();
    let goals = vec![Goal::Direction(DVec2::X), Goal::Direction(-DVec2::X)];
    let mut crowd = Crowd::new(CrowdSettings::default(), floor([size, size], Vec::new()).into_ring(), goals);
    fill(&mut crowd, &region([0.0, 0.3], [size, size - 0.3]), count, |index| index % 2);
    run(&mut crowd, 5.0);
    // Every repetition makes the same steps, so the least time of each is free of what else the machine does.
    let times = (0..REPETITIONS).map(|_| {
        let mut crowd = crowd.clone();
        timed(|| crowd.step(STEP, &NoInfluence))
    });
    report("cost", count, times);
}

/// The times (us) of many calls.
fn timed(mut call: impl FnMut()) -> Vec<f64> {
    let time = |_| {
        let start = Instant::now();
        call();
        1e6 * start.elapsed().as_secs_f64()
    };
    (0..TIMED_STEPS).map(time).collect()
}

/// Prints the median and the slowest of the least times of steps.
fn report(measure: &str, count: usize, repetitions: impl Iterator<Item = Vec<f64>>) {
    let least = |one: Vec<f64>, other: Vec<f64>| one.iter().zip(&other).map(|(a, b)| a.min(*b)).collect();
    let mut times = repetitions.reduce(least).unwrap_or_default();
    times.sort_by(f64::total_cmp);
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    println!(r#"{{"measure":"{measure}","agents":{count},"median_us":{median:.1},"slowest_us":{slowest:.1}}}"#);
}

/// The time of a step of a simulation of birds, collisions included.
fn flock_cost(birds: usize) {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::new(0.0, 0.0, -9.81));
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let settings = FlockSettings { radius: 20.0, center: DVec3::Z * 25.0, ..FlockSettings::default() };
    let side = libm::ceil(libm::cbrt(birds as f64)) as usize;
    for index in 0..birds {
        let cell = DVec3::new((index % side) as f64, (index / side % side) as f64, (index / (side * side)) as f64);
        let place = settings.center + 1.5 * (cell - DVec3::splat(0.5 * side as f64));
        let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.1).expect("a radius")));
        let body = builder.body(&format!("bird {index}"), Pose::from_translation(place), [ball]).expect("a body");
        let (sin, cos) = libm::sincos(index as f64);
        builder.set_velocity(body, Motion::new(DVec3::ZERO, 6.0 * DVec3::new(cos, sin, 0.0)));
    }
    let (world, state) = builder.build().expect("a world");
    let mut simulation = Simulation::new(world, state, STEP).expect("a simulation");
    let data = simulation.data_mut();
    let flyers = (0..birds).map(|link| Flyer::of_link(data.world.model(), link)).collect();
    let pilot = FlockPilot::new(settings, flyers, 0, vec![0]);
    pilot.add_to(&mut data.controllers);
    for _ in 0..300 {
        simulation.step().expect("a step");
    }
    let snapshot = simulation.snapshot();
    let times: Vec<Vec<f64>> = (0..REPETITIONS)
        .map(|_| {
            simulation.restore(&snapshot).expect("its own snapshot");
            timed(|| simulation.step().map(|_| ()).expect("a step"))
        })
        .collect();
    report("flock_cost", birds, times.into_iter());
}
