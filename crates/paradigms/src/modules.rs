//! The module interface of motion under forces: a constraint solver at the force level.

use std::fmt::Debug;

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Moment, Workspace};
use burgess_simulation::{CollisionDetection, PairRecord, StepStatistics, World};

use crate::constraint_solver::complementarity::ContactForceError;

/// A moment within a step at which constraint forces are needed.
#[derive(Debug)]
pub struct ForceMoment<'a> {
    /// The world.
    pub world: &'a World,
    /// Positions, velocities, time, and the efforts of springs and motors.
    pub moment: Moment<'a>,
    /// Workspace at this moment, after the first pass, with the forces of controllers.
    pub workspace: &'a Workspace,
    /// Contacts, as recent as the [`UpdateStrategy`](crate::UpdateStrategy) allows.
    pub detection: &'a CollisionDetection,
    /// Memory of contacts; only the first evaluation of an integrator's step writes to it.
    pub pairs: &'a mut PairTable<PairRecord>,
    /// Memory of joint limits, dry friction and constraints, likewise.
    pub row_impulses: &'a mut [f64],
    /// Length of the integrator's step, in s.
    pub step: f64,
    /// Length of the motion that contains the integrator's step, in s: contacts are equally stiff in all its sub-steps.
    pub whole_step: f64,
    /// Whether this is the first evaluation of the integrator's step, at the state itself.
    pub first: bool,
    /// Statistics of the step so far.
    pub statistics: &'a mut StepStatistics,
}

/// A constraint solver at the force level (Erleben 2002, section 2.1.3): analytical or penalty.
pub trait ForceConstraints: Debug + Send {
    /// Writes the efforts along all joints (N m, N) of contact forces and other constraint forces. If no finite forces
    /// exist (Painlevé), it returns an error, and the motion solver makes the step by impulses.
    fn efforts(&mut self, at: ForceMoment, efforts: &mut [f64]) -> Result<(), ContactForceError>;

    /// Returns the gap (m) above which contacts are ignored.
    fn margin(&self) -> f64;

    /// Returns whether the forces at soft limits are functions of the present state alone, so that the integrator has
    /// to resolve them.
    fn has_explicit_limits(&self) -> bool {
        false
    }

    /// Returns the increase of depth (m) during a step above which the time control is informed.
    fn penetration_tolerance(&self) -> f64 {
        f64::INFINITY
    }
}
