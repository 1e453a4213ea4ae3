//! Watches one creature during a trial and sums up what it did. Looks are 1/60 s apart; what takes longer to find is looked at
//! ten times a second. Nothing here takes memory once a trial has begun.

mod contacts;
mod joints;
mod places;
mod things;
mod way;

use burgess_simulation::Stage;

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

/// Looks a second, about: as many steps apart as come nearest.
pub(super) const RATE: f64 = 60.0;
/// Every so many looks paths, gaps and extents are measured.
const COARSE: u64 = 6;

/// One creature under watch.
#[derive(Debug)]
pub(super) struct Probe {
    pub anatomy: Anatomy,
    /// Rest-pose length, in m.
    length: f64,
    looks: u64,
    sight: Sight,
    /// From the lowest to the highest point at the start, in m.
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

    /// Everything is counted from here. The workspace is current.
    pub fn begin(&mut self, stage: &Stage) {
        self.sight = self.anatomy.look(&stage.workspace);
        self.height = self.sight.highest - self.sight.lowest;
        self.way.begin(&self.sight);
        self.joints.begin(&self.anatomy, stage);
        self.places.begin(&self.sight);
        self.things.begin(&self.anatomy, stage);
    }

    /// What was seen last.
    pub fn sight(&self) -> &Sight {
        &self.sight
    }

    /// Where it has been.
    pub fn way(&self) -> &Way {
        &self.way
    }

    /// Gaps to other things.
    pub fn things(&self) -> &ThingWatch {
        &self.things
    }

    /// What happens in a step, whose end the state shows.
    pub fn watch_step(&mut self, stage: &Stage, step: f64) {
        self.joints.watch_step(&self.anatomy, stage, step);
    }

    /// A look at a time since the muscles woke, in s, some seconds after the last one. The workspace is current.
    pub fn look(&mut self, stage: &Stage, time: f64, interval: f64) {
        self.sight = self.anatomy.look(&stage.workspace);
        self.way.look(&self.sight, time);
        self.contacts.look(&self.anatomy, stage, time);
        self.joints.look(&self.anatomy, stage, interval);
        self.places.look(&self.sight);
        if self.looks.is_multiple_of(COARSE) {
            self.look_closely(stage);
        }
        self.count();
    }

    fn look_closely(&mut self, stage: &Stage) {
        self.way.go_on(&self.sight);
        self.max_extent = self.max_extent.max(self.anatomy.extent(&stage.workspace));
        self.things.look(&self.anatomy, stage);
    }

    fn count(&mut self) {
        self.looks += 1;
        self.way.count(&self.sight);
        self.contacts.count();
    }

    /// As if nothing happened for so many looks more.
    pub fn wait(&mut self, looks: u64) {
        for _ in 0..looks {
            self.count();
            self.joints.wait();
        }
    }

    /// The smallest gap to another creature so far.
    pub fn meet(&mut self, other: &Self, stage: &Stage) {
        if self.looks % COARSE == 1 {
            self.things.meet(&self.anatomy, &other.anatomy, stage);
        }
    }

    /// The last look at things. The workspace is current.
    pub fn end(&mut self, stage: &Stage) {
        self.look_closely(stage);
        self.things.end(stage);
    }

    /// What was seen: after a trial of so many seconds, of an opponent at the end so far from the cube.
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

    /// How it behaved.
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

/// Measures on their way.
struct Sheet(Measures);

impl Sheet {
    /// What is not finite is of nothing: 0.
    fn put(&mut self, measure: Measure, value: f64) {
        self.0[measure] = if value.is_finite() { value + 0.0 } else { 0.0 };
    }
}
