//! Properties that threads and NATS workers share.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::servers::{Server, cheap_task, children_of, connect, is_running, wait_for, worker};
use burgess_creature::evaluation::Side;
use burgess_creature::task::Task;
use burgess_creature::{Family, GenomeSettings, Random};
use burgess_evolution::evaluator::{Evaluator, Job, Nats, Threads, evaluate};
use burgess_evolution::{EvaluationResult, OutcomeKind};

/// Some walking creatures, and two that compete with one to three opponents.
fn jobs(count: u64) -> Vec<Job> {
    let walk = cheap_task();
    let contest = Task { settle: 0.2, duration: 1.0, transient: 0.2, ..Task::preset("contest").unwrap() };
    let genome = |seed: u64| Family::Legged.random(&GenomeSettings::default(), &mut Random::new(seed));
    let job = |id: u64| Job {
        id,
        genome: genome(id),
        side: Side::First,
        opponents: Vec::new(),
        task: walk.clone(),
        seed: 100 + id,
    };
    let rival = |id: u64| Job {
        side: Side::of_index(id),
        opponents: (0..1 + id % 3).map(|other| genome(id + 1000 + other)).collect(),
        task: contest.clone().into(),
        ..job(id)
    };
    (0..count).map(|id| if id % 12 == 5 { rival(id) } else { job(id) }).collect()
}

/// Number of messages in all streams, and of consumers that wait for results.
fn on_server(url: &str) -> (u64, usize) {
    use futures_util::TryStreamExt;
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(url).await.unwrap());
        let streams: Vec<_> = context.streams().try_collect().await.unwrap();
        let mut runs = 0;
        for info in streams.iter().filter(|info| info.config.name.contains("results")) {
            runs += info.state.consumer_count;
        }
        (streams.iter().map(|info| info.state.messages).sum(), runs)
    })
}

/// Submits all jobs, each of them twice, as many at a time as the capacity allows, and collects all results.
fn answers(evaluator: &mut dyn Evaluator, jobs: &[Job]) -> BTreeMap<u64, EvaluationResult> {
    let mut answers = BTreeMap::new();
    let (mut given, mut idle) = (0, 0);
    while answers.len() < jobs.len() {
        while given < jobs.len() && given - answers.len() < evaluator.capacity() {
            evaluator.submit(jobs[given].clone()).unwrap();
            evaluator.submit(jobs[given].clone()).unwrap();
            given += 1;
        }
        match evaluator.next().unwrap() {
            Some((id, result)) => {
                assert!(answers.insert(id, result).is_none(), "{id} was answered twice");
                idle = 0;
            }
            None => idle += 1,
        }
        assert!(idle < 300, "only {} answers", answers.len());
    }
    for _ in 0..3 {
        assert_eq!(evaluator.next().unwrap(), None, "more answers than jobs");
    }
    answers
}

fn check_each_job_is_answered_once_with_the_same_bits(evaluator: &mut dyn Evaluator) {
    let jobs = jobs(24);
    assert!(evaluator.capacity() >= 1);
    let answers = answers(evaluator, &jobs);
    for job in &jobs {
        assert_eq!(answers[&job.id], evaluate(job), "{}", job.id);
    }
}

#[test]
fn threads_keep_the_contract() {
    for count in [1, 3] {
        let mut threads = Threads::new(count);
        check_each_job_is_answered_once_with_the_same_bits(&mut threads);
        // The same ids again are other jobs.
        check_each_job_is_answered_once_with_the_same_bits(&mut threads);
    }
}

#[test]
fn workers_keep_the_contract() {
    let Some(server) = Server::start(&[]) else { return };
    let _workers = [worker(&server.url(), 2, ""), worker(&server.url(), 1, "")];
    let mut nats = connect(&server.url(), "contract");
    check_each_job_is_answered_once_with_the_same_bits(&mut nats);
    check_each_job_is_answered_once_with_the_same_bits(&mut nats);
    drop(nats);
    assert_eq!(on_server(&server.url()), (0, 0), "messages and runs that are left");
}

/// A result that has arrived and was not returned counts as the result of a job that is submitted again.
#[test]
fn a_finished_job_has_one_result_until_it_is_returned() {
    let Some(server) = Server::start(&[]) else { return };
    let mut nats = connect(&server.url(), "again");
    let jobs = jobs(3);
    let submit = |nats: &mut Nats| jobs.iter().for_each(|job| nats.submit(job.clone()).unwrap());
    submit(&mut nats);
    wait_for("jobs on the server", Duration::from_secs(20), || on_server(&server.url()) == (3, 1));
    let _worker = worker(&server.url(), 1, "");
    wait_for("all results", Duration::from_secs(60), || on_server(&server.url()) == (0, 1));
    submit(&mut nats);
    let ids: BTreeSet<_> = (0..3).map(|_| nats.next().unwrap().expect("a result that has arrived").0).collect();
    assert_eq!(ids.len(), 3);
    for _ in 0..5 {
        assert_eq!(nats.next().unwrap(), None);
    }
}

#[test]
fn unfinished_jobs_are_dropped_with_the_evaluator() {
    let Some(server) = Server::start(&[]) else { return };
    let mut nats = connect(&server.url(), "nobody");
    for job in jobs(10) {
        nats.submit(job).unwrap();
    }
    wait_for("jobs on the server", Duration::from_secs(20), || on_server(&server.url()) == (10, 1));
    drop(nats);
    assert_eq!(on_server(&server.url()), (0, 0));
    let mut threads = Threads::new(1);
    for job in jobs(10) {
        threads.submit(job).unwrap();
    }
    drop(threads);
}

#[test]
fn two_runs_share_the_workers() {
    let Some(server) = Server::start(&[]) else { return };
    let _worker = worker(&server.url(), 2, "");
    let run = |name: &'static str| {
        let url = server.url();
        std::thread::spawn(move || check_each_job_is_answered_once_with_the_same_bits(&mut connect(&url, name)))
    };
    for thread in [run("one"), run("two")] {
        thread.join().unwrap();
    }
}

#[test]
fn only_the_creature_that_kills_its_process_is_faulty() {
    let Some(server) = Server::start(&[]) else { return };
    let mischief = [(3, "abort", "signal 6"), (4, "exit", "exit code 7"), (8, "hang", "computed for more than")];
    let words: Vec<String> = mischief.iter().map(|(id, what, _)| format!("{what}:{id}")).collect();
    let _workers = [worker(&server.url(), 2, &words.join(",")), worker(&server.url(), 1, &words.join(","))];
    let jobs = jobs(16);
    let answers = answers(&mut connect(&server.url(), "poison"), &jobs);
    for job in &jobs {
        let answer = &answers[&job.id];
        match mischief.iter().find(|(id, ..)| *id == job.id) {
            Some((_, _, reason)) => {
                assert_eq!(answer.outcome, OutcomeKind::Faulty);
                assert!(answer.reason.contains("alone") && answer.reason.contains(reason), "{}", answer.reason);
            }
            None => assert_eq!(*answer, evaluate(job)),
        }
    }
}

#[test]
fn child_processes_end_with_their_worker() {
    let Some(server) = Server::start(&[]) else { return };
    let mut busy = worker(&server.url(), 2, "hang:0,hang:1");
    let mut nats = connect(&server.url(), "orphans");
    for job in jobs(2) {
        nats.submit(job).unwrap();
    }
    let mut children = Vec::new();
    wait_for("children", Duration::from_secs(20), || {
        children = children_of(busy.0.id());
        children.len() >= 2
    });
    busy.kill();
    wait_for("the end of the children", Duration::from_secs(20), || !children.iter().any(is_running));
}
