//! `burgess worker`: evaluates creatures for runs elsewhere.

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

/// More processes than this are a slip of the keyboard.
const MOST_PROCESSES: usize = 4096;

/// Evaluates creatures for runs on this or other machines
///
/// Runs that were started with `burgess evolve TASK --nats URL` hand their creatures to whichever workers are there. Workers come and go at
/// any time, and nothing is lost: what a worker had in hand goes to another. Each has a child process for every core; one that falls
/// silent is replaced. Both ends must be the same version of the program.
///
/// Ends with Ctrl-C. Exit code 1: it could not go on.
#[derive(Args)]
#[command(after_help = "Examples:
  nats-server -js                                     a server, on a machine that all others reach
  burgess evolve walk --nats nats://host              a run
  burgess worker --nats nats://host                   a worker on every machine
  burgess worker --nats nats://me:secret@host --processes 2")]
pub struct Worker {
    #[command(flatten)]
    nats: NatsArguments,
    /// Child processes [default: one for each core]
    #[arg(long, value_name = "N")]
    processes: Option<usize>,
}

/// A child process of a worker: jobs come by stdin, results go to stdout
#[derive(Args)]
pub struct WorkerChild;

impl Worker {
    /// Works until it is interrupted.
    pub fn run(&self) -> Result<ExitCode> {
        let Some(nats) = self.nats.options(Arc::new(notice)) else {
            bail!("--nats URL says where the work comes from; 'nats-server -js' starts a server");
        };
        let program = std::env::current_exe().context("the program does not find itself")?;
        let child = ChildCommand { program, arguments: vec!["worker-child".to_string()] };
        let mut options = WorkerOptions::new(child);
        options.processes = self.processes.unwrap_or(options.processes);
        if !(1..=MOST_PROCESSES).contains(&options.processes) {
            bail!("--processes must be from 1 to {MOST_PROCESSES}, found {}", options.processes);
        }
        interruption::watch_for();
        let processes = counted(options.processes as u64, "process", "processes");
        eprintln!("burgess: a worker with {processes}; Ctrl-C ends it");
        let bar = ProgressBar::new_spinner();
        notices::above(Some(bar.clone()));
        let is_over = |tally: Tally| {
            bar.set_message(format!("{} evaluated", counted(tally.results, "creature", "creatures")));
            bar.tick();
            interruption::is_wanted()
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
