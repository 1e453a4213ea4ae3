//! The handle to the thread of a session, and the viewers of the session.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use burgess_pictures::PictureOptions;
use burgess_scene::spec::SceneSpec;
use bytes::Bytes;
use serde::Serialize;
use tokio::sync::{broadcast, watch};

use super::brain::BrainGraph;
use super::command::{Command, Refused};
use super::current_world::OriginalSubject;
use super::export::{ExportError, Exported, Format, export, plain_name};
use super::history::EditLog;
use super::initial_state::InitialState;
use super::message::SessionMessage;
use super::motion::{MotionOptions, record_motion};
use super::opening::Opening;
use super::picture::picture;
use super::playback::Playback;
use super::player::{Kind, Player};
use super::scene_text::MAX_TEXT_BYTES;
use super::section::SectionKind;
use super::signal::Signal;
use super::source::Source;
use super::take::{self, Take};
use crate::share::{self, max_clip_bytes};

/// Capacity of the message queue of a viewer. The oldest messages are dropped.
const MAX_WAITING_MESSAGES: usize = 32;
/// Maximum number of viewers of a session.
pub const MAX_VIEWERS: usize = 1000;

/// The description of a session that clients receive.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Session"))]
pub struct About {
    /// Id of the session, as in its routes.
    pub id: String,
    /// Short title.
    pub title: String,
    /// Description in one or more sentences.
    pub description: String,
    /// Kind of the subject.
    pub kind: Kind,
    /// Name of the paradigm, if the subject is simulated.
    pub paradigm: Option<&'static str>,
    /// Length of a step, in s.
    pub step: f64,
    /// Number of steps between frames at normal speed.
    pub steps_per_frame: u64,
    /// Duration of the scene, trial or recording, in s.
    pub duration: Option<f64>,
    /// Operations that the session supports.
    pub can: Capabilities,
    /// Overlays that frames can contain.
    pub overlays: Vec<SectionKind>,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// Number of values of the overlay `activations`.
    pub neurons: usize,
    /// What the session was opened with. For a file named on the command line, its name.
    pub source: Source,
}

impl About {
    /// The same description without a text of a scene, for lists.
    pub fn brief(self) -> Self {
        Self { source: self.source.brief(), ..self }
    }
}

/// Operations that a session supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Capabilities {
    /// Whether viewers can edit the world.
    pub interfere: bool,
    /// Whether viewers can probe bodies.
    pub probe: bool,
    /// Whether there is a brain.
    pub brain: bool,
    /// Whether the session has a last step.
    pub end: bool,
}

/// The state of a viewer in the thread of the session.
#[derive(Debug)]
pub(super) struct ViewerState {
    pub id: u32,
    pub says: broadcast::Sender<Arc<str>>,
    pub overlays: Vec<SectionKind>,
    pub probe: Option<usize>,
    pub plot: PlotState,
    /// Whether the viewer receives the times of the modules.
    pub profile: bool,
    /// Version of the marks that were sent.
    pub marks: Option<(u64, usize)>,
}

/// The plots of a viewer.
#[derive(Debug, Default)]
pub(super) struct PlotState {
    /// The signals that the viewer plots.
    pub signals: Arc<[Signal]>,
    /// The last step that was sent.
    pub sent: Option<u64>,
}

/// The state that the thread and the handles share. Locks are held only to copy data.
#[derive(Debug)]
pub(super) struct Shared {
    pub about: Mutex<About>,
    pub appearance: Mutex<Bytes>,
    pub contents: Mutex<Bytes>,
    /// Whether a copy of the world is being measured.
    pub measuring: AtomicBool,
    pub log: Arc<Mutex<EditLog>>,
    pub watchers: Mutex<Vec<ViewerState>>,
    pub closed: AtomicBool,
    /// Time at which the last viewer left.
    pub left: Mutex<Instant>,
    pub settings: Mutex<Settings>,
    pub playback: Mutex<Playback>,
    /// The initial state, which an export replays.
    pub initial: Mutex<InitialState>,
    /// The text that the scene was read from, if there is one.
    pub text: Mutex<Option<String>>,
}

