//! Where workers and runs meet, on the command line: the same for both.

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
    /// User at the NATS server
    #[arg(long, value_name = "USER", env = "NATS_USER")]
    nats_user: Option<String>,
    /// Password of the user; in the environment nobody sees it in the list of processes
    #[arg(long, value_name = "PASSWORD", env = "NATS_PASSWORD", hide_env_values = true)]
    nats_password: Option<String>,
    /// Token instead of a user
    #[arg(long, value_name = "TOKEN", env = "NATS_TOKEN", hide_env_values = true)]
    nats_token: Option<String>,
    /// File with the seed of an nkey instead of a user
    #[arg(long, value_name = "FILE", env = "NATS_NKEY")]
    nats_nkey: Option<PathBuf>,
    /// Certificate of whoever signed the server's (PEM)
    #[arg(long, value_name = "FILE", env = "NATS_CA")]
    nats_ca: Option<PathBuf>,
    /// Certificate of one's own (PEM), with --nats-key
    #[arg(long, value_name = "FILE", env = "NATS_CERT")]
    nats_certificate: Option<PathBuf>,
    /// Key of the certificate (PEM)
    #[arg(long, value_name = "FILE", env = "NATS_KEY")]
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
            user: self.nats_user.clone(),
            password: self.nats_password.clone(),
            token: self.nats_token.clone(),
            nkey: self.nats_nkey.clone(),
            ca: self.nats_ca.clone(),
            certificate: self.nats_certificate.clone(),
            key: self.nats_key.clone(),
            notice,
            ..NatsOptions::default()
        })
    }
}
