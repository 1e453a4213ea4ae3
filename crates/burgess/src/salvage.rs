//! `burgess salvage`: copies the rows of a damaged run that are whole.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use burgess_evolution::{Archive, ArchiveError, Id, Salvaged};
use clap::Args;
use serde::Serialize;

use crate::Failed;
use crate::evolve::archive_error;
use crate::output::{counted, print};
use crate::program::program;

/// Number of damaged rows that the report lists.
const MAX_LINES: usize = 20;

/// Copy every creature of a damaged run that is whole to a new file
///
/// Every row of a run has a hash. Rows whose hash is right are copied, the others are lost. Creatures keep their
/// numbers. `burgess resume` evaluates the lost creatures of the new file again; the result is bit-identical to that
/// of the undamaged run. The damaged file is not changed.
///
/// Exit code 1: the configuration or the file itself is damaged, so nothing can be copied.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess salvage runs/walk-1.burgess -o runs/walk-1-whole.burgess")]
pub struct Salvage {
    /// File of the damaged run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write the copy to this file
    #[arg(short, long, value_name = "RUN")]
    output: PathBuf,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// The report. Scripts rely on its fields.
#[derive(Serialize)]
struct Report<'a> {
    run: String,
    output: String,
    rows: u64,
    copied: u64,
    lost: Vec<Id>,
    unverified: &'a [Id],
    lost_interventions: bool,
    can_be_resumed: bool,
}

impl Salvage {
    /// Copies the rows and prints the report.
    pub fn run(&self) -> Result<ExitCode> {
        let salvaged = Archive::salvage(&self.run, &self.output).map_err(|error| match error {
            ArchiveError::Damaged { file, what, .. } => {
                let file = file.display();
                Failed(anyhow!("{file}: nothing can be copied ({what}); use a backup of the file")).into()
            }
            other => archive_error(other),
        })?;
        let report = Report {
            run: self.run.display().to_string(),
            output: self.output.display().to_string(),
            rows: salvaged.rows,
            copied: salvaged.copied,
            lost: salvaged.damage.lost(),
            unverified: &salvaged.damage.unverified,
            lost_interventions: salvaged.lost_interventions,
            can_be_resumed: salvaged.can_be_resumed,
        };
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.text(&salvaged) })?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Report<'_> {
    fn text(&self, salvaged: &Salvaged) -> String {
        let (output, lost) = (&self.output, self.lost.len() as u64);
        let rows = counted(self.rows, "creature", "creatures");
        let mut text = format!("copied {} of {rows} to {output}; {lost} lost\n", self.copied);
        let damaged = salvaged.damage.damaged.iter().map(|(id, what)| format!("{id}: {what}"));
        let missing = salvaged.damage.missing.iter().map(|id| format!("{id}: it is missing"));
        let unverified = self.unverified.iter();
        let unverified =
            unverified.map(|id| format!("{id} was copied, but cannot be verified without the one before it"));
        let lines: Vec<String> = damaged.chain(missing).chain(unverified).collect();
        for line in lines.iter().take(MAX_LINES) {
            text += &format!("  {line}\n");
        }
        if lines.len() > MAX_LINES {
            text += &format!("  and {} others; --json lists all\n", lines.len() - MAX_LINES);
        }
        if self.lost_interventions {
            text += "  some interventions are damaged; the first of them and all later ones are lost\n";
        }
        text + &match self.can_be_resumed {
            true => {
                let burgess = program();
                format!("\nEvaluate the lost creatures again and continue with:\n  {burgess} resume {output}\n")
            }
            false => {
                "\nAnother version of burgess made the run: it can be shown and exported, but not resumed.\n".into()
            }
        }
    }
}
