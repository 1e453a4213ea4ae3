//! Semi-smooth Newton over contact modes. Its first step from 'all rows stick' is the direct solution.
//!
//! In given modes the laws are linear except for the rotation of the sliding directions:
//! - stick: `w = 0`, three unknowns;
//! - slide: `x = x_n (1, mu d) + s (0, d_perp)`, two unknowns; `w_n = 0` and, with the slip speed `l = -d . w_t`,
//!   `mu x_n d_perp . w_t + l s = 0` (the friction rotates until it opposes the slip);
//! - open: no unknown; a bounded row at its limit: no unknown.
//!
//! Each iteration solves and then classifies the modes again. A line search on the squared residuals prevents
//! oscillation.
//!
//! The system is singular whenever `G` is. A tiny share of the diagonal is added, and the steps are repeated with the
//! same factors until the residual vanishes (proximal point): the result is the solution nearest to the base point.
//! When the modes change, the next solve starts again from the base point, so that null-space components of a wrong
//! choice of modes do not remain. Modes can also be infeasible (four corners of a rigid box whose target velocities are
//! not those of a plane): then the steps continue along a null direction for ever, and the first block that reaches a
//! boundary on this ray changes its mode.
//!
//! It does not always converge: modes can cycle.

use super::mode::{BlockMode, Mode, classify, classify_warm};
use super::reduced_system::ReducedSystem;
use super::residuals::{Assessment, assess, at_rounding, rounding};
use super::{DenseProblem, Law, SolverSettings};

/// Maximum number of steps with the same factors.
const MAX_STEPS_PER_FACTORIZATION: u32 = 6;
/// Length of the second step, relative to the first, from which on the system has no solution.
const INFEASIBLE_STEP_RATIO: f64 = 0.1;
/// Growth of the merit above which modes are assumed to cycle. It applies only if sweeps are an alternative.
const DIVERGED_MERIT_FACTOR: f64 = 100.0;
/// Share of the residual that a new factorization may leave; if it leaves more, the iteration ends.
const STALLED_RESIDUAL_RATIO: f64 = 0.7;
/// Approach velocity, relative to the largest entry of `b`, that closes a contact of the warm start without impulse.
const CLOSING_VELOCITY_SHARE: f64 = 0.1;
/// Velocity, relative to the tolerance, up to which it counts as zero in a step.
const ZERO_VELOCITY_SHARE: f64 = 0.1;
/// Number of points of the line search.
const SEARCH_POINTS: u32 = 6;
/// Length of each step of the line search relative to the one before.
const SEARCH_FACTOR: f64 = 0.4;

/// Difference between the modes and those of the factors.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    Turned,
    Modes,
}

/// Result of an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attempt {
    pub(super) converged: bool,
    pub(super) factorizations: u32,
    /// Largest residual of a law, in m/s.
    pub(super) residual: f64,
    /// Whether the modes at the end are those of the start.
    pub(super) modes_kept: bool,
}

/// The iteration and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    pub(super) modes: Vec<BlockMode>,
    system: ReducedSystem,
    /// Modes of the factors; empty if there are none.
    factored: Vec<BlockMode>,
    base: Vec<f64>,
    target: Vec<f64>,
    ray: Vec<f64>,
    origin: Vec<f64>,
    candidate: Vec<f64>,
}

impl ActiveSet {
    /// Sets the modes of all rows at rest.
    pub(super) fn all_stick(&mut self, problem: &DenseProblem) {
        self.modes.clear();
        self.modes.resize(problem.blocks().len(), BlockMode::default());
    }

    /// Sets the modes that the natural map gives for `x` and `w`.
    pub(super) fn classify_all(&mut self, problem: &DenseProblem, x: &[f64], w: &[f64]) {
        self.modes.clear();
        self.modes.extend(problem.blocks().iter().map(|block| classify(problem, block, x, w)));
    }

    /// Sets the modes of a warm start.
    pub(super) fn classify_warm(&mut self, problem: &DenseProblem, x: &[f64], w: &[f64]) {
        let fast = CLOSING_VELOCITY_SHARE * problem.velocity_scale();
        self.modes.clear();
        self.modes.extend(problem.blocks().iter().map(|block| classify_warm(problem, block, x, w, fast)));
    }

