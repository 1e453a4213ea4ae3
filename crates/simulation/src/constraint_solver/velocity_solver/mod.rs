//! Solves a contact group on the contact-space operator: directly if it is small, by block Gauss-Seidel if not.
//!
//! A small group is assembled and passed to the [`ContactSolver`]. In a larger group one contact at a time is solved
//! exactly with all others fixed, in repeated sweeps. The impulses of the last step are the start, so a stack at rest
//! converges in one sweep. Which method is used when is in `strategy`.

use glam::DVec3;

use super::contact_problem::{ContactSolver, DenseProblem};
use super::free_body_sweep::FreeBodySweep;
use super::momentum::Momentum;
use crate::contact_space::{ContactSpace, DenseGroup};

mod settings;
mod strategy;
mod sweeping;

pub use settings::{FACTORIZATION_RANGES, SolverWork, VelocitySolverSettings};
use strategy::GroupProfile;
use sweeping::Swept;
pub use sweeping::solve_row;

/// A warm start that makes the fastest velocity larger by this factor is discarded.
const BAD_WARM_START_FACTOR: f64 = 10.0;

/// Solves contact groups. It contains settings and scratch memory.
#[derive(Debug, Clone, Default)]
pub struct VelocitySolver {
    /// Tolerances and limits.
    pub settings: VelocitySolverSettings,
    /// Work summed over the groups of a step. The caller resets it.
    pub work: SolverWork,
    dense: DenseGroup,
    problem: DenseProblem,
    impulses: Vec<f64>,
    /// Velocities of the assembled group at its start.
    start: Vec<f64>,
    direct: ContactSolver,
    momentum: Momentum,
    free_bodies: FreeBodySweep,
    free_velocities: Vec<DVec3>,
    free_row_velocities: Vec<f64>,
}

