//! What all requests share: the worlds on stage, the folder of runs, and the bounds on what may go on at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::error::ApiError;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::options::ServerOptions;
use crate::runs::Runs;
use crate::session::{Library, Sessions};

/// What all requests share.
#[derive(Debug)]
pub struct Hub {
    /// Worlds on stage.
    pub sessions: Sessions,
    /// Where sessions find runs and recordings.
    pub library: Library,
    /// Runs of evolution.
    pub runs: Runs,
    pub(crate) limits: Limits,
    pub(crate) guard: Arc<Guard>,
    folder: PathBuf,
    heavy: Arc<Semaphore>,
    sockets: Arc<Semaphore>,
    closing: watch::Sender<bool>,
}

impl Hub {
    pub(crate) fn new(options: &ServerOptions) -> Self {
        Self {
            sessions: Sessions::default(),
            library: Library::new(&options.runs),
            runs: Runs::default(),
            limits: options.limits.clone(),
            guard: Arc::new(Guard::new(options)),
            folder: options.runs.clone(),
            heavy: Arc::new(Semaphore::new(options.limits.heavy.max(1))),
            sockets: Arc::new(Semaphore::new(options.limits.sockets)),
            closing: watch::Sender::new(false),
        }
    }

    /// The folder of runs and recordings.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Does work that takes long, or waits for a disk, away from the threads that answer, and only so much at once.
    pub async fn heavy<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let closed = |_| ApiError::busy("the server is about to end");
        let permit = Arc::clone(&self.heavy).acquire_owned().await.map_err(closed)?;
        let work = move || {
            // Held until it is done, even when nobody waits for it any more.
            let _permit = permit;
            work()
        };
        let failed = |_| ApiError::failed("the work ended before its time");
        tokio::task::spawn_blocking(work).await.map_err(failed)
    }

    /// A place for one more socket, kept as long as the permit; 503 when all are taken.
    pub fn socket_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let most = self.limits.sockets;
        let taken = |_| ApiError::busy(format!("there are {most} sockets already, the most that there may be"));
        Arc::clone(&self.sockets).try_acquire_owned().map_err(taken)
    }

    /// Sockets close when this ends.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        self.runs.close();
    }
}
