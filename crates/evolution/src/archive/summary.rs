//! Summaries of individuals, without their genomes. The database sorts and filters them.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use serde::Serialize;

use super::{Archive, ArchiveError, Figure, FigureRange};
use crate::individual::{Id, Operator};
use crate::intervention::Marks;
use crate::result::OutcomeKind;
use crate::run::RecordedResult;

/// Largest number of summaries that one query returns.
pub const MAX_SUMMARIES: u64 = 1000;
/// Largest number of rows of a part of a [table](Archive::table).
pub const MAX_TABLE_ROWS: u64 = 10_000;

/// An individual without its genome, for lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndividualSummary {
    /// Id of the individual.
    pub id: Id,
    /// Generation in which it was born.
    pub generation: u64,
    /// Name of the operator that made it.
    pub operator: String,
    /// Parents, the one that contributed most first.
    pub parents: Vec<Id>,
    /// Fitness, if it was scored.
    pub fitness: Option<f64>,
    /// Name of the outcome of its evaluation.
    pub outcome: String,
    /// Reason why it was not scored.
    pub reason: Option<String>,
    /// Descriptors by name.
    pub descriptors: BTreeMap<String, f64>,
    /// Measures by name.
    pub measures: BTreeMap<String, f64>,
    /// Whether a person marked it as a favourite.
    pub favourite: bool,
    /// Whether a person removed it, so that it has no more children.
    pub removed: bool,
}

impl IndividualSummary {
    /// Summarizes an individual that has just been evaluated and that no person has marked yet.
    pub fn of(recorded: &RecordedResult) -> Self {
        let (birth, result) = (recorded.birth, recorded.result);
        let is_scored = result.outcome == OutcomeKind::Scored;
        Self {
            id: recorded.id,
            generation: recorded.generation,
            operator: birth.operator.name().to_string(),
            parents: birth.parents.clone(),
            fitness: is_scored.then_some(result.fitness),
            outcome: result.outcome.name().to_string(),
            reason: (!is_scored).then(|| result.reason.clone()),
            descriptors: finite(&result.descriptors),
            measures: finite(&result.measures),
            favourite: false,
            removed: false,
        }
    }
}

fn finite(figures: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    figures.iter().filter(|(_, value)| value.is_finite()).map(|(name, value)| (name.clone(), *value)).collect()
}

/// Sort key of a list. Of equals the older comes first; individuals without the key come last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Order {
    /// Id.
    Id,
    /// Fitness.
    #[default]
    Fitness,
    /// The measure or descriptor with this name.
    Figure(String),
}

/// Filters and order of a list of individuals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Sort key.
    pub order: Order,
    /// Whether the lowest comes first.
    pub ascending: bool,
    /// Only individuals that this operator made.
    pub operator: Option<Operator>,
    /// Only favourites, or only others.
    pub favourites: Option<bool>,
    /// Only removed individuals, or only others.
    pub removed: Option<bool>,
    /// Only individuals with at least this fitness.
    pub least: Option<f64>,
    /// Only individuals whose figures are in all these intervals.
    pub ranges: Vec<FigureRange>,
    /// Number of individuals that are skipped.
    pub offset: u64,
    /// Largest number of summaries to return, at most [`MAX_SUMMARIES`].
    pub limit: u64,
}

const COLUMNS: &str = "id, generation, operator, fitness, outcome, reason, descriptors, measures";

