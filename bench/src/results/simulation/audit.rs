//! The audit with random worlds: a chapter that `bench/audit --write` has written.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};

use crate::chapter::Chapter;

/// Reads `audit.md` in the folder of the results. Without it there is no chapter.
pub fn read(folder: &Path) -> Result<Option<Chapter>> {
    let path = folder.join("audit.md");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(Chapter { text, ..Chapter::default() })),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("could not read {}", path.display())),
    }
}
