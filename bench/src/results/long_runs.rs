//! Long runs of the `bounce` command, and runs in which every step is checked.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::number;

const RUNS: [&str; 2] = ["bounce --objects 25 --steps 10000000 --json", "bounce --steps 100000 --check --json"];

/// Number of progress units.
pub const UNITS: u64 = RUNS.len() as u64;

/// Runs the command line that was built with this program and writes the chapter.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut chapter = Chapter { text: "## Long runs\n".to_owned(), ..Default::default() };
    for arguments in RUNS {
        progress.say(format!("burgess {arguments}"));
        let line = run(arguments)?;
        let report: Value = serde_json::from_str(&line).with_context(|| format!("burgess {arguments}: {line}"))?;
        let count = |field: &str| report[field].as_f64().with_context(|| format!("no number '{field}' in {line}"));
        let per_million = 1e6 * count("fallbacks")? / count("queries")?;
        chapter.text += &format!(
            "\n    burgess {arguments}\n\n```json\n{}\n```\n\n{} queries, {} of them unfinished, {} missed pairs, {} answered by the exact \
            fallback: {} per million.\n",
            line.trim().replace(",\"", ",\n \""),
            number(count("queries")?),
            count("unfinished_queries")?,
            count("missed_pairs")?,
            number(count("fallbacks")?),
            number(per_million)
        );
        let field = if arguments.contains("--check") { "missed_pairs" } else { "unfinished_queries" };
        let what = format!("`{field}` of `burgess {arguments}`");
        chapter.verdicts.push(Verdict::at_most(what, 0.0, count(field)?));
        progress.advance();
    }
    Ok(chapter)
}

fn run(arguments: &str) -> Result<String> {
    let program = std::env::current_exe()?.with_file_name("burgess");
    let output = Command::new(&program)
        .args(arguments.split(' '))
        .stderr(Stdio::null())
        .output()
        .with_context(|| format!("could not run {}", program.display()))?;
    // Exit code 1 reports missed pairs or unfinished queries, which is a valid result.
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("burgess {arguments}: {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}
