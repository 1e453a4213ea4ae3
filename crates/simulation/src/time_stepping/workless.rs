//! The energy that contacts and constraints have wrongly exchanged with the bodies in a step.
//!
//! A contact that sticks or rolls, a joint limit that holds and a closed loop do no work. Over a step with impulse p and
//! mean velocity m they do `p . J m`, because the velocity at the middle of the step is zero only to second order. What
//! they do is returned: the integrator takes it from the kinetic energy of the trees. Friction of a contact that slides
//! and the impulse of a body that lands do real work, but never a positive amount.

use burgess_dynamics::Workspace;
use glam::DVec3;

use crate::constraint_solver::contact_problem::Law;
use crate::constraint_solver::resting_speed;
use crate::contact_space::{Block, ContactSpace, Row, RowSide, Side};
use crate::world::World;

/// Relative velocities below this are rounding, in m/s or rad/s.
const ROUNDING_SPEED: f64 = 1e-9;

/// Share of the friction bound up to which a contact sticks.
const STICKING_SHARE: f64 = 1.0 - 1e-6;

/// The velocities by which work is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeanMotion<'a> {
    pub world: &'a World,
    /// Workspace at the middle of the step.
    pub workspace: &'a Workspace,
    /// Mean velocities of the step.
    pub mean: &'a [f64],
    /// Length of the step, in s.
    pub step: f64,
}

/// Adds the energy that the contact has given to the trees it touches. `lasts` is whether it held in the last step, too;
/// `drift` is by how much the motion of the contact itself changes its relative velocity in half a step, in m/s.
pub(super) fn add_contact(
    motion: &MeanMotion,
    space: &ContactSpace,
    index: usize,
    (lasts, drift): (bool, f64),
    given: &mut [f64],
) {
    let block = &space.blocks()[index];
    if block.impulse == DVec3::ZERO {
        return;
    }
    let velocity = contact_velocity(motion, space, index);
    let resting = resting_speed(motion.world.model(), motion.step) + drift;
    let work = contact_work(block, velocity, lasts, resting);
    share(motion.world, [tree_of(motion.world, &block.a), tree_of(motion.world, &block.b)], work, given);
}

/// Returns the velocity of b relative to a at a contact, at the velocities of a motion, in m/s.
pub(super) fn contact_velocity(motion: &MeanMotion, space: &ContactSpace, index: usize) -> DVec3 {
    let block = &space.blocks()[index];
    side_velocity(motion, space, &block.b) - side_velocity(motion, space, &block.a)
}

/// Returns the part of a contact's work that is wrong, in J. Velocities up to `resting` are errors, not motion.
fn contact_work(block: &Block, velocity: DVec3, lasts: bool, resting: f64) -> f64 {
    let along = block.normal * block.impulse.dot(block.normal);
    let across = block.impulse - along;
    let bound = STICKING_SHARE * block.friction * along.length();
    let sticks = across.length_squared() <= bound * bound;
    let part = |impulse: DVec3, is_workless: bool| {
        let work = impulse.dot(velocity);
        let is_rounding = work.abs() <= ROUNDING_SPEED * impulse.length();
        if is_rounding || !is_workless && work < 0.0 { 0.0 } else { work }
    };
    let (opening, slip) = (velocity.dot(block.normal), velocity.reject_from_normalized(block.normal));
    part(along, lasts && opening.abs() <= resting) + part(across, lasts && sticks && slip.length() <= resting)
}

/// Adds the energy that a row has given to the trees it acts on.
pub(super) fn add_row(motion: &MeanMotion, row: &Row, lasts: bool, given: &mut [f64]) {
    if row.softness > 0.0 || row.impulse == 0.0 {
        return;
    }
    let velocity = row_velocity(motion, &row.a) + row_velocity(motion, &row.b);
    let work = row.impulse * velocity;
    let is_workless = match row.law {
        Law::Bilateral => true,
        // A positive target is the drift of a limit that turns.
        Law::Unilateral => {
            lasts && velocity.abs() <= resting_speed(motion.world.model(), motion.step) + row.target.max(0.0)
        }
        _ => return,
    };
    if velocity.abs() > ROUNDING_SPEED && (is_workless || work > 0.0) {
        let tree = |side: &RowSide| match *side {
            RowSide::Body { tree, .. } | RowSide::Tree { tree, .. } => Some(tree as usize),
            RowSide::Nothing | RowSide::Prescribed { .. } => None,
        };
        share(motion.world, [tree(&row.a), tree(&row.b)], work, given);
    }
}

/// Divides energy between the trees that move.
fn share(world: &World, trees: [Option<usize>; 2], work: f64, given: &mut [f64]) {
    let moving = |tree: &Option<usize>| tree.is_some_and(|tree| !world.trees()[tree].is_fixed);
    let count = trees.iter().filter(|tree| moving(tree)).count();
    for tree in trees.into_iter().filter(moving).flatten() {
        // Two free bodies keep their momentum.
        if count == 1 || !world.trees()[tree].is_free_body {
            given[tree] += work / count as f64;
        }
    }
}

fn tree_of(world: &World, side: &Side) -> Option<usize> {
    match *side {
        Side::Body { tree, .. } => Some(tree as usize),
        Side::Tree { link, .. } => Some(world.tree_of_link(link as usize)),
        Side::Prescribed { .. } => None,
    }
}

/// Returns the mean velocity of one side of a contact, in m/s.
fn side_velocity(motion: &MeanMotion, space: &ContactSpace, side: &Side) -> DVec3 {
    match *side {
        Side::Prescribed { velocity } => velocity,
        Side::Body { tree, lever } => {
            let v = &motion.mean[motion.world.trees()[tree as usize].dofs.clone()];
            DVec3::from_slice(&v[3..]) + DVec3::from_slice(v).cross(lever)
        }
        Side::Tree { link, point, start, .. } => {
            let mut velocity = start;
            motion.workspace.for_each_column(motion.world.model(), link as usize, point, |dof, axis| {
                velocity += axis.linear * (motion.mean[dof] - space.v[dof]);
            });
            velocity
        }
    }
}

/// Returns the mean velocity of one side of a row, in m/s or rad/s.
fn row_velocity(motion: &MeanMotion, side: &RowSide) -> f64 {
    match side {
        RowSide::Nothing => 0.0,
        RowSide::Prescribed { velocity } => *velocity,
        RowSide::Body { tree, angular, linear } => {
            let v = &motion.mean[motion.world.trees()[*tree as usize].dofs.clone()];
            DVec3::from_slice(v).dot(*angular) + DVec3::from_slice(&v[3..]).dot(*linear)
        }
        RowSide::Tree { end, .. } => {
            let mut velocity = 0.0;
            end.for_each_factor(motion.world, motion.workspace, |dof, factor| velocity += factor * motion.mean[dof]);
            velocity
        }
    }
}
