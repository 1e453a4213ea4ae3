//! Settings that no paradigm can use are rejected with an error that names them.

use burgess_dynamics::State;
use burgess_geometry::shape::Cuboid;
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::{ImpulseSettings, Paradigm, impulse};
use burgess_simulation::{ColliderSpec, World, WorldBuilder, WorldError};
use glam::DVec3;

fn two_cubes() -> (World, State) {
    let mut builder = WorldBuilder::new();
    for x in [0.0, 3.0] {
        let cube = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap()));
        builder.body("cube", Pose::from_translation(DVec3::X * x), [cube]).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn steps_are_positive_and_finite() {
    for paradigm in Paradigm::ALL {
        for step in [0.0, -0.01, f64::NAN, f64::INFINITY] {
            let (world, state) = two_cubes();
            let refused = paradigm.simulate(world, state, step);
            let is_typed = matches!(refused, Err(WorldError::OutOfRange { .. }));
            assert!(is_typed, "{} with a step of {step}", paradigm.name());
        }
    }
}

#[test]
fn impulses_need_an_envelope_and_a_budget() {
    let usual = ImpulseSettings::default;
    for settings in [
        ImpulseSettings { epsilon_share: 0.0, ..usual() },
        ImpulseSettings { max_restitution: f64::NAN, ..usual() },
        ImpulseSettings { budget: 0, ..usual() },
    ] {
        let (world, state) = two_cubes();
        assert!(matches!(impulse(world, state, 0.01, settings), Err(WorldError::OutOfRange { .. })));
    }
}
