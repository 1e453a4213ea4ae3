//! What a step did.

use crate::constraint_solver::SolverWork;

/// Time spent in each module, in s; zeros without a clock (see [`Stage::set_clock`](crate::Stage::set_clock)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ModuleSeconds {
    /// Timers and their orders.
    pub controllers: f64,
    /// Broad phase, narrow phase, contact determination and contact analysis.
    pub collision_detection: f64,
    /// Collisions.
    pub collision_solver: f64,
    /// Motion, with what holds contacts while bodies move.
    pub motion_solver: f64,
    /// Of that, in time stepping: what holds contacts.
    pub constraint_solver: f64,
}

/// Figures of one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepStatistics {
    /// Time spent in each module.
    pub seconds: ModuleSeconds,
    /// Contacts found.
    pub contacts: usize,
    /// Collisions and, for impulse-based motion, micro-collisions.
    pub impulses: usize,
    /// Pieces that an adaptive time control or motion solver made of the step, undone ones included; zero if it was made whole.
    pub sub_steps: usize,
    /// The deepest penetration found, in m.
    pub penetration: f64,
    /// Steps of a force-level motion solver in which no finite forces existed, so that impulses took their place.
    pub steps_by_impulses: usize,
    /// The time that the impulses which contacts remember are of, in s: the last piece of the step; zero if none are.
    pub held_seconds: f64,
    /// What the constraint solver did.
    pub solver: SolverWork,
}
