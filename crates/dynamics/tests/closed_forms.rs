//! Motions with a closed form.

use std::f64::consts::{PI, TAU};

use crate::motion_support::{energy, run};
use burgess_dynamics::integrators::{Integrator, Rk4, SemiImplicitMidpoint};
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, LinkSpec, Model, ModelBuilder, State, Workspace, update_kinematics};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

const G: f64 = 9.81;

/// Returns the arithmetic-geometric mean.
fn agm(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-16 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// Returns the complete elliptic integral of the first kind for a modulus.
fn elliptic_k(modulus: f64) -> f64 {
    0.5 * PI / agm(1.0, (1.0 - modulus * modulus).sqrt())
}

fn single(joint: JointSpec, link: LinkSpec, gravity: bool) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    if !gravity {
        builder.gravity(DVec3::ZERO);
    }
    builder.add_link(None, joint, link);
    let model = builder.build().unwrap();
    let state = State::new(&model);
    (model, state)
}

/// Returns the times at which a quantity crosses zero upward, to the order of a cubic through the samples.
fn upward_crossings(
    integrator: &mut dyn Integrator,
    (model, mut state): (Model, State),
    step: f64,
    duration: f64,
    value: impl Fn(&State) -> f64,
) -> Vec<f64> {
    let mut workspace = Workspace::new(&model);
    let mut crossings = Vec::new();
    let mut samples: Vec<(f64, f64)> = vec![(0.0, value(&state))];
    while state.time < duration {
        integrator.step(&model, &mut state, &mut (), &mut workspace, step).unwrap();
        samples.push((state.time, value(&state)));
        // Inverse cubic interpolation through four samples around the crossing.
        if let [.., a, b, c, d] = samples[..]
            && b.1 < 0.0
            && c.1 >= 0.0
        {
            let points = [a, b, c, d];
            let mut time = 0.0;
            for i in 0..4 {
                let mut weight = 1.0;
                for j in 0..4 {
                    if i != j {
                        weight *= -points[j].1 / (points[i].1 - points[j].1);
                    }
                }
                time += weight * points[i].0;
            }
            crossings.push(time);
        }
    }
    crossings
}

fn period(crossings: &[f64]) -> f64 {
    (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64
}

#[test]
fn a_pendulum_swings_with_the_elliptic_period_at_any_amplitude() {
    // A rod of 1 m: a compound pendulum with I / (m l) = 2/3 m.
    let rod = || {
        LinkSpec::new("rod", 2.0, DVec3::new(0.0, 0.0, -0.5), DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1e-3) / 6.0))
    };
    for amplitude in [0.01, 0.5, 1.5, 2.5, 3.0] {
        let (model, mut state) = single(JointSpec::revolute(DVec3::Y), rod(), true);
        state.q[0] = amplitude;
        let exact = 4.0 * (2.0 / 3.0 / G).sqrt() * elliptic_k(libm::sin(0.5 * amplitude));
        let fine =
            period(&upward_crossings(&mut Rk4::new(&model), (model.clone(), state.clone()), 1e-3, 12.0, |s| s.q[0]));
        assert!((fine / exact - 1.0).abs() < 1e-9, "{amplitude}: {fine} {exact}");
        let mut default = SemiImplicitMidpoint::new(&model);
        let coarse = period(&upward_crossings(&mut default, (model.clone(), state), 1.0 / 240.0, 12.0, |s| s.q[0]));
        assert!((coarse / exact - 1.0).abs() < 2e-4, "{amplitude}: {coarse} {exact}");
    }
}

#[test]
fn a_compound_pendulum_has_its_small_period_about_any_pivot() {
    // A box on a pivot away from its centre, with the hinge oblique to the link.
    let moments = DMat3::from_diagonal(DVec3::new(0.02, 0.05, 0.04));
    let link = LinkSpec::new("box", 1.5, DVec3::new(0.1, 0.0, -0.2), moments);
    let (model, mut state) = single(JointSpec::revolute(DVec3::Y), link, true);
    let lever = (0.1_f64 * 0.1 + 0.2 * 0.2).sqrt();
    let rest = libm::atan2(0.1, 0.2);
    state.q[0] = rest + 1e-4;
    let exact = TAU * ((0.05 + 1.5 * lever * lever) / (1.5 * G * lever)).sqrt();
    let found = period(&upward_crossings(&mut Rk4::new(&model), (model.clone(), state), 1e-3, 10.0, |s| s.q[0] - rest));
    assert!((found / exact - 1.0).abs() < 1e-8, "{found} {exact}");
}

