//! The motion of the bodies, in two passes over the recording: the first finds the key frames, who moves and how far the
//! action reaches; the second writes the tracks where they belong. So no more is held in memory than the file will have.
//!
//! A pose of the recording has positions in single precision already; orientations are rounded to it. Interpolation is
//! linear from key to key, along the shorter way: q and -q are the same orientation, and each is written on the side of
//! the one before.

use std::io::{Read, Seek};

use burgess_geometry::{Aabb, Pose};
use burgess_scene::recording::{Frame, RecordingReader};
use glam::{DQuat, DVec3};

use super::error::GltfError;

/// How often progress is told, in frames.
const TELL_EVERY: u64 = 64;
/// Part of a key frame's distance that the rounding of times may take.
const GRACE: f64 = 1e-6;

/// Where a body is, in the numbers of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    pub translation: [f32; 3],
    /// x, y, z, w.
    pub rotation: [f32; 4],
}

impl Key {
    /// Of a pose that is finite, as far away as single precision goes.
    pub fn within_reach(pose: &Pose) -> Self {
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

/// What the first pass has found of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track {
    pub first: Key,
    /// Does it ever change its place?
    pub moves: bool,
    /// Does it ever turn?
    pub turns: bool,
}

/// What the first pass has found.
#[derive(Debug)]
pub(super) struct Motion {
    /// Of the key frames, in s from the first.
    pub times: Vec<f32>,
    /// Of the bodies, in the order of the recording.
    pub tracks: Vec<Track>,
    /// Around all that each body passes through, in the world's coordinates.
    pub reaches: Vec<Aabb>,
}

/// Chooses the key frames.
struct Pace {
    rate: Option<f64>,
    start: f64,
    /// How many periods from the start the next one is.
    due: f64,
    last: f32,
}

impl Pace {
    fn new(rate: Option<f64>) -> Self {
        Self { rate, start: f64::NAN, due: 0.0, last: f32::NEG_INFINITY }
    }

    /// The time of a key frame if a frame is to be one. The last frame always is. In single precision times have to grow.
    fn key_time(&mut self, time: f64, is_last: bool) -> Option<f32> {
        if self.start.is_nan() {
            self.start = time;
        }
        let elapsed = time - self.start;
        if elapsed as f32 <= self.last {
            return None;
        }
        if let Some(rate) = self.rate {
            let periods = elapsed * rate + GRACE;
            if periods < self.due && !is_last {
                return None;
            }
            self.due = periods.floor() + 1.0;
        }
        self.last = elapsed as f32;
        Some(self.last)
    }
}

/// Goes through the key frames: index of the frame, time from the first, and poses.
fn each_key<R: Read + Seek>(
    recording: &mut RecordingReader<R>,
    rate: Option<f64>,
    progress: &mut dyn FnMut(f64),
    mut act: impl FnMut(u64, f32, &[Pose]) -> Result<(), GltfError>,
) -> Result<(), GltfError> {
    let frames = recording.frames();
    let mut pace = Pace::new(rate);
    let mut frame = Frame::default();
    for index in 0..frames {
        if index.is_multiple_of(TELL_EVERY) {
            progress(index as f64 / frames as f64);
        }
        recording.frame(index, &mut frame)?;
        if !(frame.time as f32).is_finite() {
            return Err(GltfError::NotFinite { frame: index, what: "the time".to_string() });
        }
        if let Some(time) = pace.key_time(frame.time, index + 1 == frames) {
            act(index, time, &frame.poses)?;
        }
    }
    Ok(())
}

impl Motion {
    /// The first pass. `bounds` are the boxes around the bodies in their own coordinates.
    pub fn survey<R: Read + Seek>(
        recording: &mut RecordingReader<R>,
        rate: Option<f64>,
        bounds: &[Aabb],
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self, GltfError> {
        let names = recording.header().bodies.clone();
        let mut times = Vec::new();
        let mut tracks: Vec<Track> = Vec::new();
        let mut reaches = vec![Aabb::EMPTY; names.len()];
        each_key(recording, rate, progress, |frame, time, poses| {
            times.push(time);
            for (index, pose) in poses.iter().enumerate() {
                let key = Key::from(pose);
                if !key.translation.iter().chain(&key.rotation).all(|part| part.is_finite()) {
                    return Err(GltfError::NotFinite { frame, what: format!("the place of '{}'", names[index]) });
                }
                match tracks.get_mut(index) {
                    None => tracks.push(Track { first: key, moves: false, turns: false }),
                    Some(track) => {
                        track.moves |= key.translation != track.first.translation;
                        track.turns |= key.rotation != track.first.rotation;
                    }
                }
                reaches[index] = reaches[index].union(&reach(pose, &bounds[index]));
            }
            Ok(())
        })?;
        if times.is_empty() {
            return Err(GltfError::NoFrames);
        }
        Ok(Self { times, tracks, reaches })
    }

    /// Bytes of all tracks and of the times.
    pub fn bytes(&self) -> u64 {
        let count = |is: fn(&Track) -> bool| self.tracks.iter().filter(|track| is(track)).count() as u64;
        let each = 4 + 12 * count(|track| track.moves) + 16 * count(|track| track.turns);
        each.saturating_mul(self.times.len() as u64)
    }

    /// The second pass: writes translations and rotations, track by track, to the bytes that were kept for them.
    pub fn write<R: Read + Seek>(
        &self,
        recording: &mut RecordingReader<R>,
        rate: Option<f64>,
        [translations, rotations]: [&mut [u8]; 2],
        progress: &mut dyn FnMut(f64),
    ) -> Result<(), GltfError> {
        let count = self.times.len();
        let mut last: Vec<[f32; 4]> = self.tracks.iter().map(|track| track.first.rotation).collect();
        let mut place = 0;
        each_key(recording, rate, progress, |_, _, poses| {
            let (mut mover, mut turner) = (0, 0);
            for ((pose, track), last) in poses.iter().zip(&self.tracks).zip(&mut last) {
                let key = Key::from(pose);
                if track.moves {
                    put(translations, mover * count + place, &key.translation);
                    mover += 1;
                }
                if track.turns {
                    let along: f32 = key.rotation.iter().zip(&*last).map(|(a, b)| a * b).sum();
                    *last = if along < 0.0 { key.rotation.map(|part| -part) } else { key.rotation };
                    put(rotations, turner * count + place, last);
                    turner += 1;
                }
            }
            place += 1;
            Ok(())
        })
    }
}

/// Writes a vector to its place in a list. What is beyond the end is left out: the recording changed between the passes.
fn put(list: &mut [u8], place: usize, numbers: &[f32]) {
    let begin = 4 * numbers.len() * place;
    let Some(slots) = list.get_mut(begin..begin + 4 * numbers.len()) else { return };
    for (slot, number) in slots.chunks_exact_mut(4).zip(numbers) {
        slot.copy_from_slice(&number.to_le_bytes());
    }
}

/// A box around a body at a pose, a little wide: around the ball around its own box. Just its place if it has no shapes.
pub(super) fn reach(pose: &Pose, bounds: &Aabb) -> Aabb {
    if !(bounds.min.is_finite() && bounds.max.is_finite()) {
        return Aabb::from_points([pose.translation]);
    }
    Aabb::from_center(pose.transform_point(bounds.center()), DVec3::splat(bounds.half_extents().length()))
}
