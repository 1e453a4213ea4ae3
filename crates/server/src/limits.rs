//! How much anybody may ask for. All that a client can make the server hold or wait for has a bound here.

use std::time::Duration;

/// How much anybody may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the body of a request; the longest are takes and creature files.
    pub body_bytes: usize,
    /// Bytes of the head of a request: its line and all its headers.
    pub head_bytes: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Bytes of the path of a request.
    pub path_bytes: usize,
    /// Connections at once; more are closed as soon as they come.
    pub connections: usize,
    /// WebSockets at once; more are refused.
    pub sockets: usize,
    /// Bytes of a message that a viewer sends.
    pub message_bytes: usize,
    /// Heavy work (simulating, exporting, reading runs) at once; more has to wait.
    pub heavy: usize,
    /// Until a request is answered.
    pub request: Duration,
    /// Until the head of a request is there; also how long a connection may idle.
    pub head: Duration,
    /// A client that takes nothing for so long, though there is something for it, is closed.
    pub stalled: Duration,
    /// Between two questions whether a viewer is still there.
    pub ping: Duration,
    /// A viewer that says nothing, not even that it is there, for so long is closed.
    pub silent: Duration,
    /// Bytes that the system keeps for a client that is slow: what is older than that would be old news.
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
