//! `burgess tasks`: the tasks that come with the program.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use burgess_catalog::CatalogError;
use burgess_creature::task::{Formula, Measure, Task};
use burgess_files::write_atomically;
use clap::Args;

use crate::Failed;
use crate::output::print;

/// List the built-in tasks, one per line: the name, then the goal
#[derive(Args)]
#[command(after_help = "Examples:
  burgess tasks                                   list all tasks
  burgess tasks --measures                        what formulas can use
  burgess tasks --write walk -o mine.toml         a task as a file, to be changed
  burgess watch walker --task mine.toml           show a creature in the arena of this task")]
pub struct Tasks {
    /// List the measures (with units) and functions that formulas can use, instead of the tasks
    #[arg(long, conflicts_with = "write")]
    measures: bool,
    /// Write this task as TOML instead of the list
    #[arg(long, value_name = "NAME")]
    write: Option<String>,
    /// Write the task to this file [default: stdout]
    #[arg(short, long, value_name = "FILE.toml", requires = "write")]
    output: Option<PathBuf>,
}

impl Tasks {
    /// Prints the list, or writes a task.
    pub fn run(&self) -> Result<ExitCode> {
        if self.measures {
            print(&measures())?;
            return Ok(ExitCode::SUCCESS);
        }
        match (&self.write, &self.output) {
            (None, _) => print(&list())?,
            (Some(name), None) => print(text(name)?)?,
            (Some(name), Some(file)) => write_atomically(file, text(name)?.as_bytes())
                .map_err(|error| Failed(anyhow!("{}: cannot be written: {error}", file.display())))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(name: &str) -> Result<&'static str> {
    Task::preset(name).map_err(CatalogError::Task)?;
    let found = Task::preset_texts().find(|(known, _)| *known == name);
    Ok(found.map_or("", |(_, text)| text))
}

fn measures() -> String {
    let line = |measure: Measure| {
        let unit = if measure.unit().is_empty() { "-" } else { measure.unit() };
        let availability = match measure.availability().description() {
            "" => String::new(),
            tasks => format!(" ({tasks})"),
        };
        format!("{:24} {unit:8} {}{availability}\n", measure.name(), measure.description())
    };
    let all: String = Measure::ALL.into_iter().map(line).collect();
    all + "\nand the task's own parameters, numbers, + - * / ^, comparisons, and the functions: "
        + &Formula::functions().join(" ")
        + "\n"
}

fn list() -> String {
    let tasks: Vec<Task> = Task::presets().collect();
    let width = tasks.iter().map(|task| task.name.len()).max().unwrap_or(0);
    tasks.iter().map(|task| format!("{:width$}  {}\n", task.name, task.description)).collect()
}
