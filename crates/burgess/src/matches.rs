//! `burgess match`: two creatures play a contest against each other.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use burgess_catalog::{CatalogError, Creature, find_task};
use burgess_creature::Phenotype;
use burgess_creature::evaluation::{Decision, MAX_PAIRS, MatchError, MatchResult, MatchSettings, Record, play_match};
use burgess_creature::task::Task;
use burgess_files::write_atomically;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::Failed;
use crate::creature_argument::named_creature;
use crate::output::{check_destination, counted, print};
use crate::program::program;

/// Task used when neither creature comes from a contest.
const DEFAULT_TASK: &str = "contest";
/// Folder of recordings whose file the user did not choose.
const FOLDER: &str = "matches";
/// Frames per second of the recording.
const RATE: f64 = 60.0;

/// Let two creatures play a contest against each other
///
/// Trials come in pairs with the same conditions. In the second trial of a pair the creatures have exchanged sides. A
/// trial is won by the higher fitness; a difference of at most 1 % of the sum is a draw. One trial is recorded, for
/// `burgess watch`: creature A is the one on the left (at negative x) in trials 1, 3, 5 and so on.
#[derive(Args)]
#[command(
    name = "match",
    after_help = "Examples:
  burgess match walker hexapod                          eight trials over the cube
  burgess match a.json b.json --task sumo --pairs 10    another contest, twenty trials
  burgess match runs/one.burgess runs/two.burgess       the champions of two runs
  burgess watch matches/walker-hexapod-contest.bur      the recorded trial"
)]
pub struct Match {
    /// Creature A: name of a built-in creature (`burgess creatures` lists them), creature file (.json), run (its
    /// champion), or RUN#NUMBER
    #[arg(value_name = "A")]
    a: String,
    /// Creature B, chosen in the same way
    #[arg(value_name = "B")]
    b: String,
    /// Play this contest: a name (`burgess tasks` lists them) or a file [default: the contest that A or B evolved in, or
    /// contest]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Play N pairs of trials
    #[arg(long, value_name = "N", default_value_t = MatchSettings::default().pairs)]
    pairs: u32,
    /// Set the seed of the conditions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Record to this file [default: matches/A-B-TASK.bur]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Record this trial, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    trial: u32,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// The report. Scripts rely on its fields.
#[derive(Serialize)]
struct Report<'a> {
    a: &'a str,
    b: &'a str,
    task: &'a str,
    trials: usize,
    wins_a: usize,
    wins_b: usize,
    draws: usize,
    fitness_a: f64,
    fitness_b: f64,
    /// Share of the points of A (a draw is half a point) on the first and on the second side.
    score_a_by_side: [f64; 2],
    /// Number of trials that were not completed, because motion was faulty or a creature crossed its starting line before
    /// they began. Their fitness is 0, and the creature that caused it lost.
    faulty: usize,
    state_hash: String,
    /// File of the recording, if the recorded trial was not faulty.
    recording: Option<String>,
}

