//! Solves a contact group on the contact-space operator: directly if it is small, by block Gauss-Seidel if not.
//!
//! A small group is assembled and handed to the [`ContactSolver`]: 'all stick' first, then Newton over contact modes,
//! so that true stick costs nothing extra. In a larger group contact after contact is solved exactly with all others
//! held, sweep after sweep; impulses of the last step are the start, so a stack at rest needs one sweep to see that.
//! Groups of middle size are solved directly if sweeping does not get there, or at once if light bodies carry heavy
//! ones, where it never would; but not piles of free bodies that fall apart, which are swept on.

use glam::DVec3;

use super::contact_problem::{ContactSolver, DenseProblem};
use super::free_body_sweep::FreeBodySweep;
use super::momentum::Momentum;
use crate::contact_space::{ContactSpace, DenseGroup, Side};

mod settings;
mod sweeping;

pub use settings::{SolverWork, VelocitySolverSettings};
pub use sweeping::solve_row;
use sweeping::{IN_MOTION, Swept};

/// Groups of up to so many rows are solved directly without trying anything else.
const FEW_ROWS: usize = 24;
/// Sweeping does not converge where masses differ by more than this, and takes long where links hang on each other:
/// then groups of up to so many rows are not swept.
const STIFF: f64 = 100.0;
const STIFF_ROWS: usize = 60;
/// The most multiplications that are spent on factorizations of one group in motion, some milliseconds: groups of more
/// than 70 rows do not see the interior point.
const DIRECT_WORK: f64 = 7e6;
/// Free bodies of like mass with more rows than this are solved directly only where all begins anew or nothing is
/// faster than this (m/s): a tower that topples takes hundreds of sweeps or one interior point, which costs ten times
/// as much.
const MANY_ROWS: usize = 70;
const AT_REST: f64 = 5e-3;
/// How well direct solutions obey the laws, relative to the fastest velocity. What rounding leaves between contacts at
/// the same place, a few 1e-14 m/s, has to be well below.
const DIRECT_TOLERANCE: f64 = 1e-10;
/// The same for groups in motion.
const MOVING_TOLERANCE: f64 = 1e-5;
/// Where Newton does not converge over the contacts of trees, whose muscles move them all the time, defects of this
/// share of the fastest velocity without contacts will do: 4 um/s at a step of 1/240 s where gravity is all that acts.
const ENOUGH: f64 = 1e-4;
/// A warm start that makes anything faster by this factor is none.
const WILD: f64 = 10.0;
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
    /// Velocities of the assembled group at its start.
    start: Vec<f64>,
    /// Is the group that was solved last still assembled?
    solved_directly: bool,
    direct: ContactSolver,
    momentum: Momentum,
    free_bodies: FreeBodySweep,
    free_velocities: Vec<DVec3>,
    free_row_velocities: Vec<f64>,
    /// The first impulses of a group that is solved again.
    first: Vec<DVec3>,
    first_rows: Vec<f64>,
}

