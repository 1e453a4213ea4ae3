//! A scene, a model or a creature in motion, without Python.

use burgess_creature::evaluation::TrialPreview;
use burgess_creature::inhabited::InhabitedScene;
use burgess_geometry::Pose;
use burgess_pictures::{PictureOptions, SceneBodies};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::{Snapshot, WorldContact};
use glam::DVec3;

use crate::recorder::Recorder;

/// What a world was built from.
#[derive(Debug, Clone)]
pub enum Source {
    /// A scene or a model.
    Scene(Box<SceneSpec>),
    /// A scene with creatures in it, driven by their brains.
    Inhabited(Box<InhabitedScene>),
    /// A creature in its arena, driven by its brain.
    Creature(Box<TrialPreview>),
}

impl Source {
    /// The scene, without the brain.
    pub fn scene(&self) -> &SceneSpec {
        match self {
            Self::Scene(scene) => scene,
            Self::Inhabited(scene) => scene.scene(),
            Self::Creature(preview) => preview.scene(),
        }
    }
}

/// A scene, a model or a creature in motion.
#[derive(Debug)]
pub struct SceneWorld {
    /// What it was built from.
    pub source: Source,
    /// Options of the simulation.
    pub options: RunOptions,
    /// The simulation.
    pub running: RunningScene,
    /// Recording in progress.
    pub recorder: Option<Recorder>,
    /// The failure that ended the simulation.
    failure: Option<String>,
    start: Snapshot,
    /// Whether a step was made since the start or a change of the state. Before that, contacts are not known.
    is_fresh: bool,
}

impl SceneWorld {
    /// Takes over a scene at its start.
    pub fn new(source: Source, options: RunOptions, mut running: RunningScene) -> Self {
        running.simulation.data_mut().update_kinematics();
        let start = running.simulation.snapshot();
        Self { source, options, running, recorder: None, failure: None, start, is_fresh: false }
    }

    /// Makes steps. After a failure the world must be reset or restored.
    pub fn step(&mut self, count: u64) -> Result<(), String> {
        if let Some(failure) = &self.failure {
            return Err(format!("the simulation has failed before: {failure}; call reset() or restore()"));
        }
        for _ in 0..count {
            if let Some(recorder) = &mut self.recorder {
                recorder.before_step(&mut self.running)?;
            }
            if let Err(failure) = self.running.simulation.step() {
                self.failure = Some(failure.to_string());
                return Err(format!("{failure}; call reset() or restore() to continue from an earlier state"));
            }
            self.is_fresh = true;
        }
        Ok(())
    }

    /// Restores a state of this world.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), String> {
        self.running.simulation.restore(snapshot).map_err(|error| error.to_string())?;
        self.running.simulation.data_mut().update_kinematics();
        (self.failure, self.is_fresh) = (None, false);
        Ok(())
    }

    /// Returns to the start.
    pub fn reset(&mut self) -> Result<(), String> {
        let start = self.start.clone();
        self.restore(&start)
    }

    /// Sets positions and velocities. Lengths must fit.
    pub fn set_state(&mut self, positions: &[f64], velocities: &[f64]) {
        let data = self.running.simulation.data_mut();
        data.state.q.copy_from_slice(positions);
        data.state.v.copy_from_slice(velocities);
        data.update_kinematics();
        (self.failure, self.is_fresh) = (None, false);
    }

    /// The failure that ended the simulation.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Number of numbers in an observation: positions, velocities and sensors.
    pub fn observation_size(&self) -> usize {
        let state = self.running.simulation.state();
        state.q.len() + state.v.len() + self.running.sensors.dimension()
    }

    /// Writes positions, velocities and sensors.
    pub fn observe(&mut self, values: &mut [f64]) {
        let state = self.running.simulation.state();
        let (q, v) = (state.q.len(), state.v.len());
        values[..q].copy_from_slice(&state.q);
        values[q..q + v].copy_from_slice(&state.v);
        if !self.running.sensors.is_empty() {
            self.running.read_sensors(&mut values[q + v..]);
        }
    }

    /// Poses of all bodies, in the order of the scene.
    pub fn poses(&mut self) -> Vec<Pose> {
        self.running.simulation.data_mut().update_kinematics();
        (0..self.running.bodies.len()).filter_map(|body| self.running.body_pose(body)).collect()
    }

    /// The contacts of the last step with the forces (N) on their second bodies; none before the first step.
    pub fn contacts(&self) -> Vec<(WorldContact, DVec3)> {
        if !self.is_fresh {
            return Vec::new();
        }
        let simulation = &self.running.simulation;
        let data = simulation.data();
        let held = data.statistics.held_seconds;
        let seconds = if held > 0.0 { held } else { simulation.step_length() };
        let force = |contact: &WorldContact| {
            let mut pairs = data.pairs.iter();
            let of = |a: usize, b: usize| a == contact.collider_a as usize && b == contact.collider_b as usize;
            let record = pairs.find(|(pair, _)| of(pair.a.index(), pair.b.index()));
            record.map_or(DVec3::ZERO, |(_, record)| record.impulse(&contact.id) / seconds)
        };
        data.detection.contacts().iter().map(|contact| (*contact, force(contact))).collect()
    }

    /// Indices of the bodies of all colliders.
    pub fn bodies_of_colliders(&self) -> Vec<usize> {
        let mut bodies = vec![0; self.running.simulation.world().colliders().len()];
        for (body, built) in self.running.bodies.iter().enumerate() {
            bodies[built.colliders.clone()].fill(body);
        }
        bodies
    }

    /// Draws the present state as SVG.
    pub fn picture(&mut self, width: u32, height: u32) -> Result<String, String> {
        let poses = self.poses();
        let (scene, world) = (self.source.scene(), self.running.simulation.world());
        let bodies = SceneBodies::new(scene, world, &self.running.bodies);
        let options = PictureOptions { width, height, title: scene.name.clone(), ..PictureOptions::default() };
        bodies.draw(&[poses], options).map_err(|error| error.to_string())
    }
}
