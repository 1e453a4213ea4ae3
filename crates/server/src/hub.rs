//! The state that all requests share: sessions, the run directory, and limits of concurrent work.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::error::ApiError;
use crate::flows::Flows;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::options::ServerOptions;
use crate::pictures::Pictures;
use crate::runs::RunDirectory;
use crate::session::{self, Library, Sessions};
use crate::walls::Walls;

/// The state that all requests share.
#[derive(Debug)]
pub struct Hub {
    /// All sessions.
    pub sessions: Sessions,
    /// The run directory, for sessions.
    pub library: Library,
    /// RunDirectory of evolution.
    pub runs: RunDirectory,
    /// Histories of vortex tubes.
    pub flows: Flows,
    /// The walls of the cave.
    pub walls: Walls,
    pub(crate) limits: Limits,
    pub(crate) guard: Arc<Guard>,
    command: String,
    folder: PathBuf,
    start: String,
    pub(crate) pictures: Pictures,
    heavy: Arc<Semaphore>,
    sockets: Arc<Semaphore>,
    closing: watch::Sender<bool>,
}

impl Hub {
    pub(crate) fn new(options: &ServerOptions) -> Self {
        Self {
            sessions: Sessions::new(session::Limits { idle: options.idle, ..session::Limits::default() }),
            library: Library::new(&options.runs),
            runs: RunDirectory::default(),
            flows: Flows::default(),
            walls: Walls::new(&options.runs),
            limits: options.limits.clone(),
            guard: Arc::new(Guard::new(options)),
            command: options.command.clone(),
            folder: options.runs.clone(),
            start: start_id(),
            pictures: Pictures::default(),
            heavy: Arc::new(Semaphore::new(options.limits.heavy.max(1))),
            sockets: Arc::new(Semaphore::new(options.limits.sockets)),
            closing: watch::Sender::new(false),
        }
    }

    /// What starts the program in a shell.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The run directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Identifies the start of this server. Clients recognise a restart by it.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Runs an expensive operation on a blocking thread. The number of such operations at once is limited.
    pub async fn heavy<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let closed = |_| ApiError::busy("the server is stopping");
        let permit = Arc::clone(&self.heavy).acquire_owned().await.map_err(closed)?;
        let work = move || {
            // The permit is held until the operation ends, even if the request was cancelled.
            let _permit = permit;
            work()
        };
        let failed = |_| ApiError::failed("the operation panicked");
        tokio::task::spawn_blocking(work).await.map_err(failed)
    }

    /// A permit for one more socket; 503 if the maximum is reached.
    pub fn socket_permit(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let most = self.limits.sockets;
        let taken = |_| ApiError::busy(format!("there are {most} sockets, the maximum"));
        Arc::clone(&self.sockets).try_acquire_owned().map_err(taken)
    }

    /// Becomes true when sockets must close.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        self.runs.close();
    }
}

/// A number that is different at each start, as 16 hexadecimal digits.
fn start_id() -> String {
    // The keys of a new hasher are random.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
