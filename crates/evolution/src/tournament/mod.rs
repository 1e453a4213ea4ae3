//! Tournaments: the champions of a contest play against each other, so that it can be seen who wins and whether later
//! ones are better than earlier ones (a master tournament, after Nolfi and Floreano 1998).
//!
//! Fitness in a contest is relative to the opponents of the time, so it need not grow while both sides improve. Only
//! matches between champions of different generations show progress.

mod scores;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use burgess_creature::evaluation::{Decision, MatchError, MatchResult, MatchSettings, Side, play_match};
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use burgess_creature::{Phenotype, Unviable};
use thiserror::Error;

pub use scores::{Rating, Scores, Triples};

use crate::archive::{Archive, ArchiveError, SideChampion};
use crate::individual::Id;

/// Largest number of generations whose champions play. The number of matches grows with its square.
pub const MAX_GENERATIONS: usize = 200;

/// How a tournament is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TournamentSettings {
    /// Number of generations whose champions play: the first, the last, and others at equal distances.
    pub generations: usize,
    /// Number of pairs of trials in each match. In the second trial of a pair the creatures have exchanged sides.
    pub pairs: u32,
    /// Seed of the conditions.
    pub seed: u64,
    /// Number of threads. It does not change the result.
    pub threads: usize,
}

impl Default for TournamentSettings {
    fn default() -> Self {
        Self { generations: 10, pairs: 1, seed: 0, threads: 1 }
    }
}

/// Why there is no tournament.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The run is not a contest.
    #[error("the run is not a contest: its task '{0}' has no sides; choose a run of a contest")]
    NoContest(String),
    /// The creatures did not compete.
    #[error("the creatures of this run met only their limp twins, because rivals.compete is false; choose another run")]
    NoRivals,
    /// There are not enough champions.
    #[error("a tournament needs at least two champions, found {0}; let the run continue")]
    TooFew(usize),
    /// A setting is out of range.
    #[error("{what} must be from {least} to {most}, found {found}")]
    Setting {
        /// Name of the setting.
        what: &'static str,
        /// Lowest value.
        least: u64,
        /// Highest value.
        most: u64,
        /// Value found.
        found: u64,
    },
    /// A champion does not grow.
    #[error("individual {id} does not grow into a creature: {reason}")]
    Unviable {
        /// Id of the champion.
        id: Id,
        /// The reason.
        reason: Unviable,
    },
    /// A match was not played.
    #[error("the match of individuals {a} and {b} was not played: {reason}")]
    Match {
        /// Id of the first creature.
        a: Id,
        /// Id of the second creature.
        b: Id,
        /// The reason.
        reason: MatchError,
    },
    /// The run cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

/// A champion in a tournament.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Player {
    /// Id of the individual.
    pub id: Id,
    /// Generation whose champion it is.
    pub generation: u64,
    /// Side for which it evolved.
    pub side: Side,
    /// Elo rating.
    pub rating: Rating,
}

/// The result of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// Players by side and generation.
    pub players: Vec<Player>,
    /// Results of all against all, in the order of the players.
    pub scores: Scores,
    /// Number of trials.
    pub trials: usize,
    /// Share of the points that creatures won on the first side of the arena; a draw counts as half a point.
    pub first_side_score: f64,
    /// Hash of all matches.
    pub hash: u64,
}

impl Tournament {
    /// Returns the player with the highest rating of each side, the older of equals first.
    pub fn leaders(&self) -> Vec<&Player> {
        let best = |side: Side| {
            let own = self.players.iter().filter(|player| player.side == side);
            own.reduce(|best, player| if player.rating.elo > best.rating.elo { player } else { best })
        };
        Side::ALL.into_iter().filter_map(best).collect()
    }

    /// Returns the share of the points that the champions of a generation won against those of another, whichever side
    /// they evolved for; `None` if there are no such champions.
    pub fn score_of_generations(&self, one: u64, other: u64) -> Option<f64> {
        let of = |generation: u64| {
            let players = self.players.iter().enumerate();
            players.filter(move |(_, player)| player.generation == generation).map(|(index, _)| index)
        };
        let scores: Vec<f64> = of(one).flat_map(|a| of(other).filter_map(move |b| self.scores.score(a, b))).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }
}

