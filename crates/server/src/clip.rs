//! Clips: the motion of a world in one binary message. The length of a JSON head (u32), the head, then the poses of all
//! bodies frame by frame, seven floats each, little-endian.

use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;

use crate::session::{Appearance, Player};

/// The JSON header of a clip, before the poses.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ClipHead {
    /// The bodies and shapes.
    pub appearance: Appearance,
    /// Frames per second.
    pub rate: f64,
    /// Number of frames.
    pub frames: usize,
    /// Number of bodies.
    pub bodies: usize,
    /// Fitness of the trial, if it was scored.
    pub fitness: Option<f64>,
    /// Outcome of the trial; empty if the clip does not show one.
    pub outcome: &'static str,
    /// State hash (16 hexadecimal digits) of every tenth frame.
    pub hashes: Vec<String>,
}

/// Encodes a clip from its head and the bytes of its poses.
pub(crate) fn encode(head: &ClipHead, poses: &[u8]) -> Result<Bytes, String> {
    let mut text = serde_json::to_vec(head).map_err(|error| error.to_string())?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = BytesMut::with_capacity(4 + text.len() + poses.len());
    bytes.put_u32_le(text.len() as u32);
    bytes.put_slice(&text);
    bytes.put_slice(poses);
    Ok(bytes.freeze())
}

/// Bounds of a clip that shows the beginning of a world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreviewLimits {
    /// Approximate number of frames per second.
    pub rate: f64,
    /// Simulated time, in s.
    pub seconds: f64,
    /// Number of steps times number of bodies, which bounds the work.
    pub body_steps: u64,
}

/// Records the beginning of a world. If a step fails, the clip ends there.
pub(crate) fn preview(player: &mut dyn Player, limits: &PreviewLimits) -> Result<Bytes, String> {
    let appearance = player.appearance(0);
    let bodies = appearance.bodies.len();
    let step = player.step_length();
    let stride = (1.0 / (limits.rate * step)).round().max(1.0) as u64;
    let steps = ((limits.seconds / step) as u64).min(limits.body_steps / bodies.max(1) as u64);
    let last = player.last().unwrap_or(u64::MAX).min(steps);
    let (mut poses, mut frames) = (Vec::new(), 0);
    loop {
        if player.steps().is_multiple_of(stride) {
            player.poses(&mut poses);
            frames += 1;
        }
        if player.steps() >= last || player.advance().is_err() {
            break;
        }
    }
    let rate = 1.0 / (stride as f64 * step);
    let head = ClipHead { appearance, rate, frames, bodies, fitness: None, outcome: "", hashes: Vec::new() };
    encode(&head, &floats(&poses))
}

/// The bytes of floats, little-endian.
pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
