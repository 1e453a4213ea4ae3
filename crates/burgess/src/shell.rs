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
///
/// Redirect it to a file in the folder from which the shell loads such scripts. For zsh, this must be one of `$fpath`.
#[derive(Args)]
#[command(after_help = "Examples:
  mkdir -p ~/.local/share/bash-completion/completions
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
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let count = self.write(&command).map_err(failed)?;
        print(&format!("{shown}: {}\n", counted(count, "page", "pages")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes the pages of a command and its own commands, and returns their number.
    fn write(&self, command: &Command) -> std::io::Result<u64> {
        let mut count = 1;
        for own in command.get_subcommands().filter(|own| !own.is_hide_set()) {
            count += self.write(own)?;
        }
        let page = clap_mangen::Man::new(command.clone()).source(concat!("Burgess ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render(&mut text)?;
        let text = with_examples(&String::from_utf8_lossy(&text));
        std::fs::write(self.output.join(page.get_filename()), text)?;
        Ok(count)
    }
}

/// Gives the examples of a page their own section, in which lines stay as they are.
fn with_examples(page: &str) -> String {
    let Some((before, rest)) = page.split_once(".SH EXTRA\nExamples:\n") else { return page.to_string() };
    let (examples, after) = rest.split_at(rest.find("\n.SH ").map_or(rest.len(), |end| end + 1));
    format!("{before}.SH EXAMPLES\n.nf\n{examples}.fi\n{after}")
}
