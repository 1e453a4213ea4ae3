//! A worker: pulls jobs, has child processes evaluate them, and publishes results (the proxy of Fontijne (2000)
//! section 4.6).
//!
//! If a child process ends before the result arrives, the job is repeated alone in a fresh process. A creature is
//! faulty only if such a process fails by itself several times in a row. Being killed or stopped by others does not
//! count.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::error::NatsError;
use super::message::{ResultMessage, hash, to_bytes};
use super::options::{Connection, NatsOptions, Notice};
use super::process::{ChildCommand, Failure, Process};
use super::streams::{ForeignWork, Published, Streams};
use crate::Version;
use crate::evaluator::EvaluatorError;
use crate::result::EvaluationResult;

/// Time for which a pull request stays open.
const PULL_TIMEOUT: Duration = Duration::from_secs(5);

/// Time before the next attempt after an error.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Time between two checks for jobs of another version.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Number of times that a process may be killed while it starts, or while it evaluates a creature alone. After that the
/// evaluation counts as the cause, for example because it uses all memory.
const MAX_KILLS: u32 = 100;

/// Number of child processes in a row that may fail to start.
const MAX_FAILED_STARTS: u32 = 10;

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Number of child processes, at least 1.
    pub processes: usize,
    /// Command that starts a child process.
    pub child: ChildCommand,
    /// Number of failures in a row, alone in a fresh process, after which a creature is faulty. A job that was
    /// delivered more often is evaluated alone at once.
    pub max_deliver: u32,
    /// Processor time after which a creature counts as hung. By default it depends on the steps that the task allows.
    pub limit: Option<Duration>,
    /// Version of the program.
    pub version: Version,
}

impl WorkerOptions {
    /// Creates settings with one process per core.
    pub fn new(child: ChildCommand) -> Self {
        let processes = std::thread::available_parallelism().map_or(1, usize::from);
        Self { processes, child, max_deliver: 3, limit: None, version: Version::own() }
    }
}

/// What a worker has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of results sent.
    pub results: u64,
    /// Number of child processes that ended early.
    pub lost: u64,
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    nats: NatsOptions,
    options: WorkerOptions,
}

/// State that the slots of a worker share.
struct WorkerState {
    streams: Streams,
    options: WorkerOptions,
    notice: Notice,
    /// One permit for each child process that was started.
    permits: Semaphore,
    idle: Mutex<Vec<Process>>,
    in_hand: AtomicU64,
    results: AtomicU64,
    lost: AtomicU64,
    is_over: watch::Receiver<bool>,
    connected: watch::Receiver<u64>,
}

impl Worker {
    /// Creates a worker that is not connected yet.
    pub fn new(nats: NatsOptions, options: WorkerOptions) -> Self {
        Self { nats, options }
    }

    /// Works until `is_over` returns true. It is called ten times a second with the work done so far. Unfinished jobs
    /// are then delivered to other workers.
    pub fn work(self, is_over: impl Fn(Tally) -> bool) -> Result<Tally, EvaluatorError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(NatsError::from)?;
        let worked = runtime.block_on(self.run(is_over));
        Ok(worked?)
    }

    async fn run(self, is_over: impl Fn(Tally) -> bool) -> Result<Tally, NatsError> {
        let Self { nats, options } = self;
        let Connection { client, server, connected } = nats.connect("burgess worker").await?;
        let connection = Connection { client, server, connected };
        let streams = Streams::new(&connection, &options.version, nats.ack_wait);
        refuse_another_version(&streams, &options.version).await?;
        streams.workers().await?;
        let processes = options.processes.max(1);
        let (end, over) = watch::channel(false);
        let state = Arc::new(WorkerState {
            streams,
            options,
            notice: nats.notice,
            permits: Semaphore::new(0),
            idle: Mutex::new(Vec::new()),
            in_hand: AtomicU64::new(0),
            results: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            is_over: over,
            connected: connection.connected.clone(),
        });
        // More slots than processes, so that no process waits for the network.
        let slots = processes + processes.div_ceil(4);
        let mut tasks: JoinSet<Result<(), NatsError>> =
            (0..slots).map(|slot| Arc::clone(&state).slot(slot < processes)).collect();
        let ended = state.supervise(&mut tasks, is_over).await;
        end.send_replace(true);
        while tasks.join_next().await.is_some() {}
        // Lets the acknowledgements arrive.
        let _ = tokio::time::timeout(RETRY_DELAY, connection.client.flush()).await;
        ended.map(|()| state.tally())
    }
}

