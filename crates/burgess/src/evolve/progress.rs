//! How a run goes, while it goes: a bar for people, lines for logs.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use burgess_evolution::{Ending, News, Onlooker, Request, Run};
use burgess_server::runs::RunObserver;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::{interruption, notices};

/// The median and the rate are over so many of the last.
const RECENT: usize = 200;

/// Seconds between two lines of a log.
const LINE_EVERY: u64 = 30;

/// What was evaluated since the program was started.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evaluated {
    /// Individuals.
    pub count: u64,
    /// Simulated time, in s.
    pub seconds: f64,
}

/// Looks on and tells.
pub struct Progress {
    bar: ProgressBar,
    /// Instead of the bar.
    lines: bool,
    last_line: Instant,
    /// When the last ones were evaluated.
    times: VecDeque<Instant>,
    total: u64,
    best: Option<f64>,
    recent: VecDeque<f64>,
    evaluated: Evaluated,
    /// For the page, if there is one.
    watcher: Option<RunObserver>,
}

impl Progress {
    /// At the start of the program's work on a run.
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
            bar.set_message("catching up with what is in the file");
        }
        let (times, recent, evaluated) = (VecDeque::new(), VecDeque::new(), Evaluated::default());
        Self { bar, lines, last_line: Instant::now(), times, total, best: None, recent, evaluated, watcher }
    }

    /// At the end: what was done. The page is told of the end when the watcher is dropped.
    pub fn finish(self) -> (Evaluated, Option<RunObserver>) {
        notices::above(None);
        self.bar.finish_and_clear();
        (self.evaluated, self.watcher)
    }

    fn median(&self) -> f64 {
        let mut sorted: Vec<f64> = self.recent.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    fn message(&self, done: u64, generation: u64) -> String {
        // Of late: the first creatures fall over and are soon done, later ones run to the end.
        let since = self.times.front().map_or(0.0, |first| first.elapsed().as_secs_f64());
        let rate = (self.times.len().max(1) - 1) as f64 / since.max(1e-3);
        let best = self.best.unwrap_or(0.0);
        let left = Duration::from_secs_f64((self.total.saturating_sub(done) as f64 / rate.max(1e-3)).min(1e9));
        format!(
            "generation {generation}, best {best:.2}, median {:.2}, {rate:.1} evaluations/s, {} left",
            self.median(),
            HumanDuration(left)
        )
    }
}

impl Onlooker for Progress {
    fn hears(&mut self, news: &News) {
        if let Some(watcher) = &mut self.watcher {
            watcher.hears(news);
        }
        if self.total != news.evaluations {
            self.total = news.evaluations;
            self.bar.set_length(self.total);
        }
        if news.result.outcome == Ending::Scored {
            let fitness = news.result.fitness;
            self.best = Some(self.best.map_or(fitness, |best| best.max(fitness)));
            self.recent.push_back(fitness);
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        let done = news.id + 1;
        self.bar.set_position(done);
        if !news.is_new {
            return;
        }
        self.times.push_back(Instant::now());
        if self.times.len() > RECENT {
            self.times.pop_front();
        }
        self.evaluated.count += 1;
        self.evaluated.seconds += news.result.seconds;
        if !self.lines && (done.is_multiple_of(8) || done == self.total) {
            self.bar.set_message(self.message(done, news.generation));
        }
        if self.lines && self.last_line.elapsed() >= Duration::from_secs(LINE_EVERY) {
            self.last_line = Instant::now();
            eprintln!("{done} of {}: {}", self.total, self.message(done, news.generation));
        }
    }

    fn goes_on(&mut self) -> bool {
        !interruption::is_wanted() && self.watcher.as_mut().is_none_or(RunObserver::goes_on)
    }

    fn is_paused(&mut self) -> bool {
        let is_paused = self.watcher.as_mut().is_some_and(RunObserver::is_paused);
        if is_paused {
            self.bar.set_message("paused on the page");
            // Time that passes now says nothing of the rate.
            self.times.clear();
        }
        is_paused
    }

    fn request(&mut self) -> Option<Request> {
        self.watcher.as_mut().and_then(RunObserver::request)
    }
}
