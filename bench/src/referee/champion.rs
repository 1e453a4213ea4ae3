//! The creatures that are played.

use std::path::Path;

use anyhow::{Context, Result};
use burgess_catalog::{Arena, Subject};
use burgess_creature::AnyGenome;
use burgess_creature::evaluation::{EvaluationOptions, evaluate_with};
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use burgess_referee::{BrainCheck, Engine, EngineError, RefereeError, check_brain, judge};

/// Separates the further seeds from those of other uses.
const PURPOSE: u64 = 0x7265_6665;

/// A creature and the task at which it is played.
pub struct Champion {
    pub name: String,
    pub genome: AnyGenome,
    pub task: Task,
    pub seed: u64,
}

impl Champion {
    /// Loads a creature as the command line does.
    pub fn named(name: &str) -> Result<Self> {
        Self::in_arena(name, &Arena::default())
    }

    fn in_arena(name: &str, arena: &Arena) -> Result<Self> {
        let creature = Subject::resolve(name)?.creature()?;
        let (task, seed) = arena.task_and_seed(&creature)?;
        Ok(Self { name: name.to_string(), genome: creature.file.genome, task, seed })
    }

    /// Compares what the brain senses and does on the same motion in Burgess and in an engine.
    pub fn check_brain(&self) -> Result<BrainCheck> {
        check_brain(&self.genome, &self.task, self.seed).with_context(|| self.name.clone())
    }

    /// The seed of the creature and further ones.
    fn seeds(&self, further: u64) -> impl Iterator<Item = u64> {
        let seed = self.seed;
        std::iter::once(seed).chain((0..further).map(move |number| mix_seed(seed, &[PURPOSE, number])))
    }

    /// Fitness in Burgess by each seed, with the step of the task divided by a number.
    pub fn evaluate(&self, further: u64, divisor: f64) -> Vec<f64> {
        let options = EvaluationOptions { step: Some(self.task.step / divisor), ..EvaluationOptions::default() };
        self.seeds(further).map(|seed| evaluate_with(&self.genome, &self.task, seed, &options).fitness).collect()
    }

    /// Fitness by each seed while an engine moves the body.
    pub fn judge(
        &self,
        further: u64,
        mut load: impl FnMut(&str) -> Result<Box<dyn Engine>, EngineError>,
    ) -> Result<Vec<Option<f64>>> {
        let mut fitness = Vec::new();
        for seed in self.seeds(further) {
            fitness.push(match judge(&self.genome, &self.task, seed, &mut load) {
                Ok(judged) => Some(judged.evaluation.fitness),
                Err(RefereeError::Engine(error)) => {
                    eprintln!("{}: {error}", self.name);
                    None
                }
                Err(other) => return Err(other).with_context(|| self.name.clone()),
            });
        }
        Ok(fitness)
    }
}

/// The median of the fitness by all seeds; failures count as 0.
pub fn median(fitness: &[Option<f64>]) -> f64 {
    let mut sorted: Vec<f64> = fitness.iter().map(|one| one.unwrap_or(0.0)).collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[middle],
        _ => 0.5 * (sorted[middle - 1] + sorted[middle]),
    }
}

/// The champions in a folder, in the order of their names and seeds. `NAME-SEED.json` is the champion of an experiment,
/// `NAME.toml` is the task of its champions.
pub fn of_experiments(folder: &Path) -> Result<Vec<Champion>> {
    let mut files: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    let mut champions = Vec::new();
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let (experiment, seed) = name.rsplit_once('-').with_context(|| format!("{}: no seed", file.display()))?;
        let seed: u64 = seed.parse().with_context(|| format!("{}: no seed", file.display()))?;
        let task = folder.join(experiment).with_extension("toml");
        let arena = Arena { task: Some(task.display().to_string()), seed: None };
        let champion = Champion::in_arena(&file.display().to_string(), &arena)?;
        champions.push(((experiment.to_string(), seed), Champion { name: name.to_string(), ..champion }));
    }
    champions.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(champions.into_iter().map(|(_, champion)| champion).collect())
}
