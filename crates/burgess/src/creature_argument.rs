//! The options that choose the arena of a creature on the command line.

use burgess_catalog::Arena;
use clap::Args;

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
