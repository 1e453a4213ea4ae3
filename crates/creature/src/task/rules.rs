//! How a creature starts, how often it is tried, what differs from trial to trial, and what ends a trial.

use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// How a creature is put into its place: upright as its root's frame is, its lowest point above the highest ground below it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Its lowest point is so far above the ground, in m.
    pub gap: f64,
    /// The root is held in its place.
    pub root_is_fixed: bool,
}

impl Default for Start {
    fn default() -> Self {
        Self { gap: 0.002, root_is_fixed: false }
    }
}

/// How often a creature is tried and what counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Trials {
    /// How often.
    pub count: u32,
    /// Which fitness counts.
    pub counts: Counts,
    /// After a trial with a fitness below this, further ones are not worth the time and are not made.
    pub pass: f64,
}

impl Default for Trials {
    fn default() -> Self {
        Self { count: 1, counts: Counts::Lowest, pass: 0.0 }
    }
}

/// Which fitness of several trials counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// The lowest (000 section 4.5).
    Lowest,
    /// The mean.
    Mean,
}

/// What differs from trial to trial, drawn from the seed (000 section 4.5). All are the largest changes, evenly distributed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variation {
    /// Of friction, as a share of it.
    pub friction: f64,
    /// Added to the restitution, 0 to 1.
    pub restitution: f64,
    /// Of gravity, as a share of it.
    pub gravity: f64,
    /// Tilt of the creature at the start about a random level axis, in rad.
    pub tilt: f64,
    /// Turn of the creature about the vertical at the start, in rad.
    pub turn: f64,
    /// Added to the gap below the creature at the start, in m.
    pub gap: f64,
}

impl Default for Variation {
    fn default() -> Self {
        Self { friction: 0.1, restitution: 0.05, gravity: 0.02, tilt: 0.02, turn: 0.0, gap: 0.005 }
    }
}

impl Variation {
    /// Nothing differs.
    pub const NONE: Self = Self { friction: 0.0, restitution: 0.0, gravity: 0.0, tilt: 0.0, turn: 0.0, gap: 0.0 };
}

/// When a trial is not worth going on with. The measures are then as if nothing happened until the end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stop {
    /// After so many seconds in which nothing at all moved, by more than 1 mm or 1 mrad; never if 0. What was still for long
    /// hardly ever begins, so this does not change what it stops.
    pub still: f64,
    /// Every so many seconds the centre of mass must be farther than `progress_distance` from where it was the last time; never if 0. This is a
    /// bet: a creature may start late, or come back to where it was.
    pub progress: f64,
    /// In m.
    pub progress_distance: f64,
}

impl Default for Stop {
    fn default() -> Self {
        Self { still: 2.0, progress: 0.0, progress_distance: 0.05 }
    }
}

/// What makes a creature faulty, because what it does cannot be right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Nothing may be faster, in m/s and rad/s.
    pub speed: f64,
    /// The centre of mass may not get higher, in m.
    pub height: f64,
    /// The centre of mass may not get farther from where it started, in m.
    pub distance: f64,
    /// The centre of mass may not sink deeper below the ground's lowest place, in m.
    pub depth: f64,
    /// No contact may be deeper than this share of the smaller part's radius.
    pub penetration: f64,
    /// Energy from nowhere may not exceed this share of the muscles' work by more than it takes to lift the creature by 0.2 m.
    pub energy: f64,
    /// Parts that are deeper in each other after settling, as a share of the thinner one's thickness, are entangled.
    pub entanglement: f64,
    /// Physics steps of all trials together, sub-steps counted.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            speed: 100.0,
            height: 50.0,
            distance: 1000.0,
            depth: 0.5,
            penetration: 0.5,
            energy: 0.25,
            entanglement: 0.05,
            steps: 200_000,
        }
    }
}

/// How a parameter changes from generation to generation: in each, or in those that have mastered it as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Added to it in each generation.
    pub per_generation: f64,
    /// Where it stops.
    pub until: Amount,
    /// Added only after generations of which a tenth (one at least) reached this fitness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mastery: Option<f64>,
}
