//! The thread of a session. It owns the world, publishes 60 frames per second while it plays, and waits for commands
//! otherwise: while the session is paused or has no viewers, it uses no processor time. Each frame is encoded once for
//! all viewers, and only the newest is kept, so that a slow viewer does not delay the thread.
//!
//! The clock decides when a step is made and shown, never its result.

mod observing;
mod publishing;
mod stepping;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use glam::DVec3;
use tokio::sync::watch;

use super::command::{Command, MAX_STEP, Refused};
use super::edit::{Edit, RecordedEdit};
use super::history::{History, MAX_EDITS};
use super::marks::Marks;
use super::player::{FRAMES_PER_SECOND, Player};
use super::section::SectionKind;
use super::session::{Message, Replacement, Settings, Shared, Viewer, lock};
use super::signal_log::SignalLog;
use observing::Observation;

/// Time between two frames.
const PERIOD: Duration = Duration::from_nanos((1e9 / FRAMES_PER_SECOND) as u64);
/// Maximum number of messages handled before the next frame.
const MAX_MESSAGES_PER_FRAME: usize = 64;
/// Maximum number of steps that a viewer can seek beyond the latest one.
const MAX_STEPS_AHEAD: u64 = 1_000_000;

/// The thread of a session.
pub(super) struct SessionThread {
    shared: Arc<Shared>,
    messages: Receiver<Message>,
    frames: watch::Sender<Bytes>,
    player: Box<dyn Player>,
    history: History,
    /// Number of edits made so far.
    done: usize,
    /// Number of the current world, that of the world without edits, the numbers after each edit, and the next number.
    epoch: u32,
    first_epoch: u32,
    epochs: Vec<u32>,
    next_epoch: u32,
    /// The epoch whose appearance is published, and its overlays.
    described: Option<u32>,
    overlays: Vec<SectionKind>,
    playing: bool,
    speed: f64,
    /// Number of steps that are due.
    debt: f64,
    /// The step to seek to.
    goal: Option<u64>,
    /// The reason why the simulation ended, and the step that cannot be made.
    ended: Option<(String, u64)>,
    /// Viewers that released their body during a seek.
    releasing: BTreeSet<u32>,
    /// Whether there is something new to publish.
    dirty: bool,
    factor: f64,
    last_status: Instant,
    last_probe: Instant,
    last_frame: Instant,
    signals: SignalLog,
    marks: Marks,
    observation: Observation,
    /// Whether the modules of each step are measured.
    is_profiling: bool,
}

impl SessionThread {
    /// Creates the thread state at the start, and publishes the first frame.
    pub fn new(
        shared: Arc<Shared>,
        messages: Receiver<Message>,
        frames: watch::Sender<Bytes>,
        player: Box<dyn Player>,
        history: History,
        paused: bool,
    ) -> Self {
        let now = Instant::now();
        let mut thread = Self {
            shared,
            messages,
            frames,
            player,
            history,
            done: 0,
            epoch: 0,
            first_epoch: 0,
            epochs: Vec::new(),
            next_epoch: 1,
            described: None,
            overlays: Vec::new(),
            playing: !paused,
            speed: 1.0,
            debt: 0.0,
            goal: None,
            ended: None,
            releasing: BTreeSet::new(),
            dirty: true,
            factor: 0.0,
            last_status: now,
            last_probe: now,
            last_frame: now,
            signals: SignalLog::default(),
            marks: Marks::default(),
            observation: Observation::new(now),
            is_profiling: false,
        };
        thread.begin();
        thread.publish();
        thread
    }

    /// Records the start of a world.
    fn begin(&mut self) {
        if let Some(last) = self.player.last() {
            self.history.reach(last);
        }
        let state = self.player.save();
        self.history.keep(0, 0, state);
        self.observe();
        if let Err(why) = self.arrive() {
            self.ended = Some((why, 1));
        }
    }

