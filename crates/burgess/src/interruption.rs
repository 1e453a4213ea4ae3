//! Ctrl-C and termination signals: the first ends the program in an orderly way, the second at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Exit code that shells use for a program that Ctrl-C ended.
const EXIT_CODE: i32 = 130;

/// Time between two checks for an interruption: too short to be noticed.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Handles interruptions from now on.
pub fn watch_for() {
    static SET: OnceLock<()> = OnceLock::new();
    SET.get_or_init(|| {
        // Without a handler an interruption ends the program at once.
        let _ = ctrlc::set_handler(|| {
            if REQUESTED.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE);
            }
        });
    });
}

/// Returns whether an interruption was requested.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Waits for an interruption.
pub fn wait() {
    watch_for();
    while !is_requested() {
        std::thread::sleep(CHECK_INTERVAL);
    }
}
