//! Streams on the server: for every version of the program one of jobs and one of results.
//!
//! Both are work queues that are stored in files: a message stays until it is acknowledged, also when the server
//! restarts. The subject of a message contains the run and the id, and a stream holds at most one message per
//! subject. So publishing a message again never duplicates it, and duplicates are not decided by a time window.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, Info, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use futures_util::{StreamExt, TryStreamExt};

use super::error::NatsError;
use super::options::Connection;
use crate::Version;
use crate::individual::Id;

/// Version of the messages between run and workers.
const PROTOCOL: u32 = 1;

/// Number of times that a stream is looked up which another client may be creating.
const MAX_LOOKUPS: usize = 20;
/// Time between these lookups.
const LOOKUP_INTERVAL: Duration = Duration::from_millis(50);

/// Age at which the server removes messages of abandoned runs.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Number of messages that are removed at the same time, so that thousands take about a second over a network.
const MAX_REMOVALS: usize = 64;

/// Prefix of the names of job streams.
const JOBS: &str = "burgess-jobs-";

/// Prefix of the names of result streams.
const RESULTS: &str = "burgess-results-";

/// Name of the consumer that all workers share.
const WORKERS: &str = "workers";

/// The streams of one version of the program.
#[derive(Clone)]
pub(super) struct Streams {
    pub context: Context,
    version: Version,
    token: String,
    server: String,
    ack_wait: Duration,
}

/// What the server did with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Published {
    /// The server stored it.
    New,
    /// The server had it already.
    Already,
    /// The message is larger than the server accepts.
    TooLarge,
}

/// Jobs for another version of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForeignWork {
    /// Version that the jobs are for.
    pub version: String,
    /// Whether a run is waiting for them. Otherwise they were left behind.
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

    /// Returns the run and the id in a subject.
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
            name: name.clone(),
            description: Some(self.version.to_string()),
            subjects: vec![format!("burgess.{}.{kind}.>", self.token)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_messages_per_subject: 1,
            max_age: MAX_AGE,
            num_replicas: 1,
            ..Config::default()
        };
        let error = match self.context.get_or_create_stream(config).await {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if error.kind() == jetstream::context::CreateStreamErrorKind::JetStreamUnavailable {
            return Err(NatsError::NoJetStream { server: self.server.clone() });
        }
        // Another client may be creating the stream at the same time.
        for _ in 0..MAX_LOOKUPS {
            if let Ok(stream) = self.context.get_stream(&name).await {
                return Ok(stream);
            }
            tokio::time::sleep(LOOKUP_INTERVAL).await;
        }
        Err(self.failed("keep a stream for burgess", &error))
    }

    pub async fn jobs(&self) -> Result<Stream, NatsError> {
        self.stream(format!("{JOBS}{}", self.token), "jobs").await
    }

    pub async fn results(&self) -> Result<Stream, NatsError> {
        self.stream(format!("{RESULTS}{}", self.token), "results").await
    }

    /// Returns the consumer from which workers pull jobs. The number of deliveries is not limited, because a job may be
    /// delivered again through no fault of its own.
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

    /// Returns the consumer from which a run pulls its results.
    pub async fn results_of(&self, run: &str) -> Result<PullConsumer, NatsError> {
        let name = format!("run-{run}");
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait,
            filter_subject: format!("burgess.{}.results.{run}.*", self.token),
            max_ack_pending: 100_000,
            inactive_threshold: MAX_AGE,
            ..pull::Config::default()
        };
        let made = self.results().await?.get_or_create_consumer(&name, config).await;
        made.map_err(|error| self.failed("hand out results", &error))
    }

    /// Removes jobs of a run that have become superfluous.
    pub async fn remove_jobs(&self, run: &str) -> Result<(), NatsError> {
        self.remove_messages(&self.jobs().await?, format!("burgess.{}.jobs.{run}.*", self.token)).await
    }

    /// Removes all messages of a run.
    pub async fn remove_run(&self, run: &str) -> Result<(), NatsError> {
        self.remove_jobs(run).await?;
        let results = self.results().await?;
        self.remove_messages(&results, format!("burgess.{}.results.{run}.*", self.token)).await?;
        let deleted = results.delete_consumer(&format!("run-{run}")).await;
        deleted.map(|_| ()).map_err(|error| self.failed("remove the run", &error))
    }

    /// Removes messages one by one: after a purge, consumers of servers before 2.10 skip messages of other runs.
    async fn remove_messages(&self, stream: &Stream, subjects: String) -> Result<(), NatsError> {
        let found = stream.info_with_subjects(subjects).await.map_err(|error| self.failed("list messages", &error))?;
        let found: Vec<(String, usize)> =
            found.try_collect().await.map_err(|error| self.failed("list messages", &error))?;
        let remove = |(subject, _): (String, usize)| async move {
            // A worker may have taken the message meanwhile.
            if let Ok(message) = stream.get_last_raw_message_by_subject(&subject).await {
                let _ = stream.delete_message(message.sequence).await;
            }
        };
        futures_util::stream::iter(found).for_each_concurrent(MAX_REMOVALS, remove).await;
        Ok(())
    }

    /// Publishes a message unless the stream has one with this subject.
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

    /// Returns versions of the program that there are jobs for, while this version has neither jobs nor a run.
    pub async fn work_for_other_versions(&self) -> Vec<ForeignWork> {
        // A failed query counts as no answer.
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

    /// Returns whether a run of that version is waiting for results now. A killed run is not.
    async fn is_awaited(&self, token: &str) -> bool {
        let Ok(results) = self.context.get_stream(format!("{RESULTS}{token}")).await else { return false };
        let runs: Vec<_> = results.consumers().try_collect().await.unwrap_or_default();
        runs.iter().any(|run| run.num_waiting > 0)
    }

    /// Returns whether any worker waits for jobs or has one.
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

/// Version as part of a name on the server.
fn token(version: &Version) -> String {
    let release = version.release.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    format!("{release}-{PROTOCOL}-{:016x}", version.physics)
}
