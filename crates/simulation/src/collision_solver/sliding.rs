//! The sliding part of a collision: friction opposes the slip while the slip changes (001 eq. 2.27, 003 section 4).
//!
//! Per unit of normal impulse the slip `u_t = r s` changes by `k_tn - mu K_tt s`, whose direction is undefined at `r = 0`.
//! With `dp_n = r dq` the equations become smooth there,
//!
//! ```text
//! du_t/dq = r k_tn - mu K_tt u_t,   du_n/dq = r k_nn - mu k_tn . u_t,   dp_t/dq = -mu u_t,   dp_n/dq = r,
//! ```
//!
//! and the slip vanishes only as `q` goes to infinity, always along an invariant direction; there the rest is straight.
//! Steps are Cash and Karp's, of fifth order with an error of fourth: all weights of the solution are positive, so that
//! the impulse stays in the friction cone.

use super::impact::Impact;
use super::progress::{Progress, StoreRate};

/// Error of one step: of the slip against its length, of all else against `|u|` and its impulse.
const STEP_TOLERANCE: f64 = 1e-10;

/// What is needed to differentiate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding<'a> {
    pub impact: &'a Impact,
    pub friction: f64,
    pub rate: StoreRate,
}

impl Sliding<'_> {
    fn derivative(&self, at: &Progress) -> Progress {
        let Impact { k_tt, k_tn, k_nn, .. } = self.impact;
        let r = at.u_t.length();
        let p_t = -self.friction * at.u_t;
        Progress {
            u_t: r * *k_tn + k_tt.times(p_t),
            u_n: r * k_nn + k_tn.dot(p_t),
            p_t,
            p_n: r,
            store: r * self.rate.at(at.u_n),
        }
    }

    /// A first step in `q` that is short against the turning of the slip.
    pub fn first_step(&self) -> f64 {
        0.5 / (self.impact.k_tn.length() + self.friction * self.impact.k_tt.trace() + f64::MIN_POSITIVE)
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
        let (mut next, mut with_error) = (*at, *at);
        for (i, rate) in [k1, k3, k4, k5, k6].iter().enumerate() {
            next = next.plus(step * fifth[i], rate);
            with_error = with_error.plus(step * fourth[i], rate);
        }
        let error = next.plus(-1.0, &with_error);
        let relative_slip = error.u_t.length() / next.u_t.length();
        let others = [error.u_n, error.p_t.x, error.p_t.y, error.p_n, error.store];
        (next, others.iter().fold(relative_slip, |a, b| a.max(b.abs())) / STEP_TOLERANCE)
    }
}
