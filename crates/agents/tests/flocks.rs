//! Flocks in a simulation, compared with an exhaustive reference and with closed forms.

use burgess_agents::flock::{FlockPilot, FlockSettings, Flyer, Neighbour, Steering};
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
use glam::DVec3;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

const STEP: f64 = 1.0 / 120.0;

/// A flock of balls at random places with random velocities, of which the last ones are predators.
fn random_flock(settings: FlockSettings, birds: usize, predators: usize, seed: u64) -> Simulation {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut vector = |length: f64| DVec3::from_array([0; 3].map(|_| length * random.random_range(-1.0..1.0)));
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::new(0.0, 0.0, -9.81));
    let ball = || ColliderSpec::new(Shape::Sphere(Sphere::new(0.05).unwrap()));
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    for index in 0..birds {
        let place = Pose::from_translation(settings.center + vector(5.0));
        let body = builder.body(&format!("bird {index}"), place, [ball()]).unwrap();
        builder.set_velocity(body, Motion::new(DVec3::ZERO, vector(6.0)));
    }
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, STEP).unwrap();
    let data = simulation.data_mut();
    let flyers = (0..birds).map(|link| Flyer::of_link(data.world.model(), link)).collect();
    let pilot = FlockPilot::new(settings, flyers, predators, vec![0]);
    pilot.add_to(&mut data.controllers);
    simulation
}

fn motions(simulation: &mut Simulation) -> Vec<(DVec3, DVec3)> {
    let data = simulation.data_mut();
    data.update_kinematics();
    let links = 0..data.world.model().links().len();
    let motion = |link: usize| {
        let place = data.workspace.pose(data.world.model(), link).translation;
        (place, data.workspace.velocity_at(link, place).linear)
    };
    links.map(motion).collect()
}

/// Decisions of all members by a search over all pairs.
fn exhaustive(settings: &FlockSettings, motions: &[(DVec3, DVec3)]) -> Vec<DVec3> {
    let decide = |own: usize| {
        let (place, velocity) = motions[own];
        let mut steering = Steering::new(velocity, DVec3::X);
        let forward = velocity.normalize();
        let mut seen: Vec<Neighbour> = (0..motions.len())
            .filter(|&other| other != own)
            .map(|other| Neighbour { offset: motions[other].0 - place, velocity: motions[other].1 })
            .filter(|other| {
                let angle = other.offset.angle_between(forward);
                other.offset.length() < settings.view_distance && angle < settings.view_angle
            })
            .collect();
        seen.sort_by(|a, b| a.offset.length().total_cmp(&b.offset.length()));
        // The sums do not depend on the order.
        for neighbour in seen.iter().take(settings.neighbours).rev() {
            steering.see(settings, neighbour);
        }
        // The ground is the only obstacle.
        steering.evade(settings, DVec3::new(0.0, 0.0, -place.z));
        let offset = place - settings.center;
        let beyond = (offset.length() - settings.radius).max(0.0);
        steering.acceleration(settings) - settings.pull * beyond * offset.normalize_or_zero()
    };
    (0..motions.len()).map(decide).collect()
}

/// Every member minds its nearest neighbours, in flocks of many sizes and view distances.
#[test]
fn random_flocks_decide_as_an_exhaustive_search_does() {
    for seed in 0..20 {
        let mut random = Pcg64::seed_from_u64(seed);
        let view_distance = random.random_range(0.5..12.0);
        let settings = FlockSettings {
            view_distance,
            full_view_distance: 0.4 * view_distance,
            view_angle: random.random_range(0.5..3.1),
            full_view_angle: 0.3,
            obstacle_distance: random.random_range(1.0..20.0),
            radius: random.random_range(1.0..10.0),
            neighbours: random.random_range(1..40),
            rounds: 1,
            ..FlockSettings::default()
        };
        let mut simulation = random_flock(settings, random.random_range(2..80), 0, seed);
        let before = motions(&mut simulation);
        simulation.step().unwrap();
        let decided = simulation.data().controllers.memory().low_level;
        let expected = exhaustive(&settings, &before);
        for (found, expected) in decided.chunks_exact(3).zip(&expected) {
            // Sums in another order, and the radius of the sphere that stands for a point in distance queries.
            assert!((DVec3::from_slice(found) - *expected).length() < 1e-9 * (1.0 + expected.length()), "seed {seed}");
        }
    }
}

