//! Observation of a session: signals and marks of new steps, and the messages about them. Observing does not change the
//! simulation.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::SessionThread;
use crate::session::edit::Edit;
use crate::session::message::{PlotData, Profile, SessionMessage};
use crate::session::session::lock;
use crate::session::signal::Signal;
use crate::session::signal_log::SignalLog;

/// Time between two messages about plots, marks or the profile.
const PERIOD: Duration = Duration::from_millis(100);
/// Time between two profiles: long enough for a mean over many steps.
const PROFILE_PERIOD: Duration = Duration::from_millis(500);
/// Maximum number of values of one message about plots.
const MAX_VALUES: usize = 100_000;
/// Maximum time per frame to read the signals of a recording.
const MAX_READ_TIME: Duration = Duration::from_millis(5);

/// The state of the observation.
#[derive(Debug)]
pub(super) struct Observation {
    row: Vec<f32>,
    /// The epoch of the layout of the signals.
    layout: Option<u32>,
    last_message: Instant,
    last_profile: Instant,
    profile: Profile,
}

impl Observation {
    pub fn new(now: Instant) -> Self {
        let (row, profile) = (Vec::new(), Profile::default());
        Self { row, layout: None, last_message: now, last_profile: now, profile }
    }
}

impl SessionThread {
    /// Records the signals and marks of the current step, if it is new.
    pub(super) fn observe(&mut self) {
        let (step, time) = (self.player.steps(), self.player.time());
        self.marks.collisions(step, time, self.player.collisions());
        if let Some(statistics) = self.player.statistics().filter(|_| self.is_profiling) {
            self.observation.profile.add(statistics);
        }
        // The signals of a recording are read in order, whatever is shown.
        if self.player.last().is_none() && self.signals.wants(step, self.player.steps_per_frame()) {
            self.record_row();
            if let Some(height) = self.player.subject_height() {
                self.marks.height(step, height);
            }
        }
    }

    fn set_layout(&mut self) {
        if self.observation.layout != Some(self.epoch) {
            self.signals.set_layout(self.player.layout());
            self.observation.layout = Some(self.epoch);
        }
    }

    fn record_row(&mut self) {
        self.set_layout();
        self.observation.row.clear();
        self.player.sample(&mut self.observation.row);
        self.signals.add(self.player.steps(), self.player.time(), &self.observation.row);
    }

    /// Forgets everything after the current step, at which an edit was made.
    pub(super) fn forget_future(&mut self) {
        let step = self.player.steps();
        self.signals.truncate(step);
        self.marks.truncate(step);
        for watcher in lock(&self.shared.watchers).iter_mut() {
            watcher.plot.sent = watcher.plot.sent.map(|sent| sent.min(step));
        }
    }

    /// Forgets everything, for another world.
    pub(super) fn forget_world(&mut self) {
        self.signals = SignalLog::default();
        self.marks.clear();
        self.observation = Observation::new(Instant::now());
        for watcher in lock(&self.shared.watchers).iter_mut() {
            watcher.plot.sent = None;
        }
    }

    /// Sets the signals of a viewer, and sends all their values so far.
    pub(super) fn plot(&mut self, viewer: u32, signals: Vec<Signal>) -> Result<(), String> {
        self.set_layout();
        if let Some(unknown) = signals.iter().find(|signal| !self.signals.has(signal)) {
            let text = serde_json::to_string(unknown).unwrap_or_default();
            return Err(format!("there is no signal {text} in this world"));
        }
        self.with_watcher(viewer, |watcher| {
            watcher.plot.signals = signals.into();
            watcher.plot.sent = None;
        });
        self.send_plots();
        Ok(())
    }

