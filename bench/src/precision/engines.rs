//! Both engines: the ends of all trials, and the timed simulation of batches of trials.

use anyhow::Result;
use burgess_bench::duel::Side;
use burgess_bench::gymnasium::burgess::Burgess;
use burgess_bench::gymnasium::corpus::Moment;
use burgess_bench::gymnasium::mujoco::{Library, Mujoco};
use glam::DVec3;

use super::subjects::{Trial, centers};
use super::{BATCH, SECONDS, STEPS};

/// An engine with one world for each trial.
pub trait Engine {
    /// Simulates all trials and returns the centres of mass of all links at their ends, in m; none where a world failed.
    fn ends(&mut self) -> Result<Vec<Vec<DVec3>>>;
}

/// An integrator of MuJoCo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// Semi-implicit Euler with implicit damping of joints.
    Euler,
    /// Implicit in the velocities.
    ImplicitFast,
}

impl Peer {
    /// Both integrators, in the order of the output.
    pub const ALL: [Self; 2] = [Self::Euler, Self::ImplicitFast];

    /// Returns MuJoCo's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Euler => "euler",
            Self::ImplicitFast => "implicitfast",
        }
    }

    /// Returns MuJoCo's number.
    fn number(self) -> i32 {
        match self {
            Self::Euler => 0,
            Self::ImplicitFast => 3,
        }
    }
}

fn steps(step: f64) -> usize {
    libm::round(SECONDS / step) as usize
}

/// Returns the indices of the trials of a batch.
fn batch(count: usize, batch: usize) -> impl Iterator<Item = usize> {
    (0..BATCH).map(move |k| (batch * BATCH + k) % count)
}

/// Burgess.
pub struct Ours<'a> {
    trials: &'a [Trial],
    worlds: Vec<Burgess>,
    steps: usize,
    batch: usize,
}

impl<'a> Ours<'a> {
    /// Creates the worlds with a step in s.
    pub fn new(trials: &'a [Trial], step: f64) -> Result<Self> {
        let worlds = trials.iter().map(|trial| trial.model.start(step)).collect::<Result<_>>()?;
        Ok(Self { trials, worlds, steps: steps(step), batch: 0 })
    }

    /// Simulates a trial. Returns whether that succeeded.
    fn simulate(&mut self, index: usize) -> bool {
        (0..self.steps).all(|_| self.worlds[index].step().is_ok())
    }
}

impl Engine for Ours<'_> {
    fn ends(&mut self) -> Result<Vec<Vec<DVec3>>> {
        let mut ends = Vec::new();
        for (index, trial) in self.trials.iter().enumerate() {
            self.worlds[index].start_from(&trial.moment)?;
            let succeeded = self.simulate(index);
            let (qpos, qvel) = self.worlds[index].moment()?;
            let moment = Moment { qpos, qvel, ctrl: trial.moment.ctrl.clone() };
            ends.push(if succeeded { centers(&mut self.worlds[index], &moment)? } else { Vec::new() });
        }
        Ok(ends)
    }
}

impl Side for Ours<'_> {
    fn prepare(&mut self, number: usize) -> Result<()> {
        self.batch = number;
        for index in batch(self.trials.len(), number) {
            self.worlds[index].start_from(&self.trials[index].moment)?;
        }
        Ok(())
    }

    fn work(&mut self) {
        for index in batch(self.trials.len(), self.batch) {
            // A world that fails has an infinite error, and its time does not matter.
            self.simulate(index);
        }
    }
}

/// MuJoCo.
pub struct Theirs<'a> {
    trials: &'a [Trial],
    worlds: Vec<Mujoco>,
    steps: usize,
    batch: usize,
}

impl<'a> Theirs<'a> {
    /// Creates the worlds with an integrator and a step in s.
    pub fn new(library: &Library, peer: Peer, trials: &'a [Trial], step: f64) -> Result<Self> {
        let world = |trial: &Trial| {
            let mut world = library.load(&trial.model.file, step, 1)?;
            world.set_options(Some(peer.number()), None, None);
            Ok(world)
        };
        let worlds = trials.iter().map(world).collect::<Result<_>>()?;
        Ok(Self { trials, worlds, steps: steps(step), batch: 0 })
    }

    fn start(&mut self, index: usize) {
        let moment = &self.trials[index].moment;
        self.worlds[index].set(0, moment, Some(&vec![0.0; moment.qvel.len()]));
    }

    fn simulate(&mut self, index: usize) {
        for _ in 0..self.steps {
            self.worlds[index].step(1);
        }
    }
}

impl Engine for Theirs<'_> {
    fn ends(&mut self) -> Result<Vec<Vec<DVec3>>> {
        let mut ends = Vec::new();
        for (index, trial) in self.trials.iter().enumerate() {
            self.start(index);
            self.simulate(index);
            let (qpos, qvel) = self.worlds[index].get(0);
            let moment = Moment { qpos, qvel, ctrl: trial.moment.ctrl.clone() };
            // The same code computes the positions of both engines.
            ends.push(centers(&mut trial.model.start(STEPS[0])?, &moment)?);
        }
        Ok(ends)
    }
}

impl Side for Theirs<'_> {
    fn prepare(&mut self, number: usize) -> Result<()> {
        self.batch = number;
        for index in batch(self.trials.len(), number) {
            self.start(index);
        }
        Ok(())
    }

    fn work(&mut self) {
        for index in batch(self.trials.len(), self.batch) {
            self.simulate(index);
        }
    }
}
