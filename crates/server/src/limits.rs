//! Limits: everything that a client can make the server store or wait for is bounded here.

use std::time::Duration;

/// Limits of requests and connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Size of the body of a request, in bytes. The largest are takes and creature files.
    pub body_bytes: usize,
    /// Size of the head of a request (request line and headers), in bytes.
    pub head_bytes: usize,
    /// Number of headers of a request.
    pub headers: usize,
    /// Length of the path of a request, in bytes.
    pub path_bytes: usize,
    /// Number of connections. Further ones are closed immediately.
    pub connections: usize,
    /// Number of WebSockets. Further ones are refused.
    pub sockets: usize,
    /// Size of a message of a viewer, in bytes.
    pub message_bytes: usize,
    /// Number of expensive operations (simulating, exporting, reading runs) at once. Further ones wait.
    pub heavy: usize,
    /// Time to respond to a request.
    pub request: Duration,
    /// Time to receive the head of a request, and longest idle time of a connection.
    pub head: Duration,
    /// A connection whose client accepts no data for this time is closed.
    pub stalled: Duration,
    /// Time between pings to a viewer.
    pub ping: Duration,
    /// A socket from which nothing arrives for this time, not even a pong, is closed.
    pub silent: Duration,
    /// Size of the send buffer of a connection, in bytes. A larger one would delay frames to slow clients.
    pub send_buffer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 4 << 20,
            head_bytes: 16 << 10,
            headers: 64,
            path_bytes: 1024,
            connections: 768,
            sockets: 512,
            message_bytes: 64 << 10,
            heavy: 2,
            request: Duration::from_secs(60),
            head: Duration::from_secs(15),
            stalled: Duration::from_secs(10),
            ping: Duration::from_secs(10),
            silent: Duration::from_secs(60),
            send_buffer_bytes: 256 << 10,
        }
    }
}
