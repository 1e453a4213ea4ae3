//! The result of a trial.

use super::Stopped;
use super::audit::Audit;
use super::descriptors::Descriptors;
use crate::task::{Measures, Task};

/// The result of a trial.
#[derive(Debug, Clone)]
pub(super) struct TrialResult {
    /// Measures and descriptors of each creature.
    pub creatures: Vec<(Measures, Descriptors)>,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
    pub state_hash: u64,
    pub recording: Option<Vec<u8>>,
    pub audit: Option<Audit>,
}

impl TrialResult {
    /// Returns the fitness of a creature, which may depend on the measures of its opponent.
    pub fn score(&self, creature: usize, task: &Task) -> f64 {
        let opponent = self.creatures.get(1 - creature.min(1)).filter(|_| self.creatures.len() > 1);
        task.score_against(&self.creatures[creature].0, opponent.map(|(measures, _)| measures))
    }
}