impl Archive {
    /// Returns the number of individuals that match, and the requested part of them in order.
    pub fn select(&self, query: &Query) -> Result<(u64, Vec<IndividualSummary>), ArchiveError> {
        let marks = self.marks();
        let mut values: Vec<Value> = Vec::new();
        let mut conditions = vec![self.undamaged()];
        if let Some(operator) = query.operator {
            values.push(operator.name().to_string().into());
            conditions.push(format!("operator = ?{}", values.len()));
        } else {
            // Retests are not individuals of their own.
            conditions.push("operator <> 'retest'".to_string());
        }
        if let Some(least) = query.least {
            values.push(least.into());
            conditions.push(format!("outcome = 'scored' AND fitness >= ?{}", values.len()));
        }
        for (wanted, ids) in [(query.favourites, &marks.favourites), (query.removed, &marks.removed)] {
            let Some(wanted) = wanted else { continue };
            let ids: Vec<String> = ids.iter().map(Id::to_string).collect();
            conditions.push(format!("id {} ({})", if wanted { "IN" } else { "NOT IN" }, ids.join(",")));
        }
        conditions.extend(query.ranges.iter().map(|range| range.sql(&mut values)));
        let conditions = conditions.join(" AND ");
        let count = format!("SELECT count(*) FROM individuals WHERE {conditions}");
        let count = self.database.query_row(&count, rusqlite::params_from_iter(&values), |row| row.get::<_, i64>(0));
        let count = count.map_err(|cause| self.failed(cause))? as u64;
        let direction = if query.ascending { "ASC" } else { "DESC" };
        let order = match &query.order {
            Order::Id => format!("id {direction}"),
            Order::Fitness => format!("outcome = 'scored' DESC, fitness {direction}, id"),
            Order::Figure(name) => {
                let figure = Figure::Named(name.clone()).sql(&mut values);
                format!("{figure} {direction} NULLS LAST, id")
            }
        };
        let (limit, offset) = (query.limit.min(MAX_SUMMARIES), query.offset.min(i64::MAX as u64));
        let query = format!("WHERE {conditions} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
        Ok((count, self.summaries(&query, &values, &marks)?))
    }

    /// Returns the number of individuals, and a part of them by id: at most [`MAX_TABLE_ROWS`] after the first
    /// `offset`. Retests are left out.
    pub fn table(&self, offset: u64, limit: u64) -> Result<(u64, Vec<IndividualSummary>), ArchiveError> {
        let conditions = format!("operator <> 'retest' AND {}", self.undamaged());
        let count = format!("SELECT count(*) FROM individuals WHERE {conditions}");
        let count = self.database.query_row(&count, [], |row| row.get::<_, i64>(0));
        let count = count.map_err(|cause| self.failed(cause))? as u64;
        let (limit, offset) = (limit.min(MAX_TABLE_ROWS), offset.min(i64::MAX as u64));
        let query = format!("WHERE {conditions} ORDER BY id LIMIT {limit} OFFSET {offset}");
        Ok((count, self.summaries(&query, &[], &self.marks())?))
    }

    /// Returns the summary of one individual.
    pub fn summary(&self, id: Id) -> Result<IndividualSummary, ArchiveError> {
        self.summary_with(id, &self.marks())
    }

    fn summary_with(&self, id: Id, marks: &Marks) -> Result<IndividualSummary, ArchiveError> {
        let found = self.summaries("WHERE id = ?1", &[Value::from(id as i64)], marks)?.pop();
        found.ok_or_else(|| self.no_such_individual(id))
    }

    /// Returns summaries of the [lineage](Self::lineage), the youngest first, at most `most` of them.
    pub fn lineage_summaries(&self, id: Id, most: usize) -> Result<Vec<IndividualSummary>, ArchiveError> {
        let marks = self.marks();
        self.lineage_ids(id)?.into_iter().take(most).map(|id| self.summary_with(id, &marks)).collect()
    }

    fn summaries(&self, query: &str, values: &[Value], marks: &Marks) -> Result<Vec<IndividualSummary>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<IndividualSummary>> {
            let mut parents =
                self.database.prepare_cached("SELECT parent FROM parents WHERE child = ?1 ORDER BY place")?;
            let mut parents_of = |id: i64| -> rusqlite::Result<Vec<Id>> {
                parents.query_map([id], |row| row.get::<_, i64>(0).map(|id| id as Id))?.collect()
            };
            let mut statement = self.database.prepare_cached(&format!("SELECT {COLUMNS} FROM individuals {query}"))?;
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let id = row.get::<_, i64>(0)?;
                let outcome: String = row.get(4)?;
                let is_scored = outcome == OutcomeKind::Scored.name();
                // JSON has no NaN or infinity: they are written as null. Damage is found by `survey`, not here.
                let figures = |column| -> rusqlite::Result<BTreeMap<String, f64>> {
                    let all: BTreeMap<String, Option<f64>> =
                        serde_json::from_str(row.get_ref(column)?.as_str()?).unwrap_or_default();
                    Ok(all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
                };
                all.push(IndividualSummary {
                    id: id as Id,
                    generation: row.get::<_, i64>(1)? as u64,
                    operator: row.get(2)?,
                    parents: parents_of(id)?,
                    fitness: if is_scored { Some(row.get(3)?) } else { None },
                    reason: if is_scored { None } else { Some(row.get(5)?) },
                    outcome,
                    descriptors: figures(6)?,
                    measures: figures(7)?,
                    favourite: marks.favourites.contains(&(id as Id)),
                    removed: marks.removed.contains(&(id as Id)),
                });
            }
            Ok(all)
        };
        read().map_err(|cause| self.failed(cause))
    }
}
