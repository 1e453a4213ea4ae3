//! What is said about arguments and names of files that are wrong.

use std::io::IsTerminal;

use anyhow::Error;
use burgess_catalog::{CatalogError, Subject};
use burgess_creature::task::Task;
use burgess_files::closest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::program::program;

/// Number of files in a folder that are compared with a wrong name.
const MAX_FILES: usize = 10_000;

/// Words of the parser, and what is said instead.
const WORDS: [(&str, &str); 3] = [
    ("invalid digit found in string", "expected a whole number such as 100"),
    ("invalid float literal", "expected a number such as 0.5"),
    ("number too large to fit in target type", "the number is too large"),
];

/// Prepares a command and its own commands: without a required argument it shows its help, and every option takes
/// negative numbers, so that an error is about the number and not about an unknown option.
pub fn prepared(command: Command) -> Command {
    let has_value = |argument: &Arg| argument.get_action().takes_values() && argument.get_long().is_some();
    let needs_arguments = command.get_arguments().any(Arg::is_required_set);
    command
        .arg_required_else_help(needs_arguments)
        .mut_args(|argument| if has_value(&argument) { argument.allow_negative_numbers(true) } else { argument })
        .mut_subcommands(prepared)
}

/// Ends the program because of its arguments.
pub fn refuse(mut error: clap::Error) -> ! {
    if let Some(command) = meant_command(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = format!("`{} {command}` exists", program());
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    if error.kind() != ErrorKind::ValueValidation {
        error.exit()
    }
    let is_coloured = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let text = if is_coloured { error.render().ansi().to_string() } else { error.render().to_string() };
    eprint!("{}", WORDS.iter().fold(text, |text, (from, to)| text.replace(from, to)));
    std::process::exit(2)
}

/// The command that was meant by the name of a task, a creature, a scene or a file alone.
fn meant_command(error: &clap::Error) -> Option<String> {
    let ContextValue::String(word) = error.get(ContextKind::InvalidSubcommand)? else { return None };
    let is_task = Task::presets().any(|task| task.name == *word);
    let is_subject = || Subject::resolve(word).is_ok();
    let command = if is_task { "evolve" } else { is_subject().then_some("watch")? };
    Some(format!("{command} {word}"))
}

/// A file with a name like that of a missing one: with an ending, or with a similar name.
pub fn similar_file(error: &Error) -> Option<String> {
    let missing = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(CatalogError::Missing(file)) => Some(file),
        _ => None,
    })?;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(".".as_ref())).ok()?;
    let names = entries.take(MAX_FILES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let wanted = missing.file_name()?.to_str()?;
    let begun = names.iter().find(|name| name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.')));
    let found = begun.cloned().or_else(|| closest(wanted, names.iter().map(String::as_str)))?;
    Some(missing.with_file_name(found).display().to_string())
}
