//! The scene of a recording, and which of its bodies have poses in the frames.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use burgess_scene::recording::RecordingReader;
use burgess_scene::spec::SceneSpec;

use super::error::GltfError;
use super::motion::{Key, Motion};

/// The scene of a recording with the mapping between bodies and tracks.
#[derive(Debug)]
pub(super) struct RecordedScene {
    pub scene: SceneSpec,
    pub body_by_name: BTreeMap<String, usize>,
    /// Index of each body of the scene in the frames; `None` for a fixed body without poses.
    pub track_of_body: Vec<Option<usize>>,
    /// Body index of each track.
    pub body_of_track: Vec<usize>,
}

impl RecordedScene {
    pub fn read<R: Read + Seek>(recording: &RecordingReader<R>) -> Result<Self, GltfError> {
        let header = recording.header();
        if header.scene.is_empty() {
            return Err(GltfError::NoScene);
        }
        let scene = SceneSpec::from_toml(&header.scene, "scene.toml")?;
        let named = scene.bodies.iter().enumerate().map(|(index, body)| (body.name.clone(), index));
        let body_by_name: BTreeMap<String, usize> = named.collect();
        let mut track_of_body = vec![None; scene.bodies.len()];
        let mut body_of_track = Vec::with_capacity(header.bodies.len());
        for (track, name) in header.bodies.iter().enumerate() {
            let body = body_by_name.get(name).filter(|&&body| track_of_body[body].is_none());
            let &body = body.ok_or_else(|| GltfError::Misfit { body: name.clone() })?;
            track_of_body[body] = Some(track);
            body_of_track.push(body);
        }
        for (body, track) in scene.bodies.iter().zip(&track_of_body) {
            if track.is_none() && !body.fixed {
                return Err(GltfError::Misfit { body: body.name.clone() });
            }
        }
        Ok(Self { scene, body_by_name, track_of_body, body_of_track })
    }

    /// Returns the first key of each body.
    pub fn first_keys(&self, motion: &Motion) -> Vec<Key> {
        let first = |(track, body): (&Option<usize>, &burgess_scene::spec::BodySpec)| match track {
            Some(track) => motion.tracks[*track].first,
            None => Key::clamped(&body.pose()),
        };
        self.track_of_body.iter().zip(&self.scene.bodies).map(first).collect()
    }
}
