//! What everybody who evaluates promises, for threads and for workers on NATS alike.

mod common;

use std::collections::BTreeMap;

use burgess_creature::{Dice, Family, GenomeSettings};
use burgess_evolution::Evaluated;
use burgess_evolution::evaluator::{Evaluator, Job, Threads, evaluate};
use common::{Server, cheap_task, connect, worker};

fn jobs(count: u64) -> Vec<Job> {
    let task = cheap_task();
    let job = |id: u64| {
        let genome = Family::Legged.random(&GenomeSettings::default(), &mut Dice::new(id));
        Job { id, genome, opponent: None, task: task.clone(), seed: 100 + id }
    };
    (0..count).map(job).collect()
}

/// Hands in all jobs, each of them twice, and takes as many results as there are jobs.
fn all_are_answered_once_with_the_same_bits(evaluator: &mut dyn Evaluator) {
    let jobs = jobs(24);
    assert!(evaluator.capacity() >= 1);
    let mut answers: BTreeMap<u64, Evaluated> = BTreeMap::new();
    let (mut given, mut taken) = (0, 0);
    while taken < jobs.len() {
        while given < jobs.len() && given - taken < evaluator.capacity() {
            evaluator.submit(jobs[given].clone()).unwrap();
            evaluator.submit(jobs[given].clone()).unwrap();
            given += 1;
        }
        let Some((id, result)) = evaluator.next().unwrap() else { continue };
        assert!(answers.insert(id, result).is_none(), "{id} was answered twice");
        taken += 1;
    }
    for job in &jobs {
        assert_eq!(answers[&job.id], evaluate(job), "{}", job.id);
    }
}

#[test]
fn threads_keep_the_contract() {
    for count in [1, 3] {
        all_are_answered_once_with_the_same_bits(&mut Threads::new(count));
    }
}

#[test]
fn workers_keep_the_contract() {
    let Some(server) = Server::start(&[]) else { return };
    let _workers = [worker(&server.url(), 2, ""), worker(&server.url(), 1, "")];
    all_are_answered_once_with_the_same_bits(&mut connect(&server.url(), "contract"));
    all_are_answered_once_with_the_same_bits(&mut connect(&server.url(), "contract"));
}
