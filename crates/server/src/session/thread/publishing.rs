//! Publication of frames, of the status, and of the probes of each viewer.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::SessionThread;
use crate::session::frame::{AGAIN, ENDED, Frame, HASHED, PLAYING, Section};
use crate::session::message::{SessionMessage, Status};
use crate::session::section::SectionKind;
use crate::session::session::lock;

/// Time between two status messages while the session advances.
const STATUS_PERIOD: Duration = Duration::from_millis(250);
/// Time between two probe messages.
const PROBE_PERIOD: Duration = Duration::from_millis(100);

impl SessionThread {
    /// Publishes a frame and messages, if there is something new.
    pub(super) fn publish_news(&mut self) {
        if !self.dirty {
            return;
        }
        self.publish();
        let now = Instant::now();
        let still = !self.playing && self.goal.is_none();
        if still || now.duration_since(self.last_status) >= STATUS_PERIOD {
            self.last_status = now;
            self.send_status();
        }
        if still || now.duration_since(self.last_probe) >= PROBE_PERIOD {
            self.last_probe = now;
            self.send_probes();
        }
        self.dirty = false;
        self.send_observations(still);
    }

    fn wanted(&self) -> BTreeSet<SectionKind> {
        lock(&self.shared.watchers).iter().flat_map(|watcher| watcher.overlays.iter().copied()).collect()
    }

    pub(super) fn publish(&mut self) {
        // The appearance of a new world is available before its first frame.
        if self.described != Some(self.epoch) {
            self.describe();
        }
        {
            let mut playback = lock(&self.shared.playback);
            (playback.playing, playback.speed) = (self.playing, self.speed);
            playback.latest = self.goal.is_none() && self.player.steps() == self.history.latest();
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

    fn send_status(&self) {
        let about = lock(&self.shared.about).clone();
        let watchers = lock(&self.shared.watchers);
        let overlays: BTreeSet<_> = watchers.iter().flat_map(|watcher| watcher.overlays.iter()).collect();
        let status = SessionMessage::Status(Status {
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
            overlays: overlays.into_iter().copied().collect(),
        });
        let text = status.to_json();
        for watcher in watchers.iter() {
            // A viewer without receiver is about to leave.
            let _ = watcher.says.send(text.clone());
        }
    }

    fn send_probes(&mut self) {
        let asked: Vec<(u32, usize)> = {
            let watchers = lock(&self.shared.watchers);
            watchers.iter().filter_map(|watcher| Some((watcher.id, watcher.probe?))).collect()
        };
        for (viewer, body) in asked {
            let Some(probe) = self.player.probe(body) else { continue };
            let text = SessionMessage::Probe(probe).to_json();
            self.with_watcher(viewer, |watcher| {
                let _ = watcher.says.send(text);
            });
        }
    }

    /// Publishes the appearance and the description of a new world.
    fn describe(&mut self) {
        let appearance = self.player.appearance(self.epoch);
        lock(&self.shared.playback).gravity = -appearance.gravity[2];
        if let Ok(text) = serde_json::to_vec(&appearance) {
            *lock(&self.shared.appearance) = text.into();
        }
        if let Ok(text) = serde_json::to_vec(&self.player.contents()) {
            *lock(&self.shared.contents) = text.into();
        }
        let info = self.player.info();
        let mut about = lock(&self.shared.about);
        about.paradigm = info.paradigm;
        about.step = self.player.step_length();
        about.steps_per_frame = self.player.steps_per_frame();
        about.overlays = info.overlays.clone();
        (self.overlays, self.described) = (info.overlays, Some(self.epoch));
    }
}
