//! The solver: warm start, Newton, all stick, interior point, Gauss-Seidel, in this order, until the laws hold. Where the caller
//! says what is enough, accelerated sweeps come right after the first Newton: modes of many contacts and limits that depend on each other
//! may cycle for hundreds of factorizations, while sweeps soon obey the laws to a few digits.

use super::DenseProblem;
use super::active_set::ActiveSet;
use super::gauss_seidel::GaussSeidel;
use super::interior_point::InteriorPoint;
use super::residuals::{assess, at_rounding};

/// The most steps of one run of the interior point.
const INTERIOR_STEPS: u32 = 50;
/// Newton tries to polish when the interior point has come this far, and again each time it has come so much further.
const POLISH_AT: f64 = 1e-5;
const POLISH_AGAIN: f64 = 1e-3;
/// The interior point seldom arrives in fewer steps.
const INTERIOR_LEAST: u32 = 20;
/// A few factorizations are always affordable.
const FEWEST_FACTORIZATIONS: u32 = 4;
/// Problems of up to so many rows are swept a few times where Newton does not know where to begin, or gets nowhere in a few
/// factorizations: a sweep costs less than one of those, and Newton mostly finds the rest of the way.
const SWEPT_ROWS: usize = 30;
const GUESSING_SWEEPS: u32 = 2;
const FIRST_FACTORIZATIONS: u32 = 6;
const FEW_SWEEPS: u32 = 32;
/// Sweeps before Newton tries from there; then after four times as many, and so on.
const FIRST_POLISH: u32 = 8;
/// Sweeps over what moves before Newton tries, and the share of the largest entry of `b` that the last may change without anything
/// else being tried.
const MOVING_SWEEPS: u32 = 12;
const WELL_ENOUGH: f64 = 1e-2;
/// After so many it shows how fast they are.
const FEWEST_MOVING_SWEEPS: u32 = 4;
/// Accelerated sweeps where Newton gets nowhere: fewer leave more to the interior point, which costs as much as hundreds.
const MORE_SWEEPS: u32 = 128;
/// Rounding ends the interior point here.
const INTERIOR_END: f64 = 1e-18;

/// Would so many more sweeps leave more than enough, if each is as good as the last?
fn is_too_slow(residual: f64, before: f64, enough: f64, left: u32) -> bool {
    let share = residual / before;
    (0..left).fold(residual, |rest, _| rest * share) > enough
}

/// When to be content and when to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// The largest defect of a law, relative to the largest entry of `b`. Rounding in `G x` may stop the solver above
    /// it.
    pub tolerance: f64,
    /// The most factorizations in one attempt of Newton.
    pub factorizations: u32,
    /// The most sweeps of Gauss-Seidel.
    pub sweeps: u32,
    /// What moves is first swept until nothing changes by more than this share of the largest entry of `b`; nothing is swept
    /// first if it is zero.
    pub moving_tolerance: f64,
    /// Where Newton does not converge, a largest defect of so much (m/s) will do; none will if it is zero.
    pub enough: f64,
    /// The most multiplications in all factorizations, `n^3` each for n rows. The interior point is not begun where that
    /// is too little for it to arrive.
    pub work: f64,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            factorizations: 10,
            sweeps: 200,
            moving_tolerance: 0.0,
            enough: 0.0,
            work: f64::INFINITY,
        }
    }
}

/// Where the solution came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// The warm start was already a solution.
    WarmStart,
    /// All rows at rest, solved directly.
    AllStick,
    /// Newton over contact modes, from the warm start or from all rows at rest.
    Newton,
    /// Newton over contact modes that the interior point has found.
    InteriorPoint,
    /// Gauss-Seidel, perhaps with Newton at its end.
    GaussSeidel,
}

/// What the solver did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// Where the solution came from.
    pub path: Path,
    /// Whether the laws hold within the tolerance, or as well as rounding in `G x` allows.
    pub converged: bool,
    /// Matrices factored, those of the interior point included.
    pub factorizations: u32,
    /// Sweeps of Gauss-Seidel.
    pub sweeps: u32,
    /// The largest defect of a law (m/s or rad/s), see [`Residuals`](super::Residuals).
    pub residual: f64,
}

