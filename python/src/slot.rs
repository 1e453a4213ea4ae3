//! One world of a batch, of either kind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pyo3::prelude::*;

use crate::cell::{Cell, Unusable};
use crate::scene_world::SceneWorld;
use crate::trial_world::TrialWorld;

/// A world of a batch.
#[derive(Debug, Clone)]
pub enum Member {
    /// A scene, a model or a creature with its brain.
    Scene(Arc<Cell<SceneWorld>>),
    /// A trial that Python drives.
    Trial(Arc<Cell<TrialWorld>>),
}

/// What a step of one world returned.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Gain of the score; 0 for simulations.
    pub reward: f64,
    /// Value of the task's formula so far.
    pub score: f64,
    /// Whether the world failed or its motion cannot be right.
    pub terminated: bool,
    /// Whether the trial is over otherwise.
    pub truncated: bool,
    /// Why the world cannot go on.
    pub failure: Option<String>,
    /// Why the world could not be used.
    pub unusable: Option<Unusable>,
}

/// A world, its numbers of controls and observed numbers, and the result of its last step.
#[derive(Debug)]
pub struct Slot {
    /// The world.
    pub member: Member,
    /// Number of controls.
    pub actions: usize,
    /// Number of observed numbers.
    pub observations: usize,
    /// Result of the last step.
    pub row: Row,
}

impl Slot {
    /// Creates a slot for a world.
    pub fn new(member: Member) -> PyResult<Self> {
        let (actions, observations) = match &member {
            Member::Scene(cell) => cell.with(|world| Ok((world.running.actuators.len(), world.observation_size())))?,
            Member::Trial(cell) => cell.with(|world| Ok((world.action_size(), world.observation_size())))?,
        };
        Ok(Self { member, actions, observations, row: Row::default() })
    }

    /// Runs a stage and stores why it was not possible.
    fn guard(&mut self, stage: impl FnOnce(&mut Self) -> Result<Result<(), String>, Unusable>) {
        let result = catch_unwind(AssertUnwindSafe(|| stage(self)));
        match result {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(failure))) => (self.row.failure, self.row.terminated) = (Some(failure), true),
            Ok(Err(unusable)) => self.row.unusable = Some(unusable),
            Err(_) => {
                let failure = "the step ended unexpectedly; please report this with the scene".to_string();
                (self.row.failure, self.row.terminated) = (Some(failure), true);
            }
        }
    }

    /// Steps the world `repeat` times with one action and writes what it observes then.
    pub fn step(&mut self, action: &[f64], repeat: u64, observation: &mut [f64]) {
        let (actions, observations) = (self.actions, self.observations);
        self.row.reward = 0.0;
        self.guard(|slot| match &slot.member {
            Member::Scene(cell) => cell.try_with(|world| {
                if world.failure().is_some() {
                    return Ok(());
                }
                world.running.set_controls(&action[..actions]);
                let stepped = world.step(repeat);
                world.observe(&mut observation[..observations]);
                stepped
            }),
            Member::Trial(cell) => {
                let row = &mut slot.row;
                cell.try_with(|world| {
                    for _ in 0..repeat {
                        world.step(&action[..actions])?;
                        row.reward += world.rewards.first().copied().unwrap_or(0.0);
                        world.observe(&mut observation[..observations])?;
                    }
                    (row.terminated, row.truncated) = world.ending();
                    row.score = world.score();
                    row.failure = world.episode()?.fault().map(ToString::to_string);
                    Ok(())
                })
            }
        });
    }

    /// Starts the world again and writes what it observes.
    pub fn reset(&mut self, seed: Option<u64>, observation: &mut [f64]) {
        let observations = self.observations;
        self.row = Row::default();
        self.guard(|slot| match &slot.member {
            Member::Scene(cell) => cell.try_with(|world| {
                world.reset()?;
                world.observe(&mut observation[..observations]);
                Ok(())
            }),
            Member::Trial(cell) => {
                let row = &mut slot.row;
                cell.try_with(|world| {
                    let seed = seed.unwrap_or(world.seed);
                    world.reset(seed).map_err(|error| error.to_string())?;
                    row.score = world.score();
                    world.observe(&mut observation[..observations])
                })
            }
        });
    }

    /// The exception for a world that could not be used.
    pub fn unusable(&self, why: Unusable) -> PyErr {
        match &self.member {
            Member::Scene(cell) => cell.unusable(why),
            Member::Trial(cell) => cell.unusable(why),
        }
    }
}
