//! The incremental law: the velocity at the contact is followed through the collision (001 Alg. 2.2, 003 section 4).
//!
//! The normal impulse `p_n` plays the part of time. While the contact slides, friction is on the cone and opposed to the
//! slip ([`sliding`](super::sliding)); when the slip vanishes, the contact sticks or slides off in a constant direction
//! ([`rest_direction`](super::rest_direction)). Wherever the tangential impulse has a constant direction, the velocity is
//! linear in `p_n` and everything has a closed form. The end is Poisson's or Stronge's ([`progress`](super::progress)).
//!
//! **Energy.** The normal impulse may draw the bodies together for a while (`du_n/dp_n < 0`, 001 section 2.4.3): with
//! `d = dp/dp_n`, the energy `T` has `dT/dp_n = u . d = u_n - mu |u_t|`, negative all through compression, so compression
//! ends if `K` is regular. Stronge never gains energy for `e <= 1`: the work of the normal force is `-(1 - e^2)` times
//! that of compression, the work of friction is negative. Neither does Poisson: `d^2T/dp_n^2 = d^T K d` never grows (while
//! sliding it falls by `2 mu |u_t| |ds/dp_n|^2`, and sticking or sliding off is its least value of all), so restitution,
//! with the smaller impulse, gives back no more than compression took.
//!
//! **Wedging.** If `K` is singular, an impulse inside the cone may move nothing at all. Then the collision ends without
//! rebound; velocity that still approaches (one body is moved by force) is stopped without more friction.

use glam::{DMat3, DVec2, DVec3};

use super::impact::Impact;
use super::progress::{Phase, Progress, RestitutionHypothesis, StoreRate};
use super::rest_direction::rest_direction;
use super::root::root_between;
use super::sliding::Sliding;
use super::symmetric_matrix::IMMOVABLE;
use super::{CollisionLaw, ImpactParameters};

/// Slip below this part of `|u|` counts as none.
const NO_SLIP: f64 = 1e-10;
/// Impulse, against that of the collision, that a turning slip may lose by being taken as straight.
const STRAIGHT: f64 = 1e-10;
/// Turning slower than this is rounding.
const NO_TURN: f64 = 1e-14;
/// Accuracy with which a phase's end is met.
const EVENT_TOLERANCE: f64 = 1e-14;
/// A collision takes a handful of steps, a few dozen if the slip turns slowly; beyond, the slip is taken as straight.
const MAX_STEPS: usize = 200;

/// The law that integrates through the collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incremental {
    /// What ends the collision.
    pub hypothesis: RestitutionHypothesis,
}

impl Incremental {
    /// Ends when the normal impulse has reached `1 + e` times that of compression.
    pub const POISSON: Self = Self { hypothesis: RestitutionHypothesis::Poisson };
    /// Ends when the normal force has given back `e^2` of the work of compression.
    pub const STRONGE: Self = Self { hypothesis: RestitutionHypothesis::Stronge };
}

impl CollisionLaw for Incremental {
    fn name(&self) -> &'static str {
        match self.hypothesis {
            RestitutionHypothesis::Poisson => "incremental-poisson",
            RestitutionHypothesis::Stronge => "incremental-stronge",
        }
    }

    fn impulse(&self, k: &DMat3, u: DVec3, normal: DVec3, parameters: &ImpactParameters) -> DVec3 {
        let Some(impact) = Impact::new(k, u, normal) else { return DVec3::ZERO };
        let ImpactParameters { restitution, friction, .. } = parameters.in_range();
        let mut collision = Collision {
            impact: &impact,
            hypothesis: self.hypothesis,
            restitution,
            friction,
            phase: Phase::Compression,
            now: Progress::start(&impact),
            step: 0.0,
        };
        collision.run();
        impact.to_world(collision.now.p_t, collision.now.p_n)
    }
}

/// A collision in progress.
struct Collision<'a> {
    impact: &'a Impact,
    hypothesis: RestitutionHypothesis,
    restitution: f64,
    friction: f64,
    phase: Phase,
    now: Progress,
    /// The next step while sliding turns; zero before the first.
    step: f64,
}

/// What the tangential impulse does next.
enum Course {
    /// It is constant per unit of normal impulse, for so much of that.
    Straight(DVec2, f64),
    Turning,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Ongoing,
    Over,
}

