//! The solver. A problem in motion, or one of which some residual is accepted, is solved by sweeps and exact solutions in
//! turn, with bounded work. For others the methods are: warm start, Newton, all stick, interior point, Gauss-Seidel, in
//! this order, until the laws hold.

use super::DenseProblem;
use super::active_set::ActiveSet;
use super::alternation::{Alternation, Goal};
use super::gauss_seidel::GaussSeidel;
use super::interior_point::InteriorPoint;
use super::residuals::{assess, at_rounding};

/// Maximum number of steps of one interior-point run.
const MAX_INTERIOR_STEPS: u32 = 50;
/// Progress of the interior point (see [`InteriorPoint::progress`]) at which Newton first runs from its modes.
const FIRST_POLISH_PROGRESS: f64 = 1e-5;
/// Factor by which the progress must fall before Newton runs again.
const NEXT_POLISH_FACTOR: f64 = 1e-3;
/// Number of factorizations that an interior-point run needs at least; with fewer left it is not started.
const MIN_INTERIOR_FACTORIZATIONS: u32 = 20;
/// Number of factorizations that are allowed at any problem size.
const MIN_FACTORIZATIONS: u32 = 4;
/// Maximum number of rows of a small problem. A small problem is swept if Newton has no start or fails after a few
/// factorizations: a sweep costs less than one of those, and Newton usually converges from its result.
const MAX_SMALL_ROWS: usize = 30;
/// Number of sweeps over a small problem without a warm start, to find the modes.
const SMALL_START_SWEEPS: u32 = 2;
/// Maximum number of factorizations of the first Newton run over a small problem or one in motion.
const SMALL_MAX_FACTORIZATIONS: u32 = 6;
/// Maximum number of sweeps over a small problem after the first Newton run.
const SMALL_MAX_SWEEPS: u32 = 32;
/// Number of sweeps before Newton runs again. The next runs follow after four times as many, and so on.
const FIRST_POLISH_SWEEPS: u32 = 8;
/// Residual of an exact solution of a problem in motion, relative to the change at which sweeps end.
const MOVING_EXACT_SHARE: f64 = 0.1;
/// Residual that is accepted for a problem in motion, relative to the largest entry of `b`.
const MOVING_ACCEPTED_RESIDUAL: f64 = 1e-4;
/// Residual from which on a small problem in motion is solved by all methods, relative to the largest entry of `b`.
const UNACCEPTABLE_RESIDUAL: f64 = 1e-2;
/// Progress of the interior point below which rounding prevents further steps.
const MIN_INTERIOR_PROGRESS: f64 = 1e-18;

/// Tolerances and limits of the contact solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Maximum residual of a law, relative to the largest entry of `b`. Rounding in `G x` may stop the solver above
    /// it.
    pub tolerance: f64,
    /// Maximum number of factorizations in one Newton run.
    pub factorizations: u32,
    /// Maximum number of Gauss-Seidel sweeps.
    pub sweeps: u32,
    /// Change below which sweeps over a problem in motion end, relative to the largest entry of `b`. Zero: the problem
    /// is at rest. A problem in motion is solved with bounded work, as well as that allows.
    pub moving_tolerance: f64,
    /// Residual that is accepted, in m/s; then the work is bounded too. Zero: none is accepted.
    pub accepted_residual: f64,
    /// Maximum number of multiplications in all factorizations, `n^3` each for n rows. The interior point is not
    /// started if the rest is too small for it to converge.
    pub work: f64,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            factorizations: 10,
            sweeps: 200,
            moving_tolerance: 0.0,
            accepted_residual: 0.0,
            work: f64::INFINITY,
        }
    }
}

/// The method that found the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// The warm start was already a solution.
    WarmStart,
    /// All rows at rest, solved directly.
    AllStick,
    /// Newton over contact modes, from the warm start or from all rows at rest.
    Newton,
    /// Sweeps and exact solutions in given modes, in turn.
    Alternation,
    /// Newton over contact modes found by the interior point.
    InteriorPoint,
    /// Gauss-Seidel, possibly followed by Newton.
    GaussSeidel,
}

/// Result and statistics of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// The method that found the solution.
    pub path: Path,
    /// Whether the laws hold within the tolerance, or as well as rounding in `G x` allows.
    pub converged: bool,
    /// Number of factorizations, including those of the interior point.
    pub factorizations: u32,
    /// Number of Gauss-Seidel sweeps.
    pub sweeps: u32,
    /// Whether the interior point was run.
    pub ran_interior_point: bool,
    /// Largest residual of a law (m/s or rad/s), see [`Residuals`](super::Residuals).
    pub residual: f64,
}

/// Solves [`DenseProblem`]s. It reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    /// Tolerances and limits.
    pub settings: SolverSettings,
    active_set: ActiveSet,
    interior_point: InteriorPoint,
    gauss_seidel: GaussSeidel,
    alternation: Alternation,
    trial: Vec<f64>,
    velocities: Vec<f64>,
    /// Maximum number of factorizations for the current problem.
    affordable: u32,
}

