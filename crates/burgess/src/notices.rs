//! What is told on stderr while a progress bar may be drawn there: the bar steps aside for it.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From now on notices go above this bar, or plainly to stderr if there is none.
pub fn above(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// A line on stderr.
pub fn notice(text: &str) {
    // Whoever closed stderr does not want to hear it.
    let _ = Notices.write_all(format!("burgess: {text}\n").as_bytes());
}

/// Stderr, where the bar steps aside.
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
