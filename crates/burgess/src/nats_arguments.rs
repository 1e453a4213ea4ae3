//! Options for the NATS server, the same for runs and workers.
//!
//! Environment variables are used only if a server is given; otherwise they are ignored, because they may be meant
//! for other programs.

use std::ffi::OsString;
use std::path::PathBuf;

use burgess_evolution::evaluator::nats::{NatsOptions, Notice};
use clap::Args;

/// Address of a NATS server, and credentials.
#[derive(Args)]
#[command(next_help_heading = "NATS")]
pub struct NatsArguments {
    /// Exchange jobs and results through this NATS server: nats://HOST, nats://HOST:PORT, nats://USER:PASSWORD@HOST,
    /// nats://TOKEN@HOST, or tls://; it needs JetStream ('nats-server -js')
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// Log in to the NATS server as this user [env: NATS_USER]
    #[arg(long, value_name = "USER", requires = "nats")]
    nats_user: Option<String>,
    /// Log in with this password; the environment variable hides it from the list of processes [env: NATS_PASSWORD]
    #[arg(long, value_name = "PASSWORD", requires = "nats")]
    nats_password: Option<String>,
    /// Log in with this token instead of a user [env: NATS_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "nats")]
    nats_token: Option<String>,
    /// Log in with the nkey seed in this file instead of a user [env: NATS_NKEY]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_nkey: Option<PathBuf>,
    /// Trust the CA certificate in this file (PEM) [default: the system's CAs] [env: NATS_CA]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,
    /// File with a client certificate (PEM), needs --nats-key [env: NATS_CERT]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_certificate: Option<PathBuf>,
    /// File with the key of the client certificate (PEM) [env: NATS_KEY]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_key: Option<PathBuf>,
}

impl NatsArguments {
    /// Returns whether a server is given.
    pub fn is_given(&self) -> bool {
        self.nats.is_some()
    }

    /// Returns the options, if a server is given.
    pub fn options(&self, notice: Notice) -> Option<NatsOptions> {
        Some(NatsOptions {
            url: self.nats.clone()?,
            user: word(&self.nats_user, "NATS_USER"),
            password: word(&self.nats_password, "NATS_PASSWORD"),
            token: word(&self.nats_token, "NATS_TOKEN"),
            nkey: file(&self.nats_nkey, "NATS_NKEY"),
            ca: file(&self.nats_ca, "NATS_CA"),
            certificate: file(&self.nats_certificate, "NATS_CERT"),
            key: file(&self.nats_key, "NATS_KEY"),
            notice,
            ..NatsOptions::default()
        })
    }
}

fn word(given: &Option<String>, name: &str) -> Option<String> {
    given.clone().or_else(|| from_environment(name)?.into_string().ok())
}

fn file(given: &Option<PathBuf>, name: &str) -> Option<PathBuf> {
    given.clone().or_else(|| from_environment(name).map(PathBuf::from))
}

fn from_environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        nats: NatsArguments,
    }

    #[test]
    fn options_of_a_server_that_is_not_named_are_refused() {
        for option in ["user", "password", "token", "nkey", "ca", "certificate", "key"] {
            let option = format!("--nats-{option}");
            let Err(refusal) = Line::try_parse_from(["burgess", &option, "x"]) else { panic!("{option} does nothing") };
            assert!(refusal.to_string().contains("--nats <URL>"), "{refusal}");
            let line = Line::try_parse_from(["burgess", "--nats", "nats://host", &option, "x"]).ok();
            assert!(line.is_some_and(|line| line.nats.options(std::sync::Arc::new(|_| ())).is_some()), "{option}");
        }
    }
}
