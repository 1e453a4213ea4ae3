//! What belongs to a release: one version everywhere, front pages of crates with examples, and the container file.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::documents::root;

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rest of the first line that begins with a text, without quotes.
fn after<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find_map(|line| line.trim_start().strip_prefix(start)).unwrap().trim().trim_matches('"')
}

#[test]
fn versions_and_dates_agree() {
    let version = env!("CARGO_PKG_VERSION");
    let (changelog, citation) = (read("CHANGELOG.md"), read("CITATION.cff"));
    let (released, date) = after(&changelog, "## [").split_once("] - ").unwrap();
    assert_eq!((released, after(&citation, "version:")), (version, version));
    assert_eq!(after(&citation, "date-released:"), date);
    for file in ["web/package.json", "web/package-lock.json"] {
        let package: Value = serde_json::from_str(&read(file)).unwrap();
        assert_eq!(package["version"], version, "{file}");
    }
    assert_eq!(after(&read("crates/server/openapi.yaml"), "version:"), version);
    let workspace: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    for (name, dependency) in workspace["workspace"]["dependencies"].as_table().unwrap() {
        if let Some(number) = dependency.get("path").and_then(|_| dependency.get("version")) {
            assert_eq!(number.as_str(), Some(version), "{name}");
        }
    }
}

#[test]
fn front_pages_of_crates_have_examples_that_run() {
    let mut seen = 0;
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let library = folder.unwrap().path().join("src/lib.rs");
        let Ok(source) = fs::read_to_string(&library) else { continue };
        let page: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        // Every second fence ends a block.
        let fences = page.iter().filter(|line| line.starts_with("```")).step_by(2);
        let mut runs = fences.filter(|fence| ["```", "```rust", "```no_run"].contains(fence));
        assert!(runs.next().is_some(), "{} has no example that runs", library.display());
        seen += 1;
    }
    assert!(seen >= 20, "{seen}");
}

/// The container file copies all that a build of the workspace needs. Globs are not followed.
#[test]
fn the_container_file_copies_what_the_build_needs() {
    let container = read("deploy/Containerfile");
    let copied: Vec<&str> = container
        .lines()
        .filter_map(|line| line.strip_prefix("COPY "))
        .filter(|line| !line.starts_with("--from"))
        .flat_map(|line| line.rsplit_once(' ').unwrap().0.split_whitespace())
        .collect();
    for path in copied.iter().filter(|path| !path.contains('*')) {
        assert!(root().join(path).exists(), "deploy/Containerfile: {path} does not exist");
    }
    let workspace: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    for member in workspace["workspace"]["members"].as_array().unwrap() {
        let folder = member.as_str().unwrap().split('/').next().unwrap();
        assert!(copied.contains(&folder), "deploy/Containerfile does not copy {folder}");
    }
    let ignored = read(".dockerignore");
    assert!(ignored.lines().all(|line| !copied.contains(&line.trim_matches('/'))), "{ignored}");
}
