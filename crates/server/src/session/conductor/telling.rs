//! What viewers get to see and hear: a frame for all of them, what is the matter now and then, and the probes of each.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Conductor;
use crate::session::frame::{AGAIN, ENDED, Frame, HASHED, PLAYING, Section, SectionKind};
use crate::session::history::Exactness;
use crate::session::session::lock;

/// Status is told at least so often while something moves.
const STATUS_PERIOD: Duration = Duration::from_millis(250);
/// Probes are told so often.
const PROBE_PERIOD: Duration = Duration::from_millis(100);

/// What is told now and then.
#[derive(Serialize)]
struct Status<'a> {
    say: &'static str,
    playing: bool,
    speed: f64,
    step: u64,
    latest: u64,
    epoch: u32,
    viewers: usize,
    exact: Exactness,
    paradigm: Option<&'static str>,
    step_length: f64,
    ended: Option<&'a str>,
    overlays: Vec<&'static str>,
}

impl Conductor {
    /// Says what there is to say, to whom it may concern.
    pub(super) fn tell(&mut self) {
        if !self.dirty {
            return;
        }
        self.publish();
        let now = Instant::now();
        let still = !self.playing && self.goal.is_none();
        if still || now.duration_since(self.last_status) >= STATUS_PERIOD {
            self.last_status = now;
            self.say_status();
        }
        if still || now.duration_since(self.last_probe) >= PROBE_PERIOD {
            self.last_probe = now;
            self.say_probes();
        }
        self.dirty = false;
    }

    fn wanted(&self) -> BTreeSet<SectionKind> {
        lock(&self.shared.watchers).iter().flat_map(|watcher| watcher.overlays.iter().copied()).collect()
    }

    pub(super) fn publish(&mut self) {
        // Whoever sees a frame of a new world may ask for its looks at once.
        if self.described != Some(self.epoch) {
            self.describe();
        }
        let step = self.player.steps();
        let latest = self.history.latest();
        let has_hash = self.has_hash();
        let is_over = self.ending().is_some() || self.player.last().is_some_and(|last| step >= last);
        let flags = [(self.playing, PLAYING), (has_hash, HASHED), (step < latest, AGAIN), (is_over, ENDED)];
        let [kinetic, potential] = self.player.energies();
        let mut frame = Frame {
            flags: flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum(),
            epoch: self.epoch,
            step,
            latest,
            time: self.player.time(),
            hash: if has_hash { self.player.state_hash() } else { 0 },
            kinetic_energy: kinetic as f32,
            potential_energy: potential as f32,
            real_time_factor: if self.playing { self.factor as f32 } else { 0.0 },
            ..Frame::default()
        };
        self.player.poses(&mut frame.poses);
        for kind in self.wanted().into_iter().filter(|kind| self.overlays.contains(kind)) {
            let mut numbers = Vec::new();
            self.player.section(kind, &mut numbers);
            frame.sections.push(Section { kind, numbers });
        }
        self.frames.send_replace(frame.encode());
    }

    fn say_status(&self) {
        let about = lock(&self.shared.about).clone();
        let watchers = lock(&self.shared.watchers);
        let overlays: BTreeSet<_> = watchers.iter().flat_map(|watcher| watcher.overlays.iter()).collect();
        let status = Status {
            say: "status",
            playing: self.playing,
            speed: self.speed,
            step: self.player.steps(),
            latest: self.history.latest(),
            epoch: self.epoch,
            viewers: watchers.len(),
            exact: self.history.exactness,
            paradigm: about.paradigm,
            step_length: about.step,
            ended: self.ending(),
            overlays: overlays.into_iter().map(|kind| kind.name()).collect(),
        };
        let Ok(text) = serde_json::to_string(&status) else { return };
        let text: Arc<str> = text.into();
        for watcher in watchers.iter() {
            // Who does not listen any more is about to leave.
            let _ = watcher.says.send(text.clone());
        }
    }

    fn say_probes(&mut self) {
        let asked: Vec<(u32, usize)> = {
            let watchers = lock(&self.shared.watchers);
            watchers.iter().filter_map(|watcher| Some((watcher.id, watcher.probe?))).collect()
        };
        for (viewer, body) in asked {
            let Some(probe) = self.player.probe(body) else { continue };
            let Ok(mut said) = serde_json::to_value(&probe) else { continue };
            said["say"] = "probe".into();
            let text: Arc<str> = said.to_string().into();
            self.with_watcher(viewer, |watcher| {
                let _ = watcher.says.send(text);
            });
        }
    }

    /// The world is another one: what it looks like, and what is said of it.
    fn describe(&mut self) {
        let appearance = self.player.appearance(self.epoch);
        if let Ok(text) = serde_json::to_vec(&appearance) {
            *lock(&self.shared.appearance) = text.into();
        }
        let bill = self.player.bill();
        let mut about = lock(&self.shared.about);
        about.paradigm = bill.paradigm;
        about.step = self.player.step_length();
        about.steps_per_frame = self.player.steps_per_frame();
        about.overlays = bill.overlays.iter().map(|kind| kind.name()).collect();
        (self.overlays, self.described) = (bill.overlays, Some(self.epoch));
    }
}
