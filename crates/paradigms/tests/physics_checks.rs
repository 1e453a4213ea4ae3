//! The physics checks of the results page, which time stepping must always pass.

#[path = "../../../bench/src/checks/mod.rs"]
mod checks;

use std::sync::Arc;

use burgess_geometry::shape::{Cuboid, Cylinder};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, SteadyMotion, WorldBuilder};
use glam::DVec3;

#[test]
fn time_stepping_passes_every_check_at_both_steps() {
    for step in [1e-3, 1.0 / 240.0] {
        for check in &checks::CHECKS {
            let error = (check.run)(Paradigm::TimeStepping, step).unwrap();
            let bound = (check.bound)(step);
            let checks::Check { name, expected, unit, .. } = check;
            assert!(error <= bound, "{name} at {step} s, expected {expected}: {error} {unit} off, above {bound}");
        }
    }
}

#[test]
fn a_blow_travels_through_a_row_unless_it_is_solved_at_once() {
    let expected =
        std::array::from_fn::<f64, { checks::BALLS }, _>(|ball| if ball + 1 == checks::BALLS { 1.0 } else { 0.0 });
    for paradigm in [Paradigm::TimeStepping, Paradigm::Impulse, Paradigm::Analytical, Paradigm::Hybrid] {
        let velocities = checks::end_velocities(paradigm, 1e-3).unwrap();
        let off = velocities.iter().zip(&expected).map(|(v, expected)| (v - expected).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{paradigm:?}: {velocities:?}");
    }
    // Equal speeds of all but the first: 2 / 5 and 2 / 5 - 1 keep momentum and energy.
    let at_once = checks::end_velocities_of_simultaneous_impulses(1e-3).unwrap();
    let expected = [-0.6, 0.4, 0.4, 0.4, 0.4];
    assert!(at_once.iter().zip(&expected).all(|(v, expected)| (v - expected).abs() < 1e-9), "{at_once:?}");
}

#[test]
fn a_box_on_a_turntable_stays_where_it_is_on_it() {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.8, ..Material::default() });
    let rate = 2.0;
    let start = Pose::from_translation(DVec3::Z * -0.1);
    let table = SteadyMotion { start, linear: DVec3::ZERO, angular: DVec3::Z * rate };
    builder.scripted("table", Arc::new(table), [ColliderSpec::new(Shape::Cylinder(Cylinder::new(2.0, 0.1).unwrap()))]);
    let shape = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.1)).unwrap()));
    let place = DVec3::new(0.6, 0.0, 0.1);
    let body = builder.body("box", Pose::from_translation(place), [shape]).unwrap();
    let velocity = burgess_dynamics::spatial::Motion::new(DVec3::Z * rate, DVec3::Y * (rate * 0.6));
    builder.set_velocity(body, velocity);
    let (world, state) = builder.build().unwrap();
    let mut simulation = Paradigm::TimeStepping.simulate(world, state, 1.0 / 240.0).unwrap();
    simulation.run(10.0).unwrap();
    let radius = DVec3::new(simulation.state().q[0], simulation.state().q[1], 0.0).length();
    // With slip asked for where contacts were, it would be off by the factor exp(rate^2 step t) = 1.18.
    assert!((radius / 0.6 - 1.0).abs() < 5e-3, "{radius}");
}
