//! Progress of a run: a bar on a terminal, lines in a log.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use burgess_evolution::{Observer, Operator, OutcomeKind, QueuedIntervention, RecordedResult, Run};
use burgess_server::runs::RunObserver;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::{interruption, notices};

/// Number of recent results that the median and the rate are computed from.
const RECENT: usize = 200;

/// Time between two lines in a log, in s.
const LINE_EVERY: u64 = 30;

/// Evaluations since the program was started.
#[derive(Debug, Clone, Copy, Default)]
pub struct EvaluationTotals {
    /// Number of individuals.
    pub count: u64,
    /// Simulated time, in s.
    pub seconds: f64,
}

/// Shows the progress of a run.
pub struct Progress {
    bar: ProgressBar,
    /// Whether to print lines instead of the bar.
    lines: bool,
    last_line: Instant,
    /// Times of the recent evaluations.
    times: VecDeque<Instant>,
    total: u64,
    best: Option<f64>,
    recent: VecDeque<f64>,
    evaluated: EvaluationTotals,
    /// Observer for the page, if there is one.
    watcher: Option<RunObserver>,
}

impl Progress {
    /// Creates the display when work on a run begins.
    pub fn new(run: &Run, headless: bool, watcher: Option<RunObserver>) -> Self {
        let total = run.config().evaluations;
        let lines = headless || !std::io::stderr().is_terminal();
        let bar = if lines { ProgressBar::hidden() } else { ProgressBar::new(total) };
        if let Ok(style) = ProgressStyle::with_template("{bar:12} {pos}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        notices::above((!lines).then(|| bar.clone()));
        if run.archive().count() > 0 {
            bar.set_message("repeating the births in the file");
        }
        let (times, recent, evaluated) = (VecDeque::new(), VecDeque::new(), EvaluationTotals::default());
        Self { bar, lines, last_line: Instant::now(), times, total, best: None, recent, evaluated, watcher }
    }

    /// Ends the display and returns the evaluations. Dropping the watcher informs the page that the run has ended.
    pub fn finish(self) -> (EvaluationTotals, Option<RunObserver>) {
        notices::above(None);
        self.bar.finish_and_clear();
        (self.evaluated, self.watcher)
    }

    fn median(&self) -> f64 {
        let mut sorted: Vec<f64> = self.recent.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    /// Returns the text beside the bar. Both fit into 80 columns.
    fn message(&self, done: u64) -> String {
        // The rate is that of recent evaluations: the first creatures fall over and end early, later ones do not.
        let since = self.times.front().map_or(0.0, |first| first.elapsed().as_secs_f64());
        let rate = (self.times.len().max(1) - 1) as f64 / since.max(1e-3);
        let best = self.best.unwrap_or(0.0);
        let left = Duration::from_secs_f64((self.total.saturating_sub(done) as f64 / rate.max(1e-3)).min(1e9));
        format!("best {best:.2}, median {:.2}, {rate:.1}/s, {} left", self.median(), HumanDuration(left))
    }
}

impl Observer for Progress {
    fn on_result(&mut self, recorded: &RecordedResult) {
        if let Some(watcher) = &mut self.watcher {
            watcher.on_result(recorded);
        }
        if self.total != recorded.evaluations {
            self.total = recorded.evaluations;
            self.bar.set_length(self.total);
        }
        if recorded.result.outcome == OutcomeKind::Scored && recorded.birth.operator != Operator::Retest {
            let fitness = recorded.result.fitness;
            self.best = Some(self.best.map_or(fitness, |best| best.max(fitness)));
            self.recent.push_back(fitness);
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        let done = recorded.id + 1;
        self.bar.set_position(done);
        if !recorded.is_new {
            return;
        }
        self.times.push_back(Instant::now());
        if self.times.len() > RECENT {
            self.times.pop_front();
        }
        self.evaluated.count += 1;
        self.evaluated.seconds += recorded.result.seconds;
        if !self.lines && (done.is_multiple_of(8) || done == self.total) {
            self.bar.set_message(self.message(done));
        }
        if self.lines && self.last_line.elapsed() >= Duration::from_secs(LINE_EVERY) {
            self.last_line = Instant::now();
            let (total, generation) = (self.total, recorded.generation);
            eprintln!("{done} of {total}: generation {generation}, {}", self.message(done));
        }
    }

    fn should_continue(&mut self) -> bool {
        !interruption::is_requested() && self.watcher.as_mut().is_none_or(RunObserver::should_continue)
    }

    fn is_paused(&mut self) -> bool {
        let is_paused = self.watcher.as_mut().is_some_and(RunObserver::is_paused);
        if is_paused {
            self.bar.set_message("paused on the page");
            // The time of a pause must not count in the rate.
            self.times.clear();
        }
        is_paused
    }

    fn next_intervention(&mut self) -> Option<QueuedIntervention> {
        self.watcher.as_mut().and_then(RunObserver::next_intervention)
    }
}
