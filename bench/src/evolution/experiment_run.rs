//! Performs an experiment: its run, then the verification and exam of the champion.

use std::path::Path;

use anyhow::{Context, Result, bail};
use burgess_catalog::Creature;
use burgess_creature::AnyGenome;
use burgess_creature::evaluation::evaluate;
use burgess_creature::random::mix_seed;
use burgess_creature::task::{Measure, Task, Trials};
use burgess_creature::verify::{
    DRAWS_WORST, EIGHTH_STEP, HALF_STEP, PERTURBED as PERTURBED_MEDIAN, Verdict, Verification, VerifySettings, verify,
};
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, Individual, Observer, RecordedResult, Run, RunConfig};
use burgess_paradigms::Paradigm;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::experiment::{Experiment, Figure};
use crate::folders::{Folders, save};

/// First seed of exams; it coincides with a seed of a run only with probability 2^-64.
const EXAM_SEED: u64 = 0x0e8a_3000_0000_0000;

/// Number of new draws of a champion.
const DRAWS: u32 = 16;

/// Number of perturbed trials of a champion.
const PERTURBED: u32 = 16;

/// Maximum number of candidates, the fittest first, that are checked for exploits.
const CANDIDATES: usize = 200;

/// Result of one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// Seed of the run.
    pub seed: u64,
    /// Hash of the archive.
    pub hash: String,
    /// Number of evaluations.
    pub evaluations: u64,
    /// Simulated time of all evaluations, in s.
    pub creature_seconds: f64,
    /// Identifier of the champion.
    pub champion: u64,
    /// Number of individuals of a higher rank that are exploits or fail verification.
    pub passed_over: usize,
    /// Fitness in the run.
    pub fitness: f64,
    /// Value of the target quantity.
    pub figure: f64,
    /// Distance in 10 s, in body lengths.
    pub body_lengths: f64,
    /// Froude number v^2 / (g h), with the mean speed after the transient and the mean height of the centre of mass.
    pub froude: f64,
    /// Maximum extent in the trial, in m.
    pub extent: f64,
    /// Mass, in kg.
    pub mass: f64,
    /// Number of parts.
    pub parts: f64,
    /// Height to which feet are lifted, in m; `None` without steps.
    pub foot_clearance: Option<f64>,
    /// Median fitness of perturbed trials, relative to the fitness.
    pub retained: f64,
    /// Lowest fitness of new draws of the conditions, relative to the fitness.
    pub worst: f64,
    /// Share of the trials of the new draws that keep less than half of the fitness.
    pub falls: f64,
    /// Fitness with half the time step, relative to the fitness.
    pub half_step: f64,
    /// Mean fitness with an eighth of the time step, relative to the mean of the same draws with the usual step.
    pub eighth_step: f64,
    /// Fitness with each of the other paradigms, relative to the fitness; `None` if the trial failed.
    pub paradigms: Vec<(String, Option<f64>)>,
    /// Verdict of the verification.
    pub verdict: String,
    /// Best fitness so far by the number of creatures.
    pub curve: Vec<[f64; 2]>,
}

/// Returns the name of a run.
pub fn run_name(experiment: &Experiment, seed: u64) -> String {
    format!("{}-{seed}", experiment.name)
}

/// Returns the stored result of a run; `None` if there is none, or if another program or other settings have made it.
pub fn outcome(experiment: &Experiment, seed: u64, folders: &Folders) -> Option<Outcome> {
    folders.read(&run_name(experiment, seed), &experiment.config(seed))
}

/// Performs one run of an experiment, or continues it.
pub fn run_experiment(experiment: &Experiment, seed: u64, folders: &Folders) -> Result<()> {
    if let Some(found) = outcome(experiment, seed, folders) {
        return store_champion(experiment, &found, folders);
    }
    let (name, config) = (run_name(experiment, seed), experiment.config(seed));
    let archive = evolve(&folders.run(&name), &config, &name)?;
    let seconds = archive.totals()?.creature_seconds;
    if seconds > experiment.budget {
        bail!("{name}: {seconds} creature-seconds are more than the budget of {}", experiment.budget);
    }
    let found = champion(experiment, &archive, seed)?;
    eprintln!("{name}: {found:?}");
    folders.write(&name, &config, &found)?;
    store_champion(experiment, &found, folders)
}

