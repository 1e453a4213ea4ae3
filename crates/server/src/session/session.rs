//! A world on stage, as everybody else sees it: a handle on the thread that owns the world, and viewers that watch it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::{broadcast, watch};

use super::brain::BrainGraph;
use super::export::{ExportError, Exported, Format, export};
use super::frame::SectionKind;
use super::history::Ledger;
use super::order::{Order, Refused};
use super::player::Kind;
use super::source::Source;
use super::take::{self, Take};

/// Messages to a viewer that wait; the oldest are lost when there are more.
const WAITING_SAYINGS: usize = 32;
/// More viewers of one session are refused.
pub const MOST_VIEWERS: usize = 1000;

/// A session as the protocol describes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct About {
    /// In the address.
    pub id: String,
    /// In a word.
    pub title: String,
    /// In a sentence.
    pub description: String,
    /// Of what is on stage.
    pub kind: Kind,
    /// Name of the paradigm, where there is one.
    pub paradigm: Option<&'static str>,
    /// In s.
    pub step: f64,
    /// From frame to frame at the speed of time.
    pub steps_per_frame: u64,
    /// How long it is worth watching, in s.
    pub duration: Option<f64>,
    /// What can be done.
    pub can: Can,
    /// What can be asked for in frames.
    pub overlays: Vec<&'static str>,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// How many numbers the activations are.
    pub neurons: usize,
    /// Where it came from.
    pub source: Source,
}

/// What can be done with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Can {
    /// Grab, throw, change?
    pub interfere: bool,
    /// Ask of bodies?
    pub probe: bool,
    /// Look at a brain?
    pub brain: bool,
    /// Does it end?
    pub end: bool,
}

/// A viewer as the thread sees it.
#[derive(Debug)]
pub(super) struct Watcher {
    pub id: u32,
    pub says: broadcast::Sender<Arc<str>>,
    pub overlays: Vec<SectionKind>,
    pub probe: Option<usize>,
}

/// What thread and handles share. Nobody holds a lock for longer than it takes to copy something.
#[derive(Debug)]
pub(super) struct Shared {
    pub about: Mutex<About>,
    pub appearance: Mutex<Bytes>,
    pub ledger: Arc<Mutex<Ledger>>,
    pub watchers: Mutex<Vec<Watcher>>,
    pub closed: AtomicBool,
    /// When the last viewer left.
    pub left: Mutex<Instant>,
    pub settings: Mutex<Settings>,
}

/// How it is to be shown again.
#[derive(Debug, Clone, Default)]
pub(super) struct Settings {
    pub paradigm: Option<String>,
    pub step: Option<f64>,
    pub keyframe: Option<String>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread is told.
#[derive(Debug)]
pub(super) enum Message {
    /// Somebody came or went, or it is over.
    Look,
    /// A viewer wants something.
    Order(u32, Order),
}

/// A world on stage.
#[derive(Debug)]
pub struct Session {
    pub(super) id: String,
    pub(super) shared: Arc<Shared>,
    pub(super) messages: SyncSender<Message>,
    pub(super) frames: watch::Receiver<Bytes>,
    pub(super) next_viewer: AtomicU32,
    pub(super) brain: Option<BrainGraph>,
    /// What it began with, to be played again for an export.
    pub(super) script: super::script::Script,
}

impl Session {
    /// In the address.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The session as the protocol describes it.
    pub fn about(&self) -> About {
        lock(&self.shared.about).clone()
    }

    /// What it looks like at present, as JSON.
    pub fn appearance(&self) -> Bytes {
        lock(&self.shared.appearance).clone()
    }

    /// How many watch.
    pub fn viewers(&self) -> usize {
        lock(&self.shared.watchers).len()
    }

    /// Somebody watches from now on, until the viewer is dropped. None if there are too many, or if it is over.
    pub fn join(self: &Arc<Self>) -> Option<Viewer> {
        if self.shared.closed.load(Ordering::Acquire) {
            return None;
        }
        let id = self.next_viewer.fetch_add(1, Ordering::Relaxed);
        let (says, receiver) = broadcast::channel(WAITING_SAYINGS);
        {
            let mut watchers = lock(&self.shared.watchers);
            if watchers.len() >= MOST_VIEWERS {
                return None;
            }
            watchers.push(Watcher { id, says, overlays: Vec::new(), probe: None });
        }
        // A queue that is full means that the thread is awake.
        let _ = self.messages.try_send(Message::Look);
        Some(Viewer { frames: self.frames.clone(), says: receiver, session: self.clone(), id })
    }

    /// All that is needed to see it again.
    pub fn take(&self) -> Take {
        let ledger = lock(&self.shared.ledger).clone();
        let settings = lock(&self.shared.settings).clone();
        Take {
            version: take::VERSION,
            source: lock(&self.shared.about).source.clone(),
            paradigm: settings.paradigm,
            step: settings.step,
            keyframe: settings.keyframe,
            latest: ledger.latest,
            events: ledger.events,
            hashes: Take::hex(&ledger.hashes),
        }
    }

    /// The brain of the creature on stage.
    pub fn brain(&self) -> Option<&BrainGraph> {
        self.brain.as_ref()
    }

    /// A file for other programs. This plays again all that was shown, which takes time: not for a thread that serves others.
    pub fn export(&self, format: Format) -> Result<Exported, ExportError> {
        let ledger = lock(&self.shared.ledger).clone();
        export(&self.script, &ledger, &self.about().title, format)
    }

    /// Has it ended?
    pub fn is_over(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::Release);
        let _ = self.messages.try_send(Message::Look);
    }
}

/// Somebody who watches. Dropping it is leaving.
#[derive(Debug)]
pub struct Viewer {
    /// Always the newest frame; closed when the session is over.
    pub frames: watch::Receiver<Bytes>,
    /// What is said to this viewer, as JSON. Who is slow misses the oldest.
    pub says: broadcast::Receiver<Arc<str>>,
    session: Arc<Session>,
    id: u32,
}

impl Viewer {
    /// Its number in the session.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Gives an order. It is checked here and never waits; what the world itself refuses is said later.
    pub fn order(&self, text: &str) -> Result<(), Refused> {
        let order = Order::parse(text, self.id)?;
        self.session.messages.try_send(Message::Order(self.id, order)).map_err(|error| {
            Refused(match error {
                TrySendError::Full(_) => "too many orders at once: this one was not taken".to_string(),
                TrySendError::Disconnected(_) => "the session is over".to_string(),
            })
        })
    }

    /// A refusal as it is said.
    pub fn refusal(refused: &Refused) -> String {
        serde_json::json!({"say": "refused", "why": refused.0}).to_string()
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        {
            let mut watchers = lock(&self.session.shared.watchers);
            watchers.retain(|watcher| watcher.id != self.id);
            if watchers.is_empty() {
                *lock(&self.session.shared.left) = Instant::now();
            }
        }
        // What its hand held is let go of, and nobody may be left to play for.
        let _ = self.session.messages.try_send(Message::Look);
    }
}
