//! Reflexes: senses that change the rate and the amplitude of a joint's motion.
//!
//! Both limbs of a pair have the same reflexes. Lateral senses of the trunk (its roll, a target on the left) are
//! mirrored for the limbs of the left side, so that a creature can steer.

use serde::{Deserialize, Serialize};

use super::settings::LeggedMutation;
use crate::bounds::require;
use crate::brain::Feedback;
use crate::random::Random;
use crate::senses::{Sense, sense_index};

/// Bounds of a weight.
pub const WEIGHT: [f64; 2] = [-2.0, 2.0];

/// The part whose sense is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feeler {
    /// The segment that the joint moves.
    Segment,
    /// The trunk.
    Trunk,
}

/// A sense that changes an actuator function.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reflex {
    /// Part whose sense is used.
    pub feeler: Feeler,
    /// Sense.
    pub sense: Sense,
    /// Coefficient of the sense in the rate of the function.
    pub to_rate: f64,
    /// Coefficient of the sense in the gain of the function.
    pub to_gain: f64,
}

impl Reflex {
    /// Maximum number of reflexes of a joint.
    pub const MAX_COUNT: usize = 4;

    pub(super) fn random(random: &mut Random) -> Self {
        let feeler = if random.chance(0.5) { Feeler::Segment } else { Feeler::Trunk };
        let mut reflex =
            Self { feeler, sense: Sense::Contact, to_rate: random.normal(0.3), to_gain: random.normal(0.3) };
        (reflex.to_rate, reflex.to_gain) =
            (reflex.to_rate.clamp(WEIGHT[0], WEIGHT[1]), reflex.to_gain.clamp(WEIGHT[0], WEIGHT[1]));
        reflex.choose_sense(random);
        reflex
    }

    /// Chooses a sense that the part has: segments have one axis, the trunk has none.
    fn choose_sense(&mut self, random: &mut Random) {
        let has = |sense: &Sense| match self.feeler {
            Feeler::Segment => !matches!(sense, Sense::Angle1 | Sense::Angle2 | Sense::Rate1 | Sense::Rate2),
            Feeler::Trunk => sense.channel() >= Sense::Contact.channel(),
        };
        let count = Sense::ALL.iter().filter(|sense| has(sense)).count();
        let chosen = Sense::ALL.iter().filter(|sense| has(sense)).nth(random.below(count));
        self.sense = chosen.copied().unwrap_or(Sense::Contact);
    }

    pub(super) fn mutate(&mut self, mutation: &LeggedMutation, random: &mut Random) {
        if random.chance(mutation.feedback_senses) {
            self.feeler = if random.chance(0.5) { Feeler::Segment } else { Feeler::Trunk };
            self.choose_sense(random);
        }
        self.to_rate = mutation.feedback_weights.mutate(self.to_rate, WEIGHT, random);
        self.to_gain = mutation.feedback_weights.mutate(self.to_gain, WEIGHT, random);
    }

    /// Returns the feedback for the joint of a part, which may be on the mirrored side.
    pub(super) fn feedback(&self, part: usize, mirrored: bool) -> Feedback {
        let (part, sign) = match self.feeler {
            Feeler::Segment => (part, 1.0),
            Feeler::Trunk if mirrored && self.sense.is_lateral() => (0, -1.0),
            Feeler::Trunk => (0, 1.0),
        };
        Feedback { sense: sense_index(part, self.sense), to_rate: sign * self.to_rate, to_gain: sign * self.to_gain }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        require("the weight of a reflex on the rate", self.to_rate, WEIGHT)?;
        require("the weight of a reflex on the gain", self.to_gain, WEIGHT)
    }
}
