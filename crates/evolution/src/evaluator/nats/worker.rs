//! A worker: pulls jobs, has them evaluated by child processes, sends results (the proxy of 000 section 4.6).
//!
//! A creature whose process ends before the result is there is tried again, alone in a fresh process. Only what such a process does to itself
//! speaks against the creature, and only several times in a row: processes that somebody killed, or that fell silent, do not.

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
use crate::result::Evaluated;

/// How long a question for a job stays open.
const PULL: Duration = Duration::from_secs(5);

/// After something failed.
const RETRY: Duration = Duration::from_millis(500);

/// Between two looks whether there is work for another version.
const LOOK: Duration = Duration::from_secs(5);

/// A process may be killed by others so often while it starts, or while it is alone with a creature; then the kills are taken for its own
/// doing, say by taking all memory.
const MAX_KILLS: u32 = 100;

/// So many child processes in a row may fail to start by themselves.
const MAX_FALSE_STARTS: u32 = 10;

/// What a worker is like.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Child processes, at least 1.
    pub processes: usize,
    /// How to start one.
    pub child: ChildCommand,
    /// A creature is faulty after so many failures in a row, alone in a fresh process; it is alone at once if it was delivered more often.
    pub max_deliver: u32,
    /// Processor time after which a creature counts as hung; by the steps that its task allows if left out.
    pub limit: Option<Duration>,
    /// Of the program.
    pub version: Version,
}

impl WorkerOptions {
    /// One process per core.
    pub fn new(child: ChildCommand) -> Self {
        let processes = std::thread::available_parallelism().map_or(1, usize::from);
        Self { processes, child, max_deliver: 3, limit: None, version: Version::own() }
    }
}

/// What a worker has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Results sent.
    pub results: u64,
    /// Child processes that ended before their time.
    pub lost: u64,
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    nats: NatsOptions,
    options: WorkerOptions,
}

/// What the slots of a worker share.
struct Site {
    streams: Streams,
    options: WorkerOptions,
    notice: Notice,
    /// A permit for each child process that has been started.
    turns: Semaphore,
    idle: Mutex<Vec<Process>>,
    in_hand: AtomicU64,
    results: AtomicU64,
    lost: AtomicU64,
    is_over: watch::Receiver<bool>,
    connected: watch::Receiver<u64>,
}

impl Worker {
    /// Not connected yet.
    pub fn new(nats: NatsOptions, options: WorkerOptions) -> Self {
        Self { nats, options }
    }

    /// Works until `is_over` says so; it is asked ten times a second and told what has been done. What is being evaluated then goes
    /// to other workers.
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
        let site = Arc::new(Site {
            streams,
            options,
            notice: nats.notice,
            turns: Semaphore::new(0),
            idle: Mutex::new(Vec::new()),
            in_hand: AtomicU64::new(0),
            results: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            is_over: over,
            connected: connection.connected.clone(),
        });
        // Some wait in line, so that no process waits for the network.
        let slots = processes + processes.div_ceil(4);
        let mut tasks: JoinSet<Result<(), NatsError>> =
            (0..slots).map(|slot| Arc::clone(&site).slot(slot < processes)).collect();
        let ended = site.attend(&mut tasks, is_over).await;
        end.send_replace(true);
        while tasks.join_next().await.is_some() {}
        // So that acknowledgements arrive.
        let _ = tokio::time::timeout(RETRY, connection.client.flush()).await;
        ended.map(|()| site.tally())
    }
}

/// A run that waits for another version while none waits for this one: most likely this program is the wrong one.
async fn refuse_another_version(streams: &Streams, own: &Version) -> Result<(), NatsError> {
    match streams.work_for_other_versions().await.into_iter().find(|work| work.is_awaited) {
        Some(theirs) => Err(NatsError::Version { theirs: theirs.version, ours: own.to_string() }),
        None => Ok(()),
    }
}

impl Site {
    /// Until the end is wanted or a slot cannot go on.
    async fn attend(
        &self,
        tasks: &mut JoinSet<Result<(), NatsError>>,
        is_over: impl Fn(Tally) -> bool,
    ) -> Result<(), NatsError> {
        let mut looked = Instant::now();
        let mut told = BTreeSet::new();
        while !is_over(self.tally()) {
            tokio::select! {
                () = sleep(Duration::from_millis(100)) => (),
                Some(Ok(Err(error))) = tasks.join_next() => return Err(error),
            }
            if looked.elapsed() > LOOK && self.in_hand.load(Ordering::Relaxed) == 0 {
                looked = Instant::now();
                self.tell_of_other_versions(&mut told).await;
            }
        }
        Ok(())
    }

    /// Once of each: it may be what a killed run left behind, or a run beside ours.
    async fn tell_of_other_versions(&self, told: &mut BTreeSet<String>) {
        for ForeignWork { version, .. } in self.streams.work_for_other_versions().await {
            if !told.contains(&version) {
                let own = self.options.version.to_string();
                (self.notice)(&format!("there is work for {version}, and this worker is {own}; it waits for its own"));
                told.insert(version);
            }
        }
    }

