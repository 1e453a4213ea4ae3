//! `GET /api/run-page`: some of the runs, found, grouped and sorted for the overview.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::list::Entry;
use crate::api::Parameters;
use crate::error::ApiError;
use crate::etag;
use crate::hub::Hub;

/// Maximum number of changed files that are read before the response. If there are more, they are read in the
/// background, and the response says how many are left.
const MAX_FILES_READ: usize = 8;
/// Default number of runs of a page.
const DEFAULT_LIMIT: usize = 24;
/// Maximum number of runs of a page.
const MAX_LIMIT: usize = 200;

/// Order of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sort {
    /// The last changed run first.
    #[default]
    Newest,
    /// By name; numbers in names count as numbers.
    Name,
    /// The highest fitness first.
    Fitness,
    /// The highest number of evaluated individuals first.
    Evaluations,
}

/// Query parameters of a page.
#[derive(Debug, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageQuery {
    /// Words that the name, task, family, algorithm or state of a run must contain.
    #[serde(default)]
    search: String,
    /// Name of the only task to list. Runs that cannot be read have the empty one.
    task: Option<String>,
    #[serde(default)]
    sort: Sort,
    /// Whether runs of the same task are listed together. Defaults to true.
    grouped: Option<bool>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

/// Some of the runs in the run directory.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunPage {
    /// Identifies the content of the list of runs.
    version: String,
    /// Number of all runs that were read.
    total: usize,
    /// Number of runs that match the search and the task.
    found: usize,
    /// Number of runs that are new or have changed and were not read yet.
    unread: usize,
    /// Number of runs of each task that match the search, by name of the task.
    tasks: BTreeMap<String, usize>,
    /// The runs of this page.
    runs: Vec<Entry>,
}

pub(super) async fn page(
    State(hub): State<Arc<Hub>>,
    headers: HeaderMap,
    Parameters(query): Parameters<PageQuery>,
) -> Result<Response, ApiError> {
    let listing = hub.read(|hub| Ok(hub.list_runs(MAX_FILES_READ))).await?;
    if listing.unread > 0 {
        hub.read_runs_in_background();
    }
    let tag = etag::tag(&(&listing.version, &query));
    if etag::is_known(&headers, &tag) {
        return Ok(etag::unchanged(tag, etag::ASK));
    }
    let page = select(listing.runs, &query, listing.version, listing.unread);
    let json = serde_json::to_vec(&page).map_err(|error| ApiError::failed(error.to_string()))?;
    Ok(etag::tagged(tag, etag::ASK, "application/json", json.into()))
}

fn select(mut runs: Vec<Entry>, query: &PageQuery, version: String, unread: usize) -> RunPage {
    let total = runs.len();
    let words: Vec<String> = query.search.split_whitespace().map(str::to_lowercase).collect();
    runs.retain(|run| matches(run, &words));
    let mut tasks = BTreeMap::new();
    runs.iter().for_each(|run| *tasks.entry(run.task.clone()).or_insert(0) += 1);
    if let Some(task) = &query.task {
        runs.retain(|run| run.task == *task);
    }
    runs.sort_by(|a, b| compare(a, b, query.sort));
    if query.grouped.unwrap_or(true) {
        // The first group is the one that would have the first run. Runs that cannot be read are last.
        let mut rank: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, run) in runs.iter().enumerate() {
            rank.entry(&run.task).or_insert(place);
        }
        let mut order: Vec<(bool, usize, usize)> = runs
            .iter()
            .enumerate()
            .map(|(place, run)| (run.task.is_empty(), rank.get(run.task.as_str()).copied().unwrap_or(place), place))
            .collect();
        order.sort_unstable();
        let mut sorted: Vec<Option<Entry>> = runs.into_iter().map(Some).collect();
        runs = order.into_iter().filter_map(|(_, _, place)| sorted.get_mut(place)?.take()).collect();
    }
    let found = runs.len();
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT);
    let runs = runs.into_iter().skip(query.offset).take(limit).collect();
    RunPage { version, total, found, unread, tasks, runs }
}

