//! `burgess flow watch`: shows a history of tubes on the page, or a summary of it.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use burgess_flow::tubes::HistoryReader;
use clap::Args;
use indicatif::HumanBytes;

use crate::cave::read_cave;
use crate::interruption;
use crate::output::{counted, print};
use crate::page::{Page, PageArguments, flow_path, folder_of};

/// Show the vortex tubes of a flow in the browser
///
/// If stdout is a terminal, or with --listen, open the page and serve it until Ctrl-C. Otherwise print a summary.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess flow watch leapfrog.tubes             open the page
  burgess flow watch leapfrog.tubes --cave two  show the tubes on two screens side by side
  burgess flow watch leapfrog.tubes | cat       print the numbers of tubes and events")]
pub struct Watch {
    /// What `burgess flow extract` wrote
    #[arg(value_name = "TUBES")]
    tubes: PathBuf,
    /// Show the tubes on the walls of this cave: a file, or one of screen, two, cube, cylinder, dome
    #[arg(long, value_name = "FILE.toml")]
    cave: Option<PathBuf>,
    #[command(flatten)]
    page: PageArguments,
}

impl Watch {
    /// Shows the tubes.
    pub fn run(&self) -> Result<ExitCode> {
        let shown = self.tubes.display();
        let reader = HistoryReader::open(&self.tubes).map_err(|error| anyhow!("{shown}: {error}"))?;
        let opens_page = std::io::stdout().is_terminal() && burgess_server::IS_BUILT;
        if !self.page.has_address() && !opens_page && self.cave.is_none() {
            print(&self.summary(reader)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        interruption::watch_for();
        let folder = folder_of(&self.tubes)?;
        let cave = self.cave.as_deref().map(|cave| read_cave(cave, &folder)).transpose()?;
        let server = self.page.bind_anywhere(&folder)?;
        let id = server.hub().flows.open(&self.tubes).map_err(|error| anyhow!("{shown}: {error}"))?;
        let path = if cave.is_some() { "/cave".to_string() } else { flow_path(&id) };
        if let Some((text, file)) = cave {
            let hub = server.hub();
            hub.walls.open(text, file);
            hub.walls.show_flow(&hub.flows, &id).map_err(|why| anyhow!("{shown}: {why}"))?;
        }
        Page::open(server, &path, &self.page)?.stay()?;
        Ok(ExitCode::SUCCESS)
    }

    /// All steps are read, so that a damaged one is found.
    fn summary(&self, mut reader: HistoryReader<std::fs::File>) -> Result<String> {
        let mut text = String::new();
        let steps = reader.header().steps.len();
        let mut most = 0;
        for step in 0..steps {
            let step = reader.read_step(step).map_err(|error| anyhow!("{}: {error}", self.tubes.display()))?;
            most = most.max(step.tubes.len());
        }
        let header = reader.header();
        let [x, y, z] = header.grid.size();
        writeln!(text, "{}: vortex tubes of {}", self.tubes.display(), header.flow)?;
        writeln!(
            text,
            "{} of {x} x {y} x {z} points, at most {} per step, {}, {}",
            counted(steps as u64, "step", "steps"),
            counted(most as u64, "tube", "tubes"),
            counted(header.events.len() as u64, "event", "events"),
            HumanBytes(reader.bytes()),
        )?;
        Ok(text)
    }
}
