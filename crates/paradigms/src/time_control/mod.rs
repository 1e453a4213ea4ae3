//! Time controls that divide a step (Erleben 2002, section 2.1.1).

mod backtracking;
mod conservative_advancement;
mod courses;
mod impact_bound;
mod impact_heap;
mod joint_limits;
mod watched;
mod watched_pairs;

pub use backtracking::Backtracking;
pub use conservative_advancement::ConservativeAdvancement;
pub use impact_heap::ImpactHeap;
pub use watched::Watched;

use burgess_dynamics::State;

/// Copies a state over one of the same model without allocating.
fn copy_state(from: &State, to: &mut State) {
    to.q.copy_from_slice(&from.q);
    to.v.copy_from_slice(&from.v);
    to.time = from.time;
}
