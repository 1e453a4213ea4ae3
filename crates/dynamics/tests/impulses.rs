//! Impulses compared with dense inverses. Errors are measured backwards: a result may differ from the exact one by as
//! much as changing the entries of the mass matrix and of the Jacobians in their twelfth digit would.

use crate::oracle;
use crate::oracle::random::{Case, JointKind, Random, SORTS};
use crate::oracle::{Dense, cross, dense, matrix, vector};
use burgess_dynamics::spatial::Force;
use burgess_dynamics::{
    ContactPoint, ImpulseResponse, JointSpec, LinkSpec, ModelBuilder, State, Workspace, collision_matrix,
    coupling_matrix, forward_dynamics, inverse_inertia, observables,
};
use burgess_geometry::Pose;
use glam::{DMat3, DVec3};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-12;

struct Truth {
    dense: Dense,
    inverse: DMatrix<f64>,
    centers: Vec<nalgebra::Vector3<f64>>,
}

/// A Jacobian (rows by degrees of freedom), and the sums of absolute values of its summands.
struct Rows {
    values: DMatrix<f64>,
    scale: DMatrix<f64>,
}

impl Truth {
    fn new(case: &Case) -> Self {
        let dense = dense(&case.model, &case.bodies, &case.state, &case.externals);
        let inverse = dense.mass_matrix.clone().cholesky().unwrap().inverse();
        let zero = vec![0.0; case.model.dofs()];
        let moving = oracle::motions(&case.model, &case.bodies, &case.state.q, &zero, &zero);
        Self { dense, inverse, centers: moving.iter().map(|m| m.center).collect() }
    }

    /// Returns the Jacobian of the angular velocity (three rows) and of the velocity of a point (three) of a body.
    fn point(&self, body: usize, point: DVec3) -> Rows {
        let (jacobian, scale) = (&self.dense.jacobians[body], &self.dense.jacobian_scales[body]);
        let lever = vector(point) - self.centers[body];
        let (mut values, mut scale) = (jacobian.clone(), scale.clone());
        // v = v_c + w x r = v_c - [r] w.
        let swing = -cross(lever) * jacobian.rows(0, 3);
        let swing_scale = cross(lever).abs() * scale.rows(0, 3);
        values.rows_mut(3, 3).zip_apply(&swing, |v, s| *v += s);
        scale.rows_mut(3, 3).zip_apply(&swing_scale, |v, s| *v += s);
        Rows { values, scale }
    }

    /// Returns the Jacobian of the relative velocity at a contact, given with bodies for links.
    fn contact(&self, contact: &ContactPoint) -> Rows {
        let dofs = self.inverse.nrows();
        let (mut values, mut scale) = (DMatrix::zeros(3, dofs), DMatrix::zeros(3, dofs));
        for (body, sign) in [(contact.first, 1.0), (contact.second, -1.0)] {
            if let Some(body) = body {
                let rows = self.point(body, contact.point);
                values += rows.values.rows(3, 3) * sign;
                scale += rows.scale.rows(3, 3);
            }
        }
        Rows { values, scale }
    }

    /// Compares with `J M^-1 J'^T`.
    fn compare(&self, found: &DMatrix<f64>, at: &Rows, by: &Rows, what: &str) -> Result<(), TestCaseError> {
        let (moved_at, moved_by) = (&self.inverse * at.values.transpose(), &self.inverse * by.values.transpose());
        let expected = &at.values * &moved_by;
        let scale = moved_at.abs().transpose() * &self.dense.mass_scale * moved_by.abs()
            + &at.scale * moved_by.abs()
            + moved_at.abs().transpose() * by.scale.transpose()
            // Second order, for Jacobians that are zero except for rounding.
            + &at.scale * self.inverse.abs() * by.scale.transpose() * TOLERANCE;
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let error = (found - expected).abs();
            prop_assert!(error <= TOLERANCE * scale[k], "{what}: entry {k} is {found}, not {expected}");
        }
        Ok(())
    }
}

