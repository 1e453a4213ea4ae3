//! Creatures on the command line, and the options that choose their arena.

use anyhow::Result;
use burgess_catalog::{Arena, Creature, Subject};
use clap::Args;

use crate::notices::notice;

/// Options for the task and seed of a creature.
#[derive(Args, Default)]
pub struct ArenaArguments {
    /// Put the creature in this task: a name (`burgess tasks` lists them) or a file [default: the creature's own, or
    /// walk]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Set the seed of the creature's trial [default: the creature's own, or 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl ArenaArguments {
    /// The arena that the user chose.
    pub fn arena(&self) -> Arena {
        Arena { task: self.task.clone(), seed: self.seed }
    }

    /// Whether the user chose a task or a seed.
    pub fn is_given(&self) -> bool {
        self.arena().is_given()
    }
}

/// Loads the creature that a word names, and says which rows of its run are damaged.
pub fn named_creature(word: &str) -> Result<Creature> {
    load_creature(&Subject::resolve_creature(word)?)
}

/// Loads a creature, and says which rows of its run are damaged.
pub fn load_creature(subject: &Subject) -> Result<Creature> {
    let creature = subject.creature()?;
    creature.damage.iter().for_each(|damage| notice(damage));
    Ok(creature)
}
