//! The thread of a session. It owns the world, keeps the pace of 60 frames a second while it plays, and waits for orders
//! otherwise: while it is paused, or nobody watches, it takes no time at all. Each frame is made once for all viewers and only
//! the newest is kept, so that nobody's slowness reaches here.
//!
//! The clock decides when a step is made and shown, never what it does.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::frame::{AGAIN, ENDED, Frame, HASHED, PLAYING, Section, SectionKind};
use super::history::{Exactness, History, MOST_EVENTS};
use super::interference::{Deed, Event};
use super::order::{LAST_STEP, Order, Refused};
use super::player::{FRAMES_PER_HASH, FRAMES_PER_SECOND, Player};
use super::session::{Message, Shared, Viewer, lock};

/// Between two frames.
const PERIOD: Duration = Duration::from_nanos((1e9 / FRAMES_PER_SECOND) as u64);
/// After so long without a frame one is shown, however far the steps have come.
const LONGEST: Duration = Duration::from_millis(30);
/// Status is told at least so often while something moves.
const STATUS_PERIOD: Duration = Duration::from_millis(250);
/// Probes are told so often.
const PROBE_PERIOD: Duration = Duration::from_millis(100);
/// Nobody waits for a step so many steps after the latest.
const FARTHEST_AHEAD: u64 = 1_000_000;
/// The real-time factor is the mean over about so long, in s.
const FACTOR_MEAN: f64 = 0.5;

