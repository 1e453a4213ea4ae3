//! Forward dynamics, inverse dynamics and the mass matrix compared with dense algebra that shares no kinematics with
//! them.
//!
//! Residuals are relative to the sum of the absolute values of the summands (backward error): joint accelerations
//! themselves may differ by the condition number of the tree, which is unbounded.

use crate::oracle;
use crate::oracle::random::{Case, JointKind, Random, SORTS};
use crate::oracle::{Dense, dense};
use burgess_dynamics::{
    JointSpec, LinkSpec, ModelBuilder, State, Workspace, bias_efforts, forward_dynamics, inverse_dynamics, mass_matrix,
    update_kinematics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-12;

/// Returns the largest of |M a + b - tau|, each relative to its summands.
fn backward_error(truth: &Dense, accelerations: &[f64], efforts: &[f64]) -> f64 {
    let a = DVector::from_column_slice(accelerations);
    let tau = DVector::from_column_slice(efforts);
    let residual = &truth.mass_matrix * &a + &truth.bias - &tau;
    let scale = truth.mass_matrix.abs() * a.abs() + truth.bias.abs() + tau.abs();
    assert!(accelerations.iter().chain(efforts).all(|x| x.is_finite()), "only numbers can be compared");
    residual.iter().zip(&scale).map(|(r, s)| r.abs() / s.max(f64::MIN_POSITIVE)).fold(0.0, f64::max)
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let (model, state) = (&case.model, &case.state);
    let truth = dense(model, &case.bodies, state, &case.externals);
    let dofs = model.dofs();
    let mut workspace = case.workspace();

    let m = mass_matrix(model, &workspace);
    let found = DMatrix::from_row_slice(dofs, dofs, m.as_slice());
    for (row, column) in (0..dofs).flat_map(|i| (0..dofs).map(move |j| (i, j))) {
        prop_assert_eq!(m.get(row, column), m.get(column, row));
        let error = (found[(row, column)] - truth.mass_matrix[(row, column)]).abs();
        prop_assert!(error <= TOLERANCE * truth.mass_scale[(row, column)], "M({row}, {column}) is off by {error}");
    }
    prop_assert!(found.clone().cholesky().is_some(), "M is not positive definite");

    // Twice the kinetic energy, and the sum over the links.
    let zero = vec![0.0; dofs];
    let moving = oracle::motions(model, &case.bodies, &state.q, &state.v, &zero);
    let energy: f64 = (moving.iter().zip(&case.bodies))
        .map(|(m, b)| {
            let v = model.links()[model.index(b.id).unwrap()].v;
            let drives = b.armature.iter().zip(&state.v[v..]).map(|(a, v)| a * v * v).sum::<f64>();
            b.mass * m.velocity.norm_squared() + m.spin.dot(&(m.inertia * m.spin)) + drives
        })
        .sum();
    let mut momentum = vec![0.0; dofs];
    m.multiply(&state.v, &mut momentum);
    let from_matrix: f64 = momentum.iter().zip(&state.v).map(|(p, v)| p * v).sum();
    let speed = DVector::from_column_slice(&state.v).abs();
    let scale = (speed.transpose() * &truth.mass_scale * &speed).sum();
    prop_assert!((energy - from_matrix).abs() <= TOLERANCE * scale);

    let mut efforts = vec![0.0; dofs];
    bias_efforts(model, state, &mut workspace, &mut efforts);
    for (k, effort) in efforts.iter().enumerate() {
        let error = (effort - truth.bias[k]).abs();
        prop_assert!(error <= TOLERANCE * truth.bias_scale[k], "b({k}) is off by {error}");
    }

    forward_dynamics(model, state, &case.efforts, &mut workspace);
    let accelerations = workspace.joint_acceleration().to_vec();
    let error = backward_error(&truth, &accelerations, &case.efforts);
    prop_assert!(error <= TOLERANCE, "forward dynamics: backward error {error}");

    inverse_dynamics(model, state, &accelerations, &mut workspace, &mut efforts);
    let error = backward_error(&truth, &accelerations, &efforts);
    prop_assert!(error <= TOLERANCE, "inverse dynamics: backward error {error}");
    Ok(())
}

#[test]
fn every_joint_alone() {
    for seed in 0..50 {
        for kind in SORTS.into_iter().chain([JointKind::Free]) {
            check(&Random::new(seed).case(&[kind], 1)).unwrap_or_else(|e| panic!("{kind:?}, seed {seed}: {e}"));
        }
    }
}

#[test]
fn every_joint_between_two_links() {
    for seed in 0..20 {
        for kind in SORTS {
            for root in SORTS.into_iter().chain([JointKind::Free]) {
                let case = Random::new(seed).case(&[root, kind, kind], usize::MAX);
                check(&case).unwrap_or_else(|e| panic!("{kind:?} on {root:?}, seed {seed}: {e}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        check(&Random::new(seed).forest(links))?;
    }
}

/// Rotating a frame about its own axis in the world once multiplied rounding errors at every hinge of a stack: after 60
/// links, a rotation matrix was no longer orthonormal.
#[test]
fn frames_stay_orthonormal_along_a_chain_of_stacks() {
    let case = Random::new(3).case(&[JointKind::Stack(6); 60], usize::MAX);
    let mut workspace = Workspace::new(&case.model);
    update_kinematics(&case.model, &case.state, &mut workspace);
    let zero = vec![0.0; case.model.dofs()];
    let truth = oracle::motions(&case.model, &case.bodies, &case.state.q, &zero, &zero);
    for (body, truth) in case.bodies.iter().zip(truth) {
        let link = case.model.index(body.id).unwrap();
        let found = oracle::vector(workspace.pose(&case.model, link).transform_point(body.center));
        // Some 400 transforms, each of a few roundings of positions up to a few metres.
        assert!((found - truth.center).norm() < 1e-12);
    }
}

/// The shortest rotation from z to an axis loses half of the digits where the axis is nearly z or its opposite.
#[test]
fn axes_close_to_z_are_kept_exactly() {
    for tilt in [0.0, 1e-9, 1.5e-8, 1e-7, 1e-4] {
        for z in [-1.0, 1.0] {
            let axis = DVec3::new(tilt, -0.5 * tilt, z);
            let mut builder = ModelBuilder::new();
            let link = LinkSpec::new("link", 1.0, DVec3::ZERO, DMat3::IDENTITY);
            builder.add_link(None, JointSpec::prismatic(axis), link);
            let model = builder.build().unwrap();
            let mut state = State::new(&model);
            state.q[0] = 1.0;
            let mut workspace = Workspace::new(&model);
            update_kinematics(&model, &state, &mut workspace);
            let error = (workspace.pose(&model, 0).translation - axis.normalize()).length();
            assert!(error < 1e-15, "axis {axis}: off by {error}");
        }
    }
}

/// A quaternion of any non-zero length stands for a rotation; it must not scale the link.
#[test]
fn frames_with_quaternions_of_any_length_are_rotations() {
    let turn = DQuat::from_xyzw(0.2, -0.4, 0.1, 0.8);
    let model_with = |rotation: DQuat| {
        let frame = Pose::new(rotation, DVec3::X);
        let mut builder = ModelBuilder::new();
        let link = LinkSpec::new("link", 1.0, DVec3::Y, DMat3::IDENTITY);
        builder.add_link(None, JointSpec::revolute(DVec3::X).in_parent(frame).in_child(frame), link);
        builder.build().unwrap()
    };
    let accelerations = [turn.normalize(), turn].map(|rotation| {
        let model = model_with(rotation);
        let mut workspace = Workspace::new(&model);
        forward_dynamics(&model, &State::new(&model), &[1.0], &mut workspace);
        workspace.joint_acceleration()[0]
    });
    assert!((accelerations[0] - accelerations[1]).abs() < 1e-13);
}
