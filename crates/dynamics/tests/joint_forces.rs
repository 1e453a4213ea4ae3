//! Springs, dampers, motors and servos, explicit and implicit.

use crate::motion_support::{Joints, box_link, random_tree, random_tree_with, run};
use burgess_dynamics::integrators::{Integrator, Rk4, SemiImplicitEuler, SemiImplicitMidpoint, advance_positions};
use burgess_dynamics::{
    AxisProperties, ImplicitJointForces, JointSpec, Model, ModelBuilder, Motor, State, Workspace, joint_efforts,
    limit_violation, share_of_step, spring_energy,
};
use glam::DVec3;
use rand::{RngExt, SeedableRng};

fn one(joint: JointSpec) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.add_link(None, joint, box_link("link", 1.0, DVec3::ZERO, DVec3::new(0.3, 0.2, 0.1)));
    let model = builder.build().unwrap();
    let state = State::new(&model);
    (model, state)
}

fn slide(properties: AxisProperties) -> (Model, State) {
    one(JointSpec::prismatic(DVec3::X).with(properties))
}

fn efforts(model: &Model, state: &State) -> Vec<f64> {
    let mut efforts = vec![0.0; model.dofs()];
    joint_efforts(model, &state.motors, &state.q, &state.v, &mut efforts);
    efforts
}

#[test]
fn efforts_follow_their_laws() {
    let passive = AxisProperties { stiffness: 3.0, rest: 0.5, damping: 2.0, ..Default::default() };
    let with = |motor, max_effort| AxisProperties { motor, max_effort, ..passive };
    let position = Motor::Position { target: 2.0, stiffness: 10.0, damping: 1.0 };
    for (properties, expected) in [
        (passive, 3.0 * (0.5 - 0.1) - 2.0 * 0.7),
        (with(Motor::Effort(4.0), 3.0), 3.0 * 0.4 - 1.4 + 3.0),
        (with(Motor::Effort(-4.0), 3.0), 3.0 * 0.4 - 1.4 - 3.0),
        (with(Motor::Velocity { target: 1.0, gain: 5.0 }, 9.0), 3.0 * 0.4 - 1.4 + 5.0 * 0.3),
        (with(position, 100.0), 3.0 * 0.4 - 1.4 + 10.0 * 1.9 - 0.7),
        (with(position, 6.0), 3.0 * 0.4 - 1.4 + 6.0),
    ] {
        let (model, mut state) = slide(properties);
        (state.q[0], state.v[0]) = (0.1, 0.7);
        assert!((efforts(&model, &state)[0] - expected).abs() < 1e-14, "{properties:?}");
    }
}

#[test]
fn springs_are_the_gradient_of_their_energy() {
    // Every joint, unequal stiffness of the three axes of a ball joint, rest position away from zero.
    let random = &mut rand_pcg::Pcg64Mcg::seed_from_u64(1);
    for joints in [Joints::Spherical, Joints::Mixed, Joints::Compound] {
        let (plain, _) = random_tree(9, 4, joints, true, DVec3::ZERO, 1.0);
        let springs: Vec<(f64, f64)> =
            (0..plain.dofs()).map(|_| (random.random_range(0.5..5.0), random.random_range(-0.5..0.5))).collect();
        let (model, mut state) = random_tree_with(9, 4, joints, true, DVec3::ZERO, 1.0, |index, joint| {
            let name = format!("link {index}");
            let first = (0..4).find(|&link| plain.name(link) == name).map(|link| plain.links()[link].v).unwrap();
            for (p, &(stiffness, rest)) in joint.properties_mut().into_iter().zip(&springs[first..]) {
                (p.stiffness, p.rest) = (stiffness, rest);
            }
        });
        let v = state.v.clone();
        advance_positions(&model, &mut state.q, &v, 0.9);
        let power: f64 = efforts(&model, &state).iter().zip(&v).map(|(e, v)| e * v).sum();
        let energy_after = |time: f64| {
            let mut q = state.q.clone();
            advance_positions(&model, &mut q, &v, time);
            spring_energy(&model, &q)
        };
        let rate = (energy_after(1e-5) - energy_after(-1e-5)) / 2e-5;
        assert!((power + rate).abs() < 1e-8 * rate.abs().max(1.0), "{joints:?}: {power} {rate}");
    }
}

#[test]
fn implicit_parts_are_armature_damping_and_stiffness() {
    let servo = Motor::Position { target: 1.0, stiffness: 100.0, damping: 7.0 };
    let properties = AxisProperties { armature: 0.3, damping: 2.0, motor: servo, ..Default::default() };
    let (model, mut state) = slide(properties);
    (state.q[0], state.v[0]) = (0.2, 0.5);
    let mut forces = ImplicitJointForces::new(&model);
    let h = 0.01;
    forces.prepare((&model, &state.motors), (&state.q, &state.v), h, 0.0);
    // The mass is 1 kg, the armature 0.3 kg.
    let passive = share_of_step(h * 2.0 / 1.3);
    let servo = h * share_of_step(h * (9.0 + h * 100.0) / 1.3);
    assert!((forces.diagonal[0] - (0.3 + h * passive * 2.0 + servo * (7.0 + servo * 100.0))).abs() < 1e-15);
    let ahead = 0.2 + servo * 0.5;
    assert!((forces.efforts[0] - (100.0 * (1.0 - ahead) - 9.0 * 0.5)).abs() < 1e-12);
}

