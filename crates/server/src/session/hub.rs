//! All worlds on stage. There is a bound on how many; when it is reached, the one that nobody has watched for the longest time
//! makes room.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use burgess_bounce::{BodyKind, BounceConfig, BroadPhaseKind};
use burgess_creature::builtin as creatures;
use burgess_creature::evaluation::Showing;
use burgess_creature::task::Task;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, builtin};
use bytes::Bytes;
use thiserror::Error;
use tokio::sync::watch;

use super::brain::{BrainGraph, graph_of};
use super::conductor::Conductor;
use super::history::{History, Ledger, MOST_BYTES};
use super::interference::{STEPS, check_number, paradigm_of, short};
use super::library::{Library, LibraryError};
use super::player::Player;
use super::script::Script;
use super::session::{About, Can, Session, Settings, Shared, lock};
use super::source::{BounceSource, OpenRequest, Source};
use super::staged::Original;

/// Orders that wait.
const WAITING_ORDERS: usize = 256;
/// Of creatures that name none.
const USUAL_TASK: &str = "walk";
/// More objects bounce too slowly to be watched.
const MOST_OBJECTS: usize = 20_000;
/// So many may be anywhere, more need room: at least this share of the edge of a roomy world.
const MOST_CROWDED: usize = 500;
const DENSEST: f64 = 0.5;
/// Hulls with more corners are not for watching.
const MOST_VERTICES: usize = 2000;
/// Time of a step of bounce, for a step size of 1.
const BOUNCE_STEP: f64 = 0.01;

/// Why something could not be put on stage.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpenError {
    /// There is none of that name.
    #[error("{0}")]
    Missing(String),
    /// It makes no sense, or cannot be.
    #[error("{0}")]
    Refused(String),
    /// All places are taken.
    #[error("{0} worlds are on stage, and all of them are watched: close one first")]
    TooMany(usize),
}

impl From<LibraryError> for OpenError {
    fn from(error: LibraryError) -> Self {
        match error {
            LibraryError::Missing { .. } => Self::Missing(error.to_string()),
            other => Self::Refused(other.to_string()),
        }
    }
}

/// Bounds on what sessions may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Sessions at once.
    pub sessions: usize,
    /// Memory of the past of each, in bytes.
    pub history_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sessions: 32, history_bytes: MOST_BYTES }
    }
}

/// All worlds on stage; a clone is another handle on the same.
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

/// What is about to be put on stage.
struct Opening {
    script: Script,
    source: Source,
    settings: Settings,
    ledger: Ledger,
    brain: Option<BrainGraph>,
    paused: bool,
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Sessions {
    /// None yet.
    pub fn new(limits: Limits) -> Self {
        let inner = Inner { limits, sessions: Mutex::default(), next: AtomicU64::new(1) };
        Self { inner: Arc::new(inner) }
    }

    /// Puts something on stage. Building a world takes time: not for a thread that serves others.
    pub fn open(&self, request: OpenRequest, library: &Library) -> Result<Arc<Session>, OpenError> {
        self.begin(opening(request, library)?)
    }

    /// A scene that was read from a file, with the name that it is to have if it has none.
    pub fn open_scene(&self, scene: &SceneSpec, name: &str, options: &RunOptions) -> Result<Arc<Session>, OpenError> {
        let mut scene = scene.self_contained("").map_err(refused)?;
        if scene.name.is_empty() {
            scene.name = name.to_string();
        }
        let source = Source::File { name: name.to_string() };
        self.begin(Opening::of_scene(scene, source, &settings_of(options), false)?)
    }

    /// A creature in its arena.
    pub fn open_creature(
        &self,
        showing: Showing,
        family: &str,
        name: &str,
        options: &RunOptions,
    ) -> Result<Arc<Session>, OpenError> {
        let source = Source::File { name: name.to_string() };
        self.begin(Opening::of_creature(showing, family, source, &settings_of(options), false)?)
    }

    /// A recording anywhere.
    pub fn open_recording(&self, path: &Path) -> Result<Arc<Session>, OpenError> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let source = Source::File { name: name.clone() };
        self.begin(Opening::plain(Script::Recording(path.to_path_buf(), name), source, false))
    }

