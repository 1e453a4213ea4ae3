//! A run that evolves in this process: a handle for requests, and an observer of the run that sends messages and passes
//! interventions on.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use burgess_evolution::{
    IndividualSummary, InterventionReceiver, InterventionRequest, InterventionResult, InterventionSender, Observer,
    Operator, OutcomeKind, QueuedIntervention, RecordedResult,
};
use serde::Serialize;

use super::list::RunState;
use super::run_directory::{self, locked};

/// Number of recent evaluations from which the median and the rate are computed.
const RECENT: usize = 200;
/// Time between two messages.
const MESSAGE_PERIOD: Duration = Duration::from_millis(200);
/// Maximum number of individuals in one message.
const MAX_BRIEFS: usize = 50;
/// Time between two polls for the answer to an intervention.
const ANSWER_PERIOD: Duration = Duration::from_millis(15);

/// A run that evolves in this process.
#[derive(Debug)]
pub struct LiveRun {
    interventions: InterventionSender,
    progress: Mutex<Tally>,
    stop: AtomicBool,
    is_over: AtomicBool,
}

/// Numbers from which the progress is computed.
#[derive(Debug)]
struct Tally {
    count: u64,
    evaluations: u64,
    best: Option<f64>,
    recent: VecDeque<f64>,
    /// Times of the recent evaluations.
    times: VecDeque<Instant>,
    failure: Option<String>,
}

impl Tally {
    fn note(&mut self, news: &RecordedResult) {
        (self.count, self.evaluations) = (news.id + 1, news.evaluations);
        if news.result.outcome == OutcomeKind::Scored && news.birth.operator != Operator::Retest {
            let fitness = news.result.fitness;
            self.best = Some(self.best.map_or(fitness, |best| best.max(fitness)));
            self.recent.push_back(fitness);
        }
        if news.is_new {
            self.times.push_back(Instant::now());
        }
        while self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        while self.times.len() > RECENT {
            self.times.pop_front();
        }
    }
}

/// A message to the viewers of a run.
#[derive(Serialize)]
#[serde(tag = "say", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum RunMessage<'a> {
    /// The progress of the run, several times a second.
    Progress(Progress),
    /// New individuals.
    Born {
        /// The individuals, in the order of their evaluation.
        #[cfg_attr(test, schemars(with = "Vec<crate::schema::IndividualSummary>"))]
        individuals: &'a [IndividualSummary],
    },
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Progress {
    /// Number of individuals evaluated so far.
    pub count: u64,
    /// Number of evaluations at which the run ends.
    pub evaluations: u64,
    /// Highest fitness so far.
    pub best: Option<f64>,
    /// Median fitness of the last individuals.
    pub median: Option<f64>,
    /// Evaluations per second.
    pub per_second: f64,
    /// Estimated time left, in s.
    pub seconds_left: Option<f64>,
    /// Whether the run is being evolved.
    pub state: RunState,
    /// Reason why the run stopped, if it failed.
    pub failure: Option<String>,
}

