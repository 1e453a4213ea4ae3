//! Errors of coordinators and workers.

use std::path::PathBuf;

use async_nats::{ConnectError, ConnectErrorKind};
use thiserror::Error;

/// Why a coordinator or worker cannot connect or continue.
#[derive(Debug, Error)]
pub enum NatsError {
    /// The address is not valid.
    #[error("'{url}' is not the address of a NATS server ({why}); expected an address such as nats://host:4222")]
    Address {
        /// Address as it was given, without user and password.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file with a secret or certificate cannot be read.
    #[error("{what} {file}: cannot be read ({source})")]
    File {
        /// Kind of the file.
        what: &'static str,
        /// Path of the file.
        file: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The file contains no nkey.
    #[error("{file}: the file contains no nkey seed; expected a line of 58 letters and digits that begins with SU")]
    Seed {
        /// Path of the file.
        file: PathBuf,
    },
    /// Options that cannot be combined.
    #[error("{0}")]
    Options(&'static str),
    /// No server answers.
    #[error(
        "no NATS server answers at {server} ({why}): start one there with 'nats-server -js', or check address and firewall"
    )]
    Unreachable {
        /// Host and port.
        server: String,
        /// The library's error.
        why: String,
    },
    /// The server rejects the credentials.
    #[error(
        "the NATS server at {server} rejected the credentials ({why}): check the user and password, the token or the nkey; 'burgess help worker' lists the options"
    )]
    Refused {
        /// Host and port.
        server: String,
        /// The library's error.
        why: String,
    },
    /// The TLS connection failed.
    #[error(
        "no encrypted connection to the NATS server at {server} ({why}): give the certificate of the server's CA with --nats-ca, and a client certificate with --nats-certificate and --nats-key"
    )]
    Tls {
        /// Host and port.
        server: String,
        /// The library's error.
        why: String,
    },
    /// The server runs without JetStream.
    #[error("the NATS server at {server} has no JetStream: start it with 'nats-server -js'")]
    NoJetStream {
        /// Host and port.
        server: String,
    },
    /// A stream or consumer cannot be created or queried.
    #[error("the NATS server at {server} cannot {what}: {why}")]
    Stream {
        /// Host and port.
        server: String,
        /// What the server was asked to do.
        what: &'static str,
        /// The library's error.
        why: String,
    },
    /// The versions of run and worker differ.
    #[error("the jobs are for {theirs}, and this worker is {ours}: use the same version for the run and its workers")]
    Version {
        /// Version that the jobs are for.
        theirs: String,
        /// Version of this program.
        ours: String,
    },
    /// The child processes fail to start.
    #[error("the child process '{program}' failed to start: {why}")]
    Child {
        /// Path of the program.
        program: PathBuf,
        /// What happened.
        why: String,
    },
    /// The child processes are killed while they start.
    #[error("the child process '{program}' is killed whenever it starts; check whether there is enough memory")]
    Killed {
        /// Path of the program.
        program: PathBuf,
    },
    /// The asynchronous runtime cannot be created.
    #[error("cannot start the threads of the connection: {0}")]
    Runtime(#[from] std::io::Error),
}

impl NatsError {
    /// Converts an error of connecting.
    pub(super) fn connecting(server: String, error: &ConnectError) -> Self {
        let why = error.to_string();
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                Self::Refused { server, why }
            }
            ConnectErrorKind::Tls => Self::Tls { server, why },
            // An invalid certificate shows up as an I/O error of the first exchange.
            ConnectErrorKind::Io if why.to_lowercase().contains("certificate") => Self::Tls { server, why },
            _ => Self::Unreachable { server, why },
        }
    }
}
