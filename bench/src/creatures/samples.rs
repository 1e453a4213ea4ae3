//! Recorded steps of a creature, which can be repeated from the same states.

use anyhow::Result;
use burgess_creature::Random;
use burgess_formats::mjcf::StateMap;
use burgess_scene::RunningScene;
use burgess_simulation::Snapshot;

use super::creature::Creature;
use super::{SECONDS, STEP};
use crate::gymnasium::corpus::Moment;

/// Number of recorded steps of each creature.
const SAMPLES_PER_CREATURE: usize = 5;

/// A recorded step.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Index of the creature.
    pub creature: usize,
    /// Number of contacts in this step.
    pub contacts: usize,
    /// Snapshot one step earlier.
    pub snapshot: Snapshot,
    /// State one step earlier, for MuJoCo.
    pub before: Moment,
    /// State at the beginning of the step, for MuJoCo.
    pub now: Moment,
}

/// Returns the current state in MuJoCo's coordinates.
pub fn moment(run: &RunningScene, map: &StateMap) -> Result<Moment> {
    let simulation = &run.simulation;
    let state = simulation.state();
    let (qpos, qvel) = map.from_state(simulation.world().model(), &state.q, &state.v)?;
    Ok(Moment { qpos, qvel, ctrl: run.controls().to_vec() })
}

/// Records steps of a creature at random times after settling; the brain is not evaluated in any of them.
pub fn record(index: usize, creature: &Creature, map: &StateMap) -> Result<Vec<Sample>> {
    let steps = (SECONDS / STEP) as u64;
    let mut dice = Random::for_purpose(creature.seed, &[7]);
    let mut times: Vec<u64> = Vec::new();
    while times.len() < SAMPLES_PER_CREATURE {
        let time = steps / 5 + dice.below((steps - steps / 5) as usize) as u64;
        if time % 4 == 2 && !times.contains(&time) {
            times.push(time);
        }
    }
    times.sort();
    let mut run = creature.begin()?;
    let mut samples = Vec::new();
    for time in times {
        while run.simulation.steps() + 1 < time {
            run.simulation.step()?;
        }
        let (snapshot, before) = (run.simulation.snapshot(), moment(&run, map)?);
        run.simulation.step()?;
        let now = moment(&run, map)?;
        run.simulation.step()?;
        samples.push(Sample { creature: index, contacts: run.simulation.statistics().contacts, snapshot, before, now });
    }
    Ok(samples)
}
