//! `burgess tournament`: the champions of a contest play against each other.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use burgess_catalog::Subject;
use burgess_evolution::tournament::{Player, Tournament, TournamentSettings, play_tournament};
use burgess_evolution::{Archive, Id, SideSummary};
use burgess_files::write_atomically;
use burgess_pictures::ScoreMatrix;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::Failed;
use crate::notices::notice;
use crate::output::{check_destination, counted, print};

/// Let the champions of a contest play against each other
///
/// The best of each side and generation play all against all, on both sides (a master tournament). The report has their
/// Elo ratings with standard errors, the share of intransitive triples (A beats B, B beats C, C beats A), and the leader
/// of each side. With -o, the matrix of scores is drawn. --json also has the win rates of each generation in the run.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess tournament runs/contest-1.burgess                       champions of ten generations
  burgess tournament runs/contest-1.burgess --generations 30 -o matrix.svg
  burgess tournament runs/contest-1.burgess --json                for a script")]
pub struct TournamentCommand {
    /// File of a run whose task is a contest
    #[arg(value_name = "RUN")]
    run: String,
    /// Choose the champions of N generations: the first, the last, and others at equal distances
    #[arg(long, value_name = "N", default_value_t = TournamentSettings::default().generations)]
    generations: usize,
    /// Play N pairs of trials in each match
    #[arg(long, value_name = "N", default_value_t = TournamentSettings::default().pairs)]
    pairs: u32,
    /// Set the seed of the conditions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Use N threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Draw the matrix of scores to this file, whose name must end in .svg
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// The report. Scripts rely on its fields.
#[derive(Serialize)]
struct Report {
    run: String,
    task: String,
    trials: usize,
    players: Vec<PlayerReport>,
    /// Share of the points that the player of the row won against that of the column, in the order of the players.
    matrix: Vec<Vec<Option<f64>>>,
    /// Number of triples of which every pair has a winner.
    triples: usize,
    /// Share of these that are intransitive.
    intransitive_share: Option<f64>,
    /// Ids of the players with the highest rating of each side.
    leaders: Vec<Id>,
    /// Share of the points that the champions of the last generation won against those of each earlier one.
    last_against: Vec<GenerationScore>,
    /// Share of the points that were won on the first side of the arena.
    first_side_score: f64,
    /// Results of each generation and side in the run itself.
    win_rates: Vec<WinRate>,
    state_hash: String,
}

#[derive(Serialize)]
struct PlayerReport {
    id: Id,
    generation: u64,
    side: usize,
    elo: f64,
    elo_error: f64,
    score: Option<f64>,
}

#[derive(Serialize)]
struct GenerationScore {
    generation: u64,
    score: f64,
}

#[derive(Serialize)]
struct WinRate {
    generation: u64,
    side: usize,
    leader: Option<Id>,
    meetings: u64,
    score: Option<f64>,
}

impl TournamentCommand {
    /// Plays the tournament and prints the report.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(file) = &self.output {
            if !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
                bail!("-o {}: the name of a picture must end in .svg", file.display());
            }
            check_destination(file)?;
        }
        let subject = Subject::resolve(&self.run)?;
        let Subject::Run(file) = &subject else { return Err(subject.wrong_kind("a run").into()) };
        let mut archive = Archive::open_read_only(file)?;
        archive.survey()?;
        archive.damage_report().iter().for_each(|report| notice(report));
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let settings =
            TournamentSettings { generations: self.generations, pairs: self.pairs, seed: self.seed, threads };
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} matches") {
            bar.set_style(style);
        }
        let played = play_tournament(&archive, &settings, |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let played = played?;
        let report = Report::new(&self.run, &archive.config()?.task.name, &played, &archive.side_summaries()?);
        if let Some(file) = &self.output {
            let svg = picture(&report, &played).svg().map_err(|error| Failed(error.into()))?;
            write_atomically(file, svg.as_bytes())
                .map_err(|error| Failed(anyhow!("{}: cannot be written: {error}", file.display())))?;
        }
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.table(&played) })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A short name of a player: its side and generation.
fn label(player: &Player) -> String {
    format!("{}, gen. {}", ["A", "B"][player.side.index()], player.generation)
}

fn picture(report: &Report, played: &Tournament) -> ScoreMatrix {
    ScoreMatrix {
        title: format!("{}: champions of each side and generation", report.task),
        labels: played.players.iter().map(label).collect(),
        scores: report.matrix.iter().flatten().copied().collect(),
        ..ScoreMatrix::default()
    }
}

impl Report {
    fn new(run: &str, task: &str, played: &Tournament, summaries: &[SideSummary]) -> Self {
        let count = played.players.len();
        let players = played.players.iter().enumerate().map(|(index, player)| PlayerReport {
            id: player.id,
            generation: player.generation,
            side: player.side.index(),
            elo: player.rating.elo,
            elo_error: player.rating.error,
            score: played.scores.total_score(index),
        });
        let matrix = (0..count).map(|row| (0..count).map(|column| played.scores.score(row, column)).collect());
        let mut generations: Vec<u64> = played.players.iter().map(|player| player.generation).collect();
        generations.sort_unstable();
        generations.dedup();
        let last = generations.pop().unwrap_or(0);
        let against = |generation: u64| {
            let score = played.score_of_generations(last, generation)?;
            Some(GenerationScore { generation, score })
        };
        let triples = played.scores.triples();
        let rate = |one: &SideSummary| WinRate {
            generation: one.generation,
            side: one.side.index(),
            leader: one.leader,
            meetings: one.meetings,
            score: one.score(),
        };
        Self {
            run: run.to_string(),
            task: task.to_string(),
            trials: played.trials,
            players: players.collect(),
            matrix: matrix.collect(),
            triples: triples.decided,
            intransitive_share: triples.intransitive_share(),
            leaders: played.leaders().iter().map(|player| player.id).collect(),
            last_against: generations.into_iter().filter_map(against).collect(),
            first_side_score: played.first_side_score,
            win_rates: summaries.iter().map(rate).collect(),
            state_hash: format!("{:016x}", played.hash),
        }
    }

    fn table(&self, played: &Tournament) -> String {
        let count = counted(self.players.len() as u64, "champion", "champions");
        let mut text = format!("{count} of {} (task {}), {} trials\n", self.run, self.task, self.trials);
        text +=
            &format!("{:>6} {:>10} {:>8} {:>6} {:>8} {:>7}\n", "side", "generation", "number", "Elo", "error", "score");
        for (player, one) in played.players.iter().zip(&self.players) {
            let score = one.score.map_or_else(String::new, |score| format!("{:.0} %", 100.0 * score));
            let side = ["A", "B"][player.side.index()];
            let (generation, id) = (one.generation, one.id);
            text += &format!("{side:>6} {generation:>10} {id:>8} {:>6.0} {:>8.0} {score:>7}\n", one.elo, one.elo_error);
        }
        for leader in played.leaders() {
            let (side, id) = (["A", "B"][leader.side.index()], leader.id);
            text += &format!("leader of side {side}: number {id} of generation {}\n", leader.generation);
        }
        for GenerationScore { generation, score } in &self.last_against {
            text += &format!("the last generation against generation {generation}: {:.0} %\n", 100.0 * score);
        }
        if let Some(share) = self.intransitive_share {
            text += &format!("intransitive triples: {:.1} % of {}\n", 100.0 * share, self.triples);
        }
        text + &format!("points won on the first side: {:.1} %\n", 100.0 * self.first_side_score)
    }
}
