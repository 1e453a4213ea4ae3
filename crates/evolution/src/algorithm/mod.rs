//! Algorithms. An algorithm is a deterministic function from the results so far to the next birth: it is asked for birth
//! after birth in the order of their numbers, and told results in the same order. A run that was cut off is taken up by asking and
//! telling the same things again, results from the archive instead of evaluations.

mod genetic;

pub use genetic::{Genetic, GeneticSettings};

use burgess_creature::Dice;

use crate::individual::{Birth, Id, Learned};

/// A way to search.
pub trait Algorithm: Send {
    /// How many results must have been told before this birth: everything up to the last generation, say. Never more than
    /// `id`, and never less than for an earlier birth.
    fn needs(&self, id: Id) -> u64;

    /// The next individual. The dice are its own, from the run's seed and its number.
    fn breed(&mut self, id: Id, dice: &mut Dice) -> Birth;

    /// A result, in the order of the numbers.
    fn learn(&mut self, result: Learned);

    /// The generation of an individual, for people and plots.
    fn generation(&self, id: Id) -> u64;
}