fn dynamic(m: &DMat3) -> DMatrix<f64> {
    DMatrix::from_column_slice(3, 3, matrix(m).as_slice())
}

fn prepared(case: &Case) -> Workspace {
    let mut workspace = case.workspace();
    forward_dynamics(&case.model, &case.state, &case.efforts, &mut workspace);
    workspace
}

/// Returns a contact between bodies, and the same between links.
fn random_contact(case: &Case, random: &mut Random) -> (ContactPoint, ContactPoint) {
    let mut side = || (random.below(5) > 0).then(|| random.below(case.bodies.len()));
    let (first, second) = (side(), side());
    let bodies = ContactPoint { first, second, point: random.vector(2.0) };
    let link = |body: Option<usize>| body.map(|body| case.link(body));
    (bodies, ContactPoint { first: link(first), second: link(second), ..bodies })
}

fn check_contacts(case: &Case, random: &mut Random) -> Result<(), TestCaseError> {
    let truth = Truth::new(case);
    let workspace = prepared(case);
    for _ in 0..4 {
        let (of_bodies, of_links) = random_contact(case, random);
        let rows = truth.contact(&of_bodies);
        let k = collision_matrix(&case.model, &workspace, &of_links);
        truth.compare(&dynamic(&k), &rows, &rows, "K")?;
        prop_assert_eq!(k, k.transpose());
        let eigenvalues = matrix(&k).symmetric_eigenvalues();
        prop_assert!(eigenvalues.min() >= -1e-12 * eigenvalues.max().abs(), "K has eigenvalues {eigenvalues}");

        let (other_of_bodies, other_of_links) = random_contact(case, random);
        let other_rows = truth.contact(&other_of_bodies);
        let coupling = coupling_matrix(&case.model, &workspace, &of_links, &other_of_links);
        truth.compare(&dynamic(&coupling), &rows, &other_rows, "coupling")?;
        let back = coupling_matrix(&case.model, &workspace, &other_of_links, &of_links);
        truth.compare(&dynamic(&back.transpose()), &rows, &other_rows, "coupling the other way")?;
        let own = coupling_matrix(&case.model, &workspace, &of_links, &of_links);
        truth.compare(&dynamic(&own), &rows, &rows, "coupling with itself")?;
    }
    Ok(())
}

fn check_links(case: &Case, random: &mut Random) -> Result<(), TestCaseError> {
    let truth = Truth::new(case);
    let workspace = prepared(case);
    for _ in 0..4 {
        let (i, j) = (random.below(case.bodies.len()), random.below(case.bodies.len()));
        let (at, by) = (random.vector(1.0), random.vector(1.0));
        let (rows, columns) = (truth.point(i, at), truth.point(j, by));
        let phi = inverse_inertia(&case.model, &workspace, (case.link(i), at), (case.link(j), by));
        let mut found = DMatrix::zeros(6, 6);
        for k in 0..6 {
            let unit = |k: usize| if k < 3 { DVec3::AXES[k] } else { DVec3::ZERO };
            let column = phi.times(&Force::new(unit(k), unit(k.wrapping_sub(3))));
            found.fixed_view_mut::<3, 1>(0, k).copy_from(&vector(column.angular));
            found.fixed_view_mut::<3, 1>(3, k).copy_from(&vector(column.linear));
        }
        truth.compare(&found, &rows, &columns, "inverse inertia")?;
        let back = inverse_inertia(&case.model, &workspace, (case.link(j), by), (case.link(i), at)).transposed();
        let size = [phi.angular_by_moment, phi.angular_by_force, phi.linear_by_moment, phi.linear_by_force];
        let again = [back.angular_by_moment, back.angular_by_force, back.linear_by_moment, back.linear_by_force];
        let largest = size.iter().map(|b| matrix(b).norm()).fold(0.0, f64::max);
        for (a, b) in size.iter().zip(&again) {
            prop_assert!(matrix(&(*a - *b)).norm() <= 1e-12 * largest, "not symmetric: {a} and {b}");
        }
    }
    Ok(())
}

