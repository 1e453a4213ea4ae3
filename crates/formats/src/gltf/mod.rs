//! Recordings as animated glTF 2.0: to be shown by any browser, Blender and the like.
//!
//! ```text
//!   scene ── root (z up to y up) ─┬─ body ── mesh        one node for each body, with an animation of its own
//!                                 ├─ ...
//!                                 ├─ camera              those of the scene that stand still
//!                                 ├─ mount ── camera     those that follow a body: moved, but not turned with it
//!                                 └─ camera              one that sees all that can move
//! ```
//!
//! Every shape is shown as it collides; only half-spaces end: with a square around the action. Positions and normals,
//! translations and rotations are in single precision; one list of times is shared by all tracks, interpolation is linear,
//! and what never moves has no track. Colours are those of the scene, on a rough material that is no metal.
//!
//! The scene comes from the recording. Meshes that are for display only are not in it, so the shapes are shown instead;
//! lights and background are left to the viewer.
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
mod cast;
mod container;
mod document;
mod error;
mod geometry;
mod graph;
mod motion;
mod shapes;
mod surface;

use std::io::{Read, Seek};

use burgess_geometry::Aabb;
use burgess_scene::recording::RecordingReader;
use burgess_scene::spec::ShapeKind;

use self::camera::Action;
use self::cast::Cast;
use self::document::{Buffer, Document};
use self::geometry::{Geometry, Look};
use self::motion::{Key, Motion, reach};

pub use container::Container;
pub use error::GltfError;
pub use surface::Surface;

/// A shape's surface in its own coordinates, as it is shown; or why it has none that ends within reason (half-spaces do not
/// end at all).
pub fn surface_of_shape(kind: &ShapeKind) -> Result<Surface, String> {
    if matches!(kind, ShapeKind::HalfSpace(_)) {
        return Err("it has no end".to_string());
    }
    let surface = shapes::surface_of(kind, shapes::Middle::default(), MOST_CORNERS)?;
    surface.ok_or_else(|| format!("it has more than {MOST_CORNERS} corners"))
}

/// A single shape with more is not shown by [`surface_of_shape`].
const MOST_CORNERS: usize = 1 << 20;

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GltfOptions {
    /// At most so many key frames a second; all frames of the recording if left out.
    pub rate: Option<f64>,
}

/// A glTF file, and what is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// How many bodies there are.
    pub bodies: usize,
    /// How many of them move or turn.
    pub moving: usize,
    /// How many frames of the recording were taken.
    pub key_frames: usize,
    /// From the first to the last, in s.
    pub seconds: f64,
}

/// Makes a recording a glTF file. `progress` is told the share of the work that is done, from 0 to 1, now and then.
///
/// Memory is that of the file, at most [`Container::max_bytes`] and the JSON, about three times for [`Container::Text`].
pub fn export<R: Read + Seek>(
    recording: &mut RecordingReader<R>,
    container: Container,
    options: &GltfOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<Exported, GltfError> {
    if let Some(found) = options.rate.filter(|rate| !(*rate > 0.0 && rate.is_finite())) {
        return Err(GltfError::Rate { found });
    }
    let cast = Cast::of(recording)?;
    let mut geometry = Geometry::new(container.max_bytes());
    let mut looks = geometry.add_bodies(&cast.scene)?;
    let bounds: Vec<Aabb> = cast.body_of_track.iter().map(|&body| looks[body].bounds).collect();
    let motion = Motion::survey(recording, options.rate, &bounds, &mut |share| progress(0.5 * share))?;
    let keys = cast.first_keys(&motion);
    let action = action_of(&cast, &motion, &keys, &looks);
    geometry.add_endless(&cast.scene, &mut looks, &keys, &action)?;
    container.check((geometry.parts.bytes() as u64).saturating_add(motion.bytes()))?;

    let Geometry { mut parts, meshes, materials, .. } = geometry;
    let mut document = Document { meshes, materials, ..Document::default() };
    document.add_bodies(&cast, &looks, &keys);
    let mounts = document.add_cameras(&cast, &keys, &action);
    document.animate(&mut parts, &cast, &motion, &mounts);
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
        bodies: cast.scene.bodies.len(),
        moving: motion.tracks.iter().filter(|track| track.moves || track.turns).count(),
        key_frames: motion.times.len(),
        seconds: motion.times.last().copied().unwrap_or(0.0).into(),
    })
}

/// Around all that can move; around everything that ends if nothing can.
fn action_of(cast: &Cast, motion: &Motion, keys: &[Key], looks: &[Look]) -> Action {
    let can_move = |(_, body): &(&Aabb, &usize)| !cast.scene.bodies[**body].fixed;
    let mut reaches: Vec<Aabb> =
        motion.reaches.iter().zip(&cast.body_of_track).filter(can_move).map(|(reach, _)| *reach).collect();
    if reaches.is_empty() {
        let shown = keys.iter().zip(looks).filter(|(_, look)| look.mesh.is_some());
        reaches.extend(shown.map(|(key, look)| reach(&key.pose(), &look.bounds)));
    }
    Action::within(&reaches.into_iter().fold(Aabb::EMPTY, |all, own| all.union(&own)))
}
