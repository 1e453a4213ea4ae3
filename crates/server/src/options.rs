//! How a server is started: where it listens, which folder it shows, and who may ask.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use crate::error::ServerError;
use crate::limits::Limits;

/// Where the viewer listens unless told otherwise.
pub const USUAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7380);

/// Fewer letters than this can be guessed.
const SHORTEST_TOKEN: usize = 8;
const LONGEST_TOKEN: usize = 200;

/// How a server is started.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The folder of runs and recordings; it need not be there yet.
    pub runs: PathBuf,
    /// What everybody who asks must know. Needed beyond loopback.
    pub token: Option<String>,
    /// Listen beyond loopback without a token: everybody on the network may do everything.
    pub insecure_no_token: bool,
    /// Whether what is said is encrypted.
    pub tls: Tls,
    /// How much anybody may ask for.
    pub limits: Limits,
}

/// Whether what is said is encrypted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Tls {
    /// Plain HTTP.
    #[default]
    None,
    /// With a certificate made at the start; browsers ask before they trust it.
    SelfSigned,
    /// With a certificate of your own.
    Files {
        /// The chain of certificates, PEM.
        certificate: PathBuf,
        /// The private key, PEM.
        key: PathBuf,
    },
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: USUAL_ADDRESS,
            runs: PathBuf::from("runs"),
            token: None,
            insecure_no_token: false,
            tls: Tls::None,
            limits: Limits::default(),
        }
    }
}

impl ServerOptions {
    /// Is the token one that can be sent, and is there one where it is needed?
    pub fn check(&self) -> Result<(), ServerError> {
        match &self.token {
            Some(token) => check_token(token),
            None if self.listen.ip().is_loopback() || self.insecure_no_token => Ok(()),
            None => Err(ServerError::TokenNeeded(self.listen)),
        }
    }
}

/// A token travels in addresses and cookies: only letters that need no escape there.
fn check_token(token: &str) -> Result<(), ServerError> {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"-._~".contains(&letter);
    let fits = (SHORTEST_TOKEN..=LONGEST_TOKEN).contains(&token.len());
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
    fn beyond_loopback_a_token_is_needed() {
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
    fn tokens_that_cannot_travel_or_are_short_are_refused() {
        for token in ["", "short", "with a blank in it", "semi;colon;semi", "percent%20percent", "häßliche-umlaute"] {
            assert!(options("127.0.0.1:0", Some(token)).check().is_err(), "{token}");
        }
    }
}