/// Settings that differ from those of the source.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Settings {
    pub paradigm: Option<String>,
    pub step: Option<f64>,
    pub keyframe: Option<String>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A message to the thread.
#[derive(Debug)]
pub(super) enum Message {
    /// A viewer joined or left, or the session was closed.
    Wake,
    /// A command of a viewer.
    Command(u32, Command),
    /// Another world, which is shown from its start instead of the current one.
    Replace(Box<Replacement>),
}

/// Another world for a session.
pub(super) struct Replacement {
    pub player: Box<dyn Player>,
    pub initial: InitialState,
    pub source: Source,
    pub text: Option<String>,
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Replacement").field("source", &self.source).finish_non_exhaustive()
    }
}

/// A handle to a session.
#[derive(Debug)]
pub struct Session {
    pub(super) id: String,
    pub(super) shared: Arc<Shared>,
    pub(super) messages: SyncSender<Message>,
    pub(super) frames: watch::Receiver<Bytes>,
    pub(super) next_viewer: AtomicU32,
    pub(super) brain: Option<BrainGraph>,
    pub(super) opened: Instant,
    /// Whether the session stays if nobody watches it.
    pub(super) is_kept: bool,
}

impl Session {
    /// Id of the session, as in its routes.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The description that clients receive.
    pub fn about(&self) -> About {
        lock(&self.shared.about).clone()
    }

    /// The current appearance, as JSON.
    pub fn appearance(&self) -> Bytes {
        lock(&self.shared.appearance).clone()
    }

    /// The current contents besides the bodies, as JSON.
    pub fn contents(&self) -> Bytes {
        lock(&self.shared.contents).clone()
    }

    /// How the session is shown at present.
    pub fn playback(&self) -> Playback {
        *lock(&self.shared.playback)
    }

    /// Number of viewers.
    pub fn viewers(&self) -> usize {
        lock(&self.shared.watchers).len()
    }

    /// Time since the session was opened.
    pub fn age(&self) -> Duration {
        self.opened.elapsed()
    }

    /// Time at which the last viewer left, or the session was opened; none while somebody watches.
    pub fn unwatched_since(&self) -> Option<Instant> {
        let watchers = lock(&self.shared.watchers);
        watchers.is_empty().then(|| *lock(&self.shared.left))
    }

    /// Adds a viewer, until it is dropped. None if there are too many, or if the session is closed.
    pub fn join(self: &Arc<Self>) -> Option<Viewer> {
        if self.shared.closed.load(Ordering::Acquire) {
            return None;
        }
        let id = self.next_viewer.fetch_add(1, Ordering::Relaxed);
        let (says, receiver) = broadcast::channel(MAX_WAITING_MESSAGES);
        {
            let mut watchers = lock(&self.shared.watchers);
            if watchers.len() >= MAX_VIEWERS {
                return None;
            }
            let (overlays, plot) = (Vec::new(), PlotState::default());
            watchers.push(ViewerState { id, says, overlays, probe: None, plot, profile: false, marks: None });
        }
        // If the queue is full, the thread is awake.
        let _ = self.messages.try_send(Message::Wake);
        Some(Viewer { frames: self.frames.clone(), says: receiver, session: self.clone(), id })
    }

    /// The take of the session so far.
    pub fn take(&self) -> Take {
        let log = lock(&self.shared.log).clone();
        let settings = lock(&self.shared.settings).clone();
        Take {
            version: take::VERSION,
            source: lock(&self.shared.about).source.clone(),
            paradigm: settings.paradigm,
            step: settings.step,
            keyframe: settings.keyframe,
            latest: log.latest,
            events: log.edits,
            hashes: Take::hex(&log.hashes),
        }
    }

    /// The newest frame, as bytes; empty as long as there is none.
    pub fn frame(&self) -> Bytes {
        self.frames.borrow().clone()
    }

    /// Draws the session as it is now, as SVG. This builds its world, so it must not run on a thread that serves
    /// requests.
    pub fn picture(&self, options: PictureOptions) -> Result<String, String> {
        let log = lock(&self.shared.log).clone();
        let initial = lock(&self.shared.initial).clone();
        picture(&initial, &log, &self.frame(), options)
    }