impl ContactSolver {
    /// Creates a solver with the given settings.
    #[must_use]
    pub fn new(settings: SolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Returns the velocities `w = G x + b` of the last solution, in m/s or rad/s.
    #[must_use]
    pub fn velocities(&self) -> &[f64] {
        &self.velocities
    }

    /// Solves the problem. `impulses` contains the warm start (missing entries are 0) and then the solution, which
    /// always lies in the cones and limits. If no method converges (there may be no solution, as for a body between two
    /// walls that both push), the result is that of Gauss-Seidel.
    pub fn solve(&mut self, problem: &DenseProblem, impulses: &mut Vec<f64>) -> SolveReport {
        self.active_set.forget_factors();
        impulses.resize(problem.size(), 0.0);
        problem.project(impulses);
        let mut report = SolveReport {
            path: Path::WarmStart,
            converged: true,
            factorizations: 0,
            sweeps: 0,
            ran_interior_point: false,
            residual: 0.0,
        };
        self.measure(problem, impulses, &mut report);
        if report.converged {
            return report;
        }
        if let Some(goal) = self.bounded_goal(problem) {
            report.path = Path::Alternation;
            let Self { alternation, gauss_seidel, velocities, .. } = self;
            alternation.run(problem, &goal, gauss_seidel, (impulses, velocities), &mut report);
            let is_bad = report.residual > UNACCEPTABLE_RESIDUAL * problem.velocity_scale();
            if !is_bad || self.settings.accepted_residual > 0.0 || problem.size() > MAX_SMALL_ROWS {
                return report;
            }
        }
        let small = problem.size() <= MAX_SMALL_ROWS;
        let warm = impulses.iter().any(|x| *x != 0.0);
        if warm {
            self.active_set.classify_warm(problem, impulses, &self.velocities);
        } else {
            self.guess_modes(problem, small, impulses);
        }
        let sticks = self.active_set.is_all_stick();
        self.affordable = self.affordable(problem.size());
        let most = if small { SMALL_MAX_FACTORIZATIONS } else { self.settings.factorizations };
        let solved = !sticks && self.polish(problem, impulses, most, [Path::Newton; 2], &mut report)
            || sticks && self.all_stick(problem, impulses, if warm { 1 } else { most }, &mut report)
            || warm && sticks && self.stick_near(problem, impulses, most, &mut report)
            || small && self.iterate(problem, impulses, SMALL_MAX_SWEEPS, &mut report)
            || self.all_stick(problem, impulses, self.settings.factorizations, &mut report)
            || self.interior(problem, impulses, 1e2, &mut report)
            || self.interior(problem, impulses, 1e4, &mut report)
            || self.iterate(problem, impulses, self.settings.sweeps, &mut report);
        if !solved {
            report.path = Path::GaussSeidel;
            self.measure(problem, impulses, &mut report);
        }
        report.converged |= solved;
        report
    }

    /// Returns what is enough where the work is bounded: for a problem in motion, or if some residual is accepted.
    fn bounded_goal(&self, problem: &DenseProblem) -> Option<Goal> {
        let SolverSettings { tolerance, moving_tolerance, accepted_residual, .. } = self.settings;
        let scale = problem.velocity_scale();
        if moving_tolerance > 0.0 {
            let tolerance = tolerance.max(MOVING_EXACT_SHARE * moving_tolerance);
            let (enough, accepted) = (moving_tolerance * scale, MOVING_ACCEPTED_RESIDUAL * scale);
            return Some(Goal { tolerance, enough, accepted: accepted.max(accepted_residual) });
        }
        (accepted_residual > 0.0).then_some(Goal { tolerance, enough: tolerance * scale, accepted: accepted_residual })
    }

    /// Finds modes without a warm start: those of the velocities, or in a small problem those after two sweeps.
    fn guess_modes(&mut self, problem: &DenseProblem, small: bool, impulses: &mut [f64]) {
        if small {
            self.gauss_seidel.prepare(problem);
            for _ in 0..SMALL_START_SWEEPS {
                self.gauss_seidel.sweep(problem, impulses, &mut self.velocities);
            }
        }
        self.active_set.classify_all(problem, impulses, &self.velocities);
    }

    /// Returns the maximum number of factorizations of a problem with so many rows.
    fn affordable(&self, rows: usize) -> u32 {
        let cube = (rows * rows * rows).max(1) as f64;
        ((self.settings.work / cube).min(f64::from(u32::MAX)) as u32).max(MIN_FACTORIZATIONS)
    }

    /// Reports the residual of the impulses, and whether it is within the tolerance.
    fn measure(&mut self, problem: &DenseProblem, impulses: &[f64], report: &mut SolveReport) {
        problem.response(impulses, &mut self.velocities);
        report.residual = assess(problem, impulses, &self.velocities).defect;
        report.converged = at_rounding(problem, self.settings.tolerance, report.residual, impulses, &self.velocities);
    }

    /// Solves for all rows at rest with the smallest impulses, and runs Newton from there.
    fn all_stick(&mut self, problem: &DenseProblem, impulses: &mut [f64], most: u32, report: &mut SolveReport) -> bool {
        self.trial.clear();
        self.trial.resize(problem.size(), 0.0);
        self.velocities.clear();
        self.velocities.extend_from_slice(problem.velocities());
        self.active_set.all_stick(problem);
        self.newton(problem, impulses, most, [Path::AllStick, Path::Newton], report)
    }

    /// Solves for all rows at rest with impulses near the warm start: those may be in the cones where the smallest
    /// impulses are not.
    fn stick_near(
        &mut self,
        problem: &DenseProblem,
        impulses: &mut [f64],
        most: u32,
        report: &mut SolveReport,
    ) -> bool {
        problem.response(impulses, &mut self.velocities);
        self.active_set.all_stick(problem);
        self.polish(problem, impulses, most, [Path::AllStick, Path::Newton], report)
    }

    /// Runs Newton from the current modes and impulses.
    fn polish(
        &mut self,
        problem: &DenseProblem,
        impulses: &mut [f64],
        most: u32,
        paths: [Path; 2],
        report: &mut SolveReport,
    ) -> bool {
        self.trial.clear();
        self.trial.extend_from_slice(impulses);
        self.newton(problem, impulses, most, paths, report)
    }

    /// Runs Newton from the trial and keeps the result if it converged. `paths` are reported if the modes stayed and if
    /// they changed.
    fn newton(
        &mut self,
        problem: &DenseProblem,
        impulses: &mut [f64],
        most: u32,
        paths: [Path; 2],
        report: &mut SolveReport,
    ) -> bool {
        let most = most.min(self.affordable.saturating_sub(report.factorizations));
        if most == 0 {
            return false;
        }
        let settings = SolverSettings { factorizations: most, ..self.settings };
        let attempt = self.active_set.run(problem, &settings, &mut self.trial, &mut self.velocities);
        report.factorizations += attempt.factorizations;
        if attempt.converged {
            report.residual = attempt.residual;
            report.path = paths[usize::from(!attempt.modes_kept)];
            impulses.copy_from_slice(&self.trial);
        }
        attempt.converged
    }

    /// Finds modes by the interior point, and the solution by Newton from there.
    fn interior(&mut self, problem: &DenseProblem, impulses: &mut [f64], start: f64, report: &mut SolveReport) -> bool {
        if self.affordable < report.factorizations + MIN_INTERIOR_FACTORIZATIONS {
            return false;
        }
        report.ran_interior_point = true;
        self.interior_point.prepare(problem, start);
        let mut polish_at = FIRST_POLISH_PROGRESS;
        for _ in 0..MAX_INTERIOR_STEPS {
            self.interior_point.advance(problem);
            report.factorizations += 1;
            let progress = self.interior_point.progress();
            if progress > polish_at && report.factorizations < self.affordable {
                continue;
            }
            polish_at = progress * NEXT_POLISH_FACTOR;
            self.trial.clear();
            self.trial.resize(problem.size(), 0.0);
            self.interior_point.impulses(&mut self.trial);
            problem.response(&self.trial, &mut self.velocities);
            self.active_set.classify_all(problem, &self.trial, &self.velocities);
            if self.newton(problem, impulses, self.settings.factorizations, [Path::InteriorPoint; 2], report) {
                return true;
            }
            if progress.is_nan() || progress < MIN_INTERIOR_PROGRESS || report.factorizations >= self.affordable {
                break;
            }
        }
        false
    }

    /// Runs Gauss-Seidel from the warm start, and Newton from its result at growing intervals.
    fn iterate(&mut self, problem: &DenseProblem, impulses: &mut [f64], sweeps: u32, report: &mut SolveReport) -> bool {
        self.gauss_seidel.prepare(problem);
        problem.response(impulses, &mut self.velocities);
        let mut next_polish = FIRST_POLISH_SWEEPS;
        while next_polish <= report.sweeps {
            next_polish *= 4;
        }
        while report.sweeps < sweeps {
            self.gauss_seidel.sweep(problem, impulses, &mut self.velocities);
            report.sweeps += 1;
            if report.sweeps == next_polish {
                next_polish *= 4;
                self.active_set.classify_all(problem, impulses, &self.velocities);
                let most = self.settings.factorizations;
                if self.polish(problem, impulses, most, [Path::GaussSeidel; 2], report) {
                    return true;
                }
                problem.response(impulses, &mut self.velocities);
            }
        }
        false
    }
}
