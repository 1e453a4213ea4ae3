//! The contact-space operator: the effect of impulses at contacts, joints and constraints on each other's velocities.
//!
//! Every solver works on this one operator. With J the rows that turn joint velocities into relative velocities at
//! contacts, `K = J M^-1 J^T` is never formed as a whole: an impulse is applied to the velocities of the trees it
//! touches ([`ContactSpace::apply`]), a relative velocity is read off them ([`ContactSpace::relative_velocity`]), one
//! contact's own 3x3 block is stored, and the matrix of a small group can be assembled (`assemble`).
//!
//! A free body has the short form `dv = p / m, dw = I^-1 (r x p)`. For the side of a contact that is on an articulated
//! tree, unit impulses are propagated inward, and every joint on the path to the root stores its response: z and
//! `D^-1 z` ([`Workspace::carry_inward`](burgess_dynamics::Workspace::carry_inward)). An impulse p adds `z p` to the
//! slips y of the joints on its path, the side's velocity is that at the start plus the sum of `(D^-1 z) y`, and the
//! velocities of all joints follow from y by one outward pass at the end.

mod assemble;
mod build;
mod dense_rows;
mod displacement;
mod efforts;
mod residuals;
mod side;
mod tendon_row;

pub use assemble::{DenseGroup, contact_frame};
pub use build::Anchors;
pub(crate) use build::opening_velocity;
pub use side::{RowEnd, RowSide, Side, Span};

use burgess_dynamics::spatial::Motion;
use glam::{DMat3, DVec3};

use crate::constraint_solver::contact_problem::Law;
use side::Column;

/// A tree of one free link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Body {
    /// First degree of freedom.
    pub dof: u32,
    pub angular: DVec3,
    pub linear: DVec3,
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
}

impl Default for Body {
    fn default() -> Self {
        let (angular, linear) = (DVec3::ZERO, DVec3::ZERO);
        Self { dof: 0, angular, linear, inverse_mass: 0.0, inverse_inertia: DMat3::ZERO }
    }
}

/// A contact: three rows.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub(crate) a: Side,
    pub(crate) b: Side,
    /// Normal from a to b.
    pub normal: DVec3,
    /// Change of its own relative velocity by a unit impulse, along the axes of the world, in 1/kg.
    pub k: DMat3,
    /// Inverse of `k`, or its pseudo-inverse.
    pub k_inverse: DMat3,
    /// Minimum relative velocity along the normal, in m/s.
    pub target: f64,
    /// Speed at which penetration is reduced in this step, besides the target, in m/s.
    pub recovery: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Change of the relative velocity until the end of the step that is due to the motion of the contact itself, in
    /// m/s. It is part of [`ContactSpace::relative_velocity`].
    pub drift: DVec3,
    /// Impulse on b, in N s, along the axes of the world.
    pub impulse: DVec3,
}

impl Block {
    /// Returns whether no impulse can change the velocity along the normal.
    pub(crate) fn is_immovable(&self) -> bool {
        self.k == DMat3::ZERO
    }
}

/// One row: a joint limit, dry friction of a joint, one direction of a constraint.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub(crate) a: RowSide,
    pub(crate) b: RowSide,
    /// Law of the row.
    pub law: Law,
    /// Change of its own velocity by a unit impulse.
    pub k: f64,
    /// Softness, added to `k`.
    pub softness: f64,
    /// Target velocity.
    pub target: f64,
    /// Speed at which an error is corrected in this step, besides the target.
    pub recovery: f64,
    /// Velocity at the start of the step for which the target compensates; none if it does not.
    pub start: Option<f64>,
    /// What drift did not explain of the velocities at the starts of this step and the last, in m/s or rad/s.
    pub rests: [f64; 2],
    /// Impulse, in N s or N m s.
    pub impulse: f64,
    /// Slot in which the impulse is kept from step to step (see [`RowSlots`](crate::constraint_solver::RowSlots)).
    pub slot: u32,
}

/// All contacts and rows at one time, and the velocities that their impulses change. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub struct ContactSpace {
    /// Bodies by tree; only entries of free bodies are used.
    pub(crate) bodies: Vec<Body>,
    /// All joint velocities before any impulse.
    pub(crate) v: Vec<f64>,
    /// Slip of each degree of freedom of articulated trees: the sum of z p over the impulses. Zero for free bodies.
    slips: Vec<f64>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) rows: Vec<Row>,
    /// Columns of tree sides of contacts.
    columns: Vec<Column<DVec3>>,
    /// Columns of tree sides of rows.
    entries: Vec<Column<f64>>,
    /// Scratch memory for tendons: columns with their links.
    gathered: Vec<(usize, Column<f64>)>,
    /// Motion of each degree of freedom in this step only: slips of trees, velocities of free bodies.
    displaced: Vec<f64>,
    is_displaced: bool,
    /// Scratch memory for the outward pass.
    changes: Vec<f64>,
    link_velocities: Vec<Motion>,
}

