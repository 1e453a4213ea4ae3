//! The run's side: an evaluator whose jobs are evaluated by workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::error::NatsError;
use super::message::{JobReader, JobWriter, ResultMessage, hash};
use super::options::{NatsOptions, Notice};
use super::streams::{Published, Streams};
use crate::Version;
use crate::evaluator::{Evaluator, EvaluatorError, Job, POLL_INTERVAL, checked, evaluate};
use crate::individual::Id;
use crate::result::EvaluationResult;

/// Number of jobs that are submitted at a time, if the algorithm allows it: enough for thousands of cores. A job takes a
/// few kilobytes of memory.
const CAPACITY: usize = 10_000;

/// A job without a result for this many times [`NatsOptions::ack_wait`] is submitted again.
const RESUBMIT_FACTOR: u32 = 3;

/// Time between two checks for jobs without a result.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// Time before the next attempt after an error of the connection.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Time without a result after which the coordinator checks whether there are workers.
const IDLE_TIME: Duration = Duration::from_secs(10);

/// Longest time to wait for the server to remove the run at the end.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Largest number of results that are kept for jobs that are not submitted yet. They stem from an earlier process of
/// the run, which had at most [`CAPACITY`] jobs.
const MAX_EARLY_RESULTS: usize = CAPACITY;

/// An evaluator that sends its jobs to workers by a NATS server.
pub struct Nats {
    shared: Arc<Shared>,
    writer: JobWriter,
    results: Receiver<(Id, EvaluationResult)>,
    runtime: Option<Runtime>,
}

/// State that the asynchronous tasks share.
struct Shared {
    streams: Streams,
    run: String,
    resubmit: Duration,
    notice: Notice,
    state: Mutex<State>,
    answers: Sender<(Id, EvaluationResult)>,
    to_send: UnboundedSender<Id>,
}

struct State {
    pending: BTreeMap<Id, Pending>,
    /// Jobs whose result has arrived and was not returned yet.
    finished: BTreeSet<Id>,
    /// Results of jobs that are not submitted yet.
    early: BTreeMap<Id, ResultMessage>,
    last_answer: Instant,
    /// Whether the server rejected the last job, so that this is reported once and not for each job.
    is_refused: bool,
}

/// A job without a result.
struct Pending {
    bytes: Bytes,
    hash: u64,
    /// Time at which it is submitted again.
    due: Instant,
}

impl Nats {
    /// Connects for a run. `run` identifies it among all runs of this machine, also when it is resumed, for example
    /// the path of its file.
    pub fn connect(options: &NatsOptions, run: &str) -> Result<Self, EvaluatorError> {
        Ok(Self::connect_as(options, run, &Version::own())?)
    }

    /// Connects for workers of another version of the program.
    pub fn connect_as(options: &NatsOptions, run: &str, version: &Version) -> Result<Self, NatsError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let run = token(run);
        let (answers, results) = channel();
        let (to_send, sending) = unbounded_channel();
        let streams = runtime.block_on(async {
            let connection = options.connect(&format!("burgess run {run}")).await?;
            let streams = Streams::new(&connection, version, options.ack_wait);
            streams.workers().await?;
            streams.results_of(&run).await?;
            streams.remove_jobs(&run).await?;
            Ok::<_, NatsError>(streams)
        })?;
        let last_answer = Instant::now();
        let state = State {
            pending: BTreeMap::new(),
            finished: BTreeSet::new(),
            early: BTreeMap::new(),
            last_answer,
            is_refused: false,
        };
        let shared = Arc::new(Shared {
            streams,
            run,
            resubmit: RESUBMIT_FACTOR * options.ack_wait,
            notice: Arc::clone(&options.notice),
            state: Mutex::new(state),
            answers,
            to_send,
        });
        runtime.spawn(send(Arc::clone(&shared), sending));
        runtime.spawn(collect(Arc::clone(&shared)));
        runtime.spawn(supervise(Arc::clone(&shared)));
        Ok(Self { shared, writer: JobWriter::default(), results, runtime: Some(runtime) })
    }
}

