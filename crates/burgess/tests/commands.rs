//! The commands in the documents and in the help: they exist, have the options that are named, and work.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{folder, printed, text};
use crate::documents::{Document, documents, files_in, root};
use crate::serve::Serving;

/// How commands begin in documents.
const PROGRAMS: [&str; 3] = ["burgess ", "cargo run --release -- ", "target/release/burgess "];

/// The command in a line of a document, without the program, the prompt and what explains it.
fn command_of(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches("$ ");
    let rest = PROGRAMS.iter().find_map(|program| line.strip_prefix(program))?.trim();
    let end = ["  ", " # "].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    Some(rest[..end].trim())
}

/// The options of a command, and of its own command if it has one, by name.
fn help_of(command: &[&str]) -> String {
    let names: Vec<&str> = match command {
        ["flow", name, ..] => vec!["flow", name],
        ["help", name] | [name, ..] => vec![name],
        [] => vec![],
    };
    printed(&[&names[..], &["--help"]].concat())
}

/// The help of the program and of every command, as documents with the lines of their examples.
fn help_pages() -> Vec<(PathBuf, Document)> {
    let (mut pages, mut commands) = (Vec::new(), vec![String::new()]);
    while let Some(command) = commands.pop() {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = printed(&words);
        let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let names = list.lines().map_while(|line| line.strip_prefix("  ")?.split_whitespace().next());
        commands.extend(names.filter(|name| *name != "help").map(|name| format!("{command} {name}")));
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{words:?}: no examples"));
        pages.push((PathBuf::from(words.join(" ")), Document::of_lines(examples)));
    }
    pages
}

#[test]
fn commands_have_the_options_that_documents_name() {
    let commands = printed(&["--help"]);
    let mut seen = 0;
    for (file, document) in documents().into_iter().chain(help_pages()) {
        if file.ends_with("CHANGELOG.md") {
            continue;
        }
        let shown = document.code.iter().chain(&document.lines);
        for command in shown.filter_map(|line| command_of(line)).filter(|command| !command.is_empty()) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let place = format!("{}: {command}", file.display());
            if !words[0].starts_with('-') {
                assert!(commands.contains(&format!("\n  {} ", words[0])), "{place}: no such command");
            }
            let help = help_of(&words);
            let options: BTreeSet<&str> = help.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
            for option in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                let option = option.split('=').next().unwrap();
                assert!(options.contains(option), "{place}: {option} is not an option");
            }
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen} commands");
}

/// Options of commands with values that take little time.
const BUDGETS: [(&str, &[&str]); 7] = [
    ("resume", &["--evaluations", "8"]),
    ("evolve", &["--evaluations", "4", "--headless"]),
    ("simulate", &["--seconds", "0.1"]),
    ("match", &["--pairs", "1"]),
    ("flow make", &["--size", "16", "--steps", "3"]),
    ("bounce", &["--steps", "20"]),
    ("verify", &["--draws", "1", "--trials", "1", "--fine", "1"]),
];

/// A command with options that make it take little time, instead of its own ones. None if it is not run: it needs
/// other programs, a shell or files of the reader.
fn with_small_budget(words: &[&str]) -> Option<String> {
    let has = |option: &str| words.contains(&option);
    let needs_shell = words.iter().any(|word| word.contains("$(") || word.contains('*'));
    if has("--nats") || has("--referee") || words[0] == "worker" || needs_shell {
        return None;
    }
    let command = words.join(" ");
    let budget = BUDGETS.iter().find(|(name, _)| command.starts_with(name)).map_or(&[][..], |(_, budget)| *budget);
    let budget = if has("--print-config") { &[] } else { budget };
    Some([&without_options(words, budget)[..], budget].concat().join(" "))
}

/// A command with the number of a creature that a short run has, too.
fn in_short_run(command: &str) -> String {
    match command.split_once(".burgess#") {
        Some((run, rest)) => format!("{run}.burgess#1{}", rest.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => command.to_string(),
    }
}

/// The words of a command without some options and their values.
fn without_options<'a>(words: &[&'a str], options: &[&str]) -> Vec<&'a str> {
    let is_dropped = |word: &str| word.starts_with("--") && options.contains(&word);
    let (mut kept, mut after_dropped) = (Vec::new(), false);
    for word in words {
        if !is_dropped(word) && (!after_dropped || word.starts_with('-')) {
            kept.push(*word);
        }
        after_dropped = is_dropped(word);
    }
    kept
}

