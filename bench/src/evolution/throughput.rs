//! Measures evaluations per second on different numbers of threads, and by workers over a NATS server on this machine.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use burgess_bench::duel::median;
use burgess_creature::task::Task;
use burgess_evolution::evaluator::nats::NatsOptions;
use burgess_evolution::evaluator::{Evaluator, Nats, Threads};
use burgess_evolution::{Archive, RecordedResult, Run, RunConfig};
use serde::{Deserialize, Serialize};

use crate::folders::Folders;

/// Name of the result.
const NAME: &str = "throughput";

/// Number of creatures of each run.
const EVALUATIONS: u64 = 400;

/// Number of alternating rounds; the result is the median.
const ROUNDS: usize = 3;

/// A line of the table.
#[derive(Debug, Serialize, Deserialize)]
pub struct Throughput {
    /// Evaluators.
    pub by: Evaluators,
    /// Median evaluations per second.
    pub rate: f64,
}

/// Kind and number of evaluators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evaluators {
    /// Number of threads of the process.
    Threads(usize),
    /// Number of workers of one process each.
    Workers(usize),
}

/// Reads the last measurement.
pub fn measured(folders: &Folders) -> Result<Vec<Throughput>> {
    Ok(folders.read(NAME, &config()?).unwrap_or_default())
}

/// Measures the same run on 1, 2, 4 ... threads up to the number of cores, at least 4, on 3 threads, and by 3 workers. All
/// must give the same archive.
pub fn measure(folders: &Folders) -> Result<()> {
    let runs = &folders.runs;
    let most = std::thread::available_parallelism().map_or(1, usize::from).max(4);
    let mut all_evaluators: Vec<Evaluators> =
        (0..).map(|power| 1 << power).take_while(|&threads| threads <= most).map(Evaluators::Threads).collect();
    all_evaluators.extend([Evaluators::Threads(3), Evaluators::Workers(3)]);
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); all_evaluators.len()];
    let mut first_hash = None;
    for _ in 0..ROUNDS {
        for (evaluators, rates) in all_evaluators.iter().zip(&mut rates) {
            let (rate, hash) = rate_and_hash(*evaluators, runs)?;
            eprintln!("{evaluators:?}: {rate:.2} evaluations/s, hash {hash:016x}");
            ensure!(hash == *first_hash.get_or_insert(hash), "the archives of two runs differ");
            rates.push(rate);
        }
    }
    let with_rate = |(by, rates): (_, Vec<f64>)| Throughput { by, rate: median(rates.into_iter()) };
    let found: Vec<Throughput> = all_evaluators.into_iter().zip(rates).map(with_rate).collect();
    folders.write(NAME, &config()?, found)
}

fn config() -> Result<RunConfig> {
    Ok(RunConfig { evaluations: EVALUATIONS, ..RunConfig::for_task(Task::preset("walk")?) })
}

fn rate_and_hash(evaluators: Evaluators, runs: &Path) -> Result<(f64, u64)> {
    match evaluators {
        Evaluators::Threads(threads) => timed(&mut Threads::new(threads), runs),
        Evaluators::Workers(count) => {
            let folder = runs.join("nats");
            let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            let url = format!("nats://127.0.0.1:{port}");
            let mut server = Command::new("nats-server");
            server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(&folder);
            let _server = Process::start(&mut server).context("nats-server (Debian: apt-get install nats-server)")?;
            std::thread::sleep(Duration::from_secs(1));
            let program = std::env::current_exe()?.with_file_name("burgess");
            let worker = || Process::start(Command::new(&program).args(["worker", "--nats", &url, "--processes", "1"]));
            let _workers = (0..count).map(|_| worker()).collect::<Result<Vec<Process>>>()?;
            std::thread::sleep(Duration::from_secs(2));
            let options = NatsOptions { url, ..NatsOptions::default() };
            let found = timed(&mut Nats::connect(&options, "throughput")?, runs);
            let _ = std::fs::remove_dir_all(&folder);
            found
        }
    }
}

/// Measures one run. Returns the evaluations per second and the hash of the archive.
fn timed(evaluator: &mut dyn Evaluator, runs: &Path) -> Result<(f64, u64)> {
    let file = runs.join("throughput.burgess");
    let _ = std::fs::remove_file(&file);
    let mut run = Run::new(Archive::create(&file, &config()?, &[])?)?;
    let start = Instant::now();
    run.advance(evaluator, &mut |_: &RecordedResult| ())?;
    Ok((EVALUATIONS as f64 / start.elapsed().as_secs_f64(), run.archive().hash()))
}

/// A child process that is killed when the guard is dropped.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Result<Self> {
        Ok(Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
