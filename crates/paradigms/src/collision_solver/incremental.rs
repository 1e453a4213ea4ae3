//! The incremental law: the velocity at the contact is integrated through the collision (Arnold 1997, Alg. 2.2; Mirtich
//! and Canny 1995, section 4).
//! and Canny 1995, section 4).
//! The normal impulse `p_n` takes the place of time. While the contact slides, friction is on the cone and opposite to
//! the slip ([`sliding`](super::sliding)). When the slip vanishes, the contact sticks or slides in a constant direction
//! ([`rest_direction`](super::rest_direction)). Wherever the tangential impulse has a constant direction, the velocity
//! is linear in `p_n` and everything has a closed form. The end is determined by Poisson's or Stronge's hypothesis
//! ([`progress`](super::progress)).
//! **Energy.** The normal impulse may pull the bodies together for a while (`du_n/dp_n < 0`, Arnold 1997, section
//! 2.4.3): with `d = dp/dp_n`, the energy `T` has `dT/dp_n = u . d = u_n - mu |u_t|`, negative throughout compression,
//! so compression ends if `K` is regular. With Stronge's hypothesis energy never increases for `e <= 1`: the work of
//! the normal force is `-(1 - e^2)` times that of compression, the work of friction is negative. Nor does it with
//! Poisson's: `d^2T/dp_n^2 = d^T K d` never grows (while sliding it falls by `2 mu |u_t| |ds/dp_n|^2`, and sticking or
//! sliding in a constant direction is its minimum), so restitution, with the smaller impulse, returns no more than
//! compression took.
//! **Wedging.** If `K` is singular or nearly so, an impulse inside the cone may have almost no effect. Then the
//! collision ends without rebound; a velocity that still approaches (one body has prescribed motion) is stopped without
//! more friction.
//!
//! A change of sign of `u_n` that is undone within one integration step is not detected.

use glam::{DMat3, DVec2, DVec3};

use super::impact::Impact;
use super::progress::{Phase, Progress, RestitutionHypothesis, StoreRate};
use super::rest_direction::rest_direction;
use super::root::root_between;
use super::sliding::{STEP_TOLERANCE, Sliding};
use super::symmetric_matrix::IMMOVABLE;
use super::{CollisionLaw, ImpactParameters};

/// Slip that counts as none, relative to the normal velocity.
const SLIP_TOLERANCE: f64 = 1e-9;
/// Error of the slip allowed when a turning slip is taken as straight; above the error of a step, or it would never
/// converge.
const STRAIGHT_TOLERANCE: f64 = 4.0 * STEP_TOLERANCE;
/// Turning rate below which it is rounding.
const TURN_TOLERANCE: f64 = 1e-14;
/// Maximum number of corrections; a direction within [`STRAIGHT_TOLERANCE`] of the final one needs two.
const MAX_CORRECTIONS: usize = 8;
/// Accuracy of the end of a phase.
const EVENT_TOLERANCE: f64 = 1e-13;
/// Ratio of the normal impulse to that without friction above which the contact is wedged.
const WEDGED_RATIO: f64 = 1e4;
/// Maximum number of steps. A collision takes a few, some dozens if the slip turns slowly; beyond, the slip is taken as
/// straight.
const MAX_STEPS: usize = 500;

/// The law that integrates through the collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incremental {
    /// Hypothesis that determines the end of the collision.
    pub hypothesis: RestitutionHypothesis,
}

impl Incremental {
    /// The collision ends when the normal impulse has reached `1 + e` times that of compression.
    pub const POISSON: Self = Self { hypothesis: RestitutionHypothesis::Poisson };
    /// The collision ends when the normal force has returned `e^2` of the work of compression.
    pub const STRONGE: Self = Self { hypothesis: RestitutionHypothesis::Stronge };
}

