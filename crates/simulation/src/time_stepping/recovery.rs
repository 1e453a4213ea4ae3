//! Recovery from penetration.
//!
//! Each step removes a share of a penetration, never faster than the recovery speed. The motion that separates the
//! bodies is found apart from the impulses of the step, acts in this step only, and gives bodies no speed. It needs no
//! friction and little accuracy, since what remains is removed in the next steps: some sweeps over the normals of all
//! contacts, joint limits and constraints of a group, so that no other contact closes.
//!
//! Where joints allow hardly any motion that separates two links (a ball that is hinged near its middle), it is better to
//! leave the penetration than to fling links about. So every contact is a little soft here, and no axis of a tree moves
//! faster than ten times the recovery speed, or than its fastest axis at the start of the step.

use burgess_dynamics::Model;

use crate::constraint_solver::contact_problem::Law;
use crate::constraint_solver::{nearest_limit, opening_velocity};
use crate::contact_space::{ContactSpace, Row};
use crate::simulation_data::SimulationData;

use super::TimeSteppingSettings;
use super::group_members::GroupMembers;

/// Penetration up to this share of gravity times the step squared is ignored: removing what rounding and the solver's
/// tolerance leave would push wedged bricks for ever.
const PENETRATION_SLACK_FACTOR: f64 = 0.05;

/// Speeds below this are not corrected, in m/s.
const NEGLIGIBLE_SPEED: f64 = 1e-6;

/// No axis is displaced faster than the recovery speed times this factor, in rad/s or m/s for each m/s.
const MAX_DISPLACEMENT_FACTOR: f64 = 10.0;

/// Displacement beyond a limit in one step that is left to the next one, in rad or m: a joint at its limit does not stop
/// the displacement of the other joints.
const LIMIT_SLACK: f64 = 1e-3;

/// Maximum number of sweeps over a group in a step.
const MAX_SWEEPS: usize = 16;

/// Maximum number of contacts and rows that are visited in all sweeps over a group, so that recovery does not dominate
/// the step of a large pile. Every group is swept at least twice.
const MAX_VISITS: usize = 4096;
const MIN_SWEEPS: usize = 2;

/// Change in a sweep at which it ends, relative to the fastest recovery.
const CONVERGED_CHANGE: f64 = 0.01;

/// Softness of a contact in the recovery, relative to the trace of its block.
const SOFTNESS: f64 = 1e-3;

/// The separation speed that a contact with a negative gap asks for, in m/s.
pub(super) fn recovery_target(settings: &TimeSteppingSettings, model: &Model, distance: f64, step: f64) -> f64 {
    let slack = PENETRATION_SLACK_FACTOR * model.gravity.length() * step * step;
    (settings.recovery_share * (-distance - slack).max(0.0) / step).min(settings.recovery_speed)
}

/// Displaces the bodies of a group so that penetration and errors of constraints shrink. `impulses` is scratch. The
/// velocities of the space are those with which the step ends.
pub(super) fn recover_group(space: &mut ContactSpace, members: &GroupMembers, impulses: &mut Vec<f64>) {
    let of_blocks = members.blocks.iter().map(|&block| space.blocks[block as usize].recovery);
    let of_rows = members.rows.iter().map(|&row| space.rows[row as usize].recovery.abs());
    let fastest = of_blocks.chain(of_rows).fold(0.0, f64::max);
    if fastest <= NEGLIGIBLE_SPEED {
        return;
    }
    impulses.clear();
    impulses.resize(members.blocks.len() + members.rows.len(), 0.0);
    let sweeps = (MAX_VISITS / impulses.len()).clamp(MIN_SWEEPS, MAX_SWEEPS);
    for _ in 0..sweeps {
        let mut change = 0.0_f64;
        let (of_blocks, of_rows) = impulses.split_at_mut(members.blocks.len());
        for (impulse, &block) in of_blocks.iter_mut().zip(&members.blocks) {
            change = change.max(recover_contact(space, block as usize, impulse));
        }
        for (impulse, &row) in of_rows.iter_mut().zip(&members.rows) {
            change = change.max(recover_row(space, row as usize, impulse));
        }
        if change <= CONVERGED_CHANGE * fastest {
            break;
        }
    }
}

