//! The run's side: an evaluator whose work is done elsewhere.

use std::collections::BTreeMap;
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
use crate::evaluator::{Evaluator, EvaluatorError, Job, MOMENT, checked, evaluate};
use crate::individual::Id;
use crate::result::Evaluated;

/// Jobs in the works at a time, if the algorithm has so many: enough for a few hundred cores.
const CAPACITY: usize = 256;

/// A job that is unanswered for so many times [`NatsOptions::ack_wait`] is handed in again.
const RESUBMIT: u32 = 3;

/// Between two looks at what is unanswered.
const LOOK: Duration = Duration::from_millis(500);

/// After something failed on the way to the server.
const RETRY: Duration = Duration::from_secs(1);

/// Without a result for so long, somebody looks whether there are workers at all.
const QUIET: Duration = Duration::from_secs(10);

/// At the end the server is asked to forget the run, but not waited for longer.
const FAREWELL: Duration = Duration::from_secs(2);

/// Results from before this process was started are kept for jobs to come, up to so many.
const MAX_EARLY: usize = 4096;

/// An evaluator on a NATS server.
pub struct Nats {
    desk: Arc<Desk>,
    writer: JobWriter,
    results: Receiver<(Id, Evaluated)>,
    runtime: Option<Runtime>,
}

/// What the tasks share.
struct Desk {
    streams: Streams,
    run: String,
    resubmit: Duration,
    notice: Notice,
    state: Mutex<State>,
    answers: Sender<(Id, Evaluated)>,
    to_send: UnboundedSender<Id>,
}

struct State {
    pending: BTreeMap<Id, Pending>,
    /// Results of jobs that have not been given yet.
    early: BTreeMap<Id, ResultMessage>,
    last_answer: Instant,
    /// Did the server not take the last job? It is said once, not for each.
    is_refused: bool,
}

/// A job without a result.
struct Pending {
    bytes: Bytes,
    hash: u64,
    /// When it is handed in again.
    due: Instant,
}

impl Nats {
    /// Connects for a run. `run` tells it from all others of this machine, and is the same when it is taken up again; say, the path of its
    /// file.
    pub fn connect(options: &NatsOptions, run: &str) -> Result<Self, EvaluatorError> {
        Ok(Self::connect_as(options, run, &Version::own())?)
    }

