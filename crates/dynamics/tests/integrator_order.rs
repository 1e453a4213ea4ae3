//! The order of each integrator on a tree with quaternions, and the passes that integrators add.

use crate::motion_support::{Joints, random_tree, run, spinning_box};
use burgess_dynamics::integrators::{
    ImplicitMidpoint, IntegrationError, Integrator, Rk4, Rk4Adaptive, SemiImplicitEuler, SemiImplicitMidpoint,
    Tolerance, advance_positions,
};
use burgess_dynamics::{Model, Motor, State, Workspace, accelerations_at_velocities, forward_dynamics};
use glam::{DQuat, DVec3};

fn scene() -> (Model, State) {
    random_tree(21, 4, Joints::Mixed, true, DVec3::new(0.0, 0.0, -9.81), 1.5)
}

fn distance(a: &State, b: &State) -> f64 {
    let of = |x: &[f64], y: &[f64]| {
        x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, |a: f64, b| if b <= a { a } else { b })
    };
    of(&a.q, &b.q).max(of(&a.v, &b.v))
}

/// Returns the error after half a second with a number of steps, compared with a very fine Runge-Kutta integration.
fn error(integrator: &mut dyn Integrator, model: &Model, start: &State, exact: &State, steps: usize) -> f64 {
    let mut state = start.clone();
    run(integrator, model, &mut state, &mut (), 0.5 / steps as f64, steps).unwrap();
    distance(&state, exact)
}

#[test]
fn integrators_have_their_order() {
    let (model, start) = scene();
    let mut exact = start.clone();
    run(&mut Rk4::new(&model), &model, &mut exact, &mut (), 0.5 / 8192.0, 8192).unwrap();
    let order = |integrator: &mut dyn Integrator, steps: usize| {
        let coarse = error(integrator, &model, &start, &exact, steps);
        let fine = error(integrator, &model, &start, &exact, 2 * steps);
        libm::log2(coarse / fine)
    };
    let orders = [
        ("rk4", order(&mut Rk4::new(&model), 128), 4.0),
        ("implicit midpoint", order(&mut ImplicitMidpoint::new(&model), 256), 2.0),
        ("semi-implicit midpoint", order(&mut SemiImplicitMidpoint::new(&model), 256), 2.0),
        ("one round", order(&mut SemiImplicitMidpoint::new(&model), 256), 2.0),
        ("semi-implicit Euler", order(&mut SemiImplicitEuler::new(&model), 512), 1.0),
    ];
    for (name, found, expected) in orders {
        println!("{name}: {found:.3}");
        assert!((found - expected).abs() < 0.25, "{name}: order {found}");
    }
}

#[test]
fn quaternions_stay_unit() {
    let (model, start) = random_tree(4, 6, Joints::Spherical, true, DVec3::ZERO, 5.0);
    for integrator in [
        &mut Rk4::new(&model) as &mut dyn Integrator,
        &mut SemiImplicitMidpoint::new(&model),
        &mut ImplicitMidpoint::new(&model),
    ] {
        let mut state = start.clone();
        run(integrator, &model, &mut state, &mut (), 1.0 / 240.0, 500).unwrap();
        for q in [&state.q[3..7], &state.q[7..11], &state.q[23..27]] {
            assert!((DQuat::from_slice(q).length() - 1.0).abs() < 4e-16);
        }
    }
}

#[test]
fn adaptive_steps_meet_their_tolerance_and_repeat() {
    let (model, start) = scene();
    let mut exact = start.clone();
    run(&mut Rk4::new(&model), &model, &mut exact, &mut (), 0.5 / 8192.0, 8192).unwrap();
    let mut last = 0;
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let advance = || {
            let settings = Tolerance { absolute: tolerance, relative: tolerance, ..Default::default() };
            let mut adaptive = Rk4Adaptive::new(&model, settings);
            let mut state = start.clone();
            let mut workspace = Workspace::new(&model);
            let report = adaptive.advance(&model, &mut state, &mut (), &mut workspace, 0.5).unwrap();
            (state, report)
        };
        let (state, report) = advance();
        assert_eq!(advance(), (state.clone(), report));
        assert_eq!(state.time, 0.5);
        assert!(distance(&state, &exact) < 30.0 * tolerance, "{tolerance}: {}", distance(&state, &exact));
        assert!(report.accepted > last);
        last = report.accepted;
    }
}

#[test]
fn failures_are_typed_and_leave_the_state() {
    let (model, start) = spinning_box(1e6);
    let mut workspace = Workspace::new(&model);
    let mut state = start.clone();
    let mut implicit = ImplicitMidpoint::new(&model);
    let outcome = implicit.step(&model, &mut state, &mut (), &mut workspace, 0.1);
    assert!(matches!(outcome, Err(IntegrationError::NotConverged { .. } | IntegrationError::NotFinite { .. })));
    assert_eq!(state, start);

    let (model, mut start) = scene();
    let without_motors = start.clone();
    start.motors[6] = Motor::Effort(f64::NAN);
    let mut workspace = Workspace::new(&model);
    let tolerance = Tolerance::default();
    for integrator in [
        &mut Rk4::new(&model) as &mut dyn Integrator,
        &mut SemiImplicitMidpoint::new(&model),
        &mut SemiImplicitEuler::new(&model),
        &mut ImplicitMidpoint::new(&model),
        &mut Rk4Adaptive::new(&model, tolerance),
    ] {
        let mut state = start.clone();
        assert!(integrator.step(&model, &mut state, &mut (), &mut workspace, 0.01).is_err());
        // The motors are not compared, because NaN differs from itself.
        state.motors.clone_from(&without_motors.motors);
        assert_eq!(state, without_motors);
    }
}

#[test]
fn the_bias_pass_agrees_with_the_three_passes() {
    for seed in 0..20 {
        for floating in [true, false] {
            let (model, mut state) = random_tree(seed, 9, Joints::Mixed, floating, DVec3::new(0.3, 0.0, -9.81), 3.0);
            let v = state.v.clone();
            advance_positions(&model, &mut state.q, &v, 0.7);
            let efforts: Vec<f64> = (0..model.dofs()).map(|k| k as f64 * 0.1 - 0.4).collect();
            let mut reused = Workspace::new(&model);
            let external = |w: &mut Workspace| w.apply_force(5, DVec3::new(1.0, 2.0, 3.0), DVec3::X, DVec3::ZERO);
            external(&mut reused);
            forward_dynamics(&model, &state, &efforts, &mut reused);
            let other: Vec<f64> = v.iter().map(|v| 1.0 - 2.0 * v).collect();
            accelerations_at_velocities(&model, &other, &efforts, &mut reused);
            let mut fresh = Workspace::new(&model);
            external(&mut fresh);
            state.v = other;
            forward_dynamics(&model, &state, &efforts, &mut fresh);
            let scale = fresh.joint_acceleration().iter().fold(1.0_f64, |a, b| a.max(b.abs()));
            for (a, b) in reused.joint_acceleration().iter().zip(fresh.joint_acceleration()) {
                assert!((a - b).abs() < 1e-10 * scale, "{a} {b}");
            }
        }
    }
}
