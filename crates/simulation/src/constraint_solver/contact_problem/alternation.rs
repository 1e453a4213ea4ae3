//! Sweeps and exact solutions in turn. A few sweeps find the modes of the blocks; the linear system of these modes then
//! has the exact solution, or one that shows which modes are wrong. If it is not the solution, the next round has twice
//! as many sweeps. The work is bounded: each round factors at most twice.

use super::gauss_seidel::GaussSeidel;
use super::mode::{BlockMode, classify};
use super::mode_system::ModeSystem;
use super::residuals::{Assessment, assess, at_rounding, nan_max};
use super::{DenseProblem, SolveReport};

/// Number of sweeps in each round.
const ROUND_SWEEPS: [u32; 4] = [4, 8, 16, 32];
/// Number of rows above which there are only [`LARGE_ROUNDS`]: factorizations take most of the time there.
const LARGE_ROWS: usize = 70;
/// Number of rounds over a large problem.
const LARGE_ROUNDS: usize = 2;
/// Maximum number of factorizations in a round.
const ROUND_FACTORIZATIONS: u32 = 2;
/// Maximum number of steps with the same factors: more than one refines them and rotates sliding directions.
const MAX_STEPS_PER_FACTORIZATION: u32 = 4;

/// Velocity, relative to the largest entry of `b`, beyond which impulses are not those of contacts. Contacts at which
/// joints hardly allow any motion can have opposed impulses of any size.
const MAX_SPEED_GAIN: f64 = 10.0;

/// What a caller is content with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Residual of an exact solution, relative to the largest entry of `b`.
    pub(super) tolerance: f64,
    /// Change in a sweep after which no exact solution is needed, in m/s.
    pub(super) enough: f64,
    /// Residual that is accepted after a round, in m/s.
    pub(super) accepted: f64,
}

/// The memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternation {
    system: ModeSystem,
    modes: Vec<BlockMode>,
    trial: Vec<f64>,
    trial_velocities: Vec<f64>,
    /// The best impulses so far, and their residual.
    best: Vec<f64>,
    best_residual: f64,
}

impl Alternation {
    /// Improves `x` until the goal is reached or all rounds are over. `w = G x + b` at the start and at the end.
    pub(super) fn run(
        &mut self,
        problem: &DenseProblem,
        goal: &Goal,
        sweeps: &mut GaussSeidel,
        (x, w): (&mut Vec<f64>, &mut Vec<f64>),
        report: &mut SolveReport,
    ) {
        sweeps.prepare(problem);
        self.best_residual = f64::INFINITY;
        let mut is_plain = false;
        let rounds = if problem.size() > LARGE_ROWS { LARGE_ROUNDS } else { ROUND_SWEEPS.len() };
        for (round, count) in ROUND_SWEEPS.into_iter().take(rounds).enumerate() {
            if round > 0 && report.residual <= goal.accepted {
                report.converged = false;
                return;
            }
            if self.sweep(problem, goal, sweeps, (count, round > 0 && !is_plain), (x, w), report) {
                return;
            }
            if is_too_fast(problem, w) {
                // Opposed impulses have grown. Plain sweeps from zero impulses hardly ever do that.
                is_plain = true;
                x.fill(0.0);
                w.copy_from_slice(problem.velocities());
                if self.sweep(problem, goal, sweeps, (count, false), (x, w), report) {
                    return;
                }
                if is_too_fast(problem, w) {
                    x.fill(0.0);
                    w.copy_from_slice(problem.velocities());
                }
            }
            report.residual = assess(problem, x, w).defect;
            self.modes.clear();
            self.modes.extend(problem.blocks().iter().map(|block| classify(problem, block, x, w)));
            if self.solve_exactly(problem, goal, (x, w), report) {
                return;
            }
            if report.residual < self.best_residual {
                self.best_residual = report.residual;
                self.best.clone_from(x);
            }
        }
        if self.best_residual < report.residual {
            report.residual = self.best_residual;
            x.clone_from(&self.best);
            problem.response(x, w);
        }
        report.converged = false;
    }

