//! Which method solves a group, and how much work it may take.
//!
//! | group | method |
//! |---|---|
//! | up to 24 rows; up to 60 with articulated trees or very different masses | directly |
//! | up to 150 rows | swept, then directly if that fails; a pile in motion is only swept |
//! | larger | swept |
//!
//! A direct solution of a group in motion, with trees, or of more than 30 rows takes bounded work: see
//! [`contact_problem`](crate::constraint_solver::contact_problem). So do sweeps.
//!
//! Measured over 40 random creatures (16 rows on average, 1/240 s): direct solutions take 4 us each, against 8 us by
//! Newton over all contact modes with the interior point where it fails; 87 % of them need one factorization or none.

use super::VelocitySolverSettings;
use crate::constraint_solver::contact_problem::SolverSettings;
use crate::contact_space::{ContactSpace, Side};

/// Maximum number of rows of a group that is solved directly without sweeping first.
const MAX_DIRECT_ROWS: usize = 24;
/// Maximum number of rows of a group that is solved directly at once because it is stiff or contains articulated
/// trees, over which sweeping is slow.
const MAX_STIFF_ROWS: usize = 60;
/// Ratio of the mobilities of contacts above which a group is stiff: sweeping does not converge.
const STIFF_MOBILITY_RATIO: f64 = 100.0;
/// Maximum number of rows of a group at rest that is solved by all methods, until the laws hold. When a ball hits a
/// stack of ten boxes, solving groups of up to 150 rows so makes one step in a hundred longer than 100 ms.
const MAX_UNBOUNDED_ROWS: usize = 30;
/// Free bodies of similar mass with more rows than this are a pile. A pile in motion is only swept, because the work of
/// a factorization grows with the cube of the rows.
const PILE_ROWS: usize = 70;
/// Speed up to which a pile is at rest, in m/s.
const PILE_REST_SPEED: f64 = 5e-3;
/// Speed after the warm start above which a group is in motion, in m/s. Slower groups are solved to full tolerance, so
/// that they stay at rest.
const MOVING_SPEED: f64 = 0.1;

/// Maximum residual of direct solutions, relative to the fastest velocity. It must be well above the rounding errors
/// between contacts at the same place, a few 1e-14 m/s.
const DIRECT_TOLERANCE: f64 = 1e-10;
/// Maximum residual of direct solutions of groups in motion, relative to the fastest velocity.
const MOVING_TOLERANCE: f64 = 1e-5;
/// Residual that is accepted over the contacts of articulated trees, which their motors move all the time, relative to
/// the fastest velocity without contacts: 4 um/s at a step of 1/240 s under gravity.
const TREE_ACCEPTED_RESIDUAL: f64 = 1e-4;
/// Residual that is accepted in a large group at rest, relative to the fastest velocity without contacts: 4 nm/s.
const LARGE_ACCEPTED_RESIDUAL: f64 = 1e-7;

/// Maximum number of sweeps before a group of medium size is solved directly.
const MAX_SWEEPS_BEFORE_DIRECT: u32 = 120;
/// Maximum number of single-contact solves for a group in motion in one step, at about 80 ns each. It does not apply
/// without a warm start: with so few sweeps for the first collision, the wall of the scene `brick-wall` takes 59 sweeps
/// a step afterwards instead of 17.
const MAX_MOVING_CONTACTS: u32 = 20_000;
/// Maximum number of sweeps over a group of free bodies in motion with a warm start. The remaining error would shrink
/// too slowly.
const MAX_MOVING_SWEEPS: u32 = 200;
/// Maximum number of sweeps over a group in motion with articulated trees or constraints.
const MAX_MOVING_TREE_SWEEPS: u32 = 60;
/// Minimum number of sweeps over a group of any size.
const MIN_SWEEPS: u32 = 3;
/// Change in the last sweep that is accepted for a group in motion, relative to its fastest velocity: the impulses of
/// the next step will be different anyway.
const MOVING_ACCEPTED_CHANGE: f64 = 1e-3;

/// What is known of a group before it is solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupProfile {
    contacts: usize,
    constraints: usize,
    /// Whether any contact acts on a link of an articulated tree.
    has_trees: bool,
    /// Whether bodies of very different mass touch each other.
    is_stiff: bool,
}

