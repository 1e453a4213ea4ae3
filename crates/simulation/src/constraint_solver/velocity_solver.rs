//! Solves a contact group on the contact-space operator: directly if it is small, by block Gauss-Seidel if not.
//!
//! A small group is assembled and handed to the [`ContactSolver`]: 'all stick' first, then Newton over contact modes, so that
//! true stick and mass ratios of ten thousand cost nothing extra. In a large group contact after contact is solved exactly
//! with all others held, sweeping to and fro; impulses of the last step are the start, so a stack at rest needs few sweeps.

use glam::DVec3;

use super::contact_problem::{ContactBlock, ContactSolver, DenseProblem, Law};
use crate::contact_space::{ContactSpace, DenseGroup, contact_frame};

/// How well and how long to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VelocitySolverSettings {
    /// Groups of up to so many rows (three a contact) are solved directly.
    pub direct_rows: usize,
    /// The most sweeps over a large group in one step.
    pub sweeps: u32,
    /// Sweeping ends when no contact's velocity changes by more than this, in m/s.
    pub tolerance: f64,
}

impl Default for VelocitySolverSettings {
    fn default() -> Self {
        Self { direct_rows: 150, sweeps: 40, tolerance: 1e-9 }
    }
}

/// What solving took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolverWork {
    /// Groups solved directly.
    pub direct: u32,
    /// Groups solved by sweeping, or that the direct solver had to sweep.
    pub swept: u32,
    /// Sweeps in all.
    pub sweeps: u32,
    /// The largest change of velocity in a last sweep, or the largest defect of a direct solution, in m/s.
    pub residual: f64,
}

/// The solver; it holds settings and scratch.
#[derive(Debug, Clone, Default)]
pub struct VelocitySolver {
    /// How well and how long to solve.
    pub settings: VelocitySolverSettings,
    /// Added up over the groups of a step; the caller resets it.
    pub work: SolverWork,
    dense: DenseGroup,
    problem: DenseProblem,
    impulses: Vec<f64>,
    direct: ContactSolver,
}

impl VelocitySolver {
    /// A solver with these settings.
    pub fn new(settings: VelocitySolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Finds the impulses of some contacts and rows, starting from those they have, and applies them.
    pub fn solve(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        if 3 * blocks.len() + rows.len() <= self.settings.direct_rows {
            self.solve_directly(space, blocks, rows);
        } else {
            self.sweep(space, blocks, rows);
        }
    }

    fn solve_directly(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        let Self { dense, problem, impulses, direct, work, .. } = self;
        dense.assemble(space, blocks, rows, problem, impulses);
        let report = direct.solve(problem, impulses);
        dense.apply(space, blocks, rows, impulses);
        work.direct += 1;
        work.sweeps += report.sweeps;
        work.residual = work.residual.max(report.residual);
    }

    fn sweep(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        self.work.swept += 1;
        let mut change = 0.0;
        for sweep in 0..self.settings.sweeps {
            change = 0.0_f64;
            for &row in rows {
                change = change.max(solve_row(space, row as usize));
            }
            // To and fro: impulses travel up a stack in one sweep and down in the next.
            if sweep % 2 == 0 {
                for &block in blocks {
                    change = change.max(solve_block(space, block as usize));
                }
            } else {
                for &block in blocks.iter().rev() {
                    change = change.max(solve_block(space, block as usize));
                }
            }
            self.work.sweeps += 1;
            if change <= self.settings.tolerance {
                break;
            }
        }
        self.work.residual = self.work.residual.max(change);
    }
}

/// Solves one contact with all others held. Returns by how much its velocity changed.
#[inline]
fn solve_block(space: &mut ContactSpace, index: usize) -> f64 {
    let velocity = space.relative_velocity(index);
    let block = &space.blocks()[index];
    let normal = block.normal;
    let excess = velocity - normal * block.target;
    let stick = block.impulse - block.k_inverse * excess;
    let along = stick.dot(normal);
    let bound = block.friction * along;
    let across = stick.length_squared() - along * along;
    let impulse = if along >= 0.0 && across <= bound * bound && block.friction > 0.0 {
        stick
    } else if block.impulse == DVec3::ZERO && excess.dot(normal) >= 0.0 {
        return 0.0;
    } else {
        let frame = contact_frame(normal);
        let to_frame = frame.transpose();
        let k = to_frame * block.k * frame;
        let free = to_frame * (excess - block.k * block.impulse);
        frame * ContactBlock::new(k, block.friction).solve(free)
    };
    let change = impulse - block.impulse;
    let response = (block.k * change).length_squared();
    space.set_impulse(index, impulse);
    space.apply(index, change);
    response.sqrt()
}

/// The same for a row.
fn solve_row(space: &mut ContactSpace, index: usize) -> f64 {
    let row = &space.rows()[index];
    let velocity = space.row_velocity(index) + row.softness * row.impulse - row.target;
    let inertia = row.k + row.softness;
    if inertia <= 0.0 {
        return 0.0;
    }
    let wanted = row.impulse - velocity / inertia;
    let impulse = match row.law {
        Law::Bilateral | Law::Contact { .. } => wanted,
        Law::Unilateral => wanted.max(0.0),
        Law::Bounded { limit } => wanted.clamp(-limit, limit),
    };
    let change = impulse - row.impulse;
    let response = (inertia * change).abs();
    space.set_row_impulse(index, impulse);
    space.apply_row(index, change);
    response
}
