//! Problems with closed-form impulses.

use burgess_simulation::constraint_solver::contact_problem::{ContactSolver, DenseProblem, Law, Path, Residuals};
use glam::DVec3;

use super::scenes::{Body, Point, Scene, stand};

/// Rounding of a few dozen additions.
const ROUNDING: f64 = 1e-13;

/// Returns a point mass on an incline in the frame of the plane: `b` is one step of gravity along normal and slope.
fn incline(angle: f64, friction: f64, mass: f64) -> (DenseProblem, f64) {
    let mut problem = DenseProblem::default();
    problem.push_block(Law::Contact { friction });
    for row in 0..3 {
        problem.row_mut(row)[row] = 1.0 / mass;
    }
    let fall = 9.81 / 240.0;
    let b = [-fall * libm::cos(angle), fall * libm::sin(angle), 0.0];
    problem.velocities_mut().copy_from_slice(&b);
    (problem, fall)
}

#[test]
fn a_block_on_a_gentle_incline_sticks() {
    let (problem, fall) = incline(0.4, 0.5, 3.0);
    let mut x = Vec::new();
    let report = ContactSolver::default().solve(&problem, &mut x);
    assert_eq!(report.path, Path::AllStick);
    assert!((x[0] - 3.0 * fall * libm::cos(0.4)).abs() < ROUNDING);
    assert!((x[1] + 3.0 * fall * libm::sin(0.4)).abs() < ROUNDING);
    assert!(x[2].abs() < ROUNDING);
}

#[test]
fn a_block_on_a_steep_incline_slides() {
    let (problem, fall) = incline(0.6, 0.5, 3.0);
    let mut solver = ContactSolver::default();
    let mut x = Vec::new();
    let report = solver.solve(&problem, &mut x);
    assert_eq!(report.path, Path::Newton);
    let normal = 3.0 * fall * libm::cos(0.6);
    assert!((x[0] - normal).abs() < ROUNDING && (x[1] + 0.5 * normal).abs() < ROUNDING && x[2].abs() < ROUNDING);
    // The acceleration of a sliding block: g (sin - mu cos). It does not lift.
    let slip = fall * (libm::sin(0.6) - 0.5 * libm::cos(0.6));
    assert!((solver.velocities()[1] - slip).abs() < ROUNDING && solver.velocities()[0].abs() < ROUNDING);
}

#[test]
fn a_box_on_four_corners_is_held_though_the_matrix_is_singular() {
    let half = DVec3::new(0.5, 0.4, 0.3);
    let mut body = Body::cuboid(2.0, half, DVec3::Z * 0.3);
    body.velocity = DVec3::new(0.01, 0.0, -0.05);
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    stand(&mut scene, 0, None, half, 0.8);
    let problem = scene.problem();
    let mut solver = ContactSolver::default();
    let mut x = Vec::new();
    let report = solver.solve(&problem, &mut x);
    assert_eq!(report.path, Path::AllStick);
    assert_eq!(report.factorizations, 1);
    assert!(report.residual < 1e-12 * 0.05);
    // The floor carries the momentum of the box.
    let carried: f64 = x.iter().step_by(3).sum();
    assert!((carried - 2.0 * 0.05).abs() < 1e-12);
}

#[test]
fn a_box_that_slides_on_four_corners_loses_mu_times_its_normal_momentum() {
    let half = DVec3::new(0.5, 0.4, 0.3);
    let mut body = Body::cuboid(2.0, half, DVec3::Z * 0.3);
    body.velocity = DVec3::new(1.0, 0.0, -0.05);
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    stand(&mut scene, 0, None, half, 0.3);
    let problem = scene.problem();
    let mut solver = ContactSolver::default();
    let mut x = Vec::new();
    let report = solver.solve(&problem, &mut x);
    assert_eq!(report.path, Path::Newton);
    assert!(report.residual < 1e-12);
    let (t0, t1) = DVec3::Z.any_orthonormal_pair();
    let sum = |row: usize| -> f64 { x.iter().skip(row).step_by(3).sum() };
    let friction = t0 * sum(1) + t1 * sum(2);
    assert!((sum(0) - 0.1).abs() < 1e-11);
    assert!((friction - DVec3::X * (-0.3 * 0.1)).length() < 1e-11);
}

/// A cylinder's cross-section wedged in a V-groove without friction: each side carries `m v / (2 cos a)`.
#[test]
fn a_wedge_shares_the_load_by_its_angle() {
    let mut body = Body::cuboid(1.5, DVec3::splat(0.5), DVec3::ZERO);
    body.velocity = DVec3::new(0.0, 0.0, -0.2);
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    let angle = 0.7;
    for side in [1.0, -1.0] {
        let normal = DVec3::new(-side * libm::sin(angle), 0.0, libm::cos(angle));
        scene.points.push(Point { a: 0, b: None, place: -normal * 0.5, normal, friction: 0.0, bias: 0.0 });
    }
    let problem = scene.problem();
    let mut x = Vec::new();
    let report = ContactSolver::default().solve(&problem, &mut x);
    assert!(report.converged);
    let expected = 1.5 * 0.2 / (2.0 * libm::cos(angle));
    assert!((x[0] - expected).abs() < 1e-12 && (x[3] - expected).abs() < 1e-12);
    assert!(x[1] == 0.0 && x[2] == 0.0);
}

#[test]
fn a_limit_and_a_motor_act_on_one_axis_beside_a_pin() {
    // One rotor of inverse inertia 2, with a motor of at most 0.3 N m s and a limit from which it moves away.
    let mut problem = DenseProblem::default();
    problem.push_block(Law::Bounded { limit: 0.3 });
    problem.push_block(Law::Unilateral);
    problem.push_block(Law::Bilateral);
    problem.matrix_mut().copy_from_slice(&[2.0, 2.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 4.0]);
    problem.velocities_mut().copy_from_slice(&[1.0, 1.0, -2.0]);
    let mut solver = ContactSolver::default();
    let mut x = Vec::new();
    let report = solver.solve(&problem, &mut x);
    assert!(report.converged);
    assert!((x[0] + 0.3).abs() < ROUNDING && x[1] == 0.0 && (x[2] - 0.5).abs() < ROUNDING);
    assert!((solver.velocities()[0] - 0.4).abs() < ROUNDING);
    let residuals = Residuals::new(&problem, &x, solver.velocities());
    assert!(residuals.largest_velocity() < ROUNDING);
}
