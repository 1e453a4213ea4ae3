//! Block Gauss-Seidel: every block in turn is solved exactly while the others are fixed. It always makes some progress
//! and does not require a regular matrix, but is slow for long chains of bodies and large mass ratios.
//!
//! The velocities `w = G x + b` are kept up to date, so that a block that does not change costs almost nothing.

use glam::DVec3;

use super::{Block, ContactBlock, DenseProblem, Law};

/// Prepared blocks and the state of accelerated sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct GaussSeidel {
    blocks: Vec<PreparedBlock>,
    /// Impulses before the last sweep.
    before: Vec<f64>,
    /// Direction of extrapolation.
    direction: Vec<f64>,
    /// Squared change in the last sweep.
    norm: f64,
}

#[derive(Clone, Copy, Debug)]
enum PreparedBlock {
    Contact(usize, ContactBlock),
    /// Row, diagonal entry, lower and upper bound of the impulse.
    Row(usize, f64, f64, f64),
}

impl GaussSeidel {
    /// Inverts the blocks.
    pub(super) fn prepare(&mut self, problem: &DenseProblem) {
        self.blocks.clear();
        self.blocks.extend(problem.blocks().iter().map(|block| PreparedBlock::new(problem, block)));
    }

    /// Sweeps once over all blocks; `w = G x + b` before and afterwards. Returns the largest change of a block's own
    /// velocity, in m/s or rad/s.
    pub(super) fn sweep(&self, problem: &DenseProblem, x: &mut [f64], w: &mut [f64]) -> f64 {
        let mut most = 0.0_f64;
        for block in &self.blocks {
            match *block {
                PreparedBlock::Contact(row, ref contact) => {
                    let old = DVec3::from_slice(&x[row..row + 3]);
                    let velocity = DVec3::from_slice(&w[row..row + 3]);
                    // Most contacts of a group that can close in a step stay open.
                    if old == DVec3::ZERO && velocity.x >= 0.0 {
                        continue;
                    }
                    let new = contact.solve_from(velocity - contact.k * old, old);
                    let change = new - old;
                    if change != DVec3::ZERO {
                        most = most.max((contact.k * change).length_squared());
                        new.write_to_slice(&mut x[row..row + 3]);
                        add_three(problem, row, change, w);
                    }
                }
                PreparedBlock::Row(row, g, lower, upper) if g > 0.0 => {
                    let new = (x[row] - w[row] / g).max(lower).min(upper);
                    let change = new - x[row];
                    if change != 0.0 {
                        most = most.max(g * change * (g * change));
                        x[row] = new;
                        w.iter_mut().zip(problem.row(row)).for_each(|(w, entry)| *w += entry * change);
                    }
                }
                PreparedBlock::Row(row, ..) => x[row] = 0.0,
            }
        }
        most.sqrt()
    }

    /// Starts sweeps that are accelerated by nonlinear conjugate gradients: the change in a sweep is a gradient, and
    /// the impulses are extrapolated along a direction that combines it with earlier ones (Silcowitz, Niebe and Erleben
    /// 2010).
    pub(super) fn start(&mut self, rows: usize) {
        self.direction.clear();
        self.direction.resize(rows, 0.0);
        self.norm = 0.0;
    }

    /// Sweeps once, and stores the impulses before it for [`extrapolate`](Self::extrapolate).
    pub(super) fn sweep_from(&mut self, problem: &DenseProblem, x: &mut [f64], w: &mut [f64]) -> f64 {
        self.before.clear();
        self.before.extend_from_slice(x);
        self.sweep(problem, x, w)
    }

    /// Extrapolates the impulses along the direction. A sweep that changed more than the one before resets it. The
    /// impulses may leave their cones; the next sweep projects them back.
    pub(super) fn extrapolate(&mut self, problem: &DenseProblem, x: &mut [f64], w: &mut Vec<f64>) {
        let norm: f64 = self.before.iter().zip(&*x).map(|(before, x)| (x - before) * (x - before)).sum();
        let keep = if norm < self.norm { norm / self.norm } else { 0.0 };
        self.norm = norm;
        for ((direction, before), x) in self.direction.iter_mut().zip(&self.before).zip(&mut *x) {
            let carried = *direction * keep;
            *direction = carried + (*x - before);
            *x += carried;
        }
        if keep > 0.0 {
            problem.response(x, w);
        }
    }

    /// Returns whether there is at most one block, so that one sweep is exact.
    pub(super) fn is_one(&self) -> bool {
        self.blocks.len() <= 1
    }
}

/// Adds the effect of a change of the impulse of a contact to all velocities.
#[inline(always)]
fn add_three(problem: &DenseProblem, row: usize, change: DVec3, w: &mut [f64]) {
    let (first, second, third) = (problem.row(row), problem.row(row + 1), problem.row(row + 2));
    for (((w, x), y), z) in w.iter_mut().zip(first).zip(second).zip(third) {
        *w += x * change.x + y * change.y + z * change.z;
    }
}

impl PreparedBlock {
    fn new(problem: &DenseProblem, block: &Block) -> Self {
        let row = block.first_row;
        let g = problem.diagonal(row);
        match block.law {
            Law::Contact { friction } => Self::Contact(row, ContactBlock::new(problem.contact_matrix(row), friction)),
            Law::Bilateral => Self::Row(row, g, f64::NEG_INFINITY, f64::INFINITY),
            Law::Unilateral => Self::Row(row, g, 0.0, f64::INFINITY),
            Law::Bounded { limit } => Self::Row(row, g, -limit.max(0.0), limit.max(0.0)),
        }
    }
}
