//! The archive has the same bits whichever evaluator is used and whichever processes are killed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::servers::{
    ACK_WAIT, Process, Server, cheap_task, children_of, connect, folder, is_running, wait_for, worker,
};
use burgess_creature::Random;
use burgess_evolution::algorithm::GeneticSettings;
use burgess_evolution::evaluator::{Evaluator, Threads};
use burgess_evolution::{AlgorithmConfig, Archive, RecordedResult, Run, RunConfig};

/// Longest time that a test waits. It is reached only if something is wrong.
const MAX_WAIT: Duration = Duration::from_secs(300);

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
    run.advance(evaluator, &mut |_: &RecordedResult| ()).unwrap();
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

#[test]
fn workers_are_ready_before_there_is_work() {
    let Some(server) = Server::start(&[]) else { return };
    let worker = worker(&server.url(), 3, "");
    wait_for("three child processes", MAX_WAIT, || {
        children_of(worker.0.id()).iter().filter(|pid| is_running(pid)).count() == 3
    });
}

/// Lets creatures up to this id be evaluated. The file is complete at any time.
fn open_gate(gate: &Path, limit: u64) {
    let new = gate.with_extension("new");
    std::fs::write(&new, limit.to_string()).unwrap();
    std::fs::rename(new, gate).unwrap();
}

/// A run with `kills` killed processes: mostly child processes, every fifth a worker, twice the run itself, once the
/// server. A gate keeps the run from ending before that.
fn run_with_killed_processes(evaluations: u64, kills: u64) {
    let Some(mut server) = Server::start(&[]) else { return };
    let url = server.url();
    let expected = hash(&mut Threads::new(2), evaluations);
    let (file, archive) = create(evaluations);
    drop(archive);
    let gate = file.with_extension("gate");
    open_gate(&gate, evaluations / (kills + 1));
    let start_worker = || worker(&url, 1, &format!("gate={}", gate.display()));
    let mut workers = [(); 3].map(|()| start_worker());
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_test_worker"));
        command.args(["run", &url, file.to_str().unwrap(), &ACK_WAIT.to_string()]);
        Process(command.spawn().unwrap())
    };
    let mut run = start();
    let mut dice = Random::new(3);
    for done in 1..=kills {
        // The kill may hit any moment of an evaluation.
        std::thread::sleep(Duration::from_millis(20 + dice.below(60) as u64));
        let victim = dice.below(workers.len());
        if done % 5 == 0 {
            workers[victim].kill();
            workers[victim] = start_worker();
        } else {
            // The new process may belong to another worker: one that lost an idle process starts none before the next
            // job, and the gate may hold all jobs back.
            let mut child = None;
            wait_for("a child process", MAX_WAIT, || {
                let nearest = workers[victim..].iter().chain(&workers[..victim]);
                child = nearest.flat_map(|worker| children_of(worker.0.id())).find(is_running);
                child.is_some()
            });
            child.into_iter().for_each(kill);
        }
        if done == kills / 3 || done == 2 * kills / 3 {
            run.kill();
            run = start();
        }
        if done == kills / 2 {
            server.kill();
            server.start_again();
        }
        open_gate(&gate, evaluations * (done + 1) / (kills + 1));
    }
    wait_for("the end of the run", MAX_WAIT, || run.0.try_wait().unwrap().is_some());
    assert!(run.0.wait().unwrap().success());
    let mut archive = Archive::open(&file).unwrap();
    archive.check().unwrap();
    assert_eq!((archive.count(), archive.hash()), (evaluations, expected));
}

#[test]
fn ten_killed_processes_do_not_change_the_archive() {
    run_with_killed_processes(200, 10);
}

/// `cargo test -p burgess-evolution nats_faults -- --ignored` (a minute or two)
#[test]
#[ignore = "takes minutes"]
fn two_hundred_killed_processes_do_not_change_the_archive() {
    run_with_killed_processes(2000, 200);
}
