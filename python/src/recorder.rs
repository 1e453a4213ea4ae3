//! Recordings that are made while a world is stepped.

use std::path::Path;

use burgess_geometry::Pose;
use burgess_scene::RunningScene;
use burgess_scene::recording::{FileRecorder, RecordedBodies};
use burgess_scene::spec::SceneSpec;

/// A recording in progress.
#[derive(Debug)]
pub struct Recorder {
    file: FileRecorder,
    bodies: RecordedBodies,
    poses: Vec<Pose>,
    /// Number of steps from frame to frame.
    stride: u64,
    /// Number of the first step.
    first: u64,
}

impl Recorder {
    /// Starts a recording with about `rate` frames per second, as near as whole steps allow.
    pub fn create(path: &Path, rate: f64, scene: &SceneSpec, running: &RunningScene) -> Result<Self, String> {
        let step = running.simulation.step_length();
        if !(rate > 0.0 && rate * step <= 1.0 + 1e-9) {
            let most = 1.0 / step;
            return Err(format!("the rate must be more than 0 and at most {most} frames per second, found {rate}"));
        }
        let stride = (1.0 / (rate * step)).round().max(1.0);
        let text = scene.self_contained("").and_then(|scene| scene.to_toml()).map_err(|error| error.to_string())?;
        let bodies = RecordedBodies::new(scene, &running.bodies);
        let mut header = bodies.header(1.0 / (stride * step), text);
        header.statistics = ["energy (J)", "contacts", "penetration (m)"].map(str::to_string).to_vec();
        let file = FileRecorder::create(path, header).map_err(|error| format!("{}: {error}", path.display()))?;
        let first = running.simulation.steps();
        Ok(Self { file, bodies, poses: Vec::new(), stride: stride as u64, first })
    }

    /// Writes a frame if one is due.
    pub fn before_step(&mut self, running: &mut RunningScene) -> Result<(), String> {
        let steps = running.simulation.steps();
        if steps >= self.first && (steps - self.first).is_multiple_of(self.stride) {
            self.frame(running)
        } else {
            Ok(())
        }
    }

    fn frame(&mut self, running: &mut RunningScene) -> Result<(), String> {
        // Computing the energy updates the workspace to the present state.
        let energy = running.simulation.energy();
        let statistics = *running.simulation.statistics();
        let numbers = [energy, statistics.contacts as f64, statistics.penetration];
        self.bodies.poses(running.simulation.world(), &running.simulation.data().workspace, &mut self.poses);
        let written = self.file.frame(running.simulation.state().time, &self.poses, &numbers);
        written.map_err(|error| error.to_string())
    }

    /// Writes the last frame and returns the number of frames.
    pub fn finish(mut self, running: &mut RunningScene) -> Result<u64, String> {
        self.before_step(running)?;
        let frames = self.file.frames();
        self.file.finish().map_err(|error| error.to_string())?;
        Ok(frames)
    }
}
