//! How a scene is simulated.

use std::sync::LazyLock;

pub use burgess_paradigms::Paradigm;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::is_default;
use super::paradigms::{AnalyticalTable, HybridTable, ImpulseTable, PenaltyTable, TimeSteppingTable};

/// How a scene is simulated, and what ends a run because it cannot be right. What is left out is up to the paradigm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneSettings {
    /// In s; 1/240 if left out.
    pub step: f64,
    /// The choice of modules, by its name; time-stepping if left out.
    #[serde(serialize_with = "write_paradigm", deserialize_with = "read_paradigm")]
    pub paradigm: Paradigm,
    /// May bodies start inside each other? They are pushed apart then.
    #[serde(skip_serializing_if = "is_default")]
    pub allow_overlap: bool,
    /// Nothing may be faster, in m/s and rad/s; 10,000 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_speed: Option<f64>,
    /// No contact may be deeper than this share of the smaller shape's radius; 0.5 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_penetration_share: Option<f64>,
    /// The energy may not exceed this, in J; without bound if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_energy: Option<f64>,
    /// Do bodies at rest fall asleep? With time-stepping only.
    #[serde(skip_serializing_if = "is_default")]
    pub sleeping: bool,
    /// Most sweeps of the contact solver over a group of contacts in a step. With time-stepping only. If left out it is 1000,
    /// and fewer in large groups, so that a step takes no more than a bounded time; a number that is given holds for groups
    /// of any size. Groups that may be solved directly are, after 120 sweeps at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Sweeping ends when no contact's velocity changes by more than this share of the fastest in the group. With
    /// time-stepping only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Of time-stepping.
    #[serde(skip_serializing_if = "is_default")]
    pub time_stepping: TimeSteppingTable,
    /// Of impulses alone. This table and its sisters are read for their own paradigm only and may be there with another.
    #[serde(skip_serializing_if = "is_default")]
    pub impulse: ImpulseTable,
    /// Of analytical forces.
    #[serde(skip_serializing_if = "is_default")]
    pub analytical: AnalyticalTable,
    /// Of penalty forces.
    #[serde(skip_serializing_if = "is_default")]
    pub penalty: PenaltyTable,
    /// Of impulses and forces.
    #[serde(skip_serializing_if = "is_default")]
    pub hybrid: HybridTable,
}

impl Default for SceneSettings {
    fn default() -> Self {
        Self {
            step: 1.0 / 240.0,
            paradigm: Paradigm::default(),
            allow_overlap: false,
            max_speed: None,
            max_penetration_share: None,
            max_energy: None,
            sleeping: false,
            iterations: None,
            tolerance: None,
            time_stepping: TimeSteppingTable::default(),
            impulse: ImpulseTable::default(),
            analytical: AnalyticalTable::default(),
            penalty: PenaltyTable::default(),
            hybrid: HybridTable::default(),
        }
    }
}

fn write_paradigm<S: Serializer>(paradigm: &Paradigm, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(paradigm.name())
}

fn read_paradigm<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Paradigm, D::Error> {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| Paradigm::ALL.map(Paradigm::name).to_vec());
    let name = String::deserialize(deserializer)?;
    Paradigm::from_name(&name).ok_or_else(|| D::Error::unknown_variant(&name, &NAMES))
}