impl Match {
    /// Plays the match, records a trial and prints the result.
    pub fn run(&self) -> Result<ExitCode> {
        let words = [self.a.as_str(), &self.b];
        let creatures = [named_creature(words[0])?, named_creature(words[1])?];
        let task = self.task_of(&creatures)?;
        let grow = |index: usize| -> Result<Phenotype> {
            let grown = creatures[index].file.genome.grow(&task.physiology);
            grown.map_err(|reason| CatalogError::Unviable { creature: words[index].to_string(), reason }.into())
        };
        if task.contest.is_none() {
            return Err(refused(MatchError::NoContest { task: task.name.clone() }, words));
        }
        if !(1..=MAX_PAIRS).contains(&self.pairs) {
            return Err(refused(MatchError::Pairs(self.pairs), words));
        }
        if self.trial < 1 || u64::from(self.trial) > 2 * u64::from(self.pairs) {
            bail!("--trial must be from 1 to {}, found {}", 2 * u64::from(self.pairs), self.trial);
        }
        self.record.as_deref().map_or(Ok(()), check_destination)?;
        let grown = [grow(0)?, grow(1)?];
        let record = Some(Record { trial: self.trial - 1, rate: RATE });
        let settings = MatchSettings { pairs: self.pairs, seed: self.seed, record };
        let bar = ProgressBar::new(2 * u64::from(self.pairs));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} trials") {
            bar.set_style(style);
        }
        let played = play_match([&grown[0], &grown[1]], &task, &settings, |_| bar.inc(1));
        bar.finish_and_clear();
        let played = played.map_err(|error| refused(error, words))?;
        let recording = self.write(&played, &creatures, &task)?;
        let report = Report::new(words, &task, &played, recording);
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.table() })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The task that the user chose, or the contest that a creature evolved in. Muscles are those of the creatures if
    /// both have the same.
    fn task_of(&self, creatures: &[Creature; 2]) -> Result<Task> {
        let own = || creatures.iter().find_map(|one| one.task.clone().filter(|task| task.contest.is_some()));
        let mut task = match &self.task {
            Some(asked) => find_task(asked)?,
            None => own().map_or_else(|| find_task(DEFAULT_TASK), Ok)?,
        };
        let [a, b] = [0, 1].map(|index| creatures[index].file.physiology.unwrap_or(task.physiology));
        if a == b {
            task.physiology = a;
        }
        Ok(task)
    }

    /// Writes the recording and returns the name of its file.
    fn write(&self, played: &MatchResult, creatures: &[Creature; 2], task: &Task) -> Result<Option<String>> {
        let Some(bytes) = &played.recording else { return Ok(None) };
        let [a, b] = [0, 1].map(|index| file_name(&creatures[index].file.name));
        let file = match &self.record {
            Some(file) => file.clone(),
            None => Path::new(FOLDER).join(format!("{a}-{b}-{}.bur", file_name(&task.name))),
        };
        let failed = |error: std::io::Error| Failed(anyhow!("cannot record to {}: {error}", file.display()));
        if let Some(folder) = file.parent().filter(|_| self.record.is_none()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        write_atomically(&file, bytes).map_err(failed)?;
        Ok(Some(file.display().to_string()))
    }
}

/// A name as part of a file's name.
fn file_name(name: &str) -> String {
    name.chars().map(|letter| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' }).collect()
}

/// An error that names the creatures as the user did.
fn refused(error: MatchError, words: [&str; 2]) -> anyhow::Error {
    match error {
        MatchError::CannotStart { creature, reason } => {
            anyhow!("'{}' cannot start: {reason}; choose another creature", words[creature.min(1)])
        }
        MatchError::Pairs(_) => anyhow!("--pairs: {error}"),
        MatchError::NoContest { .. } => error.into(),
    }
}

impl<'a> Report<'a> {
    fn new([a, b]: [&'a str; 2], task: &'a Task, played: &MatchResult, recording: Option<String>) -> Self {
        let [fitness_a, fitness_b] = played.mean_fitness();
        Self {
            a,
            b,
            task: &task.name,
            trials: played.trials.len(),
            wins_a: played.count(Decision::Won),
            wins_b: played.count(Decision::Lost),
            draws: played.count(Decision::Drawn),
            fitness_a,
            fitness_b,
            score_a_by_side: played.score_by_side().map(Option::unwrap_or_default),
            faulty: played.trials.iter().filter(|trial| trial.fault.is_some()).count(),
            state_hash: format!("{:016x}", played.state_hash()),
            recording,
        }
    }

    fn table(&self) -> String {
        let Self { a, b, wins_a, wins_b, fitness_a, fitness_b, .. } = self;
        let winner = match wins_a.cmp(wins_b) {
            std::cmp::Ordering::Greater => format!("A wins: {a}"),
            std::cmp::Ordering::Less => format!("B wins: {b}"),
            std::cmp::Ordering::Equal => "neither wins".to_string(),
        };
        let trials = counted(self.trials as u64, "trial", "trials");
        let mut text = format!("{winner} (task {}, {trials}, {})\n", self.task, counted_draws(self.draws));
        text += &format!("  A  {a}: {}, mean fitness {fitness_a:.4}\n", counted(*wins_a as u64, "win", "wins"));
        text += &format!("  B  {b}: {}, mean fitness {fitness_b:.4}\n", counted(*wins_b as u64, "win", "wins"));
        let [first, second] = self.score_a_by_side.map(|score| 100.0 * score);
        text += &format!("  points of A: {first:.0} % on the first side, {second:.0} % on the second\n");
        if self.faulty > 0 {
            text += &format!("  {} ended with a fault\n", counted(self.faulty as u64, "trial", "trials"));
        }
        text += &format!("  hash {}\n", self.state_hash);
        if let Some(file) = &self.recording {
            text += &format!("  recorded: {file} (`{} watch {file}` shows it)\n", program());
        }
        text
    }
}

fn counted_draws(draws: usize) -> String {
    counted(draws as u64, "draw", "draws")
}
