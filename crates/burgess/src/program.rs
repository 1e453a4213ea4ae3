//! The name with which the program was started, so that the commands of hints can be copied.

use std::path::Path;

/// Name of the program in texts and help.
pub const NAME: &str = "burgess";

/// Returns what starts this program again: its name if the shell finds it, or else its path as it was typed.
pub fn program() -> String {
    let started = std::env::args().next().unwrap_or_else(|| NAME.to_string());
    let name = Path::new(&started).file_name().and_then(|name| name.to_str()).unwrap_or(NAME).to_string();
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
    if is_plain { path.to_string() } else { format!("'{path}'") }
}

/// Puts the name with which the program was started into the commands of a message, which are quoted there.
pub fn with_program_name(message: &str) -> String {
    let program = program();
    if program == NAME {
        return message.to_string();
    }
    message.replace("`burgess ", &format!("`{program} ")).replace("'burgess ", &format!("'{program} "))
}