/// Refuses to work if a run waits for another version and none for this one: then this is most likely the wrong
/// program.
async fn refuse_another_version(streams: &Streams, own: &Version) -> Result<(), NatsError> {
    match streams.work_for_other_versions().await.into_iter().find(|work| work.is_awaited) {
        Some(theirs) => Err(NatsError::Version { theirs: theirs.version, ours: own.to_string() }),
        None => Ok(()),
    }
}

impl WorkerState {
    /// Waits until the end is requested or a slot fails.
    async fn supervise(
        &self,
        tasks: &mut JoinSet<Result<(), NatsError>>,
        is_over: impl Fn(Tally) -> bool,
    ) -> Result<(), NatsError> {
        let mut looked = Instant::now();
        let mut reported = BTreeSet::new();
        while !is_over(self.tally()) {
            tokio::select! {
                () = sleep(Duration::from_millis(100)) => (),
                Some(Ok(Err(error))) = tasks.join_next() => return Err(error),
            }
            if looked.elapsed() > CHECK_INTERVAL && self.in_hand.load(Ordering::Relaxed) == 0 {
                looked = Instant::now();
                self.report_other_versions(&mut reported).await;
            }
        }
        Ok(())
    }

    /// Reports each other version once: its jobs may stem from a killed run, or from another run.
    async fn report_other_versions(&self, reported: &mut BTreeSet<String>) {
        for ForeignWork { version, .. } in self.streams.work_for_other_versions().await {
            if !reported.contains(&version) {
                let own = self.options.version.to_string();
                (self.notice)(&format!(
                    "there are jobs for {version}, and this worker is {own}; waiting for jobs of its own version"
                ));
                reported.insert(version);
            }
        }
    }

    fn tally(&self) -> Tally {
        Tally { results: self.results.load(Ordering::Relaxed), lost: self.lost.load(Ordering::Relaxed) }
    }

    /// Handles job after job until the end. Some slots start a child process first.
    async fn slot(self: Arc<Self>, starts_process: bool) -> Result<(), NatsError> {
        let mut over = self.is_over.clone();
        if starts_process {
            let started = tokio::select! {
                started = self.start() => started?,
                () = ended(&mut over) => return Ok(()),
            };
            self.idle().push(started);
            self.permits.add_permits(1);
        }
        let mut consumer = None;
        loop {
            let pulled = tokio::select! {
                pulled = self.pull(&mut consumer) => pulled,
                () = ended(&mut over) => return Ok(()),
            };
            let Some((message, ack_wait)) = pulled else { continue };
            self.in_hand.fetch_add(1, Ordering::Relaxed);
            let done = tokio::select! {
                done = self.handle(&message) => done,
                () = extend_ack_deadline(&message, ack_wait / 3) => Ok(false),
                () = ended(&mut over) => Ok(false),
            };
            self.in_hand.fetch_sub(1, Ordering::Relaxed);
            if !matches!(done, Ok(true)) {
                // Other workers need not wait for the ack deadline.
                let _ = message.ack_with(AckKind::Nak(None)).await;
            }
            done?;
        }
    }

    /// Returns the next job, if one arrives soon, and the time until its ack deadline.
    async fn pull(&self, known: &mut Option<PullConsumer>) -> Option<(Message, Duration)> {
        if known.is_none() {
            *known = self.streams.workers().await.ok();
        }
        let asked = async {
            let consumer = known.as_ref()?;
            let ack_wait = consumer.cached_info().config.ack_wait;
            let mut messages = consumer.batch().max_messages(1).expires(PULL_TIMEOUT).messages().await.ok()?;
            match messages.next().await {
                Some(Ok(message)) => Some(Some((message, ack_wait))),
                Some(Err(_)) => None,
                None => Some(None),
            }
        };
        // After a reconnection the server has forgotten earlier pull requests.
        let mut connected = self.connected.clone();
        connected.mark_unchanged();
        let answer = tokio::select! {
            answer = asked => answer,
            _ = connected.changed() => None,
        };
        if answer.is_none() {
            *known = None;
            sleep(RETRY_DELAY).await;
        }
        answer.flatten()
    }

