//! A search that evolves in this process: a handle for those who ask, and an onlooker that brings news and takes requests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use burgess_evolution::{Answer, Brief, Ending, News, Onlooker, Request, Steered, Steering, Wish};
use serde::Serialize;

use super::shelf::{self, locked};

/// The median and the rate are over so many of the last.
const RECENT: usize = 200;
/// Between two news.
const NEWS_EVERY: Duration = Duration::from_millis(200);
/// Briefs in one message.
const MOST_BRIEFS: usize = 50;
/// An answer is looked for so often.
const ANSWER_EVERY: Duration = Duration::from_millis(15);

/// A run that evolves in this process.
#[derive(Debug)]
pub struct Search {
    steering: Steering,
    progress: Mutex<Progress>,
    stop: AtomicBool,
    is_over: AtomicBool,
}

/// How far it is.
#[derive(Debug)]
struct Progress {
    count: u64,
    evaluations: u64,
    best: Option<f64>,
    recent: VecDeque<f64>,
    /// When the last ones were evaluated.
    times: VecDeque<Instant>,
    failure: Option<String>,
}

impl Progress {
    fn note(&mut self, news: &News) {
        (self.count, self.evaluations) = (news.id + 1, news.evaluations);
        if news.result.outcome == Ending::Scored {
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

/// How far a run is, as it is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Told {
    pub say: &'static str,
    pub count: u64,
    pub evaluations: u64,
    pub best: Option<f64>,
    pub median: Option<f64>,
    pub per_second: f64,
    pub seconds_left: Option<f64>,
    pub state: &'static str,
    pub failure: Option<String>,
}

#[derive(Serialize)]
struct Born<'a> {
    say: &'static str,
    individuals: &'a [Brief],
}

impl Search {
    pub(super) fn new(news: shelf::News, evaluations: u64) -> (Arc<Self>, Watcher) {
        let (steering, steered) = Steering::new();
        let progress = Progress {
            count: 0,
            evaluations,
            best: None,
            recent: VecDeque::new(),
            times: VecDeque::new(),
            failure: None,
        };
        let search = Arc::new(Self {
            steering,
            progress: Mutex::new(progress),
            stop: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let watcher = Watcher { search: Arc::clone(&search), steered, news, unsent: Vec::new(), sent: Instant::now() };
        (search, watcher)
    }

    /// Is nobody at work on it any more?
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Ends the work on it soon; nothing is lost.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Evaluates nothing new for now, or goes on.
    pub fn pause(&self, is_paused: bool) {
        self.steering.pause(is_paused);
    }

    /// Has something done, and waits until it is done or refused.
    pub async fn ask(&self, wish: Wish) -> Answer {
        let pending = self.steering.request(wish);
        loop {
            match pending.answer() {
                Some(answer) => return answer,
                None => tokio::time::sleep(ANSWER_EVERY).await,
            }
        }
    }

    /// In the word of the protocol.
    pub fn state(&self) -> &'static str {
        if self.steering.is_paused() { "paused" } else { "evolving" }
    }

    pub(super) fn told(&self) -> Told {
        let progress = locked(&self.progress);
        let mut sorted: Vec<f64> = progress.recent.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let since = progress.times.front().map_or(0.0, |first| first.elapsed().as_secs_f64());
        let rate = progress.times.len().saturating_sub(1) as f64 / since.max(1e-3);
        let left = progress.evaluations.saturating_sub(progress.count);
        let is_paused = self.steering.is_paused();
        Told {
            say: "progress",
            count: progress.count,
            evaluations: progress.evaluations,
            best: progress.best,
            median: sorted.get(sorted.len() / 2).copied(),
            per_second: if is_paused { 0.0 } else { rate },
            seconds_left: (rate > 0.0 && !is_paused).then(|| left as f64 / rate),
            state: match self.is_over() {
                true if left == 0 => "done",
                true => "stopped",
                false => self.state(),
            },
            failure: progress.failure.clone(),
        }
    }

    /// Why it ended before it was done, if something went wrong.
    pub fn failure(&self) -> Option<String> {
        locked(&self.progress).failure.clone()
    }
}

/// Looks on at a search. When it is dropped, the search is over.
#[derive(Debug)]
pub struct Watcher {
    search: Arc<Search>,
    steered: Steered,
    news: shelf::News,
    unsent: Vec<Brief>,
    sent: Instant,
}

impl Watcher {
    /// What it looks on at.
    pub fn search(&self) -> &Arc<Search> {
        &self.search
    }

    /// Something went wrong.
    pub fn fail(&self, why: String) {
        locked(&self.search.progress).failure = Some(why);
    }

    /// Tells what is new, if it is time to.
    fn tell(&mut self) {
        if self.sent.elapsed() >= NEWS_EVERY {
            self.sent = Instant::now();
            self.tell_now();
        }
    }

    fn tell_now(&mut self) {
        // Nobody listens: it is all in the file.
        if self.news.receiver_count() == 0 {
            return self.unsent.clear();
        }
        for individuals in self.unsent.chunks(MOST_BRIEFS) {
            say(&self.news, &Born { say: "born", individuals });
        }
        self.unsent.clear();
        say(&self.news, &self.search.told());
    }
}

/// Tells whoever listens.
pub(super) fn say(news: &shelf::News, what: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(what) {
        // Nobody need listen.
        let _ = news.send(text.into());
    }
}

impl Onlooker for Watcher {
    fn hears(&mut self, news: &News) {
        locked(&self.search.progress).note(news);
        if news.is_new && self.news.receiver_count() > 0 {
            self.unsent.push(Brief::of(news));
        }
        self.tell();
    }

    fn goes_on(&mut self) -> bool {
        self.tell();
        !self.search.stop.load(Ordering::Relaxed)
    }

    fn is_paused(&mut self) -> bool {
        let is_paused = self.steered.is_paused();
        if is_paused {
            // Time that passes now says nothing of the rate.
            locked(&self.search.progress).times.clear();
        }
        is_paused
    }

    fn request(&mut self) -> Option<Request> {
        self.steered.request()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.search.is_over.store(true, Ordering::Release);
        self.tell_now();
    }
}

#[cfg(test)]
mod tests {
    use crate::runs::Runs;

    #[test]
    fn whoever_asks_later_is_told_why_a_search_ended() {
        let runs = Runs::default();
        let watcher = runs.attach("walk-1", 100);
        let search = runs.search("walk-1").unwrap();
        assert_eq!((search.told().state, search.told().failure), ("evolving", None));
        watcher.fail("the disk is full".to_string());
        drop(watcher);
        assert_eq!((search.told().state, search.told().failure.as_deref()), ("stopped", Some("the disk is full")));
        assert!(runs.search("walk-1").is_none());
        assert_eq!(runs.failure("walk-1").as_deref(), Some("the disk is full"));
        drop(runs.attach("walk-1", 100));
        assert_eq!(runs.failure("walk-1"), None);
    }
}
