//! `burgess completions` and `burgess man`: files for the shell and for `man`, made from the help.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::Failed;
use crate::output::{counted, print};
use crate::program::NAME;

/// Print a script that lets the shell complete commands and options
#[derive(Args)]
#[command(after_help = "Examples:
  burgess completions bash > ~/.local/share/bash-completion/completions/burgess
  burgess completions zsh > ~/.zfunc/_burgess
  burgess completions fish > ~/.config/fish/completions/burgess.fish")]
pub struct Completions {
    /// Shell that reads the script
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(&self, mut command: Command) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, NAME, &mut script);
        print(&String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Write the manual pages: one for the program and one for each command
#[derive(Args)]
#[command(after_help = "Examples:
  burgess man -o ~/.local/share/man/man1      then `man burgess` and `man burgess-evolve` show them")]
pub struct Man {
    /// Write the pages to this folder, which is made if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

impl Man {
    /// Writes the pages.
    pub fn run(&self, command: Command) -> Result<ExitCode> {
        let shown = self.output.display();
        let failed = |error: std::io::Error| Failed(anyhow!("{shown}: cannot be written: {error}"));
        std::fs::create_dir_all(&self.output).map_err(failed)?;
        clap_mangen::generate_to(command, &self.output).map_err(failed)?;
        let pages = std::fs::read_dir(&self.output).map_err(failed)?;
        let is_page = |name: &str| name.starts_with(NAME) && name.ends_with(".1");
        let count = pages.flatten().filter(|page| page.file_name().to_str().is_some_and(is_page)).count();
        print(&format!("{shown}: {}\n", counted(count as u64, "page", "pages")))?;
        Ok(ExitCode::SUCCESS)
    }
}
