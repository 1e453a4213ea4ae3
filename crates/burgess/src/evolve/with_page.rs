//! The page of a run while it evolves: a server in this process that shows the run and takes interventions.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Result;
use burgess_catalog::RUN_EXTENSION;
use burgess_server::Server;
use burgess_server::runs::RunObserver;

use crate::notices::notice;
use crate::output::print;
use crate::page::{Page, PageArguments, folder_of, run_page};

/// A server that listens already, before anything else starts.
#[derive(Debug)]
pub struct Listening {
    server: Server,
    run: String,
}

impl Listening {
    /// Creates the server for a run's file, if standard output is a terminal or --listen is given, and if a page can
    /// be shown.
    pub fn new(file: &Path, arguments: &PageArguments) -> Result<Option<Self>> {
        if !std::io::stdout().is_terminal() && !arguments.has_address() {
            notice("no page is opened, because stdout is not a terminal; --listen 127.0.0.1:7380 opens one");
            return Ok(None);
        }
        if !burgess_server::IS_BUILT {
            notice(
                "this program was built without the page; install Node.js 20.19, or 22.12 or newer, with npm, and build again",
            );
            return Ok(None);
        }
        let name = file.file_stem().and_then(|stem| stem.to_str());
        let (Some(run), true) = (name, file.extension().is_some_and(|ending| ending == RUN_EXTENSION)) else {
            notice(&format!(
                "no page is opened: it shows only runs in files that end in .{RUN_EXTENSION}, and {} does not",
                file.display()
            ));
            return Ok(None);
        };
        let server = arguments.bind_anywhere(&folder_of(file)?)?;
        Ok(Some(Self { server, run: run.to_string() }))
    }

    /// Opens the page of the run, which is about to evaluate `evaluations` individuals.
    pub fn open(self, evaluations: u64, arguments: &PageArguments) -> Result<(Page, RunObserver)> {
        let watcher = self.server.hub().runs.attach(&self.run, evaluations);
        let page = Page::open(self.server, &run_page(&self.run), arguments)?;
        Ok((page, watcher))
    }
}

/// Keeps the page open after the run.
pub fn stay(page: Page) -> Result<()> {
    print("\nThe page stays open to look at the creatures or to continue the run. ")?;
    page.stay()
}