/// Lets the champions of a run play against each other. Calls `progress` after every match with the number of matches
/// so far and of all matches.
pub fn play_tournament(
    archive: &Archive,
    settings: &TournamentSettings,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<Tournament, TournamentError> {
    check(settings)?;
    let config = archive.config()?.stage(0);
    if config.task.contest.is_none() {
        return Err(TournamentError::NoContest(config.task.name));
    }
    if archive.contest_config()?.is_none() {
        return Err(TournamentError::NoRivals);
    }
    let chosen = chosen_generations(archive.side_champions()?, settings.generations);
    if chosen.len() < 2 {
        return Err(TournamentError::TooFew(chosen.len()));
    }
    let task = match chosen.last() {
        Some(last) => archive.task_of(&archive.individual(last.id)?)?,
        None => config.task,
    };
    let mut grown = Vec::with_capacity(chosen.len());
    for champion in &chosen {
        let phenotype = archive.individual(champion.id)?.genome.grow(&task.physiology);
        grown.push(phenotype.map_err(|reason| TournamentError::Unviable { id: champion.id, reason })?);
    }
    let pairs: Vec<(usize, usize)> = (0..grown.len()).flat_map(|a| (a + 1..grown.len()).map(move |b| (a, b))).collect();
    let played = play_all(&grown, &pairs, &task, settings, &progress);
    let mut results = Vec::with_capacity(played.len());
    for (result, (a, b)) in played.into_iter().zip(&pairs) {
        let failed = |reason| TournamentError::Match { a: chosen[*a].id, b: chosen[*b].id, reason };
        results.push(result.map_err(failed)?);
    }
    Ok(summarize(&chosen, &pairs, &results))
}

fn check(settings: &TournamentSettings) -> Result<(), TournamentError> {
    let bounds = [
        ("the number of generations", 1, MAX_GENERATIONS as u64, settings.generations as u64),
        ("the number of pairs", 1, u64::from(burgess_creature::evaluation::MAX_PAIRS), settings.pairs.into()),
        ("the number of threads", 1, 1024, settings.threads as u64),
    ];
    match bounds.into_iter().find(|(_, least, most, found)| !(least..=most).contains(&found)) {
        Some((what, least, most, found)) => Err(TournamentError::Setting { what, least, most, found }),
        None => Ok(()),
    }
}

/// Keeps the champions of so many generations: the first, the last, and others at equal distances.
fn chosen_generations(champions: Vec<SideChampion>, count: usize) -> Vec<SideChampion> {
    let mut generations: Vec<u64> = champions.iter().map(|champion| champion.generation).collect();
    generations.sort_unstable();
    generations.dedup();
    let last = generations.len().saturating_sub(1);
    let steps = count.saturating_sub(1).max(1);
    let index = |step: usize| if count == 1 { last } else { (step * last + steps / 2) / steps };
    let chosen: Vec<u64> = (0..count).map(index).filter_map(|index| generations.get(index).copied()).collect();
    champions.into_iter().filter(|champion| chosen.contains(&champion.generation)).collect()
}

/// Plays all matches on several threads. Results are in the order of the pairs.
fn play_all(
    grown: &[Phenotype],
    pairs: &[(usize, usize)],
    task: &Task,
    settings: &TournamentSettings,
    progress: &(impl Fn(usize, usize) + Sync),
) -> Vec<Result<MatchResult, MatchError>> {
    let results: Vec<Mutex<Option<Result<MatchResult, MatchError>>>> = pairs.iter().map(|_| Mutex::new(None)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let seed = mix_seed(settings.seed, &[0x0074_6f75_726e]);
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.min(pairs.len()) {
            scope.spawn(|| {
                while let Some((&(a, b), result)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    pairs.get(index).zip(results.get(index))
                } {
                    // All matches have the same conditions, so that they can be compared.
                    let own = MatchSettings { pairs: settings.pairs, seed, record: None };
                    let played = play_match([&grown[a], &grown[b]], task, &own, |_| ());
                    *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(played);
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len());
                }
            });
        }
    });
    let played = |result: Mutex<_>| result.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(played).collect()
}

fn summarize(chosen: &[SideChampion], pairs: &[(usize, usize)], results: &[MatchResult]) -> Tournament {
    let mut scores = Scores::new(chosen.len());
    let (mut hash, mut trials, mut first_side) = (0, 0, 0.0);
    for ((a, b), result) in pairs.iter().zip(results) {
        let draws = 0.5 * result.count(Decision::Drawn) as f64;
        let won = result.count(Decision::Won) as f64 + draws;
        scores.add(*a, won, *b, result.count(Decision::Lost) as f64 + draws);
        hash = mix_seed(hash, &[result.state_hash()]);
        trials += result.trials.len();
        let [first, second] = result.score_by_side().map(Option::unwrap_or_default);
        // Creature A plays half of the trials on the first side, and its opponent the other half.
        first_side += 0.5 * (first + 1.0 - second);
    }
    let ratings = scores.ratings();
    let players = chosen.iter().zip(ratings).map(|(champion, rating)| {
        let SideChampion { id, generation, side } = *champion;
        Player { id, generation, side, rating }
    });
    let first_side_score = first_side / results.len().max(1) as f64;
    Tournament { players: players.collect(), scores, trials, first_side_score, hash }
}
