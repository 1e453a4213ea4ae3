//! The contest over the cube: whether later champions beat earlier ones, and whether body and brain together beat the
//! brain alone from the same founders.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use burgess_creature::Phenotype;
use burgess_creature::evaluation::{MatchSettings, play_match};
use burgess_evolution::{Archive, RunConfig};
use serde::{Deserialize, Serialize};

use crate::experiment_run::evolve;
use crate::folders::Folders;

/// Seeds of the runs of each kind.
pub const ALL_SEEDS: RangeInclusive<u64> = 1..=3;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/evolution/experiments/contest.toml");

/// The tenth generation, counted from 0.
const EARLY: u64 = 9;

/// Number of pairs of trials in each match.
const PAIRS: u32 = 8;

/// Seed of the conditions of the matches.
const MATCH_SEED: u64 = 0x6d61_7463;

/// Result of the runs with one seed.
#[derive(Debug, Serialize, Deserialize)]
pub struct ContestOutcome {
    seed: u64,
    generations: u64,
    /// Share of the points that the champions of the last generation won against those of the tenth.
    last_against_early: f64,
    /// The same for the champions of the last generations of body and brain together against brain alone.
    against_brain_alone: f64,
    /// Number of trials of each of the two.
    trials: usize,
    /// Tournament of champions, as the command line reports it.
    tournament: Tournament,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tournament {
    players: Vec<Player>,
    trials: usize,
    triples: usize,
    intransitive_share: Option<f64>,
    first_side_score: f64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Player {
    generation: u64,
    side: usize,
    elo: f64,
    elo_error: f64,
}

/// Performs the runs with one seed, unless they are complete, and plays the matches.
pub fn run(seed: u64, folders: &Folders) -> Result<()> {
    let config = RunConfig { seed, ..read()? };
    if outcome(seed, folders).is_some() {
        return Ok(());
    }
    let mut brain = config.clone();
    brain.genomes.legged.freeze_body = true;
    let name = run_name(seed);
    let both = evolve(&folders.run(&name), &config, &name)?;
    let name_of_brain = format!("contest-brain-{seed}");
    let brain = evolve(&folders.run(&name_of_brain), &brain, &name_of_brain)?;
    let last = last_generation(&both)?;
    let champions = champions_of(&both, last)?;
    let (last_against_early, trials) = score(&champions, &champions_of(&both, EARLY)?, &both)?;
    let (against_brain_alone, _) = score(&champions, &champions_of(&brain, last_generation(&brain)?)?, &both)?;
    let found = ContestOutcome {
        seed,
        generations: last + 1,
        last_against_early,
        against_brain_alone,
        trials,
        tournament: tournament(seed, folders)?,
    };
    eprintln!("{name}: {found:?}");
    folders.write(&name, &config, found)
}

fn read() -> Result<RunConfig> {
    let text = std::fs::read_to_string(FILE).with_context(|| FILE.to_string())?;
    Ok(RunConfig::from_toml(&text, FILE)?)
}

fn run_name(seed: u64) -> String {
    format!("contest-{seed}")
}

fn matrix_file(seed: u64, folders: &Folders) -> PathBuf {
    folders.pictures().join(format!("contest-{seed}.svg"))
}

fn outcome(seed: u64, folders: &Folders) -> Option<ContestOutcome> {
    folders.read(&run_name(seed), &RunConfig { seed, ..read().ok()? })
}

fn last_generation(archive: &Archive) -> Result<u64> {
    let all = archive.side_champions()?;
    all.iter().map(|champion| champion.generation).max().context("the contest has no champions")
}

/// The champions of both sides in a generation.
fn champions_of(archive: &Archive, generation: u64) -> Result<Vec<Phenotype>> {
    let physiology = archive.config()?.task.physiology;
    let mut grown = Vec::new();
    for champion in archive.side_champions()?.iter().filter(|champion| champion.generation == generation) {
        grown.push(archive.individual(champion.id)?.genome.grow(&physiology)?);
    }
    Ok(grown)
}

/// Share of the points that some creatures win against others, and the number of trials.
fn score(some: &[Phenotype], others: &[Phenotype], archive: &Archive) -> Result<(f64, usize)> {
    let task = archive.config()?.task;
    let settings = MatchSettings { pairs: PAIRS, seed: MATCH_SEED, record: None };
    let (mut points, mut trials) = (0.0, 0);
    for one in some {
        for other in others {
            let result = play_match([one, other], &task, &settings, |_| ())?;
            points += result.score().context("the match has no trials")? * result.trials.len() as f64;
            trials += result.trials.len();
        }
    }
    ensure!(trials > 0, "the contest has no champions");
    Ok((points / trials as f64, trials))
}

/// Lets the champions of seven generations play with the command line, which draws their matrix.
fn tournament(seed: u64, folders: &Folders) -> Result<Tournament> {
    let program = std::env::current_exe()?.with_file_name("burgess");
    let played = Command::new(program)
        .arg("tournament")
        .arg(folders.run(&run_name(seed)))
        .args(["--generations", "7", "--pairs", "2", "--json", "-o"])
        .arg(matrix_file(seed, folders))
        .output()?;
    ensure!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    Ok(serde_json::from_slice(&played.stdout)?)
}

/// Writes the chapter of the page.
pub fn chapter(folders: &Folders) -> Result<String> {
    let found: Vec<ContestOutcome> = ALL_SEEDS.filter_map(|seed| outcome(seed, folders)).collect();
    if found.is_empty() {
        return Ok(String::new());
    }
    let config = read()?;
    let mut text = format!(
        "## Contest over the cube\n\nTwo species contend for the cube (Sims 1994b) in {} evaluations. Each individual \
         meets the last champion of the other species and one of its earlier champions, the same for all of a \
         generation; champions are chosen by [adjusted fitness](../evolution.md#contests). 'Last against tenth' is the \
         share of the points that the champions of the last generation win against those of the tenth; the target is \
         70 %. 'Against brain alone' is that of the champions of body and brain together against those of a run with \
         the same founders whose bodies are frozen; the target is 60 %. 'First side' is the share of the points that \
         creatures win on the first side of the arena; the target is 50 % with an error of at most 2.5 %.\n\n",
        config.evaluations
    );
    text += "| seed | generations | last against tenth | against brain alone | trials of each | first side | \
             intransitive triples |\n|---:|---:|---:|---:|---:|---:|---:|\n";
    for one in &found {
        let intransitive = one.tournament.intransitive_share.map_or("-".to_string(), percent);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {intransitive} of {} |",
            one.seed,
            one.generations,
            percent(one.last_against_early),
            percent(one.against_brain_alone),
            one.trials,
            percent(one.tournament.first_side_score),
            one.tournament.triples
        );
    }
    let mean = |value: fn(&ContestOutcome) -> f64| percent(found.iter().map(value).sum::<f64>() / found.len() as f64);
    let _ = writeln!(
        text,
        "| mean | | {} | {} | | {} | |",
        mean(|one| one.last_against_early),
        mean(|one| one.against_brain_alone),
        mean(|one| one.tournament.first_side_score)
    );
    text += &ratings(&found);
    for one in &found {
        let _ = writeln!(text, "\n![matrix of the champions of seed {0}](evolution/contest-{0}.svg)", one.seed);
    }
    Ok(text + "\n")
}

/// Returns a table with the Elo ratings of the champions.
fn ratings(found: &[ContestOutcome]) -> String {
    let mut text = "\nChampions of seven generations of each run, all against all: Elo ratings with standard errors. \
         The pictures show the share of the points that the champion of the row wins against that of the column.\n\n\
         | generation |"
        .to_string();
    for one in found {
        let _ = write!(text, " seed {0}, A | seed {0}, B |", one.seed);
    }
    let _ = write!(text, "\n|---:|{}", "---:|---:|".repeat(found.len()));
    let mut generations: Vec<u64> =
        found.iter().flat_map(|one| &one.tournament.players).map(|player| player.generation).collect();
    generations.sort_unstable();
    generations.dedup();
    for generation in generations {
        let _ = write!(text, "\n| {generation} |");
        for (one, side) in found.iter().flat_map(|one| [(one, 0), (one, 1)]) {
            let player = one.tournament.players.iter().find(|one| (one.generation, one.side) == (generation, side));
            let rating = player.map_or("-".to_string(), |one| format!("{:.0} ± {:.0}", one.elo, one.elo_error));
            let _ = write!(text, " {rating} |");
        }
    }
    text + "\n"
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_contest_has_competing_populations() {
        assert!(super::read().unwrap().has_rivals());
    }
}
