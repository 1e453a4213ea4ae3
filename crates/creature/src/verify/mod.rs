//! Verification: is a creature as good as its fitness says? It is evaluated again with shorter time steps, with other
//! seeds, with other friction and starts, by other paradigms if requested, and its energy and momentum are audited. The
//! verdict depends on the fraction of the fitness that it retains and on the known exploits that the evidence indicates.
//!
//! A formula may have an offset, so that standing still scores. Only the gain over a *baseline* counts: the fitness of
//! standing still or, in a contest, the fitness of the limp twin (the same body with slack muscles) against the same
//! opponent.
//!
//! ```
//! use burgess_creature::task::Task;
//! use burgess_creature::verify::{VerifySettings, Verdict, verify};
//! use burgess_creature::{Random, Family, GenomeSettings};
//!
//! let genome = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(1));
//! let task = Task { duration: 1.0, transient: 0.2, ..Task::preset("walk").unwrap() };
//! let settings = VerifySettings { draws: 2, perturbed: 2, ..VerifySettings::default() };
//! let verification = verify(&genome, &task, 7, &settings, |_| ());
//! println!("{}: {}", verification.fitness, verification.verdict.name());
//! ```

mod draws;
mod exploit;
mod fine_step;
mod request;

use burgess_paradigms::Paradigm;
use serde::{Deserialize, Serialize};

pub use draws::Draws;
pub use exploit::Exploit;
pub use fine_step::FineStep;
pub use request::Request;

use crate::evaluation::{Evaluation, Outcome, Side};
use crate::genome::AnyGenome;
use crate::phenotype::Phenotype;
use crate::task::Task;
use exploit::Evidence;
use request::Subject;

/// Minimum fraction of the fitness that a sound creature retains.
pub const MIN_SOUND_FRACTION: f64 = 0.8;
/// Minimum fraction of the fitness that a sound creature retains in the worst of all new draws. A creature that falls
/// in one of them is not sound.
pub const MIN_WORST_FRACTION: f64 = 0.7;

/// Minimum fraction of the fitness that a sound creature retains with an eighth of the step.
pub const MIN_FINE_STEP_FRACTION: f64 = 0.75;

/// Name of the check with an eighth of the time step, which counts.
pub const EIGHTH_STEP: &str = "eighth step, mean";
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
    /// Number of trials with an eighth of the time step. The mean of their fitness counts.
    pub fine: u32,
    /// Whether the other paradigms of the simulator are tried, too. They are slow.
    pub paradigms: bool,
}

impl Default for VerifySettings {
    fn default() -> Self {
        Self { draws: 16, perturbed: 16, fine: 4, paradigms: false }
    }
}

impl VerifySettings {
    /// Returns the number of evaluations for a creature that is not refused.
    pub fn evaluations(&self) -> u32 {
        let paradigms = if self.paradigms { Paradigm::ALL.len() as u32 - 1 } else { 0 };
        8 + paradigms + self.draws + self.perturbed + 2 * self.fine
    }
}

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Outcome of the first evaluation.
    pub outcome: Outcome,
    /// Fitness in the first evaluation.
    pub fitness: f64,
    /// Fitness that is no merit: that of standing still or, in a contest, of the limp twin against the same opponent.
    pub baseline: f64,
    /// New draws; empty if there were none.
    pub draws: Draws,
    /// Trials with an eighth of the step; empty if there were none.
    pub fine_step: FineStep,
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
    /// Fitness that the check is compared with: that of the first evaluation, or the mean of the same trials with the
    /// task's step.
    pub reference: f64,
    /// Fitness in the check divided by the reference, both as gains over the baseline.
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
    /// The creature has no fitness of its own: it is unviable, its evaluation is faulty, it scored 0, or it scored no
    /// more than the baseline.
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
    verify_with(genome, task, seed, settings, in_turn(progress))
}

