//! Creatures: genomes that grow into bodies with brains and senses, the tasks they are bred for, and their evaluation.
//!
//! ```
//! use burgess_creature::evaluation::evaluate;
//! use burgess_creature::task::Task;
//! use burgess_creature::{Family, GenomeSettings, Random};
//!
//! // A random creature tries to walk for a second. The same seed gives the same bits.
//! let genome = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(5));
//! let task = Task { duration: 1.0, transient: 0.5, ..Task::preset("walk").unwrap() };
//! let evaluation = evaluate(&genome, &task, 1);
//! assert_eq!(evaluation.hash(), evaluate(&genome, &task, 1).hash());
//! println!("{}: {}", evaluation.outcome.name(), evaluation.fitness);
//! ```

mod body_distance;
mod bounds;
pub mod brain;
pub mod builtin;
mod control_numbers;
mod controller;
pub mod develop;
pub mod evaluation;
mod genome;
pub mod graph;
pub mod inhabited;
pub mod legged;
mod mirror;
mod part_shape;
mod phenotype;
mod physiology;
mod portrait;
pub mod random;
pub mod senses;
pub mod store;
pub mod task;
mod tuning;
pub mod verify;
mod viability;
mod zoo;

pub use body_distance::BodyFeatures;
pub use control_numbers::ControlNumber;
pub use controller::{CreatureController, Target};
pub use genome::{AnyGenome, Family, Genome, GenomeSettings, Recombination};
pub use part_shape::PartShape;
pub use phenotype::{Attachment, Body, Drive, JointAxis, Part, Phenotype};
pub use physiology::Physiology;
pub use portrait::portrait;
pub use random::Random;
pub use tuning::{MAX_TUNED_NUMBERS, TuningGenome, TuningSettings};
pub use viability::{Unviable, Viability, check as check_viability};

/// Tests the example in the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/creatures.md")]
struct CreaturesGuide;

/// Tests the example in the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tasks.md")]
struct TasksGuide;
