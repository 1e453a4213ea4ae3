//! The values of individuals that were tested again, and the ranks that follow from them.

use std::collections::BTreeMap;

use rusqlite::params;

use super::{Archive, ArchiveError};
use crate::champions::{Spread, Values};
use crate::individual::Id;
use crate::result::OutcomeKind;

impl Archive {
    /// Returns the spread of an individual's fitness over all evaluations of it, if it was scored.
    pub fn spread(&self, id: Id) -> Result<Option<Spread>, ArchiveError> {
        let one = self.individual(id)?;
        if one.result.outcome != OutcomeKind::Scored {
            return Ok(None);
        }
        let mut values = Values::new(one.result.fitness);
        let retests = format!(
            "SELECT id FROM parents JOIN individuals ON child = id
             WHERE parent = ?1 AND operator = 'retest' AND {}",
            self.undamaged()
        );
        for retest in self.ids(&retests, id)? {
            values.add(self.outcome_of(retest)?);
        }
        Ok(Some(Spread::of(&values, &self.config()?.champions)))
    }

    /// Returns the fitness of an individual, if it was scored.
    fn outcome_of(&self, id: Id) -> Result<Option<f64>, ArchiveError> {
        let query = "SELECT outcome, fitness FROM individuals WHERE id = ?1";
        let read = |row: &rusqlite::Row| {
            let is_scored = row.get_ref(0)?.as_str()? == OutcomeKind::Scored.name();
            if is_scored { row.get(1).map(Some) } else { Ok(None) }
        };
        self.database.query_row(query, [id as i64], read).map_err(|cause| self.failed(cause))
    }

    /// Returns the fitness of every retest before a birth, by the individual that was tested.
    fn retests(&self, before: Id) -> Result<BTreeMap<Id, Vec<Option<f64>>>, ArchiveError> {
        let config = self.config()?;
        let mut found: BTreeMap<Id, Vec<Option<f64>>> = BTreeMap::new();
        if config.champions.is_none() {
            return Ok(found);
        }
        // Only births that can be retests are read, because a run may have millions of others.
        let every = config.champions.every.max(1);
        let last = config.champions.final_start(config.evaluations);
        let query = format!(
            "WITH RECURSIVE regular(id) AS
               (SELECT ?1 - 1 UNION ALL SELECT id + ?1 FROM regular WHERE id + ?1 < ?2),
             due(id) AS (SELECT id FROM regular UNION SELECT id FROM individuals WHERE id >= ?3)
             SELECT parent, outcome, fitness FROM due JOIN individuals USING (id) JOIN parents ON child = id
             WHERE operator = 'retest' AND id < ?2 AND {} ORDER BY id",
            self.undamaged()
        );
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.database.prepare_cached(&query)?;
            let mut rows = statement.query(params![every as i64, before.min(self.count) as i64, last as i64])?;
            while let Some(row) = rows.next()? {
                let is_scored = row.get_ref(1)?.as_str()? == OutcomeKind::Scored.name();
                let fitness = if is_scored { Some(row.get(2)?) } else { None };
                found.entry(row.get::<_, i64>(0)? as Id).or_default().push(fitness);
            }
            Ok(())
        };
        read().map_err(|cause| self.failed(cause))?;
        Ok(found)
    }

    /// Returns the ids of the individuals that meet an SQL condition, by the ranks that results before a birth give them.
    /// If `tested_first` is set, those that were tested come first.
    pub(super) fn ranked(
        &self,
        condition: &str,
        before: Id,
        most: usize,
        tested_first: bool,
    ) -> Result<Vec<Id>, ArchiveError> {
        let retests = self.retests(before)?;
        let select = format!("SELECT id FROM individuals WHERE {condition}");
        if retests.is_empty() {
            return self.ids(&format!("{select} ORDER BY fitness DESC, id LIMIT ?1"), most as Id);
        }
        let names: Vec<String> = retests.keys().map(Id::to_string).collect();
        let names = names.join(",");
        let others = format!("{select} AND id NOT IN ({names}) ORDER BY fitness DESC, id LIMIT ?1");
        let ids = [self.ids(&format!("{select} AND id IN ({names}) AND id >= ?1"), 0)?, self.ids(&others, most as Id)?];
        let settings = self.config()?.champions;
        let mut ranked = Vec::new();
        for id in ids.concat() {
            let fitness = self.outcome_of(id)?;
            let mut values = Values::new(fitness.unwrap_or(0.0));
            retests.get(&id).into_iter().flatten().for_each(|fitness| values.add(*fitness));
            let is_first = tested_first && values.is_tested(&settings);
            ranked.push((is_first, settings.rank(values.sorted()), id));
        }
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        Ok(ranked.into_iter().take(most).map(|(.., id)| id).collect())
    }
}