fn matches(run: &Entry, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let state = format!("{:?}", run.state);
    let text = [&run.name, &run.task, run.family, run.algorithm, &state].join(" ").to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn compare(a: &Entry, b: &Entry, sort: Sort) -> Ordering {
    let by_name = || natural(&a.name, &b.name);
    let fitness = |run: &Entry| run.best_fitness.unwrap_or(f64::NEG_INFINITY);
    match sort {
        Sort::Newest => Reverse(a.modified).cmp(&Reverse(b.modified)),
        Sort::Name => Ordering::Equal,
        Sort::Fitness => fitness(b).total_cmp(&fitness(a)),
        Sort::Evaluations => b.count.cmp(&a.count),
    }
    .then_with(by_name)
}

/// Compares names so that `walk-2` is before `walk-10`.
fn natural(a: &str, b: &str) -> Ordering {
    let parts = |name: &str| -> Vec<(bool, String)> {
        let mut parts: Vec<(bool, String)> = Vec::new();
        for letter in name.chars() {
            let is_digit = letter.is_ascii_digit();
            match parts.last_mut() {
                Some((digits, text)) if *digits == is_digit => text.push(letter),
                _ => parts.push((is_digit, letter.to_string())),
            }
        }
        parts
    };
    let (left, right) = (parts(a), parts(b));
    for ((digits, x), (others, y)) in left.iter().zip(&right) {
        let order = if *digits && *others {
            let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            x.cmp(y)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, task: &str, fitness: Option<f64>, modified: u64) -> Entry {
        let entry = Entry::unreadable(name, String::new());
        Entry { task: task.to_string(), best_fitness: fitness, modified: Some(modified), ..entry }
    }

    fn names(runs: &[Entry], query: serde_json::Value) -> (Vec<String>, usize) {
        let query: PageQuery = serde_json::from_value(query).unwrap();
        let page = select(runs.to_vec(), &query, String::new(), 0);
        (page.runs.into_iter().map(|run| run.name).collect(), page.found)
    }

    #[test]
    fn runs_are_found_grouped_sorted_and_paged() {
        let runs = [
            run("walk-10", "walk", Some(1.0), 5),
            run("walk-2", "walk", None, 9),
            run("swim-1", "swim", Some(7.0), 7),
            run("broken", "", None, 99),
        ];
        let (all, found) = names(&runs, serde_json::json!({}));
        assert_eq!((all, found), (["walk-2", "walk-10", "swim-1", "broken"].map(String::from).to_vec(), 4));
        let (flat, _) = names(&runs, serde_json::json!({"grouped": false}));
        assert_eq!(flat, ["broken", "walk-2", "swim-1", "walk-10"]);
        let (by_name, _) = names(&runs, serde_json::json!({"sort": "name", "grouped": false}));
        assert_eq!(by_name, ["broken", "swim-1", "walk-2", "walk-10"]);
        let (fittest, _) = names(&runs, serde_json::json!({"sort": "fitness", "limit": 2}));
        assert_eq!(fittest, ["swim-1", "walk-10"]);
        let (second, found) =
            names(&runs, serde_json::json!({"sort": "name", "limit": 1, "offset": 1, "task": "walk"}));
        assert_eq!((second, found), (vec!["walk-10".to_string()], 2));
        assert_eq!(names(&runs, serde_json::json!({"search": "WALK 10"})).0, ["walk-10"]);
        assert_eq!(names(&runs, serde_json::json!({"search": "nothing"})), (Vec::new(), 0));
    }

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["a10b", "a9b", "a09b", "b", "a", "a10a", "10", "9", "a99999999999999999999999"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["9", "10", "a", "a09b", "a9b", "a10a", "a10b", "a99999999999999999999999", "b"]);
    }
}