#[test]
fn stiff_servos_settle_at_any_stiffness() {
    for stiffness in [1e2, 1e4, 1e6, 1e9, 1e12] {
        for joint in [JointSpec::prismatic(DVec3::X), JointSpec::revolute(DVec3::Z), JointSpec::spherical()] {
            let motor =
                Motor::Position { target: 0.5, stiffness, damping: (0.02 * stiffness).max(2.0 * stiffness.sqrt()) };
            let (model, mut state) = one(joint.with(AxisProperties { motor, ..Default::default() }));
            state.v[0] = 3.0;
            run(&mut SemiImplicitMidpoint::new(&model), &model, &mut state, &mut (), 1.0 / 240.0, 600).unwrap();
            assert!(state.v.iter().all(|v| v.abs() < 1e-3), "{stiffness} {:?}", state.v);
            if state.q.len() == 1 {
                assert!((state.q[0] - 0.5).abs() < 1e-3, "{stiffness} {:?}", state.q);
            } else {
                // The target (0.5, 0.5, 0.5) is a rotation vector.
                let half = 0.5 * (0.75_f64).sqrt();
                assert!((state.q[3].abs() - libm::cos(half)).abs() < 1e-3, "{stiffness} {:?}", state.q);
            }
        }
    }
}

#[test]
fn stiff_passive_springs_stay_bounded_and_keep_their_energy() {
    for stiffness in [1.0, 1e4, 1e8] {
        let (model, mut state) = slide(AxisProperties { stiffness, ..Default::default() });
        state.q[0] = 0.1;
        let before = spring_energy(&model, &state.q);
        run(&mut SemiImplicitMidpoint::new(&model), &model, &mut state, &mut (), 1.0 / 240.0, 10_000).unwrap();
        let after = spring_energy(&model, &state.q) + 0.5 * state.v[0] * state.v[0];
        assert!((after / before - 1.0).abs() < 1e-9, "{stiffness}: {before} {after}");
    }
}

#[test]
fn a_servo_at_its_bound_gives_exactly_its_bound() {
    // Far from its target a strong servo accelerates a mass of 1 kg with its maximum effort.
    let motor = Motor::Position { target: 100.0, stiffness: 1e6, damping: 1e3 };
    let (model, mut state) = slide(AxisProperties { motor, max_effort: 2.0, ..Default::default() });
    for integrator in [
        &mut SemiImplicitMidpoint::new(&model) as &mut dyn Integrator,
        &mut SemiImplicitEuler::new(&model),
        &mut Rk4::new(&model),
    ] {
        let before = state.v[0];
        run(integrator, &model, &mut state, &mut (), 1e-3, 100).unwrap();
        assert!((state.v[0] - before - 0.2).abs() < 1e-12, "{}", state.v[0]);
    }
}

#[test]
fn a_bounded_stiff_servo_neither_explodes_nor_chatters() {
    let motor = Motor::Position { target: 0.3, stiffness: 1e8, damping: 3e7 };
    let (model, mut state) = slide(AxisProperties { motor, max_effort: 5.0, ..Default::default() });
    state.v[0] = 1.0;
    let mut workspace = Workspace::new(&model);
    let mut step = SemiImplicitMidpoint::new(&model);
    for k in 0..1200 {
        let before = state.v[0];
        step.step(&model, &mut state, &mut (), &mut workspace, 1.0 / 240.0).unwrap();
        assert!((state.v[0] - before).abs() <= 5.0 / 240.0 * (1.0 + 1e-9), "more than its effort at step {k}");
    }
    assert!((state.q[0] - 0.3).abs() < 1e-6 && state.v[0].abs() < 1e-6, "{} {}", state.q[0], state.v[0]);
}

#[test]
fn limits_are_measured() {
    let (model, mut state) = slide(AxisProperties { limit: Some((-1.0, 2.0)), ..Default::default() });
    for (q, expected) in [(0.0, 0.0), (2.0, 0.0), (2.5, 0.5), (-1.25, -0.25)] {
        state.q[0] = q;
        assert_eq!(limit_violation(&model, 0, 0, &state.q), expected);
        assert_eq!(limit_violation(&model, 0, 1, &state.q), 0.0);
    }
    let ball = AxisProperties { limit: Some((0.0, 0.5)), ..Default::default() };
    let (model, mut state) = one(JointSpec::spherical().with(ball));
    advance_positions(&model, &mut state.q, &[0.0, 0.8, 0.0], 1.0);
    assert!((limit_violation(&model, 0, 0, &state.q) - 0.3).abs() < 1e-14);
}
