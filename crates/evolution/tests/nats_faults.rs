//! The same archive, bit by bit, whoever evaluates and whatever dies meanwhile.

mod servers;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use burgess_creature::Dice;
use burgess_evolution::algorithm::GeneticSettings;
use burgess_evolution::evaluator::{Evaluator, Threads};
use burgess_evolution::{AlgorithmConfig, Archive, News, Run, RunConfig};
use servers::{ACK_WAIT, Process, Server, cheap_task, children_of, connect, folder, worker};

fn config(evaluations: u64) -> RunConfig {
    RunConfig {
        seed: 11,
        evaluations,
        algorithm: AlgorithmConfig::Genetic(GeneticSettings { population: 20, ..GeneticSettings::default() }),
        task: (*cheap_task()).clone(),
        ..RunConfig::default()
    }
}

fn create(evaluations: u64) -> (PathBuf, Archive) {
    let file = folder("run").join("run.burgess");
    let archive = Archive::create(&file, &config(evaluations), &[]).unwrap();
    (file, archive)
}

/// The archive's hash after a run.
fn hash(evaluator: &mut dyn Evaluator, evaluations: u64) -> u64 {
    let mut run = Run::new(create(evaluations).1).unwrap();
    run.advance(evaluator, &mut |_: &News| ()).unwrap();
    assert!(run.is_done());
    run.archive().hash()
}

fn kill(pid: u32) {
    let _ = Command::new("kill").args(["-9", &pid.to_string()]).output();
}

#[test]
fn threads_and_workers_make_the_same_archive() {
    let one = hash(&mut Threads::new(1), 60);
    assert_eq!(hash(&mut Threads::new(2), 60), one);
    let Some(server) = Server::start(&[]) else { return };
    let _workers = [1, 1, 1].map(|processes| worker(&server.url(), processes, ""));
    assert_eq!(hash(&mut connect(&server.url(), "three"), 60), one);
}

/// A run with so many deaths: of child processes mostly, every fifth of a worker, twice of the run itself, once of the server.
fn a_run_among_deaths(evaluations: u64, deaths: u32) {
    let Some(mut server) = Server::start(&[]) else { return };
    let url = server.url();
    let expected = hash(&mut Threads::new(2), evaluations);
    let mut workers = [1, 1, 1].map(|processes| worker(&url, processes, ""));
    let (file, archive) = create(evaluations);
    drop(archive);
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_test_worker"));
        command.args(["run", &url, file.to_str().unwrap(), &ACK_WAIT.to_string()]);
        Process(command.spawn().unwrap())
    };
    let mut run = start();
    let mut dice = Dice::new(3);
    let began = Instant::now();
    let mut done = 0;
    while run.0.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(20 + 2 * u64::from(deaths)), "the run does not end");
        std::thread::sleep(Duration::from_millis(20 + dice.below(60) as u64));
        if done == deaths {
            continue;
        }
        let victim = dice.below(workers.len());
        if done % 5 == 4 {
            workers[victim].kill();
            workers[victim] = worker(&url, 1, "");
        } else {
            let Some(&child) = children_of(workers[victim].0.id()).first() else { continue };
            kill(child);
        }
        done += 1;
        if done == deaths / 3 || done == 2 * deaths / 3 {
            run.kill();
            run = start();
        }
        if done == deaths / 2 {
            server.kill();
            server.start_again();
        }
    }
    assert!(run.0.wait().unwrap().success());
    assert_eq!(done, deaths, "the run was over before all had died");
    let mut archive = Archive::open(&file).unwrap();
    archive.check().unwrap();
    assert_eq!((archive.count(), archive.hash()), (evaluations, expected));
}

#[test]
fn ten_deaths_change_nothing() {
    a_run_among_deaths(200, 10);
}

/// `cargo test -p burgess-evolution --test nats_faults -- --ignored` (a minute or two)
#[test]
#[ignore = "takes minutes"]
fn two_hundred_deaths_change_nothing() {
    a_run_among_deaths(2000, 200);
}
