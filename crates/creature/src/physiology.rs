//! What flesh is like: the same for all creatures of an experiment, and no part of any genome.

use serde::{Deserialize, Serialize};

use crate::bounds::require;
use crate::viability::Viability;

/// No experiment may ask for bodies of more parts: their joints are solved together.
pub(crate) const MOST_PARTS: usize = 256;

/// What bodies are made of and how strong they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Physiology {
    /// Of all parts, in kg/m^3; that of water if left out.
    pub density: f64,
    /// Largest effort of a joint per area of its cross-section, in N m/m^2; 6000 if left out (a human knee has some 200 N m on
    /// 0.03 m^2). It holds for all axes of a joint together.
    pub strength: f64,
    /// Joint speed at which a muscle has no force left, in rad/s; force falls in proportion to the speed.
    pub speed: f64,
    /// Inertia of the drive of an axis, as a share of the child's own inertia about its joint.
    pub armature: f64,
    /// Stiffness of joints that springs drive, as a share of their strength per rad.
    pub spring_stiffness: f64,
    /// Damping of those springs, as a share of the strength per rad/s.
    pub spring_damping: f64,
    /// Stiffness of joint limits that springs hold, as a share of the joint's strength per rad; hard at 0.
    pub limit_stiffness: f64,
    /// Their damping, as a share of the strength per rad/s.
    pub limit_damping: f64,
    /// How often the brain is updated, in Hz; 000 has 25.
    pub brain_rate: f64,
    /// Do parts that are not neighbours collide?
    pub self_collision: bool,
    /// What is too large, too small or too entangled to live.
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
    /// Can anything live like that? The reason, if not.
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
            parts if parts <= MOST_PARTS => Ok(()),
            parts => Err(format!("viability.max_parts is {parts}, more than {MOST_PARTS}")),
        }
    }

    /// Largest effort of a joint whose cross-section is `area` (m^2), in N m.
    pub fn max_effort(&self, area: f64) -> f64 {
        self.strength * area
    }
}
