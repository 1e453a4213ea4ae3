//! The module that only motion under forces has: a constraint solver at the level of forces.

use std::fmt::Debug;

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Moment, Workspace};
use burgess_simulation::{CollisionDetection, PairRecord, StepStatistics, World};

use crate::constraint_solver::complementarity::ContactForceError;

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
    /// Of the motion that the integrator's step may be a piece of, in s: what bodies meet is equally stiff in all
    /// pieces.
    pub whole_step: f64,
    /// Is this the first evaluation of the integrator's step, at the state itself?
    pub first: bool,
    /// What the step has done so far.
    pub statistics: &'a mut StepStatistics,
}

/// A constraint solver at the level of forces (Erleben 2002, section 2.1.3): analytical, penalty.
pub trait ForceConstraints: Debug + Send {
    /// Writes the efforts along all joints (N m, N) that contact forces and other constraint forces amount to. Without
    /// finite forces (Painlevé) it says so, and the motion solver takes the step by impulses.
    fn efforts(&mut self, at: ForceMoment, efforts: &mut [f64]) -> Result<(), ContactForceError>;

    /// Gaps wider than this (m) do not matter to it.
    fn margin(&self) -> f64;

    /// Are the forces at limits that springs hold functions of the present state alone, so that the integrator has to
    /// follow them?
    fn has_explicit_limits(&self) -> bool {
        false
    }

    /// How much deeper (m) bodies may get in each other during a step before the time control has to know.
    fn penetration_tolerance(&self) -> f64 {
        f64::INFINITY
    }
}
