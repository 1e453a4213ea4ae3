//! `burgess verify --referee`, with programs that take the place of the interpreter.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{folder, path, refusal, short_task, text};

/// A script that is started as the interpreter.
#[cfg(unix)]
fn interpreter(folder: &Path, name: &str, lines: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join(name);
    std::fs::write(&file, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn verify(interpreter: &Path, arguments: &[&str]) -> Output {
    let quick = ["verify", "walker", "--draws", "1", "--trials", "1", "--fine", "1", "--referee", "mujoco"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
    command.env("BURGESS_PYTHON", interpreter).args(quick).args(arguments).output().unwrap()
}

#[test]
#[cfg(unix)]
fn the_referee_is_asked_for_the_same_creature_and_reported() {
    let folder = folder("referee");
    let task = short_task(&folder);
    let answer = r#"{"referee": "mujoco", "fitness": 1.5, "own_fitness": 2, "fraction": 0.75, "outcome": "scored", "reason": null}"#;
    let asked = folder.join("asked");
    let lines = format!("echo \"$@\" > {}\necho '{answer}'", asked.display());
    let script = interpreter(&folder, "python", &lines);
    let output = verify(&script, &["--task", path(&task), "--seed", "4", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["referee"]["fraction"], 0.75, "{}", text(&output.stderr));
    let asked = std::fs::read_to_string(asked).unwrap();
    assert_eq!(asked.trim(), format!("-m burgess.referee walker --task {} --seed 4", task.display()));
    let table = text(&verify(&script, &["--task", path(&task)]).stdout);
    assert!(table.contains("in mujoco") && table.contains("75 %  (for information)"), "{table}");
}

#[test]
#[cfg(unix)]
fn a_missing_referee_says_what_to_install() {
    let folder = folder("missing-referee");
    let script = interpreter(&folder, "python", "echo \"No module named 'burgess'\" >&2\nexit 1");
    for (interpreter, expected) in [(script, "has no package burgess"), (folder.join("nothing"), "set BURGESS_PYTHON")]
    {
        let output = verify(&interpreter, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    let error = refusal(&["verify", "walker", "--task", "sumo", "--referee", "mujoco"]);
    assert!(error.contains("played by two creatures"), "{error}");
}
