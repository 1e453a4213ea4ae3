//! Rules of a task: the start, the number of trials, random variation, early stops and limits.

use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// How a creature is placed: upright in the frame of its root, with its lowest point above the highest ground below it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Distance of its lowest point above the ground, in m.
    pub gap: f64,
    /// Whether the root is fixed to the world.
    pub root_is_fixed: bool,
}

impl Default for Start {
    fn default() -> Self {
        Self { gap: 0.002, root_is_fixed: false }
    }
}

/// Number of trials and how their results are combined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Trials {
    /// Number of trials.
    pub count: u32,
    /// Which fitness counts.
    pub counts: Counts,
    /// After a trial with a lower fitness, the remaining trials are skipped to save time.
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
    /// The lowest (Fontijne (2000) section 4.5).
    Lowest,
    /// The mean.
    Mean,
}

/// Random differences between trials (Fontijne (2000) section 4.5). All members are maxima of uniform distributions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variation {
    /// Change of friction, as a fraction of it.
    pub friction: f64,
    /// Change of restitution, 0 to 1.
    pub restitution: f64,
    /// Change of gravity, as a fraction of it.
    pub gravity: f64,
    /// Tilt of the creature at the start about a random horizontal axis, in rad.
    pub tilt: f64,
    /// Rotation of the creature about the vertical at the start, in rad.
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
    /// No variation.
    pub const NONE: Self = Self { friction: 0.0, restitution: 0.0, gravity: 0.0, tilt: 0.0, turn: 0.0, gap: 0.0 };
}

/// When a trial is stopped early. The measures are then as if nothing happened until its end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stop {
    /// Time without any motion of more than 1 mm or 1 mrad after which a trial is stopped, in s; 0 for never. Creatures
    /// that do not move for so long hardly ever start again, so this does not change results.
    pub still: f64,
    /// Interval in which the centre of mass must move by more than `progress_distance`, in s; 0 for never. This can
    /// change results: a creature may start late or return to where it was.
    pub progress: f64,
    /// Distance for `progress`, in m.
    pub progress_distance: f64,
}

impl Default for Stop {
    fn default() -> Self {
        Self { still: 2.0, progress: 0.0, progress_distance: 0.05 }
    }
}

/// Limits beyond which an evaluation is faulty, because the simulated motion cannot be right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Maximum speed of anything, in m/s; rotation counts 0.1 m from the axis.
    pub speed: f64,
    /// Maximum height of the centre of mass, in m.
    pub height: f64,
    /// Maximum distance of the centre of mass from its start, in m.
    pub distance: f64,
    /// Maximum depth of the centre of mass below the lowest point of the ground, in m.
    pub depth: f64,
    /// Maximum depth of a contact, as a fraction of the smaller part's radius.
    pub penetration: f64,
    /// Maximum energy created by the simulation, as a fraction of the muscles' work, in addition to the energy that
    /// lifts the creature by 0.2 m.
    pub energy: f64,
    /// Maximum overlap of parts after settling, as a fraction of the thinner one's thickness. Beyond it they are
    /// entangled.
    pub entanglement: f64,
    /// Maximum number of physics steps of all trials together, including sub-steps.
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

/// The change of a parameter from generation to generation: in each, or only after generations that mastered the
/// present value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Added in each generation.
    pub per_generation: f64,
    /// Final value.
    pub until: Amount,
    /// If given, the parameter changes only after generations in which a tenth of the creatures (at least one) reached
    /// this fitness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mastery: Option<f64>,
}