/// A folder with what the commands of the documents use.
#[cfg(unix)]
fn prepared() -> PathBuf {
    let folder = folder("documents");
    for name in ["examples", "bench"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).unwrap();
    }
    let copy = |file: &str, copies: &[&str]| {
        for copy in copies {
            fs::copy(folder.join(file), folder.join(copy)).unwrap();
        }
    };
    for task in ["walk", "contest", "examples/tasks/counterflow.toml"] {
        run_in(&folder, &format!("evolve {task} --evaluations 4 --headless"));
    }
    copy("runs/walk-1.burgess", &["a.burgess", "b.burgess"]);
    copy("runs/contest-1.burgess", &["runs/one.burgess", "runs/two.burgess"]);
    run_in(&folder, "export walker --to json -o walker.json");
    copy("walker.json", &["mine.json", "a.json", "b.json"]);
    run_in(&folder, "scenes --write stack -o scene.toml");
    run_in(&folder, "simulate stack --seconds 0.1 --record run.bur");
    copy("run.bur", &["stack.bur"]);
    let take =
        r#"{"version": 1, "source": {"type": "scene", "name": "stack"}, "latest": 0, "events": [], "hashes": []}"#;
    fs::write(folder.join("stack.take.json"), take).unwrap();
    copy("examples/spaces/weeks.gens", &["mine.gens"]);
    let write = |model: &str, replaced: (&str, &str), file: &str| {
        let text = fs::read_to_string(root().join("examples/models").join(model)).unwrap();
        fs::write(folder.join(file), text.replace(replaced.0, replaced.1)).unwrap();
    };
    write("crab.xml", ("crouched", "standing"), "ant.xml");
    copy("ant.xml", &["robot.xml"]);
    // The base moves freely in one of the examples, so it needs a mass.
    let base = r#"<link name="pedestal">"#;
    let inertia = r#"<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>"#;
    write("arm.urdf", (base, &format!(r#"{base}<inertial><mass value="9"/>{inertia}</inertial>"#)), "robot.urdf");
    for parent in ["robots", ".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"] {
        fs::create_dir_all(folder.join(parent)).unwrap();
    }
    folder
}

/// Runs a command that succeeds, as the shell does.
pub fn run_in(folder: &Path, command: &str) -> Output {
    let output = output_in(folder, command);
    assert!(output.status.success(), "{command}: {}{}", text(&output.stdout), text(&output.stderr));
    output
}

fn output_in(folder: &Path, command: &str) -> Output {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec '{}' {command}", env!("CARGO_BIN_EXE_burgess"))])
        .current_dir(folder)
        .env("HOME", folder);
    shell.output().unwrap()
}

#[cfg(unix)]
#[test]
fn commands_in_documents_work() {
    let folder = prepared();
    let mut done = BTreeSet::new();
    for (file, document) in documents().into_iter().chain(help_pages()) {
        // A scene, unless a command of the same document writes a task.
        fs::copy(folder.join("scene.toml"), folder.join("mine.toml")).unwrap();
        for command in document.lines.iter().filter_map(|line| command_of(line)) {
            let command = in_short_run(command);
            let words: Vec<&str> = command.split_whitespace().collect();
            let Some(short) = with_small_budget(&words) else { continue };
            if !done.insert(short.clone()) && !short.contains("mine.toml") {
                continue;
            }
            println!("{}: {command}", file.display());
            let is_printed = ["--terminal", "--still", "|"].iter().any(|word| words.contains(word));
            match words[..] {
                ["watch" | "serve", ..] | ["flow", "watch", ..] if !is_printed => {
                    drop(Serving::start(&without_options(&words, &["--listen"]), &folder));
                }
                // The champion of a short run may be refused.
                ["verify", run, ..] if run.contains(".burgess") => {
                    let output = output_in(&folder, &short);
                    assert!(text(&output.stdout).contains("eighth step"), "{short}: {}", text(&output.stderr));
                }
                _ => drop(run_in(&folder, &short)),
            }
        }
    }
    assert!(done.len() > 40, "{done:?}");
}

/// Names of built-in things, as a command lists them.
fn names(list: &str) -> BTreeSet<String> {
    printed(&[list]).lines().filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
}

#[test]
fn documents_name_only_what_exists() {
    let tasks = names("tasks");
    let shown: BTreeSet<String> = ["creatures", "scenes", "spaces"].into_iter().flat_map(names).collect();
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_name = |word: &str| word.chars().all(is_part) && !word.starts_with('-');
    let (mut unknown, mut seen) = (Vec::new(), 0);
    for (file, document) in documents().into_iter().chain(help_pages()) {
        for code in document.code.iter().chain(&document.lines) {
            // Programs of the repository are named by their paths.
            let path = code.split_whitespace().next().unwrap_or_default();
            let is_program =
                path.starts_with("./") || ["bench/", "docs/make"].iter().any(|start| path.starts_with(start));
            if is_program && !root().join(path).exists() {
                unknown.push(format!("{}: {code}", file.display()));
            }
            let Some(command) = command_of(code) else { continue };
            let words: Vec<&str> = command.split_whitespace().collect();
            let (known, named) = match words[..] {
                ["watch" | "simulate" | "verify" | "picture" | "export", name, ..] => (&shown, vec![name]),
                ["evolve", name, ..] => (&tasks, vec![name]),
                ["match", first, second, ..] => (&shown, vec![first, second]),
                _ => continue,
            };
            for name in named.into_iter().filter(|name| is_name(name)) {
                seen += 1;
                if !known.contains(name) {
                    unknown.push(format!("{}: {code}", file.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty() && seen > 25, "{seen} names; unknown ones:\n{}", unknown.join("\n"));
}

/// The values of options such as `-p` in a command.
fn values<'a>(words: &[&'a str], option: &str) -> Vec<&'a str> {
    words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1]).collect()
}

/// Words that begin with a letter, in what follows a word of a command: filters of tests, names of benchmarks.
fn plain_words_after<'a>(words: &[&'a str], word: &str) -> Vec<&'a str> {
    let after = words.iter().skip_while(|candidate| **candidate != word).skip(1).take_while(|word| **word != "--");
    after.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).copied().collect()
}

