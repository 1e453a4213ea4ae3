//! Residuals of the laws: maxima over the blocks.
//!
//! A law of the form '`x` in a set, `w` pushes against its boundary' holds exactly if `x = P(x - w / g)`, where `P`
//! projects on the set and `g > 0` is any number (the natural map). With `g` the diagonal entry of `G`, `g (x - P(x - w
//! / g))` is a velocity: the error of the row.

use glam::DVec2;

use super::{Block, DenseProblem, Law};

/// Number of rounding errors, each of the largest term, that may add up in a row of `G x` and in its solution.
const MAX_ROUNDINGS: f64 = 64.0;

/// Residuals of the contacts, each the maximum over all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactResiduals {
    /// `|min(w_n, g_nn x_n)|` (m/s): approaching, pulling, or pushing while apart.
    pub signorini: f64,
    /// `|x_t| - mu x_n` where positive (N s): friction beyond the cone.
    pub coulomb: f64,
    /// The natural map of the friction law (m/s), for `x_t` brought back into the cone: slip that is not opposed, or
    /// slip at less than the full friction. Zero exactly when friction dissipates as much power as it can.
    pub dissipation: f64,
}

/// Residuals of all laws, each the maximum over its blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residuals {
    /// Residuals of the contacts.
    pub contacts: ContactResiduals,
    /// `|w|` of bilateral rows (m/s or rad/s).
    pub bilateral: f64,
    /// `|min(w, g x)|` of unilateral rows (m/s or rad/s).
    pub unilateral: f64,
    /// The natural map of bounded rows (m/s or rad/s).
    pub bounded: f64,
}

impl Residuals {
    /// Computes the residuals of the impulses `x` and their velocities `w = G x + b`.
    #[must_use]
    pub fn new(problem: &DenseProblem, impulses: &[f64], velocities: &[f64]) -> Self {
        let mut all = Self::default();
        for block in problem.blocks() {
            let row = block.first_row;
            let g = problem.diagonal(row);
            let (x, w) = (impulses[row], velocities[row]);
            match block.law {
                Law::Bilateral => raise(&mut all.bilateral, w.abs()),
                Law::Unilateral => raise(&mut all.unilateral, unilateral_defect(g, x, w)),
                Law::Bounded { limit } => raise(&mut all.bounded, bounded_defect(g, limit, x, w)),
                Law::Contact { .. } => {
                    let (x_t, w_t) = (tangent(impulses, row), tangent(velocities, row));
                    let radius = block.law.friction() * x.max(0.0);
                    let g_t = problem.tangent_diagonal(row);
                    raise(&mut all.contacts.signorini, unilateral_defect(g, x, w));
                    raise(&mut all.contacts.coulomb, x_t.length() - radius);
                    raise(&mut all.contacts.dissipation, friction_defect(g_t, radius, clip(x_t, radius), w_t));
                }
            }
        }
        all
    }

    /// Returns the largest residual that is a velocity (m/s or rad/s): all but [`ContactResiduals::coulomb`].
    #[must_use]
    pub fn largest_velocity(&self) -> f64 {
        let contacts = nan_max(self.contacts.signorini, self.contacts.dissipation);
        nan_max(nan_max(contacts, self.bilateral), nan_max(self.unilateral, self.bounded))
    }
}

/// Returns the residual of one block as a velocity. Friction beyond the cone counts as the velocity that it causes.
#[inline]
pub(super) fn block_defect(problem: &DenseProblem, block: &Block, impulses: &[f64], velocities: &[f64]) -> f64 {
    let row = block.first_row;
    let g = problem.diagonal(row);
    let (x, w) = (impulses[row], velocities[row]);
    match block.law {
        Law::Bilateral => w.abs(),
        Law::Unilateral => unilateral_defect(g, x, w),
        Law::Bounded { limit } => bounded_defect(g, limit, x, w),
        Law::Contact { .. } => {
            let radius = block.law.friction() * x.max(0.0);
            let (x_t, w_t) = (tangent(impulses, row), tangent(velocities, row));
            let friction = friction_defect(problem.tangent_diagonal(row), radius, x_t, w_t);
            nan_max(unilateral_defect(g, x, w), friction)
        }
    }
}

