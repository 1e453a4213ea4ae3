//! What happens to each connection before anything is read from it: too many are closed, and one that takes nothing of what
//! there is for it, for too long, ends.

use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::Layer as _;

use crate::guard::Guard;
use crate::limits::Limits;

/// Lets connections in.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    places: Arc<Semaphore>,
    stalled: Duration,
    guard: Arc<Guard>,
}

impl Door {
    pub(crate) fn new(limits: &Limits, guard: Arc<Guard>) -> Self {
        Self {
            places: Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS))),
            stalled: limits.stalled,
            guard,
        }
    }
}

impl<S> Accept<TcpStream, S> for Door {
    type Stream = Pin<Box<TimeoutStream<TcpStream>>>;
    /// It keeps the connection's place, until the connection and the last request on it have ended.
    type Service = AddExtension<S, Arc<OwnedSemaphorePermit>>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            self.guard.refusals.log(stream.peer_addr().ok(), "a connection", "there are too many");
            return ready(Err(io::Error::other("there are too many connections")));
        };
        let service = Extension(Arc::new(place)).layer(service);
        // Frames are small and wanted at once.
        let stream = stream.set_nodelay(true).map(|()| stream);
        ready(stream.map(|stream| {
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(self.stalled));
            (Box::pin(stream), service)
        }))
    }
}
