//! The runs of a server: files in the run directory, runs that evolve in this process, and messages about them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use axum::http::StatusCode;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, ArchiveError, Refusal, Run, RunError};
use tokio::sync::{Semaphore, broadcast};

use super::clip::ClipCache;
use super::live_run::{LiveRun, RunObserver};
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

/// Messages about a run, as JSON.
pub(super) type Messages = broadcast::Sender<Arc<str>>;

/// The runs of a server.
#[derive(Debug)]
pub struct RunDirectory {
    live_runs: Mutex<BTreeMap<String, Arc<LiveRun>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    messages: Mutex<BTreeMap<String, Messages>>,
    /// Held while a file is opened for writing: closing a second handle would release the locks of the first one.
    writing: Mutex<()>,
    reading: Arc<Semaphore>,
    pub(super) clips: Mutex<ClipCache>,
    /// Number of individuals and hash of each stopped run, by file and name.
    hashes: Mutex<BTreeMap<String, (u64, u64)>>,
}

impl Default for RunDirectory {
    fn default() -> Self {
        Self {
            live_runs: Mutex::default(),
            threads: Mutex::default(),
            messages: Mutex::default(),
            writing: Mutex::default(),
            reading: Arc::new(Semaphore::new(MAX_READERS)),
            clips: Mutex::default(),
            hashes: Mutex::default(),
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

    /// The hash of a stopped run. The whole file is read once.
    pub(super) fn hash(&self, archive: &mut Archive) -> Result<u64, ArchiveError> {
        // A copy of a file contains the same name, and may have continued differently.
        // An extended run replaces its last births.
        let (run, evaluations, count) = (archive.name()?, archive.config()?.evaluations, archive.count());
        let name = format!("{} {run} {evaluations}", archive.file().display());
        if let Some((_, hash)) = locked(&self.hashes).get(&name).filter(|(known, _)| *known == count) {
            return Ok(*hash);
        }
        archive.check()?;
        locked(&self.hashes).insert(name, (count, archive.hash()));
        Ok(archive.hash())
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
            let archive = Archive::open_read_only(&hub.run_file(&run)?).map_err(archive_error)?;
            work(hub, archive)
        })
        .await
    }

    /// Runs a short file operation on a blocking thread.
    pub(super) async fn read<T: Send + 'static>(
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