impl LiveRun {
    pub(super) fn new(messages: run_directory::Messages, evaluations: u64) -> (Arc<Self>, RunObserver) {
        let (interventions, queue) = InterventionSender::new();
        let progress =
            Tally { count: 0, evaluations, best: None, recent: VecDeque::new(), times: VecDeque::new(), failure: None };
        let live = Arc::new(Self {
            interventions,
            progress: Mutex::new(progress),
            stop: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let observer =
            RunObserver { live: Arc::clone(&live), queue, messages, unsent: Vec::new(), sent: Instant::now() };
        (live, observer)
    }

    /// Whether the run has stopped.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Stops the run soon. Nothing is lost.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Pauses the run, or continues it.
    pub fn pause(&self, is_paused: bool) {
        self.interventions.pause(is_paused);
    }

    /// Requests an intervention, and waits until it is done or refused.
    pub async fn ask(&self, request: InterventionRequest) -> InterventionResult {
        let pending = self.interventions.send(request);
        loop {
            match pending.result() {
                Some(answer) => return answer,
                None => tokio::time::sleep(ANSWER_PERIOD).await,
            }
        }
    }

    /// The state of the run while it is not over.
    pub fn state(&self) -> RunState {
        if self.interventions.is_paused() { RunState::Paused } else { RunState::Evolving }
    }

    pub(super) fn progress(&self) -> Progress {
        let progress = locked(&self.progress);
        let mut sorted: Vec<f64> = progress.recent.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let since = progress.times.front().map_or(0.0, |first| first.elapsed().as_secs_f64());
        let rate = progress.times.len().saturating_sub(1) as f64 / since.max(1e-3);
        let left = progress.evaluations.saturating_sub(progress.count);
        let is_paused = self.interventions.is_paused();
        Progress {
            count: progress.count,
            evaluations: progress.evaluations,
            best: progress.best,
            median: sorted.get(sorted.len() / 2).copied(),
            per_second: if is_paused { 0.0 } else { rate },
            seconds_left: (rate > 0.0 && !is_paused).then(|| left as f64 / rate),
            state: match self.is_over() {
                true if left == 0 => RunState::Done,
                true => RunState::Stopped,
                false => self.state(),
            },
            failure: progress.failure.clone(),
        }
    }

    /// Reason why the run failed.
    pub fn failure(&self) -> Option<String> {
        locked(&self.progress).failure.clone()
    }
}

/// Observes a run. When it is dropped, the run is over.
#[derive(Debug)]
pub struct RunObserver {
    live: Arc<LiveRun>,
    queue: InterventionReceiver,
    messages: run_directory::Messages,
    unsent: Vec<IndividualSummary>,
    sent: Instant,
}

impl RunObserver {
    /// The run that it observes.
    pub fn live_run(&self) -> &Arc<LiveRun> {
        &self.live
    }

    /// Records why the run failed.
    pub fn fail(&self, why: String) {
        locked(&self.live.progress).failure = Some(why);
    }

    /// Sends messages, if it is time to.
    fn send(&mut self) {
        if self.sent.elapsed() >= MESSAGE_PERIOD {
            self.sent = Instant::now();
            self.send_now();
        }
    }

    fn send_now(&mut self) {
        // Without receivers nothing is sent: everything is in the file.
        if self.messages.receiver_count() == 0 {
            return self.unsent.clear();
        }
        for individuals in self.unsent.chunks(MAX_BRIEFS) {
            send(&self.messages, &RunMessage::Born { individuals });
        }
        self.unsent.clear();
        send(&self.messages, &RunMessage::Progress(self.live.progress()));
    }
}

/// Sends a message to all receivers.
pub(super) fn send(messages: &run_directory::Messages, what: &RunMessage) {
    if let Ok(text) = serde_json::to_string(what) {
        // There may be no receivers.
        let _ = messages.send(text.into());
    }
}

impl Observer for RunObserver {
    fn on_result(&mut self, news: &RecordedResult) {
        locked(&self.live.progress).note(news);
        let is_individual = news.birth.operator != Operator::Retest;
        if news.is_new && is_individual && self.messages.receiver_count() > 0 {
            self.unsent.push(IndividualSummary::of(news));
        }
        self.send();
    }

    fn should_continue(&mut self) -> bool {
        self.send();
        !self.live.stop.load(Ordering::Relaxed)
    }

    fn is_paused(&mut self) -> bool {
        let is_paused = self.queue.is_paused();
        if is_paused {
            // The time of a pause must not count for the rate.
            locked(&self.live.progress).times.clear();
        }
        is_paused
    }

    fn next_intervention(&mut self) -> Option<QueuedIntervention> {
        self.queue.next()
    }
}

impl Drop for RunObserver {
    fn drop(&mut self) {
        self.live.is_over.store(true, Ordering::Release);
        self.send_now();
    }
}

#[cfg(test)]
mod tests {
    use crate::runs::{RunDirectory, RunState};

    #[test]
    fn the_reason_of_a_failure_is_kept() {
        let runs = RunDirectory::default();
        let observer = runs.attach("walk-1", 100);
        let live = runs.live("walk-1").unwrap();
        assert_eq!((live.progress().state, live.progress().failure), (RunState::Evolving, None));
        observer.fail("the disk is full".to_string());
        drop(observer);
        assert_eq!(
            (live.progress().state, live.progress().failure.as_deref()),
            (RunState::Stopped, Some("the disk is full"))
        );
        assert!(runs.live("walk-1").is_none());
        assert_eq!(runs.failure("walk-1").as_deref(), Some("the disk is full"));
        drop(runs.attach("walk-1", 100));
        assert_eq!(runs.failure("walk-1"), None);
    }
}
