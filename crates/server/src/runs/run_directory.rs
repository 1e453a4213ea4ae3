//! The runs of a server: files in the run directory, runs that evolve in this process, and messages about them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;

use axum::http::StatusCode;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, ArchiveError, Damage, Refusal, Run, RunError};
use tokio::sync::{Semaphore, broadcast};

use super::clip::ClipKey;
use super::index::RunIndex;
use super::live_run::{LiveRun, RunObserver};
use crate::byte_cache::ByteCache;
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::LibraryError;

/// Maximum number of concurrent reads; further ones wait. Clips are simulated elsewhere, so that lists do not wait for
/// them.
const MAX_READERS: usize = 2;
/// Capacity of the message queue of a slow viewer. The oldest messages are dropped.
const MAX_WAITING_MESSAGES: usize = 64;
/// Maximum number of runs that evolve in this process at once.
const MAX_LIVE_RUNS: usize = 4;
/// Maximum size of all cached clips, in bytes.
const MAX_CLIP_CACHE_BYTES: usize = 64 << 20;
/// Maximum size of all cached portraits, in bytes.
const MAX_PORTRAIT_CACHE_BYTES: usize = 16 << 20;

/// Messages about a run, as JSON.
pub(super) type Messages = broadcast::Sender<Arc<str>>;

/// Identifies the content of a run's file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FileVersion {
    file: PathBuf,
    /// Name of the run. A copy of a file contains the same name, and may have continued differently.
    name: String,
    count: u64,
    /// An extended run replaces its last births.
    evaluations: u64,
    modified: Option<SystemTime>,
}

impl FileVersion {
    fn of(archive: &Archive) -> Result<Self, ArchiveError> {
        let modified = archive.file().metadata().and_then(|found| found.modified()).ok();
        let (file, name, count) = (archive.file().to_path_buf(), archive.name()?, archive.count());
        Ok(Self { file, name, count, evaluations: archive.config()?.evaluations, modified })
    }
}

/// The runs of a server.
#[derive(Debug)]
pub struct RunDirectory {
    live_runs: Mutex<BTreeMap<String, Arc<LiveRun>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    messages: Mutex<BTreeMap<String, Messages>>,
    /// Held while a file is opened for writing: closing a second handle would release the locks of the first one.
    writing: Mutex<()>,
    reading: Arc<Semaphore>,
    pub(super) clips: ByteCache<ClipKey>,
    pub(super) portraits: ByteCache<String>,
    pub(super) index: RunIndex,
    /// Hash and damaged rows of each stopped run, by the version of its file.
    surveys: Mutex<BTreeMap<FileVersion, (u64, Damage)>>,
}

