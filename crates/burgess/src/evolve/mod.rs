//! `burgess evolve`: the main job.

mod progress;
mod report;
mod setting;
mod with_page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use burgess_evolution::evaluator::{Evaluator, Nats, Threads};
use burgess_evolution::{Archive, ArchiveError, Run, RunConfig, RunError};
use clap::Args;

use crate::nats_arguments::NatsArguments;
use crate::notices::notice;
use crate::output::{counted, print};
use crate::page::PageArguments;
use crate::{Failed, interruption};
use progress::Progress;
use report::Report;
use setting::Setting;
use with_page::{Listening, stay};

/// More threads than this are a slip of the keyboard.
const MOST_THREADS: usize = 4096;

/// As shells have it for a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Evolves creatures for a task
///
/// Everybody who was ever bred is kept in one file, with parents, fitness and measures. Ctrl-C ends the run with nothing
/// lost, and neither does a kill or a power cut do harm: `burgess resume` goes on with it, and comes to the same bits as a run that was never disturbed.
///
/// From a terminal it opens the page in the browser, which shows the creatures while they evolve, and where a person may breed along; it
/// stays until Ctrl-C. With --headless or --json there is none.
///
/// Exit code 1: the run could not go on (the disk is full, say). Exit code 130: it was interrupted.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess evolve walk                                 creatures that walk, in a few minutes
  burgess evolve swim --evaluations 20000 --seed 7    longer, and another one
  burgess evolve walk --print-config > mine.toml      everything that can be set ...
  burgess evolve mine.toml                            ... and a run of it
  burgess evolve walk --from walker.json              start from a creature
  burgess evolve walk --from a.burgess --from b.burgess   mix the gene pools of two runs
  burgess evolve walk --nats nats://host              by whichever workers are there ('burgess worker')")]
pub struct Evolve {
    #[command(flatten)]
    setting: Setting,
    /// Write the run to this file [default: runs/TASK-SEED.burgess, or the next free name]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Print the whole configuration as TOML, and do nothing else
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    way: Way,
}

/// Goes on with a run that was interrupted, killed or cut off
///
/// What has been evaluated is not evaluated again, and the end is the same to the last bit. With --evaluations a run that
/// is done goes on for longer.
///
/// Exit code 1: the run could not go on. Exit code 130: it was interrupted.
#[derive(Args)]
pub struct Resume {
    /// The file of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Go on until so many creatures are evaluated [default: as many as the run was set up for]
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    #[command(flatten)]
    way: Way,
}

/// How a run is carried out; what comes out does not depend on it.
#[derive(Args)]
pub struct Way {
    /// Evaluate on so many threads [default: one for each core]
    #[arg(long, value_name = "N", conflicts_with = "nats")]
    threads: Option<usize>,
    /// Nobody is watching: tell how it goes in a line now and then instead of a bar
    #[arg(long)]
    headless: bool,
    /// Print one JSON object on one line at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    nats: NatsArguments,
    #[command(flatten)]
    page: PageArguments,
}

impl Evolve {
    /// Sets up the run, and carries it out.
    pub fn run(&self) -> Result<ExitCode> {
        let config = self.setting.config()?;
        if self.print_config {
            print(&config.to_toml())?;
            return Ok(ExitCode::SUCCESS);
        }
        let founders = self.setting.founders(&config)?;
        self.way.check()?;
        let file = match &self.run {
            Some(file) => with_folder(file)?,
            None => free_name(&config.task.name, config.seed)?,
        };
        let listening = self.way.listen(&file)?;
        let archive = Archive::create(&file, &config, &founders).map_err(told)?;
        let first = config.first_generation() as u64;
        if config.evaluations <= first {
            let evaluations = counted(config.evaluations, "evaluation", "evaluations");
            notice(&format!(
                "{evaluations}, and the first {first} creatures have no parents: nobody will have children"
            ));
        }
        match self.way.evaluator(&archive) {
            Ok(evaluator) => self.way.carry_out(archive, evaluator, listening),
            Err(nobody) => {
                // The run has not begun.
                drop(archive);
                let _ = std::fs::remove_file(&file);
                Err(nobody)
            }
        }
    }
}

