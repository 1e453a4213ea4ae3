//! Events that a simulation carries out itself, across snapshots and changes of the step.

use burgess_geometry::Shape;
use burgess_geometry::shape::Sphere;
use burgess_simulation::{ColliderSpec, EventKind, Simulation, WorldBuilder};
use glam::DVec3;

use crate::common::at;

/// Time of the event, in s.
const TIME: f64 = 0.25;

/// A ball in free fall that is brought to rest after a quarter of a second.
fn falling(step: f64) -> Simulation {
    let mut builder = WorldBuilder::new();
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.1).unwrap()));
    builder.body("ball", at(0.0, 0.0, 10.0), [ball]).unwrap();
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, step).unwrap();
    simulation.schedule(EventKind::BringToRest, TIME);
    simulation
}

/// Speed of the fall, in m/s.
fn speed(simulation: &Simulation) -> f64 {
    simulation.state().v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[test]
fn the_state_after_the_step_of_the_event_is_at_rest() {
    let mut simulation = falling(1.0 / 240.0);
    for step in 1..=120 {
        simulation.step().unwrap();
        assert_eq!(speed(&simulation) == 0.0, step == 60, "step {step}");
    }
    // The fall begins again: half a second after the start the ball has fallen for a quarter.
    assert!((speed(&simulation) - 9.81 * (0.5 - TIME)).abs() < 1e-9);
}

#[test]
fn a_restored_snapshot_repeats_the_event() {
    let mut simulation = falling(1.0 / 240.0);
    simulation.run(0.1).unwrap();
    let before = simulation.snapshot();
    simulation.run(0.4).unwrap();
    let (hash, after) = (simulation.state_hash(), simulation.snapshot());
    simulation.restore(&before).unwrap();
    simulation.run(0.4).unwrap();
    assert_eq!(simulation.state_hash(), hash);
    simulation.restore(&after).unwrap();
    simulation.step().unwrap();
    assert!(speed(&simulation) > 1.0, "the event is not repeated after it has happened");
}

#[test]
fn a_simulation_that_takes_over_keeps_the_time_of_the_event() {
    let mut first = falling(1.0 / 240.0);
    first.run(0.1).unwrap();
    let mut second = falling(1.0 / 480.0);
    second.take_over(&first.snapshot());
    while second.state().time < TIME - 1e-9 {
        assert!(speed(&second) > 0.0, "at {} s", second.state().time);
        second.step().unwrap();
    }
    assert_eq!(speed(&second), 0.0);
    first.run(0.3).unwrap();
    let mut third = falling(1.0 / 480.0);
    third.take_over(&first.snapshot());
    third.step().unwrap();
    assert!(speed(&third) > 0.4, "an event that has happened is not repeated");
}

#[test]
fn an_infinite_time_never_comes() {
    let mut simulation = falling(1.0 / 240.0);
    simulation.run(0.3).unwrap();
    simulation.schedule(EventKind::BringToRest, f64::INFINITY);
    simulation.run(0.4).unwrap();
    assert!(speed(&simulation) > 1.0 && DVec3::from_slice(&simulation.state().q[..3]).is_finite());
}