/// The source text of a crate and its tests.
fn source_of(package: &str) -> String {
    let mut folders = vec![root().join("crates").join(package.trim_start_matches("burgess-").replace('-', "_"))];
    let mut source = String::new();
    while let Some(folder) = folders.pop() {
        for file in files_in(&folder) {
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|extension| extension == "rs") {
                source += file.file_stem().unwrap().to_str().unwrap();
                source += &fs::read_to_string(&file).unwrap();
            }
        }
    }
    source
}

#[test]
fn commands_of_developers_exist() {
    let scripts = fs::read_to_string(root().join("web/package.json")).unwrap();
    let mut missing = Vec::new();
    let mut seen = [0; 3];
    for (file, document) in documents().into_iter().filter(|(file, _)| !file.ends_with("CHANGELOG.md")) {
        for code in document.code.iter().chain(&document.lines) {
            let words: Vec<&str> = code.split_whitespace().take_while(|word| *word != "#").collect();
            let found = match words[..] {
                ["npm", ..] if words.contains(&"run") => {
                    seen[0] += 1;
                    values(&words, "run").iter().all(|script| scripts.contains(&format!("\"{script}\": ")))
                }
                ["cargo", "test", ..] => {
                    seen[1] += 1;
                    let packages = values(&words, "-p");
                    let sources: Vec<String> = packages.iter().map(|package| source_of(package)).collect();
                    let targets = [packages, values(&words, "--test"), values(&words, "--example")].concat();
                    let mut filters = plain_words_after(&words, "test");
                    filters.retain(|word| !targets.contains(word) && *word != "all");
                    filters
                        .iter()
                        .all(|filter| filter.split("::").all(|part| sources.iter().any(|source| source.contains(part))))
                }
                ["bench/run", name, ..] if !name.starts_with(['-', '[']) => {
                    seen[2] += 1;
                    name == "python" || fs::read_to_string(root().join("bench/run")).unwrap().contains(name)
                }
                _ => true,
            };
            if !found {
                missing.push(format!("{}: {code}", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(seen[0] > 15 && seen[1] > 15 && seen[2] > 5, "{seen:?}");
}
