//! A creature on flat ground, controlled by its brain.

use std::ops::RangeInclusive;

use anyhow::Result;
use burgess_creature::evaluation::{TrialPreview, evaluate};
use burgess_creature::task::{Measure, Task};
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};

use super::{COUNT, SECONDS, SEED, STEP};

/// Number of parts of the creatures.
const PARTS: RangeInclusive<usize> = 8..=10;
/// Minimum fraction of the time in which a creature touches the ground.
const MIN_CONTACT_FRACTION: f64 = 0.5;
/// Minimum energy of the muscles of a creature, in J/kg, so that it moves.
const MIN_ENERGY: f64 = 1.0;

/// A creature and its scene.
#[derive(Debug, Clone)]
pub struct Creature {
    /// Seed of its genome.
    pub seed: u64,
    genome: AnyGenome,
    preview: TrialPreview,
}

impl Creature {
    /// Creates the random graph genome of a seed, on flat ground; `None` if it is not viable or has another number of
    /// parts.
    pub fn new(seed: u64) -> Option<Self> {
        Self::of(Family::Graph, seed).filter(|creature| PARTS.contains(&creature.preview.phenotype().body.parts.len()))
    }

    /// Creates the random genome of a seed, on flat ground; `None` if it is not viable.
    pub fn of(family: Family, seed: u64) -> Option<Self> {
        let genome = family.random(&GenomeSettings::default(), &mut Random::for_purpose(0x62, &[seed]));
        let preview = TrialPreview::new(&genome, &task(), SEED).ok()?;
        Some(Self { seed, genome, preview })
    }

    /// Returns the scene of the creature.
    pub fn scene(&self) -> &SceneSpec {
        self.preview.scene()
    }

    /// Starts a simulation of the creature.
    pub fn begin(&self) -> Result<RunningScene> {
        Ok(self.preview.run(&RunOptions { step: Some(STEP), ..RunOptions::default() })?)
    }

    /// Returns whether it completes the trial, stays on the ground and moves.
    pub fn crawls(&self) -> bool {
        let evaluation = evaluate(&self.genome, &task(), SEED);
        let [touching, energy, mass] =
            [Measure::ContactShare, Measure::Energy, Measure::Mass].map(|measure| evaluation.measures[measure]);
        evaluation.outcome.is_scored() && touching >= MIN_CONTACT_FRACTION && energy >= MIN_ENERGY * mass
    }
}

/// Returns the walking task without early stops.
fn task() -> Task {
    let mut task = Task::preset("walk").unwrap_or_default();
    task.duration = SECONDS - task.settle;
    task.step = STEP;
    (task.stop.still, task.stop.progress) = (0.0, 0.0);
    task
}

/// Returns the creatures of the benchmark: the first ones that crawl.
pub fn chosen() -> Vec<Creature> {
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < COUNT {
        found.extend(Creature::new(seed).filter(Creature::crawls));
        seed += 1;
    }
    eprintln!("{COUNT} of {seed} random genomes have 8 to 10 parts, are viable and move on the ground");
    found
}
