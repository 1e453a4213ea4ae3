//! Compares one step of Gymnasium's models in Burgess and MuJoCo, from the same recorded states, by the number of
//! contacts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use burgess_bench::duel::{self, Side};
use burgess_bench::gymnasium::burgess::Burgess;
use burgess_bench::gymnasium::corpus::{self, Bin, Sample};
use burgess_bench::gymnasium::mujoco::{Library, Mujoco};
use burgess_bench::gymnasium::{STEP, model_file};
use serde::Serialize;

use crate::{Options, report};

/// Number of copies of the world on each side, each in a different state: enough to make the cost of reading the clock
/// negligible, and few enough for the caches.
const COPIES: usize = 16;

/// Additional fields of the output.
#[derive(Serialize)]
struct Figures {
    samples: usize,
    /// Mean number of contacts over the samples.
    ours_contacts: f64,
    theirs_contacts: f64,
    /// Median over the samples of the largest difference of a velocity after the step, relative to the largest change
    /// of a velocity.
    difference: f64,
}

/// Compares the steps of a model with a given number of contacts.
pub fn compare(options: &Options, model: &str, bin: Bin) -> Result<()> {
    let bench = format!("models-{model}-{}", bin.name());
    let peer = match peer(options, model) {
        Ok(peer) => peer,
        Err(error) => {
            eprintln!("{bench}: skipped because MuJoCo or the models are not available: {error:#}");
            return Ok(());
        }
    };
    let samples: Vec<Sample> =
        corpus::read(Path::new(corpus::FILE), model)?.into_iter().filter(|sample| bin.has(sample.contacts)).collect();
    let worlds = (0..COPIES).map(|_| Burgess::load(&file(options, model)?, STEP)).collect::<Result<Vec<_>>>()?;
    let mut ours = Ours { samples: &samples, worlds, failure: None };
    let mut theirs = Theirs { samples: &samples, peer };
    let figures = figures(&mut ours, &mut theirs)?;
    let measured = duel::run_sides(&mut ours, &mut theirs, COPIES, options.seconds)?.per(1e3);
    report::print_with(&bench, "us/step", "mujoco", &measured, &figures)
}

fn file(options: &Options, model: &str) -> Result<PathBuf> {
    model_file(options.models.as_deref(), model)
}

fn peer(options: &Options, model: &str) -> Result<Mujoco> {
    Library::open(options.mujoco.as_deref())?.load(&file(options, model)?, STEP, COPIES)
}

/// Returns the sample of a copy in a batch.
fn sample(samples: &[Sample], batch: usize, copy: usize) -> &Sample {
    &samples[(batch * COPIES + copy) % samples.len()]
}

struct Ours<'a> {
    samples: &'a [Sample],
    worlds: Vec<Burgess>,
    failure: Option<anyhow::Error>,
}

impl Side for Ours<'_> {
    fn prepare(&mut self, batch: usize) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        for (copy, world) in self.worlds.iter_mut().enumerate() {
            world.move_to(sample(self.samples, batch, copy))?;
        }
        Ok(())
    }

    fn work(&mut self) {
        for world in &mut self.worlds {
            if let Err(failure) = world.step() {
                self.failure = Some(failure);
            }
        }
    }
}

struct Theirs<'a> {
    samples: &'a [Sample],
    peer: Mujoco,
}

impl Side for Theirs<'_> {
    fn prepare(&mut self, batch: usize) -> Result<()> {
        for copy in 0..COPIES {
            self.peer.set(copy, &sample(self.samples, batch, copy).before, None);
        }
        self.peer.step(COPIES);
        for copy in 0..COPIES {
            let sample = sample(self.samples, batch, copy);
            self.peer.set(copy, &sample.now, Some(&sample.warm_start));
        }
        Ok(())
    }

    fn work(&mut self) {
        self.peer.step(COPIES);
    }
}

/// Steps every sample once without timing.
fn figures(ours: &mut Ours, theirs: &mut Theirs) -> Result<Figures> {
    let samples = ours.samples;
    let (mut ours_contacts, mut theirs_contacts, mut differences) = (0.0, 0.0, Vec::new());
    for batch in 0..samples.len().div_ceil(COPIES) {
        ours.prepare(batch)?;
        ours.work();
        theirs.prepare(batch)?;
        theirs.work();
        for (copy, world) in ours.worlds.iter().enumerate().take(samples.len() - batch * COPIES) {
            let before = &sample(samples, batch, copy).now.qvel;
            let (our_qvel, their_qvel) = (world.moment()?.1, theirs.peer.get(copy).1);
            ours_contacts += world.contacts() as f64;
            theirs_contacts += theirs.peer.contacts(copy) as f64;
            differences.push(largest_difference(&our_qvel, &their_qvel) / largest_difference(before, &their_qvel));
        }
    }
    if let Some(failure) = ours.failure.take() {
        return Err(failure).context("a step failed");
    }
    let count = samples.len() as f64;
    Ok(Figures {
        samples: samples.len(),
        ours_contacts: rounded(ours_contacts / count),
        theirs_contacts: rounded(theirs_contacts / count),
        difference: rounded(duel::median(differences.into_iter())),
    })
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