    /// The session of an id.
    pub fn get(&self, id: &str) -> Option<Arc<Session>> {
        let number = number_of(id)?;
        lock(&self.inner.sessions).get(&number).filter(|session| !session.is_over()).cloned()
    }

    /// All of them, the oldest first.
    pub fn list(&self) -> Vec<Arc<Session>> {
        lock(&self.inner.sessions).values().filter(|session| !session.is_over()).cloned().collect()
    }

    /// Ends a session; false if there is none.
    pub fn close(&self, id: &str) -> bool {
        let session = number_of(id).and_then(|number| lock(&self.inner.sessions).remove(&number));
        session.inspect(|session| session.close()).is_some()
    }

    /// Ends all of them.
    pub fn close_all(&self) {
        std::mem::take(&mut *lock(&self.inner.sessions)).values().for_each(|session| session.close());
    }

    fn begin(&self, opening: Opening) -> Result<Arc<Session>, OpenError> {
        // Before the work, and again after it: others may have come in the meantime.
        self.make_room(&mut lock(&self.inner.sessions))?;
        let player = opening.script.player().map_err(OpenError::Refused)?;
        let number = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let session = raise_curtain(format!("s{number}"), opening, player, self.inner.limits.history_bytes)?;
        let mut sessions = lock(&self.inner.sessions);
        self.make_room(&mut sessions)?;
        sessions.insert(number, session.clone());
        Ok(session)
    }

    /// Ends the session that nobody has watched for the longest time, if there are too many.
    fn make_room(&self, sessions: &mut BTreeMap<u64, Arc<Session>>) -> Result<(), OpenError> {
        sessions.retain(|_, session| !session.is_over());
        while sessions.len() >= self.inner.limits.sessions {
            let unwatched = sessions.iter().filter(|(_, session)| session.viewers() == 0);
            let longest = unwatched.min_by_key(|(_, session)| *lock(&session.shared.left)).map(|(number, _)| *number);
            let number = longest.ok_or(OpenError::TooMany(self.inner.limits.sessions))?;
            sessions.remove(&number).into_iter().for_each(|session| session.close());
        }
        Ok(())
    }
}

fn number_of(id: &str) -> Option<u64> {
    id.strip_prefix('s')?.parse().ok()
}

fn refused(error: impl std::fmt::Display) -> OpenError {
    OpenError::Refused(error.to_string())
}

fn settings_of(options: &RunOptions) -> Settings {
    Settings {
        paradigm: options.paradigm.map(|paradigm| paradigm.name().to_string()),
        step: options.step,
        keyframe: options.keyframe.clone(),
    }
}

/// Starts the thread.
fn raise_curtain(
    id: String,
    opening: Opening,
    player: Box<dyn Player>,
    history_bytes: usize,
) -> Result<Arc<Session>, OpenError> {
    let bill = player.bill();
    let about = About {
        id: id.clone(),
        title: bill.title,
        description: bill.description,
        kind: bill.kind,
        paradigm: bill.paradigm,
        step: player.step_length(),
        steps_per_frame: player.steps_per_frame(),
        duration: bill.duration,
        can: Can { interfere: bill.interfere, probe: bill.probe, brain: opening.brain.is_some(), end: bill.end },
        overlays: bill.overlays.iter().map(|kind| kind.name()).collect(),
        counters: bill.counters,
        neurons: bill.neurons,
        source: opening.source,
    };
    let ledger = Arc::new(Mutex::new(opening.ledger));
    let shared = Arc::new(Shared {
        about: Mutex::new(about),
        appearance: Mutex::default(),
        ledger: ledger.clone(),
        watchers: Mutex::default(),
        closed: AtomicBool::new(false),
        left: Mutex::new(Instant::now()),
        settings: Mutex::new(opening.settings),
    });
    let (messages, receiver) = sync_channel(WAITING_ORDERS);
    let (sender, frames) = watch::channel(Bytes::new());
    let history = History::new(ledger, history_bytes);
    let conductor = Conductor::new(shared.clone(), receiver, sender, player, history, opening.paused);
    let thread = std::thread::Builder::new().name(format!("session-{id}")).spawn(move || conductor.run());
    thread.map_err(|error| OpenError::Refused(format!("no thread could be started: {error}")))?;
    let (brain, script) = (opening.brain, opening.script);
    Ok(Arc::new(Session { id, shared, messages, frames, next_viewer: AtomicU32::new(1), brain, script }))
}

