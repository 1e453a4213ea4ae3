//! The modules of the simulation component (004 section 2.1), as traits. Collision detection's four are in
//! [`CollisionDetection`](crate::CollisionDetection).
//!
//! The time control decides when the others act; the motion solver moves the bodies and asks its constraint solver for what
//! holds contacts while they move; the collision solver changes velocities at once. There are two kinds of motion
//! solver, because there are two kinds of constraint solver: [`SteppedMotion`](crate::SteppedMotion) ends a step with
//! velocities that satisfy the constraints, [`ContinuousMotion`](crate::ContinuousMotion) integrates forces.

use std::fmt::Debug;

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Moment, Workspace};

use crate::constraint_solver::complementarity::ContactForceError;
use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::contact::PairRecord;
use crate::detection::CollisionDetection;
use crate::outcome::Failure;
use crate::stage::Stage;
use crate::statistics::StepStatistics;
use crate::world::World;

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

/// A moment at which constraint forces are wanted, within a step.
#[derive(Debug)]
pub struct ForceMoment<'a> {
    /// The world.
    pub world: &'a World,
    /// Positions, velocities, time, and the efforts of springs and motors.
    pub moment: Moment<'a>,
    /// At this moment, fresh from the first pass; forces of controllers are in it.
    pub workspace: &'a Workspace,
    /// Contacts, as new as the [`UpdateStrategy`](crate::UpdateStrategy) has them.
    pub detection: &'a CollisionDetection,
    /// What contacts remember; only the first evaluation of an integrator's step writes to it.
    pub pairs: &'a mut PairTable<PairRecord>,
    /// The same for joint limits, dry friction and constraints.
    pub row_impulses: &'a mut [f64],
    /// Length of the integrator's step, in s.
    pub step: f64,
    /// Of the motion that the integrator's step may be a piece of, in s: what bodies meet is equally stiff in all pieces.
    pub whole_step: f64,
    /// Is this the first evaluation of the integrator's step, at the state itself?
    pub first: bool,
    /// What the step has done so far.
    pub statistics: &'a mut StepStatistics,
}

/// A constraint solver at the level of forces (004 section 2.1.3): analytical, penalty.
pub trait ForceConstraints: Debug + Send {
    /// Writes the efforts along all joints (N m, N) that contact forces and other constraint forces amount to. Without
    /// finite forces (Painlevé) it says so, and the motion solver takes the step by impulses.
    fn efforts(&mut self, at: ForceMoment, efforts: &mut [f64]) -> Result<(), ContactForceError>;

    /// Gaps wider than this (m) do not matter to it.
    fn margin(&self) -> f64;

    /// Are the forces at limits that springs hold functions of the present state alone, so that the integrator has to follow them?
    fn has_explicit_limits(&self) -> bool {
        false
    }

    /// How much deeper (m) bodies may get in each other during a step before the time control has to know.
    fn penetration_tolerance(&self) -> f64 {
        f64::INFINITY
    }
}

/// The modules that a time control drives.
#[derive(Debug)]
pub struct Modules {
    /// Continuous motion.
    pub motion: Box<dyn MotionSolver>,
    /// Collisions; none where the constraint solver's forces do their work (penalty).
    pub collisions: Option<Box<dyn CollisionSolver>>,
}
