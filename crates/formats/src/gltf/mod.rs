//! Exports recordings as animated glTF 2.0, which browsers, Blender and many other programs can show.
//!
//! ```text
//!   scene ── root (z up to y up) ─┬─ body ── mesh        one node for each body, with its own animation
//!                                 ├─ ...
//!                                 ├─ camera              fixed cameras of the scene
//!                                 ├─ mount ── camera     cameras that follow the translation of a body
//!                                 └─ camera              one that shows everything that can move
//! ```
//!
//! Meshes show the collision shapes; a half-space becomes a square around the motion. Positions, normals, translations
//! and rotations are in single precision. All tracks share one list of times, interpolation is linear, and bodies that
//! never move have no track. Colours are those of the scene, on a rough material that is not metallic.
//!
//! The scene comes from the recording. Display meshes are not part of it, so the shapes are shown instead. Lights and
//! background are not exported.
//!
//! ```
//! use burgess_geometry::Pose;
//! use burgess_formats::gltf::{self, Container, GltfOptions};
//! use burgess_scene::recording::{RecordingHeader, RecordingReader, RecordingWriter};
//! use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
//! use glam::DVec3;
//!
//! let mut scene = SceneSpec::new("lift", "A ball rises.");
//! scene.bodies.push(BodySpec::new("ball", DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
//! let bodies = vec!["ball".to_string()];
//! let header = RecordingHeader { bodies, scene: scene.to_toml().unwrap(), ..Default::default() };
//! let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
//! for frame in 0..=10 {
//!     let time = 0.1 * f64::from(frame);
//!     writer.frame(time, &[Pose::from_translation(time * DVec3::Z)], &[]).unwrap();
//! }
//! let bytes = writer.finish().unwrap();
//! let mut recording = RecordingReader::new(std::io::Cursor::new(bytes)).unwrap();
//!
//! let options = GltfOptions { rate: Some(5.0) };
//! let made = gltf::export(&mut recording, Container::Binary, &options, &mut |_| {}).unwrap();
//! assert_eq!((made.bodies, made.moving, made.key_frames, made.seconds), (1, 1, 6, 1.0));
//! assert_eq!(made.bytes[..4], *b"glTF");
//! ```

mod buffer;
mod camera;
mod container;
mod document;
mod error;
mod geometry;
mod graph;
mod motion;
mod recorded_scene;
mod shapes;
mod surface;

use std::io::{Read, Seek};

use burgess_geometry::Aabb;
use burgess_scene::recording::RecordingReader;
use burgess_scene::spec::ShapeKind;

use self::camera::ViewBounds;
use self::document::{Buffer, Document};
use self::geometry::{BodyMesh, Geometry};
use self::motion::{Key, Motion, transform_bounds};
use self::recorded_scene::RecordedScene;

pub use container::Container;
pub use error::GltfError;
pub use surface::Surface;

/// Returns the triangulated surface of a shape in its own coordinates. Fails for half-spaces, which are unbounded, and
/// for surfaces with too many vertices.
pub fn surface_of_shape(kind: &ShapeKind) -> Result<Surface, String> {
    if matches!(kind, ShapeKind::HalfSpace(_)) {
        return Err("it is unbounded".to_string());
    }
    let surface = shapes::surface_of(kind, shapes::GroundSquare::default(), MAX_VERTICES)?;
    surface.ok_or_else(|| format!("it has more than {MAX_VERTICES} vertices"))
}

/// Maximum number of vertices of a surface returned by [`surface_of_shape`].
const MAX_VERTICES: usize = 1 << 20;

/// Options of the export.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GltfOptions {
    /// Maximum number of key frames per second; by default all frames of the recording are exported.
    pub rate: Option<f64>,
}

/// The result of an export to glTF.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of bodies that move or rotate.
    pub moving: usize,
    /// Number of exported frames.
    pub key_frames: usize,
    /// Time from the first to the last frame, in s.
    pub seconds: f64,
}

/// Exports a recording as glTF. `progress` is called at intervals with the completed fraction, from 0 to 1.
///
/// The memory use is the size of the file (at most [`Container::max_bytes`] plus the JSON), and about three times as
/// much for
/// [`Container::Text`].
pub fn export<R: Read + Seek>(
    recording: &mut RecordingReader<R>,
    container: Container,
    options: &GltfOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<Exported, GltfError> {
    if let Some(found) = options.rate.filter(|rate| !(*rate > 0.0 && rate.is_finite())) {
        return Err(GltfError::Rate { found });
    }
    let recorded = RecordedScene::read(recording)?;
    let mut geometry = Geometry::new(container.max_bytes());
    let mut body_meshes = geometry.add_bodies(&recorded.scene)?;
    let bounds: Vec<Aabb> = recorded.body_of_track.iter().map(|&body| body_meshes[body].bounds).collect();
    let motion = Motion::analyze(recording, options.rate, &bounds, &mut |share| progress(0.5 * share))?;
    let keys = recorded.first_keys(&motion);
    let view = view_bounds(&recorded, &motion, &keys, &body_meshes);
    geometry.add_unbounded(&recorded.scene, &mut body_meshes, &keys, &view)?;
    container.check((geometry.parts.bytes() as u64).saturating_add(motion.bytes()))?;

    let Geometry { mut parts, meshes, materials, .. } = geometry;
    let mut document = Document { meshes, materials, ..Document::default() };
    document.add_bodies(&recorded, &body_meshes, &keys);
    let mounts = document.add_cameras(&recorded, &keys, &view);
    document.animate(&mut parts, &recorded, &motion, &mounts);
    let layout = parts.layout();
    (document.accessors, document.buffer_views) = (layout.accessors, layout.views);
    if layout.bytes > 0 {
        document.buffers.push(Buffer { byte_length: layout.bytes, uri: None });
    }
    let bytes = container.assemble(document, layout.bytes, |file| {
        let begin = file.len();
        parts.write(file);
        let (before, rotations) = file[begin..].split_at_mut(layout.tracks[1]);
        let tracks = [&mut before[layout.tracks[0]..], rotations];
        motion.write(recording, options.rate, tracks, &mut |share| progress(0.5 + 0.5 * share))
    })?;
    progress(1.0);
    Ok(Exported {
        bytes,
        bodies: recorded.scene.bodies.len(),
        moving: motion.tracks.iter().filter(|track| track.moves || track.turns).count(),
        key_frames: motion.times.len(),
        seconds: motion.times.last().copied().unwrap_or(0.0).into(),
    })
}

/// Returns the bounds of all bodies that can move; if none can, the bounds of all bounded bodies.
fn view_bounds(recorded: &RecordedScene, motion: &Motion, keys: &[Key], body_meshes: &[BodyMesh]) -> ViewBounds {
    let can_move = |(_, body): &(&Aabb, &usize)| !recorded.scene.bodies[**body].fixed;
    let mut bounds: Vec<Aabb> =
        motion.bounds.iter().zip(&recorded.body_of_track).filter(can_move).map(|(bounds, _)| *bounds).collect();
    if bounds.is_empty() {
        let shown = keys.iter().zip(body_meshes).filter(|(_, mesh)| mesh.mesh.is_some());
        bounds.extend(shown.map(|(key, mesh)| transform_bounds(&key.pose(), &mesh.bounds)));
    }
    ViewBounds::new(&bounds.into_iter().fold(Aabb::EMPTY, |all, own| all.union(&own)))
}