/// Verifies a genome. `run` carries out the requests and returns their evaluations in the same order; it may use threads.
///
/// # Panics
///
/// If `run` returns fewer evaluations than requests.
pub fn verify_with(
    genome: &AnyGenome,
    task: &Task,
    seed: u64,
    settings: &VerifySettings,
    run: impl FnMut(&[Request]) -> Vec<Evaluation>,
) -> Verification {
    verify_against(genome, (None, Side::First), task, seed, settings, run)
}

/// Verifies a genome against an opponent, for tasks with a contest. The side is that of the creature. Without an
/// opponent, or with one that does not grow, it meets its limp twin. In other tasks the opponent is ignored.
///
/// # Panics
///
/// If `run` returns fewer evaluations than requests.
pub fn verify_against(
    genome: &AnyGenome,
    (opponent, side): (Option<&AnyGenome>, Side),
    task: &Task,
    seed: u64,
    settings: &VerifySettings,
    run: impl FnMut(&[Request]) -> Vec<Evaluation>,
) -> Verification {
    let opponent = opponent.and_then(|other| other.grow(&task.physiology).ok());
    match genome.grow(&task.physiology) {
        Ok(phenotype) => verify_grown(&phenotype, (opponent.as_ref(), side), task, seed, settings, run),
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
    progress: impl FnMut(&str),
) -> Verification {
    verify_grown(phenotype, (None, Side::First), task, seed, settings, in_turn(progress))
}

/// Carries out requests one after the other.
fn in_turn(mut progress: impl FnMut(&str)) -> impl FnMut(&[Request]) -> Vec<Evaluation> {
    move |requests| {
        let run = |request: &Request| {
            progress(request.what);
            request.evaluate()
        };
        requests.iter().map(run).collect()
    }
}

fn verify_grown(
    phenotype: &Phenotype,
    opponent: (Option<&Phenotype>, Side),
    task: &Task,
    seed: u64,
    settings: &VerifySettings,
    mut run: impl FnMut(&[Request]) -> Vec<Evaluation>,
) -> Verification {
    let passive = phenotype.limp();
    let opponent = task.contest.as_ref().map(|_| opponent);
    let subject = Subject { phenotype, passive: &passive, opponent, task, seed };
    let mut found = run(&subject.first_requests()).into_iter();
    let mut next = || found.next().expect("one evaluation for each request");
    let (first, limp, motionless) = (next(), next(), next());
    if !first.outcome.is_scored() || first.fitness == 0.0 {
        let exploits = Exploit::of_outcome(&first.outcome).into_iter().collect();
        return Verification::refused(first.outcome, exploits);
    }
    let baseline = if task.contest.is_some() { limp.fitness } else { motionless.fitness };
    let gain = first.fitness - baseline;
    if gain <= 0.0 {
        let refused = Verification::refused(first.outcome, Vec::new());
        return Verification { fitness: first.fitness, baseline, ..refused };
    }
    let requests = subject.requests(settings);
    let names: Vec<&str> = requests.single.iter().map(|request| request.what).collect();
    let found = requests.run(run);
    let scored = |name: &str, fitness| Retained::new(name, fitness, &Outcome::Scored, [first.fitness, baseline]);
    let mut retained: Vec<Retained> = names
        .into_iter()
        .zip(&found.single)
        .map(|(name, one)| Retained::new(name, one.fitness, &one.outcome, [first.fitness, baseline]))
        .collect();
    let draws = Draws::of(&found.draws, &first, baseline);
    if settings.draws > 0 {
        retained.extend([scored(DRAWS_MEDIAN, draws.median), scored(DRAWS_WORST, draws.worst)]);
    }
    let fine_step = FineStep::of(&found.fine);
    if settings.fine > 0 {
        let (fine, coarse) = (fine_step.fine_mean(), fine_step.coarse_mean());
        retained.push(Retained::new(EIGHTH_STEP, fine, &Outcome::Scored, [coarse, baseline]));
    }
    let perturbed: Vec<f64> = found.perturbed.iter().map(|trial| trial.fitness).collect();
    if let Some(median) = median(&perturbed) {
        let worst = perturbed.iter().copied().fold(f64::INFINITY, f64::min);
        retained.extend([scored(PERTURBED, median), scored(PERTURBED_WORST, worst)]);
    }
    let evidence = Evidence {
        gain,
        measures: &first.measures,
        descriptors: &first.descriptors,
        audit: first.audit.unwrap_or_default(),
        half_step: (found.single[0].fitness - baseline) / gain,
        passive: found.exploits[1].fitness - motionless.fitness,
        without_self_collision: found.exploits[0].fitness - baseline,
        length: phenotype.body.length(),
        thickness: thinnest(phenotype),
        is_contest: task.contest.is_some(),
    };
    let exploits = evidence.exploits();
    let verdict = verdict(&retained, &exploits);
    let (outcome, fitness) = (first.outcome, first.fitness);
    Verification { outcome, fitness, baseline, draws, fine_step, retained, exploits, verdict }
}

/// Returns the verdict. Other paradigms have other errors, and a gait may need its friction, so these checks are
/// reported but do not count.
fn verdict(retained: &[Retained], exploits: &[Exploit]) -> Verdict {
    if !exploits.is_empty() {
        Verdict::Exploit
    } else if retained.iter().any(Retained::is_too_little) {
        Verdict::Fragile
    } else {
        Verdict::Sound
    }
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

/// Returns the thickness of the thinnest part, in m.
fn thinnest(phenotype: &Phenotype) -> f64 {
    phenotype.body.parts.iter().map(|part| 2.0 * part.shape.half_thickness()).fold(f64::INFINITY, f64::min)
}

impl Retained {
    fn new(check: &str, fitness: f64, outcome: &Outcome, [reference, baseline]: [f64; 2]) -> Self {
        let required = match check {
            HALF_STEP | PERTURBED | DRAWS_MEDIAN => Some(MIN_SOUND_FRACTION),
            DRAWS_WORST => Some(MIN_WORST_FRACTION),
            EIGHTH_STEP => Some(MIN_FINE_STEP_FRACTION),
            _ => None,
        };
        let (check, counts) = (check.to_string(), required.is_some());
        let (outcome, reason) = (outcome.name().to_string(), outcome.reason());
        let fraction = score_ratio(fitness - baseline, reference - baseline);
        Self { check, fitness, outcome, reason, counts, required, reference, fraction }
    }

    /// Returns whether less is retained than a sound creature retains.
    pub fn is_too_little(&self) -> bool {
        self.required.is_some_and(|least| self.fraction < least)
    }
}

impl Verification {
    fn refused(outcome: Outcome, exploits: Vec<Exploit>) -> Self {
        let (draws, fine_step, retained) = (Draws::default(), FineStep::default(), Vec::new());
        let (fitness, baseline, verdict) = (0.0, 0.0, Verdict::Refused);
        Self { outcome, fitness, baseline, draws, fine_step, retained, exploits, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_that_keeps_too_little_makes_a_creature_fragile() {
        let verdict_with = |check: &str, fitness: f64| {
            let sound = [HALF_STEP, EIGHTH_STEP, DRAWS_MEDIAN, DRAWS_WORST, PERTURBED, PERTURBED_WORST];
            let kept = |name: &str| if name == check { fitness } else { 4.0 };
            let retained = sound.map(|name| Retained::new(name, kept(name), &Outcome::Scored, [4.0, 0.0]));
            verdict(&retained, &[])
        };
        for (check, least) in
            [(HALF_STEP, 3.2), (EIGHTH_STEP, 3.0), (DRAWS_MEDIAN, 3.2), (DRAWS_WORST, 2.8), (PERTURBED, 3.2)]
        {
            assert_eq!(verdict_with(check, least), Verdict::Sound, "{check}");
            assert_eq!(verdict_with(check, least - 0.01), Verdict::Fragile, "{check}");
        }
        assert_eq!(verdict_with(PERTURBED_WORST, 0.0), Verdict::Sound);
    }
}
