//! Events that a simulation carries out itself at the end of a step.
//!
//! An event is scheduled at a time and happens at the end of the step that ends nearest to it, so that every way of
//! stepping gives the same bits. Pending events are part of snapshots; a simulation that continues another one with a
//! different step length converts their times to its own steps.

use crate::modules::Modules;
use crate::simulation_data::SimulationData;

/// Action of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// Sets all velocities to zero.
    BringToRest,
}

/// A pending event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Time at which it was scheduled, in s.
    pub time: f64,
    /// The step at whose end it happens, as a count of steps.
    pub step: u64,
    /// Action of the event.
    pub kind: EventKind,
}

impl Event {
    /// Carries the event out.
    pub(crate) fn run(self, data: &mut SimulationData, modules: &mut Modules) {
        match self.kind {
            EventKind::BringToRest => {
                data.state.v.fill(0.0);
                data.state.past_accelerations_mut().for_each(|accelerations| accelerations.fill(0.0));
                data.forget_velocities();
                modules.motion.notify_impulses();
            }
        }
    }
}
