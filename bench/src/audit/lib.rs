//! An audit of the simulator with random worlds whose laws are known.
//!
//! Each family of worlds has one file in `families`: a function that draws a world, its start and its laws. A run checks
//! the laws after every step. The worlds depend only on a seed.

pub mod case;
pub mod families;
mod flight;
pub mod law;
mod measure;
pub mod random;
mod reference;
pub mod table;
mod track;
pub mod watch;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use burgess_paradigms::Paradigm;
use serde::Serialize;

use case::Case;
use families::{FAMILIES, Family, NAMED};
use random::Random;
use watch::Findings;

/// A world to be examined.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// A world of a family, by the index in [`FAMILIES`] and the index of the world.
    Drawn(usize, u64),
    /// A world with a name, by the index in [`NAMED`].
    Named(usize),
}

impl Subject {
    /// Returns the first `count` worlds of some families, in turn.
    pub fn drawn(count: u64, is_wanted: impl Fn(&Family) -> bool) -> Vec<Self> {
        let families: Vec<usize> = (0..FAMILIES.len()).filter(|&family| is_wanted(&FAMILIES[family])).collect();
        let size = families.len().max(1) as u64;
        let worlds = (0..count)
            .filter_map(|world| families.get((world % size) as usize).map(|&family| Self::Drawn(family, world / size)));
        worlds.collect()
    }

    /// Name of the family, or of the world.
    pub fn family(self) -> &'static str {
        match self {
            Self::Drawn(family, _) => FAMILIES[family].name,
            Self::Named(named) => NAMED[named].name,
        }
    }

    fn make(self, seed: u64) -> Result<Case> {
        match self {
            Self::Drawn(family, index) => {
                let family = &FAMILIES[family];
                (family.draw)(&mut Random::new(seed, family.name, index))
            }
            Self::Named(named) => (NAMED[named].make)(),
        }
    }
}

/// What was found about a world.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Name of the family, or of the world.
    pub family: &'static str,
    /// Index in the family; none for worlds with a name.
    pub index: Option<u64>,
    /// What was drawn.
    pub what: String,
    /// Findings for each step.
    pub runs: Vec<Findings>,
}

impl Report {
    /// Returns whether a law was violated.
    pub fn failed(&self) -> bool {
        self.runs.iter().any(|run| !run.violations.is_empty())
    }
}

/// How worlds are examined.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Seed of all worlds.
    pub seed: u64,
    /// Simulated time, in s.
    pub seconds: f64,
    /// Steps, in s.
    pub steps: Vec<f64>,
    /// Whether motion is compared with references.
    pub references: bool,
    /// Paradigm that replaces that of the worlds.
    pub paradigm: Option<Paradigm>,
    /// Number of threads.
    pub threads: usize,
}

impl Plan {
    /// Examines one world.
    pub fn examine(&self, subject: Subject) -> Result<Report> {
        let family = subject.family();
        let index = if let Subject::Drawn(_, index) = subject { Some(index) } else { None };
        let context = || format!("cannot make world {} of '{family}'", index.unwrap_or_default());
        let mut case = subject.make(self.seed).with_context(context)?;
        case.paradigm = self.paradigm.unwrap_or(case.paradigm);
        // A world with a name decides how long it runs; others may be known for a shorter time.
        let seconds =
            case.seconds.map_or(self.seconds, |own| if index.is_some() { own.min(self.seconds) } else { own });
        let course = if self.references { reference::course(&case, seconds)? } else { None };
        let run = |&step: &f64| watch::run(&case, seconds, step, course.as_ref());
        let runs = self.steps.iter().map(run).collect();
        Ok(Report { family, index, what: case.what, runs })
    }

    /// Examines worlds on several threads. Reports are in the order of the worlds; `progress` is called after each.
    pub fn examine_all(&self, subjects: &[Subject], progress: impl Fn() + Sync) -> Result<Vec<Report>> {
        let next = AtomicUsize::new(0);
        let reports = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&subject) = subjects.get(place) else { break };
                        let report = self.examine(subject);
                        reports.lock().expect("no thread panics").push((place, report));
                        progress();
                    }
                });
            }
        });
        let mut reports = reports.into_inner().expect("no thread panics");
        reports.sort_by_key(|(place, _)| *place);
        reports.into_iter().map(|(_, report)| report).collect()
    }
}