impl ContactSpace {
    /// Returns the contacts, in the order of detection.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the rows other than contacts.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the velocity of b relative to a at a contact, with its drift, in m/s.
    #[inline]
    pub fn relative_velocity(&self, block: usize) -> DVec3 {
        let Block { a, b, drift, .. } = &self.blocks[block];
        self.velocity_of(b) - self.velocity_of(a) + *drift
    }

    /// Returns the velocity along the normal of a contact minus its target, in m/s.
    #[inline]
    pub(crate) fn normal_excess(&self, block: usize) -> f64 {
        let Block { normal, target, .. } = self.blocks[block];
        self.relative_velocity(block).dot(normal) - target
    }

    /// Applies an impulse to b and its opposite to a, without adding it to that of the block.
    #[inline]
    pub fn apply(&mut self, block: usize, impulse: DVec3) {
        let Block { a, b, .. } = self.blocks[block];
        self.push(&a, -impulse);
        self.push(&b, impulse);
    }

    #[inline]
    fn velocity_of(&self, side: &Side) -> DVec3 {
        match *side {
            Side::Body { tree, lever } => {
                let body = &self.bodies[tree as usize];
                body.linear + body.angular.cross(lever)
            }
            Side::Prescribed { velocity } => velocity,
            Side::Tree { path, start, .. } => {
                let columns = path.of(&self.columns).iter();
                columns.fold(start, |sum, column| sum + column.freed * self.slips[column.dof as usize])
            }
        }
    }

    #[inline]
    fn push(&mut self, side: &Side, impulse: DVec3) {
        match *side {
            Side::Body { tree, lever } => {
                let body = &mut self.bodies[tree as usize];
                body.linear += impulse * body.inverse_mass;
                body.angular += body.inverse_inertia * lever.cross(impulse);
            }
            Side::Prescribed { .. } => {}
            Side::Tree { path, .. } => {
                for column in path.of(&self.columns) {
                    self.slips[column.dof as usize] += column.z.dot(impulse);
                }
            }
        }
    }

    /// Returns the velocity of a row.
    #[inline]
    pub fn row_velocity(&self, row: usize) -> f64 {
        let Row { a, b, .. } = &self.rows[row];
        self.row_side_velocity(a) + self.row_side_velocity(b)
    }

    /// Applies an impulse along a row, without adding it to that of the row.
    #[inline]
    pub fn apply_row(&mut self, row: usize, impulse: f64) {
        let Row { a, b, .. } = self.rows[row];
        self.push_row(&a, impulse);
        self.push_row(&b, impulse);
    }

    fn row_side_velocity(&self, side: &RowSide) -> f64 {
        match *side {
            RowSide::Nothing => 0.0,
            RowSide::Prescribed { velocity } => velocity,
            RowSide::Body { tree, angular, linear } => {
                let body = &self.bodies[tree as usize];
                body.angular.dot(angular) + body.linear.dot(linear)
            }
            RowSide::Tree { path, start, .. } => {
                let entries = path.of(&self.entries).iter();
                entries.fold(start, |sum, entry| sum + entry.freed * self.slips[entry.dof as usize])
            }
        }
    }

    fn push_row(&mut self, side: &RowSide, impulse: f64) {
        match *side {
            RowSide::Nothing | RowSide::Prescribed { .. } => {}
            RowSide::Body { tree, angular, linear } => {
                let body = &mut self.bodies[tree as usize];
                body.angular += body.inverse_inertia * angular * impulse;
                body.linear += linear * (body.inverse_mass * impulse);
            }
            RowSide::Tree { path, .. } => {
                for entry in path.of(&self.entries) {
                    self.slips[entry.dof as usize] += entry.z * impulse;
                }
            }
        }
    }
}

impl ContactSpace {
    /// Sets the minimum relative velocity along the normal of a contact, in m/s.
    #[inline]
    pub fn set_target(&mut self, block: usize, target: f64) {
        self.blocks[block].target = target;
    }

    /// Sets the impulse of a contact without applying it.
    #[inline]
    pub fn set_impulse(&mut self, block: usize, impulse: DVec3) {
        self.blocks[block].impulse = impulse;
    }

    /// Sets the impulse of a row without applying it.
    #[inline]
    pub fn set_row_impulse(&mut self, row: usize, impulse: f64) {
        self.rows[row].impulse = impulse;
    }
}

impl ContactSpace {
    /// Returns whether both ends of a row are on bodies that move, or on one joint.
    pub(crate) fn is_between_trees(&self, row: &Row) -> bool {
        let moves = |side: &RowSide| matches!(side, RowSide::Body { .. } | RowSide::Tree { .. });
        let is_joint =
            |side: &RowSide| matches!(side, RowSide::Tree { end: RowEnd::Joint { .. } | RowEnd::Tendon { .. }, .. });
        moves(&row.a) && moves(&row.b) || is_joint(&row.a)
    }

    /// Returns a tree that a row acts on; none if it acts on nothing that moves.
    pub fn tree_of_row(&self, row: &Row) -> Option<u32> {
        let of = |side: &RowSide| match *side {
            RowSide::Body { tree, .. } | RowSide::Tree { tree, .. } => Some(tree),
            RowSide::Nothing | RowSide::Prescribed { .. } => None,
        };
        of(&row.a).or_else(|| of(&row.b))
    }
}
