//! A pair of limbs with two segments each, mirror images of each other.

use glam::DQuat;
use serde::{Deserialize, Serialize};

use super::bounds::{bounded, random_in};
use super::joint::{Hinge, LegDrive, LegJoint};
use super::settings::{LeggedMutation, LeggedSettings};
use crate::bounds::require;
use crate::random::Random;

/// Bounds of the length of a segment, in m.
pub const LENGTH: [f64; 2] = [0.06, 0.5];

/// Bounds of the radius of a limb, in m.
pub const RADIUS: [f64; 2] = [0.015, 0.08];

/// A pair of limbs, described by its right limb.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimbPair {
    /// Dimensions of the segments.
    pub shape: LimbShape,
    /// Joint between the trunk and the upper segment.
    pub hip: LegJoint,
    /// Joint between the segments.
    pub knee: LegJoint,
    /// Phase between the limbs of the two sides.
    pub gait: Gait,
}

/// Dimensions of two frusta whose radii match at the knee, in m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimbShape {
    /// Length of the segment at the trunk.
    pub upper_length: f64,
    /// Length of the other segment.
    pub lower_length: f64,
    /// Radius where the limb leaves the trunk.
    pub hip_radius: f64,
    /// Radius where the segments meet.
    pub knee_radius: f64,
    /// Radius at the end.
    pub foot_radius: f64,
}

/// The phase between the limbs of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gait {
    /// Both limbs move at the same time.
    Hopping,
    /// The limbs move half a period apart.
    Alternating,
}

impl LimbShape {
    fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        let mut length = || bounded(random_in(settings.lengths, random), LENGTH);
        let (upper_length, lower_length) = (length(), length());
        let mut radius = || bounded(random_in(settings.radii, random), RADIUS);
        Self { upper_length, lower_length, hip_radius: radius(), knee_radius: radius(), foot_radius: radius() }
    }

    fn mutate(&mut self, mutation: &LeggedMutation, random: &mut Random) {
        for length in [&mut self.upper_length, &mut self.lower_length] {
            *length = mutation.lengths.mutate(*length, LENGTH, random);
        }
        for radius in [&mut self.hip_radius, &mut self.knee_radius, &mut self.foot_radius] {
            *radius = mutation.radii.mutate(*radius, RADIUS, random);
        }
    }

    fn validate(&self) -> Result<(), String> {
        require("the length of an upper segment", self.upper_length, LENGTH)?;
        require("the length of a lower segment", self.lower_length, LENGTH)?;
        require("the radius of a hip", self.hip_radius, RADIUS)?;
        require("the radius of a knee", self.knee_radius, RADIUS)?;
        require("the radius of a foot", self.foot_radius, RADIUS)
    }
}

impl Gait {
    fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        if random.chance(settings.alternating) { Self::Alternating } else { Self::Hopping }
    }

    fn other(self) -> Self {
        match self {
            Self::Hopping => Self::Alternating,
            Self::Alternating => Self::Hopping,
        }
    }
}

impl LimbPair {
    /// Returns a random pair. Upper segments point outwards, lower ones down, with random deviations.
    pub(super) fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        let mut joint = |rest: DQuat| LegJoint {
            hinge: Hinge::random(rest, settings, random),
            drive: LegDrive::random(settings, random),
        };
        let (hip, knee) = (joint(DQuat::from_rotation_x(-0.8)), joint(DQuat::from_rotation_x(0.7)));
        Self { shape: LimbShape::random(settings, random), hip, knee, gait: Gait::random(settings, random) }
    }

    pub(super) fn mutate(&mut self, settings: &LeggedSettings, random: &mut Random) {
        self.shape.mutate(&settings.mutation, random);
        for joint in [&mut self.hip, &mut self.knee] {
            joint.hinge.mutate(&settings.mutation, random);
            joint.drive.mutate(settings, random);
        }
        if random.chance(settings.mutation.gaits) {
            self.gait = self.gait.other();
        }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        self.shape.validate()?;
        self.hip.validate()?;
        self.knee.validate()
    }
}
