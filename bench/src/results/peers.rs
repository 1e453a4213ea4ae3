//! Formats the output of `bench/run collision` as a table.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::chapter::{Chapter, Verdict};
use crate::document::{number, table};

/// An output line of `bench/run`.
#[derive(Deserialize)]
struct Line {
    bench: String,
    ours: f64,
    unit: String,
    peer: String,
    theirs: f64,
    ratio: f64,
    ratio_q1: f64,
    ratio_q3: f64,
}

/// Benchmark, prefix of the peer's name, and target ratio.
const TARGET_RATIOS: [(&str, &str, f64); 5] = [
    ("vclip-200", "parry", 15.0),
    ("vclip-200", "coal", 4.0),
    ("vclip-box", "parry", 3.0),
    ("hash-4096", "parry", 1.3),
    ("hash-65536", "parry", 1.3),
];

/// Reads `peers.jsonl` in the folder of the results.
pub fn read(folder: &Path) -> Result<Chapter> {
    let path = folder.join("peers.jsonl");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("could not read {}", path.display())),
    };
    let mut chapter = Chapter {
        text: "## Against peers\n\nBurgess and a peer run in one process with the same inputs, in alternating slices \
        (see [benchmarks](../benchmarks.md)). A ratio above 1 means that Burgess is faster. The table is generated \
        from the output of\n\n    \
            bench/run collision > docs/results/collision/peers.jsonl\n\n"
            .to_owned(),
        ..Default::default()
    };
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line =
            serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), index + 1))?;
        let target = TARGET_RATIOS.iter().find(|(bench, peer, _)| line.bench == *bench && line.peer.starts_with(peer));
        if let Some((bench, _, target)) = target {
            let what = format!("`{bench}` against {}: ratio", line.peer);
            chapter.verdicts.push(Verdict::at_least(what, *target, line.ratio));
        }
        rows.push(vec![
            line.bench,
            line.peer,
            format!("{} {}", number(line.ours), line.unit),
            format!("{} {}", number(line.theirs), line.unit),
            format!("{:.2}", line.ratio),
            format!("{:.2} to {:.2}", line.ratio_q1, line.ratio_q3),
            target.map_or("-".to_owned(), |target| target.2.to_string()),
        ]);
    }
    if rows.is_empty() {
        chapter.text += "Not measured yet.\n";
    } else {
        let head = ["benchmark", "peer", "ours", "theirs", "ratio", "quartiles", "at least"];
        chapter.text += &table(&head, &rows);
    }
    Ok(chapter)
}
