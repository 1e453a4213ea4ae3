//! `burgess serve`: the page with a folder of runs.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use burgess_server::Server;
use burgess_server::session::{OpenRequest, Source};
use burgess_walls::CaveText;
use clap::Args;

use crate::cave::read_cave;
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
  burgess serve --cave two                              show billiards on two screens side by side
  burgess serve --listen 0.0.0.0:7380 --tls --token \"$(openssl rand -hex 16)\"    also for other machines")]
pub struct Serve {
    /// Show the runs and recordings of this folder, which is created if it does not exist [default: runs]
    #[arg(long, value_name = "FOLDER")]
    runs: Option<PathBuf>,
    /// Show a world on the walls of this cave: a file, or one of screen, two, cube, cylinder, dome
    #[arg(long, value_name = "FILE.toml")]
    cave: Option<PathBuf>,
    /// Receive the datagrams of OpenTrack at this address, such as 127.0.0.1:4242 [default: none]
    #[arg(long, value_name = "ADDRESS:PORT", requires = "cave")]
    tracker: Option<SocketAddr>,
    #[command(flatten)]
    page: PageArguments,
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(runs) = &self.runs {
            prepare(runs)?;
        }
        let runs = self.runs.as_deref().unwrap_or(Path::new("runs"));
        let cave = self.cave.as_deref().map(|cave| read_cave(cave, runs)).transpose()?;
        interruption::watch_for();
        let server = self.page.bind_with_tracker(runs, self.tracker)?;
        server.hub().read_runs_in_background();
        let path = if cave.is_some() { "/cave" } else { "/" };
        if let Some((text, file)) = cave {
            open_cave(&server, text, file)?;
        }
        Page::open(server, path, &self.page)?.stay()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Opens a cave and the scene or creature that it names.
fn open_cave(server: &Server, text: CaveText, file: PathBuf) -> Result<()> {
    let (hub, scene) = (server.hub(), text.cave.scene.clone());
    hub.walls.open(text, file);
    let Some(name) = scene else { return Ok(()) };
    let session =
        hub.sessions.open(OpenRequest::of(Source::built_in(name)), &hub.library).context("the scene of the cave")?;
    hub.walls.show(session).map_err(|why| anyhow!("the scene of the cave: {why}"))
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