impl Resume {
    /// Takes the run up again.
    pub fn run(&self) -> Result<ExitCode> {
        self.way.check()?;
        let listening = self.way.listen(&self.run)?;
        let archive = Archive::open(&self.run).map_err(told)?;
        let evaluator = self.way.evaluator(&archive)?;
        if let Some(evaluations) = self.evaluations {
            if evaluations < archive.count() {
                bail!("--evaluations {evaluations}: the run has {} already", archive.count());
            }
            RunConfig { evaluations, ..archive.config().map_err(told)? }.check()?;
            archive.extend(evaluations).map_err(told)?;
        }
        self.way.carry_out(archive, evaluator, listening)
    }
}

impl Way {
    fn check(&self) -> Result<()> {
        match self.threads {
            Some(threads) if !(1..=MOST_THREADS).contains(&threads) => {
                bail!("--threads must be from 1 to {MOST_THREADS}, found {threads}")
            }
            _ => Ok(()),
        }
    }

    /// Workers elsewhere if a server is named, threads otherwise.
    fn evaluator(&self, archive: &Archive) -> Result<Box<dyn Evaluator>> {
        let Some(options) = self.nats.options(Arc::new(notice)) else {
            return Ok(Box::new(Threads::new(self.threads())));
        };
        let name = archive.name().map_err(told)?;
        let nats = Nats::connect(&options, &name).map_err(|error| Failed(error.into()))?;
        Ok(Box::new(nats))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// The page, unless nobody is there to see it.
    fn listen(&self, file: &Path) -> Result<Option<Listening>> {
        match self.headless || self.json {
            true if self.page.is_placed() => bail!("--listen is for the page, which --headless and --json leave out"),
            true => Ok(None),
            false => Listening::new(file, &self.page),
        }
    }

    fn carry_out(
        &self,
        archive: Archive,
        mut evaluator: Box<dyn Evaluator>,
        listening: Option<Listening>,
    ) -> Result<ExitCode> {
        let mut run = Run::new(archive).map_err(told_of_run)?;
        interruption::watch_for();
        let opened = listening.map(|listening| listening.open(run.config().evaluations, &self.page)).transpose()?;
        let (page, watcher) = opened.unzip();
        let start = Instant::now();
        let mut progress = Progress::new(&run, self.headless, watcher);
        let ended = run.advance(evaluator.as_mut(), &mut progress);
        let (evaluated, watcher) = progress.finish();
        ended.map_err(told_of_run)?;
        let cores = (!self.nats.is_given()).then(|| self.threads());
        let report = Report::new(&run, evaluated, start.elapsed().as_secs_f64(), cores).map_err(told)?;
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.summary(&run)? })?;
        if !run.is_done() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        // Before the page hears of the end: it may go on with the run.
        drop((run, evaluator));
        drop(watcher);
        page.map_or(Ok(()), stay)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The file, once its folder is there.
fn with_folder(file: &Path) -> Result<PathBuf> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |error| Failed(anyhow::anyhow!("the folder {} cannot be made: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(file.to_path_buf())
}

/// A run in the folder of runs that nobody has written yet.
fn free_name(task: &str, seed: u64) -> Result<PathBuf> {
    let folder = Path::new("runs");
    std::fs::create_dir_all(folder).map_err(|error| {
        Failed(anyhow::anyhow!("the folder 'runs' cannot be made: {error}; choose a file with --run"))
    })?;
    if let Some(usual) = Archive::files(folder, task, seed).next().filter(|usual| usual.exists()) {
        let usual = usual.display();
        notice(&format!(
            "{usual} is there already: with the same settings this run will be the same; --seed makes another"
        ));
    }
    Ok(Archive::free_file(folder, task, seed))
}

/// Whose fault it is: the input's, or that of the world.
fn told(error: ArchiveError) -> anyhow::Error {
    match error {
        ArchiveError::Exists(_)
        | ArchiveError::Missing(_)
        | ArchiveError::Foreign(_)
        | ArchiveError::NewerFormat { .. }
        | ArchiveError::Program { .. } => error.into(),
        _ => Failed(error.into()).into(),
    }
}

fn told_of_run(error: RunError) -> anyhow::Error {
    match error {
        RunError::Archive(error) => told(error),
        other => Failed(other.into()).into(),
    }
}
