//! Ctrl-C and the system's wish that the program ends: once to end well, twice to end at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static WANTED: AtomicBool = AtomicBool::new(false);

/// As shells have it for a program that Ctrl-C ended.
const EXIT_CODE: i32 = 130;

/// Nobody notices that it takes so long to end.
const LOOK: Duration = Duration::from_millis(50);

/// From now on the program ends only when it is asked twice.
pub fn watch_for() {
    static SET: OnceLock<()> = OnceLock::new();
    SET.get_or_init(|| {
        // Without a handler the program ends at once, as programs do.
        let _ = ctrlc::set_handler(|| {
            if WANTED.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE);
            }
        });
    });
}

/// Has somebody asked for the end?
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Waits until somebody asks for the end.
pub fn wait() {
    watch_for();
    while !is_wanted() {
        std::thread::sleep(LOOK);
    }
}