    /// Has a job evaluated and publishes its result. Returns whether this worked.
    async fn handle(&self, message: &Message) -> Result<bool, NatsError> {
        let Some((run, id)) = Streams::run_and_id(&message.subject) else { return Ok(false) };
        let delivered = message.info().map_or(1, |info| info.delivered);
        let result = self.evaluate(&message.payload, delivered > i64::from(self.options.max_deliver)).await?;
        let job = hash(&message.payload);
        let subject = self.streams.result_subject(run, id);
        if self.send(&subject, &ResultMessage { job, result }).await == Published::TooLarge {
            let result = EvaluationResult::faulty("its result is longer than the NATS server takes");
            if self.send(&subject, &ResultMessage { job, result }).await == Published::TooLarge {
                return Err(NatsError::Options("the NATS server's max_payload is too small for any result"));
            }
        }
        self.results.fetch_add(1, Ordering::Relaxed);
        // If the acknowledgement is lost, the job is delivered again, and its second result is ignored.
        let _ = message.ack().await;
        Ok(true)
    }

    /// Publishes the result, repeating until the server answers.
    async fn send(&self, subject: &str, result: &ResultMessage) -> Published {
        let bytes = bytes::Bytes::from(to_bytes(result));
        loop {
            if let Ok(published) = self.streams.publish(subject.to_string(), bytes.clone()).await {
                return published;
            }
            sleep(RETRY_DELAY).await;
            // The server may have lost its streams; they are created again.
            let _ = self.streams.results().await;
        }
    }

    async fn evaluate(&self, job: &[u8], is_suspect: bool) -> Result<EvaluationResult, NatsError> {
        let Ok(_permit) = self.permits.acquire().await else {
            return Ok(EvaluationResult::faulty("the worker has ended"));
        };
        if !is_suspect {
            let idle = self.idle().pop();
            let mut process = match idle {
                Some(process) => process,
                None => self.start().await?,
            };
            if let Ok(result) = process.evaluate(job, self.options.limit).await {
                self.idle().push(process);
                return Ok(result);
            }
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        self.evaluate_alone(job).await
    }

    /// Evaluates in a fresh process, repeatedly until there is a result or the creature counts as faulty.
    async fn evaluate_alone(&self, job: &[u8]) -> Result<EvaluationResult, NatsError> {
        let (mut failures, mut kills) = (0, 0);
        loop {
            let mut process = self.start().await?;
            match process.evaluate(job, self.options.limit).await {
                Ok(result) => {
                    self.idle().push(process);
                    return Ok(result);
                }
                Err(Failure::Own(why)) => {
                    failures += 1;
                    if failures >= self.options.max_deliver.max(1) {
                        let reason = format!("alone in a fresh process, {failures} times in a row: {why}");
                        (self.notice)(&format!("a creature is faulty: {reason}"));
                        return Ok(EvaluationResult::faulty(&reason));
                    }
                }
                Err(Failure::Killed) => {
                    failures = 0;
                    kills += 1;
                    if kills >= MAX_KILLS {
                        let reason = format!("alone in a fresh process, it was killed {kills} times");
                        (self.notice)(&format!("a creature is faulty: {reason}"));
                        return Ok(EvaluationResult::faulty(&reason));
                    }
                }
            }
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn start(&self) -> Result<Process, NatsError> {
        let (mut false_starts, mut kills) = (0, 0);
        loop {
            match Process::start(&self.options.child, &self.options.version).await {
                Ok(process) => return Ok(process),
                Err(error @ NatsError::Version { .. }) => return Err(error),
                Err(error @ NatsError::Killed { .. }) => {
                    kills += 1;
                    if kills >= MAX_KILLS {
                        return Err(error);
                    }
                    if kills == 1 {
                        (self.notice)("a child process was killed while it started; trying again");
                    }
                }
                Err(error) => {
                    false_starts += 1;
                    if false_starts >= MAX_FAILED_STARTS {
                        return Err(error);
                    }
                    (self.notice)(&format!("{error}; trying again"));
                }
            }
            sleep(RETRY_DELAY).await;
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the end.
async fn ended(over: &mut watch::Receiver<bool>) {
    // The sender is dropped at the end, too.
    let _ = over.wait_for(|over| *over).await;
}

/// Extends the ack deadline of a job repeatedly, without end.
async fn extend_ack_deadline(message: &Message, period: Duration) {
    loop {
        sleep(period).await;
        // A failed extension is repeated with the next one.
        let _ = message.ack_with(AckKind::Progress).await;
    }
}