fn check_response(case: &Case, random: &mut Random) -> Result<(), TestCaseError> {
    let model = &case.model;
    let truth = Truth::new(case);
    let workspace = prepared(case);
    let dofs = model.dofs();
    let mut response = ImpulseResponse::new(model);
    // The second round must not depend on the first.
    for _ in 0..2 {
        let (mut generalised, mut scale) = (DVector::zeros(dofs), DVector::zeros(dofs));
        for _ in 0..1 + random.below(3) {
            let (body, impulse, twist, point) =
                (random.below(case.bodies.len()), random.vector(3.0), random.vector(1.0), random.vector(2.0));
            response.push(model, &workspace, case.link(body), impulse, point);
            response.twist(model, case.link(body), twist);
            let rows = truth.point(body, point);
            let both = DVector::from_iterator(6, twist.to_array().into_iter().chain(impulse.to_array()));
            generalised += rows.values.transpose() * &both;
            scale += rows.scale.transpose() * both.abs();
        }
        for _ in 0..random.below(3).min(dofs) {
            let (dof, impulse) = (random.below(dofs), random.real(-2.0, 2.0));
            response.drive(model, dof, impulse);
            generalised[dof] += impulse;
            scale[dof] += impulse.abs();
        }
        response.propagate(model, &workspace);
        let change = DVector::from_column_slice(response.joint_velocities());
        let residual = &truth.dense.mass_matrix * &change - &generalised;
        let scale = &truth.dense.mass_scale * change.abs() + scale;
        for k in 0..dofs {
            prop_assert!(residual[k].abs() <= TOLERANCE * scale[k], "dof {k} of {dofs}");
        }
        for body in 0..case.bodies.len() {
            let point = random.vector(1.0);
            let rows = truth.point(body, point);
            let found = response.velocity_at(&workspace, case.link(body), point);
            let expected = &rows.values * &change;
            let scale = &rows.scale * change.abs();
            for (k, found) in found.angular.to_array().into_iter().chain(found.linear.to_array()).enumerate() {
                prop_assert!((found - expected[k]).abs() <= TOLERANCE * scale[k], "velocity of body {body}");
            }
        }
    }
    Ok(())
}

/// Impulses at two points, in half coordinates: their own and mutual inverse inertia, and the motion of all joints.
fn check_halves(case: &Case, random: &mut Random) -> Result<(), TestCaseError> {
    let (model, truth, workspace) = (&case.model, Truth::new(case), prepared(case));
    let dofs = model.dofs();
    let mut slips = vec![0.0; dofs];
    let mut paths = Vec::new();
    let (mut generalised, mut scale) = (DVector::zeros(dofs), DVector::zeros(dofs));
    for _ in 0..2 {
        let (body, point, impulse) = (random.below(case.bodies.len()), random.vector(1.0), random.vector(2.0));
        let lever = point - workspace.anchor(case.link(body));
        let units = DVec3::AXES.map(|axis| Force::at(axis, lever));
        let (mut z, mut freed) = (DMatrix::zeros(3, dofs), DMatrix::zeros(3, dofs));
        workspace.carry_inward(model, case.link(body), units, [[0.0; 6]; 3], |dof, own, over_inertia| {
            z.column_mut(dof).copy_from_slice(&own);
            freed.column_mut(dof).copy_from_slice(&over_inertia);
            slips[dof] += DVec3::from_array(own).dot(impulse);
        });
        let rows = truth.point(body, point);
        let rows = Rows { values: rows.values.rows(3, 3).into(), scale: rows.scale.rows(3, 3).into() };
        generalised += rows.values.transpose() * vector(impulse);
        scale += rows.scale.transpose() * vector(impulse).abs();
        paths.push((z, freed, rows));
    }
    for (z, _, rows) in &paths {
        for (_, freed, columns) in &paths {
            truth.compare(&(z * freed.transpose()), rows, columns, "product of halves")?;
        }
    }
    let mut link_velocities = vec![burgess_dynamics::spatial::Motion::ZERO; model.links().len()];
    workspace.carry_outward(model, 0..model.links().len(), &mut slips, &mut link_velocities);
    let change = DVector::from_column_slice(&slips);
    let residual = &truth.dense.mass_matrix * &change - &generalised;
    let scale = &truth.dense.mass_scale * change.abs() + scale;
    for k in 0..dofs {
        prop_assert!(residual[k].abs() <= TOLERANCE * scale[k], "dof {k} of {dofs}");
    }
    Ok(())
}

