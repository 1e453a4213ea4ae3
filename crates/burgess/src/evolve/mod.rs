//! `burgess evolve` and `burgess resume`.

mod progress;
mod report;
mod run_settings;
mod with_page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use burgess_evolution::evaluator::{Evaluator, Nats, Threads};
use burgess_evolution::{Archive, ArchiveError, Run, RunConfig, RunError, WriteWait};
use clap::Args;

use crate::nats_arguments::NatsArguments;
use crate::notices::notice;
use crate::output::{counted, print};
use crate::page::PageArguments;
use crate::{Failed, interruption};
use progress::Progress;
use report::Report;
use run_settings::RunSettings;
use with_page::{Listening, stay};

/// Largest number of threads. More are most likely a typing error.
const MAX_THREADS: usize = 4096;

/// Time between two notices while another program locks the file.
const NOTICE_INTERVAL: Duration = Duration::from_secs(5);

/// Exit code that shells use for a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Evolve creatures for a task
///
/// One file stores the whole run: every creature with its parents, its fitness and its measured values. A run that is
/// stopped by Ctrl-C, a kill or a power failure loses nothing: `burgess resume` continues it, with results that are
/// bit-identical to those of an uninterrupted run.
///
/// If stdout is a terminal, a page opens in the browser. It shows the creatures as they evolve, and you can select and
/// breed them there. The page is served until Ctrl-C. With --headless or --json there is no page.
///
/// Exit code 1: the run could not continue (for example because the disk is full). Exit code 130: it was interrupted.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess evolve walk                                     walking creatures, in a few minutes
  burgess evolve swim --evaluations 20000 --seed 7        a longer run with another seed
  burgess evolve walk --print-config > mine.toml          write all settings to a file ...
  burgess evolve mine.toml                                ... edit them and run them
  burgess evolve walk --from walker                       start from a creature
  burgess evolve walk --from a.burgess --from b.burgess   start from the best creatures of two runs
  burgess evolve walk --nats nats://host                  let workers evaluate the creatures (`burgess worker`)")]
pub struct Evolve {
    #[command(flatten)]
    settings: RunSettings,
    /// Write the run to this file [default: runs/TASK-SEED.burgess, or the next free name]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Print the whole configuration as TOML and exit
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    options: RunOptions,
}

/// Continue an interrupted run, or extend a finished one
///
/// Creatures that have been evaluated are not evaluated again, and the result is the same to the last bit. With
/// --evaluations a finished run can be extended. Only the version of burgess that
/// started a run can continue it, because another one may compute other results; all later versions can show and
/// export it.
///
/// Exit code 1: the run could not continue. Exit code 130: it was interrupted.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess resume runs/walk-1.burgess                      continue where it stopped
  burgess resume runs/walk-1.burgess --evaluations 10000  extend it")]
pub struct Resume {
    /// File of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Continue until N evaluations are made [default: the number that the run was set up for]
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    #[command(flatten)]
    options: RunOptions,
}

/// Options that do not affect the result of a run.
#[derive(Args)]
pub struct RunOptions {
    /// Evaluate on N threads [default: one for each core]
    #[arg(long, value_name = "N", conflicts_with = "nats")]
    threads: Option<usize>,
    /// Print a line of progress at intervals instead of a bar, and do not open the page
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
    /// Sets up the run and carries it out.
    pub fn run(&self) -> Result<ExitCode> {
        let mut config = self.settings.config()?;
        if self.print_config {
            print(&config.to_toml())?;
            return Ok(ExitCode::SUCCESS);
        }
        let founders = self.settings.founders(&mut config)?;
        // The founders may have changed the family.
        config.check()?;
        self.options.check()?;
        let archive = match &self.run {
            Some(file) => Archive::create(&with_folder(file)?, &config, &founders),
            None => Archive::create_in(runs_folder()?, &config, &founders),
        };
        let archive = archive.map_err(archive_error)?;
        let file = archive.file().to_path_buf();
        if self.run.is_none() {
            notice_another_name(&file, &config);
        }
        let first = config.stage(0).first_generation() as u64;
        if config.evaluations <= first {
            let evaluations = counted(config.evaluations, "evaluation", "evaluations");
            notice(&format!(
                "{evaluations}: the first {first} creatures are random and have no parents, so none will be bred; raise --evaluations"
            ));
        }
        let prepared = self.options.listen(&file).and_then(|page| Ok((page, self.options.evaluator(&archive)?)));
        match prepared {
            Ok((listening, evaluator)) => self.options.carry_out(archive, evaluator, listening),
            Err(error) => {
                // The run has not begun.
                drop(archive);
                let _ = std::fs::remove_file(&file);
                Err(error)
            }
        }
    }
}

