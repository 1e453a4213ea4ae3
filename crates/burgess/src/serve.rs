//! `burgess serve`: the page over a folder of runs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use crate::interruption;
use crate::page::{Page, PageArguments};

/// Serves the page: scenes and creatures live, recordings and runs of a folder, breeding by hand
///
/// Only programs of this machine can reach it, unless --listen says otherwise; then whoever asks must know a token.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess serve                                         the page on 127.0.0.1:7380, of the runs in runs/
  burgess serve --listen 127.0.0.1:0 --runs mine        on a free port, of the runs in mine/
  burgess serve --listen 0.0.0.0:7380 --tls --token \"$(openssl rand -hex 16)\"    for other machines, too")]
pub struct Serve {
    /// The folder of runs and recordings
    #[arg(long, value_name = "FOLDER", default_value = "runs")]
    runs: PathBuf,
    #[command(flatten)]
    page: PageArguments,
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(&self) -> Result<ExitCode> {
        if self.runs.is_file() {
            bail!("--runs {}: this is a file, and the folder that it is in is wanted", self.runs.display());
        }
        interruption::watch_for();
        let server = self.page.bind(&self.runs)?;
        Page::open(server, "/", &self.page)?.stay()?;
        Ok(ExitCode::SUCCESS)
    }
}
