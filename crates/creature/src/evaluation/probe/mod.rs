//! Observation of one creature during a trial. It is sampled every 1/60 s; what is expensive to compute is sampled ten
//! times per second. Nothing here allocates once a trial has started.

mod contacts;
mod joints;
mod places;
mod things;
mod way;

use burgess_simulation::SimulationData;

pub(super) use things::Things;

use super::anatomy::{Anatomy, Sight};
use super::descriptors::Descriptors;
use crate::nerves::Target;
use crate::task::{Measure, Measures, Task};
use contacts::Contacts;
use joints::Joints;
use places::Places;
use things::ThingWatch;
use way::Way;

/// Approximate sample rate, in Hz. The interval is a whole number of steps.
pub(super) const RATE: f64 = 60.0;
/// Paths, gaps and extents are measured every so many samples.
const COARSE: u64 = 6;

/// Observes one creature.
#[derive(Debug)]
pub(super) struct Probe {
    pub anatomy: Anatomy,
    /// Length in the rest pose, in m.
    length: f64,
    looks: u64,
    sight: Sight,
    /// Height from the lowest to the highest point at the start, in m.
    height: f64,
    max_extent: f64,
    way: Way,
    contacts: Contacts,
    joints: Joints,
    places: Places,
    things: ThingWatch,
}

impl Probe {
    pub fn new(anatomy: Anatomy, task: &Task, target: &Target, things: Things, length: f64) -> Self {
        Self {
            length,
            looks: 0,
            sight: Sight::default(),
            height: 0.0,
            max_extent: 0.0,
            way: Way::new(task),
            contacts: Contacts::new(anatomy.organs.len(), task.duration),
            joints: Joints::new(anatomy.axes.len(), task.duration),
            places: Places::new(target),
            things: ThingWatch::new(things),
            anatomy,
        }
    }

    /// Starts the observation. All measures are relative to this state. The workspace must be up to date.
    pub fn begin(&mut self, data: &SimulationData) {
        self.sight = self.anatomy.look(&data.workspace);
        self.height = self.sight.highest - self.sight.lowest;
        self.way.begin(&self.sight);
        self.joints.begin(&self.anatomy, data);
        self.places.begin(&self.sight);
        self.things.begin(&self.anatomy, data);
    }

    /// Returns the last observation.
    pub fn sight(&self) -> &Sight {
        &self.sight
    }

    /// Returns the trajectory.
    pub fn way(&self) -> &Way {
        &self.way
    }

    /// Returns the gaps to other objects.
    pub fn things(&self) -> &ThingWatch {
        &self.things
    }

    /// Adds a step. The state is that at its end.
    pub fn watch_step(&mut self, data: &SimulationData, step: f64) {
        self.joints.watch_step(&self.anatomy, data, step);
    }

    /// Takes a sample at a time since the muscles started, in s, `interval` after the last one. The workspace must be
    /// up to date.
    pub fn look(&mut self, data: &SimulationData, time: f64, interval: f64) {
        self.sight = self.anatomy.look(&data.workspace);
        self.way.look(&self.sight, time);
        self.contacts.look(&self.anatomy, data, time);
        self.joints.look(&self.anatomy, data, interval);
        self.places.look(&self.sight);
        if self.looks.is_multiple_of(COARSE) {
            self.look_closely(data);
        }
        self.count();
    }

    fn look_closely(&mut self, data: &SimulationData) {
        self.way.go_on(&self.sight);
        self.max_extent = self.max_extent.max(self.anatomy.extent(&data.workspace));
        self.things.look(&self.anatomy, data);
    }

    fn count(&mut self) {
        self.looks += 1;
        self.way.count(&self.sight);
        self.contacts.count();
    }

    /// Adds samples as if nothing happened.
    pub fn wait(&mut self, looks: u64) {
        for _ in 0..looks {
            self.count();
            self.joints.wait();
        }
    }

    /// Updates the smallest gap to another creature.
    pub fn meet(&mut self, other: &Self, data: &SimulationData) {
        if self.looks % COARSE == 1 {
            self.things.meet(&self.anatomy, &other.anatomy, data);
        }
    }

    /// Ends the observation. The workspace must be up to date.
    pub fn end(&mut self, data: &SimulationData) {
        self.look_closely(data);
        self.things.end(data);
    }

    /// Returns the measures of a trial that took `time` s, with the final gap between the opponent and the cube.
    pub fn measures(&self, time: f64, opponent_cube_gap: f64) -> Measures {
        let mut sheet = Sheet(Measures::default());
        let looks = self.looks.max(1) as f64;
        self.way.put(&self.sight, looks, &mut sheet);
        self.contacts.put(looks, &mut sheet);
        self.joints.put(&mut sheet);
        self.places.put(&mut sheet);
        self.things.put(&mut sheet);
        sheet.put(Measure::Parts, self.anatomy.organs.len() as f64);
        sheet.put(Measure::Axes, self.anatomy.axes.len() as f64);
        sheet.put(Measure::Mass, self.anatomy.mass);
        sheet.put(Measure::Length, self.length);
        sheet.put(Measure::MaxExtent, self.max_extent);
        sheet.put(Measure::OpponentCubeGap, opponent_cube_gap.max(0.0));
        sheet.put(Measure::Time, time);
        sheet.0
    }

    /// Returns the descriptors.
    pub fn descriptors(&self) -> Descriptors {
        Descriptors {
            parts: self.anatomy.organs.len(),
            height: self.height,
            mass: self.anatomy.mass,
            active_joints: self.joints.active(&self.anatomy),
            gait_frequency: self.joints.gait_frequency(),
            duty_factors: self.contacts.duty_factors(self.looks.max(1) as f64),
            straightness: self.way.straightness(&self.sight),
        }
    }
}

/// Measures in preparation.
struct Sheet(Measures);

impl Sheet {
    /// Sets a measure; 0 if the value is not finite.
    fn put(&mut self, measure: Measure, value: f64) {
        self.0[measure] = if value.is_finite() { value + 0.0 } else { 0.0 };
    }
}
