//! The log of refused requests, at a bounded rate so that invalid requests cannot fill a disk.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Period in which at most [`MAX_LINES`] are logged.
const WINDOW: Duration = Duration::from_secs(60);
/// Maximum number of lines per period.
const MAX_LINES: u32 = 20;
/// Maximum number of characters of a request that are logged.
const MAX_QUOTED: usize = 120;

/// Counts refused requests, and logs some of them.
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

    /// Logs a refused request: the peer, the request and the reason.
    pub(crate) fn log(&self, peer: Option<SocketAddr>, request: &str, why: &str) {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(silent) = window.admits(Instant::now()) else { return };
        drop(window);
        if silent > 0 {
            tracing::warn!("{silent} further requests were refused and not logged");
        }
        let peer = peer.map_or_else(|| "unknown peer".to_string(), |peer| peer.to_string());
        tracing::warn!("refused {peer}: {}: {}", sanitized(request), sanitized(why));
    }
}

/// Truncates a text and escapes control characters, which could otherwise manipulate the terminal.
fn sanitized(text: &str) -> String {
    text.chars().take(MAX_QUOTED).collect::<String>().escape_debug().collect()
}

impl Window {
    /// Returns the number of refusals that were not logged since the last one, or `None` if this one must not be
    /// logged.
    fn admits(&mut self, now: Instant) -> Option<u64> {
        if now.duration_since(self.start) >= WINDOW {
            (self.start, self.logged) = (now, 0);
        }
        if self.logged >= MAX_LINES {
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
    fn excess_refusals_are_counted_but_not_logged() {
        let start = Instant::now();
        let mut window = Window { start, logged: 0, silent: 0 };
        let logged = (0..10_000).filter(|_| window.admits(start).is_some()).count();
        assert_eq!(logged, MAX_LINES as usize);
        assert_eq!(window.admits(start + WINDOW), Some(10_000 - u64::from(MAX_LINES)));
        assert_eq!(window.admits(start + WINDOW), Some(0));
    }
}
