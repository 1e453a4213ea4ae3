//! Individuals in brief, without their genomes: sorted and filtered by the database, for lists of many.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use serde::Serialize;

use super::{Archive, ArchiveError};
use crate::individual::{Id, Operator};
use crate::intervention::Marks;
use crate::result::Ending;
use crate::run::News;

/// Nobody gets more at once.
pub const MOST_BRIEFS: u64 = 1000;

/// What is told of somebody in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Brief {
    /// Its number.
    pub id: Id,
    /// In which it was born.
    pub generation: u64,
    /// How it came about, in a word.
    pub operator: String,
    /// The one that gave most first.
    pub parents: Vec<Id>,
    /// Of those that were scored.
    pub fitness: Option<f64>,
    /// In a word.
    pub outcome: String,
    /// Why it was not scored.
    pub reason: Option<String>,
    /// By name.
    pub descriptors: BTreeMap<String, f64>,
    /// By name.
    pub measures: BTreeMap<String, f64>,
    /// Did a person mark it?
    pub favourite: bool,
    /// Is it no parent any more?
    pub removed: bool,
}

impl Brief {
    /// Of somebody who has just been evaluated, and whom nobody has marked yet.
    pub fn of(news: &News) -> Self {
        let (birth, result) = (news.birth, news.result);
        let is_scored = result.outcome == Ending::Scored;
        Self {
            id: news.id,
            generation: news.generation,
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

/// By what a list is sorted; the elder of equals first, and those without it last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Order {
    /// By number.
    Id,
    /// By what it is worth.
    #[default]
    Fitness,
    /// By a measure or a descriptor of this name.
    Figure(String),
}

/// Which individuals, in which order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// By what.
    pub order: Order,
    /// The lowest first?
    pub ascending: bool,
    /// Only those that came about so.
    pub operator: Option<Operator>,
    /// Only those that are favourites, or only those that are none.
    pub favourites: Option<bool>,
    /// Only those that were removed, or only those that were not.
    pub removed: Option<bool>,
    /// Only those that are worth so much.
    pub least: Option<f64>,
    /// How many of them are left out.
    pub offset: u64,
    /// How many at most; at most [`MOST_BRIEFS`].
    pub limit: u64,
}

const COLUMNS: &str = "id, generation, operator, fitness, outcome, reason, descriptors, measures";

impl Archive {
    /// How many there are of those that are asked for, and a part of them in their order.
    pub fn select(&self, query: &Query) -> Result<(u64, Vec<Brief>), ArchiveError> {
        let marks = self.marks();
        let mut values: Vec<Value> = Vec::new();
        let mut conditions = vec!["1".to_string()];
        if let Some(operator) = query.operator {
            values.push(operator.name().to_string().into());
            conditions.push(format!("operator = ?{}", values.len()));
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
        let conditions = conditions.join(" AND ");
        let count = format!("SELECT count(*) FROM individuals WHERE {conditions}");
        let count = self.database.query_row(&count, rusqlite::params_from_iter(&values), |row| row.get::<_, i64>(0));
        let count = count.map_err(|source| self.failed(source))? as u64;
        let direction = if query.ascending { "ASC" } else { "DESC" };
        let order = match &query.order {
            Order::Id => format!("id {direction}"),
            Order::Fitness => format!("outcome = 'scored' DESC, fitness {direction}, id"),
            Order::Figure(name) => {
                values.push(format!("$.\"{}\"", name.replace(['"', '\\'], "")).into());
                let place = values.len();
                format!(
                    "coalesce(json_extract(descriptors, ?{place}), json_extract(measures, ?{place})) {direction} NULLS LAST, id"
                )
            }
        };
        let (limit, offset) = (query.limit.min(MOST_BRIEFS), query.offset.min(i64::MAX as u64));
        let query = format!("WHERE {conditions} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
        Ok((count, self.briefs(&query, &values, &marks)?))
    }

    /// One in brief.
    pub fn brief(&self, id: Id) -> Result<Brief, ArchiveError> {
        let found = self.briefs("WHERE id = ?1", &[Value::from(id as i64)], &self.marks())?.pop();
        found.ok_or_else(|| ArchiveError::NoSuchIndividual { file: self.file.clone(), id, count: self.count })
    }

    /// The [lineage](Self::lineage) in brief: so many at most, the youngest.
    pub fn brief_lineage(&self, id: Id, most: usize) -> Result<Vec<Brief>, ArchiveError> {
        let marks = self.marks();
        let one = |id: Id| {
            let found = self.briefs("WHERE id = ?1", &[Value::from(id as i64)], &marks)?.pop();
            found.ok_or_else(|| ArchiveError::NoSuchIndividual { file: self.file.clone(), id, count: self.count })
        };
        self.line_of(id)?.into_iter().take(most).map(one).collect()
    }

    fn briefs(&self, query: &str, values: &[Value], marks: &Marks) -> Result<Vec<Brief>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<Brief>> {
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
                let is_scored = outcome == Ending::Scored.name();
                // Numbers that are none are written as null. Whoever wants to know of damage asks for a check.
                let figures = |column| -> rusqlite::Result<BTreeMap<String, f64>> {
                    let all: BTreeMap<String, Option<f64>> =
                        serde_json::from_str(row.get_ref(column)?.as_str()?).unwrap_or_default();
                    Ok(all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
                };
                all.push(Brief {
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
        read().map_err(|source| self.failed(source))
    }
}
