//! `burgess serve`: the page with a folder of runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::interruption;
use crate::page::{Page, PageArguments};

/// Serve the page, which shows scenes and creatures live and the recordings and runs of a folder
///
/// On the page you can start and continue runs and breed creatures manually. Only programs on this machine can reach
/// the page, unless --listen names another address. Clients then need a token, except with --insecure-no-token.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess serve                                         show the runs in runs/ at 127.0.0.1:7380
  burgess serve --listen 127.0.0.1:0 --runs mine        show the runs in mine/ on a free port
  burgess serve --listen 0.0.0.0:7380 --tls --token \"$(openssl rand -hex 16)\"    also for other machines")]
pub struct Serve {
    /// Show the runs and recordings of this folder, which is created if it does not exist [default: runs]
    #[arg(long, value_name = "FOLDER")]
    runs: Option<PathBuf>,
    #[command(flatten)]
    page: PageArguments,
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(runs) = &self.runs {
            prepare(runs)?;
        }
        interruption::watch_for();
        let server = self.page.bind(self.runs.as_deref().unwrap_or(Path::new("runs")))?;
        server.hub().read_runs_in_background();
        Page::open(server, "/", &self.page)?.stay()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Creates the folder of runs if it does not exist, and says so: its name may be misspelt.
fn prepare(runs: &Path) -> Result<()> {
    if runs.is_file() {
        bail!("--runs {}: this is a file; name the folder that contains it", runs.display());
    }
    if !runs.exists() {
        fs::create_dir_all(runs).with_context(|| format!("--runs {}: the folder cannot be created", runs.display()))?;
        eprintln!("created the folder {}", runs.display());
    }
    Ok(())
}
