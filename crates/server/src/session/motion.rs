//! The motion of a session as a clip of bounded size, for a page that plays it without the server.

use std::time::Instant;

use bytes::Bytes;

use super::export::{ExportError, MAX_REPLAY_TIME};
use super::history::EditLog;
use super::initial_state::InitialState;
use super::live::LivePlayer;
use super::player::Player;
use crate::clip::{ClipHead, encode, floats};

/// Minimum number of frames per second: fewer would not look like motion.
const MIN_RATE: f64 = 5.0;
/// Bytes of a pose.
const POSE_BYTES: usize = 28;

/// What to record of a session.
#[derive(Debug, Clone, Copy, Default)]
pub struct MotionOptions {
    /// Simulated time, in s. By default, the time that was played, or the whole duration if nothing was played.
    pub seconds: Option<f64>,
    /// Maximum number of frames per second. Defaults to that of sessions.
    pub rate: Option<f64>,
}

/// The recorded motion of a session.
#[derive(Debug)]
pub struct Motion {
    /// The clip, encoded.
    pub clip: Bytes,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of frames.
    pub frames: usize,
    /// Frames per second.
    pub rate: f64,
    /// Reason why the simulation failed. The clip ends there.
    pub failure: Option<String>,
}

/// Replays a session from its start with its edits, and records the motion in at most `max_bytes` bytes. If there are too
/// many frames, fewer per second are recorded.
pub fn record_motion(
    initial: &InitialState,
    log: &EditLog,
    options: MotionOptions,
    max_bytes: usize,
) -> Result<Motion, ExportError> {
    let mut player = initial.player().map_err(ExportError)?;
    let (appearance, starts) = last_world(initial, log, player.as_mut())?;
    let step = player.step_length();
    let last_step = last_step(player.as_ref(), log, options.seconds);
    let seconds = last_step as f64 * step;
    let fastest = options.rate.map_or(1, |rate| (1.0 / (rate * step)).round().max(1.0) as u64);
    let stride = player.steps_per_frame().max(fastest);
    let mut head = ClipHead {
        bodies: appearance.bodies.len(),
        appearance,
        rate: 1.0 / (stride as f64 * step),
        frames: 0,
        fitness: None,
        outcome: "",
        hashes: Vec::new(),
    };
    let head_bytes = encode(&head, &[]).map_err(ExportError)?.len() + 64;
    let room = max_bytes.saturating_sub(head_bytes) / (POSE_BYTES * head.bodies.max(1));
    let wanted = (seconds * head.rate) as usize + 1;
    head.rate /= wanted.div_ceil(room.max(1)) as f64;
    if room == 0 || (head.rate < MIN_RATE && wanted > room) {
        let megabytes = max_bytes as f64 / 1e6;
        return Err(ExportError(format!(
            "{seconds:.1} s of {} bodies do not fit into {megabytes:.1} MB: choose a shorter time",
            head.bodies
        )));
    }
    let (mut poses, mut failure) = (Vec::new(), None);
    let start = Instant::now();
    let mut events = log.edits.iter().peekable();
    loop {
        while let Some(event) = events.next_if(|event| event.step <= player.steps()) {
            player.apply(&event.edit).map_err(ExportError)?;
        }
        if player.time() * head.rate >= head.frames as f64 - 1e-6 && head.frames < room {
            let before = poses.len();
            player.poses(&mut poses);
            // A ball that is thrown later rests at its initial position until then.
            poses.extend_from_slice(starts.get(poses.len() - before..).unwrap_or_default());
            head.frames += 1;
        }
        if start.elapsed() > MAX_REPLAY_TIME {
            return Err(ExportError("simulating this takes too long: choose a shorter time".to_string()));
        }
        if player.steps() >= last_step {
            break;
        }
        if let Err(why) = player.advance() {
            failure = Some(why);
            break;
        }
    }
    let clip = encode(&head, &floats(&poses)).map_err(ExportError)?;
    Ok(Motion { clip, bodies: head.bodies, frames: head.frames, rate: head.rate, failure })
}

/// The appearance with all edits, and the poses at the start.
fn last_world(
    initial: &InitialState,
    log: &EditLog,
    player: &mut dyn Player,
) -> Result<(super::Appearance, Vec<f32>), ExportError> {
    let mut starts = Vec::new();
    let appearance = match initial {
        InitialState::Live(original, options) => {
            let mut last = LivePlayer::new(original.clone(), options.clone()).map_err(ExportError)?;
            last.repeat_changes(log.edits.iter().map(|event| &event.edit)).map_err(ExportError)?;
            last.poses(&mut starts);
            last.appearance(0)
        }
        _ => {
            player.poses(&mut starts);
            player.appearance(0)
        }
    };
    Ok((appearance, starts))
}

/// Seconds of a subject without an end of its own of which nothing was played.
const DEFAULT_SECONDS: f64 = 10.0;

/// The last step to record.
fn last_step(player: &dyn Player, log: &EditLog, seconds: Option<f64>) -> u64 {
    let steps = |seconds: f64| (seconds / player.step_length()).round() as u64;
    let wanted = match seconds {
        Some(seconds) => steps(seconds),
        None if log.latest > 0 => log.latest,
        None => player.last().unwrap_or_else(|| steps(player.info().duration.unwrap_or(DEFAULT_SECONDS))),
    };
    wanted.min(player.last().unwrap_or(u64::MAX))
}
