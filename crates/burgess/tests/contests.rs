//! Contests on the command line: matches, runs with opponents, tournaments.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{burgess, folder, path, printed, refusal, text};

/// A short contest over the cube with two populations.
const RUN: &str = "
evaluations = 40
[algorithm]
type = 'genetic'
population = 5
[rivals]
opponents = 'ancestors'
count = 2
[task]
name = 'short-contest'
fitness = '1 + (opponent_mean_cube_gap - mean_cube_gap) / max(opponent_mean_cube_gap + mean_cube_gap, 0.05)'
settle = 0.1
duration = 0.5
transient = 0
contest = {}
target = { at = 'cube' }
";

fn json(arguments: &[&str]) -> serde_json::Value {
    let text = printed(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

fn written(folder: &Path) -> PathBuf {
    let file = folder.join("contest.toml");
    std::fs::write(&file, RUN).unwrap();
    file
}

fn evolved(config: &Path, run: &Path, threads: &str) -> serde_json::Value {
    json(&["evolve", path(config), "--run", path(run), "--threads", threads, "--headless", "--json"])
}

#[test]
fn a_match_is_the_same_every_time_and_is_recorded() {
    let folder = folder("match");
    let file = folder.join("trial.bur");
    let play = || json(&["match", "walker", "hexapod", "--pairs", "1", "--record", path(&file), "--json"]);
    let played = play();
    for field in ["a", "b", "task", "trials", "wins_a", "wins_b", "draws", "fitness_a", "fitness_b", "state_hash"] {
        assert!(!played[field].is_null(), "{field}: {played}");
    }
    assert_eq!((&played["a"], &played["task"], &played["trials"]), (&"walker".into(), &"contest".into(), &2.into()));
    let count = |field: &str| played[field].as_u64().unwrap();
    assert_eq!(count("wins_a") + count("wins_b") + count("draws"), 2);
    assert_eq!(play(), played);
    // The recording shows both creatures, in the colours of their sides.
    let shown = printed(&["watch", path(&file), "--still"]);
    assert!(shown.contains("bodies"), "{shown}");
    let picture = folder.join("trial.svg");
    printed(&["picture", path(&file), "-o", path(&picture)]);
    let reader = burgess_scene::recording::RecordingReader::open(&file).unwrap();
    assert!(reader.header().bodies.iter().any(|name| name == "opponent-part0"), "{:?}", reader.header().bodies);
    // For people, the winner comes first.
    let table = printed(&["match", "walker", "hexapod", "--pairs", "1", "--record", path(&file)]);
    assert!(table.contains("mean fitness") && table.contains("recorded: "), "{table}");
}

#[test]
fn matches_that_cannot_be_played_are_refused_with_a_sentence() {
    let alone = refusal(&["match", "walker"]);
    assert!(alone.contains("required arguments were not provided:\n  <B>\n"), "{alone}");
    assert_eq!(
        refusal(&["match", "walker", "hexapod", "--task", "walk"]),
        "burgess: the task 'walk' has no sides, because it has no [contest]; choose a contest, such as 'contest'\n"
    );
    assert!(refusal(&["match", "walker", "stack"]).contains("'stack' is a scene, expected a built-in creature"));
    assert_eq!(
        refusal(&["match", "walker", "hexapod", "--pairs", "0"]),
        "burgess: --pairs: a match has from 1 to 10000 pairs of trials, found 0\n"
    );
    assert!(refusal(&["match", "walker", "hexapod", "--trial", "9"]).contains("--trial must be from 1 to 8, found 9"));
    // A wrong place for the recording is found before the match is played.
    assert_eq!(
        refusal(&["match", "walker", "hexapod", "--record", "absent/trial.bur"]),
        "burgess: absent/trial.bur: cannot be written: there is no folder absent; create it first\n"
    );
    // A legged body with too many parts cannot start. The graph of the walker grows fewer.
    let folder = folder("match-refused");
    let task = folder.join("light.toml");
    let light = "name = 'light'\nfitness = 'ring_time'\ncontest = { ring = 1 }\nphysiology.viability.max_parts = 2\n";
    std::fs::write(&task, light).unwrap();
    let refused = refusal(&["match", "walker", "hexapod", "--task", path(&task)]);
    assert!(refused.contains("hexapod"), "{refused}");
    assert_eq!(refused.lines().count(), 1, "{refused}");
    for command in ["simulate", "watch"] {
        let refused = refusal(&[command, "walker", "--task", "contest"]);
        let expected = "the task 'contest' is played by two creatures, and 'walker' is only one";
        assert!(refused.contains(expected) && refused.lines().count() == 1, "{refused}");
    }
}

#[test]
fn a_contest_has_the_same_hash_on_one_and_two_threads_and_after_a_kill() {
    let folder = folder("contest-hash");
    let config = written(&folder);
    let run = folder.join("one.burgess");
    let one = evolved(&config, &run, "1");
    assert_eq!(evolved(&config, &folder.join("two.burgess"), "2")["archive_hash"], one["archive_hash"]);
    let killed = folder.join("killed.burgess");
    let mut child = Command::new(env!("CARGO_BIN_EXE_burgess"))
        .args(["evolve", path(&config), "--run", path(&killed), "--threads", "1", "--headless"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !killed.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = json(&["resume", path(&killed), "--threads", "1", "--headless", "--json"]);
    assert_eq!(resumed["archive_hash"], one["archive_hash"]);
    // Individuals are shown with their opponents.
    let picture = folder.join("last.svg");
    printed(&["picture", &format!("{}#39", path(&run)), "-o", path(&picture)]);
    let shown = printed(&["watch", &format!("{}#39", path(&run)), "--still"]);
    assert!(!shown.is_empty());
    // Their files contain the opponents.
    let (file, task) = (folder.join("last.json"), folder.join("task.toml"));
    printed(&["export", &format!("{}#39", path(&run)), "--to", "json", "-o", path(&file)]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"side\": ") && text.contains("\"opponent\": {"), "{text}");
    let other = folder.join("other.json");
    let walker = ["export", "walker", "--opponent", "hexapod", "-o", path(&other), "--to"];
    assert_eq!(
        refusal(&[&walker[..], &["json"]].concat()),
        "burgess: --opponent: the task 'walk' of 'walker' is not a contest\n"
    );
    assert!(refusal(&[&walker[..], &["mjcf"]].concat()).contains("use --to json"));
    printed(&["export", &format!("{}#39", path(&run)), "--opponent", "walker", "--to", "json", "-o", path(&file)]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"family\": \"graph\""), "{text}");
    std::fs::write(&task, RUN.split_once("[task]").unwrap().1).unwrap();
    let of_file = folder.join("file.svg");
    printed(&["picture", path(&file), "--task", path(&task), "-o", path(&of_file)]);
    assert!(std::fs::read_to_string(&of_file).unwrap().len() > 1000);
    assert_eq!(
        json(&[
            "match",
            path(&run),
            &format!("{}#39", path(&run)),
            "--pairs",
            "1",
            "--record",
            path(&folder.join("x.bur")),
            "--json"
        ])["task"],
        "short-contest"
    );
}

#[test]
fn a_tournament_says_who_wins() {
    let folder = folder("tournament");
    let (config, run) = (written(&folder), folder.join("run.burgess"));
    evolved(&config, &run, "2");
    let picture = folder.join("matrix.svg");
    let play = |threads: &str| {
        json(&["tournament", path(&run), "--generations", "3", "--threads", threads, "-o", path(&picture), "--json"])
    };
    let played = play("1");
    assert_eq!(play("2"), played);
    let players = played["players"].as_array().unwrap();
    assert_eq!(players.len(), 6, "three generations of two sides: {played}");
    let elo: f64 = players.iter().map(|player| player["elo"].as_f64().unwrap()).sum();
    assert!(elo.abs() < 1e-6, "{elo}");
    assert!(players.iter().all(|player| player["elo_error"].as_f64().unwrap() > 0.0), "{played}");
    let score = |row: usize, column: usize| played["matrix"][row][column].as_f64();
    for row in 0..6 {
        assert_eq!(score(row, row), None);
        for column in (0..6).filter(|column| *column != row) {
            assert!((score(row, column).unwrap() + score(column, row).unwrap() - 1.0).abs() < 1e-12);
        }
    }
    assert_eq!(played["leaders"].as_array().unwrap().len(), 2);
    // Four generations of two sides; in the first there are no opponents.
    let rates = played["win_rates"].as_array().unwrap();
    assert_eq!(rates.len(), 8, "{played}");
    assert!(rates[0]["score"].is_null() && rates[7]["meetings"].as_u64().unwrap() > 0, "{played}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("A, gen. 0 against B, gen. 3"), "{svg}");
    let table = printed(&["tournament", path(&run), "--generations", "2"]);
    assert!(table.contains("leader of side A") && table.contains("Elo"), "{table}");
}

#[test]
fn a_run_without_sides_has_no_tournament() {
    let folder = folder("no-tournament");
    let task = crate::common::short_task(&folder);
    let run = folder.join("walk.burgess");
    json(&["evolve", path(&task), "--evaluations", "4", "--run", path(&run), "--headless", "--json"]);
    assert_eq!(
        refusal(&["tournament", path(&run)]),
        "burgess: the run is not a contest: its task 'short' has no sides; choose a run of a contest\n"
    );
    assert!(refusal(&["tournament", "walker"]).contains("'walker' is a creature, expected a run"));
    assert!(refusal(&["tournament", path(&run), "-o", "x.png"]).contains("must end in .svg"));
    assert!(refusal(&["tournament", path(&run), "-o", "absent/x.svg"]).contains("there is no folder absent"));
    let alone = folder.join("alone.toml");
    std::fs::write(&alone, RUN.replace("opponents = 'ancestors'", "compete = false")).unwrap();
    let run = folder.join("alone.burgess");
    evolved(&alone, &run, "2");
    assert!(refusal(&["tournament", path(&run)]).contains("met only their limp twins"));
}

#[test]
fn the_report_of_a_contest_names_the_tournament() {
    let folder = folder("contest-report");
    let (config, run) = (written(&folder), folder.join("run.burgess"));
    let report = printed(&["evolve", path(&config), "--run", path(&run), "--headless"]);
    assert!(report.contains("tournament") && !report.contains("body lengths"), "{report}");
}

#[test]
fn a_contest_creature_is_verified_against_its_limp_twin() {
    let arguments = ["verify", "walker", "--task", "contest", "--draws", "1", "--trials", "1", "--fine", "1", "--json"];
    let output = burgess(&arguments);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((report["baseline"].as_f64().unwrap() - 1.0).abs() < 0.05, "{report}");
    let exploits = report["exploits"].as_array().unwrap();
    assert!(!exploits.iter().any(|exploit| exploit == "falling"), "{report} {}", text(&output.stderr));
}
