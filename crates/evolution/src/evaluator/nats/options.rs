//! Address of the NATS server, and credentials.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use tokio::sync::watch;

use super::error::NatsError;

/// Receives messages for the user about the connection and the workers.
pub type Notice = Arc<dyn Fn(&str) + Send + Sync>;

/// Address of the NATS server and credentials, the same for a run and its workers.
#[derive(Clone)]
pub struct NatsOptions {
    /// Address: `nats://[user:password@|token@]host[:port]` or `tls://`. Several servers of a cluster are separated
    /// by commas.
    pub url: String,
    /// User, instead of the one in the address.
    pub user: Option<String>,
    /// Password of the user.
    pub password: Option<String>,
    /// Token, instead of user and password.
    pub token: Option<String>,
    /// File with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// File with the certificate of the server's CA (PEM).
    pub ca: Option<PathBuf>,
    /// File with a client certificate (PEM).
    pub certificate: Option<PathBuf>,
    /// File with the key of the client certificate (PEM).
    pub key: Option<PathBuf>,
    /// Time after which the server delivers a job again if its worker has not extended the ack deadline.
    pub ack_wait: Duration,
    /// Receiver of messages for the user.
    pub notice: Notice,
}

impl Default for NatsOptions {
    fn default() -> Self {
        Self {
            url: "nats://127.0.0.1:4222".to_string(),
            user: None,
            password: None,
            token: None,
            nkey: None,
            ca: None,
            certificate: None,
            key: None,
            ack_wait: Duration::from_secs(10),
            notice: Arc::new(|_| ()),
        }
    }
}

impl fmt::Debug for NatsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Secrets must not appear in logs.
        f.debug_struct("NatsOptions").field("url", &without_secrets(&self.url)).finish_non_exhaustive()
    }
}

const PASSWORD_ALONE: &str =
    "a password needs a user, in the address or by --nats-user, and cannot be combined with a token or nkey";

/// A connection that is restored automatically.
pub(super) struct Connection {
    pub client: Client,
    /// Host and port, for messages.
    pub server: String,
    /// Number of times that the connection was established.
    pub connected: watch::Receiver<u64>,
}

impl NatsOptions {
    /// Connects, and keeps the connection up from then on.
    pub(super) async fn connect(&self, name: &str) -> Result<Connection, NatsError> {
        let addresses = self.addresses()?;
        let place = |address: &ServerAddr| format!("{}:{}", address.host(), address.port());
        let server = addresses.iter().map(place).collect::<Vec<_>>().join(", ");
        let (count, connected) = watch::channel(0);
        let notice = Arc::clone(&self.notice);
        let where_to = server.clone();
        let options = self
            .authenticated(&addresses)?
            .name(name)
            .max_reconnects(None)
            .connection_timeout(Duration::from_secs(5))
            .reconnect_delay_callback(|attempts| Duration::from_millis(100 * attempts.min(10) as u64))
            .event_callback(move |event| {
                match event {
                    Event::Connected => {
                        count.send_modify(|count| *count += 1);
                        if *count.borrow() > 1 {
                            notice(&format!("the NATS server at {where_to} is connected again"));
                        }
                    }
                    Event::Disconnected => {
                        notice(&format!("lost the connection to the NATS server at {where_to}; reconnecting"))
                    }
                    _ => (),
                }
                async {}
            });
        let client = options.connect(addresses).await.map_err(|error| NatsError::connecting(server.clone(), &error))?;
        if !client.server_info().jetstream {
            return Err(NatsError::NoJetStream { server });
        }
        Ok(Connection { client, server, connected })
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, NatsError> {
        let parse = |url: &str| {
            let wrong = |why: String| NatsError::Address { url: without_secrets(url), why };
            let address: ServerAddr = url.trim().parse().map_err(|error: std::io::Error| wrong(error.to_string()))?;
            match address.scheme() {
                "nats" | "tls" if !address.host().is_empty() => Ok(address),
                "nats" | "tls" => Err(wrong("the host is missing".to_string())),
                other => Err(wrong(format!("it begins with {other}://"))),
            }
        };
        self.url.split(',').map(parse).collect()
    }

    /// Chooses the credentials. Options take precedence over the address.
    fn authenticated(&self, addresses: &[ServerAddr]) -> Result<ConnectOptions, NatsError> {
        let address_user = addresses.iter().find_map(|address| Some((address.username()?, address.password())));
        let ways = [self.user.is_some(), self.token.is_some(), self.nkey.is_some()];
        if ways.into_iter().filter(|given| *given).count() > 1 {
            return Err(NatsError::Options("give only one of user and password, token, and nkey"));
        }
        if self.password.is_some() && (self.token.is_some() || self.nkey.is_some()) {
            return Err(NatsError::Options(PASSWORD_ALONE));
        }
        let mut options = ConnectOptions::new();
        options = match (&self.user, &self.token, &self.nkey, address_user) {
            (Some(user), ..) => {
                let password = self.password.clone().ok_or(NatsError::Options("a user needs a password"))?;
                options.user_and_password(user.clone(), password)
            }
            (_, Some(token), ..) => options.token(token.clone()),
            (_, _, Some(file), _) => options.nkey(seed(file)?),
            (.., Some((user, in_address))) => match self.password.clone().or_else(|| in_address.map(decoded)) {
                Some(password) => options.user_and_password(decoded(user), password),
                None => options.token(decoded(user)),
            },
            _ if self.password.is_some() => return Err(NatsError::Options(PASSWORD_ALONE)),
            _ => options,
        };
        if let Some(ca) = &self.ca {
            read("the certificate of the signer", ca)?;
            options = options.add_root_certificates(ca.clone());
        }
        match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => {
                read("the certificate", certificate)?;
                read("the key", key)?;
                options = options.add_client_certificate(certificate.clone(), key.clone());
            }
            (None, None) => (),
            _ => return Err(NatsError::Options("--nats-certificate and --nats-key must be given together")),
        }
        let is_encrypted = self.ca.is_some() || self.certificate.is_some();
        Ok(if is_encrypted { options.require_tls(true) } else { options })
    }
}

fn read(what: &'static str, file: &Path) -> Result<String, NatsError> {
    std::fs::read_to_string(file).map_err(|source| NatsError::File { what, file: file.to_path_buf(), source })
}

/// Returns the line with the seed. The file may have other lines.
fn seed(file: &Path) -> Result<String, NatsError> {
    let text = read("the nkey's seed file", file)?;
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU") && line.len() == 58);
    seed.map(str::to_string).ok_or_else(|| NatsError::Seed { file: file.to_path_buf() })
}

/// Returns the address without user, password and token.
fn without_secrets(url: &str) -> String {
    let hide = |url: &str| match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => format!("{}{}", &url[..scheme + 3], &url[at + 1..]),
        (None, Some(at)) => url[at + 1..].to_string(),
        _ => url.to_string(),
    };
    url.split(',').map(hide).collect::<Vec<_>>().join(",")
}

/// Decodes percent-encoding: `%40` is `@`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        assert_eq!(without_secrets("nats://me:secret@host:1,tls://token@other"), "nats://host:1,tls://other");
        assert_eq!(without_secrets("me:secret@host"), "host");
        assert_eq!(without_secrets("nats://host"), "nats://host");
    }

    #[test]
    fn codes_in_addresses_are_read() {
        assert_eq!(decoded("p%40ss%2Fw%zz%4"), "p@ss/w%zz%4");
    }
}