impl Resume {
    /// Continues the run.
    pub fn run(&self) -> Result<ExitCode> {
        self.options.check()?;
        let listening = self.options.listen(&self.run)?;
        let mut archive = Archive::open(&self.run).map_err(archive_error)?;
        let evaluator = self.options.evaluator(&archive)?;
        if let Some(evaluations) = self.evaluations {
            if evaluations < archive.count() {
                bail!("--evaluations {evaluations}: the run has {} already", archive.count());
            }
            RunConfig { evaluations, ..archive.config().map_err(archive_error)? }.check()?;
            archive.extend(evaluations).map_err(archive_error)?;
        }
        self.options.carry_out(archive, evaluator, listening)
    }
}

impl RunOptions {
    fn check(&self) -> Result<()> {
        match self.threads {
            Some(threads) if !(1..=MAX_THREADS).contains(&threads) => {
                bail!("--threads must be from 1 to {MAX_THREADS}, found {threads}")
            }
            _ => Ok(()),
        }
    }

    /// Returns workers if a NATS server is given, otherwise threads.
    fn evaluator(&self, archive: &Archive) -> Result<Box<dyn Evaluator>> {
        let Some(options) = self.nats.options(Arc::new(notice)) else {
            return Ok(Box::new(Threads::new(self.threads())));
        };
        let name = archive.name().map_err(archive_error)?;
        let nats = Nats::connect(&options, &name).map_err(|error| Failed(error.into()))?;
        Ok(Box::new(nats))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Starts the server of the page, unless the options exclude it.
    fn listen(&self, file: &Path) -> Result<Option<Listening>> {
        match self.headless || self.json {
            true if self.page.has_address() => {
                bail!("--listen sets the address of the page, but --headless and --json run without a page")
            }
            true => Ok(None),
            false => Listening::new(file, &self.page),
        }
    }

    fn carry_out(
        &self,
        mut archive: Archive,
        mut evaluator: Box<dyn Evaluator>,
        listening: Option<Listening>,
    ) -> Result<ExitCode> {
        archive.set_write_wait(wait_with_notices(archive.file()));
        let mut run = Run::new(archive).map_err(run_error)?;
        interruption::watch_for();
        let opened = listening.map(|listening| listening.open(run.config().evaluations, &self.page)).transpose()?;
        let (page, watcher) = opened.unzip();
        let start = Instant::now();
        let mut progress = Progress::new(&run, self.headless, watcher);
        let ended = run.advance(evaluator.as_mut(), &mut progress);
        let (evaluated, watcher) = progress.finish();
        ended.map_err(run_error)?;
        let cores = (!self.nats.is_given()).then(|| self.threads());
        let report = Report::new(&run, evaluated, start.elapsed().as_secs_f64(), cores).map_err(archive_error)?;
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.summary(&run)? })?;
        if !run.is_done() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        // The run is closed before the page learns of the end, because the page may continue it.
        drop((run, evaluator));
        drop(watcher);
        page.map_or(Ok(()), stay)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Creates the folder of a file.
fn with_folder(file: &Path) -> Result<PathBuf> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |error| Failed(anyhow::anyhow!("the folder {} cannot be created: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(file.to_path_buf())
}

/// Waits while another program locks the file, until an interruption, and says so now and then.
fn wait_with_notices(file: &Path) -> WriteWait {
    let (file, last) = (file.display().to_string(), Mutex::new(Duration::ZERO));
    let on_wait = move |waited: Duration| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        // A wait that is shorter than the last one is another wait.
        if waited < *last || waited >= *last + NOTICE_INTERVAL {
            *last = waited;
            let seconds = waited.as_secs();
            notice(&format!("{file}: another program has locked the file; waiting for it since {seconds} s"));
        }
        !interruption::is_requested()
    };
    WriteWait { on_wait: Box::new(on_wait), ..WriteWait::default() }
}

/// Returns the folder `runs`.
fn runs_folder() -> Result<&'static Path> {
    let folder = Path::new("runs");
    std::fs::create_dir_all(folder).map_err(|error| {
        Failed(anyhow::anyhow!("the folder 'runs' cannot be created: {error}; choose a file with --run"))
    })?;
    Ok(folder)
}

/// Says that a run has another file than the usual one, because that exists.
fn notice_another_name(file: &Path, config: &RunConfig) {
    let folder = file.parent().unwrap_or(Path::new(""));
    let usual = Archive::files(folder, &config.task.name, config.seed).next();
    if let Some(usual) = usual.filter(|usual| usual != file) {
        let (usual, file, other) = (usual.display(), file.display(), config.seed.wrapping_add(1));
        notice(&format!(
            "{usual} exists, so this run is written to {file}; with the same settings the result is the same, and \
             --seed {other} gives another one"
        ));
    }
}

/// Decides whether an error was caused by the input (exit code 2) or not (1).
pub fn archive_error(error: ArchiveError) -> anyhow::Error {
    match error {
        ArchiveError::Exists(_)
        | ArchiveError::Missing(_)
        | ArchiveError::Foreign(_)
        | ArchiveError::NewerFormat { .. }
        | ArchiveError::Program { .. } => error.into(),
        _ => Failed(error.into()).into(),
    }
}

fn run_error(error: RunError) -> anyhow::Error {
    match error {
        RunError::Archive(error) => archive_error(error),
        other => Failed(other.into()).into(),
    }
}
