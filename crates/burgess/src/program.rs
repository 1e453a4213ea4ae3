//! The name with which the program was started, so that the commands of hints can be copied.

use std::path::Path;
use std::sync::OnceLock;

use clap::builder::StyledStr;
use clap::{Arg, Command};

/// Name of the program in texts and help.
pub const NAME: &str = "burgess";

/// Returns what starts this program again: its name if the shell finds it, or else its path as it was typed.
pub fn program() -> String {
    // Every text of the help asks for it.
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(find_program).clone()
}

fn find_program() -> String {
    let started = std::env::args_os().next().filter(|name| !name.is_empty()).unwrap_or_else(|| NAME.into());
    let started = started.to_string_lossy();
    let name = Path::new(&*started).file_name().and_then(|name| name.to_str()).unwrap_or(NAME).to_string();
    if started == name || is_found_as(&name) { name } else { quoted(&started) }
}

/// Returns whether the shell finds this program by a name.
fn is_found_as(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    let same = |file: &Path| Some(file.canonicalize().ok()? == std::env::current_exe().ok()?.canonicalize().ok()?);
    found.is_some_and(|file| same(&file).unwrap_or(false))
}

fn quoted(path: &str) -> String {
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-+:\\".contains(c));
    if is_plain { path.to_string() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Puts the name with which the program was started into the commands of a text: quoted ones, and lines of examples.
pub fn with_program_name(text: &str) -> String {
    let program = program();
    if program == NAME {
        return text.to_string();
    }
    let renamed = |text: String, before| text.replace(&format!("{before}{NAME} "), &format!("{before}{program} "));
    ["`", "'", "\n  "].into_iter().fold(text.to_string(), renamed)
}

/// Puts the name with which the program was started into the help of a command and of its own commands.
pub fn help_with_program_name(command: Command) -> Command {
    if program() == NAME { command } else { with_own_help(command.bin_name(program())) }
}

fn with_own_help(mut command: Command) -> Command {
    let renamed = |text: &StyledStr| with_program_name(&text.to_string());
    if let Some(text) = command.get_about().map(renamed) {
        command = command.about(text);
    }
    if let Some(text) = command.get_long_about().map(renamed) {
        command = command.long_about(text);
    }
    if let Some(text) = command.get_after_help().map(renamed) {
        command = command.after_help(text);
    }
    let with_own_text = |mut argument: Arg| {
        if let Some(text) = argument.get_help().map(renamed) {
            argument = argument.help(text);
        }
        if let Some(text) = argument.get_long_help().map(renamed) {
            argument = argument.long_help(text);
        }
        argument
    };
    command.mut_args(with_own_text).mut_subcommands(with_own_help)
}
