//! `GET .../clip`: the poses of the first trial of an evaluation, which is simulated again bit for bit. The clip also
//! contains the time after an early stop. In a contest it shows the creature and its first opponent, or its limp twin if
//! it had none.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use burgess_creature::AnyGenome;
use burgess_creature::evaluation::{Side, TrialPreview};
use burgess_creature::task::Task;
use burgess_evolution::{Id, Individual, OutcomeKind};
use burgess_geometry::Pose;
use burgess_scene::{RunOptions, RunningScene};
use bytes::{BufMut, Bytes, BytesMut};
use serde::Deserialize;

use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::clip::{ClipHead, encode};
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::appearance::{of_scene, shown_bodies};

/// Default number of frames per second.
const DEFAULT_RATE: f64 = 30.0;
/// Minimum and maximum number of frames per second.
const RATES: [f64; 2] = [1.0, 120.0];
/// Maximum size of a clip, in bytes. Longer clips end early.
const MAX_CLIP_BYTES: usize = 32 << 20;
/// Number of frames between two state hashes.
const FRAMES_PER_HASH: usize = 10;

/// Query parameters of a clip.
#[derive(Debug, Deserialize)]
pub(super) struct ClipParameters {
    rate: Option<f64>,
}

/// File and name of a run, id of an individual, and the bits of the rate.
pub(super) type ClipKey = (String, Id, u64);

pub(super) async fn clip(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
    Parameters(ClipParameters { rate }): Parameters<ClipParameters>,
) -> Result<impl IntoResponse, ApiError> {
    let rate = rate.unwrap_or(DEFAULT_RATE);
    if !(RATES[0]..=RATES[1]).contains(&rate) {
        return Err(ApiError::bad(format!(
            "rate must be from {} to {} frames per second, found {rate}",
            RATES[0], RATES[1]
        )));
    }
    let found = hub.read_run(&run, move |hub, archive| {
        let run = format!("{} {}", archive.file().display(), archive.name().map_err(archive_error)?);
        let key = (run, id, rate.to_bits());
        if let Some(clip) = hub.runs.clips.get(&key) {
            return Ok(Err(clip));
        }
        let one = archive.individual(id).map_err(archive_error)?;
        let task = archive.task_of(&one).map_err(archive_error)?;
        let opponent = archive.opponent_of(&one).map_err(archive_error)?;
        Ok(Ok((key, one, opponent, task)))
    });
    let bytes = match found.await? {
        Err(kept) => kept,
        Ok((key, one, opponent, task)) => {
            let clip = hub.heavy(move || record(&one, &opponent, &task, rate)).await??;
            hub.runs.clips.keep(key, clip.clone());
            clip
        }
    };
    Ok(([(CONTENT_TYPE, "application/octet-stream")], bytes))
}

/// Records a clip of a simulation.
struct ClipRecorder {
    scene: RunningScene,
    /// Link and pose in it of each body.
    shown: Vec<(Option<usize>, Pose)>,
    poses: BytesMut,
    frames: usize,
    hashes: Vec<String>,
    rate: f64,
}

impl ClipRecorder {
    /// Records a frame, if one is due; none if the clip has its maximum size.
    fn frame(&mut self) -> Option<()> {
        let time = self.scene.simulation.state().time;
        if self.frames as f64 > time * self.rate + 1e-6 {
            return Some(());
        }
        if self.frames.is_multiple_of(FRAMES_PER_HASH) {
            self.hashes.push(format!("{:016x}", self.scene.simulation.state_hash()));
        }
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        for (link, frame) in &self.shown {
            let pose = link.map_or(*frame, |link| data.workspace.pose(data.world.model(), link).compose(frame));
            pose.translation.to_array().into_iter().chain(pose.rotation.to_array()).for_each(|number| {
                self.poses.put_f32_le(number as f32);
            });
        }
        self.frames += 1;
        (self.poses.len() < MAX_CLIP_BYTES).then_some(())
    }

    /// Makes a number of steps; none if a step failed or the clip has its maximum size.
    fn steps(&mut self, count: u64) -> Option<()> {
        for _ in 0..count {
            self.frame()?;
            self.scene.simulation.step().ok()?;
        }
        Some(())
    }

    /// Records a whole trial, settling included.
    fn trial(&mut self, preview: &TrialPreview) -> Option<()> {
        let step = self.scene.simulation.step_length();
        self.steps(preview.settle_steps(step).unwrap_or(0) + preview.trial_steps(step))?;
        self.frame()
    }
}

pub(super) fn record(
    one: &Individual,
    (opponent, side): &(Option<AnyGenome>, Side),
    task: &Task,
    rate: f64,
) -> Result<Bytes, ApiError> {
    let missing =
        |why: String| ApiError::missing(format!("individual {} does not grow into a creature: {why}", one.id));
    let preview = TrialPreview::against(&one.genome, opponent.as_ref(), *side, task, one.seed)
        .map_err(|why| missing(why.to_string()))?;
    let mut scene = preview.run(&RunOptions::default()).map_err(|why| missing(why.to_string()))?;
    scene.simulation.data_mut().update_kinematics();
    let appearance = of_scene(preview.scene(), &scene, Some(preview.root()), 0);
    let place = |body: usize| {
        let (link, built) = (scene.link_index(body), &scene.bodies[body]);
        (link, if link.is_some() { built.in_link } else { built.pose })
    };
    let shown = shown_bodies(preview.scene(), &scene.bodies).into_iter().map(place).collect();
    let mut recorder = ClipRecorder { scene, shown, poses: BytesMut::new(), frames: 0, hashes: Vec::new(), rate };
    // If a step fails, the clip ends there.
    let _ = recorder.trial(&preview);
    let head = ClipHead {
        appearance,
        rate,
        frames: recorder.frames,
        bodies: recorder.shown.len(),
        fitness: (one.result.outcome == OutcomeKind::Scored).then_some(one.result.fitness),
        outcome: one.result.outcome.name(),
        hashes: recorder.hashes,
    };
    encode(&head, &recorder.poses).map_err(ApiError::failed)
}
