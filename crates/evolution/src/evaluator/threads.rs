//! Threads of this process.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::{Evaluator, EvaluatorError, Job, evaluate};
use crate::individual::Id;
use crate::result::Evaluated;

/// A pool of threads, each with one creature at a time.
#[derive(Debug)]
pub struct Threads {
    jobs: Option<Sender<Job>>,
    results: Receiver<(Id, Evaluated)>,
    pool: Vec<JoinHandle<()>>,
    /// Given and not answered.
    pending: BTreeSet<Id>,
}

impl Threads {
    /// So many threads, at least one.
    pub fn new(count: usize) -> Self {
        let (jobs, queue) = channel::<Job>();
        let (answers, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let work = |_| {
            let (queue, answers) = (Arc::clone(&queue), answers.clone());
            std::thread::spawn(move || {
                loop {
                    // The lock is held while waiting, so that one thread waits and the others wait for it.
                    let job = queue.lock().ok().and_then(|queue| queue.recv().ok());
                    let Some(job) = job else { return };
                    if answers.send((job.id, evaluate(&job))).is_err() {
                        return;
                    }
                }
            })
        };
        let pool = (0..count.max(1)).map(work).collect();
        Self { jobs: Some(jobs), results, pool, pending: BTreeSet::new() }
    }
}

impl Evaluator for Threads {
    fn capacity(&self) -> usize {
        // Some wait in line, so that no thread waits for the run.
        4 * self.pool.len()
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        if !self.pending.insert(job.id) {
            return Ok(());
        }
        let gone = || EvaluatorError::Gone("all threads have ended".to_string());
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())
    }

    fn next(&mut self) -> Result<(Id, Evaluated), EvaluatorError> {
        let (id, result) =
            self.results.recv().map_err(|_| EvaluatorError::Gone("all threads have ended".to_string()))?;
        self.pending.remove(&id);
        Ok((id, result))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Without a sender the queue ends; what is being evaluated is let finish.
        self.jobs = None;
        for thread in self.pool.drain(..) {
            let _ = thread.join();
        }
    }
}
