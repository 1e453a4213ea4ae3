//! Building of sessions: from the request of a client, or from a subject that the user of this process named.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use burgess_catalog::{Arena, CatalogError, Creature, Scene, Subject};
use burgess_creature::Family;
use burgess_creature::brain::Brain;
use burgess_creature::evaluation::TrialPreview;
use burgess_creature::task::Task;
use burgess_files::read_text;
use burgess_scene::RunOptions;
use burgess_scene::recording::RecordingReader;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::Snapshot;
use thiserror::Error;

use super::bouncing::bounce_config;
use super::brain::{BrainGraph, graph_of};
use super::current_world::{Original, OriginalSubject};
use super::edit::{STEP_LENGTHS, check_number, paradigm_of, short};
use super::export::{self, ExportError};
use super::history::EditLog;
use super::initial_state::InitialState;
use super::library::{Library, LibraryError};
use super::motion::{Motion, MotionOptions, record_motion};
use super::scene_text::{MAX_TEXT_BYTES, read_scene};
use super::session::Settings;
use super::source::{FileSource, OpenRequest, Source};
use super::take::Take;

/// Maximum length of an error message that quotes a request, in characters.
const MAX_MESSAGE: usize = 300;

/// Reason why a session cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpenError {
    /// The subject does not exist.
    #[error("{0}")]
    Missing(String),
    /// The request is invalid, or the world cannot be built.
    #[error("{0}")]
    Refused(String),
    /// The maximum number of sessions is reached.
    #[error("there are {0} sessions, and all of them have viewers: close one first")]
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

impl From<CatalogError> for OpenError {
    fn from(error: CatalogError) -> Self {
        let text = error.to_string().chars().take(MAX_MESSAGE).collect();
        if error.is_missing() { Self::Missing(text) } else { Self::Refused(text) }
    }
}

fn refused(error: impl std::fmt::Display) -> OpenError {
    OpenError::Refused(error.to_string())
}

/// Everything that is needed to start a session.
pub(super) struct Opening {
    pub initial: InitialState,
    pub source: Source,
    pub settings: Settings,
    pub log: EditLog,
    pub brain: Option<BrainGraph>,
    pub paused: bool,
    /// The text that the scene was read from, if it is the whole scene.
    pub text: Option<String>,
}

impl Opening {
    /// Builds the session that a client asks for. Files outside the run directory are refused.
    pub fn of_request(request: OpenRequest, library: &Library) -> Result<Self, OpenError> {
        let OpenRequest { source, paradigm, step, keyframe, paused } = request;
        let settings = Settings { paradigm, step, keyframe };
        if let Source::Take { take } = source {
            if settings != Settings::default() {
                return Err(refused("a take has its own paradigm, step and keyframe"));
            }
            let log = take.log().map_err(OpenError::Refused)?;
            let settings = take.settings();
            return Ok(Self { log, paused, ..Self::of_source(take.source, settings, library)? });
        }
        Ok(Self { paused, ..Self::of_source(source, settings, library)? })
    }

    fn of_source(source: Source, settings: Settings, library: &Library) -> Result<Self, OpenError> {
        settings.check().map_err(OpenError::Refused)?;
        match source {
            Source::Scene { name } => {
                let scene = Scene::builtin(&short(&name))?;
                if let Some(inhabited) = scene.inhabited() {
                    settings.refuse_keyframe("a scene with creatures")?;
                    let original = Arc::new(Original::of_inhabited(inhabited.clone()));
                    let initial = InitialState::Live(original, options_of(&settings)?);
                    return Ok(Self { settings, ..Self::plain(initial, Source::Scene { name }) });
                }
                Self::of_scene(scene.spec().clone(), Source::Scene { name }, settings)
            }
            Source::Creature { name, task, seed } => {
                let creature = Creature::builtin(&short(&name))?;
                // Only built-in tasks: a client must not make the server read files.
                task.as_deref().map_or(Ok(()), |task| Task::preset(task).map(|_| ())).map_err(CatalogError::Task)?;
                let arena = Arena { task: task.clone(), seed };
                Self::of_creature(&creature, &arena, Source::Creature { name, task, seed }, settings)
            }
            Source::Individual { run, id } => {
                let creature = library.individual(&run, id)?;
                let source = Source::Individual { run, id: creature.id };
                Self::of_creature(&creature, &Arena::default(), source, settings)
            }
            Source::Recording { name } => {
                settings.refuse("recordings")?;
                let initial = InitialState::Recording(library.recording(&name)?, name.clone());
                Ok(Self::plain(initial, Source::Recording { name }))
            }
            Source::Bounce(bounce) => {
                settings.refuse("collision demonstrations")?;
                let initial = InitialState::Bounce(bounce_config(&bounce).map_err(OpenError::Refused)?);
                Ok(Self::plain(initial, Source::Bounce(bounce)))
            }
            Source::Text { name, text } => {
                let text = text.map_or_else(|| library.scene_text(&name), Ok)?;
                let scene = read_scene(&name, &text, library).map_err(refused)?;
                let source = Source::Text { name, text: Some(text.clone()) };
                Ok(Self { text: Some(text), ..Self::of_scene(scene, source, settings)? })
            }
            Source::File(file) => {
                Err(refused(format!("'{}' is a file: name it on the command line", short(&file.name))))
            }
            Source::Take { .. } => Err(refused("a take of a take is not supported")),
        }
    }

