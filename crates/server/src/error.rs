//! Errors: [`ServerError`] when the server cannot start, [`ApiError`] when a request fails, sent as `{"error": "a
//! sentence"}`.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address is not a loopback address, and there is no token.
    #[error(
        "{0} can be reached from other machines, so a token is needed; set one (--token or BURGESS_TOKEN), or listen on 127.0.0.1"
    )]
    TokenNeeded(SocketAddr),
    /// The token contains invalid characters or has the wrong length.
    #[error("the token must have 8 to 200 characters of a-z, A-Z, 0-9, '-', '.', '_' and '~'")]
    BadToken,
    /// The address is in use.
    #[error("{0} is in use by another program or another burgess; --listen 127.0.0.1:0 takes a free port")]
    Taken(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A certificate or key cannot be read.
    #[error("{}: {why}", .file.display())]
    Certificate {
        /// File of the certificate or the key.
        file: PathBuf,
        /// A sentence with the reason.
        why: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// No thread can be started.
    #[error("the server cannot start: {0}")]
    Start(io::Error),
}

/// An error response: a status and a sentence.
#[derive(Debug, Clone)]
pub struct ApiError {
    /// Status, 400 or higher.
    pub status: StatusCode,
    /// A sentence that says what was found and what was expected.
    pub error: String,
}

/// The body of an error response.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ErrorBody {
    /// A sentence that says what was found and what was expected.
    error: String,
}

impl ApiError {
    /// Creates an error.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into() }
    }

    /// The requested item does not exist: 404.
    pub fn missing(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// The request is invalid: 400.
    pub fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// A limit is reached: 503.
    pub fn busy(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The server failed: 500.
    pub fn failed(error: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }
}

impl IntoResponse for ApiError {
    /// The response contains this error as an extension, too, so that layers can change it.
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: self.error.clone() })).into_response();
        response.extensions_mut().insert(self);
        response
    }
}
