//! Where workers and runs meet, on the command line: the same for both.
//!
//! What the environment says counts if a server is named, and is no reason to complain if none is: it may be meant for others.

use std::ffi::OsString;
use std::path::PathBuf;

use burgess_evolution::evaluator::nats::{NatsOptions, Notice};
use clap::Args;

/// A NATS server, and how to get in.
#[derive(Args)]
#[command(next_help_heading = "NATS")]
pub struct NatsArguments {
    /// Workers and runs meet at this NATS server: nats://[USER:PASSWORD@]HOST[:PORT], nats://TOKEN@HOST, or tls://; it needs
    /// JetStream ('nats-server -js')
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// User at the NATS server [env: NATS_USER]
    #[arg(long, value_name = "USER", requires = "nats")]
    nats_user: Option<String>,
    /// Password of the user; in the environment nobody sees it in the list of processes [env: NATS_PASSWORD]
    #[arg(long, value_name = "PASSWORD", requires = "nats")]
    nats_password: Option<String>,
    /// Token instead of a user [env: NATS_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "nats")]
    nats_token: Option<String>,
    /// File with the seed of an nkey instead of a user [env: NATS_NKEY]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_nkey: Option<PathBuf>,
    /// Certificate of whoever signed the server's (PEM) [env: NATS_CA]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,
    /// Certificate of one's own (PEM), with --nats-key [env: NATS_CERT]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_certificate: Option<PathBuf>,
    /// Key of the certificate (PEM) [env: NATS_KEY]
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_key: Option<PathBuf>,
}

impl NatsArguments {
    /// Is a server named?
    pub fn is_given(&self) -> bool {
        self.nats.is_some()
    }

    /// What they say, if a server is named.
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