    /// Builds the session of a subject that the user of this process named. `library` is the run directory of the
    /// server.
    pub fn of_subject(
        subject: &Subject,
        arena: &Arena,
        keyframe: Option<&str>,
        library: &Library,
    ) -> Result<Self, OpenError> {
        let settings = Settings { keyframe: keyframe.map(str::to_string), ..Settings::default() };
        if arena.is_given() && !subject.is_creature() {
            return Err(refused(format!("a task and a seed are for creatures, and this is {}", subject.kind())));
        }
        if let Subject::Take(path) = subject {
            if keyframe.is_some() {
                return Err(refused("a take has its own keyframe"));
            }
            return Self::of_take(path, library);
        }
        Self::of_named(subject, arena, settings, library)
    }

    fn of_named(subject: &Subject, arena: &Arena, settings: Settings, library: &Library) -> Result<Self, OpenError> {
        // What clients can ask for by the same name is opened by that name, so that they can replay a take of it.
        if let Some(source) = Source::of_subject(subject, arena, library) {
            return Self::of_source(source, settings, library);
        }
        let file = |name: &str| {
            let path = subject.file().map(|path| path.display().to_string());
            let path = match subject {
                Subject::Individual { id, .. } => path.map(|path| format!("{path}#{id}")),
                Subject::Creature(_) if path.is_none() => Some(subject.to_string()),
                _ => path,
            };
            Source::File(FileSource { name: name.to_string(), path, task: arena.task.clone(), seed: arena.seed })
        };
        match subject {
            Subject::Recording(path) => {
                settings.refuse("recordings")?;
                let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                let source = file(&name);
                Ok(Self::plain(InitialState::Recording(path.clone(), name), source))
            }
            Subject::Scene(_) | Subject::Model(_) => {
                let scene = subject.scene()?;
                let spec = named_scene(scene.spec(), scene.name())?;
                let text = subject.file().and_then(|path| whole_text(path, &spec));
                Ok(Self { text, ..Self::of_scene(spec, file(scene.name()), settings)? })
            }
            Subject::Creature(_) | Subject::Run(_) | Subject::Individual { .. } => {
                let creature = subject.creature()?;
                Self::of_creature(&creature, arena, file(&creature.file.name), settings)
            }
            Subject::Take(_) => Err(refused("a take of a take is not supported")),
            Subject::Space(_) => Err(refused("a curved space is no session; it has its own page")),
        }
    }

    /// Builds the session of a take. If it is of a file, the file is searched from the current folder and from that of
    /// the take.
    fn of_take(path: &Path, library: &Library) -> Result<Self, OpenError> {
        let take = Take::read(path).map_err(OpenError::Refused)?;
        let log = take.log().map_err(OpenError::Refused)?;
        let settings = take.settings();
        let opening = match &take.source {
            Source::File(FileSource { path: Some(file), task, seed, .. }) => {
                let beside = path.parent().map_or_else(|| PathBuf::from(file), |folder| folder.join(file));
                let subject = Subject::resolve(file)
                    .or_else(|error| Subject::resolve(&beside.to_string_lossy()).map_err(|_| error))?;
                let arena = Arena { task: task.clone(), seed: *seed };
                settings.check().map_err(OpenError::Refused)?;
                Self::of_named(&subject, &arena, settings, library)?
            }
            _ => Self::of_source(take.source, settings, library)?,
        };
        Ok(Self { log, ..opening })
    }

    /// Builds the session of a scene that was read from text.
    pub fn of_text(scene: SceneSpec, name: String, text: String) -> Result<Self, OpenError> {
        let source = Source::Text { name, text: Some(text.clone()) };
        Ok(Self { text: Some(text), ..Self::of_scene(scene, source, Settings::default())? })
    }

    /// Builds the session of a scene of the program. `name` is used if the scene has none.
    pub fn of_named_scene(scene: &SceneSpec, name: &str, options: &RunOptions) -> Result<Self, OpenError> {
        let source = Source::File(FileSource { name: name.to_string(), ..FileSource::default() });
        Self::of_scene(named_scene(scene, name)?, source, Settings::of(options))
    }

    /// Builds the session of a scene or creature of the program from one of its states.
    pub fn of_state(original: Original, options: &RunOptions, start: Snapshot) -> Result<Self, OpenError> {
        let scene = original.scene();
        // Meshes that are in files are taken in.
        let original = match &original.subject {
            OriginalSubject::Scene(_) => Original::of_scene(named_scene(scene, &scene.name)?),
            OriginalSubject::Creature(_) | OriginalSubject::Inhabited(_) => original,
        };
        let brain = match &original.subject {
            OriginalSubject::Scene(_) | OriginalSubject::Inhabited(_) => None,
            OriginalSubject::Creature(preview) => {
                let phenotype = preview.phenotype();
                let family = if let Brain::Network(_) = phenotype.brain { Family::Graph } else { Family::Legged };
                Some(graph_of(phenotype, family.name()))
            }
        };
        let source = FileSource { name: original.scene().name.clone(), ..FileSource::default() };
        let options = RunOptions { keyframe: None, ..options.clone() };
        let settings = Settings::of(&options);
        let initial = InitialState::Live(Arc::new(original.from_state(start)), options);
        Ok(Self { settings, brain, ..Self::plain(initial, Source::File(source)) })
    }

