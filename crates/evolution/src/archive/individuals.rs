//! Queries for individuals, champions and lineages.

use std::collections::BTreeSet;
use std::ops::Range;

use burgess_creature::AnyGenome;
use burgess_creature::evaluation::Side;
use burgess_creature::task::{Parameters, Task};

use super::{Archive, ArchiveError};
#[allow(unused_imports, reason = "the documentation refers to it")]
use crate::champions::Spread;
use crate::individual::{Id, Operator};
use crate::result::{EvaluationResult, Meeting};

/// An individual with everything that the archive knows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Individual {
    /// Id of the individual.
    pub id: Id,
    /// Generation in which it was born.
    pub generation: u64,
    /// Operator that made it.
    pub operator: Operator,
    /// Parents, the one that contributed most first.
    pub parents: Vec<Id>,
    /// First opponent in its evaluation, if it competed.
    pub opponent: Option<Id>,
    /// Side on which it played, if it competed. Files of releases without sides do not have it.
    pub side: Option<Side>,
    /// Opponents that it met, and the fitness of both sides. Files of releases without sides do not have them.
    pub meetings: Vec<(Id, Meeting)>,
    /// Seed of its evaluation.
    pub seed: u64,
    /// Parameters of the task during its evaluation.
    pub parameters: Parameters,
    /// Genome.
    pub genome: AnyGenome,
    /// Result of its evaluation.
    pub result: EvaluationResult,
}

/// Totals of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Totals {
    /// Number of individuals without a fitness because their evaluation was faulty.
    pub faulty: u64,
    /// Number of individuals without a fitness because their bodies are not viable.
    pub unviable: u64,
    /// Number of evaluations that were retests.
    pub retests: u64,
    /// Number of generations that have begun.
    pub generations: u64,
    /// Simulated time, in s.
    pub creature_seconds: f64,
}

impl Archive {
    /// Returns an individual by its id.
    pub fn individual(&self, id: Id) -> Result<Individual, ArchiveError> {
        if let Some(what) = self.damage.damaged.get(&id) {
            return Err(self.damaged(Some(id), what.clone()));
        }
        if id >= self.count {
            return Err(self.no_such_individual(id));
        }
        let (row, _) = self.row(id)?;
        row.individual().map_err(|what| self.damaged(Some(id), what))
    }

    /// Returns the ids of the fittest individuals: first those that were tested, by their [rank](Spread::rank), then
    /// all others by theirs; the older of equals first. Only fitness at the final task of the run counts. In a contest
    /// individuals of the last two generations count, by their [adjusted fitness](Self::adjusted_fitness). Removed
    /// individuals are left out.
    pub fn fittest(&self, most: usize) -> Result<Vec<Id>, ArchiveError> {
        let counted = self.counted()?;
        if self.contest_config()?.is_none() {
            return self.ranked(&counted, self.count, most, true);
        }
        let adjusted = self.adjusted_fitness()?;
        let fitness = |id: &Id| adjusted.get(id).copied().unwrap_or(f64::NEG_INFINITY);
        let mut ids = self.ids(&format!("SELECT id FROM individuals WHERE {counted} AND id >= ?1 ORDER BY id"), 0)?;
        ids.sort_by(|a, b| fitness(b).total_cmp(&fitness(a)));
        ids.truncate(most);
        Ok(ids)
    }

    /// Returns the ids of the fittest individuals among some births of one stage, as [`fittest`](Self::fittest) does.
    pub(crate) fn best_of(
        &self,
        births: Range<Id>,
        most: usize,
        removed: &BTreeSet<Id>,
    ) -> Result<Vec<Id>, ArchiveError> {
        self.ranked(&counted_of(&births, removed), births.end, most, false)
    }

    /// SQL condition for the individuals that [`fittest`](Self::fittest) considers.
    pub(super) fn counted(&self) -> Result<String, ArchiveError> {
        let (config, undamaged) = (self.config()?, self.undamaged());
        // A run that is being written may have more rows since the file was opened.
        let last = format!(
            "SELECT id FROM individuals WHERE outcome = 'scored' AND id >= ?1 AND id < {} AND {undamaged}
             ORDER BY id DESC LIMIT 1",
            self.count
        );
        let last = self.ids(&last, 0)?.first().copied().unwrap_or(0);
        // In a contest, fitness is relative to the opponent, which changes with every generation.
        let since = match self.contest_config()? {
            Some(_) => format!(
                "max(0, (SELECT max(generation) FROM individuals WHERE id < {} AND {undamaged}) - 1)",
                self.count
            ),
            None => "0".to_string(),
        };
        let births = config.same_task_since(last)..self.count.min(last + 1);
        let left_out = self.marks().removed.into_iter().chain(self.damage.damaged.keys().copied()).collect();
        Ok(format!("generation >= {since} AND {}", counted_of(&births, &left_out)))
    }

