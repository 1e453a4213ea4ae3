//! The solver: warm start, all stick, Newton, Gauss-Seidel, in this order, until the laws hold.

use super::active_set::{ActiveSet, at_rounding, make_feasible, residual};
use super::gauss_seidel::GaussSeidel;
use super::interior_point::InteriorPoint;
use super::DenseProblem;

/// When to be content and when to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// The largest defect of a law, relative to the largest entry of `b`. Rounding in `G x` may stop the solver above it.
    pub tolerance: f64,
    /// The most factorizations in one attempt of Newton.
    pub factorizations: u32,
    /// The most sweeps of Gauss-Seidel in all.
    pub sweeps: u32,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, factorizations: 16, sweeps: 1000 }
    }
}

const CAP1: u32 = 1;
const CAP2: u32 = 6;
/// Where the solution came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// The warm start was already a solution.
    WarmStart,
    /// All rows at rest, solved directly.
    AllStick,
    /// Newton over contact modes, perhaps started by some sweeps of Gauss-Seidel.
    Newton,
    /// Gauss-Seidel alone.
    GaussSeidel,
}

/// What the solver did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// Where the solution came from.
    pub path: Path,
    /// Whether the laws hold within the tolerance, or as well as rounding in `G x` allows.
    pub converged: bool,
    /// Matrices factored.
    pub factorizations: u32,
    /// Steps of the interior point.
    pub interior: u32,
    /// Sweeps of Gauss-Seidel.
    pub sweeps: u32,
    /// The largest defect of a law (m/s or rad/s), see [`Residuals`](super::Residuals).
    pub residual: f64,
}

/// Solves [`DenseProblem`]s; keeps its memory between solves.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    /// When to be content and when to give up.
    pub settings: SolverSettings, pub debug: bool,
    active_set: ActiveSet,
    gauss_seidel: GaussSeidel,
    interior_point: InteriorPoint,
    trial: Vec<f64>,
    velocities: Vec<f64>,
}

impl ContactSolver {
    /// A solver with these settings.
    #[must_use]
    pub fn new(settings: SolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// The velocities `w = G x + b` of the last solution (m/s or rad/s).
    #[must_use]
    pub fn velocities(&self) -> &[f64] {
        &self.velocities
    }

    /// Solves the problem. `impulses` holds the warm start (missing entries are 0) and then the solution, which always lies in the cones
    /// and limits. If nothing converges (there may be no solution: a body squeezed between walls that both push), the
    /// result is that of Gauss-Seidel.
    pub fn solve(&mut self, problem: &DenseProblem, impulses: &mut Vec<f64>) -> SolveReport {
        impulses.resize(problem.size(), 0.0);
        make_feasible(problem, impulses);
        problem.response(impulses, &mut self.velocities);
        let mut report = SolveReport {
            path: Path::WarmStart,
            converged: true,
            factorizations: 0,
            sweeps: 0,
            interior: 0,
            residual: residual(problem, impulses, &self.velocities),
        };
        if at_rounding(problem, &self.settings, impulses, &self.velocities) {
            return report;
        }
        self.active_set.classify_all(problem, impulses, &self.velocities);
        let cold = impulses.iter().all(|x| *x == 0.0);
        if !cold && !self.active_set.is_all_stick() && self.newton_from(problem, impulses, &mut report) {
            return report;
        }
        if self.all_stick(problem, impulses, &mut report) {
            return report;
        }
        for start in [1e2, 1e4] {
            if self.interior(problem, impulses, start, &mut report) {
                return report;
            }
        }
        self.iterate(problem, impulses, &mut report);
        report
    }

    /// All rows at rest, and Newton from there; keeps the result if it converged.
    fn all_stick(&mut self, problem: &DenseProblem, impulses: &mut [f64], report: &mut SolveReport) -> bool {
        self.trial.clear();
        self.trial.resize(problem.size(), 0.0);
        self.active_set.all_stick(problem);
        self.attempt(problem, impulses, CAP1, report)
    }

    /// Newton from the modes and the null space of these impulses.
    fn newton_from(&mut self, problem: &DenseProblem, impulses: &mut [f64], report: &mut SolveReport) -> bool {
        self.trial.clear();
        self.trial.extend_from_slice(impulses);
        self.attempt(problem, impulses, CAP1, report)
    }

    fn attempt(&mut self, problem: &DenseProblem, impulses: &mut [f64], most: u32, report: &mut SolveReport) -> bool {
        let all_stick = self.active_set.is_all_stick();
        let attempt = self.active_set.run(problem, &SolverSettings{factorizations: most, ..self.settings}, &mut self.trial, &mut self.velocities);
        report.factorizations += attempt.factorizations;
            if self.debug { println!("   attempt {attempt:?} {:?}", self.active_set.modes.iter().map(|m| m.mode as u8).collect::<Vec<_>>()); }
        if !attempt.converged {
            return false;
        }
        report.path = if all_stick && attempt.modes_kept { Path::AllStick } else { Path::Newton };
        impulses.copy_from_slice(&self.trial);
        self.finish(problem, impulses, report);
        true
    }

    /// Modes from the interior point, polished by Newton.
    fn interior(&mut self, problem: &DenseProblem, impulses: &mut [f64], start: f64, report: &mut SolveReport) -> bool {
        self.interior_point.prepare(problem, start);
        let mut next_attempt = 1e-5;
        for _ in 0..60 {
            let share = self.interior_point.advance(problem);
            report.factorizations += 1;
            report.interior += 1;
            let progress = self.interior_point.progress();
            if self.debug { println!("   share {share:.3} progress {progress:.1e}"); }
            if progress > next_attempt {
                continue;
            }
            next_attempt = progress * 1e-3;
            self.trial.clear();
            self.trial.resize(problem.size(), 0.0);
            self.interior_point.impulses(&mut self.trial);
            problem.response(&self.trial, &mut self.velocities);
            self.active_set.classify_all(problem, &self.trial, &self.velocities);
            if self.attempt(problem, impulses, CAP2, report) {
                return true;
            }
            if !(progress > 1e-18) { break; }
        }
        false
    }

    /// Gauss-Seidel from the warm start; now and then Newton tries again from where it has come.
    fn iterate(&mut self, problem: &DenseProblem, impulses: &mut [f64], report: &mut SolveReport) {
        self.gauss_seidel.prepare(problem);
        let mut next_attempt = 4;
        while report.sweeps < self.settings.sweeps {
            while report.sweeps < next_attempt.min(self.settings.sweeps) {
                self.gauss_seidel.sweep(problem, impulses);
                report.sweeps += 1;
            }
            next_attempt *= 2;
            problem.response(impulses, &mut self.velocities);
            if residual(problem, impulses, &self.velocities) <= self.settings.tolerance * problem.velocity_scale() {
                break;
            }
            self.active_set.classify_all(problem, impulses, &self.velocities);
            if self.newton_from(problem, impulses, report) {
                return;
            }
        }
        report.path = Path::GaussSeidel;
        self.finish(problem, impulses, report);
        report.converged = at_rounding(problem, &self.settings, impulses, &self.velocities);
    }

    /// Exactly into the cones, and what is left.
    fn finish(&mut self, problem: &DenseProblem, impulses: &mut [f64], report: &mut SolveReport) {
        make_feasible(problem, impulses);
        problem.response(impulses, &mut self.velocities);
        report.residual = residual(problem, impulses, &self.velocities);
    }
}
