//! Creatures: compares steps of Burgess and MuJoCo from the same states, by the number of contacts; and simulates whole
//! trials.

use std::fs;

use anyhow::{Context, Result};
use burgess_bench::creatures::creature::{Creature, chosen};
use burgess_bench::creatures::samples::{Sample, record};
use burgess_bench::creatures::{SECONDS, STEP};
use burgess_bench::duel::{self, Side};
use burgess_bench::gymnasium::mujoco::{Library, Mujoco};
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf;
use burgess_scene::RunningScene;
use serde::Serialize;

use crate::{Options, report};

/// Number of steps that are prepared, then timed.
const BATCH: usize = 16;

/// Contact margin in MuJoCo, in m.
const MARGIN: f64 = 5e-4;

/// Groups of steps by the number of contacts.
const BINS: [(&str, std::ops::RangeInclusive<usize>); 5] = [
    ("creatures-0-1", 0..=1),
    ("creatures-2-3", 2..=3),
    ("creatures-4-5", 4..=5),
    ("creatures-6-8", 6..=8),
    ("creatures-9+", 9..=usize::MAX),
];

/// Additional fields of the output.
#[derive(Serialize)]
struct Figures {
    samples: usize,
    /// Mean number of contacts over the samples.
    ours_contacts: f64,
    theirs_contacts: f64,
}

/// `creatures`.
pub fn compare(options: &Options) -> Result<()> {
    let library = match Library::open(options.mujoco.as_deref()) {
        Ok(library) => library,
        Err(error) => {
            eprintln!("creatures: skipped because MuJoCo is not available: {error:#}");
            return Ok(());
        }
    };
    let creatures = chosen();
    let (models, mut samples) = (models(&creatures)?, Vec::new());
    for (index, creature) in creatures.iter().enumerate() {
        samples.extend(record(index, creature, &models[index].1)?);
    }
    // Take the first sample of each creature, then the second of each, so that the creatures of a batch differ.
    let kept = samples.len() / creatures.len();
    let samples: Vec<&Sample> =
        (0..samples.len()).map(|k| &samples[k % creatures.len() * kept + k / creatures.len()]).collect();
    let run = |bench: &str, samples: Vec<&Sample>| -> Result<()> {
        if samples.len() < BATCH {
            eprintln!("{bench}: skipped because there are only {} steps", samples.len());
            return Ok(());
        }
        let mut ours = Ours::new(&creatures, &samples)?;
        let mut theirs = Theirs::new(&library, &models, &samples)?;
        let figures = figures(&mut ours, &mut theirs)?;
        let measured = duel::run_sides(&mut ours, &mut theirs, BATCH, options.seconds)?.per(1e3);
        report::print_with(bench, "us/step", "mujoco", &measured, &figures)
    };
    for (bench, contacts) in BINS {
        run(bench, samples.iter().copied().filter(|sample| contacts.contains(&sample.contacts)).collect())?;
    }
    run("creatures-steps", samples.clone())?;
    measure_trials(&creatures)
}

/// Writes MJCF files of the creatures and returns them with the maps of their states.
pub fn models(creatures: &[Creature]) -> Result<Vec<(std::path::PathBuf, mjcf::StateMap)>> {
    let folder = std::env::temp_dir().join("burgess-creatures");
    fs::create_dir_all(&folder)?;
    let model = |creature: &Creature| {
        let exported = mjcf::export(creature.scene(), ".".as_ref())?;
        let file = folder.join(format!("{}.xml", creature.seed));
        fs::write(&file, with_margin(&exported.xml))?;
        let imported = mjcf::import_text(&exported.xml, "creature.xml", &ImportOptions::default())?;
        Ok((file, imported.states))
    };
    creatures.iter().map(model).collect()
}

/// Adds a contact margin. MuJoCo's contacts are soft, so bodies at rest are some tenths of a millimetre below the
/// surface of the ground, while they just touch it in Burgess. With the margin they rest at the same height and have
/// the same contacts.
fn with_margin(xml: &str) -> String {
    let end = xml.find("<compiler").unwrap_or(0);
    format!("{}<default><geom margin=\"{MARGIN}\"/></default>{}", &xml[..end], &xml[end..])
}

