//! Algorithms. An algorithm is a deterministic function from the results so far to the next birth: it breeds
//! individuals in the order of their numbers and receives results in the same order. To resume a run, the same calls
//! are repeated, with results from the archive instead of evaluations.

mod age_fitness;
mod cma;
mod diffusion;
mod genetic;
mod islands;
mod map_elites;
mod rivals;
mod strategy;

pub use age_fitness::{AgeFitness, AgeFitnessSettings};
pub use cma::{CmaEs, CmaEsSettings, CmaMe, CmaMeSettings, Distribution, Sample};
pub use diffusion::{Diffusion, DiffusionSettings};
pub use genetic::{Genetic, GeneticSettings};
pub use islands::{IslandSettings, Islands};
use map_elites::Gain;
pub use map_elites::{Dimension, MapElites, MapElitesSettings};
pub use rivals::{MAX_OPPONENTS, Opponents, RivalSettings, Rivals};
pub use strategy::{StepControl, Strategy, StrategySettings};

use burgess_creature::Random;

use crate::individual::{Birth, EvaluatedIndividual, Id};

/// A search algorithm. Numbers count the births of this algorithm from 0. On an island they differ from the ids of the
/// individuals in the run.
pub trait Algorithm: Send {
    /// Number of results that the algorithm must have received before this birth, for example all of the last
    /// generation. At most `number`, and never less than for an earlier birth. The run may pass more results, but
    /// how many must not depend on time.
    fn needs(&self, number: u64) -> u64;

    /// Breeds the next individual. The random numbers are its own: they depend on the run's seed and the individual's
    /// id.
    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth;

    /// Records the result of a birth. Results arrive in the order of the numbers.
    fn record_result(&mut self, number: u64, result: EvaluatedIndividual);

    /// Adds an individual from elsewhere to the possible parents.
    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual);

    /// Removes an individual from the possible parents. If none is left, births are random.
    fn forget(&mut self, id: Id);

    /// Handles a change of the task or the opponents, which puts every fitness so far out of date. Survivors are
    /// evaluated again as [copies](crate::Operator::Copy) among the next births. Until their results are recorded, all
    /// others may be parents; then they are removed. All results of earlier births must have been recorded before.
    fn renew(&mut self);

    /// Returns the generation of a birth. The task changes only at the start of a generation.
    fn generation(&self, number: u64) -> u64;
}

/// Number of results that a birth needs in an algorithm with generations: all of the last generation except the last
/// `window` ones, which are still being evaluated while the first children are bred from older parents. With a window
/// of 0 all results are needed.
fn barrier(number: u64, size: u64, window: u64) -> u64 {
    let (full, index) = (number / size * size, number % size);
    full.saturating_sub(window.min(size).saturating_sub(index))
}
