//! `burgess scenes`: the scenes that come with the program.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use burgess_scene::builtin;
use clap::Args;

use crate::creature_argument::ArenaArguments;
use crate::output::print;
use crate::scene_argument::Scene;

/// Lists the built-in scenes, one a line: the name, then what is to be seen
#[derive(Args)]
#[command(after_help = "Examples:
  burgess scenes                                  what there is
  burgess scenes --write stack -o mine.toml       a scene as a file, to be changed
  burgess simulate mine.toml                      and run")]
pub struct Scenes {
    /// Write this scene as TOML instead
    #[arg(long, value_name = "NAME")]
    write: Option<String>,
    /// The file to write it to; stdout if left out
    #[arg(short, long, value_name = "FILE.toml", requires = "write")]
    output: Option<PathBuf>,
}

impl Scenes {
    /// Prints the list, or writes a scene.
    pub fn run(&self) -> Result<ExitCode> {
        match (&self.write, &self.output) {
            (None, _) => print(&list())?,
            (Some(name), None) => print(&Scene::find(name, &ArenaArguments::default())?.spec().to_toml()?)?,
            (Some(name), Some(file)) => Scene::find(name, &ArenaArguments::default())?.spec().write(file)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list() -> String {
    let width = builtin::all().iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    builtin::all().iter().map(|scene| format!("{:width$}  {}\n", scene.name, scene.description)).collect()
}
