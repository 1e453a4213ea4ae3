//! Figures of individuals: the numbers by which lists are filtered and sorted, and which plots show.

use rusqlite::types::Value;

/// A number that individuals have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// Id: the order of births.
    Id,
    /// Generation.
    Generation,
    /// Fitness, if the individual was scored.
    Fitness,
    /// The measure or descriptor with this name.
    Named(String),
}

impl Figure {
    /// SQL expression for the figure; it is NULL for individuals that do not have it. `values` gets its parameters.
    pub(super) fn sql(&self, values: &mut Vec<Value>) -> String {
        let name = match self {
            Self::Id => return "id".to_string(),
            Self::Generation => return "generation".to_string(),
            Self::Fitness => return "CASE WHEN outcome = 'scored' THEN fitness END".to_string(),
            Self::Named(name) => name,
        };
        values.push(format!("$.\"{}\"", name.replace(['"', '\\'], "")).into());
        let place = values.len();
        // A damaged row must not end the query. Its damage is found by `survey`.
        let of = |column: &str| format!("CASE WHEN json_valid({column}) THEN json_extract({column}, ?{place}) END");
        format!("coalesce({}, {})", of("descriptors"), of("measures"))
    }
}

/// A closed interval of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRange {
    /// The figure.
    pub figure: Figure,
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
}

impl FigureRange {
    /// SQL condition for individuals whose figure is in the interval.
    pub(super) fn sql(&self, values: &mut Vec<Value>) -> String {
        let figure = self.figure.sql(values);
        values.extend([Value::from(self.low), Value::from(self.high)]);
        format!("({figure}) BETWEEN ?{} AND ?{}", values.len() - 1, values.len())
    }
}
