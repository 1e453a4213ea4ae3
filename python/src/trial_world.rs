//! A trial of one or two creatures whose muscles Python drives, without Python.

use std::sync::Arc;

use burgess_creature::Phenotype;
use burgess_creature::evaluation::{Episode, EpisodeError, EpisodeSettings};
use burgess_creature::senses::Sense;
use burgess_creature::task::Task;

/// A creature that Python drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Index of the creature in the trial.
    pub creature: usize,
    /// Number of senses.
    pub senses: usize,
    /// Number of outputs.
    pub outputs: usize,
}

/// A trial that can be started again and again.
#[derive(Debug)]
pub struct TrialWorld {
    creatures: Vec<Phenotype>,
    task: Arc<Task>,
    /// Creatures that Python drives.
    pub agents: Vec<Agent>,
    own_brains: Vec<usize>,
    /// Seed of the present trial.
    pub seed: u64,
    episode: Option<Episode>,
    scores: Vec<f64>,
    /// Gain of the score of each agent in the last step.
    pub rewards: Vec<f64>,
}

impl TrialWorld {
    /// Prepares a trial. Creatures whose index is not in `driven` are driven by their own brains.
    pub fn new(creatures: Vec<Phenotype>, task: Arc<Task>, driven: &[usize], seed: u64) -> Self {
        let (agents, others): (Vec<usize>, Vec<usize>) = (0..creatures.len()).partition(|one| driven.contains(one));
        let agent = |creature: usize| {
            let body = &creatures[creature].body;
            Agent { creature, senses: body.parts.len() * Sense::COUNT, outputs: body.axes() }
        };
        let agents: Vec<Agent> = agents.into_iter().map(agent).collect();
        let zeros = vec![0.0; agents.len()];
        Self { creatures, task, agents, own_brains: others, seed, episode: None, scores: zeros.clone(), rewards: zeros }
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The trial in progress.
    pub fn episode(&self) -> Result<&Episode, String> {
        self.episode.as_ref().ok_or_else(|| NOT_STARTED.to_string())
    }

    /// The trial in progress, to be changed.
    pub fn episode_mut(&mut self) -> Result<&mut Episode, String> {
        self.episode.as_mut().ok_or_else(|| NOT_STARTED.to_string())
    }

    /// Number of senses of all agents.
    pub fn observation_size(&self) -> usize {
        self.agents.iter().map(|agent| agent.senses).sum()
    }

    /// Number of outputs of all agents.
    pub fn action_size(&self) -> usize {
        self.agents.iter().map(|agent| agent.outputs).sum()
    }

    /// Lowest and highest useful outputs of all agents.
    pub fn action_bounds(&self) -> Vec<[f64; 2]> {
        self.agents.iter().flat_map(|agent| self.creatures[agent.creature].body.output_bounds()).collect()
    }

    /// Starts a trial: the bodies settle and are brought to rest.
    pub fn reset(&mut self, seed: u64) -> Result<(), EpisodeError> {
        self.episode = None;
        let creatures: Vec<&Phenotype> = self.creatures.iter().collect();
        let settings = EpisodeSettings { seed, own_brains: self.own_brains.clone(), ..EpisodeSettings::default() };
        let episode = Episode::new(&creatures, &self.task, &settings)?;
        self.seed = seed;
        self.scores = self.agents.iter().map(|agent| episode.score(agent.creature)).collect();
        self.rewards.fill(0.0);
        self.episode = Some(episode);
        Ok(())
    }

    /// Applies outputs, one agent after the other, until the next update of the brain. Nothing happens after the end.
    pub fn step(&mut self, actions: &[f64]) -> Result<(), String> {
        let episode = self.episode.as_mut().ok_or(NOT_STARTED)?;
        let mut rest = actions;
        for agent in &self.agents {
            let (own, others) = rest.split_at_checked(agent.outputs).ok_or("too few actions")?;
            episode.set_outputs(agent.creature, own).map_err(|error| error.to_string())?;
            rest = others;
        }
        episode.advance();
        let agents = self.agents.iter().zip(&mut self.scores).zip(&mut self.rewards);
        for ((agent, score), reward) in agents {
            let now = episode.score(agent.creature);
            (*reward, *score) = (now - *score, now);
        }
        Ok(())
    }

    /// Writes the senses of all agents, one after the other.
    pub fn observe(&mut self, values: &mut [f64]) -> Result<(), String> {
        let episode = self.episode.as_mut().ok_or(NOT_STARTED)?;
        let mut start = 0;
        for agent in &self.agents {
            let own = &mut values[start..start + agent.senses];
            episode.sense(agent.creature, own).map_err(|error| error.to_string())?;
            start += agent.senses;
        }
        Ok(())
    }

    /// The score of the first agent so far.
    pub fn score(&self) -> f64 {
        self.scores.first().copied().unwrap_or(0.0)
    }

    /// Whether the trial ended by a fault, and whether it ended otherwise: its time was over, or it was stopped early.
    pub fn ending(&self) -> (bool, bool) {
        match &self.episode {
            Some(episode) if episode.is_over() => (episode.fault().is_some(), episode.fault().is_none()),
            _ => (false, false),
        }
    }
}

const NOT_STARTED: &str = "the trial has not started; call reset() first";