/// Finds out what is wanted.
fn opening(request: OpenRequest, library: &Library) -> Result<Opening, OpenError> {
    let OpenRequest { source, paradigm, step, keyframe, paused } = request;
    if let Source::Take { take } = source {
        if paradigm.is_some() || step.is_some() || keyframe.is_some() {
            return Err(OpenError::Refused("a take says itself how it is simulated".to_string()));
        }
        if matches!(take.source, Source::Take { .. }) {
            return Err(OpenError::Refused("a take of a take is not known".to_string()));
        }
        let ledger = take.ledger().map_err(OpenError::Refused)?;
        let take = *take;
        let inner = OpenRequest {
            source: take.source,
            paradigm: take.paradigm,
            step: take.step,
            keyframe: take.keyframe,
            paused,
        };
        return Ok(Opening { ledger, ..opening(inner, library)? });
    }
    if let Some(name) = &paradigm {
        paradigm_of(name).map_err(OpenError::Refused)?;
    }
    if let Some(step) = step {
        check_number("step", step, STEPS, "s").map_err(OpenError::Refused)?;
    }
    let settings = Settings { paradigm, step, keyframe };
    let plain = |what: &str| {
        let set = [settings.paradigm.is_some(), settings.step.is_some(), settings.keyframe.is_some()];
        if set.contains(&true) {
            return Err(OpenError::Refused(format!("paradigm, step and keyframe are not for {what}")));
        }
        Ok(())
    };
    match &source {
        Source::Scene { name } => {
            let missing = || OpenError::Missing(format!("there is no scene called '{}'", short(name)));
            let scene = builtin::find(name).ok_or_else(missing)?.spec();
            Opening::of_scene(scene, source, &settings, paused)
        }
        Source::Creature { name, task, seed } => {
            let missing = || OpenError::Missing(format!("there is no creature called '{}'", short(name)));
            let file = creatures::find(name).ok_or_else(missing)?.file();
            let task = task.as_deref().or(file.task.as_deref()).unwrap_or(USUAL_TASK);
            let task = Task::preset(task).map_err(|error| OpenError::Missing(short_of(&error)))?;
            let family = file.genome.family().name();
            let showing = Showing::new(&file.genome, &task, seed.unwrap_or(0)).map_err(refused)?;
            let own = file.description.as_deref().unwrap_or("A creature.");
            let showing = showing.titled(&file.name, &format!("{own} (As in the task {}.)", task.name));
            Opening::of_creature(showing, family, source, &settings, paused)
        }
        Source::Individual { run, id } => {
            let found = library.individual(run, *id)?;
            let showing = Showing::new(&found.genome, &found.task, found.seed).map_err(refused)?;
            let description = format!("Number {} of {run}. (As in the task {}.)", found.id, found.task.name);
            let showing = showing.titled(&found.title, &description);
            let source = Source::Individual { run: run.clone(), id: Some(found.id) };
            Opening::of_creature(showing, found.genome.family().name(), source, &settings, paused)
        }
        Source::Recording { name } => {
            plain("recordings")?;
            let script = Script::Recording(library.recording(name)?, name.clone());
            Ok(Opening::plain(script, source, paused))
        }
        Source::Bounce(bounce) => {
            plain("bounce")?;
            let script = Script::Bounce(bounce_config(bounce).map_err(OpenError::Refused)?);
            Ok(Opening::plain(script, source, paused))
        }
        Source::File { name } => {
            let why = format!("'{}' is a file: name it on the command line", short(name));
            Err(OpenError::Refused(why))
        }
        Source::Take { .. } => Err(OpenError::Refused("a take of a take is not known".to_string())),
    }
}

