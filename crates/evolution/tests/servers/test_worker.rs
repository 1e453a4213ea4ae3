//! A program for tests. `test_worker worker URL PROCESSES MILLISECONDS [FAULTS]` is a worker whose children are
//! `test_worker child [FAULTS]`. FAULTS are `WHAT:ID`, separated by commas: on this job the child aborts, hangs or
//! exits; or `gate=FILE`: jobs of this id and above wait until the number in the file is higher. MILLISECONDS is the
//! ack wait. `test_worker run URL FILE MILLISECONDS` carries out the run in a file.

use std::time::Duration;

use burgess_evolution::evaluator::nats::{ChildCommand, NatsOptions, Worker, WorkerOptions, serve_with};
use burgess_evolution::evaluator::{Job, Nats, evaluate};
use burgess_evolution::{Archive, RecordedResult, Run};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["child", ..] => {
            let gate = words.get(1).and_then(|text| text.strip_prefix("gate="));
            let faults = words.get(1).filter(|_| gate.is_none()).map_or_else(Vec::new, |text| parse(text));
            let evaluate = |job: &Job| {
                gate.into_iter().for_each(|file| wait_at(file, job.id));
                faults.iter().filter(|(_, id)| *id == job.id).for_each(|(what, _)| misbehave(what));
                evaluate(job)
            };
            let _ = serve_with(std::io::stdin().lock(), std::io::stdout(), evaluate);
        }
        ["worker", url, processes, wait, ..] => {
            let faults = words[4..].iter().map(|word| word.to_string());
            let child = ChildCommand {
                program: std::env::current_exe().unwrap(),
                arguments: std::iter::once("child".to_string()).chain(faults).collect(),
            };
            let options = WorkerOptions {
                processes: processes.parse().unwrap(),
                limit: Some(Duration::from_millis(500)),
                ..WorkerOptions::new(child)
            };
            let ack_wait = Duration::from_millis(wait.parse().unwrap());
            let nats = NatsOptions { url: url.to_string(), ack_wait, ..NatsOptions::default() };
            if let Err(error) = Worker::new(nats, options).work(|_| false) {
                eprintln!("{error}");
                std::process::exit(1);
            }
        }
        ["run", url, file, wait] => {
            let ack_wait = Duration::from_millis(wait.parse().unwrap());
            let nats = NatsOptions { url: url.to_string(), ack_wait, ..NatsOptions::default() };
            let mut run = Run::new(Archive::open(file.as_ref()).unwrap()).unwrap();
            // The server may be down at the moment.
            let attempt = |_| {
                let connected = Nats::connect(&nats, file);
                if connected.is_err() {
                    std::thread::sleep(Duration::from_millis(200));
                }
                connected.ok()
            };
            let mut evaluator = (0..100).find_map(attempt).unwrap();
            run.advance(&mut evaluator, &mut |_: &RecordedResult| ()).unwrap();
        }
        _ => panic!("test_worker child|worker|run"),
    }
}

/// Waiting at the gate uses no processor time, so that the job does not count as hung.
fn wait_at(file: &str, id: u64) {
    let limit = || std::fs::read_to_string(file).ok()?.parse::<u64>().ok();
    while limit().is_none_or(|limit| id >= limit) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn parse(text: &str) -> Vec<(String, u64)> {
    let one = |part: &str| part.split_once(':').map(|(what, id)| (what.to_string(), id.parse().unwrap())).unwrap();
    text.split(',').map(one).collect()
}

#[allow(clippy::empty_loop)]
fn misbehave(what: &str) {
    match what {
        "abort" => std::process::abort(),
        "exit" => std::process::exit(7),
        "hang" => loop {
            std::hint::spin_loop();
        },
        other => panic!("there is no faults called {other}"),
    }
}
