//! Options of a server: its address, the run directory, access and limits.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::error::ServerError;
use crate::limits::Limits;

/// Default address of the server.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7380);

/// Default time after which a session without viewers ends.
pub const DEFAULT_IDLE: Duration = Duration::from_secs(30 * 60);

/// Minimum length of a token: shorter ones can be guessed.
const MIN_TOKEN_LENGTH: usize = 8;
/// Maximum length of a token.
const MAX_TOKEN_LENGTH: usize = 200;

/// Options of a server.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Address to listen on. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// What starts the program in a shell, for command lines on the page.
    pub command: String,
    /// Directory of runs and recordings, which need not exist yet.
    pub runs: PathBuf,
    /// Token that requests must contain. It is required unless the address is a loopback address.
    pub token: Option<String>,
    /// Whether to listen on other addresses without a token, which gives all machines of the network full access.
    pub insecure_no_token: bool,
    /// Encryption.
    pub tls: Tls,
    /// Address at which datagrams of OpenTrack are received. Port 0 takes a free one.
    pub tracker: Option<SocketAddr>,
    /// Limits of requests and connections.
    pub limits: Limits,
    /// Time after which a session without viewers ends, unless this program opened it; none keeps all sessions.
    pub idle: Option<Duration>,
}

/// Encryption of connections.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Tls {
    /// Plain HTTP.
    #[default]
    None,
    /// TLS with a certificate generated at the start. Browsers ask before they trust it.
    SelfSigned,
    /// TLS with a certificate from files.
    Files {
        /// Certificate chain, PEM.
        certificate: PathBuf,
        /// Private key, PEM.
        key: PathBuf,
    },
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: DEFAULT_ADDRESS,
            command: "burgess".to_string(),
            runs: PathBuf::from("runs"),
            token: None,
            insecure_no_token: false,
            tls: Tls::None,
            tracker: None,
            limits: Limits::default(),
            idle: Some(DEFAULT_IDLE),
        }
    }
}

impl ServerOptions {
    /// Checks that the token is valid, and that there is one if it is required.
    pub fn check(&self) -> Result<(), ServerError> {
        match &self.token {
            Some(token) => check_token(token),
            None if self.listen.ip().is_loopback() || self.insecure_no_token => Ok(()),
            None => Err(ServerError::TokenNeeded(self.listen)),
        }
    }
}

/// A token is sent in addresses and cookies, so it contains only characters that need no escape there.
fn check_token(token: &str) -> Result<(), ServerError> {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"-._~".contains(&letter);
    let fits = (MIN_TOKEN_LENGTH..=MAX_TOKEN_LENGTH).contains(&token.len());
    if fits && token.bytes().all(is_plain) { Ok(()) } else { Err(ServerError::BadToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(listen: &str, token: Option<&str>) -> ServerOptions {
        let listen = listen.parse().expect("an address");
        ServerOptions { listen, token: token.map(str::to_string), ..ServerOptions::default() }
    }

    #[test]
    fn other_than_loopback_addresses_need_a_token() {
        assert!(options("127.0.0.1:0", None).check().is_ok());
        assert!(options("[::1]:0", None).check().is_ok());
        let error = options("0.0.0.0:7380", None).check().expect_err("no token");
        assert!(error.to_string().contains("token"), "{error}");
        assert!(options("[::]:7380", None).check().is_err());
        assert!(options("0.0.0.0:7380", Some("correct-horse")).check().is_ok());
        let open = ServerOptions { insecure_no_token: true, ..options("0.0.0.0:7380", None) };
        assert!(open.check().is_ok());
    }

    #[test]
    fn invalid_tokens_are_refused() {
        for token in ["", "short", "with a blank in it", "semi;colon;semi", "percent%20percent", "häßliche-umlaute"] {
            assert!(options("127.0.0.1:0", Some(token)).check().is_err(), "{token}");
        }
    }
}
