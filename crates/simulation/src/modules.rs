//! The modules of the simulation component (Erleben 2002, section 2.1), as traits. The four modules of collision
//! detection are in [`CollisionDetection`](crate::CollisionDetection).
//!
//! The time control decides when the others act. The collision solver changes velocities at once. The motion solver
//! moves the bodies, and a constraint solver holds lasting contacts while they move. Constraint solvers are of two
//! kinds: those that act on the velocities with which a step ends ([`VelocityConstraints`]), and those that give forces
//! to an integrator (`burgess_paradigms::modules::ForceConstraints`), which belong to their motion solver.

use std::fmt::Debug;

use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;
use crate::statistics::Module;

/// Advances the world by a step, by whatever sub-steps it finds necessary (Erleben 2002, section 2.1.1).
pub trait TimeControl: Debug + Send {
    /// Advances the state by `step` s.
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure>;

    /// Returns the numbers that it keeps from step to step and that change later bits, for snapshots. Their count is
    /// constant.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores the numbers that [`memory`](Self::memory) returned.
    fn set_memory(&mut self, _memory: &[f64]) {}
}

/// How a motion ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moved {
    /// The whole step was made.
    Fully,
    /// A motion solver that detects contacts more often than the time control does has found deeper penetration than it
    /// tolerates (Erleben 2002, section 2.1.3). Positions, velocities and time are those of the start of the step; the
    /// time control has to try a shorter one.
    PenetrationAt {
        /// Time of the penetration, in s; after the start of the step and not after its end.
        time: f64,
    },
}

/// Continuous motion (Erleben 2002, section 2.1.2).
pub trait MotionSolver: Debug + Send {
    /// Moves the state to the middle of a step of `step` s, where contacts are detected and all forces act. A motion
    /// solver for which that is the start of the step does nothing.
    fn drift(&mut self, _data: &mut SimulationData, _step: f64) {}

    /// Takes the last [`drift`](Self::drift) back.
    fn drift_back(&mut self, _data: &mut SimulationData, _step: f64) {}

    /// Predicts the velocities with which the step ends without contacts and constraints, in
    /// [`SimulationData::end_velocities`]. A motion solver with forces of its own has nothing to predict.
    fn predict_velocities(&mut self, _data: &mut SimulationData, _step: f64) -> Result<(), Failure> {
        Ok(())
    }

    /// Predicts the velocities again if what constraints did to them shows that the last prediction was wrong. Returns
    /// whether it did, which happens a bounded number of times in a step. [`SimulationData::end_velocities`] are those
    /// after the constraint solver.
    fn correct_prediction(&mut self, _data: &mut SimulationData, _step: f64) -> Result<bool, Failure> {
        Ok(false)
    }

    /// Corrects [`SimulationData::end_velocities`], after constraints have changed them, so that bodies conserve their
    /// angular momentum.
    fn conserve_momenta(&mut self, _data: &mut SimulationData, _step: f64) {}

    /// Writes the efforts along the joints with which the step ends with [`SimulationData::end_velocities`] to
    /// [`SimulationData::joint_efforts`].
    fn find_efforts(&mut self, _data: &mut SimulationData, _step: f64) {}

    /// Moves all bodies for `step` s. Contacts have been detected at the present state.
    fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure>;

    /// Discards what the solver knows of velocities, after something has changed them at once.
    fn notify_impulses(&mut self) {}
}

/// A constraint solver that acts on velocities (Erleben 2002, section 2.1.3).
pub trait VelocityConstraints: Debug + Send {
    /// Changes [`SimulationData::end_velocities`] so that they satisfy contacts, joint limits and constraints.
    fn hold(&mut self, data: &mut SimulationData, step: f64);

    /// Does the same again within the same step, for other velocities. It starts with the impulses that it has found.
    fn hold_again(&mut self, data: &mut SimulationData, step: f64);

    /// Returns the error of the energy of loops and of trees that whirl at the end of the step, relative to the kinetic
    /// energy.
    fn assess_energy(&mut self, _data: &mut SimulationData, _step: f64) -> f64 {
        0.0
    }

    /// Corrects this energy in the velocities of the state, at the end of the step.
    fn correct_energy(&mut self, _data: &mut SimulationData, _step: f64) {}

    /// Writes the velocities that reduce penetration in this step only to [`SimulationData::displacement`]. Returns
    /// false if there are none.
    fn recover(&mut self, data: &mut SimulationData, step: f64) -> bool;

    /// Returns how well the contacts of the last step obey their laws.
    fn residuals(&self, data: &SimulationData) -> ContactResiduals;
}

/// Collisions (Erleben 2002, section 2.1.4).
pub trait CollisionSolver: Debug + Send {
    /// Changes velocities so that the contacts of the last detection do not meet within the next `step` s. Returns the
    /// number of impulses.
    fn resolve(&mut self, data: &mut SimulationData, step: f64) -> usize;

    /// Returns the numbers that it keeps from call to call and that change later bits, for snapshots. Their count is
    /// constant.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores the numbers that [`memory`](Self::memory) returned.
    fn set_memory(&mut self, _memory: &[f64]) {}
}

/// The modules that a time control drives.
#[derive(Debug)]
pub struct Modules {
    /// The motion solver.
    pub motion: Box<dyn MotionSolver>,
    /// The constraint solver that acts on velocities; none where the motion solver integrates constraint forces, and
    /// where all contacts are collisions.
    pub constraints: Option<Box<dyn VelocityConstraints>>,
    /// The collision solver; none where the forces of the constraint solver act instead (penalty).
    pub collisions: Option<Box<dyn CollisionSolver>>,
}

/// The stages of a step that modules carry out.
impl Modules {
    pub(crate) fn predict_velocities(&mut self, data: &mut SimulationData, step: f64) -> Result<(), Failure> {
        self.motion.predict_velocities(data, step)
    }

    /// Resolves the collisions of the last detection.
    pub fn resolve_collisions(&mut self, data: &mut SimulationData, step: f64) {
        if let Some(collisions) = &mut self.collisions {
            let impulses = data.measure(Module::CollisionSolver, |data| collisions.resolve(data, step));
            data.statistics.impulses += impulses;
            self.motion.notify_impulses();
        }
    }

    pub(crate) fn hold_lasting_contacts(&mut self, data: &mut SimulationData, step: f64) -> Result<(), Failure> {
        if let Some(constraints) = &mut self.constraints {
            data.measure(Module::ConstraintSolver, |data| constraints.hold(data, step));
            while self.motion.correct_prediction(data, step)? {
                data.statistics.corrected_predictions += 1;
                data.measure(Module::ConstraintSolver, |data| constraints.hold_again(data, step));
            }
        }
        self.motion.conserve_momenta(data, step);
        Ok(())
    }

    pub(crate) fn assess_energy(&mut self, data: &mut SimulationData, step: f64) -> f64 {
        self.motion.find_efforts(data, step);
        let constraints = self.constraints.as_mut();
        constraints.map_or(0.0, |constraints| constraints.assess_energy(data, step))
    }

    pub(crate) fn correct_energy(&mut self, data: &mut SimulationData, step: f64) {
        if let Some(constraints) = &mut self.constraints {
            constraints.correct_energy(data, step);
        }
    }

    pub(crate) fn recover_penetration(&mut self, data: &mut SimulationData, step: f64) {
        if let Some(constraints) = &mut self.constraints {
            data.is_displaced = data.measure(Module::ConstraintSolver, |data| constraints.recover(data, step));
        }
    }

    pub(crate) fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        self.motion.integrate_positions(data, step)
    }
}
