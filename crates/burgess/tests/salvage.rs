//! Damaged, deleted and simultaneous runs on the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{SHORT, burgess, folder, path, printed, refusal, short_task, text};

fn evolve(folder: &Path) -> (PathBuf, serde_json::Value) {
    let (task, run) = (short_task(folder), folder.join("run.burgess"));
    let report = printed(&["evolve", path(&task), "--evaluations", "40", "--run", path(&run), "--json"]);
    (run, serde_json::from_str(&report).unwrap())
}

fn change(file: &Path, statement: &str) {
    rusqlite::Connection::open(file).unwrap().execute_batch(statement).unwrap();
}

#[test]
fn a_damaged_row_is_named_left_out_and_salvaged() {
    let folder = folder("salvage");
    let (run, whole) = evolve(&folder);
    let best = whole["best"].as_u64().unwrap();
    let other = if best == 7 { 8 } else { 7 };
    change(&run, &format!("UPDATE individuals SET fitness = 1e9 WHERE id = {other}"));

    // Commands that read the run say so and go on.
    let json = folder.join("best.json");
    let output = burgess(&["export", path(&run), "--to", "json", "-o", path(&json)]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(error.contains(&format!("the row of individual {other} is damaged")), "{error}");
    let line = burgess(&["lineage", path(&run), "--json"]);
    let line: serde_json::Value = serde_json::from_slice(&line.stdout).unwrap();
    assert_eq!(line["creature"], best);
    let error = refusal(&["verify", &format!("{}#{other}", path(&run))]);
    assert!(error.contains(&format!("damaged at individual {other}")), "{error}");

    // Resuming refuses, and says what to do.
    let output = burgess(&["resume", path(&run), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains(&format!("damaged at individual {other}")) && error.contains("burgess salvage"), "{error}");

    let copy = folder.join("copy.burgess");
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["salvage", path(&run), "-o", path(&copy), "--json"])).unwrap();
    assert_eq!((&report["rows"], &report["copied"]), (&40.into(), &39.into()));
    assert_eq!((&report["lost"], &report["can_be_resumed"]), (&serde_json::json!([other]), &true.into()));
    let resumed: serde_json::Value = serde_json::from_str(&printed(&["resume", path(&copy), "--json"])).unwrap();
    assert_eq!(resumed["archive_hash"], whole["archive_hash"]);
    let error = refusal(&["salvage", path(&run), "-o", path(&copy)]);
    assert!(error.contains("the file exists"), "{error}");
    let told = printed(&["salvage", path(&run), "-o", path(&folder.join("told.burgess"))]);
    assert!(told.starts_with("copied 39 of 40 creatures to "), "{told}");
}

#[test]
fn what_is_left_of_a_file_that_was_cut_off_is_copied() {
    let folder = folder("salvage-cut");
    let (run, whole) = evolve(&folder);
    let bytes = std::fs::read(&run).unwrap();
    let cut = |length: usize, copy: &str| {
        std::fs::write(&run, &bytes[..length]).unwrap();
        burgess(&["salvage", path(&run), "-o", path(&folder.join(copy)), "--json"])
    };
    let report: serde_json::Value = serde_json::from_slice(&cut(bytes.len() - 5000, "most.burgess").stdout).unwrap();
    assert!((1..=whole["evaluations"].as_u64().unwrap()).contains(&report["copied"].as_u64().unwrap()), "{report}");
    let nothing = cut(3000, "nothing.burgess");
    let error = text(&nothing.stderr);
    assert_eq!(nothing.status.code(), Some(1), "{error}");
    assert!(error.contains("nothing can be copied") && !error.contains("burgess salvage"), "{error}");
    assert!(error.contains(&format!("{}: ", run.display())), "{error}");
}

#[test]
fn rows_deleted_at_the_end_give_a_sentence() {
    let folder = folder("salvage-tail");
    let task = folder.join("run.toml");
    let algorithm = "[algorithm]\ntype = 'map_elites'\nfounders = 10\nwindow = 8\n";
    std::fs::write(&task, format!("{algorithm}[task]{SHORT}")).unwrap();
    let run = folder.join("run.burgess");
    printed(&["evolve", path(&task), "--evaluations", "40", "--run", path(&run), "--json"]);
    change(&run, "DELETE FROM individuals WHERE id >= 30");
    let output = burgess(&["resume", path(&run), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("rows at the end were deleted") && !error.contains("constraint"), "{error}");
}

fn start(folder: &Path, arguments: &[&str]) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
    command.current_dir(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn runs_started_at_once_do_not_collide() {
    let folder = folder("salvage-at-once");
    let task = short_task(&folder);
    let arguments = ["evolve", path(&task), "--evaluations", "5", "--json"];
    let started: Vec<_> = (0..6).map(|_| start(&folder, &arguments)).collect();
    let mut runs = Vec::new();
    for child in started {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["evaluations"], 5);
        runs.push(report["run"].as_str().unwrap().to_string());
    }
    runs.sort();
    runs.dedup();
    assert_eq!(runs.len(), 6, "{runs:?}");
}

#[test]
fn a_run_whose_file_is_deleted_stops_and_says_so() {
    let folder = folder("salvage-deleted");
    let task = short_task(&folder);
    let run = folder.join("run.burgess");
    let mut child = start(&folder, &["evolve", path(&task), "--evaluations", "100000", "--run", path(&run), "--json"]);
    let mut tries = 0;
    while rows(&run) == 0 && tries < 1000 {
        std::thread::sleep(Duration::from_millis(20));
        tries += 1;
    }
    std::fs::remove_file(&run).unwrap();
    let mut tries = 0;
    while child.try_wait().unwrap().is_none() && tries < 1000 {
        std::thread::sleep(Duration::from_millis(20));
        tries += 1;
    }
    let was_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!was_running, "the run did not stop");
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("the file was deleted, renamed or replaced during the run"), "{error}");
}

/// The number of rows in a run that is being written.
fn rows(run: &Path) -> i64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = rusqlite::Connection::open_with_flags(run, flags);
    let count =
        |database: rusqlite::Connection| database.query_row("SELECT count(*) FROM individuals", [], |row| row.get(0));
    database.and_then(count).unwrap_or(0)
}

#[test]
fn measures_that_a_task_cannot_have_are_refused() {
    let folder = folder("salvage-measures");
    let task = folder.join("task.toml");
    for (fitness, reason) in [("targets", "tasks with positions to reach"), ("opponent_gap", "contests")] {
        std::fs::write(&task, SHORT.replace("steady_distance", fitness)).unwrap();
        let error = refusal(&["evolve", path(&task), "--run", path(&folder.join("run.burgess"))]);
        assert!(error.contains(&format!("'{fitness}' is measured only in {reason}")), "{error}");
    }
}
