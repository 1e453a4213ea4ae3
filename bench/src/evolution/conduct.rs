//! Carrying an experiment out: its stages, then the champion's verification and exam.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use burgess_creature::AnyGenome;
use burgess_creature::evaluation::evaluate;
use burgess_creature::random::mix_seed;
use burgess_creature::task::{Task, Trials};
use burgess_creature::verify::{
    HALF_STEP, PERTURBED as PERTURBED_MEDIAN, Verdict, Verification, VerifySettings, verify,
};
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, Founder, Individual, News, Onlooker, Run, RunConfig};
use burgess_paradigms::Paradigm;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::experiment::{Experiment, Figure};

/// Seeds of exams: no evaluation of a run has one of them but by a chance of one in 2^64.
const EXAM_SEED: u64 = 0x0e8a_3000_0000_0000;

/// Perturbed trials of a champion.
const PERTURBED: u32 = 16;

/// So many are looked at, the fittest first, for one that is no exploit.
const CANDIDATES: usize = 200;

/// What came out of one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// Of the run.
    pub seed: u64,
    /// Of the last stage.
    pub hash: String,
    /// Individuals of all stages.
    pub evaluations: u64,
    /// Simulated time of all stages, in s.
    pub creature_seconds: f64,
    /// Number of the champion in the last stage.
    pub champion: u64,
    /// Fitter ones that are exploits, or that verification refuses.
    pub passed_over: usize,
    /// In the run.
    pub fitness: f64,
    /// What was asked for.
    pub figure: f64,
    /// Body lengths in 10 s.
    pub body_lengths: f64,
    /// v^2 / (g h), with the mean speed after the transient and the mean height of the centre of mass.
    pub froude: f64,
    /// Longest extent in the trial, in m.
    pub extent: f64,
    /// In kg.
    pub mass: f64,
    /// How many.
    pub parts: f64,
    /// Median of perturbed trials, as a share of the fitness.
    pub retained: f64,
    /// With half the step, as a share of the fitness.
    pub half_step: f64,
    /// By each of the other paradigms, as a share of the fitness; none where the trial could not be finished.
    pub paradigms: Vec<(String, Option<f64>)>,
    /// Of the verification.
    pub verdict: String,
}

/// The run of a stage.
pub fn run_file(name: &str, seed: u64, stage: usize, runs: &Path) -> PathBuf {
    runs.join(format!("{name}-{seed}-{stage}.burgess"))
}

/// What came out, if it was carried out; what an older program has written does not tell all, and is written anew.
pub fn outcome(name: &str, seed: u64, runs: &Path) -> Option<Outcome> {
    serde_json::from_str(&std::fs::read_to_string(runs.join(format!("{name}-{seed}.json"))).ok()?).ok()
}

/// Carries out one run of an experiment, or what is left of it.
pub fn conduct(experiment: &Experiment, seed: u64, runs: &Path) -> Result<()> {
    if outcome(&experiment.name, seed, runs).is_some() {
        return Ok(());
    }
    let (mut founders, mut evaluations, mut seconds) = (Vec::new(), 0, 0.0);
    let mut last = None;
    for (stage, config) in experiment.stages.iter().enumerate() {
        let file = run_file(&experiment.name, seed, stage, runs);
        let config = RunConfig { seed, ..config.clone() };
        let archive = evolve(&file, &config, &founders, &format!("{} {seed}", experiment.name))?;
        evaluations += archive.count();
        seconds += archive.totals()?.creature_seconds;
        founders = best(&archive, config.first_generation())?;
        last = Some(archive);
    }
    if seconds > experiment.budget {
        bail!(
            "{} {seed}: {seconds} creature-seconds are more than the budget of {}",
            experiment.name,
            experiment.budget
        );
    }
    let archive = last.context("an experiment has at least one stage")?;
    let found = champion(experiment, &archive, seed)?;
    let found = Outcome { evaluations, creature_seconds: seconds, ..found };
    eprintln!("{} {seed}: {found:?}", experiment.name);
    std::fs::write(runs.join(format!("{}-{seed}.json", experiment.name)), serde_json::to_string_pretty(&found)?)?;
    Ok(())
}