#[test]
fn a_prismatic_oscillator_is_a_sine() {
    let properties = AxisProperties { stiffness: 50.0, rest: 0.2, ..Default::default() };
    let link = LinkSpec::new("mass", 2.0, DVec3::ZERO, DMat3::IDENTITY);
    let (model, mut state) = single(JointSpec::prismatic(DVec3::X).with(properties), link, false);
    state.q[0] = 0.3;
    let mut coarse = state.clone();
    run(&mut Rk4::new(&model), &model, &mut state, &mut (), 1e-3, 3000).unwrap();
    assert!((state.q[0] - (0.2 + 0.1 * libm::cos(15.0))).abs() < 1e-10);
    // The default step is the trapezoidal rule here: the amplitude is exact, the frequency is 2/h atan(h w / 2).
    let h = 1.0 / 240.0;
    run(&mut SemiImplicitMidpoint::new(&model), &model, &mut coarse, &mut (), h, 720).unwrap();
    let frequency = 2.0 / h * libm::atan(0.5 * h * 5.0);
    assert!((coarse.q[0] - (0.2 + 0.1 * libm::cos(3.0 * frequency))).abs() < 1e-12);
}

#[test]
fn a_projectile_flies_a_parabola_and_spins_on() {
    let link = LinkSpec::new("ball", 2.0, DVec3::new(0.1, 0.2, 0.3), DMat3::IDENTITY);
    for coarse in [false, true] {
        let (model, mut state) = single(JointSpec::free(), link.clone(), true);
        let start = state.q.clone();
        let velocity = Motion::new(DVec3::new(0.0, 3.0, 0.0), DVec3::new(4.0, 0.0, 10.0));
        state.set_free_velocity(&model, 0, velocity);
        let mut integrator: Box<dyn Integrator> =
            if coarse { Box::new(SemiImplicitMidpoint::new(&model)) } else { Box::new(Rk4::new(&model)) };
        run(&mut *integrator, &model, &mut state, &mut (), 0.01, 150).unwrap();
        let expected = [start[0] + 4.0 * 1.5, start[1], start[2] + 10.0 * 1.5 - 0.5 * G * 1.5 * 1.5];
        for (found, expected) in state.q.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{:?}", state.q);
        }
        assert!((state.q[4] - libm::sin(2.25)).abs() < 1e-8 && (state.q[6] - libm::cos(2.25)).abs() < 1e-8);
    }
}

#[test]
fn a_free_axisymmetric_top_precesses_at_its_rate() {
    let (transverse, axial) = (0.3, 0.5);
    let moments = DMat3::from_diagonal(DVec3::new(transverse, transverse, axial));
    let (model, mut state) = single(JointSpec::free(), LinkSpec::new("top", 1.0, DVec3::ZERO, moments), false);
    let spin = DVec3::new(1.0, 0.0, 4.0);
    state.set_free_velocity(&model, 0, Motion::new(spin, DVec3::ZERO));
    // The axis rotates about the angular momentum at |L| / I1.
    let momentum = moments * spin;
    let rate = momentum.length() / transverse;
    let about = momentum.normalize();
    run(&mut Rk4::new(&model), &model, &mut state, &mut (), 1e-3, 5000).unwrap();
    let expected = DQuat::from_axis_angle(about, rate * 5.0) * DVec3::Z;
    let found = DQuat::from_slice(&state.q[3..]) * DVec3::Z;
    assert!((found - expected).length() < 1e-9, "{found} {expected}");
}

#[test]
fn the_intermediate_axis_flips_with_the_jacobi_period() {
    let (i1, i2, i3) = (0.02, 0.05, 0.06);
    let moments = DMat3::from_diagonal(DVec3::new(i1, i2, i3));
    let (model, mut state) = single(JointSpec::free(), LinkSpec::new("book", 1.0, DVec3::ZERO, moments), false);
    let w = DVec3::new(0.02, 5.0, 0.01);
    state.set_free_velocity(&model, 0, Motion::new(w, DVec3::ZERO));
    // Landau and Lifshitz, section 37, for moments I1 < I2 < I3; M^2 may be on either side of 2 E I2.
    let twice_energy = i1 * w.x * w.x + i2 * w.y * w.y + i3 * w.z * w.z;
    let squared = (moments * w).length_squared();
    let (a, c) = if squared > twice_energy * i2 { (i1, i3) } else { (i3, i1) };
    let modulus = ((i2 - a) * (twice_energy * c - squared) / ((c - i2) * (squared - twice_energy * a))).sqrt();
    let scale = (a * i2 * c / ((c - i2) * (squared - twice_energy * a))).sqrt();
    let exact = 4.0 * elliptic_k(modulus) * scale;
    let along = |s: &State| (DQuat::from_slice(&s.q[3..]).conjugate() * DVec3::from_slice(&s.v)).y;
    let found = period(&upward_crossings(&mut Rk4::new(&model), (model.clone(), state), 1e-3, 60.0, along));
    assert!((found / exact - 1.0).abs() < 1e-7, "{found} {exact}");
}

