//! What keeps coordinator and workers from each other, and what to do about it.

use std::path::PathBuf;

use async_nats::{ConnectError, ConnectErrorKind};
use thiserror::Error;

/// What keeps coordinator and workers from each other.
#[derive(Debug, Error)]
pub enum NatsError {
    /// No address.
    #[error("'{url}' is no address of a NATS server ({why}); expected something like nats://host:4222")]
    Address {
        /// As it was given, without user and password.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file of secrets or certificates.
    #[error("{what} {file}: cannot be read ({source})")]
    File {
        /// What it was to be.
        what: &'static str,
        /// Where.
        file: PathBuf,
        /// In the system's words.
        source: std::io::Error,
    },
    /// Not an nkey.
    #[error("{file}: there is no seed of an nkey in it, a line of 58 letters and digits that begins with SU")]
    Seed {
        /// Where.
        file: PathBuf,
    },
    /// Options that do not go together.
    #[error("{0}")]
    Options(&'static str),
    /// Nobody there.
    #[error(
        "no NATS server answers at {server} ({why}): start one there with 'nats-server -js', or check address and firewall"
    )]
    Unreachable {
        /// Host and port.
        server: String,
        /// In the library's words.
        why: String,
    },
    /// A wrong name or password.
    #[error(
        "the NATS server at {server} refuses us ({why}): give it the right user and password, token or nkey; 'burgess help worker' lists the options"
    )]
    Refused {
        /// Host and port.
        server: String,
        /// In the library's words.
        why: String,
    },
    /// Certificates.
    #[error(
        "no encrypted connection to the NATS server at {server} ({why}): --nats-ca names the certificate of whoever signed the server's, --nats-certificate and --nats-key yours"
    )]
    Tls {
        /// Host and port.
        server: String,
        /// In the library's words.
        why: String,
    },
    /// Without JetStream.
    #[error("the NATS server at {server} keeps no streams: start it with JetStream, 'nats-server -js'")]
    NoJetStream {
        /// Host and port.
        server: String,
    },
    /// A stream or a consumer cannot be made or asked.
    #[error("the NATS server at {server} cannot {what}: {why}")]
    Stream {
        /// Host and port.
        server: String,
        /// What was wanted.
        what: &'static str,
        /// In its words.
        why: String,
    },
    /// Program and run differ.
    #[error("there is work for {theirs}, and this worker is {ours}: run the same program at both ends")]
    Version {
        /// Whose work there is.
        theirs: String,
        /// This program.
        ours: String,
    },
    /// The child processes do not come up.
    #[error("the child process '{program}' does not start: {why}")]
    Child {
        /// Its file.
        program: PathBuf,
        /// What happened.
        why: String,
    },
    /// Somebody ends the child processes before they are up.
    #[error("the child process '{program}' is killed whenever it starts; is there enough memory?")]
    Killed {
        /// Its file.
        program: PathBuf,
    },
    /// No runtime for the connection.
    #[error("the system gives no threads for the connection: {0}")]
    Runtime(#[from] std::io::Error),
}

impl NatsError {
    /// Why a connection did not come about.
    pub(super) fn connecting(server: String, error: &ConnectError) -> Self {
        let why = error.to_string();
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                Self::Refused { server, why }
            }
            ConnectErrorKind::Tls => Self::Tls { server, why },
            // What is wrong with a certificate comes to light when the first bytes are exchanged.
            ConnectErrorKind::Io if why.to_lowercase().contains("certificate") => Self::Tls { server, why },
            _ => Self::Unreachable { server, why },
        }
    }
}
