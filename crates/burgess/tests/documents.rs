//! The documents of the repository: their links lead somewhere, and their commands work.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pulldown_cmark::{BrokenLink, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::common::{folder, printed, text};
use crate::serve::Serving;

/// How commands begin in documents.
const PROGRAMS: [&str; 3] = ["burgess ", "cargo run --release -- ", "target/release/burgess "];

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A document: its headings as anchors, its links, the lines of its code blocks, and its code within sentences.
#[derive(Default)]
pub struct Document {
    anchors: BTreeSet<String>,
    pub links: Vec<String>,
    pub lines: Vec<String>,
    code: Vec<String>,
}

impl Document {
    fn read(file: &Path) -> Self {
        let source = fs::read_to_string(file).unwrap();
        let mut document = Self::default();
        let (mut heading, mut is_shell) = (None, false);
        let mut undefined = Vec::new();
        let mut note = |link: BrokenLink| {
            if matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) {
                undefined.push(format!("[{}]", link.reference));
            }
            None
        };
        for event in Parser::new_with_broken_link_callback(&source, Options::ENABLE_TABLES, Some(&mut note)) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => document.add_anchor(&heading.take().unwrap_or_default()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(dest_url.to_string());
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    is_shell = match kind {
                        CodeBlockKind::Indented => true,
                        CodeBlockKind::Fenced(language) => ["", "sh", "bash", "console"].contains(&&*language),
                    };
                }
                Event::End(TagEnd::CodeBlock) => is_shell = false,
                Event::Text(text) => match &mut heading {
                    Some(heading) => heading.push_str(&text),
                    None if is_shell => document.add_lines(&text),
                    None => {}
                },
                Event::Code(code) => match &mut heading {
                    Some(heading) => heading.push_str(&code),
                    None => document.code.push(code.to_string()),
                },
                _ => {}
            }
        }
        document.links.append(&mut undefined);
        document
    }

    /// Adds the lines of a code block. A command that continues after a backslash is one line.
    fn add_lines(&mut self, text: &str) {
        for line in text.lines() {
            match self.lines.last_mut().filter(|last| last.ends_with('\\')) {
                Some(last) => last.replace_range(last.len() - 1.., line.trim_start()),
                None => self.lines.push(line.to_string()),
            }
        }
    }

    /// Adds the anchor of a heading, as the usual web sites of repositories name it.
    fn add_anchor(&mut self, heading: &str) {
        let kept = heading.to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let taken = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(taken).find(|name| !self.anchors.contains(name));
        self.anchors.extend(free);
    }
}

/// All documents of the repository, by their paths.
pub fn documents() -> BTreeMap<PathBuf, Document> {
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> =
        ["crates/burgess", "docs", "deploy", "examples", "python", "web/examples"].map(|name| root().join(name)).into();
    let mut files: Vec<PathBuf> = ["", "web"].iter().flat_map(|name| files_in(&root().join(name))).collect();
    while let Some(folder) = folders.pop() {
        for file in files_in(&folder) {
            if file.is_dir() { folders.push(file) } else { files.push(file) }
        }
    }
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
        let document = Document::read(&file);
        found.insert(file, document);
    }
    assert!(found.len() > 20);
    found
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let documents = documents();
    let mut broken = Vec::new();
    for (file, document) in &documents {
        for link in document.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            let target = target.canonicalize();
            let is_whole = target.as_ref().is_ok_and(|target| {
                let known = documents.get(target);
                anchor.is_empty() || known.is_some_and(|known| known.anchors.contains(anchor))
            });
            if !is_whole {
                broken.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

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
        [name, ..] => vec![name],
        [] => vec![],
    };
    printed(&[&names[..], &["--help"]].concat())
}

