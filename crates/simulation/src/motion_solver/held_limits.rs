//! Joint limits that hold from step to step.
//!
//! A motor that presses a joint against its limit holds it there for many steps. Such a joint is locked before the
//! motion of the step is computed, instead of being stopped by a row of the constraint solver: the velocities without
//! constraints are then those of the held joint, and the contact groups have fewer rows. If the impulse that holds it
//! pulls, the joint leaves its limit: it is released, and the step is predicted again. A joint that arrives at its limit
//! is stopped by a row.

use burgess_dynamics::joint::Joint;

use crate::constraint_solver::{RowSlots, limit_gap, resting_speed};
use crate::contact_space::RowEnd;
use crate::simulation_data::SimulationData;
use crate::world::World;

/// Distance from a limit up to which a joint that rests there is held, in rad or m.
const MAX_HELD_GAP: f64 = 1e-5;

/// A joint limit that holds in the current step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldLimit {
    /// Degree of freedom.
    pub dof: usize,
    /// 1 at the lower limit, -1 at the upper one.
    pub sign: f64,
    /// Impulse away from the limit, in N m s or N s.
    pub impulse: f64,
}

/// Finds the limits that hold.
#[derive(Debug, Clone)]
pub(super) struct LimitHolder {
    /// Link, axis and degree of freedom of all joints that can be held.
    candidates: Vec<(usize, usize, usize)>,
    slots: RowSlots,
}

impl LimitHolder {
    /// Finds the joints with hard limits. Ball joints are not held: their limit may be passed in any direction.
    pub fn new(world: &World) -> Self {
        let model = world.model();
        let mut candidates = Vec::new();
        for (index, link) in model.links().iter().enumerate() {
            if matches!(link.joint, Joint::Free | Joint::Spherical) {
                continue;
            }
            for axis in 0..link.dofs as usize {
                let properties = &model.properties()[link.v + axis];
                if properties.limit.is_some() && properties.limit_spring.is_none() {
                    candidates.push((index, axis, link.v + axis));
                }
            }
        }
        Self { candidates, slots: RowSlots::new(world) }
    }

    /// Writes the limits that held in the last step and at which the joints still rest.
    pub fn find(&self, data: &mut SimulationData, step: f64) {
        let model = data.world.model();
        let resting = resting_speed(model, step);
        data.held_limits.clear();
        for &(link, axis, dof) in &self.candidates {
            if data.row_impulses[self.slots.limit(dof) as usize] <= 0.0 || data.state.v[dof].abs() > resting {
                continue;
            }
            if let Some((gap, RowEnd::Joint { coefficients, .. })) = limit_gap(model, &data.state.q, link, axis)
                && gap.abs() <= MAX_HELD_GAP
            {
                data.held_limits.push(HeldLimit { dof, sign: coefficients.x, impulse: 0.0 });
            }
        }
    }
}

/// Releases the limits whose impulses pull, or all of them if `releases_all` and any does. `impulse` returns that of a
/// degree of freedom. Returns whether any was released.
pub(super) fn release(held: &mut Vec<HeldLimit>, releases_all: bool, impulse: impl Fn(usize) -> f64) -> bool {
    held.iter_mut().for_each(|limit| limit.impulse = limit.sign * impulse(limit.dof));
    let is_released = held.iter().any(|limit| limit.impulse < 0.0);
    held.retain(|limit| !is_released || !releases_all && limit.impulse >= 0.0);
    is_released
}
