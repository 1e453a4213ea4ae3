//! Two figures of the individuals of a run, for scatter plots. Of large runs, a sample.

use std::collections::BTreeMap;

use rusqlite::types::Value;

use super::{Archive, ArchiveError, Figure};
use crate::individual::Id;

/// Number of the fittest individuals that every sample includes.
const FITTEST: u64 = 100;

/// An individual in a scatter plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Id of the individual.
    pub id: Id,
    /// Its first figure.
    pub x: f64,
    /// Its second figure.
    pub y: f64,
    /// Its fitness, if it was scored.
    pub fitness: Option<f64>,
}

/// Two figures of the individuals of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    /// Number of individuals of the run.
    pub total: u64,
    /// Number of individuals in the sample.
    pub sampled: u64,
    /// Individuals of the sample that have both figures, by id.
    pub points: Vec<Point>,
}

impl Archive {
    /// Returns two figures of all individuals, or, if there are more than `most`, of individuals at equal distances in
    /// the order of births and of the 100 fittest. Retests are left out.
    pub fn points(&self, x: &Figure, y: &Figure, most: u64) -> Result<Points, ArchiveError> {
        let individuals = format!("operator <> 'retest' AND {}", self.undamaged());
        let count = format!("SELECT count(*) FROM individuals WHERE {individuals}");
        let total = self.database.query_row(&count, [], |row| row.get::<_, i64>(0));
        let total = total.map_err(|cause| self.failed(cause))? as u64;
        let stride = if total <= most { 1 } else { self.count().div_ceil(most.max(1)) };
        let mut found = BTreeMap::new();
        let every = format!("WHERE {individuals} AND id % {stride} = 0");
        self.add_points(&mut found, x, y, &every)?;
        if stride > 1 {
            let fittest =
                format!("WHERE {individuals} AND outcome = 'scored' ORDER BY fitness DESC, id LIMIT {FITTEST}");
            self.add_points(&mut found, x, y, &fittest)?;
        }
        let sampled = found.len() as u64;
        Ok(Points { total, sampled, points: found.into_values().flatten().collect() })
    }

    /// Adds the individuals that a query finds, with `None` for those without the figures.
    fn add_points(
        &self,
        found: &mut BTreeMap<Id, Option<Point>>,
        x: &Figure,
        y: &Figure,
        query: &str,
    ) -> Result<(), ArchiveError> {
        let mut values: Vec<Value> = Vec::new();
        let (x, y, fitness) = (x.sql(&mut values), y.sql(&mut values), Figure::Fitness.sql(&mut values));
        let mut read = || -> rusqlite::Result<()> {
            let mut statement =
                self.database.prepare(&format!("SELECT id, {x}, {y}, {fitness} FROM individuals {query}"))?;
            let mut rows = statement.query(rusqlite::params_from_iter(&values))?;
            while let Some(row) = rows.next()? {
                let id = row.get::<_, i64>(0)? as Id;
                let number = |column| row.get_ref(column).map(|value| number_of(&value));
                let (x, y, fitness) = (number(1)?, number(2)?, number(3)?);
                found.insert(id, x.zip(y).map(|(x, y)| Point { id, x, y, fitness }));
            }
            Ok(())
        };
        read().map_err(|cause| self.failed(cause))
    }
}

/// A finite number; other values are damage or missing figures.
fn number_of(value: &rusqlite::types::ValueRef) -> Option<f64> {
    match value {
        rusqlite::types::ValueRef::Integer(number) => Some(*number as f64),
        rusqlite::types::ValueRef::Real(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    }
}
