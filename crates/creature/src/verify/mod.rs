//! Verification: is a creature as good as its fitness says? It is evaluated again with half the time step, with other
//! seeds, with other friction and starts, by other paradigms if requested, and its energy and momentum are audited. The
//! verdict depends on the fraction of the fitness that it retains and on the known exploits that the evidence indicates.
//!
//! ```
//! use burgess_creature::task::Task;
//! use burgess_creature::verify::{VerifySettings, Verdict, verify};
//! use burgess_creature::{Random, Family, GenomeSettings};
//!
//! let genome = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(1));
//! let task = Task { duration: 1.0, transient: 0.2, ..Task::preset("walk").unwrap() };
//! let settings = VerifySettings { draws: 2, perturbed: 2, paradigms: false };
//! let verification = verify(&genome, &task, 7, &settings, |_| ());
//! println!("{}: {}", verification.fitness, verification.verdict.name());
//! ```

mod draws;
mod exploit;

use burgess_paradigms::Paradigm;
use serde::{Deserialize, Serialize};

pub use draws::Draws;
pub use exploit::Exploit;

use crate::brain::{Brain, Network};
use crate::evaluation::{Evaluation, EvaluationOptions, Outcome, evaluate_phenotype};
use crate::genome::AnyGenome;
use crate::phenotype::Phenotype;
use crate::random::mix_seed;
use crate::task::{Amount, Task, Variation};
use exploit::Evidence;

/// Factor on the step limit of a task for other paradigms, which divide steps where muscles are strong and feet hit the
/// ground.
const PARADIGM_STEP_FACTOR: u64 = 5;

/// Minimum fraction of the fitness that a sound creature retains.
pub const MIN_SOUND_FRACTION: f64 = 0.8;
/// Minimum fraction of the fitness that a sound creature retains in the worst of all new draws. A creature that falls
/// in one of them is not sound.
pub const MIN_WORST_FRACTION: f64 = 0.7;

/// Name of the check with half the time step, which counts.
pub const HALF_STEP: &str = "half step";
/// Name of the check with perturbed trials, which counts.
pub const PERTURBED: &str = "perturbed, median";
/// Name of the check with the worst perturbed trial, which does not count: its variation is twice that of the task.
pub const PERTURBED_WORST: &str = "perturbed, worst";
/// Name of the check with the median of new draws, which counts.
pub const DRAWS_MEDIAN: &str = "new draws, median";
/// Name of the check with the worst of new draws, which counts.
pub const DRAWS_WORST: &str = "new draws, worst";

/// Extent of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerifySettings {
    /// Number of evaluations with other seeds. Their median and the worst of them count.
    pub draws: u32,
    /// Number of trials with other friction, starts and seeds. Their median counts.
    pub perturbed: u32,
    /// Whether the other paradigms of the simulator are tried, too. They are slow.
    pub paradigms: bool,
}

impl Default for VerifySettings {
    fn default() -> Self {
        Self { draws: 16, perturbed: 16, paradigms: false }
    }
}

impl VerifySettings {
    /// Returns the number of evaluations for a creature that is not refused.
    pub fn evaluations(&self) -> u32 {
        let paradigms = if self.paradigms { Paradigm::ALL.len() as u32 - 1 } else { 0 };
        6 + paradigms + self.draws + self.perturbed
    }
}

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Outcome of the first evaluation.
    pub outcome: Outcome,
    /// Fitness in the first evaluation.
    pub fitness: f64,
    /// New draws; empty if there were none.
    pub draws: Draws,
    /// Fitness retained in each check.
    pub retained: Vec<Retained>,
    /// Exploits that the evidence indicates.
    pub exploits: Vec<Exploit>,
    /// Verdict.
    pub verdict: Verdict,
}

/// The fitness retained in a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Retained {
    /// Name of the check.
    pub check: String,
    /// Fitness in the check.
    pub fitness: f64,
    /// Outcome: scored, unviable or faulty.
    pub outcome: String,
    /// Reason for an outcome without a fitness; `None` if it was scored.
    pub reason: Option<String>,
    /// Whether the check is part of the verdict.
    pub counts: bool,
    /// Fraction that a sound creature retains; `None` if the check is not part of the verdict.
    pub required: Option<f64>,
    /// Fitness in the check divided by the fitness in the first evaluation.
    pub fraction: f64,
}