impl Evaluator for Nats {
    fn capacity(&self) -> usize {
        CAPACITY
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        let id = job.id;
        let bytes = Bytes::from(self.writer.write(&job));
        let hash = hash(&bytes);
        let mut state = self.shared.state();
        if state.pending.contains_key(&id) || state.finished.contains(&id) {
            return Ok(());
        }
        let gone = || EvaluatorError::Gone("the connection has ended".to_string());
        if let Some(known) = state.early.remove(&id).filter(|known| known.job == hash) {
            state.finished.insert(id);
            return self.shared.answers.send((id, known.result)).map_err(|_| gone());
        }
        state.pending.insert(id, Pending { bytes, hash, due: Instant::now() + self.shared.resubmit });
        self.shared.to_send.send(id).map_err(|_| gone())
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        match self.results.recv_timeout(POLL_INTERVAL) {
            Ok((id, result)) => {
                self.shared.state().finished.remove(&id);
                Ok(Some((id, result)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(EvaluatorError::Gone("the connection has ended".to_string())),
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        // Jobs without a result are submitted again when the run is resumed.
        let _ = runtime.block_on(async {
            tokio::time::timeout(REMOVAL_TIMEOUT, self.shared.streams.remove_run(&self.shared.run)).await
        });
        runtime.shutdown_timeout(REMOVAL_TIMEOUT);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes a job that has no result yet.
    async fn publish_job(self: Arc<Self>, id: Id) {
        let Some(bytes) = self.state().pending.get(&id).map(|job| job.bytes.clone()) else { return };
        match self.streams.publish(self.streams.job_subject(&self.run, id), bytes.clone()).await {
            Ok(Published::New | Published::Already) => self.state().is_refused = false,
            Ok(Published::TooLarge) => {
                // A job that is too large for the server is evaluated here. The result is the same.
                let result = tokio::task::spawn_blocking(move || match JobReader::default().read(&bytes) {
                    Ok(job) => evaluate(&job),
                    Err(why) => EvaluationResult::faulty(&why),
                });
                if let Ok(result) = result.await {
                    self.deliver(id, None, result);
                }
            }
            Err(why) => {
                if self.schedule_retry(id) {
                    (self.notice)(&format!("{why}; trying again"));
                }
                // The server may have lost its streams; they are created again.
                let _ = self.streams.workers().await;
            }
        }
    }

    /// Schedules another attempt after the server rejected a job. Returns whether this is the first rejection.
    fn schedule_retry(&self, id: Id) -> bool {
        let mut state = self.state();
        if let Some(job) = state.pending.get_mut(&id) {
            job.due = Instant::now() + RETRY_DELAY;
        }
        !std::mem::replace(&mut state.is_refused, true)
    }

    /// Delivers the result of a job once.
    fn deliver(&self, id: Id, job: Option<u64>, result: EvaluationResult) {
        let mut state = self.state();
        match state.pending.get(&id) {
            Some(pending) if job.is_none_or(|job| job == pending.hash) => {
                state.pending.remove(&id);
                state.finished.insert(id);
                state.last_answer = Instant::now();
                // The receiver is gone if the run has ended.
                let _ = self.answers.send((id, result));
            }
            None if state.early.len() < MAX_EARLY_RESULTS && !state.finished.contains(&id) => {
                if let Some(job) = job {
                    state.early.insert(id, ResultMessage { job, result });
                }
            }
            _ => (),
        }
    }

    fn receive(&self, message: &Message) {
        let Some((_, id)) = Streams::run_and_id(&message.subject) else { return };
        if let Ok(ResultMessage { job, result }) = postcard::from_bytes(&message.payload) {
            self.deliver(id, Some(job), checked(result));
        }
    }
}

async fn send(shared: Arc<Shared>, mut ids: UnboundedReceiver<Id>) {
    while let Some(id) = ids.recv().await {
        tokio::spawn(Arc::clone(&shared).publish_job(id));
    }
}

/// Receives results until the connection ends.
async fn collect(shared: Arc<Shared>) {
    loop {
        let consumer = shared.streams.results_of(&shared.run).await;
        let messages = match &consumer {
            Ok(consumer) => consumer.stream().heartbeat(RETRY_DELAY).expires(IDLE_TIME).messages().await.ok(),
            Err(_) => None,
        };
        if let Some(mut messages) = messages {
            while let Some(Ok(message)) = messages.next().await {
                shared.receive(&message);
                // If the acknowledgement is lost, the result arrives again and is ignored.
                let _ = message.ack().await;
            }
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// Submits jobs again that have had no result for long, and reports if there are no workers.
async fn supervise(shared: Arc<Shared>) {
    let mut was_told = false;
    let mut looked = Instant::now();
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        let now = Instant::now();
        let (due, is_quiet) = {
            let mut state = shared.state();
            let is_quiet = !state.pending.is_empty() && now - state.last_answer > IDLE_TIME;
            let mut due = Vec::new();
            for (&id, job) in state.pending.iter_mut().filter(|(_, job)| job.due <= now) {
                job.due = now + shared.resubmit;
                due.push(id);
            }
            (due, is_quiet)
        };
        for id in due {
            tokio::spawn(Arc::clone(&shared).publish_job(id));
        }
        if !is_quiet {
            was_told = false;
        } else if !was_told && now - looked > IDLE_TIME {
            looked = now;
            if let Ok(false) = shared.streams.has_workers().await {
                (shared.notice)(
                    "no worker is connected; start workers with 'burgess worker --nats URL', on any machine",
                );
                was_told = true;
            }
        }
    }
}

/// Name of a run as part of a subject: readable, and different for different runs.
fn token(run: &str) -> String {
    let readable = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = run.chars().take(24).map(readable).collect();
    format!("{name}-{:016x}", hash(run.as_bytes()))
}
