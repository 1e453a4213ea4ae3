//! What flesh is like: the same for all creatures of an experiment, and no part of any genome.

use serde::{Deserialize, Serialize};

use crate::viability::Viability;

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
            brain_rate: 60.0,
            self_collision: true,
            viability: Viability::default(),
        }
    }
}

impl Physiology {
    /// Largest effort of a joint whose cross-section is `area` (m^2), in N m.
    pub fn max_effort(&self, area: f64) -> f64 {
        self.strength * area
    }
}