/// Returns the tangential components of a contact.
#[inline]
pub(super) fn tangent(values: &[f64], row: usize) -> DVec2 {
    DVec2::new(values[row + 1], values[row + 2])
}

/// Returns the nearest point in a disk.
#[inline]
pub(super) fn clip(point: DVec2, radius: f64) -> DVec2 {
    let length2 = point.length_squared();
    if length2 > radius * radius { point * (radius / length2.sqrt()) } else { point }
}

#[inline]
fn unilateral_defect(g: f64, x: f64, w: f64) -> f64 {
    // A plain minimum would lose a NaN.
    if g * x < w { (g * x).abs() } else { w.abs() }
}

#[inline]
fn bounded_defect(g: f64, limit: f64, x: f64, w: f64) -> f64 {
    let bound = g * limit.max(0.0);
    (g * x - (g * x - w).max(-bound).min(bound)).abs()
}

#[inline]
fn friction_defect(g: f64, radius: f64, x: DVec2, w: DVec2) -> f64 {
    (x * g - clip(x * g - w, radius * g)).length()
}

/// Returns the larger of two numbers; NaN if one of them is.
#[inline]
pub(super) fn nan_max(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

fn raise(largest: &mut f64, value: f64) {
    *largest = nan_max(*largest, value);
}

/// Merit and residual of impulses and their velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Assessment {
    /// Sum of the squared residuals, each over its diagonal entry: an energy, in which heavy and light bodies count
    /// alike.
    pub(super) merit: f64,
    /// Largest residual of a block, in m/s.
    pub(super) defect: f64,
}

/// Computes merit and residual over all blocks.
pub(super) fn assess(problem: &DenseProblem, x: &[f64], w: &[f64]) -> Assessment {
    let mut all = Assessment { merit: 0.0, defect: 0.0 };
    for block in problem.blocks() {
        let defect = block_defect(problem, block, x, w);
        all.merit += defect * defect / problem.diagonal(block.first_row).max(f64::MIN_POSITIVE);
        all.defect = nan_max(all.defect, defect);
    }
    all
}

/// Returns whether every block is within the tolerance, or as accurate as rounding in `G x` allows, given the largest
/// residual.
pub(super) fn at_rounding(problem: &DenseProblem, tolerance: f64, defect: f64, x: &[f64], w: &[f64]) -> bool {
    let tolerance = tolerance * problem.velocity_scale();
    if defect <= tolerance {
        return true;
    }
    // A cheap bound rejects most problems without square roots.
    let sum: f64 = x.iter().map(|x| x.abs()).sum();
    if defect > tolerance + MAX_ROUNDINGS * f64::EPSILON * largest_diagonal(problem) * sum {
        return false;
    }
    let size = response_size(problem, x);
    problem.blocks().iter().all(|block| {
        let diagonal = block.rows().fold(0.0, |largest: f64, row| largest.max(problem.diagonal(row)));
        block_defect(problem, block, x, w) <= tolerance + MAX_ROUNDINGS * f64::EPSILON * diagonal.sqrt() * size
    })
}

/// Returns the largest rounding error of a velocity that should be zero, in m/s.
pub(super) fn rounding(problem: &DenseProblem, x: &[f64]) -> f64 {
    MAX_ROUNDINGS
        * f64::EPSILON
        * (largest_diagonal(problem).sqrt() * response_size(problem, x) + problem.velocity_scale())
}

fn largest_diagonal(problem: &DenseProblem) -> f64 {
    (0..problem.size()).fold(0.0, |largest: f64, row| largest.max(problem.diagonal(row)))
}

/// Returns a number that times `sqrt(G_ii)` bounds the terms of row `i` of `G x`, because `|G_ij| <= sqrt(G_ii G_jj)`.
fn response_size(problem: &DenseProblem, x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(row, x)| x.abs() * problem.diagonal(row).max(0.0).sqrt()).sum()
}
