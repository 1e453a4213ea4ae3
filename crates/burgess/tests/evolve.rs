//! Runs on the command line: the same bits after interruptions, and error messages.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{SHORT, burgess, folder, path, refusal, short_task, text};

/// A run that soon breeds from results.
fn short_run(folder: &Path) -> PathBuf {
    let file = folder.join("run.toml");
    let algorithm = "[algorithm]\ntype = 'map_elites'\nfounders = 30\nwindow = 8\n";
    std::fs::write(&file, format!("{algorithm}[task]{SHORT}")).unwrap();
    file
}

/// The JSON report of a run.
fn report(arguments: &[&str]) -> serde_json::Value {
    let all: Vec<&str> = arguments.iter().copied().chain(["--json", "--headless"]).collect();
    let output = burgess(&all);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn threads_kills_and_resuming_change_no_bit() {
    let folder = folder("evolve-kills");
    let task = short_run(&folder);
    let evolve = |run: &Path, threads: &str| {
        report(&["evolve", path(&task), "--evaluations", "250", "--threads", threads, "--run", path(run)])
    };
    let alone = evolve(&folder.join("alone.burgess"), "1");
    assert_eq!(alone["evaluations"], 250);
    for field in [
        "run",
        "task",
        "seed",
        "generations",
        "best_fitness",
        "best_body_lengths",
        "archive_hash",
        "faulty",
        "unviable",
    ] {
        assert!(!alone[field].is_null(), "{field}");
    }
    assert_eq!(evolve(&folder.join("both.burgess"), "2")["archive_hash"], alone["archive_hash"]);

    let run = folder.join("killed.burgess");
    let mut kills = 0;
    for attempt in 0..12 {
        let mut child = match run.exists() {
            true => start(&["resume", path(&run), "--headless"]),
            false => start(&["evolve", path(&task), "--evaluations", "250", "--run", path(&run), "--headless"]),
        };
        // The first process creates the file; the others are killed at any moment.
        for _ in 0..1000 {
            if run.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(40 + 137 * attempt % 600));
        let was_running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        kills += usize::from(was_running);
    }
    assert!(kills > 0);
    let end = report(&["resume", path(&run)]);
    assert_eq!(end["archive_hash"], alone["archive_hash"]);
    assert_eq!(end["best_fitness"], alone["best_fitness"]);
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_longer_run_begins_like_a_shorter_one() {
    let folder = folder("evolve-longer");
    let task = short_run(&folder);
    let (short, long) = (folder.join("short.burgess"), folder.join("long.burgess"));
    report(&["evolve", path(&task), "--evaluations", "60", "--run", path(&short)]);
    let extended = report(&["resume", path(&short), "--evaluations", "120"]);
    let at_once = report(&["evolve", path(&task), "--evaluations", "120", "--run", path(&long)]);
    assert_eq!(extended["archive_hash"], at_once["archive_hash"]);
    let error = refusal(&["resume", path(&short), "--evaluations", "10"]);
    assert!(error.contains("has 120 already"), "{error}");
}

#[test]
fn creatures_of_a_run_are_shown_exported_and_taken_on() {
    let folder = folder("evolve-creatures");
    let task = short_task(&folder);
    let run = folder.join("first.burgess");
    let end = report(&["evolve", path(&task), "--evaluations", "150", "--algorithm", "genetic", "--run", path(&run)]);
    let best = end["best"].as_u64().unwrap();

    let file = folder.join("best.json");
    assert!(burgess(&["export", path(&run), "--to", "json", "-o", path(&file)]).status.success());
    let svg = folder.join("one.svg");
    let one = format!("{}#{best}", path(&run));
    assert!(burgess(&["picture", &one, "-o", path(&svg)]).status.success());

    let line = burgess(&["lineage", &one, "--json"]);
    let line: serde_json::Value = serde_json::from_slice(&line.stdout).unwrap();
    assert_eq!(line["ancestors"][0]["id"], best);
    assert_eq!(line["ancestors"][0]["fitness"], end["best_fitness"]);

    // From a file and from a run: the first individuals of the new run are the old ones.
    let second = folder.join("second.burgess");
    let from = ["--from", path(&file), "--from", path(&run)];
    let arguments = [&["evolve", path(&task), "--evaluations", "20", "--run", path(&second)][..], &from].concat();
    report(&arguments);
    for (number, operator) in [(0, "immigrant"), (1, "immigrant")] {
        let one = format!("{}#{number}", path(&second));
        let line = text(&burgess(&["lineage", &one]).stdout);
        assert!(line.contains(operator), "{line}");
    }
    let missing = format!("{}#20", path(&second));
    assert!(refusal(&["verify", &missing]).contains("there is no individual 20; the run has 20, numbered from 0"));
    assert!(refusal(&["verify", &format!("{}#best", path(&second))]).contains("found 'best'"));
}

#[test]
fn the_printed_configuration_is_the_run() {
    let folder = folder("evolve-config");
    let task = short_task(&folder);
    let config = folder.join("config.toml");
    let printed = burgess(&["evolve", path(&task), "--evaluations", "30", "--seed", "5", "--print-config"]);
    std::fs::write(&config, &printed.stdout).unwrap();
    let by_config = report(&["evolve", path(&config), "--run", path(&folder.join("a.burgess"))]);
    let by_options = ["evolve", path(&task), "--evaluations", "30", "--seed", "5", "--run"];
    let by_options = report(&[&by_options[..], &[path(&folder.join("b.burgess"))]].concat());
    assert_eq!(by_config["archive_hash"], by_options["archive_hash"]);
    assert_eq!(burgess(&["evolve", path(&config), "--print-config"]).stdout, printed.stdout);
}

#[test]
fn a_creature_fills_the_first_generation_and_families_are_not_mixed() {
    let folder = folder("evolve-from");
    let task = short_task(&folder);
    let run = folder.join("run.burgess");
    let evolve = ["evolve", path(&task), "--evaluations", "30", "--run", path(&run)];
    let error = refusal(&[&evolve[..], &["--from", "quadruped", "--from", "centipede"]].concat());
    assert!(error.contains("--from quadruped and --from centipede"), "{error}");
    assert!(error.contains("a legged and a graph genome cannot have a child"), "{error}");
    let error = refusal(&[&evolve[..], &["--from", "quadruped", "--family", "graph"]].concat());
    assert!(error.contains("--family graph: quadruped has a legged genome"), "{error}");
    assert!(!run.exists());

    // The family of the run is that of the creature, and the whole first generation consists of its mutants.
    report(&[&evolve[..], &["--from", "centipede"]].concat());
    let operators = |operator: &str| -> i64 {
        let database = rusqlite::Connection::open(&run).unwrap();
        let query = "SELECT count(*) FROM individuals WHERE operator = ?1";
        database.query_row(query, [operator], |row| row.get(0)).unwrap()
    };
    assert_eq!((operators("random"), operators("immigrant")), (0, 5));
    assert!(operators("mutation") > 0);
}

/// Tunings and bodies do not mix, and nothing is left behind.
#[test]
fn crowds_are_not_bred_from_creatures() {
    let folder = folder("evolve-crowd");
    let run = folder.join("run.burgess");
    let task = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tasks/counterflow.toml");
    let evolve = ["evolve", task, "--evaluations", "4", "--run", path(&run)];
    let error = refusal(&[&evolve[..], &["--from", "walker"]].concat());
    assert!(error.contains("the task tunes a crowd"), "{error}");
    assert!(!run.exists());
    report(&evolve);
    let other = folder.join("other.burgess");
    let error = refusal(&["evolve", "walk", "--from", path(&run), "--run", path(&other)]);
    assert!(error.contains("the task has no crowd"), "{error}");
    let text = std::fs::read_to_string(task)
        .unwrap()
        .replace("../scenes", concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scenes"));
    let fewer = folder.join("fewer.toml");
    std::fs::write(&fewer, text.replace("    { number = \"shyness\", range = [0, 2] },\n", "")).unwrap();
    let error = refusal(&["evolve", path(&fewer), "--from", path(&run), "--run", path(&other)]);
    assert!(error.contains("it has 4 tuned numbers, and the task tunes 3"), "{error}");
    assert!(!other.exists());
    assert!(refusal(&["verify", path(&run)]).contains("only creatures are verified"));
    let scene = folder.join("tuned.toml");
    let error = refusal(&["export", path(&run), "--to", "scene", "--seed", "3", "-o", path(&scene)]);
    assert!(error.contains("--seed applies to motions only") && !scene.exists(), "{error}");
    assert!(burgess(&["export", path(&run), "--to", "scene", "-o", path(&scene)]).status.success());
    assert!(burgess(&["simulate", path(&scene), "--seconds", "0.1"]).status.success());
}

#[test]
fn a_short_run_breeds() {
    let folder = folder("evolve-few");
    let run = folder.join("run.burgess");
    report(&["evolve", path(&short_task(&folder)), "--evaluations", "60", "--run", path(&run)]);
    let database = rusqlite::Connection::open(&run).unwrap();
    let query = "SELECT count(DISTINCT child) FROM parents JOIN individuals ON child = id
                 WHERE operator NOT IN ('copy', 'retest')";
    let children: i64 = database.query_row(query, [], |row| row.get(0)).unwrap();
    assert!(children >= 20, "{children}");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder("evolve-refused");
    let task = short_task(&folder);
    let run = folder.join("run.burgess");
    let error = refusal(&["evolve", "wlak"]);
    assert!(error.contains("did you mean 'walk'"), "{error}");
    let bad = folder.join("bad.toml");
    std::fs::write(&bad, "seed = 1\npopulation = 3\n[task]\nname = 'x'\nfitness = 'distance'\n").unwrap();
    let error = refusal(&["evolve", path(&bad), "--run", path(&run)]);
    assert!(error.contains("bad.toml:2") && error.contains("population"), "{error}");
    assert!(!run.exists());
    let error = refusal(&["evolve", path(&task), "--threads", "0", "--run", path(&run)]);
    assert!(error.contains("--threads must be from 1"), "{error}");
    assert!(!run.exists());

    std::fs::write(&run, "mine").unwrap();
    let error = refusal(&["evolve", path(&task), "--run", path(&run)]);
    assert!(error.contains("the file exists"), "{error}");
    let error = refusal(&["resume", path(&run)]);
    assert!(error.contains("this is not the file of a burgess run"), "{error}");
    assert_eq!(std::fs::read_to_string(&run).unwrap(), "mine");
    let error = refusal(&["resume", path(&folder.join("nowhere.burgess"))]);
    assert!(error.contains("there is no such file"), "{error}");

    // A folder that no user can write to.
    let output = burgess(&["evolve", path(&task), "--run", "/proc/run.burgess"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/proc/run.burgess"), "{}", text(&output.stderr));
}

#[test]
fn a_run_in_use_is_left_alone() {
    let folder = folder("evolve-in-use");
    let task = short_task(&folder);
    let run = folder.join("run.burgess");
    let mut first = start(&["evolve", path(&task), "--evaluations", "100000", "--run", path(&run), "--headless"]);
    let mut tries = 0;
    while !run.metadata().is_ok_and(|found| found.len() > 0) && tries < 500 {
        std::thread::sleep(Duration::from_millis(20));
        tries += 1;
    }
    let output = burgess(&["resume", path(&run)]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("another process is running this run"), "{}", text(&output.stderr));
}

#[test]
fn damage_is_noticed() {
    let folder = folder("evolve-damage");
    let task = short_task(&folder);
    let run = folder.join("run.burgess");
    let sound = report(&["evolve", path(&task), "--evaluations", "40", "--run", path(&run)]);
    let whole = std::fs::read(&run).unwrap();
    let mut noticed = 0;
    // Changes single bytes. Those in unused places do no harm and need not be noticed, but wrong data must never be
    // used.
    for place in (100..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x55;
        std::fs::write(&run, &bytes).unwrap();
        let output = burgess(&["resume", path(&run), "--json", "--headless"]);
        let errors = text(&output.stderr);
        assert!(!errors.contains("panicked"), "{place}: {errors}");
        if output.status.code() == Some(0) {
            let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            for field in ["archive_hash", "evaluations", "best", "best_fitness"] {
                assert_eq!(found[field], sound[field], "a changed byte at {place} was used");
            }
        }
        noticed += usize::from(output.status.code() != Some(0));
    }
    assert!(noticed > 20, "{noticed}");
}