impl Default for RunDirectory {
    fn default() -> Self {
        Self {
            live_runs: Mutex::default(),
            threads: Mutex::default(),
            messages: Mutex::default(),
            writing: Mutex::default(),
            reading: Arc::new(Semaphore::new(MAX_READERS)),
            clips: ByteCache::new(MAX_CLIP_CACHE_BYTES),
            portraits: ByteCache::new(MAX_PORTRAIT_CACHE_BYTES),
            index: RunIndex::default(),
            surveys: Mutex::default(),
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The data are consistent at any time, also after a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunDirectory {
    /// The run with this name, if it evolves in this process.
    pub fn live(&self, run: &str) -> Option<Arc<LiveRun>> {
        let mut live_runs = locked(&self.live_runs);
        live_runs.retain(|_, run| !run.is_over() || run.failure().is_some());
        live_runs.get(run).filter(|run| !run.is_over()).cloned()
    }

    /// Reason why a run that evolved in this process failed.
    pub(super) fn failure(&self, run: &str) -> Option<String> {
        locked(&self.live_runs).get(run)?.failure()
    }

    /// Registers a run that evolves in this process. The caller passes the observer to the run, and drops it after
    /// closing the file.
    pub fn attach(&self, run: &str, evaluations: u64) -> RunObserver {
        let (live, observer) = LiveRun::new(self.messages(run), evaluations);
        locked(&self.live_runs).insert(run.to_string(), live);
        observer
    }

    /// Refuses another run if too many evolve. This is checked before a file is touched.
    pub(super) fn check_capacity(&self) -> Result<(), ApiError> {
        let under_way = locked(&self.live_runs).values().filter(|run| !run.is_over()).count();
        let full = || {
            ApiError::busy(format!(
                "{under_way} runs evolve or are paused in this server, the maximum: wait until one is done"
            ))
        };
        if under_way < MAX_LIVE_RUNS { Ok(()) } else { Err(full()) }
    }

    /// Evolves a run on threads of this process.
    pub(super) fn evolve(&self, name: &str, archive: Archive) -> Result<(), ApiError> {
        let mut run = Run::new(archive).map_err(run_error)?;
        let mut observer = self.attach(name, run.config().evaluations);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let work = move || {
            let ended = run.advance(&mut Threads::new(cores), &mut observer);
            drop(run);
            if let Err(error) = ended {
                tracing::error!("the run failed: {error}");
                observer.fail(error.to_string());
            }
        };
        let thread = std::thread::Builder::new().name("burgess-run".to_string()).spawn(work);
        let thread = thread.map_err(|error| ApiError::failed(format!("cannot start a thread: {error}")))?;
        let mut threads = locked(&self.threads);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread);
        Ok(())
    }

    /// Runs an operation that creates a file, one at a time in this process.
    pub(super) fn write_new<T>(&self, work: impl FnOnce(&Self) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let _lock = locked(&self.writing);
        work(self)
    }

    /// Runs an operation that opens a file for writing, one at a time in this process. If the run evolves in this
    /// process, it is returned instead.
    pub(super) fn write<T>(
        &self,
        run: &str,
        work: impl FnOnce(&Self) -> Result<T, ApiError>,
    ) -> Result<Result<T, Arc<LiveRun>>, ApiError> {
        let _lock = locked(&self.writing);
        match self.live(run) {
            Some(live) => Ok(Err(live)),
            None => work(self).map(Ok),
        }
    }

    /// The channel for messages about a run.
    pub(super) fn messages(&self, run: &str) -> Messages {
        let mut messages = locked(&self.messages);
        messages.retain(|_, sender| sender.receiver_count() > 0 || sender.strong_count() > 1);
        messages.entry(run.to_string()).or_insert_with(|| broadcast::Sender::new(MAX_WAITING_MESSAGES)).clone()
    }

    /// The hash of a stopped run, or `None` if rows are damaged, which are then left out. The whole file is read once.
    pub(super) fn hash(&self, archive: &mut Archive) -> Result<Option<u64>, ArchiveError> {
        let version = FileVersion::of(archive)?;
        let known = locked(&self.surveys).get(&version).cloned();
        let (hash, damage) = match known {
            Some(known) => known,
            None => {
                let damage = archive.survey()?.clone();
                let found = (archive.hash(), damage);
                locked(&self.surveys).insert(version, found.clone());
                found
            }
        };
        let is_whole = damage.is_none();
        archive.leave_out(damage);
        Ok(is_whole.then_some(hash))
    }

    /// Leaves out the rows of a run that are known to be damaged.
    fn leave_out_damaged(&self, archive: &mut Archive) -> Result<(), ArchiveError> {
        let version = FileVersion::of(archive)?;
        let known = locked(&self.surveys).get(&version).map(|(_, damage)| damage.clone());
        known.into_iter().for_each(|damage| archive.leave_out(damage));
        Ok(())
    }

    /// Stops all runs. Nothing is lost.
    pub(crate) fn close(&self) {
        locked(&self.live_runs).values().for_each(|run| run.stop());
        for thread in locked(&self.threads).drain(..) {
            // The thread has logged its error.
            let _ = thread.join();
        }
    }
}

impl Hub {
    /// The path of the file of a run.
    pub(super) fn run_file(&self, run: &str) -> Result<PathBuf, ApiError> {
        self.library.run(run).map_err(|error| match error {
            LibraryError::Missing { .. } => ApiError::missing(error.to_string()),
            _ => ApiError::bad(error.to_string()),
        })
    }

    /// Reads the file of a run on a blocking thread.
    pub(super) async fn read_run<T: Send + 'static>(
        self: &Arc<Self>,
        run: &str,
        work: impl FnOnce(&Self, Archive) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let run = run.to_string();
        self.read(move |hub| {
            let mut archive = Archive::open_read_only(&hub.run_file(&run)?).map_err(archive_error)?;
            hub.runs.leave_out_damaged(&mut archive).map_err(archive_error)?;
            work(hub, archive)
        })
        .await
    }

    /// Runs a short file operation on a blocking thread.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = Arc::clone(&self.runs.reading).acquire_owned().await;
        let permit = permit.map_err(|_| ApiError::busy("the server is stopping"))?;
        let hub = Arc::clone(self);
        let work = move || {
            // The permit is held until the operation ends, even if the request was cancelled.
            let _permit = permit;
            work(&hub)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| ApiError::failed("the operation panicked"))?
    }
}

/// Maps an error of an archive to a status.
pub(super) fn archive_error(error: ArchiveError) -> ApiError {
    let status = match error {
        ArchiveError::Missing(_) | ArchiveError::NoSuchIndividual { .. } | ArchiveError::NoneScored(_) => {
            StatusCode::NOT_FOUND
        }
        ArchiveError::InUse(_) | ArchiveError::Program { .. } | ArchiveError::Exists(_) => StatusCode::CONFLICT,
        ArchiveError::Foreign(_) | ArchiveError::NewerFormat { .. } => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    ApiError::new(status, error.to_string())
}

fn run_error(error: RunError) -> ApiError {
    match error {
        RunError::Archive(error) => archive_error(error),
        RunError::Evaluator(error) => ApiError::failed(error.to_string()),
    }
}

/// Maps a refused intervention to a status.
pub(super) fn refusal(refusal: Refusal) -> ApiError {
    let status = match refusal {
        Refusal::Unknown { .. } => StatusCode::NOT_FOUND,
        Refusal::Evaluations(..) => StatusCode::BAD_REQUEST,
        _ => StatusCode::CONFLICT,
    };
    ApiError::new(status, refusal.to_string())
}