    /// Sends plots, marks and the profile, if it is time or `now` is set.
    pub(super) fn send_observations(&mut self, now: bool) {
        let time = Instant::now();
        self.read_recording();
        if now || time.duration_since(self.observation.last_message) >= PERIOD {
            self.observation.last_message = time;
            self.send_plots();
            self.send_marks();
        }
        let window = time.duration_since(self.observation.last_profile);
        if self.is_profiling && (now || window >= PROFILE_PERIOD) && self.observation.profile.steps > 0 {
            self.observation.last_profile = time;
            let profile = std::mem::take(&mut self.observation.profile).mean();
            let text = SessionMessage::Profile(profile).to_json();
            for watcher in lock(&self.shared.watchers).iter().filter(|watcher| watcher.profile) {
                // A viewer without receiver is about to leave.
                let _ = watcher.says.send(text.clone());
            }
        }
    }

    fn send_plots(&mut self) {
        let last = self.signals.last_step();
        for watcher in lock(&self.shared.watchers).iter_mut() {
            let (signals, after) = (Arc::clone(&watcher.plot.signals), watcher.plot.sent);
            if signals.is_empty() || (after.is_some() && after >= last) {
                continue;
            }
            let series = self.signals.series(&signals, after, MAX_VALUES / signals.len());
            watcher.plot.sent = series.steps.last().copied().or(after);
            let text = SessionMessage::Plot(PlotData::new(&signals, after, series)).to_json();
            // A viewer without receiver is about to leave.
            let _ = watcher.says.send(text);
        }
    }

    fn send_marks(&mut self) {
        // Both numbers change whenever marks are added or removed.
        let version = (self.marks.version, self.history.edits());
        let mut text: Option<Arc<str>> = None;
        for watcher in lock(&self.shared.watchers).iter_mut().filter(|watcher| watcher.marks != Some(version)) {
            let text = text.get_or_insert_with(|| {
                let marks = self.marks.all(&self.history.log().edits, self.player.step_length());
                SessionMessage::Marks { marks }.to_json()
            });
            watcher.marks = Some(version);
            let _ = watcher.says.send(text.clone());
        }
    }

    /// Reads the signals of frames of a recording that were not shown yet, while some viewer plots.
    fn read_recording(&mut self) {
        let Some(last) = self.player.last() else { return };
        let is_plotting = lock(&self.shared.watchers).iter().any(|watcher| !watcher.plot.signals.is_empty());
        let next = |thread: &Self| match thread.signals.last_step() {
            Some(known) => thread.signals.next_due(known, thread.player.steps_per_frame()),
            None => 0,
        };
        if !is_plotting || next(self) > last {
            return;
        }
        let (start, here) = (Instant::now(), self.player.steps());
        while next(self) <= last && start.elapsed() < MAX_READ_TIME && self.player.jump(next(self)) == Ok(true) {
            self.record_row();
        }
        if let Err(why) = self.player.jump(here) {
            self.ended = Some((why, here + 1));
        }
        // More frames are read with the next frame.
        self.dirty = next(self) <= last;
    }

    /// Measures a copy of the world after an edit on another thread, which sends the result to the viewer.
    pub(super) fn measure(&self, viewer: u32, edit: &Edit) -> Result<(), String> {
        let trial = self.player.trial(edit)?;
        let watchers = lock(&self.shared.watchers);
        let watcher = watchers.iter().find(|watcher| watcher.id == viewer);
        let Some(says) = watcher.map(|watcher| watcher.says.clone()) else { return Ok(()) };
        if self.shared.measuring.swap(true, Ordering::AcqRel) {
            return Err("another measurement is under way: wait until it is done".to_string());
        }
        let shared = self.shared.clone();
        let work = move || {
            let text = match trial.run() {
                Ok(measurement) => SessionMessage::Measured(measurement).to_json(),
                Err(why) => SessionMessage::Refused { why: &why }.to_json(),
            };
            shared.measuring.store(false, Ordering::Release);
            let _ = says.send(text);
        };
        let spawned = std::thread::Builder::new().name("measurement".to_string()).spawn(work);
        spawned.map(|_| ()).map_err(|error| {
            self.shared.measuring.store(false, Ordering::Release);
            format!("no thread could be started: {error}")
        })
    }

    /// Measures modules while some viewer wants the profile.
    pub(super) fn update_profiling(&mut self) {
        self.is_profiling = lock(&self.shared.watchers).iter().any(|watcher| watcher.profile);
        self.player.set_profiling(self.is_profiling);
    }
}
