//! Looking into the archive: individuals, the best, lineages, curves.

use burgess_creature::AnyGenome;
use burgess_creature::task::{Parameters, Task};

use super::{Archive, ArchiveError, Row};
use crate::individual::{Id, Operator};
use crate::result::{Ending, Evaluated};

/// Everything that is known of somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct Individual {
    /// Its number.
    pub id: Id,
    /// In which it was born.
    pub generation: u64,
    /// How it came about.
    pub operator: Operator,
    /// The one that gave most first.
    pub parents: Vec<Id>,
    /// Whom it competed with.
    pub opponent: Option<Id>,
    /// Of its evaluation.
    pub seed: u64,
    /// Of the task at that time.
    pub parameters: Parameters,
    /// What it inherited.
    pub genome: AnyGenome,
    /// What became of it.
    pub result: Evaluated,
}

/// How a generation did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenerationSummary {
    /// From 0.
    pub generation: u64,
    /// How many were born, of whatever fate.
    pub born: usize,
    /// How many have a fitness.
    pub scored: usize,
    /// Of those that have one; all 0 if nobody has.
    pub best: f64,
    /// A quarter is better.
    pub upper_quartile: f64,
    /// Half are better.
    pub median: f64,
    /// A quarter is worse.
    pub lower_quartile: f64,
}

/// Sums over all of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Totals {
    /// Individuals that have no fitness because what they did cannot be right.
    pub faulty: u64,
    /// Generations that have begun.
    pub generations: u64,
    /// Simulated time, in s.
    pub creature_seconds: f64,
}

impl Archive {
    /// Goes through the whole chain. Damage is told; otherwise [`Archive::hash`] is of the whole archive from now on.
    pub fn check(&mut self) -> Result<(), ArchiveError> {
        while self.checked < self.count {
            let (row, kept) = self.row(self.checked)?;
            let link = row.link(self.steered(self.link, row.id));
            if link != kept {
                return Err(self.damaged(Some(row.id), "its row is not the one that was written".to_string()));
            }
            self.link = link;
            self.checked += 1;
        }
        Ok(())
    }

    /// Somebody, by number.
    pub fn individual(&self, id: Id) -> Result<Individual, ArchiveError> {
        let found = Row::read(&self.database, id).map_err(|source| self.failed(source))?;
        let (row, _) =
            found.ok_or_else(|| ArchiveError::NoSuchIndividual { file: self.file.clone(), id, count: self.count })?;
        row.individual().map_err(|what| self.damaged(Some(id), what))
    }

    /// The numbers of the fittest at the task as it is at the end of the run, the fittest first, the elder of equals first: no
    /// fitness under an easier task or against an early opponent counts. Whoever was removed by hand is not among them.
    pub fn fittest(&self, most: usize) -> Result<Vec<Id>, ArchiveError> {
        // In a contest fitness is relative to an opponent, which is another one in every generation.
        let since =
            if self.config()?.has_rivals() { "max(0, (SELECT max(generation) FROM individuals) - 1)" } else { "0" };
        let removed: Vec<String> = self.marks().removed.iter().map(Id::to_string).collect();
        let query = format!(
            "SELECT id FROM individuals WHERE outcome = 'scored' AND generation >= {since} AND id NOT IN ({})
             AND parameters = (SELECT parameters FROM individuals WHERE outcome = 'scored' ORDER BY id DESC LIMIT 1)
             ORDER BY fitness DESC, id LIMIT ?1",
            removed.join(",")
        );
        let read = || -> rusqlite::Result<Vec<Id>> {
            let mut statement = self.database.prepare(&query)?;
            statement.query_map([most as i64], |row| row.get::<_, i64>(0).map(|id| id as Id))?.collect()
        };
        read().map_err(|source| self.failed(source))
    }

    /// The first of the [fittest](Self::fittest).
    pub fn champion(&self) -> Result<Individual, ArchiveError> {
        let fittest = self.fittest(1)?.first().copied();
        self.individual(fittest.ok_or_else(|| ArchiveError::NobodyScored(self.file.clone()))?)
    }

    /// The task as an individual met it.
    pub fn task_of(&self, one: &Individual) -> Result<Task, ArchiveError> {
        let mut task = self.config()?.task;
        task.parameters = one.parameters.clone();
        task.syllabus.clear();
        Ok(task)
    }

    /// Somebody's parents, their parents and so on, with itself, the youngest first.
    pub fn lineage(&self, id: Id) -> Result<Vec<Individual>, ArchiveError> {
        let query =
            "WITH RECURSIVE line(id) AS (SELECT ?1 UNION SELECT parent FROM parents JOIN line ON child = line.id)
                     SELECT id FROM line ORDER BY id DESC";
        let read = || -> rusqlite::Result<Vec<Id>> {
            let mut statement = self.database.prepare(query)?;
            statement.query_map([id as i64], |row| row.get::<_, i64>(0).map(|id| id as Id))?.collect()
        };
        let ids = read().map_err(|source| self.failed(source))?;
        ids.into_iter().map(|id| self.individual(id)).collect()
    }

    /// Generation by generation.
    pub fn curve(&self) -> Result<Vec<GenerationSummary>, ArchiveError> {
        let query = "SELECT generation, outcome, fitness FROM individuals ORDER BY generation, fitness DESC";
        let mut curve = Vec::new();
        let read = |found: &mut Vec<(u64, usize, Vec<f64>)>| -> rusqlite::Result<()> {
            let mut statement = self.database.prepare(query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let generation = row.get::<_, i64>(0)? as u64;
                if found.last().is_none_or(|(last, ..)| *last != generation) {
                    found.push((generation, 0, Vec::new()));
                }
                if let Some((_, born, fitness)) = found.last_mut() {
                    *born += 1;
                    if row.get::<_, String>(1)? == Ending::Scored.name() {
                        fitness.push(row.get(2)?);
                    }
                }
            }
            Ok(())
        };
        read(&mut curve).map_err(|source| self.failed(source))?;
        Ok(curve.into_iter().map(|(generation, born, fitness)| summary(generation, born, &fitness)).collect())
    }

    /// Sums over all.
    pub fn totals(&self) -> Result<Totals, ArchiveError> {
        let query = "SELECT count(*) FILTER (WHERE outcome = 'faulty'), ifnull(max(generation) + 1, 0),
                     ifnull(sum(seconds), 0.0) FROM individuals";
        let totals = self.database.query_row(query, [], |row| {
            let (faulty, generations) = (row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64);
            Ok(Totals { faulty, generations, creature_seconds: row.get(2)? })
        });
        totals.map_err(|source| self.failed(source))
    }
}

/// Fitness is sorted, the best first.
fn summary(generation: u64, born: usize, fitness: &[f64]) -> GenerationSummary {
    let at = |share: f64| fitness.get((share * (fitness.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
    GenerationSummary {
        generation,
        born,
        scored: fitness.len(),
        best: at(0.0),
        upper_quartile: at(0.25),
        median: at(0.5),
        lower_quartile: at(0.75),
    }
}
