//! Queries for contests: adjusted fitness, champions by generation and side, and win rates.

use std::collections::BTreeMap;

use burgess_creature::evaluation::Side;

use super::{Archive, ArchiveError};
use crate::adjusted_fitness::{AdjustedFitness, Played};
use crate::config::RunConfig;
use crate::individual::Id;

/// The individual of a generation and a side with the highest [adjusted fitness](Archive::adjusted_fitness).
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
    /// Id of the individual with the highest [adjusted fitness](Archive::adjusted_fitness); `None` if none was scored.
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

    /// Returns the adjusted fitness of all individuals of a contest that were scored and not removed before the end of
    /// their generation. It counts the fitness of an individual and that of the same genome in earlier generations; the
    /// run chooses survivors and champions by it. Where rows are missing or damaged, that of other individuals may
    /// differ from what the run computed.
    pub fn adjusted_fitness(&self) -> Result<BTreeMap<Id, f64>, ArchiveError> {
        let all = self.contestants()?;
        Ok(all.into_iter().filter_map(|one| Some((one.id, one.adjusted?))).collect())
    }

    /// Returns the results of each generation and side, by generation and then by side. A run that is not a contest has
    /// none. With one species the side is the first for all.
    pub fn side_summaries(&self) -> Result<Vec<SideSummary>, ArchiveError> {
        let mut summaries: BTreeMap<(u64, Side), (SideSummary, Option<f64>)> = BTreeMap::new();
        for Contestant { id, generation, side, adjusted, meetings, won, drawn, .. } in self.contestants()? {
            let unset = SideSummary { generation, side, leader: None, meetings: 0, won: 0, drawn: 0 };
            let (summary, best) = summaries.entry((generation, side)).or_insert((unset, None));
            summary.meetings += meetings;
            summary.won += won;
            summary.drawn += drawn;
            if adjusted.is_some_and(|own| best.is_none_or(|best| own.total_cmp(&best).is_gt())) {
                (summary.leader, *best) = (Some(id), adjusted);
            }
        }
        Ok(summaries.into_values().map(|(summary, _)| summary).collect())
    }

    /// Returns the configuration of the contest, if the run is one. Only the first stage can be: a contest has one stage.
    pub fn contest_config(&self) -> Result<Option<RunConfig>, ArchiveError> {
        Ok(Some(self.config()?.stage(0)).filter(RunConfig::has_rivals))
    }

    /// Returns all individuals of a contest, by id; none if the run is not a contest.
    fn contestants(&self) -> Result<Vec<Contestant>, ArchiveError> {
        let Some(config) = self.contest_config()? else { return Ok(Vec::new()) };
        let side = if config.population_count() == 1 { "0" } else { SIDE };
        let query = format!(
            "SELECT id, generation, {side}, outcome = 'scored', fitness, count(place), ifnull(sum(result = 'won'), 0),
               ifnull(sum(result = 'drawn'), 0),
               (SELECT parent FROM parents WHERE child = id AND operator = 'copy' ORDER BY parents.place LIMIT 1),
               parameters
             FROM individuals LEFT JOIN (SELECT individual, place, result FROM meetings) ON individual = id
             WHERE id < {} AND {} GROUP BY id ORDER BY id",
            self.count,
            self.undamaged()
        );
        let read = || -> rusqlite::Result<Vec<Contestant>> {
            let mut statement = self.database.prepare(&query)?;
            let contestant = |row: &rusqlite::Row| {
                let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
                let fitness: f64 = row.get(4)?;
                Ok(Contestant {
                    id: count(0)?,
                    generation: count(1)?,
                    side: Side::of_index(count(2)?),
                    adjusted: row.get::<_, bool>(3)?.then_some(fitness),
                    meetings: count(5)?,
                    won: count(6)?,
                    drawn: count(7)?,
                    original: row.get::<_, Option<i64>>(8)?.map(|id| id as Id),
                    parameters: row.get(9)?,
                })
            };
            statement.query_map([], contestant)?.collect()
        };
        let mut all = read().map_err(|cause| self.failed(cause))?;
        self.adjust(&mut all);
        Ok(all)
    }

    /// Replaces the fitness of contestants by their adjusted fitness, generation by generation, as the run did.
    fn adjust(&self, all: &mut [Contestant]) {
        let removed = self.removals();
        let mut populations = [AdjustedFitness::default(), AdjustedFitness::default()];
        let mut parameters = None;
        let mut begin = 0;
        while begin < all.len() {
            let generation = all[begin].generation;
            let end = begin + all[begin..].partition_point(|one| one.generation == generation);
            // The next generation begins with this birth.
            let next = all.get(end).map_or(Id::MAX, |one| one.id);
            let own = &mut all[begin..end];
            if parameters.as_ref().is_some_and(|last| *last != own[0].parameters) {
                populations.iter_mut().for_each(AdjustedFitness::renew);
            }
            parameters = Some(own[0].parameters.clone());
            for one in own.iter_mut().filter(|one| removed.get(&one.id).is_some_and(|at| *at <= next)) {
                one.adjusted = None;
            }
            for side in Side::ALL {
                let of_side = own.iter().filter(|one| one.side == side);
                let played: Vec<Played> = of_side.filter_map(Contestant::played).collect();
                let adjusted = populations[side.index()].add_generation(&played);
                let scored = own.iter_mut().filter(|one| one.side == side && one.adjusted.is_some());
                scored.zip(adjusted).for_each(|(one, adjusted)| one.adjusted = Some(adjusted));
            }
            begin = end;
        }
    }
}

/// An individual of a contest.
struct Contestant {
    id: Id,
    generation: u64,
    side: Side,
    /// Adjusted fitness, if it was scored and not removed.
    adjusted: Option<f64>,
    meetings: u64,
    won: u64,
    drawn: u64,
    /// Individual that it copies, if any.
    original: Option<Id>,
    /// Parameters of the task.
    parameters: String,
}

impl Contestant {
    /// What it did in its generation, before its fitness is adjusted.
    fn played(&self) -> Option<Played> {
        let Self { id, original, meetings, .. } = *self;
        Some(Played { id, original, fitness: self.adjusted?, meetings: meetings as usize })
    }
}
