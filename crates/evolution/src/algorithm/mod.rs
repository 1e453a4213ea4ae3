//! Algorithms. An algorithm is a deterministic function from the results so far to the next birth: it is asked for birth
//! after birth in the order of their numbers, and told results in the same order. A run that was cut off is taken up by asking and
//! telling the same things again, with results from the archive instead of evaluations.

mod age_fitness;
mod diffusion;
mod genetic;
mod islands;
mod map_elites;
mod rivals;
mod strategy;

pub use age_fitness::{AgeFitness, AgeFitnessSettings};
pub use diffusion::{Diffusion, DiffusionSettings};
pub use genetic::{Genetic, GeneticSettings};
pub use islands::{IslandSettings, Islands};
pub use map_elites::{Dimension, MapElites, MapElitesSettings};
pub use rivals::{RivalSettings, Rivals};
pub use strategy::{StepControl, Strategy, StrategySettings};

use burgess_creature::Random;

use crate::individual::{Birth, Id, Learned};

/// A way to search. Numbers count the births of this algorithm from 0: those of an island are not the names of its individuals
/// in the run.
pub trait Algorithm: Send {
    /// How many results must have been told before this birth: everything up to the last generation, say. At most `number`,
    /// and never less than for an earlier birth. No more are told than the run must have told for its own reasons, which have
    /// nothing to do with time.
    fn needs(&self, number: u64) -> u64;

    /// The next individual. The dice are its own, from the run's seed and its name.
    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth;

    /// What became of a birth, in the order of the numbers.
    fn learn(&mut self, number: u64, result: Learned);

    /// Somebody from elsewhere joins the possible parents.
    fn welcome(&mut self, immigrant: Learned);

    /// Somebody who may have been told is never a parent again. Where nobody is left, births are random.
    fn forget(&mut self, id: Id);

    /// The task or the opponents have changed, and whatever fitness was told is out of date. Those who would live on are evaluated
    /// again as [copies](crate::Operator::Copy) among the next births; all others may be parents until these are told, and are gone then.
    /// Everything that was bred must have been told before.
    fn renew(&mut self);

    /// The generation of a birth. A task changes at the start of one only.
    fn generation(&self, number: u64) -> u64;
}

/// What a birth of a population in generations has to wait for: the last generation, but for some that are still under way while the
/// first ones are bred, of parents from the generation before the last. With a window of 0 everybody is waited for.
fn barrier(number: u64, size: u64, window: u64) -> u64 {
    let (full, index) = (number / size * size, number % size);
    full.saturating_sub(window.min(size).saturating_sub(index))
}