    /// Discards the factors, because the matrix has changed.
    pub(super) fn forget_factors(&mut self) {
        self.factored.clear();
    }

    /// Returns whether the factors are those of the current modes.
    fn is_factored(&self) -> bool {
        let fits = |(old, new): (&BlockMode, &BlockMode)| old.mode == new.mode && !new.has_turned(old);
        self.factored.len() == self.modes.len() && self.factored.iter().zip(&self.modes).all(fits)
    }

    /// Returns whether every block is at rest.
    pub(super) fn is_all_stick(&self) -> bool {
        self.modes.iter().all(|mode| mode.mode == Mode::Stick)
    }

    /// Iterates from the current modes, with `x` as the base point. The result is in `x` and `w = G x + b`; `w` must
    /// also be valid at the start.
    pub(super) fn run(
        &mut self,
        problem: &DenseProblem,
        settings: &SolverSettings,
        x: &mut Vec<f64>,
        w: &mut Vec<f64>,
    ) -> Attempt {
        let tolerance = settings.tolerance * problem.velocity_scale();
        let mut attempt = Attempt { modes_kept: true, ..Attempt::default() };
        let mut now = Assessment { merit: f64::INFINITY, defect: f64::INFINITY };
        let mut is_factored = self.is_factored();
        let mut change = Change::Modes;
        let (mut steps, mut last_stall, mut least) = (0, f64::INFINITY, f64::INFINITY);
        self.base.clone_from(x);
        loop {
            let is_exact;
            if change != Change::Nothing && !is_factored {
                if attempt.factorizations >= settings.factorizations {
                    return attempt;
                }
                self.system.factor(problem, &self.modes);
                self.factored.clone_from(&self.modes);
                attempt.factorizations += 1;
                (steps, is_exact) = (0, true);
            } else {
                is_exact = self.system.turn(problem, &self.modes);
            }
            is_factored = false;
            let pivot = self.aim(problem, (change, is_exact), ZERO_VELOCITY_SHARE * tolerance, x, w);
            steps += 1;
            let before = now;
            now = self.search(problem, before.merit, x, w);
            change = self.reclassify(problem, x, w);
            if let Some(pivot) = pivot {
                change = self.leave(problem, pivot);
            }
            attempt.modes_kept &= change != Change::Modes;

            let defect = now.defect;
            attempt.residual = defect;
            attempt.converged = defect <= tolerance;
            if attempt.converged {
                return attempt;
            }
            least = now.merit.min(least);
            if settings.accepted_residual > 0.0 && now.merit > DIVERGED_MERIT_FACTOR * least {
                return attempt;
            }
            let stalled = steps > 1 && (defect.is_nan() || defect >= 0.5 * before.defect);
            if change == Change::Nothing && (stalled || steps >= MAX_STEPS_PER_FACTORIZATION) {
                // No more progress with these factors: rounding, turning slides, or no solution in these modes.
                attempt.converged = at_rounding(problem, settings.tolerance, defect, x, w);
                let slides = self.modes.iter().any(|mode| mode.mode == Mode::Slide);
                if attempt.converged || !slides || defect > STALLED_RESIDUAL_RATIO * last_stall {
                    return attempt;
                }
                last_stall = defect;
                change = Change::Turned;
            }
        }
    }

    /// Computes the target, the solution of the linear system. If there is none (which is detected if the factors are
    /// exact), returns the block that must change its mode first.
    fn aim(
        &mut self,
        problem: &DenseProblem,
        (change, is_exact): (Change, bool),
        quiet: f64,
        x: &Vec<f64>,
        w: &mut Vec<f64>,
    ) -> Option<usize> {
        self.target.clone_from(if change == Change::Modes { &self.base } else { x });
        for (block, mode) in problem.blocks().iter().zip(&self.modes) {
            mode.impose(block, &mut self.target);
        }
        if self.target != *x {
            problem.response(&self.target, w);
        }
        let first = self.system.step(w, &mut self.target, quiet);
        if !is_exact {
            return None;
        }
        problem.response(&self.target, w);
        self.ray.clone_from(&self.target);
        let second = self.system.step(w, &mut self.ray, quiet);
        if second.impulse < INFEASIBLE_STEP_RATIO * first.impulse || second.velocity <= rounding(problem, &self.target)
        {
            std::mem::swap(&mut self.target, &mut self.ray);
            return None;
        }
        // Without a solution every step moves equally far along the same ray, on which w hardly changes.
        for (ray, target) in self.ray.iter_mut().zip(&mut self.target) {
            *ray -= *target;
            *target -= *ray;
        }
        let (share, pivot) = self.first_exit(problem)?;
        for (ray, target) in self.ray.iter().zip(&mut self.target) {
            *target += share * ray;
        }
        Some(pivot)
    }

