//! Evaluation of a creature by an engine.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use burgess_creature::evaluation::{Evaluation, EvaluationOptions, evaluate_moved};
use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, Unviable};

use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf::{self, StateMap};
use burgess_scene::RunningScene;
use burgess_scene::spec::SceneSpec;
use thiserror::Error;

use crate::control::{EngineControl, EngineFailure};
use crate::engine::{Engine, EngineError};

/// Limit on quantities that Burgess bounds in its own simulations. The errors of another simulator are not its subject.
const NO_LIMIT: f64 = 1e9;

/// Why a creature cannot be judged.
#[derive(Debug, Error)]
pub enum RefereeError {
    /// The genome does not grow into a body.
    #[error("the body is not viable: {0}")]
    Unviable(#[from] Unviable),
    /// The scene cannot be exported.
    #[error("the scene cannot be exported: {0}")]
    Export(String),
    /// The engine failed.
    #[error("the other simulator failed: {0}")]
    Engine(#[from] EngineError),
}

/// The result of an evaluation by an engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The evaluation, as Burgess does it.
    pub evaluation: Evaluation,
    /// What could not be exported, each once.
    pub warnings: Vec<String>,
}

/// A scene as MJCF, and the conversion of its states.
pub(crate) fn exported(scene: &SceneSpec) -> Result<(String, StateMap, Vec<String>), RefereeError> {
    let failed = |error: &dyn std::fmt::Display| RefereeError::Export(error.to_string());
    let exported = mjcf::export(scene, Path::new(".")).map_err(|error| failed(&error))?;
    let imported = mjcf::import_text(&exported.xml, "creature.xml", &ImportOptions::default());
    let states = imported.map_err(|error| failed(&error))?.states;
    Ok((exported.xml, states, exported.warnings.iter().map(ToString::to_string).collect()))
}

/// Loads a body, given as MJCF, into an engine.
pub type Load<'a> = dyn FnMut(&str) -> Result<Box<dyn Engine>, EngineError> + 'a;

/// Evaluates a genome at a task while an engine moves its body. `load` is called for each trial with the MJCF of its
/// scene.
pub fn judge(genome: &AnyGenome, task: &Task, seed: u64, load: &mut Load) -> Result<Judgement, RefereeError> {
    let phenotype = genome.grow(&task.physiology)?;
    let mut task = task.clone();
    (task.limits.penetration, task.limits.energy, task.limits.entanglement) = (NO_LIMIT, NO_LIMIT, NO_LIMIT);
    let failure: EngineFailure = Arc::new(Mutex::new(None));
    let (mut refusal, mut all_warnings) = (None, Vec::new());
    let mut prepare = |scene: &SceneSpec, running: &mut RunningScene| {
        let made = exported(scene).and_then(|(xml, map, warnings)| {
            all_warnings.extend(warnings);
            Ok(EngineControl::new(load(&xml)?, map, scene, running, Arc::clone(&failure)))
        });
        match made {
            Ok(control) => drop(running.simulation.replace_time_control(Box::new(control))),
            Err(error) => refusal = Some(error),
        }
    };
    let evaluation = evaluate_moved(&phenotype, &task, seed, &EvaluationOptions::default(), &mut prepare);
    if let Some(error) = refusal {
        return Err(error);
    }
    if let Some(error) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error.into());
    }
    all_warnings.sort();
    all_warnings.dedup();
    Ok(Judgement { evaluation, warnings: all_warnings })
}