/// The verdict of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The creature does what its fitness says.
    Sound,
    /// There is no known exploit, but too much fitness is lost under small changes.
    Fragile,
    /// The evidence indicates a known exploit.
    Exploit,
    /// The creature has no fitness: it is unviable, its evaluation is faulty, or it scored 0.
    Refused,
}

impl Verdict {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Fragile => "fragile",
            Self::Exploit => "exploit",
            Self::Refused => "refused",
        }
    }
}

/// Verifies a genome at a task. Calls `progress` with the name of each step.
pub fn verify(
    genome: &AnyGenome,
    task: &Task,
    seed: u64,
    settings: &VerifySettings,
    progress: impl FnMut(&str),
) -> Verification {
    match genome.grow(&task.physiology) {
        Ok(phenotype) => verify_phenotype(&phenotype, task, seed, settings, progress),
        Err(unviable) => {
            let exploits = Exploit::of_unviable(&unviable).into_iter().collect();
            Verification::refused(Outcome::Unviable(unviable), exploits)
        }
    }
}

/// Verifies a phenotype.
pub fn verify_phenotype(
    phenotype: &Phenotype,
    task: &Task,
    seed: u64,
    settings: &VerifySettings,
    mut progress: impl FnMut(&str),
) -> Verification {
    let plain = EvaluationOptions::default();
    progress("as it is");
    let first = evaluate_phenotype(phenotype, task, seed, &EvaluationOptions { audit: true, ..plain });
    if !first.outcome.is_scored() || first.fitness == 0.0 {
        let exploits = Exploit::of_outcome(&first.outcome).into_iter().collect();
        return Verification::refused(first.outcome, exploits);
    }
    let mut retained = Vec::new();
    let mut check = |name: &str, evaluation: &Evaluation| {
        retained.push(Retained::new(name, evaluation.fitness, &evaluation.outcome, first.fitness));
    };
    progress("half the step");
    let half = EvaluationOptions { step: Some(0.5 * task.step), ..plain };
    check(HALF_STEP, &evaluate_phenotype(phenotype, task, seed, &half));
    for (name, factor) in [("friction -20 %", 0.8), ("friction +20 %", 1.2)] {
        progress(name);
        check(name, &evaluate_phenotype(phenotype, &with_friction(task, factor), seed, &plain));
    }
    if settings.paradigms {
        let mut long_task = task.clone();
        long_task.limits.steps = task.limits.steps.saturating_mul(PARADIGM_STEP_FACTOR);
        for paradigm in Paradigm::ALL.into_iter().filter(|paradigm| *paradigm != Paradigm::default()) {
            progress(paradigm.name());
            let options = EvaluationOptions { paradigm: Some(paradigm), ..plain };
            check(paradigm.name(), &evaluate_phenotype(phenotype, &long_task, seed, &options));
        }
    }
    let draws = match settings.draws {
        0 => Draws::default(),
        count => Draws::new(phenotype, task, seed, &first, count, &mut progress),
    };
    if settings.draws > 0 {
        for (name, fitness) in [(DRAWS_MEDIAN, draws.median), (DRAWS_WORST, draws.worst)] {
            retained.push(Retained::new(name, fitness, &Outcome::Scored, first.fitness));
        }
    }
    let perturbed = perturbations(phenotype, task, seed, settings.perturbed, &mut progress);
    if let Some(median) = median(&perturbed) {
        let worst = perturbed.iter().copied().fold(f64::INFINITY, f64::min);
        for (name, fitness) in [(PERTURBED, median), (PERTURBED_WORST, worst)] {
            retained.push(Retained::new(name, fitness, &Outcome::Scored, first.fitness));
        }
    }
    progress("without muscles");
    let passive = evaluate_phenotype(&without_brain(phenotype), task, seed, &plain);
    progress("without self-collision");
    let mut without_collision = task.clone();
    without_collision.physiology.self_collision = false;
    let without_self_collision = evaluate_phenotype(phenotype, &without_collision, seed, &plain);
    let evidence = Evidence {
        fitness: first.fitness,
        measures: &first.measures,
        descriptors: &first.descriptors,
        audit: first.audit.unwrap_or_default(),
        half_step: retained[0].fraction,
        passive: passive.fitness,
        without_self_collision: without_self_collision.fitness,
        length: phenotype.body.length(),
        thickness: thinnest(phenotype),
    };
    let exploits = evidence.exploits();
    let verdict = verdict(&retained, &exploits);
    Verification { outcome: first.outcome, fitness: first.fitness, draws, retained, exploits, verdict }
}

