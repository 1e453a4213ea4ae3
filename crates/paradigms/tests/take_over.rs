//! A simulation continues from the state of another one: the same bodies, perhaps more of them, perhaps another
//! paradigm.

use burgess_geometry::shape::{Cuboid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
use glam::DVec3;

/// Two boxes on the ground, one on the other, and perhaps a ball beside them.
fn boxes(ball: bool, paradigm: Paradigm, step: f64) -> Simulation {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::new(0.0, 0.0, -9.81));
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let cube = || ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap()));
    for (name, z) in [("lower", 0.55), ("upper", 1.6)] {
        builder.body(name, Pose::from_translation(DVec3::Z * z), [cube()]).unwrap();
    }
    if ball {
        let sphere = ColliderSpec::new(Shape::Sphere(Sphere::new(0.25).unwrap()));
        builder.body("ball", Pose::from_translation(DVec3::new(3.0, 0.0, 2.0)), [sphere]).unwrap();
    }
    let (world, state) = builder.build().unwrap();
    paradigm.simulate(world, state, step).unwrap()
}

#[test]
fn a_simulation_that_takes_over_from_its_like_goes_on_to_the_same_motion() {
    let mut one = boxes(false, Paradigm::TimeStepping, 1.0 / 240.0);
    one.run(0.5).unwrap();
    let mut other = boxes(false, Paradigm::TimeStepping, 1.0 / 240.0);
    other.take_over(&one.snapshot());
    assert_eq!(other.state(), one.state());
    assert_eq!(other.steps(), one.steps());
    for _ in 0..100 {
        one.step().unwrap();
        other.step().unwrap();
    }
    assert_eq!((&other.state().q, &other.state().v), (&one.state().q, &one.state().v));
    // Their clocks began to count at different moments, so times are the same but for rounding.
    assert!((other.state().time - one.state().time).abs() < 1e-12);
}

#[test]
fn bodies_behind_the_others_leave_them_where_they_were() {
    let mut one = boxes(false, Paradigm::TimeStepping, 1.0 / 240.0);
    one.run(0.5).unwrap();
    let mut more = boxes(true, Paradigm::TimeStepping, 1.0 / 240.0);
    let start = more.state().q.clone();
    more.take_over(&one.snapshot());
    let before = one.state().q.len();
    assert_eq!(more.state().q[..before], one.state().q);
    assert_eq!(more.state().q[before..], start[before..]);
    // What contacts remember is there, too: the boxes stay at rest.
    assert!(more.data().pairs.iter().any(|(_, record)| !record.impulses.is_empty()));
    more.step().unwrap();
    let fastest = more.state().v[..12].iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    assert!(fastest < 1e-3, "{fastest}");
}

#[test]
fn time_goes_on_in_steps_of_another_length() {
    let mut one = boxes(false, Paradigm::TimeStepping, 1.0 / 240.0);
    one.run(0.5).unwrap();
    for paradigm in Paradigm::ALL {
        let mut other = boxes(false, paradigm, 0.001);
        other.take_over(&one.snapshot());
        assert_eq!(other.state().time, one.state().time);
        for _ in 0..10 {
            other.step().unwrap();
        }
        assert_eq!(other.steps(), one.steps() + 10);
        assert_eq!(other.state().time, one.state().time + 10.0 * 0.001);
        // A snapshot knows where time is counted from.
        let snapshot = other.snapshot();
        other.step().unwrap();
        let (time, hash) = (other.state().time, other.state_hash());
        other.restore(&snapshot).unwrap();
        other.step().unwrap();
        assert_eq!((other.state().time, other.state_hash()), (time, hash), "{}", paradigm.name());
    }
}

#[test]
fn what_does_not_fit_is_left_out() {
    let mut more = boxes(true, Paradigm::TimeStepping, 1.0 / 240.0);
    more.run(0.5).unwrap();
    let mut fewer = boxes(false, Paradigm::Penalty, 1.0 / 240.0);
    fewer.take_over(&more.snapshot());
    let count = fewer.state().q.len();
    assert_eq!(fewer.state().q, more.state().q[..count]);
    fewer.step().unwrap();
}
