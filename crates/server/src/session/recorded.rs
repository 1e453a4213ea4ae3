//! Playback of recordings: a step is a frame of the recording, and any frame can be shown directly.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::recording::{Frame, RecordingReader};
use burgess_scene::spec::SceneSpec;
use burgess_simulation::StateHash;
use glam::DVec3;

use super::appearance::{Appearance, BodyAppearance, Bounds, of_scene, seven_numbers};
use super::contents::Contents;
use super::edit::Edit;
use super::player::{FRAMES_PER_SECOND, Kind, Player, SavedState, SessionInfo};
use super::probe::Probe;
use super::sample::sample_poses;
use super::section::SectionKind;
use super::signal::{BodyQuantity, Layout};

/// The player of a recording.
pub struct RecordingPlayer {
    reader: RecordingReader<BufReader<File>>,
    name: String,
    /// The recorded scene; none if it is missing or does not match the recorded bodies.
    scene: Option<SceneSpec>,
    /// Index in the recording, by body of a frame.
    tracks: Vec<usize>,
    at: u64,
    frame: Frame,
    step: f64,
    seconds: f64,
}

impl RecordingPlayer {
    /// Opens a recording.
    pub fn open(path: &Path, name: &str) -> Result<Self, String> {
        let with_name = |error: burgess_scene::recording::RecordingError| format!("{name}: {error}");
        let mut reader = RecordingReader::open(path).map_err(with_name)?;
        if reader.frames() == 0 {
            return Err(format!("{name}: the recording has no frames"));
        }
        let times = reader.times().map_err(with_name)?.unwrap_or_default();
        let seconds = times.1 - times.0;
        let header = reader.header().clone();
        let gaps = reader.frames().saturating_sub(1).max(1) as f64;
        let step = if header.rate > 0.0 { 1.0 / header.rate } else { seconds / gaps };
        let step = if step.is_finite() && step > 1e-6 { step } else { 1.0 / FRAMES_PER_SECOND };
        let scene = SceneSpec::from_toml(&header.scene, name).ok().filter(|scene| !scene.bodies.is_empty());
        let mut frame = Frame::default();
        reader.frame(0, &mut frame).map_err(with_name)?;
        let mut recorded =
            Self { reader, name: name.to_string(), scene, tracks: Vec::new(), at: 0, frame, step, seconds };
        recorded.match_bodies();
        Ok(recorded)
    }

    /// Finds the bodies of the scene among the recorded ones. Without a matching scene, bodies are points.
    fn match_bodies(&mut self) {
        let bodies = &self.reader.header().bodies;
        let tracks = self.scene.as_ref().and_then(|scene| {
            let built = scene.build("").ok()?;
            let shown = super::appearance::shown_bodies(scene, &built.bodies);
            let places: BTreeMap<&str, usize> =
                bodies.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
            let track = |&body: &usize| places.get(scene.bodies[body].name.as_str()).copied();
            shown.iter().map(track).collect::<Option<Vec<_>>>()
        });
        if tracks.is_none() {
            self.scene = None;
        }
        self.tracks = tracks.unwrap_or_else(|| (0..bodies.len()).collect());
    }

    fn show(&mut self, at: u64) -> Result<(), String> {
        self.reader.frame(at, &mut self.frame).map_err(|error| format!("{}: {error}", self.name))?;
        self.at = at;
        Ok(())
    }

    /// The frame before the current one; without poses if there is none.
    fn before(&mut self) -> Frame {
        let mut before = Frame::default();
        if self.at == 0 || self.reader.frame(self.at - 1, &mut before).is_err() {
            before.poses.clear();
        }
        before
    }

    /// Velocity (m/s) and angular velocity (rad/s) of a track since the frame before.
    fn motion_since(&self, before: &Frame, track: usize) -> [DVec3; 2] {
        let seconds = self.frame.time - before.time;
        let poses = before.poses.get(track).zip(self.frame.poses.get(track));
        let Some((then, now)) = poses.filter(|_| seconds > 0.0) else { return [DVec3::ZERO; 2] };
        let turn = now.rotation * then.rotation.conjugate();
        // The shorter rotation.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        [(now.translation - then.translation) / seconds, turn.to_scaled_axis() / seconds]
    }
}

impl Player for RecordingPlayer {
    fn info(&self) -> SessionInfo {
        let description = self.scene.as_ref().map_or_else(String::new, |scene| scene.description.clone());
        SessionInfo {
            title: self.name.clone(),
            description,
            kind: Kind::Recording,
            paradigm: None,
            duration: Some(self.seconds),
            interfere: false,
            probe: true,
            end: true,
            overlays: vec![SectionKind::Counters],
            counters: self.reader.header().statistics.clone(),
            neurons: 0,
        }
    }

