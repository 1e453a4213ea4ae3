//! What the first pages promise: README.md and docs/README.md.

use std::collections::BTreeSet;
use std::fs;

use crate::commands::run_in;
use crate::common::{folder, text};
use crate::documents::{documents, root};

/// Longest document that is read at a glance, in lines.
const MAX_README_LINES: usize = 100;

/// Longest line of text in a document, in characters. Tables and code cannot be broken.
const MAX_LINE: usize = 120;

#[test]
fn lines_are_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= MAX_README_LINES);
    assert!(readme.lines().all(|line| line.chars().count() <= MAX_LINE), "a line of the README is too long");
    let mut long = Vec::new();
    // Programs write the pages of results.
    let results = root().join("docs/results");
    for file in documents().into_keys().filter(|file| !file.starts_with(&results)) {
        let source = fs::read_to_string(&file).unwrap();
        let mut is_code = false;
        for (number, line) in source.lines().enumerate() {
            is_code ^= line.starts_with("```");
            let is_text = !is_code && !line.starts_with('|') && !line.starts_with("    ");
            if is_text && line.chars().count() > MAX_LINE {
                long.push(format!("{}:{}", file.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "lines of more than {MAX_LINE} characters:\n{}", long.join("\n"));
}

#[test]
fn ratios_of_the_readme_stand_on_the_pages_that_it_links() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut seen = 0;
    for row in readme.lines().filter(|line| line.starts_with("| ") && line.contains("](docs/")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, task, peer, ratio, link, _] = cells[..] else { panic!("{row}") };
        let (benchmark, page) = link.split_once("](").unwrap();
        let page = fs::read_to_string(root().join(page.split([')', '#']).next().unwrap())).unwrap().to_lowercase();
        // Only the rows of the task's model or of the benchmark, and of those only the ones of the peer, if there are any.
        let mut parts: Vec<Part> = rows_and_paragraphs(&page).collect();
        for word in words(task) {
            keep_if_any(&mut parts, |part| part.text.contains(&format!("models-{}-", word.to_lowercase())));
        }
        let benchmark = words(benchmark).next().unwrap().to_lowercase();
        keep_if_any(&mut parts, |part| words(part.text).next() == Some(&benchmark));
        keep_if_any(&mut parts, |part| part.ratio.is_some());
        for word in words(peer).chain(words(task).filter(|word| *word == "mean")) {
            keep_if_any(&mut parts, |part| words(part.text).any(|other| other.starts_with(&word.to_lowercase())));
        }
        let ratios: Vec<f64> = parts.iter().filter_map(|part| part.ratio?.parse().ok()).collect();
        match ratios.iter().copied().reduce(f64::min) {
            Some(lowest) => {
                let decimals = ratio.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                assert_eq!(ratio, format!("{lowest:.decimals$}"), "{task}, {peer}: {ratios:?}");
            }
            None => assert!(parts.iter().any(|part| words(part.text).any(|word| word == ratio)), "{task}, {peer}"),
        }
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

/// A row of a table, with the first number of its ratio, or a paragraph.
struct Part<'a> {
    text: &'a str,
    ratio: Option<&'a str>,
}

/// Drops the parts without a property, unless none has it.
fn keep_if_any(parts: &mut Vec<Part>, has: impl Fn(&Part) -> bool) {
    if parts.iter().any(&has) {
        parts.retain(has);
    }
}

/// The rows of tables, without their heads, and the paragraphs of a page.
fn rows_and_paragraphs(page: &str) -> impl Iterator<Item = Part<'_>> {
    page.split("\n\n").flat_map(|part| {
        let head = part.lines().next().unwrap_or_default();
        match part.starts_with('|').then(|| head.split('|').position(|cell| cell.trim().starts_with("ratio"))) {
            Some(column) => {
                let ratio = |row| words(str::split(row, '|').nth(column?)?).next();
                part.lines().skip(2).map(|text| Part { text, ratio: ratio(text) }).collect::<Vec<_>>()
            }
            None => vec![Part { text: part, ratio: None }],
        }
    })
}

/// The words of a text, without Markdown and punctuation. A number such as 1.9e-8 is one word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "|*`[]()".contains(c))
        .map(|word| word.trim_end_matches(['.', ',', ':', ';']))
        .filter(|word| !word.is_empty())
}

#[test]
fn the_index_leads_to_every_page() {
    let documents = documents();
    let index = &documents[&root().join("docs/README.md")];
    let linked: BTreeSet<_> = index
        .links
        .iter()
        .filter_map(|link| root().join("docs").join(link.split('#').next().unwrap()).canonicalize().ok())
        .collect();
    for folder in ["docs", "docs/results"] {
        for file in documents.keys().filter(|file| file.parent() == Some(&root().join(folder))) {
            assert!(
                linked.contains(file) || file.ends_with("docs/README.md"),
                "{} is not in the index",
                file.display()
            );
        }
    }
}

/// What the program prints in the README does not depend on the machine, except times and its own path.
#[test]
#[ignore = "minutes of computation"]
fn readme_shows_what_evolve_prints() {
    let output = run_in(&folder("front_page"), "evolve walk --headless");
    let printed = text(&output.stdout).replace(env!("CARGO_BIN_EXE_burgess"), "target/release/burgess");
    let documents = documents();
    let shown: Vec<&str> = documents[&root().join("README.md")].lines.iter().map(String::as_str).collect();
    let without_time =
        |line: &str| line.rsplit_once(" of simulated time in ").map_or(line, |(rest, _)| rest).to_string();
    for line in printed.lines().filter(|line| !line.trim().is_empty()) {
        assert!(shown.iter().any(|shown| without_time(shown) == without_time(line)), "the README lacks: {line}");
    }
}
