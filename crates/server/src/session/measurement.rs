//! Measurement of the speed of a copy of the world, before an edit is made to the world itself. The copy starts from the
//! present state and is stepped on a thread of its own, so the session is neither changed nor delayed. Bodies that viewers
//! hold are free in the copy.

use std::sync::Arc;
use std::time::{Duration, Instant};

use burgess_paradigms::Paradigm;
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::Snapshot;
use serde::Serialize;

use super::apply_edit::apply_edit;
use super::current_world::{CurrentWorld, Original};
use super::edit::Edit;
use super::grab::GrabController;

/// Time after which no further step is measured.
const MAX_TIME: Duration = Duration::from_millis(400);
/// Maximum number of measured steps: enough for a median over different contacts.
const MAX_STEPS: usize = 2000;

/// A copy of a world and an edit to it.
#[derive(Debug)]
pub struct Trial {
    /// The initial scene or creature.
    pub original: Arc<Original>,
    /// The scene with all edits so far.
    pub scene: SceneSpec,
    /// Options of the simulation.
    pub options: RunOptions,
    /// The present state.
    pub snapshot: Snapshot,
    /// The present paradigm.
    pub paradigm: Paradigm,
    /// The edit.
    pub edit: Edit,
    /// Overrides of the controls of actuators.
    pub overrides: Vec<Option<f64>>,
}

/// The measured speed of a copy of the world.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Measurement {
    /// Name of the paradigm.
    pub paradigm: &'static str,
    /// Length of a step, in s.
    pub step: f64,
    /// Whether bodies at rest sleep.
    pub sleeping: bool,
    /// Number of steps that were measured.
    pub steps: u64,
    /// Simulated seconds per second.
    pub factor: f64,
    /// Reason why the copy could not be simulated further.
    pub failure: Option<String>,
}

impl Trial {
    /// Builds the copy and measures its steps; or returns a sentence that says why it cannot be built.
    pub fn run(self) -> Result<Measurement, String> {
        let Self { original, mut scene, mut options, snapshot, paradigm, edit, overrides } = self;
        apply_edit(&mut scene, &mut options, &edit)?;
        let mut current = CurrentWorld::build(&original, scene, options, &Arc::new(GrabController::default()))?;
        current.continue_from(snapshot, paradigm, &edit, &overrides);
        let (mut durations, mut failure) = (Vec::new(), None);
        let simulation = &mut current.running.simulation;
        let start = Instant::now();
        while durations.len() < MAX_STEPS && start.elapsed() < MAX_TIME {
            let before = Instant::now();
            if let Err(why) = simulation.step() {
                failure = Some(why.to_string());
                break;
            }
            durations.push(before.elapsed().as_secs_f64());
        }
        // Unlike the mean, the median does not depend on steps in which another program had the processor.
        durations.sort_unstable_by(f64::total_cmp);
        let seconds = durations.get(durations.len() / 2).map_or(f64::INFINITY, |median| median.max(1e-9));
        Ok(Measurement {
            paradigm: current.running.paradigm.name(),
            step: simulation.step_length(),
            sleeping: current.scene.simulation.sleeping,
            steps: durations.len() as u64,
            factor: simulation.step_length() / seconds,
            failure,
        })
    }
}
