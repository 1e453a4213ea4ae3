//! Output on stdout and to files.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use indicatif::HumanCount;

use crate::Failed;

/// Prints a text that ends with a newline.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    // A reader that closed the pipe has seen enough.
    let written = written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) });
    written.map_err(|error| Failed(anyhow::Error::new(error).context("cannot write the report")).into())
}

/// Checks that a file can be created, before the work whose result it stores.
pub fn check_destination(file: &Path) -> Result<()> {
    if file.is_dir() {
        bail!("{}: cannot be written: it is a folder, expected a file", file.display());
    }
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            bail!("{}: cannot be written: there is no folder {}; create it first", file.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// Formats a number with its significant digits and its unit.
pub fn quantity(value: f64, unit: &str) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{value:.3e} {unit}");
    }
    let digits = if size < 1.0 {
        4
    } else if size < 100.0 {
        3
    } else {
        1
    };
    let number = format!("{value:.digits$}");
    format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
}

/// Formats a number and the noun that is counted.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(count), if count == 1 { one } else { many })
}
