//! What is on the server: for every version of the program a stream of jobs and one of results.
//!
//! Both are work queues in files: a message is there until it is acknowledged, also when the server is restarted. The subject
//! of a message is its run and number, and there is at most one message of a subject at a time. So handing in again what may have been lost
//! never makes it twice, and no clock decides what is a duplicate.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, Info, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use futures_util::TryStreamExt;

use super::error::NatsError;
use super::options::Connection;
use crate::Version;
use crate::individual::Id;

/// Of the messages between run and workers.
const PROTOCOL: u32 = 1;

/// What nobody cares about any more goes after a day.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// Names of job streams begin with it.
const JOBS: &str = "burgess-jobs-";

/// Names of result streams begin with it.
const RESULTS: &str = "burgess-results-";

/// Shared by all workers.
const WORKERS: &str = "workers";

/// The streams of a version.
#[derive(Clone)]
pub(super) struct Streams {
    pub context: Context,
    version: Version,
    token: String,
    server: String,
    ack_wait: Duration,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Published {
    /// The server has it.
    New,
    /// The server had it already.
    Already,
    /// The server takes no messages of this size.
    TooLarge,
}

/// Jobs that are not for this version of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForeignWork {
    /// Whom they are for.
    pub version: String,
    /// Is there a run that waits for them, or were they left behind?
    pub is_awaited: bool,
}

impl Streams {
    pub fn new(connection: &Connection, version: &Version, ack_wait: Duration) -> Self {
        let context = jetstream::new(connection.client.clone());
        let server = connection.server.clone();
        Self { context, version: version.clone(), token: token(version), server, ack_wait }
    }

    pub fn job_subject(&self, run: &str, id: Id) -> String {
        format!("burgess.{}.jobs.{run}.{id}", self.token)
    }

    /// The run and number in a subject.
    pub fn run_and_id(subject: &str) -> Option<(&str, Id)> {
        let (rest, id) = subject.rsplit_once('.')?;
        let (_, run) = rest.rsplit_once('.')?;
        Some((run, id.parse().ok()?))
    }

    pub fn result_subject(&self, run: &str, id: Id) -> String {
        format!("burgess.{}.results.{run}.{id}", self.token)
    }