/// Solves the normal of one contact. Returns the change of its velocity.
fn recover_contact(space: &mut ContactSpace, index: usize, impulse: &mut f64) -> f64 {
    let block = &space.blocks[index];
    let (normal, k) = (block.normal, &block.k);
    let mobility = normal.dot(*k * normal) + SOFTNESS * (k.x_axis.x + k.y_axis.y + k.z_axis.z);
    // A contact that does not penetrate may close as far as it still can.
    let wanted = if block.recovery > 0.0 { block.recovery } else { -space.normal_excess(index).max(0.0) };
    let change = wanted - space.displaced_velocity(index).dot(normal);
    let next = (*impulse + change / mobility).max(0.0);
    let added = next - *impulse;
    if added == 0.0 || !added.is_finite() {
        return 0.0;
    }
    *impulse = next;
    space.displace(index, normal * added);
    (added * mobility).abs()
}

/// Solves one row. Returns the change of its velocity.
fn recover_row(space: &mut ContactSpace, index: usize, impulse: &mut f64) -> f64 {
    let row = &space.rows[index];
    if row.softness > 0.0 || row.k <= 0.0 {
        return 0.0;
    }
    let Some((wanted, least)) = wanted_of_row(space, index, row) else { return 0.0 };
    let mobility = row.k * (1.0 + SOFTNESS);
    let next = (*impulse + (wanted - space.displaced_row_velocity(index)) / mobility).max(least);
    let added = next - *impulse;
    if added == 0.0 || !added.is_finite() {
        return 0.0;
    }
    *impulse = next;
    space.displace_row(index, added);
    (added * mobility).abs()
}

/// Returns the velocity that a row asks for and the least impulse that it may have; none for friction.
fn wanted_of_row(space: &ContactSpace, index: usize, row: &Row) -> Option<(f64, f64)> {
    match row.law {
        Law::Bilateral => Some((row.recovery, f64::NEG_INFINITY)),
        Law::Unilateral if row.recovery > 0.0 => Some((row.recovery, 0.0)),
        Law::Unilateral => Some((-(space.row_velocity(index) - row.target).max(0.0), 0.0)),
        _ => None,
    }
}

/// Slows down trees of which an axis would be displaced too fast, or beyond a limit that was too far to be among the rows.
pub(super) fn bound_displacement(data: &mut SimulationData, recovery_speed: f64, step: f64) {
    let SimulationData { world, displacement, state, .. } = data;
    for tree in world.trees() {
        let of = |velocities: &[f64]| velocities.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
        // What has passed a limit on the way to the middle of the step may come back as fast.
        let bound = of(&state.v[tree.dofs.clone()]).max(MAX_DISPLACEMENT_FACTOR * recovery_speed);
        let fastest = of(&displacement[tree.dofs.clone()]);
        let mut factor = if fastest > bound { bound / fastest } else { 1.0 };
        if !tree.is_free_body && fastest * step > LIMIT_SLACK {
            for link in tree.links.clone() {
                factor = factor.min(share_within_limits(world.model(), &state.q, displacement, link, step));
            }
        }
        if factor < 1.0 {
            displacement[tree.dofs.clone()].iter_mut().for_each(|speed| *speed *= factor);
        }
    }
}

/// Returns the share of a displacement that does not take a joint beyond its limits.
fn share_within_limits(model: &Model, q: &[f64], displacement: &[f64], link: usize, step: f64) -> f64 {
    let share = |axis: usize| {
        let (gap, end) = nearest_limit(model, q, link, axis)?;
        let moved = -opening_velocity(&end, displacement) * step;
        let allowed = gap.max(0.0) + LIMIT_SLACK;
        Some(if moved > allowed { allowed / moved } else { 1.0 })
    };
    (0..model.links()[link].dofs as usize).filter_map(share).fold(1.0, f64::min)
}
