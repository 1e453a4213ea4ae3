//! The documents of the repository: what they contain, and whether their links lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{BrokenLink, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

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
    pub code: Vec<String>,
}

impl Document {
    /// A document of one code block.
    pub fn of_lines(lines: &str) -> Self {
        Self { lines: lines.lines().map(str::to_string).collect(), ..Self::default() }
    }

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

pub fn files_in(folder: &Path) -> Vec<PathBuf> {
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