/// The help of every command, as documents with the lines of its examples.
fn help_pages(commands: &str) -> Vec<(PathBuf, Document)> {
    let list = commands.split("\nCommands:\n").nth(1).unwrap();
    let list = list.lines().map_while(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let page = |name: &str| {
        let lines = printed(&["help", name]).lines().map(str::to_string).collect();
        (PathBuf::from(format!("burgess help {name}")), Document { lines, ..Document::default() })
    };
    list.filter(|name| *name != "help").map(page).collect()
}

#[test]
fn commands_have_the_options_that_documents_name() {
    let commands = printed(&["--help"]);
    let mut seen = 0;
    for (file, document) in documents().into_iter().chain(help_pages(&commands)) {
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
const BUDGETS: [(&str, &[&str]); 6] = [
    ("evolve", &["--evaluations", "4", "--headless"]),
    ("simulate", &["--seconds", "0.1"]),
    ("match", &["--pairs", "1"]),
    ("flow make", &["--size", "16", "--steps", "3"]),
    ("bounce", &["--steps", "20"]),
    ("verify", &["--draws", "1", "--trials", "1", "--fine", "1"]),
];

/// A command with options that make it take little time, instead of its own ones. None if it is not run: it needs
/// other programs or a shell, or what it does depends on a long run.
fn with_small_budget(words: &[&str]) -> Option<String> {
    let has = |option: &str| words.contains(&option);
    let needs_shell = words.iter().any(|word| word.contains("$("));
    let depends_on_others = has("--nats") || has("--referee") || words[0] == "worker" || needs_shell;
    let is_verified_run = words[0] == "verify" && words[1].contains(".burgess");
    if depends_on_others || is_verified_run {
        return None;
    }
    let command = words.join(" ");
    let budget = BUDGETS.iter().find(|(name, _)| command.starts_with(name)).map_or(&[][..], |(_, budget)| *budget);
    let budget = if has("--print-config") { &[] } else { budget };
    Some([&without_options(words, budget)[..], budget].concat().join(" "))
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
    for task in ["walk", "contest", "examples/tasks/counterflow.toml"] {
        run_in(&folder, &format!("evolve {task} --evaluations 4 --headless"));
    }
    for file in ["mine.json", "a.json", "b.json"] {
        run_in(&folder, &format!("export walker --to json -o {file}"));
    }
    run_in(&folder, "scenes --write stack -o scene.toml");
    folder
}

/// Runs a command as the shell does.
pub fn run_in(folder: &Path, command: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec '{}' {command}", env!("CARGO_BIN_EXE_burgess"))]).current_dir(folder);
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{command}: {}{}", text(&output.stdout), text(&output.stderr));
    output
}

#[cfg(unix)]
#[test]
fn commands_in_documents_work() {
    let folder = prepared();
    let mut done = BTreeSet::new();
    for (file, document) in documents() {
        for command in document.lines.iter().filter_map(|line| command_of(line)) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let Some(short) = with_small_budget(&words) else { continue };
            if !done.insert(short.clone()) {
                continue;
            }
            println!("{}: {command}", file.display());
            match words[..] {
                ["watch" | "serve", ..] | ["flow", "watch", ..] => {
                    drop(Serving::start(&without_options(&words, &["--listen"]), &folder));
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
    for (file, document) in documents() {
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

/// Help texts, messages and comments name documents by their paths.
#[test]
fn documents_that_sources_name_exist() {
    let mut folders: Vec<PathBuf> =
        ["crates", "web/src", "python", "bench", "deploy"].map(|name| root().join(name)).into();
    let (mut missing, mut seen) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for file in files_in(&folder) {
            let name = file.file_name().unwrap().to_str().unwrap();
            if file.is_dir() {
                if name != "node_modules" && name != "page" {
                    folders.push(file);
                }
                continue;
            }
            let is_source = ["rs", "ts", "svelte", "py", "toml", "sbatch"].iter().any(|end| name.ends_with(end));
            let Some(source) = is_source.then(|| fs::read_to_string(&file).ok()).flatten() else { continue };
            let is_path = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            for word in source.split(|c: char| !is_path(c)).filter(|word| word.starts_with("docs/")) {
                let word = word.trim_end_matches(['.', '/']);
                if word.ends_with(".md") {
                    seen += 1;
                    if !root().join(word).exists() {
                        missing.push(format!("{}: {word}", file.display()));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(seen > 5, "{seen}");
}
