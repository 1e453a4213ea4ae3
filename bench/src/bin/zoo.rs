//! Compares candidates for the zoo of built-in creatures; run by `bench/zoo`.
//!
//! Each candidate is verified. The table of distances between bodies follows, then a choice of sound candidates: the
//! two that differ most, then again and again the one whose nearest chosen body is farthest away.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use burgess_catalog::{Arena, Creature, Subject};
use burgess_creature::BodyFeatures;
use burgess_creature::evaluation::{EvaluationOptions, Side, evaluate_on_side, evaluate_with};
use burgess_creature::task::{Measure, Task};
use burgess_creature::verify::{Request, Verdict, VerifySettings, verify_against};
use clap::Parser;

/// Compare candidates for the zoo and pick those that look most different
#[derive(Parser)]
struct Arguments {
    /// Creature files, runs (their champions), RUN#NUMBER, or names of built-in creatures
    #[arg(required = true)]
    creatures: Vec<String>,
    /// Pick this many
    #[arg(long, default_value_t = 12)]
    count: usize,
    /// Pick at most this many of one task
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    per_task: usize,
    /// Task of candidates whose files name none
    #[arg(long)]
    task: Option<String>,
    /// Count all candidates as sound, without the slow verification
    #[arg(long)]
    no_verify: bool,
}

/// A creature that may be picked.
struct Candidate {
    creature: Creature,
    task: Task,
    seed: u64,
    parts: usize,
    features: BodyFeatures,
}

/// What the evaluation of a candidate says.
struct Report {
    fitness: f64,
    /// Height to which feet are lifted, in m.
    foot_clearance: f64,
    /// The verdict; none without verification.
    verdict: Option<Verdict>,
    /// The exploits that it resembles and the checks that it fails.
    faults: String,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let candidates: Vec<Candidate> =
        arguments.creatures.iter().map(|word| candidate(word, &arguments)).collect::<Result<_>>()?;
    let reports = on_all_cores(&candidates, |candidate| candidate.report(!arguments.no_verify));
    println!(" no  task         family  parts   fitness  clearance  verdict  name");
    for (index, (one, report)) in candidates.iter().zip(&reports).enumerate() {
        let verdict = report.verdict.map_or("-", Verdict::name);
        let (task, family) = (&one.task.name, one.creature.file.genome.family().name());
        println!(
            "{index:3}  {task:12} {family:6} {:6} {:9.3} {:7.0} mm  {verdict:8} {}{}",
            one.parts,
            report.fitness,
            1000.0 * report.foot_clearance,
            arguments.creatures[index],
            report.faults
        );
    }
    let distance = |a: usize, b: usize| candidates[a].features.distance(&candidates[b].features);
    println!("\nDistances between bodies, in hundredths:\n");
    println!("     {}", (0..candidates.len()).map(|b| format!("{b:4}")).collect::<String>());
    for a in 0..candidates.len() {
        let row: String = (0..candidates.len()).map(|b| format!("{:4.0}", 100.0 * distance(a, b))).collect();
        println!("{a:4} {row}");
    }
    let sound = (0..candidates.len()).filter(|&index| reports[index].verdict.is_none_or(|v| v == Verdict::Sound));
    let is_full = |chosen: &[usize], index: usize| {
        let of_task = chosen.iter().filter(|&&other| candidates[other].task.name == candidates[index].task.name);
        of_task.count() >= arguments.per_task
    };
    println!("\nThe most different sound ones, with the distance to the nearest of those before:\n");
    for (index, nearest) in pick(sound.collect(), arguments.count, distance, is_full) {
        println!(
            "{index:3}  {:4.0}  {:12} {}",
            100.0 * nearest,
            candidates[index].task.name,
            arguments.creatures[index]
        );
    }
    Ok(())
}

fn candidate(word: &str, arguments: &Arguments) -> Result<Candidate> {
    let creature = Subject::resolve(word)?.creature()?;
    let has_task = creature.task.is_some() || creature.file.task.is_some();
    if !has_task && arguments.task.is_none() {
        bail!("{word}: the file names no built-in task; give the run instead, or --task");
    }
    let arena = Arena { task: arguments.task.clone().filter(|_| !has_task), seed: None };
    let (mut task, seed) = arena.task_and_seed(&creature)?;
    task.extra_measures.push(Measure::FootClearance.name().to_string());
    let phenotype = creature.file.genome.grow(&task.physiology).with_context(|| word.to_string())?;
    let (parts, features) = (phenotype.body.parts.len(), BodyFeatures::of(&phenotype.body));
    Ok(Candidate { creature, task, seed, parts, features })
}

impl Candidate {
    fn report(&self, verifies: bool) -> Report {
        let (genome, options) = (&self.creature.file.genome, EvaluationOptions::default());
        let opponent = self.creature.opponent.as_ref();
        let opponent = opponent.map_or((None, Side::First), |(other, side)| (other.as_ref(), *side));
        let own = match self.task.contest {
            Some(_) => evaluate_on_side(genome, opponent.0, opponent.1, &self.task, self.seed, &options)[0].clone(),
            None => evaluate_with(genome, &self.task, self.seed, &options),
        };
        let run = |requests: &[Request]| requests.iter().map(Request::evaluate).collect();
        let verify = || verify_against(genome, opponent, &self.task, self.seed, &VerifySettings::default(), run);
        let found = verifies.then(verify);
        let faults = found.as_ref().map_or_else(String::new, |found| {
            let exploits = found.exploits.iter().map(|exploit| exploit.name().to_string());
            let failed = found.retained.iter().filter(|one| one.is_too_little()).map(|one| one.check.clone());
            exploits.chain(failed).map(|fault| format!("; {fault}")).collect()
        });
        let foot_clearance = own.measures[Measure::FootClearance];
        Report { fitness: own.fitness, foot_clearance, verdict: found.map(|found| found.verdict), faults }
    }
}

/// Returns indices with the distance to the nearest of those before (for the first two: between them). The sum of the
/// least distances is not the greatest possible, but every choice is far from all others.
fn pick(
    mut left: Vec<usize>,
    count: usize,
    distance: impl Fn(usize, usize) -> f64,
    is_full: impl Fn(&[usize], usize) -> bool,
) -> Vec<(usize, f64)> {
    let (mut chosen, mut picked) = (Vec::new(), Vec::new());
    while picked.len() < count {
        left.retain(|&index| !chosen.contains(&index) && !is_full(&chosen, index));
        let nearest = |index: usize| match chosen.is_empty() {
            // The first one is part of the pair that differs most.
            true => left.iter().map(|&other| distance(index, other)).fold(0.0, f64::max),
            false => chosen.iter().map(|&other| distance(index, other)).fold(f64::INFINITY, f64::min),
        };
        // Of equal ones, the first.
        let Some(next) = left.iter().copied().rev().max_by(|&a, &b| nearest(a).total_cmp(&nearest(b))) else { break };
        picked.push((next, nearest(next)));
        chosen.push(next);
    }
    picked
}

/// Computes one result for each item, on one thread per core.
fn on_all_cores<T: Sync, R: Send>(items: &[T], compute: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = compute(item);
                    results.lock().expect("no thread panics while it holds the lock").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics while it holds the lock");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
