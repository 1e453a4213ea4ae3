//! Thousands of evaluations in flight over a NATS server.

use std::process::Command;
use std::time::Instant;

use crate::servers::{Process, Server, folder};
use burgess_creature::task::{Task, Trials};
use burgess_evolution::algorithm::MapElitesSettings;
use burgess_evolution::evaluator::nats::NatsOptions;
use burgess_evolution::evaluator::{Evaluator, EvaluatorError, Job, Nats, Threads};
use burgess_evolution::{
    AlgorithmConfig, Archive, ChampionSettings, EvaluationResult, Id, RecordedResult, Run, RunConfig,
};

/// Time after which the jobs of a silent worker are delivered to another, in ms; the default of the program.
const ACK_WAIT: u64 = 10_000;

/// A run with this window, in which an evaluation takes about a millisecond.
fn config(window: u64, evaluations: u64) -> RunConfig {
    let trials = Trials { count: 1, ..Trials::default() };
    let task = Task { settle: 0.1, duration: 0.3, transient: 0.1, trials, ..Task::preset("walk").unwrap() };
    RunConfig {
        seed: 5,
        evaluations,
        algorithm: AlgorithmConfig::MapElites(MapElitesSettings { window, ..Default::default() }),
        champions: ChampionSettings { window, ..Default::default() },
        ..RunConfig::for_task(task)
    }
}

/// Counts the jobs without a result, and starts the workers when their number reaches `start_at`.
struct Counted {
    nats: Nats,
    url: String,
    start_at: usize,
    worker_count: usize,
    workers: Vec<Process>,
    in_flight: usize,
    most: usize,
    /// Sum over all results of the number in flight.
    sum: usize,
    first_result: Option<Instant>,
}

impl Counted {
    fn start_workers(&mut self) {
        let start = |_| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_test_worker"));
            Process(command.args(["worker", &self.url, "1", &ACK_WAIT.to_string()]).spawn().unwrap())
        };
        self.workers = (0..self.worker_count).map(start).collect();
    }
}

impl Evaluator for Counted {
    fn capacity(&self) -> usize {
        self.nats.capacity()
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        self.in_flight += 1;
        self.most = self.most.max(self.in_flight);
        if self.in_flight == self.start_at && self.workers.is_empty() {
            self.start_workers();
        }
        self.nats.submit(job)
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        let next = self.nats.next()?;
        if next.is_some() {
            self.first_result.get_or_insert_with(Instant::now);
            self.sum += self.in_flight;
            self.in_flight -= 1;
        }
        Ok(next)
    }
}

fn hash(config: &RunConfig, evaluator: &mut dyn Evaluator) -> u64 {
    let file = folder("in-flight").join("run.burgess");
    let mut run = Run::new(Archive::create(&file, config, &[]).unwrap()).unwrap();
    run.advance(evaluator, &mut |_: &RecordedResult| ()).unwrap();
    assert!(run.is_done());
    run.archive().hash()
}

/// The workers start when `window` jobs wait for them. The archive must equal that of a run on threads.
fn run_with_window(window: u64, evaluations: u64, worker_count: usize) {
    let Some(server) = Server::start(&[]) else { return };
    let config = config(window, evaluations);
    let nats = Nats::connect(&NatsOptions { url: server.url(), ..NatsOptions::default() }, "in flight").unwrap();
    let mut evaluator = Counted {
        nats,
        url: server.url(),
        start_at: window as usize,
        worker_count,
        workers: Vec::new(),
        in_flight: 0,
        most: 0,
        sum: 0,
        first_result: None,
    };
    let by_workers = hash(&config, &mut evaluator);
    let seconds = evaluator.first_result.unwrap().elapsed().as_secs_f64();
    assert!(evaluator.most >= window as usize, "{} in flight", evaluator.most);
    assert!(evaluator.workers.iter_mut().all(|worker| worker.0.try_wait().unwrap().is_none()));
    let start = Instant::now();
    assert_eq!(by_workers, hash(&config, &mut Threads::new(2)));
    println!(
        "{worker_count} workers: at most {} in flight, {:.0} on average; {:.0} evaluations/s; on 2 threads {:.0}; \
         hash {by_workers:016x} with both",
        evaluator.most,
        evaluator.sum as f64 / evaluations as f64,
        evaluations as f64 / seconds,
        evaluations as f64 / start.elapsed().as_secs_f64()
    );
}

#[test]
fn a_window_of_1000_is_in_flight_at_once() {
    run_with_window(1000, 1500, 2);
}

/// `cargo test --release -p burgess-evolution nats_in_flight -- --ignored --nocapture`
#[test]
#[ignore = "starts 40 processes and prints a rate"]
fn a_window_of_2000_is_in_flight_at_20_workers() {
    run_with_window(2000, 10_000, 20);
}
