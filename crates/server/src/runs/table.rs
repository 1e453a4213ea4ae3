//! `GET .../table`: the individuals of a run as a table, in parts of bounded size.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use burgess_evolution::{IndividualSummary, MAX_TABLE_ROWS};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// Query parameters of a table.
#[derive(Debug, Deserialize)]
pub(super) struct TableParameters {
    to: String,
    offset: Option<u64>,
    limit: Option<u64>,
}

/// The columns before the figures.
const FACTS: [&str; 9] =
    ["id", "generation", "operator", "parents", "outcome", "reason", "favourite", "removed", "fitness"];

pub(super) async fn table(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(TableParameters { to, offset, limit }): Parameters<TableParameters>,
) -> Result<Response, ApiError> {
    type Writer = fn(&[IndividualSummary]) -> String;
    let (write, media_type): (Writer, _) = match to.as_str() {
        "csv" => (csv, "text/csv; charset=utf-8"),
        "json" => (json, "application/json"),
        _ => return Err(ApiError::bad(format!("unknown format '{to}', expected csv or json"))),
    };
    let (offset, limit) = (offset.unwrap_or(0), limit.unwrap_or(MAX_TABLE_ROWS).min(MAX_TABLE_ROWS));
    let read = move |_: &Hub, archive: burgess_evolution::Archive| {
        let (total, rows) = archive.table(offset, limit).map_err(archive_error)?;
        Ok((total, rows.len() as u64, write(&rows)))
    };
    let (total, count, text) = hub.read_run(&run, read).await?;
    let plain: String = run.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let part = if count < total {
        format!("-{}-{}", offset.saturating_add(1), offset.saturating_add(count))
    } else {
        String::new()
    };
    let disposition = format!("attachment; filename=\"{plain}-individuals{part}.{to}\"");
    Ok(([(CONTENT_TYPE, media_type.to_string()), (CONTENT_DISPOSITION, disposition)], text).into_response())
}

/// Names of all descriptors, and of the measures that are not descriptors, too.
fn figures() -> impl Iterator<Item = &'static str> {
    let measures = Measure::ALL.iter().map(|measure| measure.name());
    Descriptors::NAMES.into_iter().chain(measures.filter(|name| !Descriptors::NAMES.contains(name)))
}

/// A figure of an individual; none if it was not measured or is not finite.
fn figure(one: &IndividualSummary, name: &str) -> Option<f64> {
    one.descriptors.get(name).or_else(|| one.measures.get(name)).copied().filter(|value| value.is_finite())
}

/// A table of comma-separated values (RFC 4180). Missing values are empty.
fn csv(rows: &[IndividualSummary]) -> String {
    let mut text = FACTS.into_iter().chain(figures()).collect::<Vec<_>>().join(",") + "\r\n";
    for one in rows {
        let parents = one.parents.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let reason = one.reason.as_deref().unwrap_or_default();
        let (operator, outcome) = (quoted(&one.operator), quoted(&one.outcome));
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "{},{},{operator},{parents},{outcome},{},{},{},",
            one.id,
            one.generation,
            quoted(reason),
            one.favourite,
            one.removed
        );
        let numbers = [one.fitness.filter(|fitness| fitness.is_finite())].into_iter();
        let cells: Vec<String> = numbers
            .chain(figures().map(|name| figure(one, name)))
            .map(|number| number.map_or_else(String::new, |number| number.to_string()))
            .collect();
        text += &cells.join(",");
        text += "\r\n";
    }
    text
}

/// A cell of a CSV table, in quotes where these are needed.
fn quoted(text: &str) -> String {
    match text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

/// A list of objects with the same fields as the columns. Missing values are null.
fn json(rows: &[IndividualSummary]) -> String {
    let object = |one: &IndividualSummary| {
        let facts = [
            json!(one.id),
            json!(one.generation),
            json!(one.operator),
            json!(one.parents),
            json!(one.outcome),
            json!(one.reason),
            json!(one.favourite),
            json!(one.removed),
            json!(one.fitness),
        ];
        let facts = FACTS.into_iter().zip(facts);
        let figures = figures().map(|name| (name, json!(figure(one, name))));
        Value::Object(facts.chain(figures).map(|(name, value)| (name.to_string(), value)).collect::<Map<_, _>>())
    };
    let objects: Vec<String> = rows.iter().map(|one| object(one).to_string()).collect();
    format!("[\n{}\n]\n", objects.join(",\n"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn individual(reason: Option<&str>, mass: f64) -> IndividualSummary {
        IndividualSummary {
            id: 7,
            generation: 2,
            operator: "crossover".into(),
            parents: vec![3, 5],
            fitness: reason.is_none().then_some(-1.5e-7),
            outcome: "scored".into(),
            reason: reason.map(str::to_string),
            descriptors: BTreeMap::from([("mass".to_string(), mass)]),
            measures: BTreeMap::new(),
            favourite: true,
            removed: false,
        }
    }

    #[test]
    fn odd_texts_and_missing_numbers_have_their_own_cells() {
        let text = csv(&[individual(Some("a \"b\", c\nd"), f64::NAN), individual(None, 2.0)]);
        let columns = text.lines().next().unwrap().split(',').count();
        assert_eq!(columns, FACTS.len() + figures().count());
        assert!(text.contains("7,2,crossover,3 5,scored,\"a \"\"b\"\", c\nd\",true,false,,"), "{text}");
        assert!(text.contains("\r\n7,2,crossover,3 5,scored,,true,false,-0.00000015,"), "{text}");
        assert_eq!(csv(&[]).lines().count(), 1);
        let list: Value =
            serde_json::from_str(&json(&[individual(Some("x"), f64::NAN), individual(None, 2.0)])).unwrap();
        assert_eq!((&list[0]["mass"], &list[1]["mass"]), (&Value::Null, &json!(2.0)));
        assert_eq!(list[0].as_object().unwrap().len(), columns);
        assert_eq!((&list[1]["parents"], &list[0]["fitness"]), (&json!([3, 5]), &Value::Null));
        assert_eq!(serde_json::from_str::<Value>(&json(&[])).unwrap(), json!([]));
    }
}
