//! The program as its users start it.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn burgess(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_burgess")).args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A sentence on stderr, nothing on stdout, exit code 2.
pub fn refusal(arguments: &[&str]) -> String {
    let output = burgess(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    error
}

/// A folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
