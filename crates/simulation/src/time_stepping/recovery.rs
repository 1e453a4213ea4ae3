//! Recovery from penetration.
//!
//! Each step removes a share of a penetration, never faster than the recovery speed. The group is solved twice: with
//! targets that separate the bodies, and with targets that only hold them. The step ends with the velocities of the
//! second solve; the difference moves bodies in this step and is then dropped, so that pushing bodies apart gives them
//! no speed.
//!
//! No axis of a tree moves faster for it than ten times the recovery speed: where joints allow hardly any motion that
//! separates two links (a ball that is hinged near its middle), it is better to leave the penetration than to fling
//! links about.

use crate::constraint_solver::contact_problem::Law;
use crate::contact_space::ContactSpace;
use crate::simulation_data::SimulationData;

use super::TimeSteppingSettings;
use super::group_members::GroupMembers;

/// Penetration up to this share of gravity times the step squared is ignored: removing what rounding and the solver's
/// tolerance leave would push wedged bricks for ever.
const PENETRATION_SLACK_FACTOR: f64 = 0.05;

/// Recovery slower than this gives bodies no noticeable speed, so a second solve is not needed; in m/s.
const NEGLIGIBLE_SPEED: f64 = 1e-6;

/// No axis is displaced faster than the recovery speed times this factor, in rad/s or m/s for each m/s.
const MAX_DISPLACEMENT_FACTOR: f64 = 10.0;

/// The separation speed that a contact with a negative gap asks for, in m/s.
pub(super) fn recovery_target(settings: &TimeSteppingSettings, data: &SimulationData, distance: f64, step: f64) -> f64 {
    let slack = PENETRATION_SLACK_FACTOR * data.world.model().gravity.length() * step * step;
    (settings.recovery_share * (-distance - slack).max(0.0) / step).min(settings.recovery_speed)
}

/// Lowers the targets of contacts and limits that separate bodies, so that they only hold. Returns whether any of them
/// was fast enough to matter.
pub(super) fn stop_recovering(space: &mut ContactSpace, members: &GroupMembers) -> bool {
    let mut fastest = 0.0_f64;
    for &block in &members.blocks {
        let target = &mut space.blocks[block as usize].target;
        fastest = fastest.max(*target);
        *target = target.min(0.0);
    }
    for &row in &members.rows {
        let row = &mut space.rows[row as usize];
        if row.law == Law::Bilateral && row.recovery != 0.0 {
            fastest = fastest.max(row.recovery.abs());
            row.target -= row.recovery;
        }
        // The target of a spring is its force.
        if row.law == Law::Unilateral && row.softness == 0.0 && row.target > 0.0 {
            fastest = fastest.max(row.target);
            row.target = 0.0;
        }
    }
    fastest > NEGLIGIBLE_SPEED
}

/// Slows down trees of which an axis would be displaced too fast.
pub(super) fn bound_displacement(data: &mut SimulationData, recovery_speed: f64) {
    let bound = MAX_DISPLACEMENT_FACTOR * recovery_speed;
    let SimulationData { world, displacement, .. } = data;
    for tree in world.trees() {
        let own = &mut displacement[tree.dofs.clone()];
        let fastest = own.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
        if fastest > bound {
            own.iter_mut().for_each(|speed| *speed *= bound / fastest);
        }
    }
}
