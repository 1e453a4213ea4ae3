//! Lines on stderr while a progress bar may be drawn there: they are printed above the bar.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

use crate::program::with_program_name;

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Prints notices above this bar from now on, or plainly if there is none.
pub fn above(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Prints a line on stderr.
pub fn notice(text: &str) {
    // If stderr is closed, the line is lost.
    let _ = Notices.write_all(format!("burgess: {}\n", with_program_name(text)).as_bytes());
}

/// A writer to stderr that hides the progress bar meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Notices;

impl Write for Notices {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner);
        match &*bar {
            Some(bar) => bar.suspend(|| io::stderr().write(bytes)),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
