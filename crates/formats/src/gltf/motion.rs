//! The motion of the bodies, in two passes over the recording. The first finds the key frames, the moving bodies and
//! the bounds of the motion; the second writes the tracks to their place in the file, so that they are not stored
//! twice.
//!
//! Positions in a recording have single precision; orientations are rounded to it. Interpolation is linear dot the
//! shorter arc: q and -q are the same orientation, and the sign is chosen to be nearest to the previous key.

use std::io::{Read, Seek};

use burgess_geometry::{Aabb, Pose};
use burgess_scene::recording::{Frame, RecordingReader};
use glam::{DQuat, DVec3};

use super::error::GltfError;

/// Interval between progress reports, in frames.
const PROGRESS_INTERVAL: u64 = 64;
/// Tolerance for the rounding of times, relative to the key frame interval.
const TIME_TOLERANCE: f64 = 1e-6;

/// Pose of a body in the precision of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    pub translation: [f32; 3],
    /// Quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

impl Key {
    /// Creates a key from a finite pose, clamped to the range of single precision.
    pub fn clamped(pose: &Pose) -> Self {
        let far = DVec3::splat(f32::MAX.into());
        Self::from(&Pose::new(pose.rotation, pose.translation.clamp(-far, far)))
    }

    pub fn pose(&self) -> Pose {
        let rotation = DQuat::from_array(self.rotation.map(f64::from)).normalize();
        Pose::new(rotation, DVec3::from_array(self.translation.map(f64::from)))
    }
}

impl From<&Pose> for Key {
    fn from(pose: &Pose) -> Self {
        let rotation = pose.rotation.normalize().as_quat();
        Self { translation: pose.translation.as_vec3().to_array(), rotation: rotation.to_array() }
    }
}

/// Result of the first pass for a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track {
    pub first: Key,
    /// Whether the position ever changes.
    pub moves: bool,
    /// Whether the orientation ever changes.
    pub turns: bool,
}

/// Result of the first pass.
#[derive(Debug)]
pub(super) struct Motion {
    /// Times of the key frames, in s from the first.
    pub times: Vec<f32>,
    /// Tracks of the bodies, in recording order.
    pub tracks: Vec<Track>,
    /// Bounds of the motion of each body in world coordinates.
    pub bounds: Vec<Aabb>,
}

/// Selects the key frames.
struct KeySelector {
    rate: Option<f64>,
    start: f64,
    /// Time of the next key frame from the start, in periods.
    due: f64,
    last: f32,
}

impl KeySelector {
    fn new(rate: Option<f64>) -> Self {
        Self { rate, start: f64::NAN, due: 0.0, last: f32::NEG_INFINITY }
    }

    /// Returns the time of a key frame, or `None` if the frame is skipped. The last frame is always selected. Times
    /// must increase in single precision.
    fn key_time(&mut self, time: f64, is_last: bool) -> Option<f32> {
        if self.start.is_nan() {
            self.start = time;
        }
        let elapsed = time - self.start;
        if elapsed as f32 <= self.last {
            return None;
        }
        if let Some(rate) = self.rate {
            let periods = elapsed * rate + TIME_TOLERANCE;
            if periods < self.due && !is_last {
                return None;
            }
            self.due = periods.floor() + 1.0;
        }
        self.last = elapsed as f32;
        Some(self.last)
    }
}

/// Calls a function for each key frame with the frame index, the time from the first frame, and the poses.
fn for_each_key<R: Read + Seek>(
    recording: &mut RecordingReader<R>,
    rate: Option<f64>,
    progress: &mut dyn FnMut(f64),
    mut visit: impl FnMut(u64, f32, &[Pose]) -> Result<(), GltfError>,
) -> Result<(), GltfError> {
    let frames = recording.frames();
    let mut selector = KeySelector::new(rate);
    let mut frame = Frame::default();
    for index in 0..frames {
        if index.is_multiple_of(PROGRESS_INTERVAL) {
            progress(index as f64 / frames as f64);
        }
        recording.frame(index, &mut frame)?;
        if !(frame.time as f32).is_finite() {
            return Err(GltfError::NotFinite { frame: index, what: "the time".to_string() });
        }
        if let Some(time) = selector.key_time(frame.time, index + 1 == frames) {
            visit(index, time, &frame.poses)?;
        }
    }
    Ok(())
}