/// Solves [`DenseProblem`]s; keeps its memory between solves.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    /// When to be content and when to give up.
    pub settings: SolverSettings,
    active_set: ActiveSet,
    interior_point: InteriorPoint,
    gauss_seidel: GaussSeidel,
    trial: Vec<f64>,
    velocities: Vec<f64>,
    /// Was the last solution only good enough?
    is_enough: bool,
    /// Factorizations for the present problem.
    affordable: u32,
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

    /// Solves the problem. `impulses` holds the warm start (missing entries are 0) and then the solution, which always
    /// lies in the cones and limits. If nothing converges (there may be no solution: a body squeezed between walls that
    /// both push), the result is that of Gauss-Seidel.
    pub fn solve(&mut self, problem: &DenseProblem, impulses: &mut Vec<f64>) -> SolveReport {
        self.active_set.forget_factors();
        self.solve_again(problem, impulses)
    }

    /// The same for a problem with the matrix of the one before and other velocities.
    pub fn solve_again(&mut self, problem: &DenseProblem, impulses: &mut Vec<f64>) -> SolveReport {
        impulses.resize(problem.size(), 0.0);
        problem.project(impulses);
        let mut report =
            SolveReport { path: Path::WarmStart, converged: true, factorizations: 0, sweeps: 0, residual: 0.0 };
        self.measure(problem, impulses, &mut report);
        if report.converged {
            return report;
        }
        self.is_enough = false;
        if self.sweep_first(problem, impulses, &mut report) {
            return report;
        }
        let moves = self.settings.moving_tolerance > 0.0;
        if moves && self.sweep_on(problem, impulses, &mut report) {
            return report;
        }
        let small = problem.size() <= SWEPT_ROWS;
        let warm = impulses.iter().any(|x| *x != 0.0);
        if warm {
            self.active_set.classify_warm(problem, impulses, &self.velocities);
        } else {
            self.guess(problem, small, impulses);
        }
        let sticks = self.active_set.is_all_stick();
        self.affordable = self.affordable(problem.size());
        let most = if small { FIRST_FACTORIZATIONS } else { self.settings.factorizations };
        let solved = !sticks && self.polish(problem, impulses, most, [Path::Newton; 2], &mut report)
            || sticks && self.all_stick(problem, impulses, if warm { 1 } else { most }, &mut report)
            || warm && sticks && self.stick_near(problem, impulses, most, &mut report)
            || !moves && self.sweep_on(problem, impulses, &mut report)
            || small && self.iterate(problem, impulses, FEW_SWEEPS, &mut report)
            || self.all_stick(problem, impulses, self.settings.factorizations, &mut report)
            || self.interior(problem, impulses, 1e2, &mut report)
            || self.interior(problem, impulses, 1e4, &mut report)
            || self.iterate(problem, impulses, self.settings.sweeps, &mut report);
        if !solved {
            report.path = Path::GaussSeidel;
            self.measure(problem, impulses, &mut report);
        }
        report.converged |= solved && !self.is_enough;
        report
    }

    /// Sweeps over what moves: impulses that are as good as the next step, which begins anew, can tell.
    fn sweep_first(&mut self, problem: &DenseProblem, impulses: &mut [f64], report: &mut SolveReport) -> bool {
        let enough = self.settings.moving_tolerance * problem.velocity_scale();
        if enough <= 0.0 {
            return false;
        }
        self.gauss_seidel.prepare(problem);
        report.path = Path::GaussSeidel;
        for left in (0..MOVING_SWEEPS).rev() {
            let before = report.residual;
            report.sweeps += 1;
            report.residual = self.gauss_seidel.sweep(problem, impulses);
            if report.residual <= enough || self.gauss_seidel.is_one() {
                return true;
            }
            if report.sweeps >= FEWEST_MOVING_SWEEPS && is_too_slow(report.residual, before, enough, left) {
                break;
            }
        }
        // Sweeps find the modes soon, and the impulses of light parts between heavy ones late.
        self.affordable = self.affordable(problem.size());
        problem.response(impulses, &mut self.velocities);
        self.active_set.classify_all(problem, impulses, &self.velocities);
        let tolerance = std::mem::replace(&mut self.settings.tolerance, 0.1 * self.settings.moving_tolerance);
        let found = self.polish(problem, impulses, FIRST_FACTORIZATIONS, [Path::Newton; 2], report);
        self.settings.tolerance = tolerance;
        found || report.residual <= WELL_ENOUGH * problem.velocity_scale()
    }

    /// Where Newton gets nowhere: accelerated sweeps until the laws hold well enough, if they ever do.
    fn sweep_on(&mut self, problem: &DenseProblem, impulses: &mut [f64], report: &mut SolveReport) -> bool {
        let enough = self.settings.enough;
        if enough <= 0.0 {
            return false;
        }
        self.gauss_seidel.prepare(problem);
        self.gauss_seidel.start(impulses.len());
        for sweep in 1..=MORE_SWEEPS {
            let change = self.gauss_seidel.sweep_from(problem, impulses);
            report.sweeps += 1;
            if change <= enough {
                self.measure(problem, impulses, report);
                self.is_enough = report.residual <= enough;
                if self.is_enough {
                    report.path = Path::GaussSeidel;
                    return true;
                }
            }
            // What is carried on may have left the cones: a sweep comes last.
            if sweep < MORE_SWEEPS {
                self.gauss_seidel.carry_on(impulses);
            }
        }
        false
    }

    /// Modes where there is no warm start: those of the velocities, or in a small problem those after two sweeps.
    fn guess(&mut self, problem: &DenseProblem, small: bool, impulses: &mut [f64]) {
        if small {
            self.gauss_seidel.prepare(problem);
            for _ in 0..GUESSING_SWEEPS {
                self.gauss_seidel.sweep(problem, impulses);
            }
            problem.response(impulses, &mut self.velocities);
        }
        self.active_set.classify_all(problem, impulses, &self.velocities);
    }

    /// How many factorizations of so many rows there may be.
    fn affordable(&self, rows: usize) -> u32 {
        let cube = (rows * rows * rows).max(1) as f64;
        ((self.settings.work / cube).min(f64::from(u32::MAX)) as u32).max(FEWEST_FACTORIZATIONS)
    }

    /// The residual of these impulses, and whether it will do.
    fn measure(&mut self, problem: &DenseProblem, impulses: &[f64], report: &mut SolveReport) {
        problem.response(impulses, &mut self.velocities);
        report.residual = assess(problem, impulses, &self.velocities).defect;
        report.converged = at_rounding(problem, self.settings.tolerance, report.residual, impulses, &self.velocities);
    }

    /// All rows at rest with the least impulses, and Newton from there.
    fn all_stick(&mut self, problem: &DenseProblem, impulses: &mut [f64], most: u32, report: &mut SolveReport) -> bool {
        self.trial.clear();
        self.trial.resize(problem.size(), 0.0);
        self.velocities.clear();
        self.velocities.extend_from_slice(problem.velocities());
        self.active_set.all_stick(problem);
        self.newton(problem, impulses, most, [Path::AllStick, Path::Newton], report)
    }

    /// All rows at rest with impulses near the warm start: those may be in the cones where the least impulses are not.
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

    /// Newton from the present modes and the null space of these impulses.
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

    /// Newton from the trial; keeps the result if it converged. `paths`: what to report if the modes stayed and if they
    /// changed.
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

    /// Modes from the interior point, polished by Newton.
    fn interior(&mut self, problem: &DenseProblem, impulses: &mut [f64], start: f64, report: &mut SolveReport) -> bool {
        if self.affordable < report.factorizations + INTERIOR_LEAST {
            return false;
        }
        self.interior_point.prepare(problem, start);
        let mut polish_at = POLISH_AT;
        for _ in 0..INTERIOR_STEPS {
            self.interior_point.advance(problem);
            report.factorizations += 1;
            let progress = self.interior_point.progress();
            if progress > polish_at && report.factorizations < self.affordable {
                continue;
            }
            polish_at = progress * POLISH_AGAIN;
            self.trial.clear();
            self.trial.resize(problem.size(), 0.0);
            self.interior_point.impulses(&mut self.trial);
            problem.response(&self.trial, &mut self.velocities);
            self.active_set.classify_all(problem, &self.trial, &self.velocities);
            if self.newton(problem, impulses, self.settings.factorizations, [Path::InteriorPoint; 2], report) {
                return true;
            }
            if progress.is_nan() || progress < INTERIOR_END || report.factorizations >= self.affordable {
                break;
            }
        }
        false
    }

    /// Gauss-Seidel from the warm start; now and then Newton tries again from where it has come.
    fn iterate(&mut self, problem: &DenseProblem, impulses: &mut [f64], sweeps: u32, report: &mut SolveReport) -> bool {
        self.gauss_seidel.prepare(problem);
        let mut next_polish = FIRST_POLISH;
        while next_polish <= report.sweeps {
            next_polish *= 4;
        }
        while report.sweeps < sweeps {
            self.gauss_seidel.sweep(problem, impulses);
            report.sweeps += 1;
            if report.sweeps == next_polish {
                next_polish *= 4;
                problem.response(impulses, &mut self.velocities);
                self.active_set.classify_all(problem, impulses, &self.velocities);
                let most = self.settings.factorizations;
                if self.polish(problem, impulses, most, [Path::GaussSeidel; 2], report) {
                    return true;
                }
            }
        }
        false
    }
}