/// Returns the verdict. Other paradigms have other errors, and a gait may need its friction, so these checks are
/// reported but do not count.
fn verdict(retained: &[Retained], exploits: &[Exploit]) -> Verdict {
    if !exploits.is_empty() {
        Verdict::Exploit
    } else if retained.iter().any(|one| one.required.is_some_and(|least| one.fraction < least)) {
        Verdict::Fragile
    } else {
        Verdict::Sound
    }
}

/// Returns the fitness of trials with other seeds and twice the variation of the task.
fn perturbations(
    phenotype: &Phenotype,
    task: &Task,
    seed: u64,
    count: u32,
    progress: &mut impl FnMut(&str),
) -> Vec<f64> {
    let mut varied = task.clone();
    let Variation { friction, restitution, gravity, tilt, turn, gap } = task.variation;
    let twice = |most: f64, least: f64| (2.0 * most).max(least);
    varied.variation = Variation {
        friction: twice(friction, 0.2).min(1.0),
        restitution: twice(restitution, 0.05).min(1.0),
        gravity: twice(gravity, 0.02).min(0.5),
        tilt: twice(tilt, 0.05),
        turn,
        gap: twice(gap, 0.005),
    };
    varied.trials.count = 1;
    let trial = |number: u32| {
        progress("perturbed");
        let seed = mix_seed(seed, &[0x7e57, u64::from(number)]);
        evaluate_phenotype(phenotype, &varied, seed, &EvaluationOptions::default()).fitness
    };
    (0..count).map(trial).collect()
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => Some(sorted[middle]),
        _ => Some(0.5 * (sorted[middle - 1] + sorted[middle])),
    }
}

/// Returns a ratio, or 0 if the divisor is 0.
fn score_ratio(value: f64, reference: f64) -> f64 {
    if reference == 0.0 { 0.0 } else { value / reference }
}

fn with_friction(task: &Task, factor: f64) -> Task {
    let mut changed = task.clone();
    changed.arena.friction = Amount::Number(factor * task.arena.friction.value(&task.parameters));
    changed
}

fn without_brain(phenotype: &Phenotype) -> Phenotype {
    let mut passive = phenotype.clone();
    passive.brain = Brain::Network(Network::default());
    for part in &mut passive.body.parts {
        if let Some(on) = &mut part.attachment {
            on.drive = crate::phenotype::Drive::Effort;
        }
    }
    passive
}

/// Returns the thickness of the thinnest part, in m.
fn thinnest(phenotype: &Phenotype) -> f64 {
    phenotype.body.parts.iter().map(|part| 2.0 * part.shape.half_thickness()).fold(f64::INFINITY, f64::min)
}

impl Retained {
    fn new(check: &str, fitness: f64, outcome: &Outcome, reference: f64) -> Self {
        let required = match check {
            HALF_STEP | PERTURBED | DRAWS_MEDIAN => Some(MIN_SOUND_FRACTION),
            DRAWS_WORST => Some(MIN_WORST_FRACTION),
            _ => None,
        };
        let (check, counts) = (check.to_string(), required.is_some());
        let (outcome, reason) = (outcome.name().to_string(), outcome.reason());
        Self { check, fitness, outcome, reason, counts, required, fraction: score_ratio(fitness, reference) }
    }
}

impl Verification {
    fn refused(outcome: Outcome, exploits: Vec<Exploit>) -> Self {
        let (draws, retained) = (Draws::default(), Vec::new());
        Self { outcome, fitness: 0.0, draws, retained, exploits, verdict: Verdict::Refused }
    }
}
