//! Block Gauss-Seidel sweeps over a contact group.

use glam::DVec3;

use super::VelocitySolver;
use super::strategy::{GroupProfile, accepted_change};
use crate::constraint_solver::contact_problem::{ContactBlock, Law};
use crate::contact_space::{ContactSpace, contact_frame};

/// Result of sweeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swept {
    /// The laws hold within the tolerance.
    Converged,
    /// The error is acceptable for a group in motion.
    Acceptable,
    /// The error is too large.
    Failed,
}

impl VelocitySolver {
    /// Solves a group by block Gauss-Seidel, accelerated by nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe
    /// and Erleben 2010): the change in a sweep is a gradient, and the impulses are extrapolated along a direction that
    /// combines it with earlier ones. A sweep that does not reduce the change resets the direction. Returns the result
    /// and the largest change of velocity in the last sweep, in m/s.
    pub(super) fn sweep(
        &mut self,
        space: &mut ContactSpace,
        blocks: &[u32],
        rows: &[u32],
        profile: &GroupProfile,
        sweeps: u32,
    ) -> (Swept, f64) {
        self.work.swept += 1;
        let (change, fastest, tolerance) = if rows.is_empty() && self.free_bodies.load(space, blocks) {
            self.sweep_free_bodies(space, blocks, profile, sweeps)
        } else {
            self.sweep_any(space, blocks, rows, profile, sweeps)
        };
        let swept = if change <= tolerance {
            Swept::Converged
        } else if change <= accepted_change(fastest) {
            Swept::Acceptable
        } else {
            Swept::Failed
        };
        (swept, change)
    }

    /// Returns the change in the last sweep, the fastest relative velocity before the first, and the tolerance.
    fn sweep_free_bodies(
        &mut self,
        space: &mut ContactSpace,
        blocks: &[u32],
        profile: &GroupProfile,
        sweeps: u32,
    ) -> (f64, f64, f64) {
        let fastest = self.free_bodies.fastest();
        let tolerance = profile.sweep_tolerance(&self.settings, fastest);
        let mut change = 0.0;
        for sweep in 1..=sweeps {
            change = self.free_bodies.sweep();
            self.work.sweeps += 1;
            if change <= tolerance || sweep == sweeps {
                break;
            }
            self.free_bodies.extrapolate();
        }
        self.free_bodies.store(space, blocks);
        (change, fastest, tolerance)
    }

    fn sweep_any(
        &mut self,
        space: &mut ContactSpace,
        blocks: &[u32],
        rows: &[u32],
        profile: &GroupProfile,
        sweeps: u32,
    ) -> (f64, f64, f64) {
        self.momentum.start(blocks, rows);
        let speeds = blocks.iter().map(|&block| space.relative_velocity(block as usize).length_squared());
        let fastest = speeds.fold(0.0, f64::max).sqrt();
        let tolerance = profile.sweep_tolerance(&self.settings, fastest);
        let mut change = 0.0;
        for sweep in 1..=sweeps {
            self.momentum.before_sweep(space, blocks, rows);
            change = 0.0_f64;
            for &row in rows {
                change = change.max(solve_row(space, row as usize));
            }
            for &block in blocks {
                change = change.max(solve_block(space, block as usize));
            }
            self.work.sweeps += 1;
            if change <= tolerance || sweep == sweeps {
                break;
            }
            self.momentum.after_sweep(space, blocks, rows);
        }
        (change, fastest, tolerance)
    }
}

/// Solves one contact with all others fixed. Returns the change of its velocity, in m/s.
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

/// Solves one row with all others fixed. Returns the change of its velocity, in m/s or rad/s.
pub fn solve_row(space: &mut ContactSpace, index: usize) -> f64 {
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
