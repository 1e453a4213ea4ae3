//! Where a world comes from, and how somebody asks for it.

use serde::{Deserialize, Serialize};

use super::take::Take;

/// What is wanted on stage: the body of `POST /api/sessions`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// What.
    pub source: Source,
    /// Name of a paradigm, instead of what the source says.
    pub paradigm: Option<String>,
    /// In s, instead of what the source says.
    pub step: Option<f64>,
    /// Name of a keyframe to start from.
    pub keyframe: Option<String>,
    /// Does it wait until somebody says play?
    #[serde(default)]
    pub paused: bool,
}

impl OpenRequest {
    /// A source as it is.
    pub fn of(source: Source) -> Self {
        Self { source, paradigm: None, step: None, keyframe: None, paused: false }
    }
}

/// Where a world comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// A built-in scene.
    Scene {
        /// Its name.
        name: String,
    },
    /// A built-in creature in the arena of a task.
    Creature {
        /// Its name.
        name: String,
        /// Name of a task; its own if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<String>,
        /// Of what differs from trial to trial.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
    },
    /// One of a run as it was evaluated.
    Individual {
        /// Name of the run.
        run: String,
        /// Its number; the champion if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
    },
    /// A recording in the folder of runs.
    Recording {
        /// Its name.
        name: String,
    },
    /// Bodies that bounce.
    Bounce(BounceSource),
    /// What was on stage before.
    Take {
        /// All of it.
        take: Box<Take>,
    },
    /// A file that was named on the command line; nobody else can ask for one.
    File {
        /// For people.
        name: String,
    },
}

/// Bodies that bounce.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BounceSource {
    /// How many; 50 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<usize>,
    /// Side of the world; roomy if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<f64>,
    /// Hulls of so many corners; primitives if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertices: Option<usize>,
    /// Time of a step in hundredths; 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_size: Option<f64>,
    /// `hash`, `sweep`, `exhaustive` or `off`; `hash` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broad_phase: Option<String>,
    /// Is the hash table updated instead of built anew? Yes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coherence: Option<bool>,
}
