//! Joint limits in time controls: an envelope inside each limit, like that of bodies.

use burgess_dynamics::State;
use burgess_simulation::SimulationData;
use burgess_simulation::constraint_solver::nearest_limit;
use burgess_simulation::contact_space::RowEnd;

use super::watched_pairs::free_gap;
use crate::collision_solver::limit_rate;

/// Calls `call` with the gap (rad or m) of every joint axis to its nearer limit, and the direction away from it.
fn for_each_gap(data: &SimulationData, mut call: impl FnMut(f64, RowEnd)) {
    let model = data.world.model();
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            if let Some((gap, end)) = nearest_limit(model, &data.state.q, index, axis) {
                call(gap, end);
            }
        }
    }
}

/// Returns whether a sub-step from `before` moved no joint farther beyond its limit than allowed.
pub(super) fn limits_hold(data: &SimulationData, before: &State, margin: f64) -> bool {
    let model = data.world.model();
    let mut hold = true;
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            let gap = |state: &State| nearest_limit(model, &state.q, index, axis).map_or(0.0, |found| found.0);
            let (old, new) = (gap(before), gap(&data.state));
            hold &= new >= (old - 2.0 * free_gap(old, margin).min(0.25 * margin)).min(0.0);
        }
    }
    hold
}

/// Returns the time until the first joint reaches its limit at its present rate, in s.
pub(super) fn time_to_limit(data: &SimulationData, margin: f64) -> f64 {
    let mut first = f64::INFINITY;
    for_each_gap(data, |gap, end| {
        let rate = limit_rate(&end, &data.state.v);
        if rate < 0.0 {
            first = first.min(-free_gap(gap, margin) / rate);
        }
    });
    first
}

/// Returns whether any joint is at its limit.
pub(super) fn at_limit(data: &SimulationData, margin: f64) -> bool {
    let mut at = false;
    for_each_gap(data, |gap, _| at |= gap <= margin);
    at
}
