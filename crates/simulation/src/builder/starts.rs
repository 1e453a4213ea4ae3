//! The state in which a world starts.

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{Model, State};
use burgess_geometry::Pose;

use super::checks::check_pose;
use crate::world_error::WorldError;

/// An initial value of a link.
#[derive(Debug, Clone)]
pub(super) enum Start {
    Pose(Pose),
    Velocity(Motion),
    Positions(Vec<f64>),
    JointVelocities(Vec<f64>),
}

/// Writes an initial value to the state.
pub(super) fn set_start(model: &Model, state: &mut State, index: usize, start: &Start) -> Result<(), WorldError> {
    let link = &model.links()[index];
    let next_q = model.links().get(index + 1).map_or(model.positions(), |next| next.q);
    let wrong =
        |what, expected, found| WorldError::StateLength { body: model.name(index).to_string(), what, expected, found };
    let finite = |what: &str, numbers: &[f64]| match numbers.iter().find(|number| !number.is_finite()) {
        Some(&found) => {
            let what = format!("the {what} of body '{}'", model.name(index));
            Err(WorldError::OutOfRange { what, expected: "finite", found })
        }
        None => Ok(()),
    };
    match start {
        Start::Pose(pose) => {
            check_pose(pose, || format!("body '{}'", model.name(index)))?;
            state.set_free_pose(model, index, pose);
        }
        Start::Velocity(velocity) => {
            finite("velocity", &[velocity.angular.to_array(), velocity.linear.to_array()].concat())?;
            state.set_free_velocity(model, index, *velocity);
        }
        Start::Positions(positions) => {
            let slot = &mut state.q[link.q..next_q];
            if slot.len() != positions.len() {
                return Err(wrong("positions", slot.len(), positions.len()));
            }
            finite("joint position", positions)?;
            slot.copy_from_slice(positions);
        }
        Start::JointVelocities(velocities) => {
            let slot = &mut state.v[link.v..link.v + link.dofs as usize];
            if slot.len() != velocities.len() {
                return Err(wrong("velocities", slot.len(), velocities.len()));
            }
            finite("joint velocity", velocities)?;
            slot.copy_from_slice(velocities);
        }
    }
    Ok(())
}
