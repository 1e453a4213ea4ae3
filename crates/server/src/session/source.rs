//! The subject of a session, and the request that opens one.

use std::path::Path;

use burgess_catalog::{Arena, Origin, Subject};
use burgess_creature::task::Task;
use serde::{Deserialize, Serialize};

use super::library::Library;
use super::take::Take;

/// The body of `POST /api/sessions`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "NewSession"))]
pub struct OpenRequest {
    /// What to show.
    pub source: Source,
    /// Name of a paradigm. Defaults to that of the source.
    pub paradigm: Option<String>,
    /// Length of a step, in s. Defaults to that of the source.
    pub step: Option<f64>,
    /// Name of the keyframe to start from.
    pub keyframe: Option<String>,
    /// Whether the session starts paused.
    #[serde(default)]
    pub paused: bool,
}

impl Source {
    /// The built-in scene with a name, or else the built-in creature.
    pub fn built_in(name: String) -> Self {
        let is_scene = burgess_catalog::builtin_scenes().iter().any(|(scene, _)| *scene == name);
        if is_scene { Self::Scene { name } } else { Self::Creature { name, task: None, seed: None } }
    }
}

impl OpenRequest {
    /// Creates a request for a source with its own settings.
    pub fn of(source: Source) -> Self {
        Self { source, paradigm: None, step: None, keyframe: None, paused: false }
    }
}

/// The subject of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// A built-in scene.
    Scene {
        /// Name of the scene.
        name: String,
    },
    /// A built-in creature in the arena of a task.
    Creature {
        /// Name of the creature.
        name: String,
        /// Name of a task. Defaults to the creature's own task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<String>,
        /// Seed of the trial. Defaults to 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
    },
    /// An individual of a run, as it was evaluated.
    Individual {
        /// Name of the run.
        run: String,
        /// Id of the individual. Defaults to the champion.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
    },
    /// A recording in the run directory.
    Recording {
        /// File name.
        name: String,
    },
    /// The collision demonstration of `burgess bounce`.
    Bounce(BounceSource),
    /// A recorded session.
    Take {
        /// The content of the take.
        take: Box<Take>,
    },
    /// A scene as text.
    Text {
        /// Name of the text, such as that of its file.
        name: String,
        /// The text, in TOML. Defaults to that of the scene file with this name in the run directory. Lists of sessions
        /// leave it out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A file named on the command line. Clients cannot request one.
    File(FileSource),
}

/// A file named on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct FileSource {
    /// Name for display.
    pub name: String,
    /// The file as it was named, so that `burgess watch` can replay a take of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Task that was chosen for a creature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Seed that was chosen for a creature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Source {
    /// The same source without a text, for lists.
    pub fn brief(self) -> Self {
        match self {
            Self::Text { name, .. } => Self::Text { name, text: None },
            other => other,
        }
    }

    /// The source by which clients can open the same subject; none if they cannot.
    pub fn of_subject(subject: &Subject, arena: &Arena, library: &Library) -> Option<Self> {
        let in_library = |run: &Path| {
            let stem = run.file_stem().and_then(|stem| stem.to_str())?;
            let known = library.run(stem).ok()?;
            (known == run.canonicalize().ok()?).then(|| stem.to_string())
        };
        match subject {
            Subject::Creature(Origin::Builtin(name)) => {
                let is_known = arena.task.as_ref().is_none_or(|task| Task::preset(task).is_ok());
                let (name, task, seed) = (name.to_string(), arena.task.clone(), arena.seed);
                is_known.then_some(Self::Creature { name, task, seed })
            }
            Subject::Scene(Origin::Builtin(name)) => Some(Self::Scene { name: name.to_string() }),
            Subject::Run(run) if !arena.is_given() => Some(Self::Individual { run: in_library(run)?, id: None }),
            Subject::Individual { run, id } if !arena.is_given() => {
                Some(Self::Individual { run: in_library(run)?, id: Some(*id) })
            }
            _ => None,
        }
    }
}

/// Options of the collision demonstration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct BounceSource {
    /// Number of bodies. Defaults to 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<usize>,
    /// Side length of the world. By default the bodies have ample space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<f64>,
    /// Number of vertices of each hull. By default the bodies are primitives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertices: Option<usize>,
    /// Length of a step in hundredths of a time unit. Defaults to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_size: Option<f64>,
    /// Broad phase: `hash` (the default), `sweep`, `exhaustive` or `off`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broad_phase: Option<String>,
    /// Whether the hash table is updated incrementally (the default) instead of rebuilt at each step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coherence: Option<bool>,
}