#[test]
fn a_heavy_top_precesses_steadily() {
    // Steady precession: I1 W^2 cos t - I3 s W + m g l = 0, with s the total spin along the axis.
    let (mass, lever, transverse, axial, tilt) = (1.0, 0.1, 0.002, 0.003, 0.5);
    let about_tip = transverse + mass * lever * lever;
    let moments = DMat3::from_diagonal(DVec3::new(transverse, transverse, axial));
    let link = LinkSpec::new("top", mass, DVec3::new(0.0, 0.0, lever), moments);
    let (model, mut state) = single(JointSpec::spherical(), link, true);
    let spin = 100.0;
    let (sine, cosine) = libm::sincos(tilt);
    let root = (axial * axial * spin * spin - 4.0 * about_tip * cosine * mass * G * lever).sqrt();
    let precession = (axial * spin - root) / (2.0 * about_tip * cosine);
    let orientation = DQuat::from_rotation_y(tilt);
    state.q.copy_from_slice(&orientation.to_array());
    // Along the link's own axes: the precession about z, and the remaining spin along the axis.
    state.v.copy_from_slice(&[-precession * sine, 0.0, spin]);
    run(&mut Rk4::new(&model), &model, &mut state, &mut (), 2e-4, 10_000).unwrap();
    let axis = DQuat::from_slice(&state.q) * DVec3::Z;
    let expected = DQuat::from_rotation_z(precession * 2.0) * orientation * DVec3::Z;
    assert!((axis - expected).length() < 1e-6, "{axis} {expected}");
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let mut builder = ModelBuilder::new();
    let bob = || LinkSpec::new("bob", 1.0, DVec3::new(0.0, 0.0, -1.0), DMat3::IDENTITY * 1e-3);
    let upper = builder.add_link(None, JointSpec::revolute(DVec3::Y), bob());
    let joint = JointSpec::revolute(DVec3::Y).in_parent(Pose::from_translation(DVec3::new(0.0, 0.0, -1.0)));
    builder.add_link(Some(upper), joint, bob());
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.q.copy_from_slice(&[2.0, 1.0]);
    let mut workspace = Workspace::new(&model);
    let before = energy(&model, &state, &mut workspace);
    run(&mut Rk4::new(&model), &model, &mut state, &mut (), 1e-3, 20_000).unwrap();
    let after = energy(&model, &state, &mut workspace);
    assert!((after - before).abs() < 1e-7 * 4.0 * G, "{before} {after}");
}

/// Returns a bead of 0.5 kg that slides along an arm, rotating at 2 rad/s with the bead at 0.1 m.
fn bead_on_arm(inertia: f64) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let arm = LinkSpec::new("arm", 1.0, DVec3::ZERO, DMat3::IDENTITY * inertia);
    let arm = builder.add_link(None, JointSpec::revolute(DVec3::Z), arm);
    let bead = LinkSpec::new("bead", 0.5, DVec3::ZERO, DMat3::IDENTITY * 1e-6);
    builder.add_link(Some(arm), JointSpec::prismatic(DVec3::X), bead);
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    (state.q[1], state.v[0]) = (0.1, 2.0);
    (model, state)
}

#[test]
fn a_slide_on_a_rotating_arm_feels_centrifugal_and_coriolis_forces() {
    // The arm keeps a constant speed by its large inertia: r'' = w^2 r, so r = r0 cosh(w t).
    let (model, mut state) = bead_on_arm(1e9);
    run(&mut Rk4::new(&model), &model, &mut state, &mut (), 1e-3, 1500).unwrap();
    let expected = 0.1 * libm::cosh(3.0);
    assert!((state.q[1] - expected).abs() < 1e-8, "{} {expected}", state.q[1]);

    // A light arm: the bead slows it as angular momentum moves outward (Coriolis).
    let (model, mut state) = bead_on_arm(0.02);
    let about = |r: f64| 0.02 + 1e-6 + 0.5 * r * r;
    run(&mut Rk4::new(&model), &model, &mut state, &mut (), 1e-3, 1500).unwrap();
    assert!((state.v[0] - 2.0 * about(0.1) / about(state.q[1])).abs() < 1e-10);
    let mut workspace = Workspace::new(&model);
    update_kinematics(&model, &state, &mut workspace);
    assert!(state.q[1] > 0.3);
}
