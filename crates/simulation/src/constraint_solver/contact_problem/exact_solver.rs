//! The exhaustive solver, the reference of the fast one: Newton from every combination of contact modes (up to six
//! contacts) and from the results of long Gauss-Seidel runs. The result is that with the smallest residual.

use super::active_set::ActiveSet;
use super::gauss_seidel::GaussSeidel;
use super::mode::{BlockMode, Mode};
use super::residuals::assess;
use super::{DenseProblem, Law, SolverSettings};

/// Maximum number of combinations of modes that are tried, 3^8.
const MAX_COMBINATIONS: usize = 6561;

/// Solves [`DenseProblem`]s by trying all combinations of modes. It is thousands of times slower than
/// [`ContactSolver`](super::ContactSolver).
#[derive(Clone, Debug, Default)]
pub struct ExactSolver {
    active_set: ActiveSet,
    gauss_seidel: GaussSeidel,
    velocities: Vec<f64>,
    trial: Vec<f64>,
}

impl ExactSolver {
    /// Returns the impulses with the smallest residual found, and that residual (m/s or rad/s). `None` if there are no
    /// rows.
    pub fn solve(&mut self, problem: &DenseProblem) -> Option<(Vec<f64>, f64)> {
        let mut best: Option<(Vec<f64>, f64)> = None;
        let settings = SolverSettings { tolerance: 1e-14, factorizations: 30, ..SolverSettings::default() };
        let goal = 1e-12 * problem.velocity_scale();
        self.gauss_seidel.prepare(problem);
        let mut relaxed = vec![0.0; problem.size()];
        let mut relaxed_velocities = problem.velocities().to_vec();
        for round in 0..8 {
            for _ in 0..(50 << round) {
                self.gauss_seidel.sweep(problem, &mut relaxed, &mut relaxed_velocities);
            }
            self.trial.clone_from(&relaxed);
            self.keep(problem, &mut best);
            self.trial.clone_from(&relaxed);
            problem.response(&relaxed, &mut self.velocities);
            self.active_set.classify_all(problem, &relaxed, &self.velocities);
            self.active_set.run(problem, &settings, &mut self.trial, &mut self.velocities);
            self.keep(problem, &mut best);
            if best.as_ref().is_some_and(|(_, residual)| *residual <= goal) {
                return best;
            }
        }
        self.enumerate(problem, &settings, goal, &mut best);
        best
    }

    /// Runs Newton from every combination of modes.
    fn enumerate(
        &mut self,
        problem: &DenseProblem,
        settings: &SolverSettings,
        goal: f64,
        best: &mut Option<(Vec<f64>, f64)>,
    ) {
        let choices = |law: &Law| match law {
            Law::Contact { .. } => 3,
            Law::Bilateral => 1,
            Law::Unilateral => 2,
            Law::Bounded { .. } => 3,
        };
        let product = problem.blocks().iter().try_fold(1_usize, |all, block| all.checked_mul(choices(&block.law)));
        let combinations = product.filter(|all| *all <= MAX_COMBINATIONS).unwrap_or(0);
        for combination in 0..combinations {
            self.active_set.all_stick(problem);
            let mut rest = combination;
            for (block, mode) in problem.blocks().iter().zip(&mut self.active_set.modes) {
                let choice = rest % choices(&block.law);
                rest /= choices(&block.law);
                *mode = start_mode(problem, block.first_row, &block.law, choice);
            }
            self.trial.clear();
            self.trial.resize(problem.size(), 0.0);
            problem.response(&self.trial, &mut self.velocities);
            self.active_set.run(problem, settings, &mut self.trial, &mut self.velocities);
            self.keep(problem, best);
            if best.as_ref().is_some_and(|(_, residual)| *residual <= goal) {
                return;
            }
        }
    }

    /// Keeps the trial if it is the best so far.
    fn keep(&mut self, problem: &DenseProblem, best: &mut Option<(Vec<f64>, f64)>) {
        if problem.size() == 0 {
            return;
        }
        problem.project(&mut self.trial);
        problem.response(&self.trial, &mut self.velocities);
        let found = assess(problem, &self.trial, &self.velocities).defect;
        if best.as_ref().is_none_or(|(_, residual)| found < *residual) {
            *best = Some((self.trial.clone(), found));
        }
    }
}

fn start_mode(problem: &DenseProblem, row: usize, law: &Law, choice: usize) -> BlockMode {
    let mode = match (law, choice) {
        (_, 0) => Mode::Stick,
        (Law::Bounded { .. }, 1) => Mode::Low,
        (Law::Bounded { .. }, _) => Mode::High,
        (_, 1) => Mode::Open,
        _ => {
            let slip = super::residuals::tangent(problem.velocities(), row);
            return BlockMode {
                direction: -slip.normalize_or(-glam::DVec2::X),
                mode: Mode::Slide,
                ..BlockMode::default()
            };
        }
    };
    BlockMode { mode, ..BlockMode::default() }
}
