//! Warm starts, memory, determinism, and problems without a solution.

use burgess_simulation::constraint_solver::contact_problem::{ContactSolver, DenseProblem, Law, Path, SolverSettings};
use glam::DVec3;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use super::scenes::{Body, Point, Scene, random_box, random_mixture, random_stack, uniform};

#[test]
fn the_solution_is_its_own_warm_start() {
    let mut random = Pcg64::seed_from_u64(11);
    let mut solver = ContactSolver::default();
    for round in 0..300 {
        let scene = match round % 3 {
            0 => random_box(&mut random, 0.05),
            1 => random_mixture(&mut random),
            _ => random_stack(&mut random, 2, 10.0, 0.05),
        };
        let problem = scene.problem();
        let mut x = Vec::new();
        solver.solve(&problem, &mut x);
        let solution = x.clone();
        let report = solver.solve(&problem, &mut x);
        assert_eq!((report.path, report.factorizations), (Path::WarmStart, 0), "round {round}: {report:?}");
        // Projecting onto the cone may round once more.
        let moved = x.iter().zip(&solution).fold(0.0, |largest: f64, (x, y)| largest.max((x - y).abs()));
        assert!(moved <= 1e-14, "round {round}: moved by {moved:e}");
    }
}

/// A step later velocities and position biases are almost the same, and so are the modes: Newton needs few
/// factorizations.
#[test]
fn a_warm_start_from_the_last_step_is_quick() {
    let mut random = Pcg64::seed_from_u64(12);
    let mut solver = ContactSolver::default();
    let (mut factorizations, rounds) = (0, 200);
    for _ in 0..rounds {
        let mut scene = random_stack(&mut random, 2, 10.0, 0.1);
        scene.points.iter_mut().for_each(|point| point.bias = uniform(&mut random, -1e-4, 1e-4));
        let mut x = Vec::new();
        solver.solve(&scene.problem(), &mut x);
        scene.bodies.iter_mut().for_each(|body| body.velocity *= 1.01);
        scene.points.iter_mut().for_each(|point| point.bias += uniform(&mut random, -1e-5, 1e-5));
        let report = solver.solve(&scene.problem(), &mut x);
        assert!(report.converged);
        factorizations += report.factorizations;
    }
    assert!(factorizations < 4 * rounds, "{factorizations} factorizations in {rounds} solves");
}

#[test]
fn a_warm_solver_allocates_nothing() {
    let mut random = Pcg64::seed_from_u64(13);
    let problems: Vec<DenseProblem> = (0..60).map(|_| random_stack(&mut random, 2, 1e4, 0.2).problem()).collect();
    let mut solver = ContactSolver::default();
    let mut bounded =
        ContactSolver::new(SolverSettings { accepted_residual: 1e-4, tolerance: 1e-10, ..SolverSettings::default() });
    let mut x = Vec::new();
    let mut run = |solver: &mut ContactSolver| {
        let mut paths = [0; 6];
        for problem in &problems {
            x.clear();
            paths[solver.solve(problem, &mut x).path as usize] += 1;
        }
        paths
    };
    let paths = run(&mut solver);
    assert!(paths[Path::Newton as usize] > 0 && paths[Path::InteriorPoint as usize] > 0, "{paths:?}");
    let paths = run(&mut bounded);
    assert_eq!(paths[Path::Alternation as usize], problems.len());
    let count = allocation_counter::measure(|| {
        run(&mut solver);
        run(&mut bounded);
    });
    assert_eq!(count.count_total, 0);
}

#[test]
fn a_problem_is_rebuilt_without_allocation() {
    let mut problem = DenseProblem::default();
    let mut build = || {
        problem.clear();
        for _ in 0..8 {
            problem.push_block(Law::Contact { friction: 0.5 });
        }
        problem.push_block(Law::Unilateral);
        problem.row_mut(24)[24] = 1.0;
        assert_eq!((problem.size(), problem.blocks()[8].rows()), (25, 24..25));
    };
    build();
    assert_eq!(allocation_counter::measure(build).count_total, 0);
}

#[test]
fn the_same_problem_gives_the_same_bits() {
    let mut random = Pcg64::seed_from_u64(14);
    let problems: Vec<DenseProblem> = (0..20).map(|_| random_stack(&mut random, 2, 1e3, 0.2).problem()).collect();
    let mut used = ContactSolver::default();
    for problem in problems.iter().chain(&problems) {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        used.solve(problem, &mut x);
        ContactSolver::default().solve(problem, &mut y);
        assert!(x.iter().zip(&y).all(|(x, y)| x.to_bits() == y.to_bits()));
    }
}

/// Two walls that both push the same body: there is no solution, but the impulses stay finite and in the cones.
#[test]
fn a_squeezed_body_gets_bounded_impulses() {
    let body = Body::cuboid(1.0, DVec3::splat(0.5), DVec3::ZERO);
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    for side in [1.0, -1.0] {
        let normal = DVec3::X * side;
        scene.points.push(Point { a: 0, b: None, place: normal * -0.5, normal, friction: 0.5, bias: -0.1 });
    }
    let problem = scene.problem();
    let mut solver = ContactSolver::default();
    let mut x = Vec::new();
    let report = solver.solve(&problem, &mut x);
    assert_eq!((report.path, report.converged), (Path::GaussSeidel, false));
    // Each sweep pushes once from either side: 0.1 N s for each of 200 sweeps, twice.
    assert!(x.iter().all(|x| x.abs() < 41.0), "{x:?}");
    assert!(solver.velocities().iter().all(|w| w.abs() < 0.2 + 1e-9));
}

#[test]
fn nothing_and_bad_numbers_do_no_harm() {
    let mut solver = ContactSolver::default();
    let mut x = vec![1.0, 2.0];
    let report = solver.solve(&DenseProblem::default(), &mut x);
    assert!(report.converged && x.is_empty());
    for bad in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        for place in 0..4 {
            let mut scene = random_mixture(&mut Pcg64::seed_from_u64(15));
            scene.points[0].friction = if place == 0 { bad } else { 0.5 };
            let mut problem = scene.problem();
            match place {
                1 => problem.velocities_mut()[0] = bad,
                2 => problem.row_mut(1)[1] = bad,
                _ => problem.row_mut(0)[2] = bad,
            }
            let mut x = vec![if place == 3 { bad } else { 0.0 }];
            solver.solve(&problem, &mut x);
        }
    }
}