/// Carries a run out, or the rest of it.
pub fn evolve(file: &Path, config: &RunConfig, founders: &[Founder], what: &str) -> Result<Archive> {
    let evaluations = config.evaluations;
    let is_same = |archive: &Archive| {
        let known = RunConfig { evaluations, ..archive.config()? };
        if known != *config || archive.origins()? != founders {
            bail!("{}: this run was set up differently; remove it", file.display());
        }
        Ok(())
    };
    if file.exists() {
        let mut archive = Archive::look(file)?;
        is_same(&archive)?;
        if archive.count() >= evaluations {
            archive.check()?;
            return Ok(archive);
        }
    }
    let archive = match file.exists() {
        true => Archive::open(file)?,
        false => Archive::create(file, config, founders)?,
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

impl Onlooker for Looker {
    fn hears(&mut self, news: &News) {
        self.best = self.best.max(news.result.fitness);
        self.bar.set_position(news.id + 1);
        self.bar.set_message(format!("{} best {:.2}", self.what, self.best));
    }
}

fn best(archive: &Archive, most: usize) -> Result<Vec<Founder>> {
    let founder = |id| {
        let one = archive.individual(id)?;
        Ok(Founder { genome: one.genome, origin: format!("{}#{id}", archive.file().display()) })
    };
    archive.fittest(most)?.into_iter().map(founder).collect()
}

/// The fittest of a run that is no exploit.
fn champion(experiment: &Experiment, archive: &Archive, seed: u64) -> Result<Outcome> {
    let settings = VerifySettings { perturbed: PERTURBED, paradigms: false };
    for (passed_over, id) in archive.fittest(CANDIDATES)?.into_iter().enumerate() {
        let one = archive.individual(id)?;
        let found = verify(&one.genome, &archive.task_of(&one)?, one.seed, &settings, |_| ());
        if found.fitness != one.result.fitness && found.outcome.is_scored() {
            bail!("{}: another program has evolved it; remove it", archive.file().display());
        }
        if matches!(found.verdict, Verdict::Sound | Verdict::Fragile) {
            let paradigms = by_paradigm(archive, &one)?;
            return Ok(Outcome { passed_over, paradigms, ..examined(experiment, archive, &one, &found, seed)? });
        }
    }
    bail!("{} {seed}: none of the {CANDIDATES} fittest is sound or fragile", experiment.name)
}

/// What a champion keeps of its fitness when the other paradigms simulate it.
fn by_paradigm(archive: &Archive, champion: &Individual) -> Result<Vec<(String, Option<f64>)>> {
    let settings = VerifySettings { perturbed: 0, paradigms: true };
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
        evaluations: 0,
        creature_seconds: 0.0,
        champion: champion.id,
        passed_over: 0,
        fitness: champion.result.fitness,
        figure: match experiment.asked.figure {
            Figure::BodyLengths => body_lengths,
            Figure::BodyLengthsPerSecond => body_lengths / 10.0,
            Figure::Fitness => champion.result.fitness,
            Figure::Exam => exam.context("the experiment has an exam")?,
        },
        body_lengths,
        froude: if height > 0.0 { speed * speed / (9.81 * height) } else { 0.0 },
        extent: measure("max_extent"),
        mass: measure("mass"),
        parts: measure("parts"),
        retained: kept(PERTURBED_MEDIAN),
        half_step: kept(HALF_STEP),
        paradigms: Vec::new(),
        verdict: found.verdict.name().to_string(),
    })
}

/// The mean over the trials of an exam, each on its own: where a creature cannot even begin, it has missed.
fn mark(genome: &AnyGenome, exam: &Task, seed: u64) -> f64 {
    let alone = Task { trials: Trials { count: 1, ..exam.trials }, ..exam.clone() };
    let trial = |number: u32| evaluate(genome, &alone, mix_seed(seed, &[number.into()])).fitness;
    (0..exam.trials.count).map(trial).sum::<f64>() / f64::from(exam.trials.count)
}
