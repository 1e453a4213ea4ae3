//! The runs that are known to a server: files in its folder, searches that evolve in this process, and news of them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use axum::http::StatusCode;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, ArchiveError, Refusal, Run, RunError};
use tokio::sync::{Semaphore, broadcast};

use super::clip::Clips;
use super::search::{Search, Watcher};
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::LibraryError;

/// Files that are read at once; more have to wait. Clips have places of their own, so that lists need not wait for them.
const READERS: usize = 2;
/// News that wait for one who is slow; older ones are left out.
const WAITING_NEWS: usize = 64;
/// Runs that evolve here at once.
const MOST_SEARCHES: usize = 4;

/// News of a run, as JSON.
pub(super) type News = broadcast::Sender<Arc<str>>;

/// What is known of runs.
#[derive(Debug)]
pub struct Runs {
    searches: Mutex<BTreeMap<String, Arc<Search>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    news: Mutex<BTreeMap<String, News>>,
    /// Held by whoever opens a file to write: a second one who tries would take the locks of the first when it gives up.
    writing: Mutex<()>,
    reading: Arc<Semaphore>,
    pub(super) clips: Mutex<Clips>,
    /// Hashes of runs that nobody was at work on, by their files and names, and the numbers of individuals.
    hashes: Mutex<BTreeMap<String, (u64, u64)>>,
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            searches: Mutex::default(),
            threads: Mutex::default(),
            news: Mutex::default(),
            writing: Mutex::default(),
            reading: Arc::new(Semaphore::new(READERS)),
            clips: Mutex::default(),
            hashes: Mutex::default(),
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept here is whole at any time.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runs {
    /// The search of a run, if it evolves in this process.
    pub fn search(&self, run: &str) -> Option<Arc<Search>> {
        let mut searches = locked(&self.searches);
        searches.retain(|_, search| !search.is_over() || search.failure().is_some());
        searches.get(run).filter(|search| !search.is_over()).cloned()
    }

    /// Why the last search of a run in this process ended before it was done, if something went wrong.
    pub(super) fn failure(&self, run: &str) -> Option<String> {
        locked(&self.searches).get(run)?.failure()
    }

    /// A run evolves in this process: whoever carries it out has the watcher look on, and drops it when the file is closed again.
    pub fn attach(&self, run: &str, evaluations: u64) -> Watcher {
        let (search, watcher) = Search::new(self.news(run), evaluations);
        locked(&self.searches).insert(run.to_string(), search);
        watcher
    }

    /// Is there room for one more search? Asked before its file is touched.
    pub(super) fn has_room(&self) -> Result<(), ApiError> {
        let under_way = locked(&self.searches).values().filter(|search| !search.is_over()).count();
        let full = || ApiError::busy(format!("{under_way} runs evolve here already, or pause: wait for one of them"));
        if under_way < MOST_SEARCHES { Ok(()) } else { Err(full()) }
    }

    /// Evolves a run on threads of this process.
    pub(super) fn evolve(&self, name: &str, archive: Archive) -> Result<(), ApiError> {
        let mut run = Run::new(archive).map_err(refused_run)?;
        let mut watcher = self.attach(name, run.config().evaluations);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let work = move || {
            let ended = run.advance(&mut Threads::new(cores), &mut watcher);
            drop(run);
            if let Err(error) = ended {
                tracing::error!("the run ended: {error}");
                watcher.fail(error.to_string());
            }
        };
        let thread = std::thread::Builder::new().name("burgess-search".to_string()).spawn(work);
        let thread = thread.map_err(|error| ApiError::failed(format!("the system gives no thread: {error}")))?;
        let mut threads = locked(&self.threads);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread);
        Ok(())
    }

    /// Opens a file to write, while nobody else of this process does, unless a search has it: then that is given instead.
    pub(super) fn write<T>(
        &self,
        run: &str,
        work: impl FnOnce(&Self) -> Result<T, ApiError>,
    ) -> Result<Result<T, Arc<Search>>, ApiError> {
        let _alone = locked(&self.writing);
        match self.search(run) {
            Some(search) => Ok(Err(search)),
            None => work(self).map(Ok),
        }
    }

    /// Where news of a run are told.
    pub(super) fn news(&self, run: &str) -> News {
        let mut news = locked(&self.news);
        news.retain(|_, sender| sender.receiver_count() > 0 || sender.strong_count() > 1);
        news.entry(run.to_string()).or_insert_with(|| broadcast::Sender::new(WAITING_NEWS)).clone()
    }

    /// The hash of a run that nobody is at work on. All of it is read once.
    pub(super) fn hash(&self, archive: &mut Archive) -> Result<u64, ArchiveError> {
        // A copy of a file has the same name of its own, and may have gone on differently.
        let (name, count) = (format!("{} {}", archive.file().display(), archive.name()?), archive.count());
        if let Some((_, hash)) = locked(&self.hashes).get(&name).filter(|(known, _)| *known == count) {
            return Ok(*hash);
        }
        archive.check()?;
        locked(&self.hashes).insert(name, (count, archive.hash()));
        Ok(archive.hash())
    }

    /// Ends all searches; nothing is lost.
    pub(crate) fn close(&self) {
        locked(&self.searches).values().for_each(|search| search.stop());
        for thread in locked(&self.threads).drain(..) {
            // It has said itself what went wrong.
            let _ = thread.join();
        }
    }
}

impl Hub {
    /// The file of a run.
    pub(super) fn run_file(&self, run: &str) -> Result<PathBuf, ApiError> {
        self.library.run(run).map_err(|error| match error {
            LibraryError::Missing { .. } => ApiError::missing(error.to_string()),
            _ => ApiError::bad(error.to_string()),
        })
    }

    /// Looks into the file of a run, away from the threads that answer.
    pub(super) async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        run: &str,
        work: impl FnOnce(&Self, Archive) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let run = run.to_string();
        self.read(move |hub| {
            let archive = Archive::look(&hub.run_file(&run)?).map_err(refused)?;
            work(hub, archive)
        })
        .await
    }

    /// Reads what is quickly read, away from the threads that answer.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = Arc::clone(&self.runs.reading).acquire_owned().await;
        let place = place.map_err(|_| ApiError::busy("the server is about to end"))?;
        let hub = Arc::clone(self);
        let work = move || {
            // Held until it is done, even when nobody waits for it any more.
            let _place = place;
            work(&hub)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| ApiError::failed("the work ended before its time"))?
    }
}

/// Whose fault it is that a file cannot be read or written.
pub(super) fn refused(error: ArchiveError) -> ApiError {
    let status = match error {
        ArchiveError::Missing(_) | ArchiveError::NoSuchIndividual { .. } | ArchiveError::NobodyScored(_) => {
            StatusCode::NOT_FOUND
        }
        ArchiveError::InUse(_) | ArchiveError::Program { .. } | ArchiveError::Exists(_) => StatusCode::CONFLICT,
        ArchiveError::Foreign(_) | ArchiveError::Format { .. } => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    ApiError::new(status, error.to_string())
}

pub(super) fn refused_run(error: RunError) -> ApiError {
    match error {
        RunError::Archive(error) => refused(error),
        RunError::Evaluator(error) => ApiError::failed(error.to_string()),
    }
}

/// Why something cannot be done to a run.
pub(super) fn refusal(refusal: Refusal) -> ApiError {
    let status = match refusal {
        Refusal::Unknown { .. } => StatusCode::NOT_FOUND,
        Refusal::Evaluations(..) => StatusCode::BAD_REQUEST,
        _ => StatusCode::CONFLICT,
    };
    ApiError::new(status, refusal.to_string())
}
