//! A creature on the ground, under its brain.

use std::ops::RangeInclusive;

use anyhow::Result;
use burgess_creature::evaluation::{Showing, evaluate};
use burgess_creature::task::{Measure, Task};
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};

use super::{COUNT, SECONDS, SEED, STEP};

/// How many parts the creatures have.
const PARTS: RangeInclusive<usize> = 8..=10;
/// Share of the time in which the creatures touch the ground, at least.
const TOUCHING: f64 = 0.5;
/// What the muscles of the creatures turn over, at least, in J/kg: they move.
const MOVING: f64 = 1.0;

/// A creature and the scene that it lives in.
#[derive(Debug, Clone)]
pub struct Creature {
    /// What it grew from.
    pub seed: u64,
    genome: AnyGenome,
    showing: Showing,
}

impl Creature {
    /// The random graph genome of a seed, on flat ground; none if it does not live or has another number of parts.
    pub fn new(seed: u64) -> Option<Self> {
        Self::of(Family::Graph, seed).filter(|creature| PARTS.contains(&creature.showing.phenotype().body.parts.len()))
    }

    /// The random genome of a seed, on flat ground; none if it does not live.
    pub fn of(family: Family, seed: u64) -> Option<Self> {
        let genome = family.random(&GenomeSettings::default(), &mut Random::for_purpose(0x62, &[seed]));
        let showing = Showing::new(&genome, &task(), SEED).ok()?;
        Some(Self { seed, genome, showing })
    }

    /// It, on the ground.
    pub fn scene(&self) -> &SceneSpec {
        self.showing.scene()
    }

    /// Begins its life.
    pub fn begin(&self) -> Result<RunningScene> {
        Ok(self.showing.run(&RunOptions { step: Some(STEP), ..RunOptions::default() })?)
    }

    /// Does it live to the end, on the ground, and move?
    pub fn crawls(&self) -> bool {
        let evaluation = evaluate(&self.genome, &task(), SEED);
        let [touching, energy, mass] =
            [Measure::ContactShare, Measure::Energy, Measure::Mass].map(|measure| evaluation.measures[measure]);
        evaluation.outcome.is_scored() && touching >= TOUCHING && energy >= MOVING * mass
    }
}

/// Walking, to the end whatever happens.
fn task() -> Task {
    let mut task = Task::preset("walk").unwrap_or_default();
    task.duration = SECONDS - task.settle;
    task.step = STEP;
    (task.stop.still, task.stop.progress) = (0.0, 0.0);
    task
}

/// The creatures of the benchmark: the first that crawl.
pub fn chosen() -> Vec<Creature> {
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < COUNT {
        found.extend(Creature::new(seed).filter(Creature::crawls));
        seed += 1;
    }
    eprintln!("{COUNT} of {seed} random genomes have 8 to 10 parts, live and move on the ground");
    found
}
