//! Bodies without external forces conserve energy and momentum.

use crate::motion_support::{Drift, conservation_tree, drift, spinning_box};
use burgess_dynamics::integrators::{ImplicitMidpoint, Integrator, Rk4, SemiImplicitMidpoint};
use burgess_dynamics::{Model, State};

const STEP: f64 = 1.0 / 240.0;
const MINUTE: usize = 60 * 240;

fn minutes(integrator: &mut dyn Integrator, (model, mut state): (Model, State), minutes: usize, what: &str) -> Drift {
    let drift = drift(integrator, &model, &mut state, STEP, minutes * MINUTE, 7, None);
    println!("{what}, {minutes} min: {drift:?}");
    drift
}

#[test]
fn runge_kutta_keeps_a_floating_tree_to_rounding() {
    let (model, mut state) = conservation_tree(1.0);
    let drift = drift(&mut Rk4::new(&model), &model, &mut state, 1e-3, 60_000, 1000, None);
    println!("{drift:?}");
    assert!(drift.energy_largest < 1e-11, "{drift:?}");
    assert!(drift.angular_largest < 1e-10 && drift.linear_largest < 1e-10, "{drift:?}");
}

#[test]
fn the_default_step_keeps_the_energy_of_a_spinning_box() {
    let scene = spinning_box(10.0);
    let mut step = SemiImplicitMidpoint::new(&scene.0);
    assert!(minutes(&mut step, scene.clone(), 1, "box at 10 rad/s").energy_largest < 0.002);
    assert!(minutes(&mut step, scene, 10, "box at 10 rad/s").energy_largest < 0.02);
}

#[test]
fn the_default_step_keeps_the_energy_of_a_floating_tree() {
    for speed in [1.0, 5.0] {
        let scene = conservation_tree(speed);
        let mut step = SemiImplicitMidpoint::new(&scene.0);
        let what = format!("tree at {speed} rad/s");
        assert!(minutes(&mut step, scene.clone(), 1, &what).energy_largest < 0.002);
        assert!(minutes(&mut step, scene, 10, &what).energy_largest < 0.02);
    }
}

#[test]
fn implicit_midpoint_holds_energy_and_momentum() {
    for (scene, what) in [
        (spinning_box(10.0), "box at 10 rad/s"),
        (conservation_tree(1.0), "tree at 1 rad/s"),
        (conservation_tree(5.0), "tree at 5 rad/s"),
    ] {
        let mut step = ImplicitMidpoint::new(&scene.0);
        let drift = minutes(&mut step, scene, 1, what);
        assert!(drift.energy_largest < 1e-3, "{what}: {drift:?}");
        assert!(drift.angular_largest < 1e-6 && drift.linear_largest < 1e-6, "{what}: {drift:?}");
    }
}
