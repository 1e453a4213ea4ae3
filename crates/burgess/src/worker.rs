//! `burgess worker`: evaluates creatures for runs in other processes.

use std::io::{stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use burgess_evolution::evaluator::nats::{ChildCommand, Tally, Worker as Site, WorkerOptions, serve};
use clap::Args;
use indicatif::ProgressBar;

use crate::nats_arguments::NatsArguments;
use crate::notices::{self, notice};
use crate::output::{counted, print};
use crate::{Failed, interruption};

/// Largest number of processes. More are most likely a typing error.
const MAX_PROCESSES: usize = 4096;

/// Evaluate creatures for runs on this or other machines
///
/// Runs that were started with `burgess evolve TASK --nats URL` distribute their creatures to all connected workers.
/// Workers can be started and stopped at any time: unfinished evaluations go to other workers. A worker has a child
/// process for every core, and replaces those that hang. Runs and workers must be the same version of the program.
///
/// Press Ctrl-C to stop the worker. Exit code 1: the worker could not continue.
#[derive(Args)]
#[command(after_help = "Examples:
  nats-server -js                                     start the server on a machine that all others can reach
  burgess evolve walk --nats nats://host              start a run
  burgess worker --nats nats://host                   start a worker on every machine
  burgess worker --nats nats://me:secret@host --processes 2")]
pub struct Worker {
    #[command(flatten)]
    nats: NatsArguments,
    /// Start N child processes [default: one for each core]
    #[arg(long, value_name = "N")]
    processes: Option<usize>,
}

/// Serve as a child process of a worker: read jobs from stdin, write results to stdout
#[derive(Args)]
pub struct WorkerChild;

impl Worker {
    /// Works until it is interrupted.
    pub fn run(&self) -> Result<ExitCode> {
        let Some(nats) = self.nats.options(Arc::new(notice)) else {
            bail!(
                "a worker needs --nats URL, the server that its jobs come from; start a server with 'nats-server -js'"
            );
        };
        let program = std::env::current_exe().context("cannot determine the path of this program")?;
        let child = ChildCommand { program, arguments: vec!["worker-child".to_string()] };
        let mut options = WorkerOptions::new(child);
        options.processes = self.processes.unwrap_or(options.processes);
        if !(1..=MAX_PROCESSES).contains(&options.processes) {
            bail!("--processes must be from 1 to {MAX_PROCESSES}, found {}", options.processes);
        }
        interruption::watch_for();
        let processes = counted(options.processes as u64, "process", "processes");
        eprintln!("burgess: worker with {processes}; press Ctrl-C to stop");
        let bar = ProgressBar::new_spinner();
        notices::above(Some(bar.clone()));
        let is_over = |tally: Tally| {
            bar.set_message(format!("{} evaluated", counted(tally.results, "creature", "creatures")));
            bar.tick();
            interruption::is_requested()
        };
        let worked = Site::new(nats, options).work(is_over);
        bar.finish_and_clear();
        notices::above(None);
        let tally = worked.map_err(|error| Failed(error.into()))?;
        let lost = if tally.lost > 0 {
            format!("; {} replaced", counted(tally.lost, "process was", "processes were"))
        } else {
            String::new()
        };
        print(&format!("{} evaluated{lost}\n", counted(tally.results, "creature", "creatures")))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl WorkerChild {
    /// Serves until the worker closes the pipe.
    pub fn run(&self) -> Result<ExitCode> {
        serve(stdin().lock(), stdout()).map_err(|error| Failed(error.into()))?;
        Ok(ExitCode::SUCCESS)
    }
}
