//! Material and muscle properties. They are the same for all creatures of an experiment and are not part of a genome.

use serde::{Deserialize, Serialize};

use crate::bounds::require;
use crate::viability::Viability;

/// Maximum of `viability.max_parts`. All joints of a body are solved together, so large bodies are slow.
pub(crate) const MAX_PARTS: usize = 256;

/// Material and strength of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Physiology {
    /// Density of all parts, in kg/m^3; by default that of water.
    pub density: f64,
    /// Maximum effort of a joint per area of its cross-section, in N m/m^2, for all its axes together. The default is
    /// 6000; a human knee has about 200 N m on 0.03 m^2.
    pub strength: f64,
    /// Joint speed at which a muscle has no force left, in rad/s. Force decreases linearly with speed.
    pub speed: f64,
    /// Rotor inertia of an axis, as a fraction of the child's own inertia about its joint.
    pub armature: f64,
    /// Stiffness of spring-driven joints, as a fraction of their strength per rad.
    pub spring_stiffness: f64,
    /// Damping of spring-driven joints, as a fraction of their strength per rad/s.
    pub spring_damping: f64,
    /// Stiffness of spring limits, as a fraction of the joint's strength per rad; 0 for hard limits.
    pub limit_stiffness: f64,
    /// Damping of spring limits, as a fraction of the joint's strength per rad/s.
    pub limit_damping: f64,
    /// Update rate of the brain, in Hz. Fontijne (2000) uses 25.
    pub brain_rate: f64,
    /// Whether parts that are not attached to each other collide.
    pub self_collision: bool,
    /// Limits on the size and overlap of parts.
    pub viability: Viability,
}

impl Default for Physiology {
    fn default() -> Self {
        Self {
            density: 1000.0,
            strength: 6000.0,
            speed: 20.0,
            armature: 0.02,
            spring_stiffness: 5.0,
            spring_damping: 0.25,
            limit_stiffness: 50.0,
            limit_damping: 1.0,
            brain_rate: 60.0,
            self_collision: true,
            viability: Viability::default(),
        }
    }
}

impl Physiology {
    /// Checks that all numbers are within their bounds. The error is the reason.
    pub fn validate(&self) -> Result<(), String> {
        let Viability { min_part_volume, min_thickness, min_volume, max_volume, max_depth, .. } = self.viability;
        let bounds = [
            ("density", self.density, 1.0, 1e5),
            ("strength", self.strength, 0.0, 1e9),
            ("speed", self.speed, 0.01, 1e4),
            ("armature", self.armature, 0.0, 100.0),
            ("spring_stiffness", self.spring_stiffness, 0.0, 1e4),
            ("spring_damping", self.spring_damping, 0.0, 1e4),
            ("limit_stiffness", self.limit_stiffness, 0.0, 1e6),
            ("limit_damping", self.limit_damping, 0.0, 1e6),
            ("brain_rate", self.brain_rate, 1.0, 1000.0),
            ("viability.min_part_volume", min_part_volume, 1e-9, 1e3),
            ("viability.min_thickness", min_thickness, 1e-3, 1.0),
            ("viability.min_volume", min_volume, 0.0, 1e3),
            ("viability.max_volume", max_volume, min_volume, 1e3),
            ("viability.max_depth", max_depth, 0.0, 1.0),
        ];
        for (name, value, low, high) in bounds {
            require(name, value, [low, high])?;
        }
        match self.viability.max_parts {
            parts if parts <= MAX_PARTS => Ok(()),
            parts => Err(format!("viability.max_parts is {parts}, more than {MAX_PARTS}")),
        }
    }

    /// Returns the maximum effort of a joint with the cross-section `area` (m^2), in N m.
    pub fn max_effort(&self, area: f64) -> f64 {
        self.strength * area
    }
}