    /// Shows another world from its start. It plays if the one before did.
    fn replace(&mut self, replacement: Replacement) {
        let Replacement { player, initial, source, text } = replacement;
        let info = player.info();
        {
            let mut about = lock(&self.shared.about);
            (about.title, about.description, about.duration) = (info.title, info.description, info.duration);
            (about.counters, about.source) = (info.counters, source);
        }
        (*lock(&self.shared.initial), *lock(&self.shared.text)) = (initial, text);
        *lock(&self.shared.settings) = Settings::default();
        self.player = player;
        self.history.clear();
        self.epoch = self.next_epoch;
        (self.first_epoch, self.next_epoch) = (self.epoch, self.next_epoch + 1);
        (self.done, self.debt, self.goal, self.ended) = (0, 0.0, None, None);
        self.epochs.clear();
        self.releasing.clear();
        self.forget_world();
        self.begin();
    }

    /// Runs until the session is closed or all handles are dropped.
    pub fn run(mut self) {
        let mut next = Instant::now();
        while self.receive(&mut next) && !self.shared.closed.load(Ordering::Acquire) {
            // Commands are collected until a frame is due.
            if Instant::now() < next {
                continue;
            }
            self.release_abandoned();
            if self.is_watched() {
                if self.goal.is_some() {
                    self.seek();
                } else if self.playing {
                    self.play();
                }
            }
            self.publish_news();
            next = (next + PERIOD).max(Instant::now());
        }
    }

