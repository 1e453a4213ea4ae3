//! What a step did, and how long its modules took.

use crate::constraint_solver::SolverWork;

/// A module whose time is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Module {
    /// High-level controllers.
    Controllers,
    /// Broad phase, narrow phase, contact determination and contact analysis.
    CollisionDetection,
    /// The collision solver.
    CollisionSolver,
    /// The motion solver and the time control.
    MotionSolver,
    /// The constraint solver that acts on velocities.
    ConstraintSolver,
}

/// Time spent in each module, in s; zero without a clock (see
/// [`SimulationData::set_clock`](crate::SimulationData::set_clock)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ModuleSeconds {
    /// High-level controllers.
    pub controllers: f64,
    /// Broad phase, narrow phase, contact determination and contact analysis.
    pub collision_detection: f64,
    /// The collision solver.
    pub collision_solver: f64,
    /// The motion solver, the constraint solver and the time control.
    pub motion_solver: f64,
    /// Part of `motion_solver`: the constraint solver that acts on velocities.
    pub constraint_solver: f64,
}

impl ModuleSeconds {
    /// Adds to the time of a module.
    pub(crate) fn add(&mut self, module: Module, seconds: f64) {
        match module {
            Module::Controllers => self.controllers += seconds,
            Module::CollisionDetection => self.collision_detection += seconds,
            Module::CollisionSolver => self.collision_solver += seconds,
            Module::MotionSolver => self.motion_solver += seconds,
            Module::ConstraintSolver => {
                self.constraint_solver += seconds;
                self.motion_solver += seconds;
            }
        }
    }
}

/// Measures the time of modules with a clock. A measurement inside another one does not count for the outer module.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stopwatch {
    /// The clock, in s. This crate has none of its own.
    pub clock: Option<fn() -> f64>,
    /// Time of the measurements inside the current one, in s.
    nested: f64,
}

impl Stopwatch {
    /// Starts a measurement. Returns what [`stop`](Self::stop) needs.
    pub fn start(&mut self) -> (f64, f64) {
        (self.clock.map_or(0.0, |clock| clock()), std::mem::take(&mut self.nested))
    }

    /// Ends a measurement. Returns its time without nested measurements, in s.
    pub fn stop(&mut self, (start, nested_before): (f64, f64)) -> f64 {
        let elapsed = self.clock.map_or(0.0, |clock| clock()) - start;
        let own = elapsed - self.nested;
        self.nested = nested_before + elapsed;
        own
    }
}

/// Statistics of one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepStatistics {
    /// Time spent in each module.
    pub seconds: ModuleSeconds,
    /// Number of contacts.
    pub contacts: usize,
    /// Number of collisions, micro-collisions of impulse-based motion included.
    pub impulses: usize,
    /// Number of sub-steps that an adaptive time control or motion solver made, undone ones included; zero if the step
    /// was not divided.
    pub sub_steps: usize,
    /// Number of sub-steps whose velocities were predicted again, with the accelerations that constraints caused.
    pub corrected_predictions: usize,
    /// Deepest penetration, in m.
    pub penetration: f64,
    /// Number of steps of a force-level motion solver in which no finite forces existed, so that impulses replaced
    /// them.
    pub steps_by_impulses: usize,
    /// Time over which the stored contact impulses acted, in s: the last sub-step; zero if none are stored.
    pub held_seconds: f64,
    /// Error of the energy in a sub-step before it was corrected, relative to the kinetic energy; the largest of the
    /// step.
    pub energy_error: f64,
    /// Work of the constraint solver.
    pub solver: SolverWork,
}