    /// Sweeps `count` times, accelerated or not. Returns whether the goal is reached.
    fn sweep(
        &self,
        problem: &DenseProblem,
        goal: &Goal,
        sweeps: &mut GaussSeidel,
        (count, is_accelerated): (u32, bool),
        (x, w): (&mut Vec<f64>, &mut Vec<f64>),
        report: &mut SolveReport,
    ) -> bool {
        sweeps.start(x.len());
        for sweep in 1..=count {
            let change = sweeps.sweep_from(problem, x, w);
            report.sweeps += 1;
            if change <= goal.enough || sweeps.is_one() {
                report.residual = if sweeps.is_one() { assess(problem, x, w).defect } else { change };
                report.converged = report.residual <= goal.tolerance * problem.velocity_scale();
                return true;
            }
            if is_accelerated && sweep < count {
                sweeps.extrapolate(problem, x, w);
            }
        }
        false
    }

    /// Solves in the current modes, and again in those of the result if they differ. Keeps the result if it is better than `x`. Returns whether it is a solution.
    fn solve_exactly(
        &mut self,
        problem: &DenseProblem,
        goal: &Goal,
        (x, w): (&mut Vec<f64>, &mut Vec<f64>),
        report: &mut SolveReport,
    ) -> bool {
        let tolerance = goal.tolerance * problem.velocity_scale();
        self.trial.clone_from(x);
        self.trial_velocities.clone_from(w);
        let (mut factorizations, mut steps, mut before) = (0, 0, f64::INFINITY);
        let mut is_factored = false;
        loop {
            if !is_factored {
                if factorizations == ROUND_FACTORIZATIONS {
                    return false;
                }
                self.system.factor(problem, &self.modes);
                factorizations += 1;
                report.factorizations += 1;
                (steps, before) = (0, f64::INFINITY);
            }
            let found = self.step(problem);
            steps += 1;
            if found.defect < report.residual && !is_too_fast(problem, &self.trial_velocities) {
                report.residual = found.defect;
                x.clone_from(&self.trial);
                w.clone_from(&self.trial_velocities);
            }
            let same = self.reclassify(problem);
            let is_solved = report.residual <= tolerance;
            let has_gained = found.defect < 0.5 * before;
            let is_stalled = !has_gained || steps == MAX_STEPS_PER_FACTORIZATION;
            if is_solved || same && is_stalled && at_rounding(problem, goal.tolerance, report.residual, x, w) {
                report.converged = true;
                return true;
            }
            if same && is_stalled {
                return false;
            }
            before = found.defect;
            is_factored = same;
            if same {
                self.system.turn(problem, &self.modes);
            }
        }
    }

    /// Moves the trial to the solution in the modes, and then into the cones.
    fn step(&mut self, problem: &DenseProblem) -> Assessment {
        let Self { trial, trial_velocities, .. } = self;
        for (block, mode) in problem.blocks().iter().zip(&self.modes) {
            mode.impose(block, trial);
        }
        problem.response(trial, trial_velocities);
        self.system.step(trial_velocities, trial);
        problem.project(trial);
        problem.response(trial, trial_velocities);
        assess(problem, trial, trial_velocities)
    }

    /// Sets the modes of the trial. Returns whether they are the same, except for rotated sliding directions.
    fn reclassify(&mut self, problem: &DenseProblem) -> bool {
        let mut same = true;
        for (block, mode) in problem.blocks().iter().zip(&mut self.modes) {
            let new = classify(problem, block, &self.trial, &self.trial_velocities);
            same &= new.mode == mode.mode;
            *mode = new;
        }
        same
    }
}

/// Returns whether impulses cause velocities far beyond those without them, which no contact that dissipates does.
fn is_too_fast(problem: &DenseProblem, w: &[f64]) -> bool {
    let fastest = w.iter().fold(0.0, |fastest, w| nan_max(fastest, w.abs()));
    fastest.is_nan() || fastest > MAX_SPEED_GAIN * problem.velocity_scale()
}
