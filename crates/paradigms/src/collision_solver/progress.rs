//! The state of a collision in progress, as a function of the normal impulse.
//! During compression (`u_n < 0`) the contact stores what restitution (`u_n > 0`) may spend; the collision ends when
//! all is spent. Because the sign of `u_n` determines the phase, this also holds where turning friction pulls the
//! bodies together a second time.
//!
//! | hypothesis | stored per `dp_n` of compression | spent per `dp_n` of restitution |
//! |---|---|---|
//! | Poisson: impulse | `e` | `1` |
//! | Stronge: energy (Arnold 1997, eq. 2.23) | `-e^2 u_n` | `u_n` |

use glam::DVec2;

use super::impact::Impact;

/// Definition of the coefficient of restitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestitutionHypothesis {
    /// Ratio of the normal impulse of restitution to that of compression (Mirtich and Canny 1995, section 4).
    Poisson,
    /// Root of the ratio of the work that the normal force returns to the work that it took (Arnold 1997, eq. 2.23).
    Stronge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Compression,
    Restitution,
}

/// Rate of `store` per unit of normal impulse: `constant + by_speed u_n`.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoreRate {
    constant: f64,
    by_speed: f64,
}

impl StoreRate {
    pub fn new(hypothesis: RestitutionHypothesis, phase: Phase, restitution: f64) -> Self {
        match (hypothesis, phase) {
            (RestitutionHypothesis::Poisson, Phase::Compression) => Self { constant: restitution, by_speed: 0.0 },
            (RestitutionHypothesis::Poisson, Phase::Restitution) => Self { constant: -1.0, by_speed: 0.0 },
            (RestitutionHypothesis::Stronge, Phase::Compression) => {
                Self { constant: 0.0, by_speed: -restitution * restitution }
            }
            (RestitutionHypothesis::Stronge, Phase::Restitution) => Self { constant: 0.0, by_speed: -1.0 },
        }
    }

    pub fn at(&self, u_n: f64) -> f64 {
        self.constant + self.by_speed * u_n
    }
}

/// Velocity, impulse so far, and the amount left for restitution.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    pub u_t: DVec2,
    pub u_n: f64,
    pub p_t: DVec2,
    pub p_n: f64,
    pub store: f64,
}

impl Progress {
    pub fn start(impact: &Impact) -> Self {
        Self { u_t: impact.u_t, u_n: impact.u_n, p_t: DVec2::ZERO, p_n: 0.0, store: 0.0 }
    }

    /// Returns the exact state after more normal impulse with a constant tangential one per unit of it.
    pub fn straight(&self, impact: &Impact, per_normal: DVec2, p_n: f64, rate: StoreRate) -> Self {
        let u_n = self.u_n + p_n * (impact.k_nn + impact.k_tn.dot(per_normal));
        Self {
            u_t: self.u_t + p_n * (impact.k_tn + impact.k_tt.times(per_normal)),
            u_n,
            p_t: self.p_t + p_n * per_normal,
            p_n: self.p_n + p_n,
            // The normal velocity is linear in the impulse.
            store: self.store + p_n * rate.at(0.5 * (self.u_n + u_n)),
        }
    }
}
