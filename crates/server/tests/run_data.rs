//! Data of runs for plots and tables: progress, points, intervals and tables, also of empty, growing and damaged runs.

use std::path::Path;

use crate::client::{Answer, get, options, start};
use crate::runs::{COUNT, config, make_run};
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, Observer, RecordedResult, Run};
use rusqlite::Connection;
use serde_json::{Value, json};

/// Stops a run after some results.
struct StopAfter(u64);

impl Observer for StopAfter {
    fn on_result(&mut self, recorded: &RecordedResult) {
        self.0 = if recorded.id + 1 >= self.0 { 0 } else { self.0 };
    }

    fn should_continue(&mut self) -> bool {
        self.0 > 0
    }
}

fn numbers(list: &Value) -> Vec<Option<f64>> {
    list.as_array().unwrap().iter().map(Value::as_f64).collect()
}

fn change(file: &Path, statements: &str) {
    Connection::open(file).unwrap().execute_batch(statements).unwrap();
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).unwrap()
}

#[test]
fn data_of_a_run_agree_with_its_individuals() {
    let options = options();
    make_run(&options.runs, "one", 1);
    let server = start(options.clone());
    let ask = |path: &str| {
        let answer = get(server.address(), &format!("/api/runs/one/{path}"));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer
    };
    let all = ask("individuals?sort=id&order=asc&limit=1000").json();
    let individuals = all["individuals"].as_array().unwrap();

    let history = ask("history").json();
    assert_eq!((&history["task"], &history["seed"], &history["contest"]), (&json!("walk"), &json!(1), &json!(false)));
    assert_eq!(history["evaluations"].as_array().unwrap().last(), Some(&json!(COUNT)));
    let best = numbers(&history["best"]);
    assert_eq!(best.len() as u64, COUNT);
    assert!(best.is_sorted(), "one task, so that the best never falls: {best:?}");
    let highest = individuals.iter().filter_map(|one| one["fitness"].as_f64()).reduce(f64::max);
    assert_eq!(*best.last().unwrap(), highest);

    let points = ask("points?x=mass&y=fitness").json();
    assert_eq!((&points["total"], &points["sampled"]), (&all["total"], &all["total"]));
    let scored: Vec<&Value> = individuals.iter().filter(|one| one["fitness"].is_number()).collect();
    let of = |name: &str| scored.iter().map(|one| one["descriptors"][name].as_f64()).collect::<Vec<_>>();
    assert_eq!(numbers(&points["x"]), of("mass"));
    assert_eq!(points["y"], points["fitness"]);

    // The individuals in an interval are those whose points are in it.
    let masses = numbers(&points["x"]);
    let (low, high) = (masses[3].unwrap().min(masses[7].unwrap()), masses[3].unwrap().max(masses[7].unwrap()));
    let within = ask(&format!("individuals?sort=id&order=asc&limit=1000&x=mass&x_low={low}&x_high={high}")).json();
    let is_within = |one: &&&Value| (low..=high).contains(&one["descriptors"]["mass"].as_f64().unwrap());
    let inside = within["individuals"].as_array().unwrap().iter().filter(|one| one["fitness"].is_number()).count();
    assert_eq!(inside, scored.iter().filter(is_within).count());
    assert!(inside >= 2);

    let csv = ask("table?to=csv");
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"one-individuals.csv\""));
    let csv = text(&csv);
    let mut lines = csv.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mass = columns.iter().position(|name| *name == "mass").unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), individuals.len());
    for (row, one) in rows.iter().zip(individuals).filter(|(_, one)| one["fitness"].is_number()) {
        assert_eq!(row.len(), columns.len());
        assert_eq!(row[0], one["id"].to_string());
        assert_eq!(row[mass].parse::<f64>().ok(), one["descriptors"]["mass"].as_f64());
    }
    let table = ask("table?to=json&offset=2&limit=3").json();
    let ids: Vec<&Value> = table.as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, individuals[2..5].iter().map(|one| &one["id"]).collect::<Vec<_>>());
    assert_eq!(table[0].as_object().unwrap().len(), columns.len());

    for bad in [
        "points",
        "points?x=mass",
        "points?x=beauty&y=mass",
        "points?x=mass&y=a%22%5D%27%29%20--",
        "table",
        "table?to=exe",
        "table?to=csv&offset=-1",
        "individuals?x=beauty&x_low=1",
        "individuals?x=mass&x_low=NaN",
        "individuals?x=mass&x_high=much",
        "individuals?x_low=1",
    ] {
        let answer = get(server.address(), &format!("/api/runs/one/{bad}"));
        assert!(answer.status == 400 && !answer.error().is_empty(), "{bad}: {answer:?}");
    }
    let far = ask(&format!("table?to=json&offset={}", u64::MAX)).json();
    assert_eq!(far, json!([]));
    drop(server);
    std::fs::remove_dir_all(options.runs).unwrap();
}