impl CollisionLaw for Incremental {
    fn name(&self) -> &'static str {
        match self.hypothesis {
            RestitutionHypothesis::Poisson => "poisson",
            RestitutionHypothesis::Stronge => "stronge",
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
            wedged: WEDGED_RATIO * impact.frictionless(),
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
    /// Normal impulse that is reached only by wedging.
    wedged: f64,
    phase: Phase,
    now: Progress,
    /// Next step while the slip turns, per unit of slip, which determines how fast it turns; zero before the first.
    step: f64,
}

/// Course of the tangential impulse.
enum Course {
    /// Constant per unit of normal impulse, for this much normal impulse.
    Straight(DVec2, f64),
    /// Turning, with the maximum length of a step.
    Turning(f64),
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
                Course::Turning(longest_step) => self.turn(longest_step),
            };
            if outcome == Outcome::Over {
                break;
            }
        }
        // The rest of the approach after wedging or rounding.
        self.now.p_n += (-self.now.u_n).max(0.0) / self.impact.k_nn;
    }

    fn course(&mut self, never_turn: bool) -> Course {
        if self.friction == 0.0 {
            return Course::Straight(DVec2::ZERO, f64::INFINITY);
        }
        let r = self.now.u_t.length();
        if r <= SLIP_TOLERANCE {
            self.now.u_t = DVec2::ZERO;
            return Course::Straight(rest_direction(self.impact, self.friction), f64::INFINITY);
        }
        let slip = self.now.u_t / r;
        match self.settled(r, slip).or(never_turn.then_some(slip)) {
            Some(slip) => {
                self.now.u_t = r * slip;
                let growth = slip.dot(self.slip_change(slip));
                Course::Straight(-self.friction * slip, if growth < -IMMOVABLE { r / -growth } else { f64::INFINITY })
            }
            None => Course::Turning(Sliding::longest_step(r, slip.dot(self.slip_change(slip)))),
        }
    }

    /// Returns the change of the slip per unit of normal impulse for a given direction of slip.
    fn slip_change(&self, slip: DVec2) -> DVec2 {
        self.impact.k_tn - self.friction * self.impact.k_tt.times(slip)
    }

    /// Returns the final direction of the slip, if the slip is so near to it that the difference is negligible.
    fn settled(&self, r: f64, slip: DVec2) -> Option<DVec2> {
        let mut slip = slip;
        for correction in 0..MAX_CORRECTIONS {
            // The slip turns by `turning / r` per unit of normal impulse, less by `stability` for every radian.
            let (change, across) = (self.slip_change(slip), slip.perp());
            let turning = across.dot(change);
            if turning.abs() <= TURN_TOLERANCE {
                return Some(slip);
            }
            let stability = slip.dot(change) + self.friction * across.dot(self.impact.k_tt.times(across));
            if correction == 0 && r * turning.abs() > STRAIGHT_TOLERANCE * stability * r.max(1.0) {
                return None;
            }
            // Newton's method for the angle without turning.
            slip = (slip + turning / stability * across).normalize();
        }
        None
    }

    fn rate(&self) -> StoreRate {
        StoreRate::new(self.hypothesis, self.phase, self.restitution)
    }

    /// Follows a constant impulse direction to its end or to the end of the phase, whichever is first.
    fn go_straight(&mut self, per_normal: DVec2, length: f64) -> Outcome {
        let u_n = self.now.u_n;
        let response = self.impact.k_nn + self.impact.k_tn.dot(per_normal);
        let (phase_ends, next_phase) = match self.phase {
            Phase::Compression if response > 0.0 => (-u_n / response, Some(Phase::Restitution)),
            Phase::Compression => (f64::INFINITY, None),
            Phase::Restitution => {
                let spent = self.spent_after(response);
                let falls = if response < 0.0 { u_n / -response } else { f64::INFINITY };
                if spent <= falls { (spent, None) } else { (falls, Some(Phase::Compression)) }
            }
        };
        let p_n = phase_ends.min(length);
        if self.now.p_n + p_n > self.wedged {
            return Outcome::Over;
        }
        self.now = self.now.straight(self.impact, per_normal, p_n, self.rate());
        if length < phase_ends {
            self.now.u_t = DVec2::ZERO;
            return Outcome::Ongoing;
        }
        self.enter(next_phase)
    }

    /// Returns the normal impulse after which nothing is left to spend, if `u_n` changes at a constant rate.
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

    /// Makes one step while the slip turns, shortened to the end of the phase.
    fn turn(&mut self, longest_step: f64) -> Outcome {
        let sliding = Sliding { impact: self.impact, friction: self.friction, rate: self.rate() };
        if self.step == 0.0 {
            self.step = sliding.first_step();
        }
        let r = self.now.u_t.length();
        let step = (self.step * r).min(longest_step);
        let (next, error) = sliding.step(&self.now, step);
        // The error grows with the fifth power of the step.
        self.step = step / r * (0.9 * libm::pow(error, -0.2)).clamp(0.2, 4.0);
        if error.is_nan() || error > 1.0 {
            return Outcome::Ongoing;
        }
        if next.p_n > self.wedged {
            return Outcome::Over;
        }
        let u_n = |p: &Progress| p.u_n;
        let meet = |value: fn(&Progress) -> f64, step: f64, there: &Progress| {
            let at = |step| value(&sliding.step(&self.now, step).0);
            let end = root_between((0.0, value(&self.now)), (step, value(there)), EVENT_TOLERANCE, at);
            (end, sliding.step(&self.now, end).0)
        };
        let (now, next_phase) = match self.phase {
            Phase::Compression if next.u_n >= 0.0 => (meet(u_n, step, &next).1, Some(Phase::Restitution)),
            Phase::Restitution if next.store <= 0.0 => {
                let (end, spent) = meet(|p| p.store, step, &next);
                // The normal velocity may have changed sign before.
                if spent.u_n < 0.0 { (meet(u_n, end, &spent).1, Some(Phase::Compression)) } else { (spent, None) }
            }
            Phase::Restitution if next.u_n < 0.0 => (meet(u_n, step, &next).1, Some(Phase::Compression)),
            _ => {
                self.now = next;
                return Outcome::Ongoing;
            }
        };
        self.now = now;
        self.enter(next_phase)
    }
}
