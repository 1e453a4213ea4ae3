//! Scenes on the command line: fields, exit codes, errors, recordings.

use std::path::Path;
use std::process::Command;

use crate::common::{burgess, folder, path, refusal, text};

/// One line of JSON, with an exit code.
fn json(arguments: &[&str], code: i32) -> serde_json::Value {
    let output = burgess(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
    let text = text(&output.stdout);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

const FIELDS: &str = "scene paradigm seconds steps wall_seconds real_time_factor contacts_mean impulses max_penetration \
                      energy_initial energy_final state_hash outcome";

#[test]
fn simulate_prints_exactly_its_fields() {
    let report = json(&["simulate", "stack", "--seconds", "0.5", "--json"], 0);
    let mut expected: Vec<_> = FIELDS.split_whitespace().collect();
    expected.sort();
    let found: Vec<_> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(found, expected);
    assert_eq!((&report["scene"], &report["outcome"]), (&"stack".into(), &"completed".into()));
    assert_eq!((&report["seconds"], &report["steps"]), (&0.5.into(), &120.into()));
    assert_eq!(report["contacts_mean"], 40.0);
    let hash = report["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    // Ten boxes of 8 kg, with centres from 0.1 m to 1.9 m high.
    assert!((report["energy_initial"].as_f64().unwrap() - 80.0 * 9.81).abs() < 1e-9);
}

#[test]
fn simulate_prints_a_table_for_people() {
    let output = burgess(&["simulate", "pendulum", "--seconds", "1", "--step", "0.01"]);
    assert!(output.status.success());
    let text = text(&output.stdout);
    for words in ["pendulum, by time-stepping: completed", "1 s in 100 steps of 10 ms", "2 degrees of freedom"] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

#[test]
fn a_run_is_the_same_again_recorded_or_not() {
    let folder = folder("again");
    let file = folder.join("stack.bur");
    let plain = ["simulate", "stack", "--seconds", "0.5", "--json"];
    let hash = |arguments: &[&str]| json(arguments, 0)["state_hash"].clone();
    let first = hash(&plain);
    assert_eq!(hash(&plain), first);
    assert_eq!(hash(&[&plain[..], &["--record", path(&file), "--rate", "30"]].concat()), first);
    let shown = text(&burgess(&["watch", path(&file)]).stdout);
    for words in ["a recording of 10 bodies", "0.5 s in 16 frames, 30 a second", "box 10", "mean height (m)", "⡇"] {
        assert!(shown.contains(words), "{words} is not in\n{shown}");
    }
    assert!(!folder.join("stack.bur.part").exists());
}

#[test]
fn scenes_are_listed_and_written() {
    let list = text(&burgess(&["scenes"]).stdout);
    for line in list.lines() {
        let (name, description) = line.split_once(' ').unwrap();
        assert!(!name.is_empty() && description.trim().ends_with('.'), "{line}");
    }
    let file = folder("written").join("mine.toml");
    assert!(burgess(&["scenes", "--write", "pendulum", "-o", path(&file)]).status.success());
    let run = |scene: &str| json(&["simulate", scene, "--seconds", "0.5", "--json"], 0)["state_hash"].clone();
    assert_eq!(run(path(&file)), run("pendulum"));
}

#[test]
fn watch_says_what_a_scene_holds() {
    let shown = text(&burgess(&["watch", "pendulum"]).stdout);
    for words in ["bodies       2: 2 jointed", "2 capsule", "2 revolute", "3.054 kg", "2 degrees"] {
        assert!(shown.contains(words), "{words} is not in\n{shown}");
    }
}

#[test]
fn a_run_starts_from_a_keyframe() {
    let folder = folder("keyframe");
    let (scene, recording) = (folder.join("drop.toml"), folder.join("drop.bur"));
    let text = "[[bodies]]\nname = 'ball'\nshapes = [{ type = 'sphere', radius = 0.1 }]\n\
                [[keyframes]]\nname = 'high'\nbodies.ball = { position = [0, 0, 100] }\n";
    std::fs::write(&scene, text).unwrap();
    let run = |rest: &[&str]| {
        let arguments = [&["simulate", path(&scene), "--seconds", "0.1", "--json"], rest].concat();
        json(&arguments, 0)
    };
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let high = run(&["--keyframe", "high", "--record", path(&recording)])["energy_initial"].as_f64().unwrap();
    assert!((high - mass * 9.81 * 100.0).abs() < 1e-6 * high);
    assert_eq!(run(&[])["energy_initial"].as_f64().unwrap(), 0.0);
    assert!(burgess(&["watch", path(&scene), "--still", "--keyframe", "high"]).status.success());
    let error = refusal(&["simulate", path(&scene), "--keyframe", "hihg"]);
    assert!(error.contains("there is no keyframe called 'hihg'; did you mean 'high'?"), "{error}");
    let error = refusal(&["watch", path(&recording), "--keyframe", "high"]);
    assert!(error.contains("--keyframe applies to scenes only"), "{error}");
}

#[test]
fn a_run_that_fails_says_so() {
    let file = folder("fails").join("fall.toml");
    let scene =
        "[simulation]\nmax_speed = 5\n[[bodies]]\nname = 'ball'\nshapes = [{ type = 'sphere', radius = 0.1 }]\n";
    std::fs::write(&file, scene).unwrap();
    let report = json(&["simulate", path(&file), "--seconds", "2", "--json"], 1);
    assert_eq!((&report["outcome"], &report["scene"]), (&"too_fast".into(), &"fall".into()));
    let error = text(&burgess(&["simulate", path(&file), "--seconds", "2"]).stderr);
    assert!(error.contains("'ball' moves at") && error.contains("above the bound of 5 m/s"), "{error}");
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let folder = folder("bad");
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        path(&file).to_string()
    };
    let crowd: String = (0..100_001).map(|index| format!("[[bodies]]\nname = 'b{index}'\n")).collect();
    let ball = |name: &str, x: f64| {
        format!("[[bodies]]\nname = '{name}'\nposition = [{x:?}, 0, 0]\nshapes = [{{ type = 'sphere', radius = 1 }}]\n")
    };
    let crowd = write("crowd.toml", &crowd);
    let wedged = write("wedged.toml", &(ball("left", 0.0) + &ball("right", 1.5)));
    let slip = write("slip.toml", "gravty = 3\n");
    let noise = folder.join("noise.toml");
    std::fs::write(&noise, [0xff, 0xfe, 0x00]).unwrap();
    for (arguments, words) in [
        (&["simulate", "stak"][..], "there is no scene or creature called 'stak'; did you mean 'stack' or 'stacks'?"),
        (
            &["simulate", "zebra"],
            "there is no scene or creature called 'zebra'; `burgess scenes` and `burgess creatures` list all",
        ),
        (&["watch", "pendlum"], "did you mean 'pendulum' or 'pendulums'?"),
        (&["scenes", "--write", "stac"], "did you mean 'stack'"),
        (&["simulate", "stack", "--paradigm", "magic"], "possible values: time-stepping"),
        (&["simulate", "stack", "--seconds", "-1"], "--seconds must be finite and not negative, found -1"),
        (&["simulate", "stack", "--seconds", "inf"], "--seconds must be finite"),
        (&["simulate", "stack", "--step", "0"], "--step must be more than 0 s and at most 1 s, found 0"),
        (&["simulate", "stack", "--step", "nan"], "--step must be more than 0 s"),
        (&["simulate", "stack", "--rate", "5"], "--record"),
        (
            &["simulate", "stack", "--record", "x.bur", "--rate", "1000"],
            "more than the number of steps: 240 per second",
        ),
        (&["simulate", "stack", "--record", "no such folder/x.bur"], "cannot record to no such folder/x.bur"),
        (&["simulate", "no such file.toml"], "no such file.toml: cannot be read"),
        (&["simulate", &crowd], "has 100001 bodies; at most 100000 are allowed"),
        (&["simulate", &wedged], "wedged.toml:5: bodies[1]: 'left' and 'right' start 5.000e-1 m deep in each other"),
        (&["simulate", &slip], "slip.toml:1: gravty: unknown field; did you mean 'gravity'?"),
        (&["simulate", path(&noise)], "is not UTF-8 text"),
        (&["simulate"], "<SCENE|CREATURE>"),
    ] {
        let error = refusal(arguments);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    assert!(!Path::new("x.bur.part").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_there_is() {
    let file = folder("interrupted").join("long.bur");
    let part = file.with_extension("bur.part");
    let arguments = ["simulate", "pendulum", "--seconds", "1e9", "--record", path(&file), "--json"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
    let child = command.args(arguments).stdout(std::process::Stdio::piped()).spawn().unwrap();
    // The recording grows only after the signal handler is installed.
    while !std::fs::metadata(&part).is_ok_and(|part| part.len() > 100_000) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["outcome"], "interrupted");
    let shown = text(&burgess(&["watch", path(&file)]).stdout);
    assert!(shown.contains("a recording of 2 bodies\n"), "{shown}");
    assert!(!part.exists());
}
