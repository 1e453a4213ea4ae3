//! The motion solver that integrates forces: any integrator, any update strategy, and reports of penetration.

use crate::force_support::*;
use burgess_dynamics::integrators::{
    ImplicitMidpoint, Integrator, Rk4, Rk4Adaptive, SemiImplicitEuler, SemiImplicitMidpoint, Tolerance,
};
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::constraint_solver::{Analytical, AnalyticalSettings, ForceMethod};
use burgess_paradigms::{ContinuousMotion, Paradigm, UpdateStrategy, analytical, force_data};
use burgess_simulation::modules::Modules;
use burgess_simulation::time_control::FixedStep;
use burgess_simulation::{ColliderSpec, Failure, Simulation, WorldBuilder, WorldError};
use glam::{DQuat, DVec3};

const STEP: f64 = 1.0 / 240.0;

/// Fixed steps and forces alone.
fn simulate(
    builder: WorldBuilder,
    settings: AnalyticalSettings,
    integrator: impl FnOnce(&burgess_dynamics::Model) -> Box<dyn Integrator + Send>,
    strategy: UpdateStrategy,
) -> Simulation {
    let (world, state) = builder.build().unwrap();
    let data = force_data(world, state).unwrap();
    let forces = Box::new(Analytical::new(&data, settings, STEP).unwrap());
    let integrator = integrator(data.world.model());
    let motion = Box::new(ContinuousMotion::with_integrator(&data, integrator, forces, strategy));
    let modules = Modules { motion, constraints: None, collisions: None };
    Simulation::with_modules(data, Box::new(FixedStep::with_margin(settings.contact_tolerance)), modules, STEP).unwrap()
}

#[test]
fn every_integrator_carries_a_box_and_lets_it_slide() {
    type Make = fn(&burgess_dynamics::Model) -> Box<dyn Integrator + Send>;
    let integrators: [(&str, Make); 5] = [
        ("rk4", |model| Box::new(Rk4::new(model))),
        ("adaptive rk4", |model| Box::new(Rk4Adaptive::new(model, Tolerance::default()))),
        ("semi-implicit euler", |model| Box::new(SemiImplicitEuler::new(model))),
        ("semi-implicit midpoint", |model| Box::new(SemiImplicitMidpoint::new(model))),
        ("implicit midpoint", |model| Box::new(ImplicitMidpoint::new(model))),
    ];
    let mu = 0.4;
    for (name, make) in integrators {
        for strategy in [UpdateStrategy::Eager, UpdateStrategy::PartlyLazy, UpdateStrategy::Lazy] {
            let builder = sliding_box(mu, DVec3::X * 2.0);
            let mut simulation = simulate(builder, AnalyticalSettings::default(), make, strategy);
            simulation.run(0.3).unwrap();
            let (v, x) = (velocity(&simulation), position(&simulation));
            // Sliding is uniform, so even first-order methods have its velocity exactly, and the place to h v.
            assert!((v - DVec3::X * (2.0 - mu * G * 0.3)).length() < 1e-6, "{name}, {strategy:?}: {v}");
            let expected = 2.0 * 0.3 - 0.5 * mu * G * 0.09;
            assert!((x.x - expected).abs() < STEP * 2.0, "{name}, {strategy:?}: {x}");
            assert!((x.z - 0.1).abs() < 1e-6, "{name}, {strategy:?}: {x}");
        }
    }
}

/// Three rods in a row, each eight times as light as the one before, on servos that are all equally strong, and the
/// angles that they take.
fn arm_of_servos(paradigm: Paradigm, step: f64) -> Vec<f64> {
    let servo = Motor::Position { target: 0.5, stiffness: 100.0, damping: 2.0 };
    let properties = AxisProperties { damping: 1.0, motor: servo, ..AxisProperties::default() };
    let mut builder = WorldBuilder::new();
    let mut parent = None;
    for (name, length) in [("upper", 0.4), ("lower", 0.2), ("hand", 0.1)] {
        let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let shape = Shape::Capsule(Capsule::new(0.1 * length, 0.3 * length).unwrap());
        let rod = ColliderSpec { mask: 0, ..ColliderSpec::new(shape) };
        let rod = rod.at(Pose::new(turn, DVec3::X * 0.5 * length));
        let place = if parent.is_some() { DVec3::X * 2.0 * length } else { DVec3::ZERO };
        let joint = JointSpec::revolute(DVec3::Y).in_parent(Pose::from_translation(place)).with(properties);
        parent = Some(builder.link(name, parent, joint, None, [rod]).unwrap());
    }
    let (world, state) = builder.build().unwrap();
    let mut simulation = paradigm.simulate(world, state, step).unwrap();
    simulation.run(0.25).unwrap();
    simulation.state().q.clone()
}

#[test]
fn strong_servos_on_light_limbs_do_not_explode() {
    let expected = arm_of_servos(Paradigm::TimeStepping, 1e-5);
    assert!(expected.iter().all(|angle| (0.2..0.6).contains(angle)), "{expected:?}");
    for paradigm in [Paradigm::Analytical, Paradigm::Penalty, Paradigm::Hybrid] {
        let found = arm_of_servos(paradigm, STEP);
        let error = found.iter().zip(&expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max);
        assert!(error < 1e-4, "{}: {found:?} instead of {expected:?}", paradigm.name());
    }
}

#[test]
fn penetration_found_within_a_step_is_told() {
    let mut builder = with_friction(0.0);
    builder.fixed(ground());
    let body = builder.body("ball", Pose::from_translation(DVec3::Z * 0.13), [ball(0.1)]).unwrap();
    builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::Z * -10.0));
    let settings = AnalyticalSettings { method: ForceMethod::Arnold, ..AnalyticalSettings::default() };
    let rk4 = |model: &burgess_dynamics::Model| -> Box<dyn Integrator + Send> { Box::new(Rk4::new(model)) };
    let mut simulation = simulate(builder, settings, rk4, UpdateStrategy::Eager);
    let failure = simulation.step().unwrap_err();
    assert!(matches!(failure, Failure::CannotGoBack { time } if time > 0.0 && time <= STEP), "{failure}");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let wrong = [
        AnalyticalSettings { contact_tolerance: 0.0, ..AnalyticalSettings::default() },
        AnalyticalSettings { penetration_tolerance: f64::NAN, ..AnalyticalSettings::default() },
        AnalyticalSettings { feedback: 2.0, ..AnalyticalSettings::default() },
        AnalyticalSettings { rest_share: f64::INFINITY, ..AnalyticalSettings::default() },
    ];
    for settings in wrong {
        let (world, state) = stack(1).build().unwrap();
        let refused = analytical(world, state, STEP, settings, UpdateStrategy::Eager);
        assert!(matches!(refused, Err(WorldError::OutOfRange { .. })), "{settings:?}");
    }
}