/// Stores the champion of a run as a creature file, and its task as a task file, if the archive of the run is there.
fn store_champion(experiment: &Experiment, found: &Outcome, folders: &Folders) -> Result<()> {
    let name = run_name(experiment, found.seed);
    let run = folders.run(&name);
    if !run.exists() {
        return Ok(());
    }
    let creature = Creature::of_run(&run, Some(found.champion), false);
    let Ok(Creature { file, task: Some(task), .. }) = creature.as_ref() else {
        eprintln!("{name}: the champion is not stored, because {} does not have it", run.display());
        return Ok(());
    };
    if file.fitness != Some(found.fitness) {
        eprintln!("{name}: the champion is not stored, because {} did not make this result", run.display());
        return Ok(());
    }
    save(&folders.champion(&name), &file.to_json())?;
    save(&folders.task(&experiment.name), &task.to_toml())
}

/// Returns the best fitness so far by the number of creatures, from 0 again where the task changes.
pub fn best_so_far(archive: &Archive) -> Result<Vec<[f64; 2]>> {
    let (mut born, mut best, mut points) = (0, 0.0_f64, Vec::new());
    for generation in archive.curve()? {
        if generation.is_new_task {
            best = 0.0;
        }
        born += generation.born;
        best = best.max(generation.best);
        points.push([born as f64, best]);
    }
    Ok(points)
}

/// Performs or continues a run.
pub fn evolve(file: &Path, config: &RunConfig, what: &str) -> Result<Archive> {
    let evaluations = config.evaluations;
    let is_same = |archive: &Archive| {
        let known = RunConfig { evaluations, ..archive.config()? };
        if known != *config {
            bail!("{}: this run has different settings; remove the file", file.display());
        }
        Ok(())
    };
    if file.exists() {
        let mut archive = Archive::open_read_only(file)?;
        is_same(&archive)?;
        if archive.count() >= evaluations {
            archive.check()?;
            return Ok(archive);
        }
    }
    let mut archive = match file.exists() {
        true => Archive::open(file)?,
        false => Archive::create(file, config, &[])?,
    };
    archive.extend(config.evaluations)?;
    let mut run = Run::new(archive)?;
    let bar = ProgressBar::new(config.evaluations);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}")?);
    let mut looker = Looker { bar, what: what.to_string(), best: 0.0 };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    run.advance(&mut Threads::new(threads), &mut looker)?;
    looker.bar.finish_and_clear();
    Ok(run.into_archive())
}

struct Looker {
    bar: ProgressBar,
    what: String,
    best: f64,
}

impl Observer for Looker {
    fn on_result(&mut self, news: &RecordedResult) {
        self.best = self.best.max(news.result.fitness);
        self.bar.set_position(news.id + 1);
        self.bar.set_message(format!("{} best {:.2}", self.what, self.best));
    }
}

/// Returns the individual of the highest rank in a run that is not an exploit.
fn champion(experiment: &Experiment, archive: &Archive, seed: u64) -> Result<Outcome> {
    let settings = VerifySettings { draws: DRAWS, perturbed: PERTURBED, ..VerifySettings::default() };
    for (passed_over, id) in archive.fittest(CANDIDATES)?.into_iter().enumerate() {
        let one = archive.individual(id)?;
        let found = verify(&one.genome, &archive.task_of(&one)?, one.seed, &settings, |_| ());
        // With racing, the recorded evaluation may have ended before its lowest trial.
        let may_be_cut = archive.config()?.racing > 0.0 && archive.task_of(&one)?.trials.count > 1;
        let is_same = found.fitness == one.result.fitness || may_be_cut && found.fitness < one.result.fitness;
        if !is_same && found.outcome.is_scored() {
            bail!(
                "{}: this run was evolved by another version of the program; remove the file",
                archive.file().display()
            );
        }
        if matches!(found.verdict, Verdict::Sound | Verdict::Fragile) {
            let paradigms = if experiment.paradigms { by_paradigm(archive, &one)? } else { Vec::new() };
            return Ok(Outcome { passed_over, paradigms, ..examined(experiment, archive, &one, &found, seed)? });
        }
    }
    bail!("{} {seed}: all of the {CANDIDATES} fittest individuals are exploits", experiment.name)
}