    /// Returns the first of the [fittest](Self::fittest).
    pub fn champion(&self) -> Result<Individual, ArchiveError> {
        let fittest = self.fittest(1)?.first().copied();
        self.individual(fittest.ok_or_else(|| ArchiveError::NoneScored(self.file.clone()))?)
    }

    /// Returns the task with the parameters of an individual's evaluation.
    pub fn task_of(&self, one: &Individual) -> Result<Task, ArchiveError> {
        let mut task = self.config()?.task_at(one.id).clone();
        task.parameters = one.parameters.clone();
        task.syllabus.clear();
        Ok(task)
    }

    /// Returns the genome of the first opponent of an individual, and the side of the individual. Without an opponent,
    /// it met its limp twin.
    pub fn opponent_of(&self, one: &Individual) -> Result<(Option<AnyGenome>, Side), ArchiveError> {
        let genome = one.opponent.map(|id| self.individual(id)).transpose()?.map(|other| other.genome);
        Ok((genome, one.side.unwrap_or(Side::First)))
    }

    /// Returns an individual and all its ancestors, the youngest first. Damaged and missing ancestors are left out.
    pub fn lineage(&self, id: Id) -> Result<Vec<Individual>, ArchiveError> {
        self.lineage_ids(id)?.into_iter().map(|id| self.individual(id)).collect()
    }

    /// Returns the ids of the [lineage](Self::lineage).
    pub(super) fn lineage_ids(&self, id: Id) -> Result<Vec<Id>, ArchiveError> {
        let line = self.ids(
            "WITH RECURSIVE line(id) AS (SELECT ?1 UNION SELECT parent FROM parents JOIN line ON child = line.id)
             SELECT id FROM line ORDER BY id DESC",
            id,
        )?;
        let is_lost = |other: &Id| self.missing.contains(other) || self.damage.damaged.contains_key(other);
        Ok(line.into_iter().filter(|other| *other == id || !is_lost(other)).collect())
    }

    /// Returns the ids of an individual's children, the oldest first.
    pub fn children(&self, id: Id) -> Result<Vec<Id>, ArchiveError> {
        self.ids(
            "SELECT DISTINCT child FROM parents JOIN individuals ON child = id
             WHERE parent = ?1 AND operator <> 'retest' ORDER BY child",
            id,
        )
    }

    pub(super) fn ids(&self, query: &str, of: Id) -> Result<Vec<Id>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<Id>> {
            let mut statement = self.database.prepare(query)?;
            statement.query_map([of as i64], |row| row.get::<_, i64>(0).map(|id| id as Id))?.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }

    /// Returns the totals of the run.
    pub fn totals(&self) -> Result<Totals, ArchiveError> {
        let query = format!(
            "SELECT count(*) FILTER (WHERE outcome = 'faulty'), count(*) FILTER (WHERE outcome = 'unviable'),
             count(*) FILTER (WHERE operator = 'retest'), ifnull(max(generation) + 1, 0), ifnull(sum(seconds), 0.0)
             FROM individuals WHERE {}",
            self.undamaged()
        );
        let totals = self.database.query_row(&query, [], |row| {
            let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
            let (faulty, unviable, retests, generations) = (count(0)?, count(1)?, count(2)?, count(3)?);
            Ok(Totals { faulty, unviable, retests, generations, creature_seconds: row.get(4)? })
        });
        totals.map_err(|cause| self.failed(cause))
    }
}

/// SQL condition for the individuals among some births that were scored with the parameters of the last of them.
pub(super) fn counted_of(births: &Range<Id>, removed: &BTreeSet<Id>) -> String {
    let (start, end) = (births.start, births.end);
    let within = format!("outcome = 'scored' AND operator <> 'retest' AND id >= {start} AND id < {end}");
    let removed: Vec<String> = removed.iter().map(Id::to_string).collect();
    format!(
        "{within} AND id NOT IN ({})
         AND parameters = (SELECT parameters FROM individuals WHERE {within} ORDER BY id DESC LIMIT 1)",
        removed.join(",")
    )
}
