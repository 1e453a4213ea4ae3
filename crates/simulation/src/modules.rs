//! The modules of the simulation component (004 section 2.1), as traits. Collision detection's four are in
//! [`CollisionDetection`](crate::CollisionDetection).
//!
//! The time control decides when the others act; the motion solver moves the bodies and asks its constraint solver for what
//! holds contacts while they move; the collision solver changes velocities at once. There are two kinds of motion
//! solver, because there are two kinds of constraint solver: [`SteppedMotion`](crate::SteppedMotion) ends a step with
//! velocities that satisfy the constraints, `burgess_paradigms::ContinuousMotion` integrates forces.

use std::fmt::Debug;

use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::outcome::Failure;
use crate::stage::Stage;

/// Moves the world on by a step, by whatever sub-steps it finds necessary (004 section 2.1.1).
pub trait TimeControl: Debug + Send {
    /// Advances the state by `step` s.
    fn advance(&mut self, stage: &mut Stage, modules: &mut Modules, step: f64) -> Result<(), Failure>;

    /// What it remembers from step to step that changes the next bits, for snapshots: always as many
    /// numbers.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Puts back what was remembered.
    fn set_memory(&mut self, _memory: &[f64]) {}
}

/// How a motion ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moved {
    /// The whole step was made.
    Fully,
    /// The constraint solver, which looks at contacts more often than the time control does, met bodies that are deeper in
    /// each other than it can bear (004 section 2.1.3). Positions, velocities and time are those of the start of the
    /// step; the time control has to try a shorter one.
    PenetrationAt {
        /// When they were met, in s; after the start of the step and not after its end.
        time: f64,
    },
}

/// Continuous motion (004 section 2.1.2).
pub trait MotionSolver: Debug + Send {
    /// Moves all bodies for `step` s, contacts included. Contacts have been detected at the present state.
    fn advance(&mut self, stage: &mut Stage, step: f64) -> Result<Moved, Failure>;

    /// How well the contacts of the last step obey their laws; none where that is not known.
    fn residuals(&self) -> Option<ContactResiduals> {
        None
    }

    /// Something has changed velocities at once: whatever the solver knows of them is void.
    fn notify_impulses(&mut self) {}
}

/// Collisions (004 section 2.1.4).
pub trait CollisionSolver: Debug + Send {
    /// Changes velocities so that the contacts of the last detection do not approach. `step` is the time that the motion
    /// will take then. Returns the number of impulses.
    fn resolve(&mut self, stage: &mut Stage, step: f64) -> usize;

    /// What it remembers from call to call that changes the next bits, for snapshots: always as many
    /// numbers.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Puts back what was remembered.
    fn set_memory(&mut self, _memory: &[f64]) {}
}

/// The modules that a time control drives.
#[derive(Debug)]
pub struct Modules {
    /// Continuous motion.
    pub motion: Box<dyn MotionSolver>,
    /// Collisions; none where the constraint solver's forces do their work (penalty).
    pub collisions: Option<Box<dyn CollisionSolver>>,
}
