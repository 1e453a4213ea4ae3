//! Threads of this process.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::{Evaluator, EvaluatorError, Job, POLL_INTERVAL, evaluate};
use crate::individual::Id;
use crate::result::EvaluationResult;

/// A pool of threads. Each evaluates one individual at a time.
#[derive(Debug)]
pub struct Threads {
    jobs: Option<Sender<Job>>,
    results: Receiver<(Id, EvaluationResult)>,
    pool: Vec<JoinHandle<()>>,
    /// Jobs that were submitted and whose result was not returned yet.
    pending: BTreeSet<Id>,
    /// Set when the queued jobs should be dropped.
    is_over: Arc<AtomicBool>,
}

impl Threads {
    /// Starts `count` threads, at least one.
    pub fn new(count: usize) -> Self {
        let (jobs, queue) = channel::<Job>();
        let (answers, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let is_over = Arc::new(AtomicBool::new(false));
        let work = |_| {
            let (queue, answers, is_over) = (Arc::clone(&queue), answers.clone(), Arc::clone(&is_over));
            std::thread::spawn(move || {
                loop {
                    // The lock is held while waiting for a job, so that one thread waits for the queue and the others
                    // for the lock.
                    let job = queue.lock().ok().and_then(|queue| queue.recv().ok());
                    let Some(job) = job else { return };
                    if is_over.load(Ordering::Relaxed) || answers.send((job.id, evaluate(&job))).is_err() {
                        return;
                    }
                }
            })
        };
        let pool = (0..count.max(1)).map(work).collect();
        Self { jobs: Some(jobs), results, pool, pending: BTreeSet::new(), is_over }
    }
}

impl Evaluator for Threads {
    fn capacity(&self) -> usize {
        // Some jobs are queued, so that no thread waits for the run.
        4 * self.pool.len()
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        if !self.pending.insert(job.id) {
            return Ok(());
        }
        let gone = || EvaluatorError::Gone("all threads have ended".to_string());
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        match self.results.recv_timeout(POLL_INTERVAL) {
            Ok((id, result)) => {
                self.pending.remove(&id);
                Ok(Some((id, result)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(EvaluatorError::Gone("all threads have ended".to_string())),
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Dropping the sender ends the queue. Evaluations in progress are finished.
        self.is_over.store(true, Ordering::Relaxed);
        self.jobs = None;
        for thread in self.pool.drain(..) {
            let _ = thread.join();
        }
    }
}