/// Simulates whole trials, including the brains.
fn measure_trials(creatures: &[Creature]) -> Result<()> {
    let mut speeds = Vec::new();
    for creature in creatures {
        let mut run = creature.begin()?;
        let start = duel::processor_seconds();
        run.simulation.run(SECONDS)?;
        speeds.push(SECONDS / (duel::processor_seconds() - start));
    }
    speeds.sort_by(f64::total_cmp);
    let at = |share: f64| duel::quantile(&speeds, share).round();
    println!(
        "{{\"bench\":\"creatures-lives\",\"ours\":{},\"unit\":\"creature-s/core-s\",\"ours_q1\":{},\"ours_q3\":{}}}",
        at(0.5),
        at(0.25),
        at(0.75)
    );
    Ok(())
}

struct Ours<'a> {
    samples: &'a [&'a Sample],
    worlds: Vec<RunningScene>,
    batch: usize,
    failure: Option<anyhow::Error>,
}

impl<'a> Ours<'a> {
    fn new(creatures: &[Creature], samples: &'a [&'a Sample]) -> Result<Self> {
        let worlds = samples.iter().map(|sample| creatures[sample.creature].begin()).collect::<Result<_>>()?;
        Ok(Self { samples, worlds, batch: 0, failure: None })
    }
}

/// Returns the indices of the samples of a batch.
fn batch(count: usize, batch: usize) -> impl Iterator<Item = usize> {
    (0..BATCH).map(move |k| (batch * BATCH + k) % count)
}

impl Side for Ours<'_> {
    fn prepare(&mut self, number: usize) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.batch = number;
        for index in batch(self.samples.len(), number) {
            let simulation = &mut self.worlds[index].simulation;
            simulation.restore(&self.samples[index].snapshot)?;
            simulation.step()?;
        }
        Ok(())
    }

    fn work(&mut self) {
        for index in batch(self.samples.len(), self.batch) {
            if let Err(failure) = self.worlds[index].simulation.step() {
                self.failure = Some(failure.into());
            }
        }
    }
}

struct Theirs<'a> {
    samples: &'a [&'a Sample],
    worlds: Vec<Mujoco>,
    batch: usize,
}

impl<'a> Theirs<'a> {
    fn new(
        library: &Library,
        models: &[(std::path::PathBuf, mjcf::StateMap)],
        samples: &'a [&'a Sample],
    ) -> Result<Self> {
        let worlds =
            samples.iter().map(|sample| library.load(&models[sample.creature].0, STEP, 1)).collect::<Result<_>>()?;
        Ok(Self { samples, worlds, batch: 0 })
    }
}

impl Side for Theirs<'_> {
    fn prepare(&mut self, number: usize) -> Result<()> {
        self.batch = number;
        for index in batch(self.samples.len(), number) {
            let (world, sample) = (&mut self.worlds[index], self.samples[index]);
            world.set(0, &sample.before, None);
            world.step(1);
            world.set(0, &sample.now, None);
        }
        Ok(())
    }

    fn work(&mut self) {
        for index in batch(self.samples.len(), self.batch) {
            self.worlds[index].step(1);
        }
    }
}

/// Steps every sample once without timing.
fn figures(ours: &mut Ours, theirs: &mut Theirs) -> Result<Figures> {
    let (mut ours_contacts, mut theirs_contacts) = (0.0, 0.0);
    let count = ours.samples.len();
    for number in 0..count.div_ceil(BATCH) {
        ours.prepare(number)?;
        ours.work();
        theirs.prepare(number)?;
        theirs.work();
    }
    for index in 0..count {
        ours_contacts += ours.worlds[index].simulation.statistics().contacts as f64;
        theirs_contacts += theirs.worlds[index].contacts(0) as f64;
    }
    if let Some(failure) = ours.failure.take() {
        return Err(failure).context("a step failed");
    }
    let mean = |sum: f64| (sum / count as f64 * 1e3).round() / 1e3;
    Ok(Figures { samples: count, ours_contacts: mean(ours_contacts), theirs_contacts: mean(theirs_contacts) })
}
