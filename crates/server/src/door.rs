//! What happens to each connection before anything is read from it: too many are closed, and one that takes nothing of what
//! there is for it, for too long, ends.

use std::future::{Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use axum_server::Handle;
use axum_server::accept::Accept;
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

use crate::guard::Guard;
use crate::limits::Limits;

/// Lets connections in.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) handle: Handle<SocketAddr>,
    pub(crate) limits: Limits,
    pub(crate) guard: Arc<Guard>,
}

impl<S> Accept<TcpStream, S> for Door {
    type Stream = Pin<Box<TimeoutStream<TcpStream>>>;
    type Service = S;
    type Future = Ready<io::Result<(Self::Stream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // It is counted already.
        if self.handle.connection_count() > self.limits.connections {
            self.guard.refusals.log(stream.peer_addr().ok(), "a connection", "there are too many");
            return ready(Err(io::Error::other("there are too many connections")));
        }
        // Frames are small and wanted at once.
        let stream = stream.set_nodelay(true).map(|()| stream);
        ready(stream.map(|stream| {
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(self.limits.stalled));
            (Box::pin(stream), service)
        }))
    }
}