impl Collision<'_> {
    fn run(&mut self) {
        for step in 0..2 * MAX_STEPS {
            let outcome = match self.course(step >= MAX_STEPS) {
                Course::Straight(per_normal, length) => self.go_straight(per_normal, length),
                Course::Turning => self.turn(),
            };
            if outcome == Outcome::Over {
                break;
            }
        }
        // What wedging or rounding left of the approach.
        self.now.p_n += (-self.now.u_n).max(0.0) / self.impact.k_nn;
    }

    fn course(&mut self, never_turn: bool) -> Course {
        if self.friction == 0.0 {
            return Course::Straight(DVec2::ZERO, f64::INFINITY);
        }
        let r = self.now.u_t.length();
        if r <= NO_SLIP {
            self.now.u_t = DVec2::ZERO;
            return Course::Straight(rest_direction(self.impact, self.friction), f64::INFINITY);
        }
        let slip = self.now.u_t / r;
        let per_normal = -self.friction * slip;
        let change = self.impact.k_tn + self.impact.k_tt.times(per_normal);
        // The slip grows by `growth` and turns by `turning / r` per unit of normal impulse.
        let (growth, turning) = (slip.dot(change), slip.perp().dot(change));
        if !never_turn && !self.is_straight(r, slip, growth, turning) {
            return Course::Turning;
        }
        Course::Straight(per_normal, if growth < 0.0 { r / -growth } else { f64::INFINITY })
    }

    /// Whether the slip's turning no longer matters.
    fn is_straight(&self, r: f64, slip: DVec2, growth: f64, turning: f64) -> bool {
        // How fast a small deviation from a direction that stays dies out.
        let across = slip.perp();
        let stability = growth + self.friction * across.dot(self.impact.k_tt.times(across));
        let settles = stability > 0.0
            && (turning.abs() <= STRAIGHT * stability || (growth < 0.0 && r * turning.abs() <= -STRAIGHT * growth));
        turning.abs() <= NO_TURN || settles
    }

    fn rate(&self) -> StoreRate {
        StoreRate::new(self.hypothesis, self.phase, self.restitution)
    }

    /// Along a constant impulse direction to its end or to the end of the phase, whichever is first.
    fn go_straight(&mut self, per_normal: DVec2, length: f64) -> Outcome {
        let u_n = self.now.u_n;
        let response = self.impact.k_nn + self.impact.k_tn.dot(per_normal);
        // Rounding of a wedged contact's response would otherwise call for huge impulses.
        let response = if response.abs() > IMMOVABLE { response } else { 0.0 };
        let (phase_ends, next_phase) = match self.phase {
            Phase::Compression if response > 0.0 => (-u_n / response, Some(Phase::Restitution)),
            Phase::Compression => (f64::INFINITY, None),
            Phase::Restitution => {
                let spent = self.spent_after(response);
                let falls = if response < 0.0 { u_n / -response } else { f64::INFINITY };
                if spent <= falls { (spent, None) } else { (falls, Some(Phase::Compression)) }
            }
        };
        if !phase_ends.min(length).is_finite() {
            return Outcome::Over;
        }
        self.now = self.now.straight(self.impact, per_normal, phase_ends.min(length), self.rate());
        if length < phase_ends {
            self.now.u_t = DVec2::ZERO;
            return Outcome::Ongoing;
        }
        self.enter(next_phase)
    }

    /// The normal impulse after which nothing is left to spend, if `u_n` changes at a constant rate.
    fn spent_after(&self, response: f64) -> f64 {
        let Progress { u_n, store, .. } = self.now;
        match self.hypothesis {
            RestitutionHypothesis::Poisson => store,
            // u_n p + response p^2 / 2 = store.
            RestitutionHypothesis::Stronge => {
                let discriminant = u_n * u_n + 2.0 * response * store;
                if discriminant < 0.0 { f64::INFINITY } else { 2.0 * store / (u_n + discriminant.sqrt()) }
            }
        }
    }

    /// Ends the present phase.
    fn enter(&mut self, phase: Option<Phase>) -> Outcome {
        let Some(phase) = phase else { return Outcome::Over };
        self.phase = phase;
        self.now.u_n = 0.0;
        if phase == Phase::Restitution && self.now.store <= 0.0 { Outcome::Over } else { Outcome::Ongoing }
    }

    /// One step while the slip turns, shortened to the end of the phase.
    fn turn(&mut self) -> Outcome {
        let sliding = Sliding { impact: self.impact, friction: self.friction, rate: self.rate() };
        if self.step == 0.0 {
            self.step = sliding.first_step();
        }
        let (next, error) = sliding.step(&self.now, self.step);
        let step = self.step;
        self.step *= (0.9 / error.sqrt().sqrt()).clamp(0.2, 4.0);
        if error.is_nan() || error > 1.0 {
            return Outcome::Ongoing;
        }
        let (value, next_phase): (fn(&Progress) -> f64, _) = match self.phase {
            Phase::Compression if next.u_n >= 0.0 => (|p| p.u_n, Some(Phase::Restitution)),
            Phase::Restitution if next.store <= 0.0 => (|p| p.store, None),
            Phase::Restitution if next.u_n < 0.0 => (|p| p.u_n, Some(Phase::Compression)),
            _ => {
                self.now = next;
                return Outcome::Ongoing;
            }
        };
        let at = |step| value(&sliding.advanced(&self.now, step));
        let end = root_between((0.0, value(&self.now)), (step, value(&next)), EVENT_TOLERANCE, at);
        self.now = sliding.advanced(&self.now, end);
        self.enter(next_phase)
    }
}
