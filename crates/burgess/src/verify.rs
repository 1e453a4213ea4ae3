//! `burgess verify`: checks whether a creature's fitness is genuine.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use burgess_creature::evaluation::{Evaluation, Side};
use burgess_creature::verify::{Request, Retained, Verdict, Verification, VerifySettings, verify_against};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::creature_argument::{ArenaArguments, named_creature};
use crate::output::print;
use crate::referee::{Referee, RefereeReport};

/// Check whether a creature's fitness is genuine
///
/// The creature is evaluated again with half and an eighth of the step length, with new draws (the same evaluation with
/// other seeds), and with other friction and initial poses; energy and momentum balances are audited. With --full the
/// other paradigms are included. The report lists the share of the fitness that remains in each case, the share of trials in
/// which the creature falls (it keeps less than half of the fitness), and known exploits that it resembles.
///
/// Only the gain over a baseline counts as fitness: over standing still or, in a contest, over the limp twin (the same
/// body with slack muscles) against the same opponent. The opponent is that of the run, or else the limp twin.
///
/// The verdict is one of: sound (no exploit; at least 80 % of the fitness remains with half the step length, in the
/// median of new draws and in the median of perturbed trials, at least 75 % in the mean of trials with an eighth of the
/// step length, and at least 70 % in the worst of the new draws), fragile (no exploit, but less fitness remains), exploit
/// (a known exploit was found), refused (there is no fitness to check: the body is not viable, the simulation was
/// invalid, or the fitness is zero or at most the baseline). Other paradigms and other friction are reported but are not
/// part of the verdict.
///
/// Exit code 1: the verdict is exploit or refused.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess verify walker                     a built-in creature
  burgess verify mine.json --task swim      your own creature, in water
  burgess verify walker --referee mujoco    also in MuJoCo, by the Python package
  burgess verify walker --full --json       with the slow paradigms, as JSON for scripts")]
pub struct Verify {
    /// Name of a built-in creature (`burgess creatures` lists them), creature file (.json), run (its champion), or
    /// RUN#NUMBER
    #[arg(value_name = "CREATURE|RUN")]
    creature: String,
    #[command(flatten)]
    arena: ArenaArguments,
    /// Evaluate with N new seeds and use the median and the worst of their fitness
    #[arg(long, value_name = "N", default_value_t = VerifySettings::default().draws)]
    draws: u32,
    /// Run N perturbed trials and use the median of their fitness
    #[arg(long, value_name = "N", default_value_t = VerifySettings::default().perturbed)]
    trials: u32,
    /// Run N trials with an eighth of the step length and use the mean of their fitness
    #[arg(long, value_name = "N", default_value_t = VerifySettings::default().fine)]
    fine: u32,
    /// Include the other paradigms, which are slow
    #[arg(long)]
    full: bool,
    /// Also evaluate the creature while another simulator moves its body; needs the Python package of Burgess. For
    /// information: it is not part of the verdict
    #[arg(long, value_name = "NAME", value_enum)]
    referee: Option<Referee>,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// The report. Scripts rely on its fields.
#[derive(Serialize)]
struct Report<'a> {
    creature: &'a str,
    task: &'a str,
    outcome: &'static str,
    reason: Option<String>,
    fitness: f64,
    /// Fitness of standing still or, in a contest, of the limp twin against the same opponent.
    baseline: f64,
    retained: &'a [Retained],
    /// Number of new draws.
    draws: usize,
    median_of_draws: f64,
    worst_of_draws: f64,
    /// Share of the trials of all new draws in which the creature fell.
    fall_share: f64,
    /// Names of the checks in which less is retained than a sound creature retains.
    failed_checks: Vec<&'a str>,
    exploits: Vec<&'static str>,
    verdict: &'static str,
    /// Fitness while another simulator moves the body, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    referee: Option<RefereeReport>,
}

