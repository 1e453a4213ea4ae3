//! The joint of a limb segment: a single hinge with a rest orientation, and its drive.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::bounds::{bounded, random_in};
use super::reflex::Reflex;
use super::settings::{LeggedMutation, LeggedSettings};
use super::spectrum::Spectrum;
use crate::bounds::require;
use crate::random::Random;

/// Bounds of the angle by which a hinge turns to one side, in rad.
pub const LIMIT: [f64; 2] = [0.05, 0.8 * PI];

/// A joint with its drive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegJoint {
    /// Geometry of the joint.
    pub hinge: Hinge,
    /// Drive of the joint.
    pub drive: LegDrive,
}

/// The hinge between a segment and its parent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hinge {
    /// Orientation of the segment in its parent's frame when the hinge is at zero.
    pub rest: DQuat,
    /// Rotation of the y axis of the parent's frame into the axis of the hinge.
    pub axis: DQuat,
    /// Lowest (negative) and highest (positive) angle, in rad.
    pub limit: [f64; 2],
}

/// The drive of a joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegDrive {
    /// Angle that a spring pulls towards, as a function of time.
    pub spectrum: Spectrum,
    /// Senses that change the actuator function.
    pub reflexes: Vec<Reflex>,
}

impl Hinge {
    /// Returns the unit vector along the hinge in the frame of the segment at rest.
    pub fn direction(&self) -> DVec3 {
        (self.rest.conjugate() * (self.axis * DVec3::Y)).normalize_or(DVec3::Y)
    }

    /// Returns a random hinge near a rest orientation.
    pub(super) fn random(rest: DQuat, settings: &LeggedSettings, random: &mut Random) -> Self {
        let rest = unit(rest * random.turn(settings.orientation_spread));
        let axis = unit(random.turn(settings.axis_spread));
        let mut range = || bounded(random_in(settings.limits, random), LIMIT);
        Self { rest, axis, limit: [-range(), range()] }
    }

    pub(super) fn mutate(&mut self, mutation: &LeggedMutation, random: &mut Random) {
        self.rest = turned(self.rest, mutation, random);
        self.axis = turned(self.axis, mutation, random);
        self.limit[0] = mutation.limits.mutate(self.limit[0], [-LIMIT[1], -LIMIT[0]], random);
        self.limit[1] = mutation.limits.mutate(self.limit[1], LIMIT, random);
    }

    fn validate(&self) -> Result<(), String> {
        for (what, rotation) in [("rest orientation", self.rest), ("axis", self.axis)] {
            require(
                &format!("the length of the quaternion of a hinge's {what}"),
                rotation.length(),
                [0.999_999, 1.000_001],
            )?;
        }
        require("the lower limit of a hinge", self.limit[0], [-LIMIT[1], -LIMIT[0]])?;
        require("the upper limit of a hinge", self.limit[1], LIMIT)
    }
}

impl LegDrive {
    pub(super) fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        let spectrum = Spectrum::random(settings, random);
        let count = random.below(settings.max_feedbacks.min(Reflex::MAX_COUNT) + 1);
        Self { spectrum, reflexes: (0..count).map(|_| Reflex::random(random)).collect() }
    }

    pub(super) fn mutate(&mut self, settings: &LeggedSettings, random: &mut Random) {
        self.spectrum.mutate(settings, random);
        let mutation = &settings.mutation;
        if random.chance(mutation.feedback_number) && !self.reflexes.is_empty() {
            self.reflexes.remove(random.below(self.reflexes.len()));
        }
        if random.chance(mutation.feedback_number) {
            self.reflexes.push(Reflex::random(random));
        }
        for reflex in &mut self.reflexes {
            reflex.mutate(mutation, random);
        }
    }

    fn validate(&self) -> Result<(), String> {
        if self.reflexes.len() > Reflex::MAX_COUNT {
            return Err(format!(
                "a joint has {} reflexes, expected {} at most",
                self.reflexes.len(),
                Reflex::MAX_COUNT
            ));
        }
        self.reflexes.iter().try_for_each(Reflex::validate)?;
        self.spectrum.validate()
    }
}

impl LegJoint {
    pub(super) fn validate(&self) -> Result<(), String> {
        self.hinge.validate()?;
        self.drive.validate()
    }
}

/// Mutates angle and axis of a rotation (Arnold (1997) section 3.2.1).
fn turned(rotation: DQuat, mutation: &LeggedMutation, random: &mut Random) -> DQuat {
    let (old_axis, old_angle) = rotation.to_axis_angle();
    // The identity has no axis, so any axis will do.
    let old_axis = if old_angle.abs() < 1e-9 { random.direction() } else { old_axis };
    let mut component = |value: f64| mutation.turn_axes.mutate(value, [-2.0, 2.0], random);
    let axis = DVec3::new(component(old_axis.x), component(old_axis.y), component(old_axis.z));
    let angle = mutation.turn_angles.mutate(old_angle, [-2.0 * PI, 2.0 * PI], random);
    // Unchanged values keep their bits.
    let is_same = axis == old_axis && angle == old_angle;
    if is_same { rotation } else { unit(DQuat::from_axis_angle(axis.normalize_or(old_axis), angle)) }
}

/// Normalizes a quaternion; the identity if it has no length.
pub(super) fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length.is_finite() && length > 0.0 { rotation.normalize() } else { DQuat::IDENTITY }
}
