//! The log of what was refused, at a bounded rate: garbage must not fill a disk.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// At most [`LINES`] in so long.
const WINDOW: Duration = Duration::from_secs(60);
const LINES: u32 = 20;
/// Letters of what a stranger sent that are shown.
const SHOWN: usize = 120;

/// Counts what was refused, and logs some of it.
#[derive(Debug)]
pub(crate) struct Refusals {
    window: Mutex<Window>,
}

#[derive(Debug)]
struct Window {
    start: Instant,
    logged: u32,
    silent: u64,
}

impl Refusals {
    pub(crate) fn new() -> Self {
        Self { window: Mutex::new(Window { start: Instant::now(), logged: 0, silent: 0 }) }
    }

    /// Something was refused: who asked, for what, and why not.
    pub(crate) fn log(&self, peer: Option<SocketAddr>, asked: &str, why: &str) {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(silent) = window.admits(Instant::now()) else { return };
        drop(window);
        if silent > 0 {
            tracing::warn!("{silent} more were refused in the minutes before");
        }
        let peer = peer.map_or_else(|| "somebody".to_string(), |peer| peer.to_string());
        tracing::warn!("refused {peer}: {}: {}", harmless(asked), harmless(why));
    }
}

/// Short, and without the control characters by which a stranger could write on the terminal.
fn harmless(text: &str) -> String {
    text.chars().take(SHOWN).collect::<String>().escape_debug().collect()
}

impl Window {
    /// May one more be logged? If so, how many were not since the last window.
    fn admits(&mut self, now: Instant) -> Option<u64> {
        if now.duration_since(self.start) >= WINDOW {
            (self.start, self.logged) = (now, 0);
        }
        if self.logged >= LINES {
            self.silent += 1;
            return None;
        }
        self.logged += 1;
        Some(std::mem::take(&mut self.silent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_not_logged() {
        let start = Instant::now();
        let mut window = Window { start, logged: 0, silent: 0 };
        let logged = (0..10_000).filter(|_| window.admits(start).is_some()).count();
        assert_eq!(logged, LINES as usize);
        assert_eq!(window.admits(start + WINDOW), Some(10_000 - u64::from(LINES)));
        assert_eq!(window.admits(start + WINDOW), Some(0));
    }
}
