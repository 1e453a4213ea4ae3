//! Comparison of two clocks over a network. `web/src/walls/clock.ts` does the same on the page.
//!
//! A ping leaves at `sent` by the own clock, is answered at `server` by the other clock, and the answer arrives at
//! `received`. The other clock is ahead of the own one by `server - (sent + received) / 2`, with an error of at most half
//! the round trip. The fastest of many pings therefore gives the best estimate.

use std::collections::VecDeque;

/// Number of pings from which the fastest is taken. Old ones are dropped, because clocks drift.
const MAX_PINGS: usize = 32;

/// Estimates by how much another clock is ahead.
#[derive(Debug, Clone, Default)]
pub struct ClockOffset {
    pings: VecDeque<(f64, f64)>,
}

impl ClockOffset {
    /// Adds a ping. Times are in s.
    pub fn add(&mut self, sent: f64, server: f64, received: f64) {
        if self.pings.len() == MAX_PINGS {
            self.pings.pop_front();
        }
        self.pings.push_back((received - sent, server - 0.5 * (sent + received)));
    }

    /// By how much the other clock is ahead, and the largest possible error, in s; none before the first ping.
    pub fn offset(&self) -> Option<(f64, f64)> {
        let fastest = self.pings.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        fastest.map(|(round_trip, offset)| (*offset, 0.5 * round_trip))
    }
}