impl VelocitySolver {
    /// Creates a solver with the given settings.
    pub fn new(settings: VelocitySolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Finds the impulses of some contacts and rows, starting from those they have (which the velocities do not contain
    /// yet), and applies them.
    pub fn solve(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        if !self.find_impulses(space, blocks, rows) {
            self.limit_energy(space, blocks, rows);
        }
    }

    /// Solves contacts that bounce. Their targets must not add energy: where friction and several simultaneous contacts
    /// would (Kane's paradox), impulses are scaled down until the energy is conserved.
    pub fn bounce(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        self.find_impulses(space, blocks, rows);
        let (before, change, _) = self.work_done(space, blocks, rows);
        if before + 0.5 * change > 0.0 && change > 0.0 {
            self.scale_impulses(space, blocks, rows, (-2.0 * before / change).clamp(0.0, 1.0));
        }
    }

    /// Finds and applies impulses. Returns whether the laws hold.
    fn find_impulses(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) -> bool {
        self.free_velocities.clear();
        self.free_velocities.extend(blocks.iter().map(|&block| space.relative_velocity(block as usize)));
        self.free_row_velocities.clear();
        self.free_row_velocities.extend(rows.iter().map(|&row| space.row_velocity(row as usize)));
        let profile = GroupProfile::new(space, blocks, rows);
        if profile.is_direct_at_once(&self.settings) {
            self.dense.assemble(space, blocks, rows, &mut self.problem);
            return self.solve_directly(space, blocks, rows, Some(&profile));
        }
        let is_new = blocks.iter().all(|&block| space.blocks()[block as usize].impulse == DVec3::ZERO);
        warm_start(space, blocks, rows, 1.0);
        let speed = fastest(space, blocks, rows);
        let is_bad = self.is_bad_warm_start(speed, &profile);
        if is_bad {
            warm_start(space, blocks, rows, -1.0);
            blocks.iter().for_each(|&block| space.set_impulse(block as usize, DVec3::ZERO));
            rows.iter().for_each(|&row| space.set_row_impulse(row as usize, 0.0));
        }
        let starts_cold = is_new || is_bad;
        let is_direct = profile.is_direct_later(&self.settings, speed, starts_cold);
        let sweeps = profile.sweeps(&self.settings, speed, starts_cold, is_direct);
        let (swept, change) = self.sweep(space, blocks, rows, &profile, sweeps);
        if swept == Swept::Failed && is_direct {
            self.dense.assemble(space, blocks, rows, &mut self.problem);
            return self.solve_directly(space, blocks, rows, None);
        }
        self.work.residual = self.work.residual.max(change);
        swept == Swept::Converged
    }

    /// Returns whether the warm start must be discarded, given the fastest velocity with it, and sets the tolerances of
    /// the direct solver. Redundant constraints can have large impulses that oppose each other and no longer cancel
    /// when the bodies have moved. Then zero impulses are the better start.
    fn is_bad_warm_start(&mut self, fastest: f64, profile: &GroupProfile) -> bool {
        let free = self.fastest_free();
        self.direct.settings = profile.direct_settings(fastest, free);
        fastest > BAD_WARM_START_FACTOR * free.max(self.settings.tolerance)
    }

    fn fastest_free(&self) -> f64 {
        let blocks = self.free_velocities.iter().map(|velocity| velocity.length_squared());
        let rows = self.free_row_velocities.iter().map(|velocity| velocity * velocity);
        blocks.chain(rows).fold(0.0, f64::max).sqrt()
    }

    /// Scales all impulses down if they add energy. Impulses x that change velocities from w to w' do the work
    /// `x . (w + w') / 2`. Contacts and constraints do no positive work beyond what targets require, but an iteration
    /// that ended early may. The scale is that of the least work: `W(s) = s x . w + s^2 x . (w' - w) / 2`.
    fn limit_energy(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        let (before, change, wanted) = self.work_done(space, blocks, rows);
        let slack = 1e-9 * (before.abs() + change.abs());
        if before + 0.5 * change > wanted + slack && change > 0.0 {
            self.scale_impulses(space, blocks, rows, (-before / change).clamp(0.0, 1.0));
        }
    }

    /// Returns `x . w`, `x . (w' - w)`, and the work that targets require.
    fn work_done(&self, space: &ContactSpace, blocks: &[u32], rows: &[u32]) -> (f64, f64, f64) {
        let (mut before, mut change, mut wanted) = (0.0, 0.0, 0.0);
        for (&block, free) in blocks.iter().zip(&self.free_velocities) {
            let own = &space.blocks()[block as usize];
            before += own.impulse.dot(*free);
            change += own.impulse.dot(space.relative_velocity(block as usize) - *free);
            wanted += own.impulse.dot(own.normal) * own.target.max(0.0);
        }
        for (&row, free) in rows.iter().zip(&self.free_row_velocities) {
            let own = &space.rows()[row as usize];
            before += own.impulse * free;
            change += own.impulse * (space.row_velocity(row as usize) - free);
            // A row that moves along the mean of two velocities may return at the end what it had at the start, no
            // more.
            wanted += match own.start {
                Some(start) => own.impulse.abs() * ((own.target + start).abs() + (free - start).abs()),
                None => (own.impulse * own.target).max(0.0),
            };
        }
        (before, change, wanted)
    }

    fn scale_impulses(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32], scale: f64) {
        self.work.restrained += 1;
        for &block in blocks {
            let impulse = space.blocks()[block as usize].impulse;
            space.set_impulse(block as usize, impulse * scale);
            space.apply(block as usize, impulse * (scale - 1.0));
        }
        for &row in rows {
            let impulse = space.rows()[row as usize].impulse;
            space.set_row_impulse(row as usize, impulse * scale);
            space.apply_row(row as usize, impulse * (scale - 1.0));
        }
    }

    /// Solves the assembled group. Returns whether the solver converged. Without a profile, the tolerances are set and
    /// the velocities of the space already include the impulses of contacts and rows.
    fn solve_directly(
        &mut self,
        space: &mut ContactSpace,
        blocks: &[u32],
        rows: &[u32],
        profile: Option<&GroupProfile>,
    ) -> bool {
        let Self { dense, problem, impulses, free_velocities, free_row_velocities, .. } = self;
        dense.set_velocities(space, (blocks, free_velocities), (rows, free_row_velocities), problem);
        dense.read_impulses(space, blocks, rows, impulses);
        if let Some(profile) = profile {
            let fastest = self.fastest_at_start(space, blocks, rows);
            if self.is_bad_warm_start(fastest, profile) {
                self.impulses.fill(0.0);
            }
        }
        let Self { dense, problem, impulses, direct, work, .. } = self;
        let report = direct.solve(problem, impulses);
        dense.apply(space, blocks, rows, impulses, profile.is_none());
        work.add_direct(&report);
        report.converged
    }

    /// Returns the fastest velocity with the start impulses of the assembled group.
    fn fastest_at_start(&mut self, space: &ContactSpace, blocks: &[u32], rows: &[u32]) -> f64 {
        if self.impulses.iter().all(|impulse| *impulse == 0.0) {
            return self.fastest_free();
        }
        self.problem.response(&self.impulses, &mut self.start);
        let of_block = |(k, &block): (usize, &u32)| {
            let excess = DVec3::from_slice(&self.start[3 * k..]);
            (excess + DVec3::X * space.blocks()[block as usize].target).length_squared()
        };
        let of_row = |(k, &row): (usize, &u32)| {
            let (at, row) = (3 * blocks.len() + k, &space.rows()[row as usize]);
            let velocity = self.start[at] + row.target - row.softness * self.impulses[at];
            velocity * velocity
        };
        let squares = blocks.iter().enumerate().map(of_block).chain(rows.iter().enumerate().map(of_row));
        squares.fold(0.0, f64::max).sqrt()
    }
}

/// Returns the fastest velocity of contacts and rows.
fn fastest(space: &ContactSpace, blocks: &[u32], rows: &[u32]) -> f64 {
    let of_blocks = blocks.iter().map(|&block| space.relative_velocity(block as usize).length());
    let of_rows = rows.iter().map(|&row| space.row_velocity(row as usize).abs());
    of_blocks.chain(of_rows).fold(0.0, f64::max)
}

/// Applies the start impulses of contacts and rows (`sign` 1), or removes them (`sign` -1).
fn warm_start(space: &mut ContactSpace, blocks: &[u32], rows: &[u32], sign: f64) {
    for &block in blocks {
        let impulse = space.blocks()[block as usize].impulse;
        if impulse != DVec3::ZERO {
            space.apply(block as usize, impulse * sign);
        }
    }
    for &row in rows {
        let impulse = space.rows()[row as usize].impulse;
        if impulse != 0.0 {
            space.apply_row(row as usize, impulse * sign);
        }
    }
}
