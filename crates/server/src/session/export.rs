//! What is on stage as a file for other programs. Motion is not kept while it is shown: a second world is played from the start
//! with everything that was done, which gives the same motion to the last bit.

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use burgess_formats::gltf::{self, Container, GltfOptions};
use burgess_formats::{mjcf, urdf};
use burgess_geometry::Pose;
use burgess_scene::recording::{RecordingHeader, RecordingReader, RecordingWriter};
use glam::{DQuat, DVec3};
use thiserror::Error;

use super::history::Ledger;
use super::interference::Deed;
use super::live::Live;
use super::player::{FRAMES_PER_SECOND, Player};
use super::script::Script;

/// Longer motions are refused: nobody would wait for them.
const MOST_FRAMES: u64 = 60 * 60 * 10;
/// Poses of one animation, in all.
const MOST_POSES: u64 = 20_000_000;
/// An animation takes no longer to make.
const LONGEST: Duration = Duration::from_secs(50);

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The motion, as an animation.
    Gltf,
    /// The scene for MuJoCo.
    Mjcf,
    /// The scene for robotics programs.
    Urdf,
    /// The scene as a file of this program.
    Toml,
}

impl Format {
    /// By its name.
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

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// With its ending.
    pub name: String,
    /// For the header of an answer.
    pub media_type: &'static str,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExportError(pub String);

fn failed(error: impl std::fmt::Display) -> ExportError {
    ExportError(error.to_string())
}

/// Makes a file of what was on stage.
pub fn export(script: &Script, ledger: &Ledger, title: &str, format: Format) -> Result<Exported, ExportError> {
    let plain: String = title.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    let named = |ending: &str, media_type, bytes| Exported { name: format!("{plain}.{ending}"), media_type, bytes };
    if format == Format::Gltf {
        let bytes = match script {
            Script::Recording(path, _) => gltf_of(&mut RecordingReader::open(path).map_err(failed)?)?,
            Script::Live(original, options) => {
                let live = Live::new(original.clone(), options.clone()).map_err(ExportError)?;
                gltf_of(&mut record(live, ledger)?)?
            }
            Script::Bounce(_) => return Err(ExportError("bodies that bounce have no scene to export".to_string())),
        };
        return Ok(named("glb", "model/gltf-binary", bytes));
    }
    let Script::Live(original, options) = script else {
        return Err(ExportError("only scenes and creatures can be exported as a model".to_string()));
    };
    let mut live = Live::new(original.clone(), options.clone()).map_err(ExportError)?;
    live.repeat_changes(ledger.events.iter().map(|event| &event.deed)).map_err(ExportError)?;
    let scene = live.scene();
    match format {
        Format::Mjcf => {
            let made = mjcf::export(scene, Path::new("")).map_err(failed)?;
            Ok(named("xml", "application/xml", made.xml.into_bytes()))
        }
        Format::Urdf => {
            let made = urdf::export(scene, Path::new(""), "meshes").map_err(failed)?;
            if !made.files.is_empty() {
                let why =
                    "this scene has shapes that URDF keeps in files of their own; `burgess export` writes them all";
                return Err(ExportError(why.to_string()));
            }
            Ok(named("urdf", "application/xml", made.xml.into_bytes()))
        }
        _ => Ok(named("toml", "application/toml", scene.to_toml().map_err(failed)?.into_bytes())),
    }
}

fn gltf_of<R: std::io::Read + std::io::Seek>(recording: &mut RecordingReader<R>) -> Result<Vec<u8>, ExportError> {
    let made = gltf::export(recording, Container::Binary, &GltfOptions { rate: None }, &mut |_| {});
    made.map(|made| made.bytes).map_err(failed)
}

/// Plays everything again and records it. Balls that were thrown later wait where they were thrown from.
fn record(mut live: Live, ledger: &Ledger) -> Result<RecordingReader<Cursor<Vec<u8>>>, ExportError> {
    let start = Instant::now();
    let (text, names, starts) = {
        let mut last = live.twin().map_err(ExportError)?;
        last.repeat_changes(ledger.events.iter().map(|event| &event.deed)).map_err(ExportError)?;
        let scene = last.scene().to_toml().map_err(failed)?;
        let mut poses = Vec::new();
        last.poses(&mut poses);
        let shown = last.staged().shown.iter().map(|shown| last.scene().bodies[shown.body].name.clone());
        (scene, shown.collect::<Vec<_>>(), poses)
    };
    let header = RecordingHeader { rate: FRAMES_PER_SECOND, bodies: names, statistics: Vec::new(), scene: text };
    let mut writer = RecordingWriter::new(Vec::new(), header).map_err(failed)?;
    let mut events = ledger.events.iter().peekable();
    let mut next_frame = 0.0;
    loop {
        while let Some(event) = events.next_if(|event| event.step <= live.steps()) {
            live.interfere(&event.deed).map_err(ExportError)?;
        }
        if live.time() >= next_frame - 1e-9 || live.steps() == ledger.latest {
            next_frame = live.time() + 1.0 / FRAMES_PER_SECOND;
            let mut poses = Vec::new();
            live.poses(&mut poses);
            poses.extend_from_slice(&starts[poses.len()..]);
            let poses: Vec<Pose> = poses.chunks_exact(7).map(pose_of).collect();
            if writer.frames() >= MOST_FRAMES || writer.frames() * poses.len() as u64 >= MOST_POSES {
                return Err(too_long());
            }
            writer.frame(live.time(), &poses, &[]).map_err(failed)?;
        }
        if start.elapsed() > LONGEST {
            return Err(too_long());
        }
        if live.steps() >= ledger.latest || live.advance().is_err() {
            break;
        }
    }
    let bytes = writer.finish().map_err(failed)?;
    RecordingReader::new(Cursor::new(bytes)).map_err(failed)
}

fn too_long() -> ExportError {
    ExportError("this is too long, or too much, for one file: restart, and play less".to_string())
}

fn pose_of(numbers: &[f32]) -> Pose {
    let number = |index: usize| f64::from(numbers[index]);
    let rotation = DQuat::from_xyzw(number(3), number(4), number(5), number(6)).normalize();
    Pose::new(rotation, DVec3::new(number(0), number(1), number(2)))
}

impl Live {
    /// Makes the changes of the world without going through time.
    fn repeat_changes<'a>(&mut self, deeds: impl Iterator<Item = &'a Deed>) -> Result<(), String> {
        for deed in deeds.filter(|deed| deed.changes_world()) {
            self.change_scene(deed)?;
        }
        Ok(())
    }
}
