//! Creatures and tasks on the command line.

use crate::common::{burgess, folder, path, refusal};

/// What is printed when all goes well.
fn printed(arguments: &[&str]) -> String {
    let output = burgess(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn simulated(arguments: &[&str]) -> serde_json::Value {
    let start = ["simulate"].iter().chain(arguments).copied();
    let all: Vec<&str> = start.chain(["--seconds", "3", "--json"]).collect();
    serde_json::from_str(&printed(&all)).unwrap()
}

#[test]
fn creatures_and_tasks_are_listed_name_first() {
    for (list, known) in [("creatures", "walker"), ("tasks", "walk")] {
        let text = printed(&[list]);
        assert!(text.lines().any(|line| line.split_whitespace().next() == Some(known)), "{text}");
        assert!(text.lines().all(|line| line.split_whitespace().count() > 3), "{text}");
    }
}

#[test]
fn a_built_in_creature_becomes_a_file_that_runs_the_same() {
    let folder = folder("creature-file");
    let file = folder.join("mine.json");
    printed(&["export", "walker", "--to", "json", "-o", path(&file)]);
    let built_in = simulated(&["walker"]);
    assert_eq!(built_in["outcome"], "completed");
    assert_eq!(simulated(&[path(&file)])["state_hash"], built_in["state_hash"]);

    let again = folder.join("again.json");
    printed(&["export", path(&file), "--to", "json", "-o", path(&again)]);
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&again).unwrap());
}

#[test]
fn the_arena_is_that_of_a_task_and_a_seed() {
    let hash = |arguments: &[&str]| simulated(arguments)["state_hash"].clone();
    let own = hash(&["walker"]);
    assert_eq!(hash(&["walker", "--task", "walk", "--seed", "0"]), own);
    assert_ne!(hash(&["walker", "--task", "swim"]), own);
    assert_ne!(hash(&["walker", "--seed", "1"]), own);

    let task = folder("arena").join("mine.toml");
    printed(&["tasks", "--write", "walk", "-o", path(&task)]);
    assert_eq!(hash(&["walker", "--task", path(&task)]), own);
}

#[test]
fn creatures_are_watched_drawn_and_exported() {
    let folder = folder("shown");
    let text = printed(&["watch", "swimmer", "--still"]);
    assert!(text.starts_with("swimmer: ") && text.contains("task swim"), "{text}");
    for (format, name) in [("mjcf", "walker.xml"), ("urdf", "walker.urdf"), ("gltf", "walker.glb")] {
        let file = folder.join(name);
        let seconds: &[&str] = if format == "gltf" { &["--seconds", "0.5"] } else { &[] };
        printed(&[&["export", "walker", "--to", format, "-o", path(&file)], seconds].concat());
        assert!(file.exists(), "{name}");
    }
    printed(&["picture", "walker", "-o", path(&folder.join("walker.svg"))]);
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    let folder = folder("mistakes");
    let message = refusal(&["simulate", "wlker"]);
    assert!(message.contains("no scene or creature called 'wlker'; did you mean 'walker'?"), "{message}");
    let message = refusal(&["match", "grapler", "walker"]);
    assert!(message.contains("no creature called 'grapler'; did you mean 'grappler' or 'leaper'?"), "{message}");
    let message = refusal(&["simulate", "walker", "--task", "swin"]);
    assert!(message.contains("no task called 'swin'; did you mean 'swim'? `burgess tasks` lists all"), "{message}");
    let message = refusal(&["simulate", "stack", "--task", "swim"]);
    assert!(message.contains("--task and --seed are for creatures, and 'stack' is a scene"), "{message}");
    let message = refusal(&["export", "stack", "--to", "json", "-o", path(&folder.join("stack.json"))]);
    assert!(message.contains("'stack' is a scene, expected a built-in creature"), "{message}");
    let message = refusal(&["export", "walker", "--to", "json", "-o", path(&folder.join("walker.txt"))]);
    assert!(message.contains("must end in .json"), "{message}");
    assert!(refusal(&["simulate", "nowhere.json"]).contains("nowhere.json: cannot be read"));
    let file = folder.join("tower.burgess");
    std::fs::write(&file, "").unwrap();
    let message = refusal(&["watch", path(&folder.join("tower"))]);
    assert!(message.contains(&format!("there is no such file; did you mean '{}'?", file.display())), "{message}");

    let file = folder.join("wrong.json");
    printed(&["export", "walker", "--to", "json", "-o", path(&file)]);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("\"box\"", "\"bocks\"", 1)).unwrap();
    let message = refusal(&["watch", path(&file)]);
    assert!(
        message.contains("wrong.json:") && message.contains("nodes[0].shape: unknown variant `bocks`"),
        "{message}"
    );
    std::fs::write(&file, text.replacen("\"walk\"", "\"elsewhere\"", 1)).unwrap();
    let message = refusal(&["watch", path(&file), "--still"]);
    assert!(message.contains("no task called 'elsewhere'; choose a task with --task"), "{message}");
}