/// A floating tree receives the whole impulse.
fn check_momentum(random: &mut Random, links: usize) -> Result<(), TestCaseError> {
    let mut sorts: Vec<JointKind> = (0..links).map(|_| SORTS[random.below(SORTS.len())]).collect();
    sorts[0] = JointKind::Free;
    let mut case = random.case(&sorts, usize::MAX);
    if case.bodies[0].armature.iter().any(|&a| a > 0.0) {
        // The drives of a free joint act against the ground, which receives a part.
        return Ok(());
    }
    let mut workspace = prepared(&case);
    let mut response = ImpulseResponse::new(&case.model);
    let (impulse, point) = (random.vector(3.0), random.vector(2.0));
    response.push(&case.model, &workspace, case.link(random.below(links)), impulse, point);
    // Impulses between links have no net effect.
    if case.model.dofs() > 6 {
        response.drive(&case.model, 6 + random.below(case.model.dofs() - 6), 1.5);
    }
    response.propagate(&case.model, &workspace);
    // Momentum is linear in velocities: that of the changes is the change.
    case.state.v.copy_from_slice(response.joint_velocities());
    burgess_dynamics::update_kinematics(&case.model, &case.state, &mut workspace);
    let found = observables(&case.model, &case.state, &workspace);
    let truth = dense(&case.model, &case.bodies, &case.state, &[]);
    let change = DVector::from_column_slice(&case.state.v).abs();
    let scale = (truth.mass_scale.rows(0, 6) * change).sum() + 10.0;
    prop_assert!((found.linear_momentum - impulse).length() <= TOLERANCE * scale);
    let angular = found.angular_momentum_about(DVec3::ZERO) - point.cross(impulse);
    prop_assert!(angular.length() <= TOLERANCE * scale * (1.0 + found.center_of_mass.length()));
    Ok(())
}

