//! Runs the program as a user does.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the program as a shell does that finds it by its name, so that hints name it so.
pub fn burgess(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, "burgess");
    command.args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Stdout of a command that succeeds.
pub fn printed(arguments: &[&str]) -> String {
    let output = burgess(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Error message of a command that fails with exit code 2 and prints nothing on stdout.
pub fn refusal(arguments: &[&str]) -> String {
    let output = burgess(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    error
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A short task, so that a run takes a second or two.
pub const SHORT: &str = "
name = 'short'
fitness = 'steady_distance'
settle = 0.1
duration = 0.4
transient = 0.1
";

/// Writes the short task to a file in a folder.
pub fn short_task(folder: &Path) -> PathBuf {
    let file = folder.join("short.toml");
    std::fs::write(&file, SHORT).unwrap();
    file
}
