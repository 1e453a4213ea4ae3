//! Evolution of creatures: algorithms over any family of genomes, evaluators, and the archive of a run.
//!
//! ```
//! use burgess_creature::task::Task;
//! use burgess_evolution::evaluator::Threads;
//! use burgess_evolution::{Archive, RecordedResult, Run, RunConfig};
//!
//! let task = Task { duration: 1.0, transient: 0.5, ..Task::preset("walk").unwrap() };
//! let config = RunConfig { evaluations: 4, ..RunConfig::for_task(task) };
//! let file = std::env::temp_dir().join(format!("front-page-{}.burgess", std::process::id()));
//! let mut run = Run::new(Archive::create(&file, &config, &[]).unwrap()).unwrap();
//! let mut print = |recorded: &RecordedResult| println!("{}: {}", recorded.id, recorded.result.fitness);
//! run.advance(&mut Threads::new(2), &mut print).unwrap();
//! # drop(run);
//! # std::fs::remove_file(&file).unwrap();
//! ```

mod adjusted_fitness;
pub mod algorithm;
mod archive;
mod breeder;
mod champions;
mod check;
mod config;
mod digest;
mod error;
pub mod evaluator;
mod individual;
mod intervention;
mod recipe;
mod result;
mod run;
mod selection;
mod short_runs;
mod stage;
mod syllabus;
pub mod tournament;
mod version;

pub use archive::{
    Archive, ArchiveError, Damage, Elite, Entry, Figure, FigureRange, Founder, GenerationSummary, Individual,
    IndividualSummary, MAX_SUMMARIES, MAX_TABLE_ROWS, Order, Point, Points, ProgressPoint, Query, Salvaged,
    SideChampion, SideSummary, Totals, WriteWait,
};
pub use breeder::{Breeder, Child, Parent, Shares};
pub use champions::{ChampionSettings, Spread, Values};
pub use config::{AlgorithmConfig, RunConfig};
#[doc(hidden)]
pub use digest::chained;
pub use error::RunError;
pub use individual::{Birth, EvaluatedIndividual, Id, Operator, best_first, by_fitness};
pub use intervention::{
    Intervention, InterventionReceiver, InterventionRequest, InterventionResult, InterventionSender, Marks,
    PendingIntervention, QueuedIntervention, Refusal,
};
pub use result::{EvaluationResult, Meeting, OutcomeKind};
pub use run::{Observer, RecordedResult, Run};
pub use selection::Selection;
pub use stage::{Carry, StageConfig};
pub use syllabus::Syllabus;
pub use version::Version;

/// Tests the example in the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/evolution.md")]
struct EvolutionGuide;
