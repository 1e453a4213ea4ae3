//! Accelerations by a fluid, tendons and actuators, compared with MuJoCo. `bench/peers/mujoco_forces.py` generates
//! `reference/mujoco_forces.toml`.

use std::collections::BTreeMap;

use burgess_dynamics::integrators::{Integrator, Rk4};
use burgess_dynamics::{State, Tendons, Workspace};
use burgess_scene::RunOptions;
use burgess_scene::spec::{FluidSpec, SceneSpec};
use serde::Deserialize;

#[derive(Deserialize)]
struct Moment {
    q: Vec<f64>,
    v: Vec<f64>,
    controls: Vec<f64>,
    forces: Vec<f64>,
    acceleration: Vec<f64>,
}

fn moments(case: &str) -> Vec<Moment> {
    let text = include_str!("reference/mujoco_forces.toml");
    let mut cases: BTreeMap<String, Vec<Moment>> = toml::from_str(text).unwrap();
    cases.remove(case).unwrap()
}

fn machine(change: impl Fn(&mut SceneSpec)) -> SceneSpec {
    let mut scene = SceneSpec::from_toml(include_str!("reference/machine.toml"), "machine.toml").unwrap();
    change(&mut scene);
    scene
}

fn set_fluid(scene: &mut SceneSpec, density: f64, viscosity: f64) {
    let Some(FluidSpec::InertiaBox(fluid)) = &mut scene.fluid else { panic!("no fluid") };
    (fluid.density, fluid.viscosity) = (density, viscosity);
}

/// The largest difference between accelerations, relative to the largest of them.
fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let largest = theirs.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
    ours.iter().zip(theirs).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / largest
}

/// Compares accelerations and actuator forces at all moments of a case.
fn compare(case: &str, scene: &SceneSpec) {
    let mut run = scene.run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    for (index, moment) in moments(case).iter().enumerate() {
        let data = run.simulation.data_mut();
        (data.state.q, data.state.v) = (moment.q.clone(), moment.v.clone());
        run.set_controls(&moment.controls);
        run.simulation.data_mut().accelerate();
        let ours = run.simulation.data().workspace.joint_acceleration();
        // The light finger makes the inertia matrix ill-conditioned: rounding errors grow by about 1e4.
        let error = difference(ours, &moment.acceleration);
        assert!(error < 1e-11, "{case} {index}: {error:e}\n{ours:?}\n{:?}", moment.acceleration);
        for (actuator, force) in moment.forces.iter().enumerate() {
            let ours = run.actuator_force(actuator);
            assert!((ours - force).abs() < 1e-12 * force.abs().max(1.0), "{case} {index} {actuator}: {ours}, {force}");
        }
    }
}

#[test]
fn viscous_drag_agrees_with_mujoco() {
    compare(
        "viscous",
        &machine(|scene| {
            set_fluid(scene, 0.0, 0.9);
            scene.tendons.clear();
            scene.actuators.clear();
        }),
    );
}

#[test]
fn pressure_drag_agrees_with_mujoco() {
    compare(
        "dense",
        &machine(|scene| {
            set_fluid(scene, 1200.0, 0.0);
            scene.tendons.clear();
            scene.actuators.clear();
        }),
    );
}

#[test]
fn tendons_agree_with_mujoco() {
    compare(
        "tendons",
        &machine(|scene| {
            scene.fluid = None;
            scene.actuators.clear();
        }),
    );
}

#[test]
fn actuators_agree_with_mujoco() {
    compare(
        "actuators",
        &machine(|scene| {
            scene.fluid = None;
            scene.tendons.clear();
        }),
    );
}

#[test]
fn all_forces_together_agree_with_mujoco() {
    compare("all", &machine(|_| ()));
}

/// Tendons and drag also work as the environment of a Runge-Kutta integrator without a simulation.
#[test]
fn integrators_accept_tendons_and_drag_as_environment() {
    let built = machine(|_| ()).build(".").unwrap();
    let model = built.world.model().clone();
    let mut environment = (Tendons(built.world.tendons().to_vec()), built.drag.clone().unwrap());
    let (mut workspace, mut rk4) = (Workspace::new(&model), Rk4::new(&model));
    for moment in moments("all") {
        let mut state = State { q: moment.q.clone(), v: moment.v.clone(), ..State::new(&model) };
        built.actuators.drive(&mut state, &moment.controls);
        let step = 1e-7;
        rk4.step(&model, &mut state, &mut environment, &mut workspace, step).unwrap();
        let mean: Vec<f64> = state.v.iter().zip(&moment.v).map(|(after, before)| (after - before) / step).collect();
        // Errors: 1e-16 / 1e-7 from rounding, about 1e-5 from the change of the acceleration within the step.
        let error = difference(&mean, &moment.acceleration);
        assert!(error < 1e-4, "{error:e}");
    }
}