    fn tally(&self) -> Tally {
        Tally { results: self.results.load(Ordering::Relaxed), lost: self.lost.load(Ordering::Relaxed) }
    }

    /// Job after job until the end; first of all it may bring a child process.
    async fn slot(self: Arc<Self>, brings_a_process: bool) -> Result<(), NatsError> {
        let mut over = self.is_over.clone();
        if brings_a_process {
            let started = tokio::select! {
                started = self.start() => started?,
                () = ended(&mut over) => return Ok(()),
            };
            self.idle().push(started);
            self.turns.add_permits(1);
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
                () = keep(&message, ack_wait / 3) => Ok(false),
                () = ended(&mut over) => Ok(false),
            };
            self.in_hand.fetch_sub(1, Ordering::Relaxed);
            if !matches!(done, Ok(true)) {
                // Others need not wait until it is missed.
                let _ = message.ack_with(AckKind::Nak(None)).await;
            }
            done?;
        }
    }

    /// The next job, if there is one soon, and how long the server waits for news of it.
    async fn pull(&self, known: &mut Option<PullConsumer>) -> Option<(Message, Duration)> {
        if known.is_none() {
            *known = self.streams.workers().await.ok();
        }
        let asked = async {
            let consumer = known.as_ref()?;
            let ack_wait = consumer.cached_info().config.ack_wait;
            let mut messages = consumer.batch().max_messages(1).expires(PULL).messages().await.ok()?;
            match messages.next().await {
                Some(Ok(message)) => Some(Some((message, ack_wait))),
                Some(Err(_)) => None,
                None => Some(None),
            }
        };
        // A question that was asked before the connection broke is forgotten by the server.
        let mut connected = self.connected.clone();
        connected.mark_unchanged();
        let answer = tokio::select! {
            answer = asked => answer,
            _ = connected.changed() => None,
        };
        if answer.is_none() {
            *known = None;
            sleep(RETRY).await;
        }
        answer.flatten()
    }

    /// Has a job done and its result sent; true if so.
    async fn handle(&self, message: &Message) -> Result<bool, NatsError> {
        let Some((run, id)) = Streams::run_and_id(&message.subject) else { return Ok(false) };
        let delivered = message.info().map_or(1, |info| info.delivered);
        let result = self.evaluate(&message.payload, delivered > i64::from(self.options.max_deliver)).await?;
        let job = hash(&message.payload);
        let subject = self.streams.result_subject(run, id);
        if self.send(&subject, &ResultMessage { job, result }).await == Published::TooLarge {
            let result = Evaluated::faulty("its result is longer than the NATS server takes");
            if self.send(&subject, &ResultMessage { job, result }).await == Published::TooLarge {
                return Err(NatsError::Options("the NATS server's max_payload is too small for any result"));
            }
        }
        self.results.fetch_add(1, Ordering::Relaxed);
        // If it is lost the job comes again, and its result is not taken twice.
        let _ = message.ack().await;
        Ok(true)
    }

    /// Tries until the server answers.
    async fn send(&self, subject: &str, result: &ResultMessage) -> Published {
        let bytes = bytes::Bytes::from(to_bytes(result));
        loop {
            if let Ok(published) = self.streams.publish(subject.to_string(), bytes.clone()).await {
                return published;
            }
            sleep(RETRY).await;
            // If the server has lost its streams there will be new ones.
            let _ = self.streams.results().await;
        }
    }

    async fn evaluate(&self, job: &[u8], is_suspect: bool) -> Result<Evaluated, NatsError> {
        let Ok(_turn) = self.turns.acquire().await else { return Ok(Evaluated::faulty("the worker has ended")) };
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

    /// In a fresh process, again and again until there is a result or no doubt.
    async fn evaluate_alone(&self, job: &[u8]) -> Result<Evaluated, NatsError> {
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
                        return Ok(Evaluated::faulty(&reason));
                    }
                }
                Err(Failure::Killed) => {
                    failures = 0;
                    kills += 1;
                    if kills >= MAX_KILLS {
                        let reason = format!("alone in a fresh process, it was killed {kills} times");
                        (self.notice)(&format!("a creature is faulty: {reason}"));
                        return Ok(Evaluated::faulty(&reason));
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
                    if false_starts >= MAX_FALSE_STARTS {
                        return Err(error);
                    }
                    (self.notice)(&format!("{error}; trying again"));
                }
            }
            sleep(RETRY).await;
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the end.
async fn ended(over: &mut watch::Receiver<bool>) {
    // Without a sender it is over, too.
    let _ = over.wait_for(|over| *over).await;
}

/// Tells the server that a job is in good hands, for ever.
async fn keep(message: &Message, period: Duration) {
    loop {
        sleep(period).await;
        // The next time, perhaps.
        let _ = message.ack_with(AckKind::Progress).await;
    }
}
