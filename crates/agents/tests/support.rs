//! Crowds for tests.

use burgess_agents::crowd::{Crowd, CrowdSettings, Floor, Goal, NoInfluence, Obstacle, Region, Walker};
use glam::DVec2;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// Steps of a crowd per second.
pub const RATE: f64 = 60.0;

pub fn region(min: [f64; 2], max: [f64; 2]) -> Region {
    Region { min: DVec2::from_array(min), max: DVec2::from_array(max) }
}

pub fn wall(a: [f64; 2], b: [f64; 2]) -> Obstacle {
    Obstacle::Wall(DVec2::from_array(a), DVec2::from_array(b))
}

pub fn floor(size: [f64; 2], obstacles: Vec<Obstacle>) -> Floor {
    Floor::new(DVec2::ZERO, DVec2::from_array(size), obstacles, Vec::new()).unwrap()
}

/// A crowd whose walkers leave the floor at their goal.
pub fn leaving(floor: Floor, goals: Vec<Goal>) -> Crowd {
    Crowd::new(CrowdSettings { leave: true, ..CrowdSettings::default() }, floor, goals)
}

/// Adds walkers at random places of a region, on a lattice with random deviations, that walk to a goal.
pub fn fill(
    crowd: &mut Crowd,
    place: &Region,
    count: usize,
    goal: usize,
    speed: impl Fn(&mut Pcg64) -> f64,
    seed: u64,
) {
    let mut random = Pcg64::seed_from_u64(seed);
    let size = place.max - place.min;
    let columns = ((count as f64 * size.x / size.y).sqrt().ceil() as usize).max(1);
    let rows = count.div_ceil(columns);
    let spacing = size / DVec2::new(columns as f64, rows as f64);
    let slack = (0.5 * (spacing - DVec2::splat(2.0 * crowd.settings().radius))).max(DVec2::ZERO);
    // Empty places of the lattice are spread at random.
    let mut cells: Vec<usize> = (0..columns * rows).collect();
    for index in 0..cells.len() {
        let other = random.random_range(index..cells.len());
        cells.swap(index, other);
    }
    for cell in cells.into_iter().take(count) {
        let center = DVec2::new((cell % columns) as f64 + 0.5, (cell / columns) as f64 + 0.5);
        let jitter = DVec2::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0)) * slack;
        let position = place.min + center * spacing + jitter;
        let heading = random.random_range(-3.1..3.1);
        let speed = speed(&mut random);
        crowd.walkers.push(Walker::new(position, heading, goal, speed));
    }
    crowd.stagger(0.5);
}

/// The least distance of two walkers, in m.
pub fn least_distance(crowd: &Crowd) -> f64 {
    let mut places: Vec<DVec2> = crowd.walkers.iter().filter_map(Walker::position).collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut least = f64::INFINITY;
    for (index, place) in places.iter().enumerate() {
        for other in places[index + 1..].iter().take_while(|other| other.x - place.x < 1.0) {
            least = least.min(place.distance(*other));
        }
    }
    least
}

/// Steps a crowd until all have left or a time (s) has passed, and checks that nobody overlaps anybody or a wall.
/// Returns the time that it took, in s.
pub fn run_until_empty(crowd: &mut Crowd, max_time: f64) -> f64 {
    let limit = 2.0 * crowd.settings().squeezed_radius - 1e-6;
    for step in 0..(max_time * RATE) as usize {
        if crowd.walkers.iter().all(|walker| walker.position().is_none()) {
            return step as f64 / RATE;
        }
        crowd.step(1.0 / RATE, &NoInfluence);
        if step % 7 == 0 {
            assert!(least_distance(crowd) >= limit, "overlap at {} s: {}", step as f64 / RATE, least_distance(crowd));
            let clearance = |place: DVec2| crowd.floor().clearance(place);
            let walls = crowd.walkers.iter().filter_map(Walker::position).map(clearance).fold(f64::INFINITY, f64::min);
            assert!(walls >= crowd.settings().squeezed_radius - 1e-6, "a wall at {} s: {walls}", step as f64 / RATE);
        }
    }
    max_time
}