    /// Handles messages until a time, or, if there is nothing else to do, waits for one. Returns false if all handles
    /// are dropped.
    fn receive(&mut self, until: &mut Instant) -> bool {
        let first = if self.is_busy() {
            match self.messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        } else {
            let Ok(message) = self.messages.recv() else { return false };
            // The time of waiting does not count.
            *until = (*until).max(Instant::now());
            (self.debt, self.last_frame) = (0.0, *until);
            Some(message)
        };
        first.into_iter().for_each(|message| self.handle(message));
        for _ in 0..MAX_MESSAGES_PER_FRAME {
            match self.messages.try_recv() {
                Ok(message) => self.handle(message),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
        true
    }

    fn is_watched(&self) -> bool {
        !lock(&self.shared.watchers).is_empty()
    }

    /// Whether there is something to do without a message.
    fn is_busy(&self) -> bool {
        self.is_watched() && (self.playing || self.goal.is_some() || self.dirty)
    }

    fn handle(&mut self, message: Message) {
        self.dirty = true;
        let (viewer, command) = match message {
            Message::Command(viewer, command) => (viewer, command),
            // Viewers that left release their bodies before the next command.
            Message::Wake => {
                self.update_profiling();
                return self.release_abandoned();
            }
            Message::Replace(replacement) => return self.replace(*replacement),
        };
        if let Err(why) = self.execute(viewer, command) {
            let text = Viewer::refusal(&Refused(why));
            let watchers = lock(&self.shared.watchers);
            if let Some(watcher) = watchers.iter().find(|watcher| watcher.id == viewer) {
                // A viewer without receiver is about to leave.
                let _ = watcher.says.send(text);
            }
        }
    }

    fn execute(&mut self, viewer: u32, command: Command) -> Result<(), String> {
        let now = self.goal.unwrap_or(self.player.steps());
        match command {
            Command::Play => {
                // At the end of a recording, playing starts again.
                if self.player.last().is_some_and(|last| now >= last) {
                    self.goal = Some(0);
                }
                (self.playing, self.debt) = (true, 0.0);
            }
            Command::Pause => self.playing = false,
            Command::Speed(speed) => self.speed = speed,
            Command::Restart => self.goal = Some(0),
            Command::Step(steps) => {
                self.playing = false;
                self.goal = Some(self.limited(now.saturating_add_signed(steps)));
            }
            Command::Seek(step) => self.goal = Some(self.limited(step)),
            Command::Overlays(overlays) => {
                self.with_watcher(viewer, |watcher| watcher.overlays = overlays);
            }
            Command::Probe(body) => self.with_watcher(viewer, |watcher| watcher.probe = body),
            Command::Plot(signals) => self.plot(viewer, signals)?,
            Command::Profile(on) => {
                self.with_watcher(viewer, |watcher| watcher.profile = on);
                self.update_profiling();
            }
            Command::Measure(edit) => self.measure(viewer, &edit)?,
            Command::Edit(Edit::Release { viewer }) if self.goal.is_some() => {
                self.releasing.insert(viewer);
            }
            Command::ThrowHeld(_) if self.goal.is_some() => {
                self.releasing.insert(viewer);
            }
            Command::Edit(_) | Command::Reach(_) if self.goal.is_some() => {
                return Err("the session is seeking: wait until it is done".to_string());
            }
            // It is sent all the time, so it must not discard what was recorded after an earlier step.
            Command::Edit(Edit::Body { .. }) if self.player.steps() != self.history.latest() => {
                return Err("the body of a user moves at the latest step only".to_string());
            }
            Command::Reach(reach) => {
                let edit = self.player.reach(viewer, &reach)?;
                edit.check()?;
                self.apply_edit(edit)?;
            }
            Command::ThrowHeld(velocity) => {
                let push = self.player.throw_held(viewer, DVec3::from_array(velocity))?;
                push.check()?;
                self.apply_edit(Edit::Release { viewer })?;
                self.apply_edit(push)?;
            }
            Command::Edit(edit) => self.apply_edit(edit)?,
        }
        Ok(())
    }

    fn with_watcher(&self, viewer: u32, act: impl FnOnce(&mut super::session::ViewerState)) {
        if let Some(watcher) = lock(&self.shared.watchers).iter_mut().find(|watcher| watcher.id == viewer) {
            act(watcher);
        }
    }

    /// Limits a step to the last one, or to a maximum distance from the latest one.
    fn limited(&self, step: u64) -> u64 {
        let farthest = self.history.latest().saturating_add(MAX_STEPS_AHEAD).min(MAX_STEP);
        step.min(self.player.last().unwrap_or(farthest))
    }

    /// Applies an edit at the current step, and discards everything after it.
    fn apply_edit(&mut self, edit: Edit) -> Result<(), String> {
        if self.history.edits() >= MAX_EDITS && !matches!(edit, Edit::Release { .. }) {
            return Err(format!("there are {MAX_EDITS} edits, the maximum"));
        }
        self.player.apply(&edit)?;
        let step = self.player.steps();
        let changes_world = edit.changes_world();
        self.forget_future();
        self.epochs.truncate(self.done);
        self.done = self.history.record_edit(self.done, RecordedEdit { step, edit });
        self.epochs.resize(self.done, self.epoch);
        self.ended = None;
        if changes_world {
            self.epoch = self.next_epoch;
            self.next_epoch += 1;
            if let Some(last) = self.epochs.last_mut() {
                *last = self.epoch;
            }
        }
        self.check_hash();
        Ok(())
    }

    /// Releases the bodies of viewers that left, at the latest step.
    fn release_abandoned(&mut self) {
        if self.player.steps() != self.history.latest() || self.goal.is_some() {
            return;
        }
        let releasing = std::mem::take(&mut self.releasing);
        let held = self.player.holders();
        if held.is_empty() {
            return;
        }
        let present: BTreeSet<u32> = lock(&self.shared.watchers).iter().map(|watcher| watcher.id).collect();
        for viewer in held.into_iter().filter(|viewer| !present.contains(viewer) || releasing.contains(viewer)) {
            // A viewer that holds a body can release it.
            let _ = self.apply_edit(Edit::Release { viewer });
            self.dirty = true;
        }
    }
}

impl Drop for SessionThread {
    /// Closes the session and its channels, also after a panic.
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Release);
        lock(&self.shared.watchers).clear();
    }
}
