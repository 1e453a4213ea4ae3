//! The report at the end of a run.

use std::fmt::Write;

use anyhow::Result;
use burgess_evolution::{ArchiveError, Individual, Run, Spread};
use indicatif::{HumanCount, HumanDuration};
use serde::Serialize;

use super::progress::EvaluationTotals;
use crate::output::counted;
use crate::program::program;

/// The report. Scripts rely on its fields.
#[derive(Serialize)]
pub struct Report {
    run: String,
    task: String,
    seed: u64,
    evaluations: u64,
    generations: u64,
    best: Option<u64>,
    best_fitness: f64,
    best_body_lengths: f64,
    archive_hash: String,
    wall_seconds: f64,
    creature_seconds: f64,
    /// Not known for workers on other machines.
    creature_seconds_per_core_second: Option<f64>,
    faulty: u64,
    unviable: u64,
    /// Number of evaluations that were retests.
    retests: u64,
    /// Spread of the champion's fitness over its evaluations.
    best_spread: Option<Spread>,
    /// Number of stages of the run.
    stages: usize,
    /// Number of the stage that the last individual belongs to, from 1.
    stage: usize,
    #[serde(skip)]
    nothing_to_do: bool,
}

impl Report {
    /// Creates the report of a run's current state. `evaluated` and `wall_seconds` are those of this process.
    pub fn new(
        run: &Run,
        evaluated: EvaluationTotals,
        wall_seconds: f64,
        cores: Option<usize>,
    ) -> Result<Self, ArchiveError> {
        let (archive, config) = (run.archive(), run.config());
        let champion = match archive.champion() {
            Ok(champion) => Some(champion),
            Err(ArchiveError::NoneScored(_)) => None,
            Err(other) => return Err(other),
        };
        let totals = archive.totals()?;
        let best_spread = champion.as_ref().map(|champion| archive.spread(champion.id)).transpose()?.flatten();
        let body_lengths = |champion: &Individual| champion.result.body_lengths(config.task_at(champion.id));
        Ok(Self {
            run: archive.file().display().to_string(),
            task: config.task.name.clone(),
            seed: config.seed,
            evaluations: archive.count(),
            generations: totals.generations,
            best: champion.as_ref().map(|champion| champion.id),
            best_fitness: champion.as_ref().map_or(0.0, |champion| champion.result.fitness),
            best_body_lengths: champion.as_ref().map_or(0.0, body_lengths),
            archive_hash: format!("{:016x}", archive.hash()),
            wall_seconds,
            creature_seconds: totals.creature_seconds,
            creature_seconds_per_core_second: cores
                .map(|cores| evaluated.seconds / (wall_seconds * cores as f64).max(1e-9)),
            faulty: totals.faulty,
            unviable: totals.unviable,
            retests: totals.retests,
            best_spread,
            stages: config.stage_count(),
            stage: config.stage_of(archive.count().saturating_sub(1)) + 1,
            nothing_to_do: run.is_done() && evaluated.count == 0,
        })
    }

    /// Formats the report for people.
    pub fn summary(&self, run: &Run) -> Result<String> {
        let Self { run: file, task, seed, evaluations, generations, faulty, unviable, .. } = self;
        let mut text = format!("{task}, seed {seed}: {} evaluations", HumanCount(*evaluations));
        let generations = counted(*generations, "generation", "generations");
        write!(text, " in {generations}, {} of simulated time", duration(self.creature_seconds))?;
        writeln!(text, " in {}", duration(self.wall_seconds))?;
        if let Some(best) = self.best {
            let curve: Vec<f64> = run.archive().curve()?.iter().map(|generation| generation.best).collect();
            let top = curve.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            writeln!(text, "  fitness   {}  (best of each generation)", bars(&curve, top))?;
            writeln!(text, "  champion  number {best}: fitness {:.3}", self.best_fitness)?;
            let is_contest = run.config().task.contest.is_some();
            match self.best_spread.filter(|spread| spread.draws > 1) {
                Some(Spread { draws, lowest, median, highest, .. }) => {
                    writeln!(
                        text,
                        "            {lowest:.2} to {highest:.2}, median {median:.2}, in {draws} evaluations"
                    )?;
                    if top > highest {
                        writeln!(text, "            others reached {top:.2}, but not reliably")?;
                    }
                }
                None if is_contest => {
                    writeln!(
                        text,
                        "            against the opponents of its generation; `tournament` compares generations"
                    )?;
                }
                None => writeln!(text, "            evaluated once only, so it may be lucky; a longer run repeats it")?,
            }
            if self.best_body_lengths >= 1.0 && !is_contest {
                writeln!(text, "            {:.1} body lengths in 10 s", self.best_body_lengths)?;
            }
        } else {
            writeln!(text, "  no creature has a fitness yet")?;
        }
        if *faulty > 0 {
            writeln!(text, "  faulty    {faulty}, excluded because their simulation was invalid")?;
        }
        if *unviable > 0 {
            writeln!(text, "  unviable  {unviable}, excluded because they cannot start")?;
        }
        writeln!(text, "  archive   {file}, hash {}", self.archive_hash)?;
        let burgess = program();
        if self.nothing_to_do {
            writeln!(
                text,
                "\nAll evaluations were done already. Extend the run with:\n  {burgess} resume {file} --evaluations N"
            )?;
        }
        if !run.is_done() {
            writeln!(text, "\nStopped early. Continue with:\n  {burgess} resume {file}")?;
        }
        if self.best.is_some() && run.config().task.crowd.is_some() {
            write!(
                text,
                "\nLook at the tuned crowd:\n  {burgess} export {file} --to scene -o tuned.toml\n  {burgess} watch tuned.toml\n"
            )?;
        } else if self.best.is_some() {
            write!(
                text,
                "\nLook at the champion:\n  {burgess} watch {file}\n  {burgess} picture {file} --strobe 5 --at 4 -o champion.svg\n  \
                 {burgess} verify {file}\n  {burgess} lineage {file}\n"
            )?;
            if run.config().task.contest.is_some() {
                writeln!(text, "  {burgess} tournament {file}")?;
            }
        }
        Ok(text)
    }
}

/// Draws a curve as a row of bars, the highest for `top`.
fn bars(curve: &[f64], top: f64) -> String {
    const WIDTH: usize = 48;
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let columns = WIDTH.min(curve.len());
    let bar = |column: usize| {
        let best = curve[column * curve.len() / columns];
        BARS[((best / top * 7.999) as usize).min(7)]
    };
    (0..columns).map(bar).collect()
}

fn duration(seconds: f64) -> String {
    HumanDuration(std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e12))).to_string()
}
