//! Looking into the archive: individuals, the best, lineages.

use burgess_creature::AnyGenome;
use burgess_creature::task::{Parameters, Task};

use super::{Archive, ArchiveError, Row};
use crate::individual::{Id, Operator};
use crate::result::Evaluated;

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
        let query = format!("SELECT id FROM individuals WHERE {} ORDER BY fitness DESC, id LIMIT ?1", self.counted()?);
        self.ids(&query, most as Id)
    }

    /// Whose fitness counts at the end of the run, in SQL.
    pub(super) fn counted(&self) -> Result<String, ArchiveError> {
        // In a contest fitness is relative to an opponent, which is another one in every generation.
        let since =
            if self.config()?.has_rivals() { "max(0, (SELECT max(generation) FROM individuals) - 1)" } else { "0" };
        let removed: Vec<String> = self.marks().removed.iter().map(Id::to_string).collect();
        Ok(format!(
            "outcome = 'scored' AND generation >= {since} AND id NOT IN ({})
             AND parameters = (SELECT parameters FROM individuals WHERE outcome = 'scored' ORDER BY id DESC LIMIT 1)",
            removed.join(",")
        ))
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
        self.line_of(id)?.into_iter().map(|id| self.individual(id)).collect()
    }

    /// The numbers of the [lineage](Self::lineage).
    pub(super) fn line_of(&self, id: Id) -> Result<Vec<Id>, ArchiveError> {
        self.ids(
            "WITH RECURSIVE line(id) AS (SELECT ?1 UNION SELECT parent FROM parents JOIN line ON child = line.id)
             SELECT id FROM line ORDER BY id DESC",
            id,
        )
    }

    /// The numbers of somebody's children, the eldest first.
    pub fn children(&self, id: Id) -> Result<Vec<Id>, ArchiveError> {
        self.ids("SELECT DISTINCT child FROM parents WHERE parent = ?1 ORDER BY child", id)
    }

    fn ids(&self, query: &str, of: Id) -> Result<Vec<Id>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<Id>> {
            let mut statement = self.database.prepare(query)?;
            statement.query_map([of as i64], |row| row.get::<_, i64>(0).map(|id| id as Id))?.collect()
        };
        read().map_err(|source| self.failed(source))
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
