//! `burgess flow`: flows, their vortex tubes, and the page that shows them.

mod extract;
mod make;
mod source;
mod watch;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Make flows, extract their vortex tubes and watch them
#[derive(Args)]
#[command(after_help = "Examples:
  burgess flow make leapfrog -o leapfrog.flow             compute a flow
  burgess flow extract leapfrog.flow -o leapfrog.tubes    find and track its tubes
  burgess flow watch leapfrog.tubes                       open the page")]
pub struct Flow {
    #[command(subcommand)]
    command: FlowCommand,
}

#[derive(Subcommand)]
enum FlowCommand {
    Make(make::Make),
    Extract(extract::Extract),
    Watch(watch::Watch),
}

impl Flow {
    /// Runs the command.
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            FlowCommand::Make(make) => make.run(),
            FlowCommand::Extract(extract) => extract.run(),
            FlowCommand::Watch(watch) => watch.run(),
        }
    }
}