    /// Returns the first block that reaches the boundary of its mode along the ray, and the share of the ray up to
    /// there.
    fn first_exit(&self, problem: &DenseProblem) -> Option<(f64, usize)> {
        let mut first: Option<(f64, usize)> = None;
        for (index, (block, mode)) in problem.blocks().iter().zip(&self.modes).enumerate() {
            let row = block.first_row;
            let (x, ray) = (self.target[row], self.ray[row]);
            let share = match (block.law, mode.mode) {
                (_, Mode::Open | Mode::Low | Mode::High) | (Law::Bilateral, _) => continue,
                (Law::Contact { .. } | Law::Unilateral, _) if x > 0.0 && ray < 0.0 => -x / ray,
                (Law::Bounded { limit }, _) if x.abs() < limit => (limit.copysign(ray) - x) / ray,
                _ => continue,
            };
            if share.is_finite() && first.is_none_or(|(other, _)| share < other) {
                first = Some((share, index));
            }
        }
        first
    }

    /// Moves `x` towards the target as far as the merit decreases, or else to the point with the smallest merit.
    /// Returns merit and residual there.
    fn search(&mut self, problem: &DenseProblem, before: f64, x: &mut Vec<f64>, w: &mut Vec<f64>) -> Assessment {
        self.candidate.clone_from(&self.target);
        let mut best = self.try_candidate(problem, w);
        std::mem::swap(x, &mut self.candidate);
        if best.merit < before * 0.9 || before == f64::INFINITY {
            return best;
        }
        self.origin.clone_from(&self.candidate);
        let mut share = SEARCH_FACTOR;
        for _ in 1..SEARCH_POINTS {
            self.candidate.clear();
            self.candidate.extend(self.origin.iter().zip(&self.target).map(|(x, target)| x + share * (target - x)));
            let found = self.try_candidate(problem, w);
            let is_best = found.merit < best.merit;
            if is_best {
                best = found;
                x.clone_from(&self.candidate);
            }
            if best.merit < before * (1.0 - 0.1 * share) {
                if !is_best {
                    problem.response(x, w);
                }
                return best;
            }
            share *= SEARCH_FACTOR;
        }
        problem.response(x, w);
        best
    }

    fn try_candidate(&mut self, problem: &DenseProblem, w: &mut Vec<f64>) -> Assessment {
        problem.project(&mut self.candidate);
        problem.response(&self.candidate, w);
        assess(problem, &self.candidate, w)
    }

    /// Sets the mode of a block to that beyond its boundary.
    fn leave(&mut self, problem: &DenseProblem, pivot: usize) -> Change {
        let row = problem.blocks()[pivot].first_row;
        let mode = match problem.blocks()[pivot].law {
            Law::Bounded { .. } if self.ray[row] > 0.0 => Mode::High,
            Law::Bounded { .. } => Mode::Low,
            _ => Mode::Open,
        };
        self.modes[pivot] = BlockMode { mode, ..BlockMode::default() };
        Change::Modes
    }

    fn reclassify(&mut self, problem: &DenseProblem, x: &[f64], w: &[f64]) -> Change {
        let mut change = Change::Nothing;
        for (block, mode) in problem.blocks().iter().zip(&mut self.modes) {
            let new = classify(problem, block, x, w);
            if new.mode != mode.mode {
                change = Change::Modes;
            } else if change == Change::Nothing && new.has_turned(mode) {
                change = Change::Turned;
            }
            *mode = new;
        }
        change
    }
}
