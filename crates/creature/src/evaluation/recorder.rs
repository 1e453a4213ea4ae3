//! Recording of a trial in memory.

use burgess_geometry::Pose;
use burgess_scene::RunningScene;
use burgess_scene::recording::{RecordedBodies, RecordingWriter};
use burgess_scene::spec::SceneSpec;

/// Writes frames at regular times.
pub(super) struct Recorder {
    bodies: RecordedBodies,
    writer: Option<RecordingWriter<Vec<u8>>>,
    rate: f64,
    frames: u64,
    poses: Vec<Pose>,
}

impl Recorder {
    /// Creates a recorder of a running scene with the given number of frames per second.
    pub fn new(spec: &SceneSpec, scene: &RunningScene, rate: f64) -> Self {
        let bodies = RecordedBodies::new(spec, &scene.bodies);
        let header = bodies.header(rate, spec.to_toml().unwrap_or_default());
        let writer = RecordingWriter::new(Vec::new(), header).ok();
        Self { bodies, writer, rate, frames: 0, poses: Vec::new() }
    }

    /// Writes a frame if one is due.
    pub fn frame(&mut self, scene: &mut RunningScene) {
        let time = scene.simulation.state().time;
        if self.frames as f64 <= time * self.rate + 1e-6 {
            self.frames += 1;
            scene.simulation.data_mut().update_kinematics();
            let data = scene.simulation.data();
            self.bodies.poses(&data.world, &data.workspace, &mut self.poses);
            // Writing to memory cannot fail, and poses that are not finite have ended the trial before.
            if let Some(writer) = &mut self.writer {
                let _ = writer.frame(time, &self.poses, &[]);
            }
        }
    }

    /// Writes the last frame and returns all bytes.
    pub fn finish(mut self, scene: &mut RunningScene) -> Option<Vec<u8>> {
        self.frame(scene);
        self.writer.and_then(|writer| writer.finish().ok())
    }
}
