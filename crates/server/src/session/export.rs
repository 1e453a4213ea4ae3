//! Export of a session to files of other programs. The motion is not stored while it is shown: an export replays the
//! session from its start with all edits, which gives the same motion bit for bit.

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use burgess_formats::gltf::{self, Container, GltfOptions};
use burgess_formats::{mjcf, urdf};
use burgess_geometry::Pose;
use burgess_scene::recording::{RecordingHeader, RecordingReader, RecordingWriter};
use glam::{DQuat, DVec3};
use thiserror::Error;

use super::edit::Edit;
use super::history::EditLog;
use super::initial_state::InitialState;
use super::live::LivePlayer;
use super::player::{FRAMES_PER_SECOND, Player};

/// Maximum number of frames of an animation.
const MAX_FRAMES: u64 = 60 * 60 * 10;
/// Maximum number of poses of an animation.
const MAX_POSES: u64 = 20_000_000;
/// Maximum time to replay a session.
pub(super) const MAX_REPLAY_TIME: Duration = Duration::from_secs(50);

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The motion as a glTF animation.
    Gltf,
    /// The scene as MJCF, for MuJoCo.
    Mjcf,
    /// The scene as URDF.
    Urdf,
    /// The scene as a scene file.
    Toml,
}

impl Format {
    /// Finds a format by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "gltf" => Some(Self::Gltf),
            "mjcf" => Some(Self::Mjcf),
            "urdf" => Some(Self::Urdf),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}

/// An exported file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// File name with extension.
    pub name: String,
    /// Media type.
    pub media_type: &'static str,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Reason why an export fails.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExportError(pub String);

fn failed(error: impl std::fmt::Display) -> ExportError {
    ExportError(error.to_string())
}

/// Exports a session.
pub fn export(initial: &InitialState, log: &EditLog, title: &str, format: Format) -> Result<Exported, ExportError> {
    let plain = plain_name(title);
    let named = |ending: &str, media_type, bytes| Exported { name: format!("{plain}.{ending}"), media_type, bytes };
    if format == Format::Gltf {
        let bytes = match initial {
            InitialState::Recording(path, _) => gltf_of(&mut RecordingReader::open(path).map_err(failed)?)?,
            _ => gltf_of(&mut record(initial, log)?)?,
        };
        return Ok(named("glb", "model/gltf-binary", bytes));
    }
    let InitialState::Live(original, options) = initial else {
        return Err(ExportError("only scenes and creatures can be exported as a model".to_string()));
    };
    let mut live = LivePlayer::new(original.clone(), options.clone()).map_err(ExportError)?;
    live.repeat_changes(log.edits.iter().map(|event| &event.edit)).map_err(ExportError)?;
    let scene = live.scene();
    match format {
        Format::Mjcf => {
            let made = mjcf::export(scene, Path::new("")).map_err(failed)?;
            Ok(named("xml", "application/xml", made.xml.into_bytes()))
        }
        Format::Urdf => {
            let made = urdf::export(scene, Path::new(""), "meshes").map_err(failed)?;
            if !made.files.is_empty() {
                let why = "this scene has shapes that URDF stores in separate mesh files; use `burgess export`";
                return Err(ExportError(why.to_string()));
            }
            Ok(named("urdf", "application/xml", made.xml.into_bytes()))
        }
        _ => Ok(named("toml", "application/toml", scene.to_toml().map_err(failed)?.into_bytes())),
    }
}

/// The name of the file of an export, without the extension.
pub(super) fn plain_name(title: &str) -> String {
    title.chars().take(100).map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect()
}

fn gltf_of<R: std::io::Read + std::io::Seek>(recording: &mut RecordingReader<R>) -> Result<Vec<u8>, ExportError> {
    let made = gltf::export(recording, Container::Binary, &GltfOptions { rate: None }, &mut |_| {});
    made.map(|made| made.bytes).map_err(failed)
}

/// Replays a session from its start and records the motion. A ball that is thrown later rests at its initial position
/// until then.
pub(super) fn record(initial: &InitialState, log: &EditLog) -> Result<RecordingReader<Cursor<Vec<u8>>>, ExportError> {
    let InitialState::Live(original, options) = initial else {
        return Err(ExportError("only the motion of scenes and creatures can be recorded".to_string()));
    };
    let mut live = LivePlayer::new(original.clone(), options.clone()).map_err(ExportError)?;
    let start = Instant::now();
    let (text, names, starts) = {
        let mut last = live.twin().map_err(ExportError)?;
        last.repeat_changes(log.edits.iter().map(|event| &event.edit)).map_err(ExportError)?;
        let scene = last.scene().to_toml().map_err(failed)?;
        let mut poses = Vec::new();
        last.poses(&mut poses);
        let shown = last.current().shown.iter().map(|shown| last.scene().bodies[shown.body].name.clone());
        (scene, shown.collect::<Vec<_>>(), poses)
    };
    let header = RecordingHeader { rate: FRAMES_PER_SECOND, bodies: names, statistics: Vec::new(), scene: text };
    let mut writer = RecordingWriter::new(Vec::new(), header).map_err(failed)?;
    let mut events = log.edits.iter().peekable();
    let mut next_frame = 0.0;
    loop {
        while let Some(event) = events.next_if(|event| event.step <= live.steps()) {
            live.apply(&event.edit).map_err(ExportError)?;
        }
        if live.time() >= next_frame - 1e-9 || live.steps() == log.latest {
            next_frame = live.time() + 1.0 / FRAMES_PER_SECOND;
            let mut poses = Vec::new();
            live.poses(&mut poses);
            poses.extend_from_slice(&starts[poses.len()..]);
            let poses: Vec<Pose> = poses.chunks_exact(7).map(pose_of).collect();
            if writer.frames() >= MAX_FRAMES || writer.frames() * poses.len() as u64 >= MAX_POSES {
                return Err(too_long());
            }
            writer.frame(live.time(), &poses, &[]).map_err(failed)?;
        }
        if start.elapsed() > MAX_REPLAY_TIME {
            return Err(too_long());
        }
        if live.steps() >= log.latest || live.advance().is_err() {
            break;
        }
    }
    let bytes = writer.finish().map_err(failed)?;
    RecordingReader::new(Cursor::new(bytes)).map_err(failed)
}

fn too_long() -> ExportError {
    ExportError("the session is too long for one animation: restart it, and play less".to_string())
}

fn pose_of(numbers: &[f32]) -> Pose {
    let number = |index: usize| f64::from(numbers[index]);
    let rotation = DQuat::from_xyzw(number(3), number(4), number(5), number(6)).normalize();
    Pose::new(rotation, DVec3::new(number(0), number(1), number(2)))
}

impl LivePlayer {
    /// Applies the edits that change the world, without simulating.
    pub(super) fn repeat_changes<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) -> Result<(), String> {
        for edit in edits.filter(|edit| edit.changes_world()) {
            self.change_scene(edit)?;
        }
        Ok(())
    }
}
