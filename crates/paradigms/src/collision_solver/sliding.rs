//! The sliding phase of a collision: friction opposes the slip while the slip turns (Arnold 1997, eq. 2.27; Mirtich and
//! Canny 1995, section 4).
//!
//! With the slip `u_t = r s`, `|s| = 1`, everything changes per unit of normal impulse as
//!
//! ```text
//! dp_t/dp_n = -mu s,   du_t/dp_n = k_tn - mu K_tt s,   du_n/dp_n = k_nn - mu k_tn . s.
//! ```
//! Velocity follows from impulse, so an integration step only needs the mean of `s` over it. Steps are Cash and Karp's,
//! of fifth order with an error of fourth. All weights of the solution are positive, so the mean is no longer than 1
//! and the impulse stays in the friction cone. `s` turns ever faster as `r` vanishes, so a step takes only a part of
//! `r`; but an absolute error of the slip never grows (`s` is monotone in `u_t`: two slips approach each other in the
//! norm of `K_tt^-1`), so that one tolerance suffices throughout.

use glam::DVec2;

use super::impact::Impact;
use super::progress::{Progress, StoreRate};

/// Error of one step: absolute in the units of [`Impact`], relative for values above one.
pub(super) const STEP_TOLERANCE: f64 = 1e-8;

/// Maximum fraction of the slip that a step may take.
const MAX_SLIP_FRACTION: f64 = 0.8;

const STAGES: usize = 6;
/// Cash and Karp's tableau: the position of each stage, and its weights of the previous ones.
const STAGE_TIMES: [f64; STAGES] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 3.0 / 5.0, 1.0, 7.0 / 8.0];
const STAGE_WEIGHTS: [[f64; STAGES - 1]; STAGES] = [
    [0.0; 5],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0],
    [3.0 / 10.0, -9.0 / 10.0, 6.0 / 5.0, 0.0, 0.0],
    [-11.0 / 54.0, 5.0 / 2.0, -70.0 / 27.0, 35.0 / 27.0, 0.0],
    [1631.0 / 55296.0, 175.0 / 512.0, 575.0 / 13824.0, 44275.0 / 110592.0, 253.0 / 4096.0],
];
const FIFTH_ORDER: [f64; STAGES] = [37.0 / 378.0, 0.0, 250.0 / 621.0, 125.0 / 594.0, 0.0, 512.0 / 1771.0];
const FOURTH_ORDER: [f64; STAGES] =
    [2825.0 / 27648.0, 0.0, 18575.0 / 48384.0, 13525.0 / 55296.0, 277.0 / 14336.0, 1.0 / 4.0];

/// Data of the derivative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding<'a> {
    pub impact: &'a Impact,
    pub friction: f64,
    pub rate: StoreRate,
}

impl Sliding<'_> {
    /// Returns a first step, per unit of slip, that is short compared with the turning.
    pub fn first_step(&self) -> f64 {
        0.5 / (self.impact.k_tn.length() + self.friction * self.impact.k_tt.trace())
    }

    /// Returns the longest step that leaves some slip, which now grows at a given rate.
    pub fn longest_step(slip: f64, growth: f64) -> f64 {
        if growth < 0.0 { MAX_SLIP_FRACTION * slip / -growth } else { f64::INFINITY }
    }

    /// Returns the state after a step of the normal impulse, and the error relative to the tolerance.
    pub fn step(&self, now: &Progress, step: f64) -> (Progress, f64) {
        let Impact { k_tt, k_tn, k_nn, .. } = self.impact;
        let mut directions = [DVec2::ZERO; STAGES];
        let (mut mean, mut mean_error) = (DVec2::ZERO, DVec2::ZERO);
        let (mut rate, mut rate_error) = (0.0, 0.0);
        for i in 0..STAGES {
            let sum = (0..i).fold(DVec2::ZERO, |sum, j| sum + STAGE_WEIGHTS[i][j] * directions[j]);
            let p_t = -self.friction * sum;
            let u_t = now.u_t + step * (STAGE_TIMES[i] * *k_tn + k_tt.times(p_t));
            let u_n = now.u_n + step * (STAGE_TIMES[i] * k_nn + k_tn.dot(p_t));
            directions[i] = u_t.try_normalize().unwrap_or(DVec2::ZERO);
            mean += FIFTH_ORDER[i] * directions[i];
            mean_error += (FIFTH_ORDER[i] - FOURTH_ORDER[i]) * directions[i];
            rate += FIFTH_ORDER[i] * self.rate.at(u_n);
            rate_error += (FIFTH_ORDER[i] - FOURTH_ORDER[i]) * self.rate.at(u_n);
        }
        let next = Progress {
            store: now.store + step * rate,
            ..now.straight(self.impact, -self.friction * mean, step, self.rate)
        };
        // K is at most 1, so this bounds the errors of the velocities as well.
        let impulse_error = self.friction * mean_error.length() / next.p_t.length().max(1.0);
        let store_error = rate_error.abs() / next.store.abs().max(1.0);
        (next, step * impulse_error.max(store_error) / STEP_TOLERANCE)
    }
}
