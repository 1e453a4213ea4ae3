//! Descriptors: body and behaviour of a creature in a few numbers, which archives of diverse creatures are ordered by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The descriptors of a creature in a trial.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Descriptors {
    /// Number of parts.
    pub parts: usize,
    /// Height from the lowest to the highest point after settling, in m.
    pub height: f64,
    /// Mass, in kg.
    pub mass: f64,
    /// Number of joints that moved by more than 0.1 rad about any axis.
    pub active_joints: usize,
    /// Strongest frequency in the motion of the joints, in Hz; 0 if nothing repeats.
    pub gait_frequency: f64,
    /// For each part, the fraction of the time in which it touches anything other than its own body.
    pub duty_factors: Vec<f64>,
    /// Straight distance divided by the length of the path, 0 to 1.
    pub straightness: f64,
}

impl Descriptors {
    /// Names of the numbers in [`Descriptors::named`].
    pub const NAMES: [&str; 7] =
        ["parts", "height", "mass", "active_joints", "gait_frequency", "duty_factor", "straightness"];

    /// Units of the numbers in [`Descriptors::named`], in the order of [`Descriptors::NAMES`]. Plain numbers have an
    /// empty one.
    pub const UNITS: [&str; 7] = ["", "m", "kg", "", "Hz", "", ""];

    /// Returns the descriptors as named numbers, all finite.
    pub fn named(&self) -> BTreeMap<String, f64> {
        let values = [
            self.parts as f64,
            self.height,
            self.mass,
            self.active_joints as f64,
            self.gait_frequency,
            self.duty_factor(),
            self.straightness,
        ];
        Self::NAMES.iter().map(|name| name.to_string()).zip(values).collect()
    }

    /// Returns the mean duty factor of the parts that touch anything; 0 if none does.
    pub fn duty_factor(&self) -> f64 {
        let touching = || self.duty_factors.iter().filter(|&&share| share > 0.0);
        touching().sum::<f64>() / touching().count().max(1) as f64
    }
}