impl GroupProfile {
    /// Examines a group.
    pub fn new(space: &ContactSpace, blocks: &[u32], rows: &[u32]) -> Self {
        let is_tree = |side: &Side| matches!(side, Side::Tree { .. });
        let (mut least, mut most, mut has_trees) = (f64::INFINITY, 0.0_f64, false);
        for &block in blocks {
            let block = &space.blocks()[block as usize];
            let mobility = block.k.x_axis.x + block.k.y_axis.y + block.k.z_axis.z;
            (least, most) = (least.min(mobility), most.max(mobility));
            has_trees |= is_tree(&block.a) || is_tree(&block.b);
        }
        let is_stiff = most > STIFF_MOBILITY_RATIO * least;
        Self { contacts: blocks.len(), constraints: rows.len(), has_trees, is_stiff }
    }

    fn rows(&self) -> usize {
        3 * self.contacts + self.constraints
    }

    /// Returns whether the group is solved directly at once.
    pub fn is_direct_at_once(&self, settings: &VelocitySolverSettings) -> bool {
        let most = if self.has_trees || self.is_stiff { MAX_STIFF_ROWS } else { MAX_DIRECT_ROWS };
        self.rows() <= most.min(settings.direct_rows)
    }

    /// Returns whether the group is solved directly if sweeping fails, given its fastest velocity at the start (m/s)
    /// and whether it has no warm start.
    pub fn is_direct_later(&self, settings: &VelocitySolverSettings, speed: f64, starts_cold: bool) -> bool {
        let is_pile = self.rows() > PILE_ROWS && self.constraints == 0 && !self.has_trees && !self.is_stiff;
        let may_be_direct = !is_pile || speed <= PILE_REST_SPEED || starts_cold && speed <= MOVING_SPEED;
        self.rows() <= settings.direct_rows && may_be_direct
    }

    /// Returns tolerances and limits of the direct solution, given the fastest velocities at the start and without
    /// impulses (m/s).
    pub fn direct_settings(&self, speed: f64, free_speed: f64) -> SolverSettings {
        let accepted_residual = if self.has_trees {
            TREE_ACCEPTED_RESIDUAL * free_speed
        } else if self.rows() > MAX_UNBOUNDED_ROWS {
            LARGE_ACCEPTED_RESIDUAL * free_speed
        } else {
            0.0
        };
        let moving_tolerance = if speed > MOVING_SPEED { MOVING_TOLERANCE } else { 0.0 };
        SolverSettings { tolerance: DIRECT_TOLERANCE, moving_tolerance, accepted_residual, ..SolverSettings::default() }
    }

    /// Returns the maximum number of sweeps, given the fastest velocity at the start (m/s), whether the group has no
    /// warm start, and whether it is solved directly afterwards.
    pub fn sweeps(&self, settings: &VelocitySolverSettings, speed: f64, starts_cold: bool, is_direct: bool) -> u32 {
        let moves = speed > MOVING_SPEED;
        let contacts = match (moves, starts_cold) {
            (_, true) => settings.new_contacts,
            (true, false) => MAX_MOVING_CONTACTS.min(settings.contacts),
            (false, false) => settings.contacts,
        };
        let has_rows = self.has_trees || self.constraints > 0;
        let most = match (moves, has_rows) {
            (true, true) => MAX_MOVING_TREE_SWEEPS,
            (true, false) if !starts_cold => MAX_MOVING_SWEEPS,
            _ => u32::MAX,
        };
        let most = if is_direct { most.min(MAX_SWEEPS_BEFORE_DIRECT) } else { most };
        let affordable = contacts / (self.contacts + self.constraints).max(1) as u32;
        affordable.max(MIN_SWEEPS).min(settings.sweeps).min(most)
    }

    /// Returns the change of velocity below which sweeping ends, given the fastest velocity (m/s).
    pub fn sweep_tolerance(&self, settings: &VelocitySolverSettings, fastest: f64) -> f64 {
        let is_large = settings.contacts < MIN_SWEEPS * self.contacts as u32;
        let least = if is_large { settings.coarse_tolerance } else { settings.tolerance };
        least.max(settings.relative_tolerance * fastest)
    }
}

/// Returns the change in the last sweep that is accepted, given the fastest velocity (m/s).
pub(super) fn accepted_change(fastest: f64) -> f64 {
    if fastest > MOVING_SPEED { MOVING_ACCEPTED_CHANGE * fastest } else { 0.0 }
}
