//! The sliding part of a collision: friction opposes the slip while the slip turns (001 eq. 2.27, 003 section 4).
//!
//! With the slip `u_t = r s`, `|s| = 1`, everything changes per unit of normal impulse as
//!
//! ```text
//! dp_t/dp_n = -mu s,   du_t/dp_n = k_tn - mu K_tt s,   du_n/dp_n = k_nn - mu k_tn . s.
//! ```
//!
//! Steps are Cash and Karp's, of fifth order with an error of fourth. All weights of the solution are positive, so that the
//! impulse stays in the friction cone. `s` turns ever faster as `r` vanishes, so a step takes a part of `r` only; but an
//! error of the slip, in absolute terms, never grows (a direction deviates at most as fast as `r` falls), so that one
//! tolerance serves all the way down.

use glam::DVec2;

use super::impact::Impact;
use super::progress::{Progress, StoreRate};

/// Error of one step: absolute in the units of [`Impact`], relative for what is larger than one of them.
const STEP_TOLERANCE: f64 = 1e-9;

/// A step may take this part of the slip.
const PART_OF_SLIP: f64 = 0.8;

/// What is needed to differentiate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding<'a> {
    pub impact: &'a Impact,
    pub friction: f64,
    pub rate: StoreRate,
}

impl Sliding<'_> {
    /// Per unit of normal impulse.
    fn derivative(&self, at: &Progress) -> Progress {
        let Impact { k_tt, k_tn, k_nn, .. } = self.impact;
        let p_t = -self.friction * at.u_t.try_normalize().unwrap_or(DVec2::ZERO);
        Progress { u_t: *k_tn + k_tt.times(p_t), u_n: k_nn + k_tn.dot(p_t), p_t, p_n: 1.0, store: self.rate.at(at.u_n) }
    }

    /// A first step that is short against the turning of the slip.
    pub fn first_step(&self, slip: f64) -> f64 {
        0.5 * slip / (self.impact.k_tn.length() + self.friction * self.impact.k_tt.trace())
    }

    /// The longest step that leaves some slip, which now grows at a given rate.
    pub fn longest_step(slip: f64, growth: f64) -> f64 {
        if growth < 0.0 { PART_OF_SLIP * slip / -growth } else { f64::INFINITY }
    }

    /// The state a step later.
    pub fn advanced(&self, at: &Progress, step: f64) -> Progress {
        self.step(at, step).0
    }

    /// The state a step later, and the error over the tolerance.
    pub fn step(&self, at: &Progress, step: f64) -> (Progress, f64) {
        let stage = |weights: &[(f64, &Progress)]| {
            self.derivative(&weights.iter().fold(*at, |sum, (weight, rate)| sum.plus(step * weight, rate)))
        };
        let k1 = stage(&[]);
        let k2 = stage(&[(1.0 / 5.0, &k1)]);
        let k3 = stage(&[(3.0 / 40.0, &k1), (9.0 / 40.0, &k2)]);
        let k4 = stage(&[(3.0 / 10.0, &k1), (-9.0 / 10.0, &k2), (6.0 / 5.0, &k3)]);
        let k5 = stage(&[(-11.0 / 54.0, &k1), (5.0 / 2.0, &k2), (-70.0 / 27.0, &k3), (35.0 / 27.0, &k4)]);
        let k6 = stage(&[
            (1631.0 / 55296.0, &k1),
            (175.0 / 512.0, &k2),
            (575.0 / 13824.0, &k3),
            (44275.0 / 110592.0, &k4),
            (253.0 / 4096.0, &k5),
        ]);
        let fifth = [37.0 / 378.0, 250.0 / 621.0, 125.0 / 594.0, 0.0, 512.0 / 1771.0];
        let fourth = [2825.0 / 27648.0, 18575.0 / 48384.0, 13525.0 / 55296.0, 277.0 / 14336.0, 1.0 / 4.0];
        let (mut next, mut other) = (*at, *at);
        for (i, rate) in [k1, k3, k4, k5, k6].iter().enumerate() {
            next = next.plus(step * fifth[i], rate);
            other = other.plus(step * fourth[i], rate);
        }
        let error = next.plus(-1.0, &other);
        let parts = [
            error.u_t.length() / next.u_t.length().max(1.0),
            error.p_t.length() / next.p_t.length().max(1.0),
            error.u_n.abs() / next.u_n.abs().max(1.0),
            error.store.abs() / next.store.abs().max(1.0),
        ];
        (next, parts.into_iter().fold(0.0, f64::max) / STEP_TOLERANCE)
    }
}