impl Verify {
    /// Verifies the creature and prints the report.
    pub fn run(&self) -> Result<ExitCode> {
        let creature = named_creature(&self.creature)?;
        for (option, count) in [("--draws", self.draws), ("--trials", self.trials), ("--fine", self.fine)] {
            if !(1..=10_000).contains(&count) {
                bail!("{option} must be from 1 to 10000, found {count}");
            }
        }
        let (task, seed) = self.arena.arena().task_and_seed(&creature)?;
        if task.crowd.is_some() {
            bail!("the task '{}' tunes a crowd, and only creatures are verified", task.name);
        }
        if task.contest.is_some() && self.referee.is_some() {
            bail!("--referee: the task '{}' is played by two creatures; choose a task of one creature", task.name);
        }
        // First, because it may not be installed.
        let judge = |referee: Referee| referee.judge(&self.creature, &self.arena.arena());
        let referee = self.referee.map(judge).transpose()?;
        let settings =
            VerifySettings { draws: self.draws, perturbed: self.trials, fine: self.fine, paradigms: self.full };
        let bar = ProgressBar::new(settings.evaluations().into());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        let opponent = creature.opponent.as_ref().map_or((None, Side::First), |(other, side)| (other.as_ref(), *side));
        let run = |requests: &[Request]| on_all_cores(requests, &bar);
        let found = verify_against(&creature.file.genome, opponent, &task, seed, &settings, run);
        bar.finish_and_clear();
        let reason = found.outcome.reason();
        let report = Report {
            creature: &self.creature,
            task: &task.name,
            outcome: found.outcome.name(),
            reason,
            fitness: found.fitness,
            baseline: found.baseline,
            retained: &found.retained,
            draws: found.draws.fitness.len(),
            median_of_draws: found.draws.median,
            worst_of_draws: found.draws.worst,
            fall_share: found.draws.fall_share(),
            failed_checks: failed_checks(&found),
            exploits: found.exploits.iter().map(|exploit| exploit.name()).collect(),
            verdict: found.verdict.name(),
            referee,
        };
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.table(&found) })?;
        let is_fine = matches!(found.verdict, Verdict::Sound | Verdict::Fragile);
        Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Carries out requests on one thread per core. The results do not depend on the threads.
fn on_all_cores(requests: &[Request], bar: &ProgressBar) -> Vec<Evaluation> {
    let results: Vec<Mutex<Option<Evaluation>>> = requests.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(requests.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((request, result)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    requests.get(index).zip(results.get(index))
                } {
                    bar.set_message(request.what);
                    let evaluation = request.evaluate();
                    *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(evaluation);
                    bar.inc(1);
                }
            });
        }
    });
    let evaluated = |result: Mutex<_>| result.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(evaluated).collect()
}

/// Names of the checks in which less is retained than a sound creature retains.
fn failed_checks(found: &Verification) -> Vec<&str> {
    found.retained.iter().filter(|one| one.is_too_little()).map(|one| one.check.as_str()).collect()
}

impl Report<'_> {
    fn table(&self, found: &Verification) -> String {
        let mut text = format!("{} at {}: fitness {:.4}\n", self.creature, self.task, self.fitness);
        if found.baseline != 0.0 {
            text += &format!("  {:24} {:10.4}  does not count\n", "baseline", found.baseline);
        }
        if let Some(reason) = &self.reason {
            text += &format!("  {}: {reason}\n", self.outcome);
        }
        for Retained { check, fitness, outcome, reason, required, fraction, reference, .. } in self.retained {
            let mut note = match required {
                Some(least) if fraction < least => format!("(below {:.0} %)", 100.0 * least),
                Some(_) => String::new(),
                None => "(for information)".to_string(),
            };
            if let Some(reason) = reason {
                note = format!("{outcome}: {reason} {note}");
            }
            // Means of other trials than those of the fitness are compared with the mean of the same trials.
            if format!("{reference:.4}") != format!("{:.4}", self.fitness) {
                note = format!("of {reference:.4} {note}");
            }
            let line = format!("  {check:24} {fitness:10.4} {:6.0} %  {note}", 100.0 * fraction);
            text += &format!("{}\n", line.trim_end());
        }
        if found.draws.trials > 0 {
            let (falls, trials) = (found.draws.falls, found.draws.trials);
            text += &format!("  {:24} {falls} of {trials} trials of the new draws\n", "falls");
        }
        if let Some(referee) = &self.referee {
            let check = format!("in {}", referee.referee);
            let note = referee.reason.as_ref().map_or_else(String::new, |why| format!("{}: {why} ", referee.outcome));
            let share = 100.0 * referee.fraction;
            text += &format!("  {check:24} {:10.4} {share:6.0} %  {note}(for information)\n", referee.fitness);
        }
        for exploit in &found.exploits {
            text += &format!("  resembles {}: {}\n", exploit.name(), exploit.description());
        }
        text + &match found.verdict {
            Verdict::Sound => "sound: its fitness holds in all checks\n".to_string(),
            Verdict::Fragile => {
                format!(
                    "fragile: too much of its fitness is lost under small changes: {}\n",
                    self.failed_checks.join("; ")
                )
            }
            Verdict::Exploit => "exploit: its fitness is not genuine\n".to_string(),
            Verdict::Refused if self.fitness > 0.0 => "refused: it scores no more than the baseline\n".to_string(),
            Verdict::Refused => "refused: it has no fitness\n".to_string(),
        }
    }
}
