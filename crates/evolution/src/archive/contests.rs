//! Queries for contests: champions by generation and side, and win rates.

use burgess_creature::evaluation::Side;

use super::{Archive, ArchiveError};
use crate::individual::Id;

/// The fittest individual of a generation and a side.
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
    /// Id of the fittest individual; `None` if none was scored.
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

    /// Returns the results of each generation and side, by generation and then by side. A run that is not a contest has
    /// none. With one species the side is the first for all.
    pub fn side_summaries(&self) -> Result<Vec<SideSummary>, ArchiveError> {
        let config = self.config()?;
        if !config.has_rivals() {
            return Ok(Vec::new());
        }
        let side = if config.population_count() == 1 { "0" } else { SIDE };
        let undamaged = self.undamaged();
        let query = format!(
            "WITH ranked AS (
               SELECT id, generation, {side} AS played, row_number() OVER (
                 PARTITION BY generation, {side} ORDER BY outcome = 'scored' DESC, fitness DESC, id) AS place, outcome
               FROM individuals WHERE {undamaged}),
             results AS (
               SELECT individual, count(*) AS met, sum(result = 'won') AS won, sum(result = 'drawn') AS drawn
               FROM meetings GROUP BY individual)
             SELECT generation, played, max(CASE WHEN place = 1 AND outcome = 'scored' THEN id END),
               ifnull(sum(met), 0), ifnull(sum(won), 0), ifnull(sum(drawn), 0)
             FROM ranked LEFT JOIN results ON individual = id
             GROUP BY generation, played ORDER BY generation, played"
        );
        let read = || -> rusqlite::Result<Vec<SideSummary>> {
            let mut statement = self.database.prepare(&query)?;
            let summary = |row: &rusqlite::Row| {
                let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
                Ok(SideSummary {
                    generation: count(0)?,
                    side: Side::of_index(count(1)?),
                    leader: row.get::<_, Option<i64>>(2)?.map(|id| id as Id),
                    meetings: count(3)?,
                    won: count(4)?,
                    drawn: count(5)?,
                })
            };
            statement.query_map([], summary)?.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }
}
