//! The thread of a session. It owns the world, keeps the pace of 60 frames a second while it plays, and waits for orders
//! otherwise: while it is paused, or nobody watches, it takes no time at all. Each frame is made once for all viewers and only
//! the newest is kept, so that nobody's slowness reaches here.
//!
//! The clock decides when a step is made and shown, never what it does.

mod telling;
mod time;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::watch;

use super::frame::SectionKind;
use super::history::{History, MOST_EVENTS};
use super::interference::{Deed, Event};
use super::order::{LAST_STEP, Order, Refused};
use super::player::{FRAMES_PER_SECOND, Player};
use super::session::{Message, Shared, Viewer, lock};

/// Between two frames.
const PERIOD: Duration = Duration::from_nanos((1e9 / FRAMES_PER_SECOND) as u64);
/// Whoever talks without end is interrupted by a frame.
const HEARD_AT_ONCE: usize = 64;
/// Nobody waits for a step so many steps after the latest.
const FARTHEST_AHEAD: u64 = 1_000_000;

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
    /// The epoch whose looks are known to others, and what its frames can have.
    described: Option<u32>,
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
            described: None,
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
        for _ in 0..HEARD_AT_ONCE {
            match self.messages.try_recv() {
                Ok(message) => self.hear(message),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
        true
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
}

impl Drop for Conductor {
    /// However the thread ends: nobody waits for another frame.
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Release);
        lock(&self.shared.watchers).clear();
    }
}