    /// The brain of the creature.
    pub fn brain(&self) -> Option<&BrainGraph> {
        self.brain.as_ref()
    }

    /// Exports the session. This replays it, so it must not run on a thread that serves requests.
    pub fn export(&self, format: Format) -> Result<Exported, ExportError> {
        let log = lock(&self.shared.log).clone();
        let initial = lock(&self.shared.initial).clone();
        export(&initial, &log, &self.about().title, format)
    }

    /// The text of the scene, as it was opened; or a sentence that says why there is none.
    pub fn scene_text(&self) -> Result<String, String> {
        if let Some(text) = &*lock(&self.shared.text) {
            return Ok(text.clone());
        }
        let initial = lock(&self.shared.initial).clone();
        let InitialState::Live(original, _) = initial else {
            return Err("only scenes can be edited as text".to_string());
        };
        let OriginalSubject::Scene(scene) = &original.subject else {
            return Err("a creature, or a scene with creatures, cannot be edited as text".to_string());
        };
        let text = scene.to_toml().map_err(|error| error.to_string())?;
        let length = text.len();
        let too_long = || format!("the scene has {length} bytes as text, expected at most {MAX_TEXT_BYTES}");
        if length <= MAX_TEXT_BYTES { Ok(text) } else { Err(too_long()) }
    }

    /// Shows another scene from its start instead of the current world. All edits are discarded. A session of a creature,
    /// a recording or `bounce` is refused.
    pub fn show_scene(&self, scene: SceneSpec, name: String, text: String) -> Result<(), String> {
        self.scene_text()?;
        let opening = Opening::of_text(scene, name, text).map_err(|error| error.to_string())?;
        let player = opening.initial.player()?;
        let Opening { initial, source, text, .. } = opening;
        let replacement = Replacement { player, initial, source, text };
        self.messages.try_send(Message::Replace(Box::new(replacement))).map_err(|error| match error {
            TrySendError::Full(_) => "the session has too many commands at once".to_string(),
            TrySendError::Disconnected(_) => "the session is over".to_string(),
        })
    }

    /// Makes a self-contained page that plays the session. This replays it, so it must not run on a thread that serves
    /// requests.
    pub fn share(&self, options: MotionOptions) -> Result<Exported, ExportError> {
        let log = lock(&self.shared.log).clone();
        let about = self.about();
        let initial = lock(&self.shared.initial).clone();
        let motion = record_motion(&initial, &log, options, max_clip_bytes()?)?;
        let page = share::html(&about.title, &about.description, &motion.clip)?;
        let name = format!("{}.html", plain_name(&about.title));
        Ok(Exported { name, media_type: "text/html; charset=utf-8", bytes: page.into_bytes() })
    }

    /// Whether the session is closed.
    pub fn is_over(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::Release);
        let _ = self.messages.try_send(Message::Wake);
    }
}

/// A viewer of a session, until it is dropped.
#[derive(Debug)]
pub struct Viewer {
    /// The newest frame; closed when the session is over.
    pub frames: watch::Receiver<Bytes>,
    /// Messages to this viewer, as JSON. A slow viewer misses the oldest.
    pub says: broadcast::Receiver<Arc<str>>,
    session: Arc<Session>,
    id: u32,
}

impl Viewer {
    /// Number of the viewer in the session.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Checks and queues a command; this never blocks. If the session refuses the command, a message says so later.
    pub fn command(&self, text: &str) -> Result<(), Refused> {
        let command = Command::parse(text, self.id)?;
        self.session.messages.try_send(Message::Command(self.id, command)).map_err(|error| {
            Refused(match error {
                TrySendError::Full(_) => "too many commands at once: this one was dropped".to_string(),
                TrySendError::Disconnected(_) => "the session is over".to_string(),
            })
        })
    }

    /// The message for a refused command.
    pub fn refusal(refused: &Refused) -> Arc<str> {
        SessionMessage::Refused { why: &refused.0 }.to_json()
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
        // The thread releases what the viewer held, and stops if no viewer is left.
        let _ = self.session.messages.try_send(Message::Wake);
    }
}