    /// The same, for workers of another version of the program.
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
            streams.forget_jobs(&run).await?;
            Ok::<_, NatsError>(streams)
        })?;
        let last_answer = Instant::now();
        let state = State { pending: BTreeMap::new(), early: BTreeMap::new(), last_answer, is_refused: false };
        let desk = Arc::new(Desk {
            streams,
            run,
            resubmit: RESUBMIT * options.ack_wait,
            notice: Arc::clone(&options.notice),
            state: Mutex::new(state),
            answers,
            to_send,
        });
        runtime.spawn(send(Arc::clone(&desk), sending));
        runtime.spawn(collect(Arc::clone(&desk)));
        runtime.spawn(look_after(Arc::clone(&desk)));
        Ok(Self { desk, writer: JobWriter::default(), results, runtime: Some(runtime) })
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
        let mut state = self.desk.state();
        if state.pending.contains_key(&id) {
            return Ok(());
        }
        let gone = || EvaluatorError::Gone("the connection has ended".to_string());
        if let Some(known) = state.early.remove(&id).filter(|known| known.job == hash) {
            return self.desk.answers.send((id, known.result)).map_err(|_| gone());
        }
        state.pending.insert(id, Pending { bytes, hash, due: Instant::now() + self.desk.resubmit });
        self.desk.to_send.send(id).map_err(|_| gone())
    }

    fn next(&mut self) -> Result<Option<(Id, Evaluated)>, EvaluatorError> {
        match self.results.recv_timeout(MOMENT) {
            Ok(result) => Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(EvaluatorError::Gone("the connection has ended".to_string())),
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        // Whoever goes on with the run later hands in again what is missing.
        let _ =
            runtime.block_on(async { tokio::time::timeout(FAREWELL, self.desk.streams.forget(&self.desk.run)).await });
        runtime.shutdown_timeout(FAREWELL);
    }
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands in a job that is still unanswered.
    async fn hand_in(self: Arc<Self>, id: Id) {
        let Some(bytes) = self.state().pending.get(&id).map(|job| job.bytes.clone()) else { return };
        match self.streams.publish(self.streams.job_subject(&self.run, id), bytes.clone()).await {
            Ok(Published::New | Published::Already) => self.state().is_refused = false,
            Ok(Published::TooLarge) => {
                // Rather here than never: the result is the same.
                let result = tokio::task::spawn_blocking(move || match JobReader::default().read(&bytes) {
                    Ok(job) => evaluate(&job),
                    Err(why) => Evaluated::faulty(&why),
                });
                if let Ok(result) = result.await {
                    self.answer(id, None, result);
                }
            }
            Err(why) => {
                if self.try_again_soon(id) {
                    (self.notice)(&format!("{why}; trying again"));
                }
                // If it has lost its streams there will be new ones.
                let _ = self.streams.workers().await;
            }
        }
    }

    /// After the server did not take a job; true if that is news.
    fn try_again_soon(&self, id: Id) -> bool {
        let mut state = self.state();
        if let Some(job) = state.pending.get_mut(&id) {
            job.due = Instant::now() + RETRY;
        }
        !std::mem::replace(&mut state.is_refused, true)
    }

    /// Answers a job once.
    fn answer(&self, id: Id, job: Option<u64>, result: Evaluated) {
        let mut state = self.state();
        match state.pending.get(&id) {
            Some(pending) if job.is_none_or(|job| job == pending.hash) => {
                state.pending.remove(&id);
                state.last_answer = Instant::now();
                // Nobody listens if the run is over.
                let _ = self.answers.send((id, result));
            }
            None if state.early.len() < MAX_EARLY => {
                if let Some(job) = job {
                    state.early.insert(id, ResultMessage { job, result });
                }
            }
            _ => (),
        }
    }

    fn take(&self, message: &Message) {
        let Some((_, id)) = Streams::run_and_id(&message.subject) else { return };
        if let Ok(ResultMessage { job, result }) = postcard::from_bytes(&message.payload) {
            self.answer(id, Some(job), checked(result));
        }
    }
}

async fn send(desk: Arc<Desk>, mut ids: UnboundedReceiver<Id>) {
    while let Some(id) = ids.recv().await {
        tokio::spawn(Arc::clone(&desk).hand_in(id));
    }
}

/// Takes results as they come, for ever.
async fn collect(desk: Arc<Desk>) {
    loop {
        let consumer = desk.streams.results_of(&desk.run).await;
        let messages = match &consumer {
            Ok(consumer) => consumer.stream().heartbeat(RETRY).expires(QUIET).messages().await.ok(),
            Err(_) => None,
        };
        if let Some(mut messages) = messages {
            while let Some(Ok(message)) = messages.next().await {
                desk.take(&message);
                // If it is lost the result comes again, and is not taken twice.
                let _ = message.ack().await;
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Hands in again what is unanswered for long, and says so if nobody works.
async fn look_after(desk: Arc<Desk>) {
    let mut was_told = false;
    let mut looked = Instant::now();
    loop {
        tokio::time::sleep(LOOK).await;
        let now = Instant::now();
        let (due, is_quiet) = {
            let mut state = desk.state();
            let is_quiet = !state.pending.is_empty() && now - state.last_answer > QUIET;
            let mut due = Vec::new();
            for (&id, job) in state.pending.iter_mut().filter(|(_, job)| job.due <= now) {
                job.due = now + desk.resubmit;
                due.push(id);
            }
            (due, is_quiet)
        };
        for id in due {
            tokio::spawn(Arc::clone(&desk).hand_in(id));
        }
        if !is_quiet {
            was_told = false;
        } else if !was_told && now - looked > QUIET {
            looked = now;
            if let Ok(false) = desk.streams.has_workers().await {
                (desk.notice)("no worker is there; start some with 'burgess worker --nats URL', on any machine");
                was_told = true;
            }
        }
    }
}

/// A run's name as part of a subject: readable, and different for different runs.
fn token(run: &str) -> String {
    let readable = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = run.chars().take(24).map(readable).collect();
    format!("{name}-{:016x}", hash(run.as_bytes()))
}
