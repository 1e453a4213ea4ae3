//! Contacts against closed-form solutions.

use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cuboid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

fn cuboid(half: DVec3) -> ColliderSpec {
    ColliderSpec::new(Shape::Cuboid(Cuboid::new(half).unwrap()))
}

fn ground() -> ColliderSpec {
    ColliderSpec::new(Shape::HalfSpace(HalfSpace))
}

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, step).unwrap()
}

#[test]
fn sliding_block_stops_at_the_distance_of_its_friction() {
    for step in [1e-3, 1.0 / 240.0] {
        let mut builder = WorldBuilder::new();
        builder.default_material(Material { friction: 0.4, ..Material::default() });
        builder.fixed(ground());
        let block = builder
            .body("block", Pose::from_translation(DVec3::new(0.0, 0.0, 0.1)), [cuboid(DVec3::new(0.2, 0.2, 0.1))])
            .unwrap();
        builder.set_velocity(block, Motion::new(DVec3::ZERO, DVec3::new(3.0, 1.0, 0.0)));
        let mut simulation = simulate(builder, step);
        simulation.run(3.0).unwrap();
        let distance = DVec3::new(simulation.state().q[0], simulation.state().q[1], 0.0).length();
        let expected = 10.0 / (2.0 * 0.4 * 9.81);
        // The error is of second order, except for the last step.
        assert!((distance / expected - 1.0).abs() < 2e-5);
    }
}

#[test]
fn balls_bounce_to_the_height_of_their_restitution() {
    for step in [1e-3, 1.0 / 240.0] {
        for e in [0.2, 0.5, 0.8, 1.0] {
            let mut builder = WorldBuilder::new();
            builder.default_material(Material { friction: 0.4, restitution: e, ..Material::default() });
            builder.fixed(ground());
            let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
            builder.body("ball", Pose::from_translation(DVec3::new(0.0, 0.0, 1.1)), [ColliderSpec::new(ball)]).unwrap();
            let mut simulation = simulate(builder, step);
            let (mut highest, mut low) = (0.0_f64, false);
            while simulation.state().time < 1.2 {
                simulation.step().unwrap();
                low |= simulation.state().v[5] > 0.0;
                if low {
                    highest = highest.max(simulation.state().q[2] - 0.1);
                }
                if low && simulation.state().v[5] < 0.0 {
                    break;
                }
            }
            // The height is sampled at the ends of steps.
            assert!((highest / (e * e) - 1.0).abs() < 5e-4, "{step} {e}");
        }
    }
}

#[test]
fn a_box_at_ninety_percent_of_the_cone_does_not_creep() {
    let mut builder = WorldBuilder::new();
    let mu: f64 = 0.5;
    builder.default_material(Material { friction: mu, ..Material::default() });
    let angle = libm::atan(0.9 * mu);
    let tilt = DQuat::from_rotation_y(angle);
    builder.fixed(ground().at(Pose::new(tilt, DVec3::ZERO)));
    builder
        .body("box", Pose::new(tilt, tilt * DVec3::new(0.0, 0.0, 0.1)), [cuboid(DVec3::new(0.2, 0.2, 0.1))])
        .unwrap();
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let start = simulation.state().q.clone();
    simulation.run(60.0).unwrap();
    let moved = start.iter().zip(&simulation.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved < 1e-9);
}

#[test]
fn a_rebound_hits_other_bodies_within_the_same_step() {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.0, restitution: 1.0, ..Material::default() });
    builder.fixed(ground());
    // All fall at the same speed, so that they do not come near each other until the lowest one bounces.
    for height in [1.1, 1.31, 1.52] {
        let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
        builder.body("ball", Pose::from_translation(DVec3::Z * height), [ColliderSpec::new(ball)]).unwrap();
    }
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let energy = simulation.energy();
    for _ in 0..480 {
        simulation.step().unwrap();
        // The relative motion in a step is 37 mm, and the gap is 10 mm.
        assert!(simulation.statistics().penetration < 1e-4, "{}", simulation.statistics().penetration);
    }
    assert!((simulation.energy() / energy - 1.0).abs() < 1e-3);
}

#[test]
fn a_toppling_tower_is_swept_and_gains_no_energy() {
    let mut builder = WorldBuilder::new();
    builder.fixed(ground());
    for k in 0..10 {
        let place = Pose::from_translation(DVec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(k)));
        builder.body("box", place, [cuboid(DVec3::splat(0.1))]).unwrap();
    }
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.06).unwrap()));
    let ball = builder.body("ball", Pose::from_translation(DVec3::new(1.0, 0.15, 1.5)), [ball]).unwrap();
    builder.set_velocity(ball, Motion::new(DVec3::ZERO, DVec3::new(-8.0, -0.6, 0.5)));
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let (start, mut deepest, mut least) = (simulation.energy(), 0.0_f64, f64::INFINITY);
    // The tower stands until the ball hits it.
    while simulation.statistics().impulses == 0 {
        simulation.step().unwrap();
        assert!(simulation.state().time < 0.5, "the ball hits the tower");
    }
    let mut solved_directly = 0;
    while simulation.state().time < 0.6 {
        simulation.step().unwrap();
        let statistics = simulation.statistics();
        let is_one_group = statistics.contacts > 24;
        solved_directly += usize::from(is_one_group && statistics.solver.direct > 0);
        deepest = deepest.max(statistics.penetration);
        least = least.min(simulation.energy());
        assert!(simulation.energy() < start * (1.0 + 1e-9), "the tower gains energy");
    }
    assert!(least < start - 1.0, "the tower topples");
    assert!(deepest < 1e-3, "{deepest} m deep");
    // Direct solves remain where the tower rests or has no warm start. Without sweeping it would be all 108 steps.
    assert!(solved_directly < 50, "{solved_directly} steps were solved directly");
}
