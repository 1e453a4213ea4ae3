//! Evolution of creatures: algorithms over any family of genomes, evaluators, and the archive of a run.

pub mod algorithm;
mod breeder;
mod individual;
mod selection;

pub use breeder::{Breeder, Child, Parent, Shares};
pub use individual::{Birth, Id, Learned, Operator, best_first, by_fitness};
pub use selection::Selection;
