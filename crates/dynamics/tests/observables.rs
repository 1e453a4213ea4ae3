//! Totals, points and joint reactions compared with sums over links in maximal coordinates, and closed forms.

use crate::oracle;
use crate::oracle::random::{Case, Random};
use crate::oracle::{glam_vector, motions, vector};
use burgess_dynamics::{
    JointSpec, LinkSpec, ModelBuilder, State, Workspace, forward_dynamics, inverse_dynamics, observables,
    tree_observables, update_kinematics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DVec3};
use nalgebra::{DVector, Vector3};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-12;

fn check_points(case: &Case, random: &mut Random) -> Result<(), TestCaseError> {
    let mut workspace = case.workspace();
    forward_dynamics(&case.model, &case.state, &case.efforts, &mut workspace);
    let accelerations = workspace.joint_acceleration().to_vec();
    let truth = motions(&case.model, &case.bodies, &case.state.q, &case.state.v, &accelerations);
    let jacobians = oracle::dense(&case.model, &case.bodies, &case.state, &[]).jacobian_scales;
    let (speeds, rates) =
        (DVector::from_column_slice(&case.state.v).abs(), DVector::from_column_slice(&accelerations).abs());
    for (body, truth) in truth.iter().enumerate() {
        let link = case.link(body);
        let local = random.vector(0.5);
        let point = workspace.position(&case.model, link, local);
        let expected = truth.pose.transform_point(&vector(local).into());
        prop_assert!((vector(point) - expected.coords).norm() <= TOLERANCE * (1.0 + expected.coords.norm()));
        let anchor = vector(workspace.anchor(link));
        prop_assert!((anchor - truth.anchor).norm() <= TOLERANCE * (1.0 + truth.anchor.norm()));

        // The magnitudes of all terms: those of speeds, of their squares, of accelerations.
        let speed = (&jacobians[body] * &speeds).sum() + 1.0;
        let rate = (&jacobians[body] * &rates).sum() + speed * speed;
        let (velocity, acceleration) = truth.at(vector(point));
        let found = workspace.velocity_at(link, point);
        prop_assert!((vector(found.angular) - truth.spin).norm() <= TOLERANCE * speed);
        prop_assert!((vector(found.linear) - velocity).norm() <= TOLERANCE * speed);
        let found = workspace.acceleration_at(&case.model, link, point);
        prop_assert!((vector(found.angular) - truth.spin_rate).norm() <= TOLERANCE * rate);
        prop_assert!((vector(found.linear) - acceleration).norm() <= TOLERANCE * rate);
    }
    check_reactions(case, &workspace, &truth, &accelerations)?;
    // Inverse dynamics of the same motion gives the same.
    let mut efforts = vec![0.0; case.model.dofs()];
    inverse_dynamics(&case.model, &case.state, &accelerations, &mut workspace, &mut efforts);
    check_reactions(case, &workspace, &truth, &accelerations)
}

/// The reaction at a joint is the force that its subtree needs, minus the external forces on the subtree.
fn check_reactions(
    case: &Case,
    workspace: &Workspace,
    truth: &[oracle::Moving],
    accelerations: &[f64],
) -> Result<(), TestCaseError> {
    let jacobians = oracle::dense(&case.model, &case.bodies, &case.state, &[]).jacobian_scales;
    let (speeds, rates) =
        (DVector::from_column_slice(&case.state.v).abs(), DVector::from_column_slice(accelerations).abs());
    for body in 0..case.bodies.len() {
        let anchor = truth[body].anchor;
        let (mut moment, mut force, mut scale) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        for (other, m) in truth.iter().enumerate().filter(|(other, _)| case.hangs_on(*other, body)) {
            let b = &case.bodies[other];
            let needed = b.mass * (m.acceleration - vector(case.model.gravity));
            let turning = m.inertia * m.spin_rate + m.spin.cross(&(m.inertia * m.spin));
            force += needed;
            moment += turning + (m.center - anchor).cross(&needed);
            let speed = (&jacobians[other] * &speeds).sum() + 1.0;
            let rate = (&jacobians[other] * &rates).sum() + speed * speed + case.model.gravity.length();
            scale += (b.mass + m.inertia.norm()) * rate * (1.0 + (m.center - anchor).norm());
            for e in case.externals.iter().filter(|e| e.body == other) {
                let arm = vector(e.point) - anchor;
                force -= vector(e.force);
                moment -= vector(e.moment) + arm.cross(&vector(e.force));
                scale += (1.0 + arm.norm()) * (e.force.length() + e.moment.length());
            }
        }
        let found = workspace.joint_reaction(case.link(body));
        prop_assert!((vector(found.force) - force).norm() <= TOLERANCE * scale, "force at {body}");
        prop_assert!((vector(found.moment) - moment).norm() <= TOLERANCE * scale, "moment at {body}");
    }
    Ok(())
}

