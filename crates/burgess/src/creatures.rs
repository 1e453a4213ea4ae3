//! `burgess creatures`: the built-in creatures.

use std::process::ExitCode;

use anyhow::Result;
use burgess_creature::builtin;
use clap::Args;

use crate::output::print;

/// List the built-in creatures, one per line: the name, then what it does
#[derive(Args)]
#[command(after_help = "Examples:
  burgess creatures                                    list all
  burgess watch walker                                 show one of them in the browser
  burgess export walker --to json -o mine.json         write its genome to a file, to edit it
  burgess watch mine.json                              show the edited creature")]
pub struct Creatures {}

impl Creatures {
    /// Prints the list.
    pub fn run(&self) -> Result<ExitCode> {
        let all = builtin::all();
        let width = all.iter().map(|creature| creature.name.len()).max().unwrap_or(0);
        let line = |creature: &builtin::Builtin| {
            let (family, task) = (creature.family.name(), creature.task);
            format!("{:width$}  {} ({family} genome, for the task {task})\n", creature.name, creature.description)
        };
        print(&all.iter().map(line).collect::<String>())?;
        Ok(ExitCode::SUCCESS)
    }
}