fn short_of(error: &impl std::fmt::Display) -> String {
    error.to_string().chars().take(300).collect()
}

fn bounce_config(source: &BounceSource) -> Result<BounceConfig, String> {
    let objects = source.objects.unwrap_or(50);
    if !(1..=MOST_OBJECTS).contains(&objects) {
        return Err(format!("objects must be from 1 to {MOST_OBJECTS}, found {objects}"));
    }
    let world = source.world.unwrap_or_else(|| BounceConfig::roomy_world(objects));
    check_number("world", world, [0.1, 1e5], "")?;
    // Where all are in each other there are as many pairs as the square of their number.
    let least = DENSEST * BounceConfig::roomy_world(objects);
    if objects > MOST_CROWDED && world < least {
        return Err(format!("{objects} objects need a world of at least {least:.1}, found {world}"));
    }
    let step_size = source.step_size.unwrap_or(1.0);
    check_number("step_size", step_size, [0.0, 100.0], "")?;
    if let Some(vertices) = source.vertices.filter(|vertices| !(4..=MOST_VERTICES).contains(vertices)) {
        return Err(format!("vertices must be from 4 to {MOST_VERTICES}, found {vertices}"));
    }
    let coherence = source.coherence.unwrap_or(true);
    let broad_phase = match source.broad_phase.as_deref().unwrap_or("hash") {
        "hash" => BroadPhaseKind::Hashing { coherence },
        "sweep" => BroadPhaseKind::SweepAndPrune,
        "exhaustive" => BroadPhaseKind::Exhaustive,
        "off" => BroadPhaseKind::Off,
        other => return Err(format!("broad_phase must be hash, sweep, exhaustive or off, found '{}'", short(other))),
    };
    let bodies = source.vertices.map_or(BodyKind::Primitives, BodyKind::Hulls);
    let step_size = BOUNCE_STEP * step_size;
    Ok(BounceConfig { objects, world, step_size, broad_phase, bodies, ..BounceConfig::default() })
}

impl Opening {
    fn plain(script: Script, source: Source, paused: bool) -> Self {
        let (settings, ledger) = (Settings::default(), Ledger::default());
        Self { script, source, settings, ledger, brain: None, paused }
    }

    fn of_scene(mut scene: SceneSpec, source: Source, settings: &Settings, paused: bool) -> Result<Self, OpenError> {
        if let Some(keyframe) = &settings.keyframe {
            scene.start_from(keyframe).map_err(refused)?;
        }
        let script = Script::Live(Arc::new(Original::Scene(Box::new(scene))), options_of(settings)?);
        Ok(Self { settings: settings.clone(), ..Self::plain(script, source, paused) })
    }

    fn of_creature(
        showing: Showing,
        family: &str,
        source: Source,
        settings: &Settings,
        paused: bool,
    ) -> Result<Self, OpenError> {
        if settings.keyframe.is_some() {
            return Err(OpenError::Refused("a creature has no keyframes".to_string()));
        }
        let brain = Some(graph_of(showing.phenotype(), family));
        let script = Script::Live(Arc::new(Original::Creature(Box::new(showing))), options_of(settings)?);
        Ok(Self { settings: settings.clone(), brain, ..Self::plain(script, source, paused) })
    }
}

/// The keyframe is in the scene already.
fn options_of(settings: &Settings) -> Result<RunOptions, OpenError> {
    let paradigm = settings.paradigm.as_deref().map(paradigm_of).transpose().map_err(OpenError::Refused)?;
    Ok(RunOptions { paradigm, step: settings.step, keyframe: None })
}