impl VelocitySolver {
    /// A solver with these settings.
    pub fn new(settings: VelocitySolverSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Finds the impulses of some contacts and rows, starting from those they have (which the velocities do not contain
    /// yet), and applies them.
    pub fn solve(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        if !self.find_impulses(space, blocks, rows) {
            self.take_no_energy(space, blocks, rows);
        }
    }

    /// The same for contacts that bounce: their targets are no licence to bring energy. Where friction and several
    /// contacts at once would (Kane's paradox), impulses are scaled down to where the energy is kept.
    pub fn bounce(&mut self, space: &mut ContactSpace, blocks: &[u32]) {
        self.find_impulses(space, blocks, &[]);
        let (before, change, _) = self.work_done(space, blocks, &[]);
        if before + 0.5 * change > 0.0 && change > 0.0 {
            self.scale_impulses(space, blocks, &[], (-2.0 * before / change).clamp(0.0, 1.0));
        }
    }

    /// Finds other impulses for the group that was solved last, after some of its targets have been lowered, and
    /// applies them. What the first ones moved beyond that, they move in this step only ([`ContactSpace::displace`]).
    pub fn solve_again(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        let (mut first, mut first_rows) = (std::mem::take(&mut self.first), std::mem::take(&mut self.first_rows));
        first.clear();
        first.extend(blocks.iter().map(|&block| space.blocks()[block as usize].impulse));
        first_rows.clear();
        first_rows.extend(rows.iter().map(|&row| space.rows()[row as usize].impulse));
        if self.solved_directly {
            if !self.solve_directly(space, blocks, rows, true) {
                self.take_no_energy(space, blocks, rows);
            }
        } else {
            warm_start(space, blocks, rows, -1.0);
            self.solve(space, blocks, rows);
        }
        for (&block, first) in blocks.iter().zip(&first) {
            space.displace(block as usize, *first - space.blocks()[block as usize].impulse);
        }
        for (&row, first) in rows.iter().zip(&first_rows) {
            space.displace_row(row as usize, first - space.rows()[row as usize].impulse);
        }
        (self.first, self.first_rows) = (first, first_rows);
    }

    /// True if the laws hold.
    fn find_impulses(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) -> bool {
        self.free_velocities.clear();
        self.free_velocities.extend(blocks.iter().map(|&block| space.relative_velocity(block as usize)));
        self.free_row_velocities.clear();
        self.free_row_velocities.extend(rows.iter().map(|&row| space.row_velocity(row as usize)));
        self.solved_directly = false;
        let size = 3 * blocks.len() + rows.len();
        let can_directly = size <= self.settings.direct_rows;
        let at_once = size <= FEW_ROWS || size <= STIFF_ROWS && (has_trees(space, blocks) || is_stiff(space, blocks));
        if can_directly && at_once {
            self.dense.assemble(space, blocks, rows, &mut self.problem);
            return self.solve_directly(space, blocks, rows, false);
        }
        let is_new = blocks.iter().all(|&block| space.blocks()[block as usize].impulse == DVec3::ZERO);
        warm_start(space, blocks, rows, 1.0);
        let (start, has_trees) = (fastest(space, blocks, rows), has_trees(space, blocks));
        let is_wild = self.begins_wildly(start, has_trees);
        if is_wild {
            warm_start(space, blocks, rows, -1.0);
            blocks.iter().for_each(|&block| space.set_impulse(block as usize, DVec3::ZERO));
            rows.iter().for_each(|&row| space.set_row_impulse(row as usize, 0.0));
        }
        let is_pile = size > MANY_ROWS && rows.is_empty() && !has_trees && !is_stiff(space, blocks);
        let begins_anew = is_new || is_wild;
        let can_directly = can_directly && (!is_pile || begins_anew || start <= AT_REST);
        match self.sweep(space, blocks, rows, begins_anew, can_directly) {
            Swept::Fully => true,
            Swept::Badly if can_directly => {
                self.dense.assemble(space, blocks, rows, &mut self.problem);
                self.solve_directly(space, blocks, rows, true)
            }
            Swept::WellEnough | Swept::Badly => false,
        }
    }

    /// Decides how much the start is worth, given the fastest velocity with it. Redundant constraints can hold large
    /// impulses against each other, which do not cancel any more when the bodies have moved: then it is better to begin
    /// with none.
    fn begins_wildly(&mut self, fastest: f64, has_trees: bool) -> bool {
        // What rests is worth every effort: it will go on resting.
        self.direct.settings.work = if fastest > IN_MOTION { DIRECT_WORK } else { f64::INFINITY };
        self.direct.settings.tolerance = DIRECT_TOLERANCE;
        self.direct.settings.moving_tolerance = if fastest > IN_MOTION { MOVING_TOLERANCE } else { 0.0 };
        let free = self.fastest_free();
        self.direct.settings.enough = if has_trees { ENOUGH * free } else { 0.0 };
        fastest > WILD * free.max(self.settings.tolerance)
    }

    fn fastest_free(&self) -> f64 {
        let blocks = self.free_velocities.iter().map(|velocity| velocity.length_squared());
        let rows = self.free_row_velocities.iter().map(|velocity| velocity * velocity);
        blocks.chain(rows).fold(0.0, f64::max).sqrt()
    }

    /// Impulses x that change velocities from w to w' do the work `x . (w + w') / 2`. What only stops or holds does
    /// none that is positive, beyond what targets ask for; an iteration that ended early may. Then all impulses are
    /// scaled down to where the work is least: `W(s) = s x . w + s^2 x . (w' - w) / 2`.
    fn take_no_energy(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        let (before, change, wanted) = self.work_done(space, blocks, rows);
        let slack = 1e-9 * (before.abs() + change.abs());
        if before + 0.5 * change > wanted + slack && change > 0.0 {
            self.scale_impulses(space, blocks, rows, (-before / change).clamp(0.0, 1.0));
        }
    }

    /// `x . w`, `x . (w' - w)`, and the work that targets ask for.
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
            // What moves along the mean of two velocities may give back at the end what it had at the start, not more.
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

    /// Solves the group that has been assembled; true if it got there. Do the velocities of the space contain the
    /// impulses that contacts and rows have?
    fn solve_directly(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32], contained: bool) -> bool {
        let again = std::mem::take(&mut self.solved_directly);
        let Self { dense, problem, impulses, free_velocities, free_row_velocities, .. } = self;
        dense.set_velocities(space, (blocks, free_velocities), (rows, free_row_velocities), problem);
        dense.read_impulses(space, blocks, rows, impulses);
        if !contained {
            let fastest = self.fastest_at_start(space, blocks, rows);
            if self.begins_wildly(fastest, has_trees(space, blocks)) {
                self.impulses.fill(0.0);
            }
        }
        let Self { dense, problem, impulses, direct, work, .. } = self;
        let report = if again { direct.solve_again(problem, impulses) } else { direct.solve(problem, impulses) };
        dense.apply(space, blocks, rows, impulses, contained);
        self.solved_directly = true;
        work.direct += 1;
        work.sweeps += report.sweeps;
        work.residual = work.residual.max(report.residual);
        report.converged
    }

    /// The fastest velocity with the impulses that the assembled group begins with.
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

/// The fastest velocity of contacts and rows.
fn fastest(space: &ContactSpace, blocks: &[u32], rows: &[u32]) -> f64 {
    let of_blocks = blocks.iter().map(|&block| space.relative_velocity(block as usize).length());
    let of_rows = rows.iter().map(|&row| space.row_velocity(row as usize).abs());
    of_blocks.chain(of_rows).fold(0.0, f64::max)
}

/// Does any contact act on a link of a larger tree?
fn has_trees(space: &ContactSpace, blocks: &[u32]) -> bool {
    let is_tree = |side: &Side| matches!(side, Side::Tree { .. });
    blocks.iter().any(|&block| is_tree(&space.blocks()[block as usize].a) || is_tree(&space.blocks()[block as usize].b))
}

/// Do bodies of very different mass touch each other?
fn is_stiff(space: &ContactSpace, blocks: &[u32]) -> bool {
    let mobility = |block: u32| {
        let k = &space.blocks()[block as usize].k;
        k.x_axis.x + k.y_axis.y + k.z_axis.z
    };
    let (least, most) = blocks.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), &block| {
        (least.min(mobility(block)), most.max(mobility(block)))
    });
    most > STIFF * least
}

/// Applies the impulses that contacts and rows begin with, or takes them back.
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