    fn plain(initial: InitialState, source: Source) -> Self {
        let (settings, log) = (Settings::default(), EditLog::default());
        Self { initial, source, settings, log, brain: None, paused: false, text: None }
    }

    fn of_scene(mut scene: SceneSpec, source: Source, settings: Settings) -> Result<Self, OpenError> {
        if let Some(keyframe) = &settings.keyframe {
            scene.start_from(keyframe).map_err(refused)?;
        }
        let initial = InitialState::Live(Arc::new(Original::of_scene(scene)), options_of(&settings)?);
        Ok(Self { settings, ..Self::plain(initial, source) })
    }

    fn of_creature(creature: &Creature, arena: &Arena, source: Source, settings: Settings) -> Result<Self, OpenError> {
        settings.refuse_keyframe("a creature")?;
        let preview: TrialPreview = arena.show(creature)?;
        let brain = Some(graph_of(preview.phenotype(), creature.file.genome.family().name()));
        let initial = InitialState::Live(Arc::new(Original::of_creature(preview)), options_of(&settings)?);
        Ok(Self { settings, brain, ..Self::plain(initial, source) })
    }
}

/// The initial state of what a client can open. No session is started.
pub(crate) fn world(source: Source, library: &Library) -> Result<InitialState, OpenError> {
    Ok(Opening::of_request(OpenRequest::of(source), library)?.initial)
}

/// Replays a take and records its motion.
pub fn record_take(path: &Path, library: &Library) -> Result<RecordingReader<Cursor<Vec<u8>>>, ExportError> {
    let opening = Opening::of_take(path, library).map_err(|error| ExportError(error.to_string()))?;
    export::record(&opening.initial, &opening.log)
}

/// Records the motion of a subject that the user of this process named. Returns its title and description, too.
pub(crate) fn motion_of_subject(
    subject: &Subject,
    arena: &Arena,
    options: MotionOptions,
    max_bytes: usize,
    library: &Library,
) -> Result<(String, String, Motion), ExportError> {
    let failed = |error: OpenError| ExportError(error.to_string());
    let opening = Opening::of_subject(subject, arena, None, library).map_err(failed)?;
    let info = opening.initial.player().map_err(ExportError)?.info();
    let motion = record_motion(&opening.initial, &opening.log, options, max_bytes)?;
    Ok((info.title, info.description, motion))
}

/// The text of a scene file, if it is the whole scene: without includes and mesh files.
fn whole_text(path: &Path, scene: &SceneSpec) -> Option<String> {
    let text = read_text(path).ok().filter(|text| text.len() <= MAX_TEXT_BYTES)?;
    let mut alone = SceneSpec::from_toml(&text, "").ok()?;
    if alone.name.is_empty() {
        alone.name.clone_from(&scene.name);
    }
    (alone == *scene).then_some(text)
}

/// A scene without references to other files. `name` is used if the scene has none.
fn named_scene(scene: &SceneSpec, name: &str) -> Result<SceneSpec, OpenError> {
    let mut scene = scene.self_contained("").map_err(refused)?;
    if scene.name.is_empty() {
        scene.name = name.to_string();
    }
    Ok(scene)
}

impl Settings {
    fn of(options: &RunOptions) -> Self {
        Self {
            paradigm: options.paradigm.map(|paradigm| paradigm.name().to_string()),
            step: options.step,
            keyframe: options.keyframe.clone(),
        }
    }

    fn check(&self) -> Result<(), String> {
        self.paradigm.as_deref().map_or(Ok(()), |name| paradigm_of(name).map(|_| ()))?;
        self.step.map_or(Ok(()), |step| check_number("step", step, STEP_LENGTHS, "s"))
    }

    /// Refuses a keyframe for a subject that has none.
    fn refuse_keyframe(&self, what: &str) -> Result<(), OpenError> {
        if self.keyframe.is_some() { Err(refused(format!("{what} has no keyframes"))) } else { Ok(()) }
    }

    /// Refuses settings for a subject that is not simulated.
    fn refuse(&self, what: &str) -> Result<(), OpenError> {
        let why = || refused(format!("{what} have no paradigm, step or keyframe"));
        if *self == Self::default() { Ok(()) } else { Err(why()) }
    }
}

/// The keyframe is part of the scene already.
fn options_of(settings: &Settings) -> Result<RunOptions, OpenError> {
    let paradigm = settings.paradigm.as_deref().map(paradigm_of).transpose().map_err(OpenError::Refused)?;
    Ok(RunOptions { paradigm, step: settings.step, keyframe: None })
}