#[test]
fn empty_and_growing_runs_have_data() {
    let options = options();
    std::fs::create_dir_all(&options.runs).unwrap();
    let archive = Archive::create(&options.runs.join("new.burgess"), &config(1), &[]).unwrap();
    let server = start(options.clone());
    let ask = |path: &str| {
        let answer = get(server.address(), &format!("/api/runs/new/{path}"));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer
    };
    assert_eq!(ask("history").json()["evaluations"], json!([]));
    assert_eq!(ask("points?x=mass&y=fitness").json()["id"], json!([]));
    assert_eq!(text(&ask("table?to=csv")).lines().count(), 1);
    assert_eq!(ask("table?to=json").json(), json!([]));
    assert_eq!(get(server.address(), "/api/runs/new").json()["repeat"], Value::Null, "the task is not a built-in one");

    // The file is still open for writing while it is read.
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Threads::new(2), &mut StopAfter(30)).unwrap();
    let count = run.archive().count();
    assert!((30..COUNT).contains(&count));
    assert_eq!(ask("history").json()["count"], json!(count));
    assert_eq!(ask("history").json()["evaluations"].as_array().unwrap().last(), Some(&json!(count)));
    let total = ask("points?x=mass&y=fitness").json()["total"].as_u64().unwrap() as usize;
    assert_eq!(ask("table?to=json").json().as_array().unwrap().len(), total);
    drop((server, run));
    std::fs::remove_dir_all(options.runs).unwrap();
}

#[test]
fn damaged_rows_and_missing_measures_do_not_hide_the_others() {
    let options = options();
    make_run(&options.runs, "one", 1);
    change(
        &options.runs.join("one.burgess"),
        "UPDATE individuals SET descriptors = '{\"mass\": 1', measures = 'nonsense' WHERE id = 2;
         UPDATE individuals SET descriptors = '{\"mass\": null}', measures = '{}' WHERE id = 3;
         UPDATE individuals SET descriptors = '{\"mass\": \"heavy\"}', measures = '[1]' WHERE id = 4;
         DELETE FROM individuals WHERE id = 5;",
    );
    let server = start(options.clone());
    // First without, then with knowledge of what is damaged: asking for the run checks all rows.
    for _ in 0..2 {
        let ask = |path: &str| {
            let answer = get(server.address(), &format!("/api/runs/one/{path}"));
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
            answer
        };
        let points = ask("points?x=mass&y=id").json();
        let ids = points["id"].as_array().unwrap();
        assert!(ids.len() > 20 && [2, 3, 4, 5].iter().all(|id| !ids.contains(&json!(id))), "{ids:?}");
        assert_eq!(ask("history").json()["count"], json!(COUNT));
        let table = ask("table?to=json").json();
        assert!(table.as_array().unwrap().iter().all(|row| row["id"] != 3 || row["mass"].is_null()));
        assert!(text(&ask("table?to=csv")).lines().count() > 20);
        let sorted = ask("individuals?sort=mass&limit=1000&x=mass&x_low=0").json();
        assert!(sorted["total"].as_u64() > Some(20), "{sorted}");
        assert_eq!(get(server.address(), "/api/runs/one").json()["hash"], Value::Null);
    }
    drop(server);
    std::fs::remove_dir_all(options.runs).unwrap();
}