/// The thread of a session.
pub(super) struct Conductor {
    shared: Arc<Shared>,
    messages: Receiver<Message>,
    frames: watch::Sender<Bytes>,
    player: Box<dyn Player>,
    history: History,
    /// Events done so far.
    done: usize,
    /// Number of the world that is shown: that of the last change, and the next one to be given.
    epoch: u32,
    epochs: Vec<u32>,
    next_epoch: u32,
    /// What frames can have.
    overlays: Vec<SectionKind>,
    playing: bool,
    speed: f64,
    /// Steps that are due.
    debt: f64,
    /// The step to be shown.
    goal: Option<u64>,
    /// Why it does not go on, and the step that cannot be made.
    ended: Option<(String, u64)>,
    /// Hands that let go while another step was on its way.
    letting_go: BTreeSet<u32>,
    /// Something is to be shown or told.
    dirty: bool,
    factor: f64,
    last_status: Instant,
    last_probe: Instant,
    last_frame: Instant,
}

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
    /// At the start; the first frame is published.
    pub fn new(
        shared: Arc<Shared>,
        messages: Receiver<Message>,
        frames: watch::Sender<Bytes>,
        player: Box<dyn Player>,
        history: History,
        paused: bool,
    ) -> Self {
        let now = Instant::now();
        let mut conductor = Self {
            shared,
            messages,
            frames,
            player,
            history,
            done: 0,
            epoch: 0,
            epochs: Vec::new(),
            next_epoch: 1,
            overlays: Vec::new(),
            playing: !paused,
            speed: 1.0,
            debt: 0.0,
            goal: None,
            ended: None,
            letting_go: BTreeSet::new(),
            dirty: true,
            factor: 0.0,
            last_status: now,
            last_probe: now,
            last_frame: now,
        };
        if let Some(last) = conductor.player.last() {
            conductor.history.reach(last);
        }
        let kept = conductor.player.keep();
        conductor.history.keep(0, 0, kept);
        if let Err(why) = conductor.arrive() {
            conductor.ended = Some((why, 1));
        }
        conductor.describe();
        conductor.publish();
        conductor
    }

    /// Until the session is closed or forgotten.
    pub fn run(mut self) {
        let mut next = Instant::now();
        while self.listen(&mut next) && !self.shared.closed.load(Ordering::Acquire) {
            // Orders are gathered until a frame is due, however many there are.
            if Instant::now() < next {
                continue;
            }
            self.let_go();
            if self.is_watched() {
                if self.goal.is_some() {
                    self.seek();
                } else if self.playing {
                    self.play();
                }
            }
            self.tell();
            next = (next + PERIOD).max(Instant::now());
        }
        self.shared.closed.store(true, Ordering::Release);
        lock(&self.shared.watchers).clear();
    }

    /// Hears all that is said until a time, or, if there is nothing to do, until something is; false if nobody can say anything
    /// any more.
    fn listen(&mut self, until: &mut Instant) -> bool {
        let first = if self.is_busy() {
            match self.messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        } else {
            let Ok(message) = self.messages.recv() else { return false };
            // Time went on without us.
            *until = (*until).max(Instant::now());
            (self.debt, self.last_frame) = (0.0, *until);
            Some(message)
        };
        first.into_iter().for_each(|message| self.hear(message));
        loop {
            match self.messages.try_recv() {
                Ok(message) => self.hear(message),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    fn is_watched(&self) -> bool {
        !lock(&self.shared.watchers).is_empty()
    }

    /// Is there anything to do without being asked?
    fn is_busy(&self) -> bool {
        self.is_watched() && (self.playing || self.goal.is_some() || self.dirty)
    }

    fn hear(&mut self, message: Message) {
        self.dirty = true;
        // Before anything else is asked for: whoever has gone lets go here.
        let Message::Order(viewer, order) = message else { return self.let_go() };
        if let Err(why) = self.obey(viewer, order) {
            let text: Arc<str> = Viewer::refusal(&Refused(why)).into();
            let watchers = lock(&self.shared.watchers);
            if let Some(watcher) = watchers.iter().find(|watcher| watcher.id == viewer) {
                // Who does not listen any more is about to leave.
                let _ = watcher.says.send(text);
            }
        }
    }

    fn obey(&mut self, viewer: u32, order: Order) -> Result<(), String> {
        let now = self.goal.unwrap_or(self.player.steps());
        match order {
            Order::Play => {
                // At the end of a recording play begins again.
                if self.player.last().is_some_and(|last| now >= last) {
                    self.goal = Some(0);
                }
                (self.playing, self.debt) = (true, 0.0);
            }
            Order::Pause => self.playing = false,
            Order::Speed(speed) => self.speed = speed,
            Order::Restart => self.goal = Some(0),
            Order::Step(steps) => {
                self.playing = false;
                self.goal = Some(self.within(now.saturating_add_signed(steps)));
            }
            Order::Seek(step) => self.goal = Some(self.within(step)),
            Order::Overlays(overlays) => {
                self.with_watcher(viewer, |watcher| watcher.overlays = overlays);
            }
            Order::Probe(body) => self.with_watcher(viewer, |watcher| watcher.probe = body),
            Order::Do(Deed::Release { hand }) if self.goal.is_some() => {
                self.letting_go.insert(hand);
            }
            Order::Do(_) if self.goal.is_some() => {
                return Err("another step is about to be shown: wait for it".to_string());
            }
            Order::Do(deed) => self.interfere(deed)?,
        }
        Ok(())
    }

    fn with_watcher(&self, viewer: u32, act: impl FnOnce(&mut super::session::Watcher)) {
        if let Some(watcher) = lock(&self.shared.watchers).iter_mut().find(|watcher| watcher.id == viewer) {
            act(watcher);
        }
    }

    /// Not after the end, and not so far ahead that nobody would wait for it.
    fn within(&self, step: u64) -> u64 {
        let farthest = self.history.latest().saturating_add(FARTHEST_AHEAD).min(LAST_STEP);
        step.min(self.player.last().unwrap_or(farthest))
    }

    /// Does something to the world here and now; what came after is given up.
    fn interfere(&mut self, deed: Deed) -> Result<(), String> {
        if self.history.events() >= MOST_EVENTS && !matches!(deed, Deed::Release { .. }) {
            return Err(format!("{MOST_EVENTS} things have been done to this world: that is enough"));
        }
        self.player.interfere(&deed)?;
        let step = self.player.steps();
        let changes_world = deed.changes_world();
        self.epochs.truncate(self.done);
        self.done = self.history.did(self.done, Event { step, deed });
        self.epochs.resize(self.done, self.epoch);
        self.ended = None;
        if changes_world {
            self.epoch = self.next_epoch;
            self.next_epoch += 1;
            if let Some(last) = self.epochs.last_mut() {
                *last = self.epoch;
            }
            self.describe();
        }
        self.check_hash();
        Ok(())
    }

    /// Hands of viewers who have gone hold nothing, from the latest step on.
    fn let_go(&mut self) {
        if self.player.steps() != self.history.latest() || self.goal.is_some() {
            return;
        }
        let letting_go = std::mem::take(&mut self.letting_go);
        let held = self.player.hands();
        if held.is_empty() {
            return;
        }
        let present: BTreeSet<u32> = lock(&self.shared.watchers).iter().map(|watcher| watcher.id).collect();
        for hand in held.into_iter().filter(|hand| !present.contains(hand) || letting_go.contains(hand)) {
            // It holds something, so it can let go.
            let _ = self.interfere(Deed::Release { hand });
            self.dirty = true;
        }
    }

    /// One step on, and what was done there.
    fn step(&mut self) -> Result<(), ()> {
        let next = self.player.steps() + 1;
        if next > LAST_STEP || self.ended.as_ref().is_some_and(|(_, step)| next >= *step) {
            return Err(());
        }
        let made = self.player.advance();
        if let Err(why) = made.and_then(|()| self.arrive()) {
            self.fail(why, next);
            return Err(());
        }
        Ok(())
    }

    /// At a step: what was done there is done again, hashes are compared, a copy is kept.
    fn arrive(&mut self) -> Result<(), String> {
        let step = self.player.steps();
        while let Some(deed) = self.history.event_at(self.done, step) {
            let again = self.player.interfere(&deed);
            again.map_err(|why| format!("what was done at step {step} cannot be done again: {why}"))?;
            self.done += 1;
            if deed.changes_world() {
                if self.epochs.len() < self.done {
                    self.epochs.resize(self.done - 1, self.epoch);
                    self.epochs.push(self.next_epoch);
                    self.next_epoch += 1;
                }
                self.epoch = self.epochs[self.done - 1];
                self.describe();
            } else if self.epochs.len() < self.done {
                self.epochs.resize(self.done, self.epoch);
            }
        }
        self.check_hash();
        self.history.reach(step);
        if self.history.wants_copy(step, self.player.steps_per_frame()) {
            let kept = self.player.keep();
            self.history.keep(step, self.done, kept);
        }
        Ok(())
    }

    fn has_hash(&self) -> bool {
        let frame = self.player.steps_per_frame();
        self.player.steps().is_multiple_of(frame.saturating_mul(FRAMES_PER_HASH))
    }

    fn check_hash(&mut self) {
        if self.has_hash() {
            self.history.check(self.player.steps(), self.player.state_hash());
        }
    }

    /// Why it does not go on from here.
    fn ending(&self) -> Option<&str> {
        let here = self.player.steps() + 1;
        self.ended.as_ref().filter(|(_, step)| here >= *step).map(|(why, _)| why.as_str())
    }

    /// The world stays as it was before the step that cannot be made.
    fn fail(&mut self, why: String, step: u64) {
        self.ended = Some((why, step));
        (self.playing, self.goal) = (false, None);
        self.dirty = true;
        self.go_back(step);
        while self.player.steps() + 1 < step && self.step().is_ok() {}
    }

    /// To the last copy before a step.
    fn go_back(&mut self, step: u64) {
        let player = &mut self.player;
        let back = self.history.before(step, |kept, events, changes| (player.bring_back(kept, changes), events));
        match back {
            Some((Ok(()), events)) => {
                self.done = events;
                let epoch = events.checked_sub(1).and_then(|last| self.epochs.get(last).copied()).unwrap_or(0);
                if epoch != self.epoch {
                    self.epoch = epoch;
                    self.describe();
                }
            }
            Some((Err(why), _)) => self.ended = Some((why, self.player.steps() + 1)),
            None => {}
        }
    }

    /// Goes on towards the goal for about one frame.
    fn seek(&mut self) {
        let Some(goal) = self.goal else { return };
        let start = Instant::now();
        let here = self.player.steps();
        match self.player.jump(goal) {
            Ok(true) => {
                self.check_hash();
                return self.end_seeking();
            }
            Ok(false) => {}
            Err(why) => {
                self.ended = Some((why, goal));
                return self.end_seeking();
            }
        }
        let nearest = self.history.step_before(goal).unwrap_or(0);
        // From a copy that is nearer, or because time runs in one direction.
        if goal < here || nearest > here {
            self.go_back(goal);
            self.arrive_after_return();
        }
        while self.player.steps() < goal {
            if self.step().is_err() {
                self.goal = None;
                return;
            }
            if start.elapsed() >= PERIOD {
                break;
            }
        }
        if self.player.steps() >= goal {
            self.end_seeking();
        }
        self.dirty = true;
    }

    fn end_seeking(&mut self) {
        (self.goal, self.debt, self.dirty) = (None, 0.0, true);
    }

    /// A copy may be older than what was done at its step.
    fn arrive_after_return(&mut self) {
        let step = self.player.steps();
        if let Err(why) = self.arrive() {
            self.ended = Some((why, step + 1));
        }
    }

    /// The steps of a frame.
    fn play(&mut self) {
        let start = Instant::now();
        let elapsed = start.duration_since(self.last_frame).as_secs_f64();
        self.last_frame = start;
        let before = self.player.time();
        let (length, frame) = (self.player.step_length(), self.player.steps_per_frame());
        self.debt += self.speed / (FRAMES_PER_SECOND * length);
        let mut due = (self.debt + 1e-9).floor() as u64;
        if self.speed >= 1.0 {
            // Whole frames, so that every tenth has its hash.
            let end = self.player.steps() + due;
            due = (end - end % frame).saturating_sub(self.player.steps());
        }
        let mut made = 0;
        while made < due {
            if self.step().is_err() {
                self.playing = false;
                break;
            }
            made += 1;
            if start.elapsed() >= LONGEST {
                break;
            }
        }
        // What could not be made in time is not made up for.
        self.debt = if made < due { 0.0 } else { self.debt - made as f64 };
        if self.player.last().is_some_and(|last| self.player.steps() >= last) {
            self.playing = false;
        }
        let share = (elapsed / FACTOR_MEAN).min(1.0);
        let factor = (self.player.time() - before) / elapsed.max(PERIOD.as_secs_f64() * 0.5);
        self.factor += share * (factor - self.factor);
        self.dirty |= made > 0 || !self.playing;
    }

    /// Says what there is to say, to whom it may concern.
    fn tell(&mut self) {
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

    fn publish(&mut self) {
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
        self.overlays = bill.overlays;
    }
}
