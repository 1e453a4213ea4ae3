//! `burgess creatures`: the creatures that come with the program.

use std::process::ExitCode;

use anyhow::Result;
use burgess_creature::builtin;
use clap::Args;

use crate::output::print;

/// Lists the built-in creatures, one a line: the name, then what it does
#[derive(Args)]
#[command(after_help = "Examples:
  burgess creatures                                    what there is
  burgess watch NAME                                   one of them on stage, in the browser
  burgess export NAME --to json -o mine.json           its genome as a file, to be changed
  burgess watch mine.json                              and shown")]
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
