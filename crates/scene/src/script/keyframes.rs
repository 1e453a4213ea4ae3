//! Motion through keyframes: a cubic between any two keys, once differentiable everywhere.
//!
//! Positions are cubic Hermite curves. Orientations are the analogous curves on unit quaternions (Kim, Kim and Shin
//! 1995): with s from 0 to 1 over an interval of h seconds,
//!
//! ```text
//!   q(s) = q_a exp(w1 b1(s)) exp(w2 b2(s)) exp(w3 b3(s))
//!   b1 = 1 - (1 - s)^3,  b2 = 3 s^2 - 2 s^3,  b3 = s^3
//!   w1 = h omega_a / 3,  w3 = h omega_b / 3,  exp(w2) = exp(-w1) q_a^-1 q_b exp(-w3)
//! ```
//!
//! omega_a and omega_b are the angular velocities at both ends along the body's axes. The velocity at a key is that of
//! the parabola through it and the two adjacent keys; the ends are at rest unless the motion repeats. Accelerations are
//! exact inside an interval and jump from one to the next.

use burgess_dynamics::ScriptedMotion;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_simulation::Script;
use glam::{DQuat, DVec3};
use thiserror::Error;

use crate::spec::{KeyframesScript, PoseSpec};

/// Maximum distance between the last and the first key of a repeating motion, in m and rad.
const CLOSURE_TOLERANCE: f64 = 1e-9;

/// Error for invalid keyframes.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum KeyframesError {
    /// There are fewer than two keys.
    #[error("a motion needs at least two keys, found {0}")]
    TooFew(usize),
    /// The time of a key is not after that of the one before it, or not finite.
    #[error("key {0} is not later than the one before it")]
    Order(usize),
    /// A repeating motion does not end where it begins.
    #[error("a motion that repeats must end where it begins: the last key differs from the first")]
    NotClosed,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Key {
    time: f64,
    position: DVec3,
    rotation: DQuat,
    /// Velocity, in m/s.
    velocity: DVec3,
    /// Angular velocity along the body's axes, in rad/s.
    angular: DVec3,
}

/// A motion through poses at given times.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframes {
    keys: Vec<Key>,
    repeat: bool,
}

impl Keyframes {
    /// Creates a motion from times (s), in order, and poses of the body's frame in the world. The body rests before the
    /// first and after the last key, unless the motion repeats.
    pub fn new(places: &[(f64, Pose)], repeat: bool) -> Result<Self, KeyframesError> {
        if places.len() < 2 {
            return Err(KeyframesError::TooFew(places.len()));
        }
        let in_order = |pair: &[(f64, Pose)]| pair[1].0 > pair[0].0 && (pair[1].0 - pair[0].0).is_finite();
        if let Some(index) = places.windows(2).position(|pair| !in_order(pair)) {
            return Err(KeyframesError::Order(index + 1));
        }
        let key = |&(time, pose): &(f64, Pose)| Key {
            time,
            position: pose.translation,
            rotation: pose.rotation.normalize(),
            velocity: DVec3::ZERO,
            angular: DVec3::ZERO,
        };
        let mut keys: Vec<Key> = places.iter().map(key).collect();
        let last = keys.len() - 1;
        if repeat {
            let distance = (keys[last].position - keys[0].position).length();
            if distance > CLOSURE_TOLERANCE
                || logarithm(keys[0].rotation.conjugate() * keys[last].rotation).length() > CLOSURE_TOLERANCE
            {
                return Err(KeyframesError::NotClosed);
            }
        }
        for index in 1..last {
            set_slope(&mut keys, index - 1, index, index + 1, 0.0);
        }
        if repeat {
            let period = keys[last].time - keys[0].time;
            set_slope(&mut keys, last - 1, 0, 1, -period);
            (keys[last].velocity, keys[last].angular) = (keys[0].velocity, keys[0].angular);
        }
        Ok(Self { keys, repeat })
    }

    /// Creates a motion from a spec whose keys are relative to `base`.
    pub(crate) fn from_spec(script: &KeyframesScript, base: &Pose) -> Result<Self, KeyframesError> {
        let place = |key: &crate::spec::KeySpec| {
            let pose = PoseSpec { position: key.position, orientation: key.orientation }.pose();
            (key.time, base.compose(&pose))
        };
        Self::new(&script.keys.iter().map(place).collect::<Vec<_>>(), script.repeat)
    }
}

