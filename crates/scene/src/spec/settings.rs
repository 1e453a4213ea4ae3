//! How a scene is simulated.

use serde::{Deserialize, Serialize};

use super::is_default;

/// A named choice of the simulator's modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paradigm {
    /// Velocity-level time stepping: fast, and good at stacks.
    #[default]
    TimeStepping,
    /// All contact by impulses.
    Impulse,
    /// Contact forces from a complementarity problem.
    Analytical,
    /// Springs where bodies overlap.
    Penalty,
    /// Impulses for collisions, forces for rest.
    Hybrid,
}

impl Paradigm {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::TimeStepping, Self::Impulse, Self::Analytical, Self::Penalty, Self::Hybrid];

    /// The one with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|paradigm| paradigm.name() == name)
    }

    /// As in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeStepping => "time-stepping",
            Self::Impulse => "impulse",
            Self::Analytical => "analytical",
            Self::Penalty => "penalty",
            Self::Hybrid => "hybrid",
        }
    }
}

/// How a scene is simulated. What is left out is up to the paradigm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneSettings {
    /// In s; 1/240 if left out.
    pub step: f64,
    /// The choice of modules.
    pub paradigm: Paradigm,
    /// Do bodies at rest fall asleep?
    #[serde(skip_serializing_if = "is_default")]
    pub sleeping: bool,
    /// Most iterations of the contact solver in a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Relative residual at which the contact solver stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Distance at which bodies count as touching, in m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_distance: Option<f64>,
}

impl Default for SceneSettings {
    fn default() -> Self {
        Self {
            step: 1.0 / 240.0,
            paradigm: Paradigm::default(),
            sleeping: false,
            iterations: None,
            tolerance: None,
            contact_distance: None,
        }
    }
}
