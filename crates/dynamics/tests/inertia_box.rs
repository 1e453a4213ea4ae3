//! A fluid in which links are represented by the boxes of their inertia.

use std::f64::consts::PI;

use crate::motion_support::{Joints, box_link, energy, random_tree, run};
use burgess_dynamics::integrators::{Rk4, SemiImplicitMidpoint};
use burgess_dynamics::{InertiaBoxDrag, JointSpec, ModelBuilder, State, Workspace, update_kinematics};
use glam::DVec3;

const SIZE: DVec3 = DVec3::new(0.4, 0.3, 0.2);

#[test]
fn a_box_is_its_own_box_of_inertia() {
    let mut builder = ModelBuilder::new();
    builder.add_link(None, JointSpec::free(), box_link("box", 3.0, DVec3::new(0.1, 0.2, 0.3), SIZE));
    let model = builder.build().unwrap();
    let weight = 3.0_f64 * 9.81;
    // Pressure on the lower face, and Stokes resistance of a ball of the mean half extent.
    let dense = (1000.0, 0.0, (weight / (0.5 * 1000.0 * 0.4 * 0.3)).sqrt());
    let viscous = (0.0, 9.0, weight / (6.0 * PI * 9.0 * 0.15));
    for (density, viscosity, terminal) in [dense, viscous] {
        let mut state = State::new(&model);
        let mut drag = InertiaBoxDrag::around(&model, density, viscosity);
        run(&mut SemiImplicitMidpoint::new(&model), &model, &mut state, &mut drag, 1.0 / 240.0, 4800).unwrap();
        assert!((state.v[5] + terminal).abs() < 1e-9, "{} instead of {terminal}", state.v[5]);
        assert!(state.v[0].abs() < 1e-12, "it does not begin to turn");
    }
}

#[test]
fn what_spins_slows_down_as_the_equation_says() {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.add_link(None, JointSpec::free(), box_link("box", 3.0, DVec3::ZERO, SIZE));
    let model = builder.build().unwrap();
    let inertia = 3.0 * (0.4 * 0.4 + 0.3 * 0.3) / 12.0;
    // I w' = -c |w| w gives w = w_0 / (1 + c w_0 t / I).
    let [x, y, z] = [0.2_f64, 0.15, 0.1];
    let c = 0.5 * 1000.0 * z * (x * x * x * x + y * y * y * y);
    let mut state = State::new(&model);
    state.v[2] = 5.0;
    let mut drag = InertiaBoxDrag::around(&model, 1000.0, 0.0);
    run(&mut Rk4::new(&model), &model, &mut state, &mut drag, 1e-3, 1000).unwrap();
    let expected = 5.0 / (1.0 + c * 5.0 / inertia);
    assert!((state.v[2] - expected).abs() < 1e-9, "{} instead of {expected}", state.v[2]);
    // I w' = -8 pi beta r^3 w
    let mut state = State::new(&model);
    state.v[2] = 5.0;
    let mut drag = InertiaBoxDrag::around(&model, 0.0, 2.0);
    run(&mut Rk4::new(&model), &model, &mut state, &mut drag, 1e-3, 1000).unwrap();
    let expected = 5.0 * libm::exp(-8.0 * PI * 2.0 * 0.15 * 0.15 * 0.15 / inertia);
    assert!((state.v[2] - expected).abs() < 1e-9, "{} instead of {expected}", state.v[2]);
}

#[test]
fn a_still_fluid_only_ever_takes_energy() {
    for seed in 0..50 {
        let (model, mut state) = random_tree(seed, 6, Joints::Mixed, true, DVec3::ZERO, 4.0);
        let mut drag = InertiaBoxDrag::around(&model, 30.0, 0.5);
        let mut workspace = Workspace::new(&model);
        update_kinematics(&model, &state, &mut workspace);
        assert!(drag.apply(&mut workspace) < 0.0);
        let (mut rk4, mut before) = (Rk4::new(&model), energy(&model, &state, &mut workspace));
        for _ in 0..20 {
            run(&mut rk4, &model, &mut state, &mut drag, 1e-3, 10).unwrap();
            let now = energy(&model, &state, &mut workspace);
            assert!(now < before, "{now} after {before}");
            before = now;
        }
    }
}

/// In a flowing fluid, drag opposes the motion relative to it.
#[test]
fn bodies_drift_with_the_current() {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.add_link(None, JointSpec::free(), box_link("box", 3.0, DVec3::ZERO, SIZE));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    let mut drag = InertiaBoxDrag::around(&model, 0.0, 20.0);
    drag.current = DVec3::new(0.5, -0.2, 0.1);
    run(&mut SemiImplicitMidpoint::new(&model), &model, &mut state, &mut drag, 1.0 / 240.0, 2400).unwrap();
    assert!((DVec3::from_slice(&state.v[3..]) - drag.current).length() < 1e-9);
}