/// Sets the velocity of the middle of three keys to that of the parabola through them. `shift` is added to the time of
/// the first one.
fn set_slope(keys: &mut [Key], before: usize, here: usize, after: usize, shift: f64) {
    let (a, b, c) = (keys[before], keys[here], keys[after]);
    let (first, second) = (b.time - (a.time + shift), c.time - b.time);
    let mean = |left: DVec3, right: DVec3| (left * second + right * first) / (first + second);
    let turn = |from: Key, to: Key, interval: f64| logarithm(from.rotation.conjugate() * to.rotation) / interval;
    keys[here].velocity = mean((b.position - a.position) / first, (c.position - b.position) / second);
    keys[here].angular = mean(turn(a, b, first), turn(b, c, second));
}

/// Returns the rotation vector with an angle of at most pi.
fn logarithm(rotation: DQuat) -> DVec3 {
    let q = if rotation.w < 0.0 { -rotation } else { rotation };
    let sine = DVec3::new(q.x, q.y, q.z);
    let length = sine.length();
    if length < 1e-12 { 2.0 * sine } else { sine * (2.0 * libm::atan2(length, q.w) / length) }
}

impl Script for Keyframes {
    fn motion(&self, time: f64) -> ScriptedMotion {
        let (first, last) = (&self.keys[0], &self.keys[self.keys.len() - 1]);
        let rest = |key: &Key| ScriptedMotion {
            pose: Pose::new(key.rotation, key.position),
            velocity: Motion::ZERO,
            acceleration: Motion::ZERO,
        };
        let time = if self.repeat {
            let period = last.time - first.time;
            let since = time - first.time;
            first.time + (since - period * (since / period).floor())
        } else if time < first.time {
            return rest(first);
        } else if time >= last.time {
            return rest(last);
        } else {
            time
        };
        let after = self.keys.partition_point(|key| key.time <= time).clamp(1, self.keys.len() - 1);
        between(&self.keys[after - 1], &self.keys[after], time)
    }
}

fn between(a: &Key, b: &Key, time: f64) -> ScriptedMotion {
    let h = b.time - a.time;
    let s = ((time - a.time) / h).clamp(0.0, 1.0);
    let r = 1.0 - s;
    // The cumulative Bernstein polynomials with their first and second derivatives by time.
    let basis = [
        (1.0 - r * r * r, 3.0 * r * r / h, -6.0 * r / (h * h)),
        (s * s * (3.0 - 2.0 * s), 6.0 * s * r / h, 6.0 * (1.0 - 2.0 * s) / (h * h)),
        (s * s * s, 3.0 * s * s / h, 6.0 * s / (h * h)),
    ];
    let (w1, w3) = (a.angular * (h / 3.0), b.angular * (h / 3.0));
    let exponential = DQuat::from_scaled_axis;
    let middle = exponential(-w1) * a.rotation.conjugate() * b.rotation * exponential(-w3);
    let turns = [w1, logarithm(middle), w3];
    let (p1, p3) = (a.velocity * (h / 3.0), b.velocity * (h / 3.0));
    let moves = [p1, b.position - a.position - p1 - p3, p3];

    let (mut position, mut velocity, mut acceleration) = (a.position, DVec3::ZERO, DVec3::ZERO);
    for (part, (value, rate, change)) in moves.into_iter().zip(basis) {
        position += part * value;
        velocity += part * rate;
        acceleration += part * change;
    }
    // From the innermost factor outwards: each rotation transforms the ones after it and adds its own rate.
    let (mut rotation, mut angular, mut angular_acceleration) = (DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    for (axis, (value, rate, change)) in turns.into_iter().zip(basis).rev() {
        let turn = exponential(axis * value);
        let (own, carried) = (axis * rate, turn * angular);
        angular_acceleration = axis * change + turn * angular_acceleration + own.cross(carried);
        angular = own + carried;
        rotation = turn * rotation;
    }
    ScriptedMotion {
        pose: Pose::new((a.rotation * rotation).normalize(), position),
        velocity: Motion::new(a.rotation * angular, velocity),
        acceleration: Motion::new(a.rotation * angular_acceleration, acceleration),
    }
}
