//! All sessions of a server. A session that nobody watches for some time ends. The number of sessions is bounded, too:
//! when the bound is reached, the session that has been without viewers for the longest time is closed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use burgess_catalog::{Arena, Subject};
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::Snapshot;
use bytes::Bytes;
use tokio::sync::watch;

use super::current_world::Original;
use super::history::{History, MAX_HISTORY_BYTES};
use super::library::Library;
use super::opening::{OpenError, Opening};
use super::player::Player;
use super::session::{About, Capabilities, Session, Shared, lock};
use super::source::OpenRequest;
use super::thread::SessionThread;
use crate::options::DEFAULT_IDLE;

/// Capacity of the command queue of a session.
const MAX_WAITING_COMMANDS: usize = 256;

/// Limits of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of sessions.
    pub sessions: usize,
    /// Memory for the snapshots of each session, in bytes.
    pub history_bytes: usize,
    /// Time after which a session without viewers ends, unless this program opened it; none keeps all.
    pub idle: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sessions: 64, history_bytes: MAX_HISTORY_BYTES, idle: Some(DEFAULT_IDLE) }
    }
}

/// All sessions of a server. A clone is another handle to the same sessions.
#[derive(Debug, Clone)]
pub struct Sessions {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    limits: Limits,
    sessions: Mutex<BTreeMap<u64, Arc<Session>>>,
    next: AtomicU64,
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Sessions {
    /// Creates an empty set of sessions.
    pub fn new(limits: Limits) -> Self {
        let inner = Inner { limits, sessions: Mutex::default(), next: AtomicU64::new(1) };
        Self { inner: Arc::new(inner) }
    }

    /// Opens a session for a client. Building a world takes time, so this must not run on a thread that serves
    /// requests.
    pub fn open(&self, request: OpenRequest, library: &Library) -> Result<Arc<Session>, OpenError> {
        self.begin(Opening::of_request(request, library)?, false)
    }

    /// Opens a session for a subject that the user of this process named. Unlike [`Sessions::open`], this reads any
    /// file.
    pub fn open_subject(
        &self,
        subject: &Subject,
        arena: &Arena,
        keyframe: Option<&str>,
        library: &Library,
    ) -> Result<Arc<Session>, OpenError> {
        self.begin(Opening::of_subject(subject, arena, keyframe, library)?, true)
    }

    /// Opens a session for a scene of the program. `name` is used if the scene has none.
    pub fn open_scene(&self, scene: &SceneSpec, name: &str, options: &RunOptions) -> Result<Arc<Session>, OpenError> {
        self.begin(Opening::of_named_scene(scene, name, options)?, true)
    }

    /// Opens a session for a scene or a creature of the program, from one of its states.
    pub fn open_state(
        &self,
        original: Original,
        options: &RunOptions,
        start: Snapshot,
    ) -> Result<Arc<Session>, OpenError> {
        self.begin(Opening::of_state(original, options, start)?, true)
    }

    /// Returns the session with an id, unless it is closed.
    pub fn get(&self, id: &str) -> Option<Arc<Session>> {
        let number = number_of(id)?;
        lock(&self.inner.sessions).get(&number).filter(|session| !session.is_over()).cloned()
    }

    /// All sessions, the oldest first.
    pub fn list(&self) -> Vec<Arc<Session>> {
        lock(&self.inner.sessions).values().filter(|session| !session.is_over()).cloned().collect()
    }

    /// Closes a session. Returns false if there is none with this id.
    pub fn close(&self, id: &str) -> bool {
        let session = number_of(id).and_then(|number| lock(&self.inner.sessions).remove(&number));
        session.inspect(|session| session.close()).is_some()
    }

    /// Closes all sessions.
    pub fn close_all(&self) {
        std::mem::take(&mut *lock(&self.inner.sessions)).values().for_each(|session| session.close());
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Closes the sessions that clients opened and that nobody has watched for the time limit at the time `now`.
    /// Returns their number. Sessions that this program opened stay: clients could not open them again.
    pub fn end_idle(&self, now: Instant) -> usize {
        let Some(idle) = self.inner.limits.idle else { return 0 };
        let mut sessions = lock(&self.inner.sessions);
        let before = sessions.len();
        sessions.retain(|_, session| {
            let is_idle = !session.is_kept && session.unwatched_since().is_some_and(|left| left + idle <= now);
            if is_idle {
                session.close();
            }
            !is_idle
        });
        before - sessions.len()
    }

    fn begin(&self, opening: Opening, is_kept: bool) -> Result<Arc<Session>, OpenError> {
        // Before building the world, and again afterwards: other sessions may have been opened in the meantime.
        self.evict_idle(&mut lock(&self.inner.sessions))?;
        let player = opening.initial.player().map_err(OpenError::Refused)?;
        let number = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let session = spawn_session(format!("s{number}"), opening, player, self.inner.limits.history_bytes, is_kept)?;
        let mut sessions = lock(&self.inner.sessions);
        self.evict_idle(&mut sessions)?;
        sessions.insert(number, session.clone());
        Ok(session)
    }

    /// Closes the session without viewers for the longest time while there are too many.
    fn evict_idle(&self, sessions: &mut BTreeMap<u64, Arc<Session>>) -> Result<(), OpenError> {
        sessions.retain(|_, session| !session.is_over());
        while sessions.len() >= self.inner.limits.sessions {
            let unwatched = sessions.iter().filter(|(_, session)| session.viewers() == 0);
            let oldest = unwatched.min_by_key(|(_, session)| *lock(&session.shared.left)).map(|(number, _)| *number);
            let number = oldest.ok_or(OpenError::TooMany(self.inner.limits.sessions))?;
            sessions.remove(&number).into_iter().for_each(|session| session.close());
        }
        Ok(())
    }
}

fn number_of(id: &str) -> Option<u64> {
    id.strip_prefix('s')?.parse().ok()
}

/// Starts the thread of a session.
fn spawn_session(
    id: String,
    opening: Opening,
    player: Box<dyn Player>,
    history_bytes: usize,
    is_kept: bool,
) -> Result<Arc<Session>, OpenError> {
    let info = player.info();
    let about = About {
        id: id.clone(),
        title: info.title,
        description: info.description,
        kind: info.kind,
        paradigm: info.paradigm,
        step: player.step_length(),
        steps_per_frame: player.steps_per_frame(),
        duration: info.duration,
        can: Capabilities {
            interfere: info.interfere,
            probe: info.probe,
            brain: opening.brain.is_some(),
            end: info.end,
        },
        overlays: info.overlays,
        counters: info.counters,
        neurons: info.neurons,
        source: opening.source,
    };
    let log = Arc::new(Mutex::new(opening.log));
    let shared = Arc::new(Shared {
        about: Mutex::new(about),
        appearance: Mutex::default(),
        contents: Mutex::default(),
        measuring: AtomicBool::new(false),
        log: log.clone(),
        watchers: Mutex::default(),
        closed: AtomicBool::new(false),
        left: Mutex::new(Instant::now()),
        settings: Mutex::new(opening.settings),
        playback: Mutex::default(),
        initial: Mutex::new(opening.initial),
        text: Mutex::new(opening.text),
    });
    let (messages, receiver) = sync_channel(MAX_WAITING_COMMANDS);
    let (sender, frames) = watch::channel(Bytes::new());
    let history = History::new(log, history_bytes);
    let thread = SessionThread::new(shared.clone(), receiver, sender, player, history, opening.paused);
    let thread = std::thread::Builder::new().name(format!("session-{id}")).spawn(move || thread.run());
    thread.map_err(|error| OpenError::Refused(format!("cannot start a thread: {error}")))?;
    let brain = opening.brain;
    let (next_viewer, opened) = (AtomicU32::new(1), Instant::now());
    Ok(Arc::new(Session { id, shared, messages, frames, next_viewer, brain, opened, is_kept }))
}