    fn appearance(&mut self, epoch: u32) -> Appearance {
        let running = self.scene.as_ref().and_then(|scene| {
            let mut scene = scene.clone();
            scene.simulation.allow_overlap = true;
            let mut running = scene.run("", &RunOptions::default()).ok()?;
            running.simulation.data_mut().update_kinematics();
            Some((scene, running))
        });
        match running {
            Some((scene, running)) => of_scene(&scene, &running, None, epoch),
            None => points(&self.reader.header().bodies, epoch),
        }
    }

    fn steps(&self) -> u64 {
        self.at
    }

    fn time(&self) -> f64 {
        self.frame.time
    }

    fn step_length(&self) -> f64 {
        self.step
    }

    fn last(&self) -> Option<u64> {
        Some(self.reader.frames() - 1)
    }

    fn advance(&mut self) -> Result<(), String> {
        self.show(self.at + 1)
    }

    fn jump(&mut self, step: u64) -> Result<bool, String> {
        self.show(step)?;
        Ok(true)
    }

    fn save(&self) -> SavedState {
        SavedState::Recorded(self.at)
    }

    fn restore_state(&mut self, state: &SavedState, _changes: &[Edit]) -> Result<(), String> {
        let SavedState::Recorded(at) = state else {
            return Err("the saved state belongs to another kind of session".to_string());
        };
        self.show(*at)
    }

    /// Hash of the current frame.
    fn state_hash(&self) -> u64 {
        let mut hash = StateHash::default();
        hash.number(self.frame.time);
        self.frame.poses.iter().for_each(|pose| hash.numbers(&seven_numbers(pose)));
        hash.numbers(&self.frame.statistics);
        hash.finish()
    }

    fn poses(&mut self, poses: &mut Vec<f32>) {
        for &track in &self.tracks {
            let pose = self.frame.poses.get(track).copied().unwrap_or(Pose::IDENTITY);
            poses.extend(seven_numbers(&pose).map(|number| number as f32));
        }
    }

    fn energies(&mut self) -> [f64; 2] {
        [0.0; 2]
    }

    fn section(&mut self, kind: SectionKind, numbers: &mut Vec<f32>) {
        if kind == SectionKind::Counters {
            numbers.extend(self.frame.statistics.iter().map(|&number| number as f32));
        }
    }

    fn probe(&mut self, body: usize) -> Option<Probe> {
        let track = *self.tracks.get(body)?;
        let pose = *self.frame.poses.get(track)?;
        let name = self.reader.header().bodies.get(track)?.clone();
        let before = self.before();
        let [velocity, angular_velocity] = self.motion_since(&before, track);
        Some(Probe {
            body,
            name,
            position: pose.translation.to_array(),
            orientation: pose.rotation.to_array(),
            velocity: velocity.to_array(),
            angular_velocity: angular_velocity.to_array(),
            mass: 0.0,
            joint: None,
            contacts: Vec::new(),
            force: [0.0; 3],
        })
    }

    fn contents(&self) -> Contents {
        Contents { body_quantities: BodyQuantity::MOTION.to_vec(), ..Contents::default() }
    }

    fn layout(&self) -> Layout {
        Layout { axes: vec![0; self.tracks.len()], ..Layout::default() }
    }

    fn sample(&mut self, row: &mut Vec<f32>) {
        let before = self.before();
        let pose = |track: &usize| self.frame.poses.get(*track).copied().unwrap_or(Pose::IDENTITY);
        let bodies = self.tracks.iter().map(|track| (pose(track), Some(self.motion_since(&before, *track))));
        sample_poses(bodies, row);
    }

    fn apply(&mut self, _edit: &Edit) -> Result<(), String> {
        Err("a recording cannot be edited".to_string())
    }
}

/// The appearance of bodies of which only the poses are known.
fn points(names: &[String], epoch: u32) -> Appearance {
    let appearance =
        |name: &String| BodyAppearance { name: name.clone(), mass: 0.0, parent: None, joint: None, collides: false };
    Appearance {
        epoch,
        ground: false,
        gravity: [0.0; 3],
        fluid: false,
        bodies: names.iter().map(appearance).collect(),
        shapes: Vec::new(),
        meshes: Vec::new(),
        followed: None,
        bounds: Bounds { min: [-1.0; 3], max: [1.0; 3] },
    }
}