fn check_totals(case: &Case) -> Result<(), TestCaseError> {
    let (model, state) = (&case.model, &case.state);
    let workspace = case.workspace();
    let zero = vec![0.0; model.dofs()];
    let truth = motions(model, &case.bodies, &state.q, &state.v, &zero);
    let roots: Vec<usize> = (0..case.bodies.len()).filter(|&b| case.bodies[b].parent.is_none()).collect();
    let mut whole = (0.0, DVec3::ZERO, 0.0);
    for &root in &roots {
        let (mut mass, mut center, mut momentum, mut about_origin) =
            (0.0, Vector3::zeros(), Vector3::zeros(), Vector3::zeros());
        let (mut kinetic, mut potential, mut scale) = (0.0, 0.0, 0.0);
        for (body, m) in truth.iter().enumerate().filter(|(body, _)| case.hangs_on(*body, root)) {
            let b = &case.bodies[body];
            mass += b.mass;
            center += b.mass * m.center;
            momentum += b.mass * m.velocity;
            about_origin += b.mass * m.center.cross(&m.velocity) + m.inertia * m.spin;
            let v = model.links()[case.link(body)].v;
            let drives: f64 = b.armature.iter().zip(&state.v[v..]).map(|(a, v)| a * v * v).sum();
            kinetic += 0.5 * (b.mass * m.velocity.norm_squared() + m.spin.dot(&(m.inertia * m.spin)) + drives);
            potential -= b.mass * vector(model.gravity).dot(&m.center);
            let length = 1.0 + m.center.norm() + model.gravity.length();
            let speed = 1.0 + m.velocity.norm() + m.spin.norm() * length;
            scale += b.mass * length * length * speed * speed;
        }
        center /= mass;
        let found = tree_observables(model, state, &workspace, case.link(root));
        let bound = TOLERANCE * scale;
        prop_assert!((found.mass - mass).abs() <= bound);
        prop_assert!((vector(found.center_of_mass) - center).norm() * mass <= bound);
        prop_assert!((vector(found.linear_momentum) - momentum).norm() <= bound);
        let about_center = about_origin - center.cross(&momentum);
        prop_assert!((vector(found.angular_momentum) - about_center).norm() <= bound);
        prop_assert!((vector(found.angular_momentum_about(DVec3::ZERO)) - about_origin).norm() <= bound);
        prop_assert!((found.kinetic_energy - kinetic).abs() <= bound);
        prop_assert!((found.potential_energy - potential).abs() <= bound);
        whole = (whole.0 + kinetic + potential, whole.1 + glam_vector(momentum), whole.2 + scale);
    }
    let found = observables(model, state, &workspace);
    prop_assert!((found.energy() - whole.0).abs() <= TOLERANCE * whole.2);
    prop_assert!((found.linear_momentum - whole.1).length() <= TOLERANCE * whole.2);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn points_and_reactions_of_random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        let mut random = Random::new(seed);
        check_points(&random.forest(links), &mut random)?;
    }

    #[test]
    fn totals_of_random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        check_totals(&Random::new(seed).forest(links))?;
    }
}

