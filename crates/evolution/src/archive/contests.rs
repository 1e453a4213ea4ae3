//! Queries for contests: scores of individuals, champions by generation and side, and win rates.

use std::collections::BTreeMap;

use burgess_creature::evaluation::Side;

use super::{Archive, ArchiveError};
use crate::contest_scores::ContestScores;
use crate::individual::Id;

/// The individual of a generation and a side with the highest [score](Archive::contest_scores).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideChampion {
    /// Id of the individual.
    pub id: Id,
    /// Its generation.
    pub generation: u64,
    /// Side on which it played.
    pub side: Side,
}

/// Results of the individuals of one generation and side against their opponents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideSummary {
    /// Generation.
    pub generation: u64,
    /// Side.
    pub side: Side,
    /// Id of the individual with the highest [score](Archive::contest_scores); `None` if none was scored.
    pub leader: Option<Id>,
    /// Number of meetings with opponents.
    pub meetings: u64,
    /// Number of meetings that the individuals won.
    pub won: u64,
    /// Number of meetings that were a draw.
    pub drawn: u64,
}

impl SideSummary {
    /// Share of the points that the individuals won, where a draw counts as half a point; `None` without meetings.
    pub fn score(&self) -> Option<f64> {
        (self.meetings > 0).then(|| (self.won as f64 + 0.5 * self.drawn as f64) / self.meetings as f64)
    }
}

/// Side of an individual as a column. Releases without sides alternated between them.
const SIDE: &str = "ifnull(side, id % 2)";

impl Archive {
    /// Returns the champion of each side and generation, by side and then by generation. With one species the side is
    /// the first for all.
    pub fn side_champions(&self) -> Result<Vec<SideChampion>, ArchiveError> {
        let mut champions: Vec<SideChampion> = self
            .side_summaries()?
            .iter()
            .filter_map(|one| Some(SideChampion { id: one.leader?, generation: one.generation, side: one.side }))
            .collect();
        champions.sort_by_key(|champion| (champion.side, champion.generation));
        Ok(champions)
    }

    /// Returns the scores of all individuals of a contest that were scored, by id. A score counts the fitness of an
    /// individual and that of the same genome in earlier generations; the run chooses survivors and champions by it.
    pub fn contest_scores(&self) -> Result<BTreeMap<Id, f64>, ArchiveError> {
        let all = self.contestants()?;
        Ok(all.into_iter().filter_map(|one| Some((one.id, one.score?))).collect())
    }

    /// Returns the results of each generation and side, by generation and then by side. A run that is not a contest has
    /// none. With one species the side is the first for all.
    pub fn side_summaries(&self) -> Result<Vec<SideSummary>, ArchiveError> {
        let mut summaries: BTreeMap<(u64, Side), (SideSummary, f64)> = BTreeMap::new();
        for Contestant { id, generation, side, score, meetings, won, drawn } in self.contestants()? {
            let unset = SideSummary { generation, side, leader: None, meetings: 0, won: 0, drawn: 0 };
            let (summary, best) = summaries.entry((generation, side)).or_insert((unset, f64::NEG_INFINITY));
            summary.meetings += meetings;
            summary.won += won;
            summary.drawn += drawn;
            if let Some(score) = score.filter(|score| *score > *best) {
                (summary.leader, *best) = (Some(id), score);
            }
        }
        Ok(summaries.into_values().map(|(summary, _)| summary).collect())
    }

    /// Returns all individuals of a contest, by id; none if the run is not a contest.
    fn contestants(&self) -> Result<Vec<Contestant>, ArchiveError> {
        let config = self.config()?;
        if !config.has_rivals() {
            return Ok(Vec::new());
        }
        let side = if config.population_count() == 1 { "0" } else { SIDE };
        let query = format!(
            "SELECT id, generation, {side}, outcome = 'scored', fitness, count(place), ifnull(sum(result = 'won'), 0),
               ifnull(sum(result = 'drawn'), 0),
               (SELECT parent FROM parents WHERE child = id AND operator = 'copy' ORDER BY parents.place LIMIT 1)
             FROM individuals LEFT JOIN (SELECT individual, place, result FROM meetings) ON individual = id
             WHERE id < {} AND {} GROUP BY id ORDER BY id",
            self.count,
            self.undamaged()
        );
        let mut scores = [ContestScores::default(), ContestScores::default()];
        let mut current = 0;
        let mut read = || -> rusqlite::Result<Vec<Contestant>> {
            let mut statement = self.database.prepare(&query)?;
            let contestant = |row: &rusqlite::Row| {
                let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
                let (id, generation, side, meetings) = (count(0)?, count(1)?, Side::of_index(count(2)?), count(5)?);
                if generation > current {
                    current = generation;
                    scores.iter_mut().for_each(ContestScores::next_generation);
                }
                let original = row.get::<_, Option<i64>>(8)?.map(|id| id as Id);
                let (is_scored, fitness): (bool, f64) = (row.get(3)?, row.get(4)?);
                let score = is_scored.then(|| scores[side.index()].record(id, original, fitness, meetings as usize));
                Ok(Contestant { id, generation, side, score, meetings, won: count(6)?, drawn: count(7)? })
            };
            statement.query_map([], contestant)?.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }
}

/// An individual of a contest.
struct Contestant {
    id: Id,
    generation: u64,
    side: Side,
    /// Score, if it was scored.
    score: Option<f64>,
    meetings: u64,
    won: u64,
    drawn: u64,
}
