//! What can go wrong: at the start, as [`ServerError`]; for one who asks, as [`ApiError`], told as `{"error": "a sentence"}`.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Beyond loopback without a token.
    #[error(
        "{0} can be reached from other machines: whoever asks must know a token; give one (--token or BURGESS_TOKEN), or listen on 127.0.0.1"
    )]
    TokenNeeded(SocketAddr),
    /// A token that cannot be sent.
    #[error("the token must have 8 to 200 letters of a-z, A-Z, 0-9, '-', '.', '_' and '~'")]
    BadToken,
    /// Somebody else listens there.
    #[error("{0} is taken: another program, or another burgess, listens there; --listen 127.0.0.1:0 takes a free port")]
    Taken(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A certificate or key that cannot be read.
    #[error("{}: {why}", .file.display())]
    Certificate {
        /// Of the certificate or the key.
        file: PathBuf,
        /// A sentence.
        why: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The system gives no thread.
    #[error("the server cannot start: {0}")]
    Start(io::Error),
}

/// Why one who asked is refused: a status, and a sentence.
#[derive(Debug, Clone)]
pub struct ApiError {
    /// 400 or more.
    pub status: StatusCode,
    /// A sentence.
    pub error: String,
}

impl ApiError {
    /// A status and a sentence.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into() }
    }

    /// There is no such thing: 404.
    pub fn missing(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// What was asked makes no sense: 400.
    pub fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is too much to do: 503.
    pub fn busy(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// It is the server's fault: 500.
    pub fn failed(error: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error }))).into_response()
    }
}
