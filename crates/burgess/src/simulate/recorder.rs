//! The recording of a simulation.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use burgess_geometry::Pose;
use burgess_scene::RunningScene;
use burgess_scene::recording::{FileRecorder, RecordedBodies, RecordingError};
use burgess_scene::spec::SceneSpec;
use burgess_simulation::Simulation;

use super::Simulate;
use crate::Failed;
use crate::output::quantity;

impl Simulate {
    /// Creates the recorder, if a recording is requested.
    pub(super) fn recorder(&self, scene: &SceneSpec, running: &RunningScene) -> Result<Option<Recorder>> {
        let Some(path) = &self.record else { return Ok(None) };
        let step = running.simulation.step_length();
        let rate = match self.rate {
            None => 60f64.min(1.0 / step),
            Some(rate) if !(rate > 0.0 && rate.is_finite()) => bail!("--rate must be positive, found {rate}"),
            Some(rate) if rate * step > 1.0 + 1e-9 => {
                bail!("--rate {rate} is more than the number of steps: {} per second", quantity(1.0 / step, "").trim())
            }
            Some(rate) => rate,
        };
        let stride = (1.0 / (rate * step)).round().max(1.0);
        let mut header_scene = scene.self_contained("")?;
        if let Some(keyframe) = &self.keyframe {
            header_scene.start_from(keyframe)?;
        }
        let text = header_scene.to_toml()?;
        let bodies = RecordedBodies::new(scene, &running.bodies);
        let mut header = bodies.header(1.0 / (stride * step), text);
        header.statistics = ["energy (J)", "contacts", "penetration (m)"].map(str::to_string).to_vec();
        let file = FileRecorder::create(path, header).map_err(|error| cannot_record(error, path))?;
        Ok(Some(Recorder { file, path: path.clone(), stride: stride as u64, bodies, poses: Vec::new() }))
    }
}

/// A recording in progress.
pub(super) struct Recorder {
    file: FileRecorder,
    path: PathBuf,
    /// Number of steps from frame to frame.
    stride: u64,
    bodies: RecordedBodies,
    poses: Vec<Pose>,
}

/// A finished recording.
pub(super) struct Recorded {
    pub path: PathBuf,
    pub frames: u64,
}

impl Recorder {
    pub fn after_step(&mut self, step: u64, simulation: &mut Simulation) -> Result<()> {
        if step.is_multiple_of(self.stride) { self.frame(simulation) } else { Ok(()) }
    }

    pub fn frame(&mut self, simulation: &mut Simulation) -> Result<()> {
        // Computing the energy updates the workspace to the current state.
        let energy = simulation.energy();
        let statistics = *simulation.statistics();
        let numbers = [energy, statistics.contacts as f64, statistics.penetration];
        self.bodies.poses(simulation.world(), &simulation.data().workspace, &mut self.poses);
        let written = self.file.frame(simulation.state().time, &self.poses, &numbers);
        written.map_err(|error| failed(error, &self.path))
    }

    pub fn finish(self) -> Result<Recorded> {
        let frames = self.file.frames();
        self.file.finish().map_err(|error| failed(error, &self.path))?;
        Ok(Recorded { path: self.path, frames })
    }
}

fn cannot_record(error: RecordingError, path: &Path) -> anyhow::Error {
    anyhow!("cannot record to {}: {error}", path.display())
}

fn failed(error: RecordingError, path: &Path) -> anyhow::Error {
    Failed(cannot_record(error, path)).into()
}
