//! Evolution of creatures: algorithms over any family of genomes, evaluators, and the archive of a run.

pub mod algorithm;
mod archive;
mod breeder;
mod check;
mod config;
mod digest;
mod error;
pub mod evaluator;
mod individual;
mod intervention;
mod result;
mod run;
mod selection;
mod steering;
mod syllabus;
mod version;

pub use archive::{
    Archive, ArchiveError, Brief, Elite, Entry, Founder, GenerationSummary, Individual, MOST_BRIEFS, Order, Query,
    Totals,
};
pub use breeder::{Breeder, Child, Parent, Shares};
pub use config::{AlgorithmConfig, RunConfig};
pub use error::RunError;
pub use individual::{Birth, Id, Learned, Operator, best_first, by_fitness};
pub use intervention::{Intervention, Marks, Refusal};
pub use result::{Ending, Evaluated};
pub use run::{News, Onlooker, Run};
pub use selection::Selection;
pub use steering::{Answer, Pending, Request, Steered, Steering, Wish};
pub use syllabus::Syllabus;
pub use version::Version;

/// The guide's example is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/evolution.md")]
struct EvolutionGuide;
