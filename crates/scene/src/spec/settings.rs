//! Settings of the simulation.

use std::sync::LazyLock;

pub use burgess_paradigms::Paradigm;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::is_default;
use super::paradigms::{AnalyticalTable, HybridTable, ImpulseTable, PenaltyTable, TimeSteppingTable};

/// Settings of the simulation, and bounds beyond which a run ends with an error. What is left out is up to the
/// paradigm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneSettings {
    /// Step, in s; 1/240 if left out.
    pub step: f64,
    /// Paradigm; time-stepping if left out.
    #[serde(serialize_with = "write_paradigm", deserialize_with = "read_paradigm")]
    pub paradigm: Paradigm,
    /// Accept bodies that overlap at the start; they are pushed apart.
    #[serde(skip_serializing_if = "is_default")]
    pub allow_overlap: bool,
    /// Largest speed, in m/s; rotation counts 0.1 m from the axis. 10,000 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_speed: Option<f64>,
    /// Largest penetration as a share of the smaller shape's radius; 0.5 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_penetration_share: Option<f64>,
    /// Largest energy, in J; unbounded if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_energy: Option<f64>,
    /// Let bodies at rest sleep. With time-stepping only.
    #[serde(skip_serializing_if = "is_default")]
    pub sleeping: bool,
    /// Largest number of sweeps of the contact solver over a group of contacts in a step. With time-stepping only. If
    /// left out it is 1000, and fewer in large groups, so that a step takes no more than a bounded time; a number that
    /// is given holds for groups of any size. Groups that may be solved directly are, after 120 sweeps at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Sweeping ends when no contact's velocity changes by more than this share of the fastest in the group. With
    /// time-stepping only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Settings of time-stepping.
    #[serde(skip_serializing_if = "is_default")]
    pub time_stepping: TimeSteppingTable,
    /// Settings of the paradigm `impulse`. The table of a paradigm that is not chosen is allowed and has no effect.
    #[serde(skip_serializing_if = "is_default")]
    pub impulse: ImpulseTable,
    /// Settings of the paradigm `analytical`.
    #[serde(skip_serializing_if = "is_default")]
    pub analytical: AnalyticalTable,
    /// Settings of the paradigm `penalty`.
    #[serde(skip_serializing_if = "is_default")]
    pub penalty: PenaltyTable,
    /// Settings of the paradigm `hybrid`.
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
