//! Limits of connections, applied before anything is read: connections beyond the maximum are closed, and a connection
//! whose client accepts no data for too long is closed.

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

/// Accepts connections up to a maximum.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionLimit {
    permits: Arc<Semaphore>,
    stalled: Duration,
    guard: Arc<Guard>,
}

impl ConnectionLimit {
    pub(crate) fn new(limits: &Limits, guard: Arc<Guard>) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS))),
            stalled: limits.stalled,
            guard,
        }
    }
}

impl<S> Accept<TcpStream, S> for ConnectionLimit {
    type Stream = Pin<Box<TimeoutStream<TcpStream>>>;
    /// The service holds the permit until the connection and the last request on it have ended.
    type Service = AddExtension<S, Arc<OwnedSemaphorePermit>>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            self.guard.refusals.log(stream.peer_addr().ok(), "a connection", "there are too many connections");
            return ready(Err(io::Error::other("there are too many connections")));
        };
        let service = Extension(Arc::new(permit)).layer(service);
        // Frames are small and should be sent without delay.
        let stream = stream.set_nodelay(true).map(|()| stream);
        ready(stream.map(|stream| {
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(self.stalled));
            (Box::pin(stream), service)
        }))
    }
}