impl Motion {
    /// Runs the first pass. `local_bounds` are the bounds of the bodies in body coordinates.
    pub fn analyze<R: Read + Seek>(
        recording: &mut RecordingReader<R>,
        rate: Option<f64>,
        local_bounds: &[Aabb],
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self, GltfError> {
        let names = recording.header().bodies.clone();
        let mut times = Vec::new();
        let mut tracks: Vec<Track> = Vec::new();
        let mut bounds = vec![Aabb::EMPTY; names.len()];
        for_each_key(recording, rate, progress, |frame, time, poses| {
            times.push(time);
            for (index, pose) in poses.iter().enumerate() {
                let key = Key::from(pose);
                if !key.translation.iter().chain(&key.rotation).all(|part| part.is_finite()) {
                    return Err(GltfError::NotFinite { frame, what: format!("the pose of '{}'", names[index]) });
                }
                match tracks.get_mut(index) {
                    None => tracks.push(Track { first: key, moves: false, turns: false }),
                    Some(track) => {
                        track.moves |= key.translation != track.first.translation;
                        track.turns |= key.rotation != track.first.rotation;
                    }
                }
                bounds[index] = bounds[index].union(&transform_bounds(pose, &local_bounds[index]));
            }
            Ok(())
        })?;
        if times.is_empty() {
            return Err(GltfError::NoFrames);
        }
        Ok(Self { times, tracks, bounds })
    }

    /// Returns the number of bytes of all tracks and times.
    pub fn bytes(&self) -> u64 {
        let count = |is: fn(&Track) -> bool| self.tracks.iter().filter(|track| is(track)).count() as u64;
        let each = 4 + 12 * count(|track| track.moves) + 16 * count(|track| track.turns);
        each.saturating_mul(self.times.len() as u64)
    }

    /// Runs the second pass: writes translations and rotations, track by track, to the reserved bytes.
    pub fn write<R: Read + Seek>(
        &self,
        recording: &mut RecordingReader<R>,
        rate: Option<f64>,
        [translations, rotations]: [&mut [u8]; 2],
        progress: &mut dyn FnMut(f64),
    ) -> Result<(), GltfError> {
        let count = self.times.len();
        let mut last: Vec<[f32; 4]> = self.tracks.iter().map(|track| track.first.rotation).collect();
        let mut key_index = 0;
        for_each_key(recording, rate, progress, |_, _, poses| {
            let (mut translation_track, mut rotation_track) = (0, 0);
            for ((pose, track), last) in poses.iter().zip(&self.tracks).zip(&mut last) {
                let key = Key::from(pose);
                if track.moves {
                    write_vector(translations, translation_track * count + key_index, &key.translation);
                    translation_track += 1;
                }
                if track.turns {
                    let dot: f32 = key.rotation.iter().zip(&*last).map(|(a, b)| a * b).sum();
                    *last = if dot < 0.0 { key.rotation.map(|part| -part) } else { key.rotation };
                    write_vector(rotations, rotation_track * count + key_index, last);
                    rotation_track += 1;
                }
            }
            key_index += 1;
            Ok(())
        })
    }
}

/// Writes a vector at an index of a list. Data beyond the end is ignored; it occurs only if the recording has changed
/// between the passes.
fn write_vector(list: &mut [u8], index: usize, numbers: &[f32]) {
    let begin = 4 * numbers.len() * index;
    let Some(slots) = list.get_mut(begin..begin + 4 * numbers.len()) else { return };
    for (slot, number) in slots.chunks_exact_mut(4).zip(numbers) {
        slot.copy_from_slice(&number.to_le_bytes());
    }
}

/// Returns a conservative box around a body at a pose: the box of the bounding sphere. Without shapes it is a point.
pub(super) fn transform_bounds(pose: &Pose, bounds: &Aabb) -> Aabb {
    if !(bounds.min.is_finite() && bounds.max.is_finite()) {
        return Aabb::from_points([pose.translation]);
    }
    Aabb::from_center(pose.transform_point(bounds.center()), DVec3::splat(bounds.half_extents().length()))
}
