//! Observation of one creature during a trial. It is sampled every 1/60 s; what is expensive to compute is sampled ten
//! times per second. Nothing here allocates once a trial has started.

mod contacts;
mod feet;
mod joints;
mod objects;
mod trajectory;
mod waypoints;

use burgess_simulation::SimulationData;

pub(super) use objects::Objects;

use super::anatomy::{Anatomy, Observation};
use super::descriptors::Descriptors;
use crate::controller::Target;
use crate::task::{Measure, Measures, Task};
use contacts::Contacts;
use feet::Feet;
use joints::Joints;
use objects::ObjectTracker;
use trajectory::Trajectory;
use waypoints::Waypoints;

/// Approximate sample rate, in Hz. The interval is a whole number of steps.
pub(super) const SAMPLE_RATE: f64 = 60.0;
/// Paths, gaps and extents are measured every so many samples.
const COARSE_INTERVAL: u64 = 6;

/// Observes one creature.
#[derive(Debug)]
pub(super) struct Probe {
    pub anatomy: Anatomy,
    /// Length in the rest pose, in m.
    length: f64,
    samples: u64,
    observation: Observation,
    /// Height from the lowest to the highest point at the start, in m.
    height: f64,
    max_extent: f64,
    trajectory: Trajectory,
    contacts: Contacts,
    feet: Feet,
    joints: Joints,
    waypoints: Waypoints,
    objects: ObjectTracker,
}

impl Probe {
    pub fn new(anatomy: Anatomy, task: &Task, target: &Target, objects: Objects, length: f64) -> Self {
        Self {
            length,
            samples: 0,
            observation: Observation::default(),
            height: 0.0,
            max_extent: 0.0,
            trajectory: Trajectory::new(task),
            contacts: Contacts::new(anatomy.parts.len(), task.duration),
            feet: Feet::new(anatomy.parts.len(), task),
            joints: Joints::new(anatomy.axes.len(), task.duration),
            waypoints: Waypoints::new(target),
            objects: ObjectTracker::new(objects, task),
            anatomy,
        }
    }

    /// Starts the observation. All measures are relative to this state. The workspace must be up to date.
    pub fn begin(&mut self, data: &SimulationData) {
        self.observation = self.anatomy.observe(&data.workspace);
        self.height = self.observation.highest - self.observation.lowest;
        self.trajectory.begin(&self.observation);
        self.joints.begin(&self.anatomy, data);
        self.waypoints.begin(&self.observation);
        self.objects.begin(&self.anatomy, data);
    }

    /// Returns the last observation.
    pub fn observation(&self) -> &Observation {
        &self.observation
    }

    /// Returns the trajectory.
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// Returns the gaps to other objects.
    pub fn objects(&self) -> &ObjectTracker {
        &self.objects
    }

    /// Adds a step. The state is that at its end.
    pub fn add_step(&mut self, data: &SimulationData, step: f64) {
        self.joints.add_step(&self.anatomy, data, step);
    }

    /// Takes a sample at a time since the muscles started, in s, `interval` after the last one. The workspace must be
    /// up to date.
    pub fn sample(&mut self, data: &SimulationData, time: f64, interval: f64) {
        self.observation = self.anatomy.observe(&data.workspace);
        self.trajectory.sample(&self.observation, time);
        self.contacts.sample(&self.anatomy, data, time);
        self.feet.sample(&self.anatomy, &data.workspace, self.contacts.touches());
        self.joints.sample(&self.anatomy, data, interval);
        self.waypoints.sample(&self.observation);
        self.objects.sample_ring(self.observation.center_of_mass, time);
        if self.samples.is_multiple_of(COARSE_INTERVAL) {
            self.sample_coarsely(data);
        }
        self.accumulate();
    }

    fn sample_coarsely(&mut self, data: &SimulationData) {
        self.trajectory.add_segment(&self.observation);
        self.max_extent = self.max_extent.max(self.anatomy.extent(&data.workspace));
        self.objects.sample(&self.anatomy, data);
    }

    fn accumulate(&mut self) {
        self.samples += 1;
        self.trajectory.accumulate(&self.observation);
        self.contacts.accumulate();
        self.objects.accumulate();
    }

    /// Adds samples as if nothing happened.
    pub fn skip_samples(&mut self, samples: u64) {
        for _ in 0..samples {
            self.accumulate();
            self.joints.skip_samples();
            self.objects.accumulate_opponent();
        }
    }

    /// Returns whether gaps are measured after this sample.
    pub fn measures_gaps(&self) -> bool {
        self.samples % COARSE_INTERVAL == 1
    }

    /// Returns the gap to another creature, in m.
    pub fn gap_to(&mut self, other: &Self, data: &SimulationData) -> f64 {
        self.objects.gap_to(&self.anatomy, &other.anatomy, data)
    }

    /// Adds a sample of the opponent, with the gap to it (m) if it was measured.
    pub fn observe_opponent(&mut self, gap: Option<f64>, time: f64) {
        if let Some(gap) = gap {
            self.objects.set_opponent_gap(gap, time);
        }
        self.objects.accumulate_opponent();
    }

    /// Ends the observation. The workspace must be up to date.
    pub fn end(&mut self, data: &SimulationData) {
        self.sample_coarsely(data);
        self.objects.end(data);
    }

    /// Returns the measures of a trial that took `time` s, with the final gap between the opponent and the cube.
    pub fn measures(&self, time: f64, opponent_cube_gap: f64) -> Measures {
        let mut sheet = MeasureSheet(Measures::default());
        let samples = self.samples.max(1) as f64;
        self.trajectory.write_measures(&self.observation, samples, &mut sheet);
        self.contacts.write_measures(samples, &mut sheet);
        self.feet.write_measures(&mut sheet);
        self.joints.write_measures(&mut sheet);
        self.waypoints.write_measures(&mut sheet);
        self.objects.write_measures(&self.observation, &mut sheet);
        sheet.set(Measure::Parts, self.anatomy.parts.len() as f64);
        sheet.set(Measure::Axes, self.anatomy.axes.len() as f64);
        sheet.set(Measure::Mass, self.anatomy.mass);
        sheet.set(Measure::Length, self.length);
        sheet.set(Measure::MaxExtent, self.max_extent);
        sheet.set(Measure::OpponentCubeGap, opponent_cube_gap.max(0.0));
        sheet.set(Measure::Time, time);
        sheet.0
    }

    /// Returns the descriptors.
    pub fn descriptors(&self) -> Descriptors {
        Descriptors {
            parts: self.anatomy.parts.len(),
            height: self.height,
            mass: self.anatomy.mass,
            active_joints: self.joints.active(&self.anatomy),
            gait_frequency: self.joints.gait_frequency(),
            duty_factors: self.contacts.duty_factors(self.samples.max(1) as f64),
            straightness: self.trajectory.straightness(&self.observation),
        }
    }
}

/// Measures in preparation.
struct MeasureSheet(Measures);

impl MeasureSheet {
    /// Sets a measure; 0 if the value is not finite.
    fn set(&mut self, measure: Measure, value: f64) {
        self.0[measure] = if value.is_finite() { value + 0.0 } else { 0.0 };
    }
}