/// Returns the fitness of a champion with the other paradigms, relative to its fitness.
fn by_paradigm(archive: &Archive, champion: &Individual) -> Result<Vec<(String, Option<f64>)>> {
    let settings = VerifySettings { draws: 0, perturbed: 0, fine: 0, paradigms: true };
    let found = verify(&champion.genome, &archive.task_of(champion)?, champion.seed, &settings, |_| ());
    let kept = |paradigm: &Paradigm| {
        let one = found.retained.iter().find(|one| one.check == paradigm.name())?;
        Some((one.check.clone(), (one.outcome == "scored").then_some(one.fraction)))
    };
    Ok(Paradigm::ALL.iter().filter_map(kept).collect())
}

fn examined(
    experiment: &Experiment,
    archive: &Archive,
    champion: &Individual,
    found: &Verification,
    seed: u64,
) -> Result<Outcome> {
    let task = archive.task_of(champion)?;
    let kept = |check| found.retained.iter().find(|one| one.check == check).map_or(0.0, |one| one.fraction);
    let measure = |name: &str| champion.result.measures.get(name).copied().unwrap_or(0.0);
    let body_lengths = champion.result.body_lengths(&task);
    let speed = measure("steady_distance") / (task.duration - task.transient).max(1e-9);
    let height = measure("mean_height");
    let exam = experiment.exam.as_ref().map(|exam| mark(&champion.genome, exam, EXAM_SEED + seed));
    Ok(Outcome {
        seed,
        hash: format!("{:016x}", archive.hash()),
        evaluations: archive.count(),
        creature_seconds: archive.totals()?.creature_seconds,
        champion: champion.id,
        passed_over: 0,
        fitness: champion.result.fitness,
        figure: match experiment.target.figure {
            Figure::BodyLengths => body_lengths,
            Figure::BodyLengthsPerSecond => body_lengths / 10.0,
            Figure::Fitness => champion.result.fitness,
            Figure::Exam => exam.context("the experiment has no exam")?,
        },
        body_lengths,
        froude: if height > 0.0 { speed * speed / (9.81 * height) } else { 0.0 },
        extent: measure("max_extent"),
        mass: measure("mass"),
        parts: measure("parts"),
        foot_clearance: foot_clearance(champion, &task),
        retained: kept(PERTURBED_MEDIAN),
        worst: kept(DRAWS_WORST),
        falls: found.draws.fall_share(),
        half_step: kept(HALF_STEP),
        eighth_step: kept(EIGHTH_STEP),
        paradigms: Vec::new(),
        verdict: found.verdict.name().to_string(),
        curve: best_so_far(archive)?,
    })
}

/// Evaluates a champion once more to see how high it lifts its feet.
fn foot_clearance(champion: &Individual, task: &Task) -> Option<f64> {
    let name = Measure::FootClearance.name();
    let task = Task { extra_measures: vec![name.to_string()], ..task.clone() };
    evaluate(&champion.genome, &task, champion.seed).measures.get(name).filter(|&height| height > 0.0)
}

/// Returns the mean over the trials of an exam. A trial in which the creature cannot start counts as missed.
fn mark(genome: &AnyGenome, exam: &Task, seed: u64) -> f64 {
    let alone = Task { trials: Trials { count: 1, ..exam.trials }, ..exam.clone() };
    let trial = |number: u32| evaluate(genome, &alone, mix_seed(seed, &[number.into()])).fitness;
    (0..exam.trials.count).map(trial).sum::<f64>() / f64::from(exam.trials.count)
}
