//! `burgess scenes`: the built-in scenes.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use burgess_catalog::builtin_scenes;
use clap::Args;

use crate::creature_argument::ArenaArguments;
use crate::output::print;
use crate::scene_argument::Scene;

/// List the built-in scenes, one per line: the name, then what it shows
#[derive(Args)]
#[command(after_help = "Examples:
  burgess scenes                                  list all
  burgess scenes --write stack -o mine.toml       write a scene to a file, to edit it
  burgess simulate mine.toml                      simulate the edited scene")]
pub struct Scenes {
    /// Write this scene as TOML instead of the list
    #[arg(long, value_name = "NAME")]
    write: Option<String>,
    /// Write the scene to this file [default: stdout]
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
    let all = builtin_scenes();
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    all.iter().map(|(name, description)| format!("{name:width$}  {description}\n")).collect()
}