    async fn stream(&self, name: String, kind: &str) -> Result<Stream, NatsError> {
        let config = Config {
            name,
            description: Some(self.version.to_string()),
            subjects: vec![format!("burgess.{}.{kind}.>", self.token)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_messages_per_subject: 1,
            max_age: FORGOTTEN,
            num_replicas: 1,
            ..Config::default()
        };
        let made = self.context.get_or_create_stream(config).await;
        made.map_err(|error| match error.kind() {
            jetstream::context::CreateStreamErrorKind::JetStreamUnavailable => {
                NatsError::NoJetStream { server: self.server.clone() }
            }
            _ => self.failed("keep a stream for burgess", &error),
        })
    }

    pub async fn jobs(&self) -> Result<Stream, NatsError> {
        self.stream(format!("{JOBS}{}", self.token), "jobs").await
    }

    pub async fn results(&self) -> Result<Stream, NatsError> {
        self.stream(format!("{RESULTS}{}", self.token), "results").await
    }

    /// Whom all workers ask for jobs. Deliveries have no end: what dies with its worker is no proof of guilt.
    pub async fn workers(&self) -> Result<PullConsumer, NatsError> {
        let config = pull::Config {
            durable_name: Some(WORKERS.to_string()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait,
            max_ack_pending: 100_000,
            max_waiting: 100_000,
            ..pull::Config::default()
        };
        let made = self.jobs().await?.get_or_create_consumer(WORKERS, config).await;
        made.map_err(|error| self.failed("hand out jobs", &error))
    }

    /// Whom a run asks for its results.
    pub async fn results_of(&self, run: &str) -> Result<PullConsumer, NatsError> {
        let name = format!("run-{run}");
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait,
            filter_subject: format!("burgess.{}.results.{run}.*", self.token),
            max_ack_pending: 100_000,
            inactive_threshold: FORGOTTEN,
            ..pull::Config::default()
        };
        let made = self.results().await?.get_or_create_consumer(&name, config).await;
        made.map_err(|error| self.failed("hand out results", &error))
    }

    /// Removes jobs of a run that nobody waits for any more.
    pub async fn forget_jobs(&self, run: &str) -> Result<(), NatsError> {
        self.remove(&self.jobs().await?, format!("burgess.{}.jobs.{run}.*", self.token)).await
    }

    /// Removes everything of a run.
    pub async fn forget(&self, run: &str) -> Result<(), NatsError> {
        self.forget_jobs(run).await?;
        let results = self.results().await?;
        self.remove(&results, format!("burgess.{}.results.{run}.*", self.token)).await?;
        let deleted = results.delete_consumer(&format!("run-{run}")).await;
        deleted.map(|_| ()).map_err(|error| self.failed("remove the run", &error))
    }

    /// Removes messages one by one: a purge makes consumers of servers before 2.10 pass over messages of other runs.
    async fn remove(&self, stream: &Stream, subjects: String) -> Result<(), NatsError> {
        let found = stream.info_with_subjects(subjects).await.map_err(|error| self.failed("list messages", &error))?;
        let found: Vec<(String, usize)> =
            found.try_collect().await.map_err(|error| self.failed("list messages", &error))?;
        for (subject, _) in found {
            // Somebody may have taken it meanwhile.
            if let Ok(message) = stream.get_last_raw_message_by_subject(&subject).await {
                let _ = stream.delete_message(message.sequence).await;
            }
        }
        Ok(())
    }

    /// Sends a message, unless one of this subject is there.
    pub async fn publish(&self, subject: String, bytes: bytes::Bytes) -> Result<Published, NatsError> {
        let message = PublishMessage::build().payload(bytes);
        let sent = match self.context.send_publish(subject, message).await {
            Ok(sent) => sent.await,
            Err(error) => Err(error),
        };
        match sent {
            Ok(_) => Ok(Published::New),
            Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => Ok(Published::TooLarge),
            Err(error) if error.to_string().contains("maximum messages per subject") => Ok(Published::Already),
            Err(error) => Err(self.failed("take a message", &error)),
        }
    }

    /// Other versions of the program that there is work for, while there is neither work nor a run for this one.
    pub async fn work_for_other_versions(&self) -> Vec<ForeignWork> {
        // Whoever cannot be asked has nothing to say.
        let infos: Vec<_> = self.context.streams().try_collect().await.unwrap_or_default();
        let (own_jobs, own_results) = (format!("{JOBS}{}", self.token), format!("{RESULTS}{}", self.token));
        let is_ours = |info: &Info| {
            info.config.name == own_jobs && info.state.messages > 0
                || info.config.name == own_results && info.state.consumer_count > 0
        };
        if infos.iter().any(is_ours) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for info in infos.into_iter().filter(|info| info.state.messages > 0) {
            let Some(token) = info.config.name.strip_prefix(JOBS) else { continue };
            let is_awaited = self.is_awaited(token).await;
            found.push(ForeignWork { version: info.config.description.unwrap_or(info.config.name), is_awaited });
        }
        found
    }

    /// Does a run of this version ask for results at the moment? One that was killed does not.
    async fn is_awaited(&self, token: &str) -> bool {
        let Ok(results) = self.context.get_stream(format!("{RESULTS}{token}")).await else { return false };
        let runs: Vec<_> = results.consumers().try_collect().await.unwrap_or_default();
        runs.iter().any(|run| run.num_waiting > 0)
    }

    /// Is anybody there who asks for jobs or has one?
    pub async fn has_workers(&self) -> Result<bool, NatsError> {
        let mut workers = self.workers().await?;
        let info = workers.info().await.map_err(|error| self.failed("tell of workers", &error))?;
        Ok(info.num_waiting > 0 || info.num_ack_pending > 0)
    }

    fn failed(&self, what: &'static str, error: &dyn std::error::Error) -> NatsError {
        let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
        NatsError::Stream { server: self.server.clone(), what, why: format!("{error}{source}") }
    }
}

/// A version as part of a name on the server.
fn token(version: &Version) -> String {
    let release = version.release.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    format!("{release}-{PROTOCOL}-{:016x}", version.physics)
}