#[test]
fn every_joint() {
    for seed in 0..20 {
        for kind in SORTS {
            for root in SORTS.into_iter().chain([JointKind::Free]) {
                let mut random = Random::new(seed);
                let case = random.case(&[root, kind, kind], 4);
                let result = check_contacts(&case, &mut random)
                    .and_then(|()| check_links(&case, &mut random))
                    .and_then(|()| check_response(&case, &mut random))
                    .and_then(|()| check_halves(&case, &mut random));
                result.unwrap_or_else(|e| panic!("{kind:?} on {root:?}, seed {seed}: {e}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn contacts_of_random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        let mut random = Random::new(seed);
        check_contacts(&random.forest(links), &mut random)?;
    }

    #[test]
    fn pairs_of_links_of_random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        let mut random = Random::new(seed);
        check_links(&random.forest(links), &mut random)?;
    }

    #[test]
    fn responses_of_random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        let mut random = Random::new(seed);
        check_response(&random.forest(links), &mut random)?;
    }

    #[test]
    fn halves_of_random_forests(seed in any::<u64>(), links in 1..=30_usize) {
        let mut random = Random::new(seed);
        check_halves(&random.forest(links), &mut random)?;
    }

    #[test]
    fn floating_trees_take_up_the_impulse(seed in any::<u64>(), links in 1..=30_usize) {
        check_momentum(&mut Random::new(seed), links)?;
    }
}

/// Returns the rest state of a model, prepared for impulses.
fn at_rest(builder: ModelBuilder) -> (burgess_dynamics::Model, Workspace) {
    let model = builder.build().unwrap();
    let mut workspace = Workspace::new(&model);
    let efforts = vec![0.0; model.dofs()];
    forward_dynamics(&model, &State::new(&model), &efforts, &mut workspace);
    (model, workspace)
}

fn against_world(link: usize, point: DVec3) -> ContactPoint {
    ContactPoint { first: Some(link), second: None, point }
}

#[test]
fn what_is_welded_to_the_world_does_not_move() {
    let mut builder = ModelBuilder::new();
    let link = |name| LinkSpec::new(name, 1.0, DVec3::ZERO, DMat3::IDENTITY);
    let base = builder.add_link(None, JointSpec::weld(), link("base"));
    builder.add_link(Some(base), JointSpec::weld().in_parent(Pose::from_translation(DVec3::X)), link("post"));
    let arm = builder.add_link(Some(base), JointSpec::revolute(DVec3::Z), link("arm"));
    let (model, workspace) = at_rest(builder);
    let arm = model.index(arm).unwrap();
    for link in (0..3).filter(|&link| link != arm) {
        let point = DVec3::new(0.3, 0.2, 0.1);
        assert_eq!(collision_matrix(&model, &workspace, &against_world(link, point)), DMat3::ZERO);
        let mut response = ImpulseResponse::new(&model);
        response.push(&model, &workspace, link, DVec3::ONE, point);
        response.propagate(&model, &workspace);
        assert_eq!(response.joint_velocities(), &[0.0]);
    }
}

#[test]
fn few_degrees_of_freedom_make_the_collision_matrix_singular() {
    // 1 kg on a rod of 1 m along x, about the hinge or ball at the origin: it yields perpendicular to the rod only.
    let bob = || LinkSpec::new("bob", 1.0, DVec3::X, DMat3::IDENTITY * 1e-3);
    let along = 1.0 / 1.001;
    for (joint, expected) in [
        (JointSpec::revolute(DVec3::Z), DVec3::new(0.0, along, 0.0)),
        (JointSpec::universal(DVec3::Y, DVec3::Z), DVec3::new(0.0, along, along)),
        (JointSpec::spherical(), DVec3::new(0.0, along, along)),
        (JointSpec::prismatic(DVec3::X), DVec3::new(1.0, 0.0, 0.0)),
    ] {
        let mut builder = ModelBuilder::new();
        builder.add_link(None, joint, bob());
        let (model, workspace) = at_rest(builder);
        let k = collision_matrix(&model, &workspace, &against_world(0, DVec3::X));
        let error = matrix(&(k - DMat3::from_diagonal(expected))).norm();
        assert!(error < 1e-15, "{k}");
    }
}

#[test]
fn a_free_box_has_the_textbook_matrix() {
    let mut builder = ModelBuilder::new();
    let moments = DVec3::new(0.2, 0.3, 0.4);
    for name in ["first", "second"] {
        builder.add_link(None, JointSpec::free(), LinkSpec::new(name, 2.0, DVec3::ZERO, DMat3::from_diagonal(moments)));
    }
    let (model, workspace) = at_rest(builder);
    let r = DVec3::new(0.1, -0.4, 0.3);
    // K = 1/m - [r] I^-1 [r] for one, twice that for two.
    let lever = cross(vector(r));
    let expected = nalgebra::Matrix3::identity() * 0.5
        - lever * nalgebra::Matrix3::from_diagonal(&vector(DVec3::ONE / moments)) * lever;
    let one = collision_matrix(&model, &workspace, &against_world(0, r));
    assert!((matrix(&one) - expected).norm() < 1e-14);
    let two = ContactPoint { first: Some(0), second: Some(1), point: r };
    assert!((matrix(&collision_matrix(&model, &workspace, &two)) - 2.0 * expected).norm() < 1e-14);
    let itself = ContactPoint { first: Some(1), second: Some(1), point: r };
    assert_eq!(collision_matrix(&model, &workspace, &itself), DMat3::ZERO);
    let nothing = ContactPoint { first: None, second: None, point: r };
    assert_eq!(collision_matrix(&model, &workspace, &nothing), DMat3::ZERO);
}