/// A member that sees nobody and is where it should be flies straight on at constant speed.
#[test]
fn a_single_bird_flies_straight() {
    let settings = FlockSettings { radius: 1e3, speed: 4.0, ..FlockSettings::default() };
    let mut simulation = random_flock(settings, 1, 0, 7);
    simulation.data_mut().state.v[3..6].copy_from_slice(&[4.0, 0.0, 0.0]);
    let start = motions(&mut simulation)[0].0;
    simulation.run(10.0).unwrap();
    let (place, velocity) = motions(&mut simulation)[0];
    assert!((place - start - DVec3::X * 40.0).length() < 1e-6, "{}", place - start);
    assert!((velocity - DVec3::X * 4.0).length() < 1e-9, "{velocity}");
}

/// Its speed approaches the wanted one exponentially, with the rate of the settings.
#[test]
fn a_slow_bird_speeds_up_at_the_given_rate() {
    let settings = FlockSettings { radius: 1e3, speed: 4.0, speed_rate: 0.5, rounds: 1, ..FlockSettings::default() };
    let mut simulation = random_flock(settings, 1, 0, 7);
    simulation.data_mut().state.v[3..6].copy_from_slice(&[1.0, 0.0, 0.0]);
    simulation.run(2.0).unwrap();
    let speed = motions(&mut simulation)[0].1.length();
    // Decisions are held for a period, which is an error of first order in it.
    assert!((speed - (4.0 - 3.0 * libm::exp(-1.0))).abs() < 0.02, "{speed}");
}

#[test]
fn flocks_align_and_stay_together() {
    let mut simulation = random_flock(FlockSettings::default(), 60, 0, 11);
    let order = |simulation: &mut Simulation| {
        let motions = motions(simulation);
        let sum: DVec3 = motions.iter().map(|(_, velocity)| velocity.normalize()).sum();
        sum.length() / motions.len() as f64
    };
    let before = order(&mut simulation);
    simulation.run(10.0).unwrap();
    // A flock that turns back at the border of its region is less aligned for a while.
    let mut after = 0.0;
    for second in 11..=20 {
        simulation.run(f64::from(second)).unwrap();
        after += 0.1 * order(&mut simulation);
    }
    assert!(before < 0.4 && after > 0.9, "{before} {after}");
    for (place, velocity) in motions(&mut simulation) {
        assert!((place - FlockSettings::default().center).length() < 20.0, "{place}");
        assert!(velocity.length() > 1.0 && velocity.length() < 10.0, "{velocity}");
    }
}

/// Members turn away from a predator, which follows the nearest.
#[test]
fn members_flee_and_predators_follow() {
    let settings = FlockSettings { radius: 1e3, avoidance: 0.0, matching: 1.0, ..FlockSettings::default() };
    let mut simulation = random_flock(settings, 2, 1, 3);
    let state = &mut simulation.data_mut().state;
    for (link, (place, velocity)) in
        [(DVec3::new(0.0, 0.0, 20.0), DVec3::X), (DVec3::new(0.0, 3.0, 20.0), DVec3::X)].into_iter().enumerate()
    {
        state.q[7 * link..7 * link + 3].copy_from_slice(&place.to_array());
        state.v[6 * link + 3..6 * link + 6].copy_from_slice(&velocity.to_array());
    }
    simulation.run(0.5).unwrap();
    let motions = motions(&mut simulation);
    assert!(motions[0].1.y < -1.0, "the member flees: {}", motions[0].1);
    assert!(motions[1].1.y < -0.5, "the predator follows: {}", motions[1].1);
}

/// A simulation that continues from a snapshot at any step gives the same bits.
#[test]
fn flocks_continue_from_snapshots() {
    let settings = FlockSettings { rounds: 3, ..FlockSettings::default() };
    let mut simulation = random_flock(settings, 40, 2, 5);
    for steps in [1, 2, 5, 40] {
        for _ in 0..steps {
            simulation.step().unwrap();
        }
        let snapshot = simulation.snapshot();
        let mut other = random_flock(settings, 40, 2, 5);
        other.restore(&snapshot).unwrap();
        for _ in 0..50 {
            simulation.step().unwrap();
            other.step().unwrap();
        }
        assert_eq!(simulation.state_hash(), other.state_hash());
    }
}