/// A chain that hangs straight down is at rest, and every joint carries the weight below it.
#[test]
fn a_hanging_chain_pulls_at_its_joints() {
    let mut builder = ModelBuilder::new();
    let mut parent = None;
    for (k, joint) in [JointSpec::spherical(), JointSpec::revolute(DVec3::Y), JointSpec::weld(), JointSpec::spherical()]
        .into_iter()
        .enumerate()
    {
        let link = LinkSpec::new("link", 1.0 + k as f64, DVec3::new(0.0, 0.0, -0.5), DMat3::IDENTITY * 0.1);
        let joint = if k == 0 { joint } else { joint.in_parent(Pose::from_translation(-DVec3::Z)) };
        parent = Some(builder.add_link(parent, joint, link));
    }
    let model = builder.build().unwrap();
    let mut workspace = Workspace::new(&model);
    let efforts = vec![0.0; model.dofs()];
    forward_dynamics(&model, &State::new(&model), &efforts, &mut workspace);
    for (k, mass) in [10.0, 9.0, 7.0, 4.0].into_iter().enumerate() {
        let reaction = workspace.joint_reaction(k);
        assert!((reaction.force - DVec3::new(0.0, 0.0, mass * 9.81)).length() < 1e-12);
        assert!(reaction.moment.length() < 1e-12);
        assert!((workspace.anchor(k) - DVec3::new(0.0, 0.0, -(k as f64))).length() < 1e-15);
    }
}

/// An arm that spins about a vertical axis pulls with m w^2 r towards it, and its weight loads the hinge.
#[test]
fn a_spinning_arm_is_held_by_its_hinge() {
    let mut builder = ModelBuilder::new();
    let arm = LinkSpec::new("arm", 2.0, DVec3::new(0.7, 0.0, 0.0), DMat3::IDENTITY * 0.05);
    builder.add_link(None, JointSpec::revolute(DVec3::Z), arm);
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.v[0] = 3.0;
    let mut workspace = Workspace::new(&model);
    forward_dynamics(&model, &state, &[0.0], &mut workspace);
    let reaction = workspace.joint_reaction(0);
    assert!((reaction.force - DVec3::new(-2.0 * 9.0 * 0.7, 0.0, 2.0 * 9.81)).length() < 1e-12);
    assert!((reaction.moment - DVec3::new(0.0, -2.0 * 9.81 * 0.7, 0.0)).length() < 1e-12);
    let tip = workspace.acceleration_at(&model, 0, DVec3::X);
    assert!((tip.linear - DVec3::new(-9.0, 0.0, 0.0)).length() < 1e-12);
}

/// A free body falls with g at all its points, unless it spins.
#[test]
fn a_free_body_falls() {
    let mut builder = ModelBuilder::new();
    builder.add_link(None, JointSpec::free(), LinkSpec::new("body", 2.0, DVec3::X, DMat3::IDENTITY));
    let model = builder.build().unwrap();
    let state = State::new(&model);
    let mut workspace = Workspace::new(&model);
    forward_dynamics(&model, &state, &[0.0; 6], &mut workspace);
    let acceleration = workspace.acceleration_at(&model, 0, DVec3::new(5.0, 4.0, 3.0));
    assert_eq!((acceleration.angular, acceleration.linear), (DVec3::ZERO, DVec3::new(0.0, 0.0, -9.81)));
    assert_eq!(workspace.joint_reaction(0).force, DVec3::ZERO);
}

#[test]
fn an_empty_model_has_no_totals() {
    let model = ModelBuilder::new().build().unwrap();
    let state = State::new(&model);
    let mut workspace = Workspace::new(&model);
    update_kinematics(&model, &state, &mut workspace);
    assert_eq!(observables(&model, &state, &workspace).energy(), 0.0);
}
