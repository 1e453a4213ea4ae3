//! What a step did.

use crate::constraint_solver::SolverWork;

/// Figures of one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepStatistics {
    /// Contacts found.
    pub contacts: usize,
    /// Collisions and, for impulse-based motion, micro-collisions.
    pub impulses: usize,
    /// Pieces that an adaptive time control made of the step, undone ones included.
    pub sub_steps: usize,
    /// The deepest penetration found, in m.
    pub penetration: f64,
    /// Steps of a force-level motion solver in which no finite forces existed, so that impulses took their place.
    pub steps_by_impulses: usize,
    /// What the constraint solver did.
    pub solver: SolverWork,
}
