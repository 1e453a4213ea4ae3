//! Measures results and writes them to `docs/results`: tables in Markdown, plots as SVG.
//!
//! Run by `bench/results`, which builds this program and the command line first.

mod broad_phases;
mod chapter;
mod coherence;
mod complexity;
mod crowds;
mod document;
mod long_runs;
mod peers;
mod plot;
mod power_law;
mod simulation;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use burgess_bench::markdown::wrap;
use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use chapter::{Chapter, Progress};

/// Measure results and write them to docs/results.
#[derive(Parser)]
#[command(name = "bench/results")]
struct Options {
    /// Results to measure
    name: Name,
    /// Folder of the page and its pictures
    #[arg(long, value_name = "FOLDER", default_value = "docs/results")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Collision detection: figures and tables of Fontijne (2000) section 2.7
    Collision,
    /// Simulator: physics, SimBenchmark, Fontijne (2000) section 3.11, built-in scenes
    Simulation,
}

fn main() -> Result<()> {
    let options = Options::parse();
    match options.name {
        Name::Collision => collision(&options.output),
        Name::Simulation => simulator(&options.output),
    }
}

fn collision(output: &Path) -> Result<()> {
    let folder = output.join("collision");
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    // Read first, so that an error in the file is reported before the measurements.
    let peers = peers::read(&folder)?;
    let units = complexity::UNITS + crowds::UNITS + coherence::UNITS + broad_phases::UNITS + long_runs::UNITS;
    let progress = progress(units)?;
    let chapters = [
        complexity::measure(&progress)?,
        crowds::measure(&progress)?,
        coherence::measure(&progress)?,
        broad_phases::measure(&progress)?,
        long_runs::measure(&progress)?,
        peers,
    ];
    progress.0.finish_and_clear();
    write(&folder, &output.join("collision.md"), &chapters, &whole_page(&chapters))
}

fn simulator(output: &Path) -> Result<()> {
    let folder = output.join(simulation::FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    // Read first, so that an error in the file is reported before the measurements.
    let audit = simulation::audit::read(&folder)?;
    let progress = progress(simulation::units())?;
    let mut chapters = simulation::measure(&progress)?;
    chapters.extend(audit);
    progress.0.finish_and_clear();
    let texts: Vec<&str> = chapters.iter().map(|chapter| chapter.text.as_str()).collect();
    let text = format!("{}## Summary\n\n{}\n{}", simulation::opening(&machine()), summary(&chapters), texts.join("\n"));
    write(&folder, &simulation::page(output), &chapters, &text)
}

fn progress(units: u64) -> Result<Progress> {
    let bar = ProgressBar::new(units).with_style(ProgressStyle::with_template("{bar:40} {elapsed}, {msg}")?);
    bar.enable_steady_tick(Duration::from_millis(200));
    Ok(Progress(bar))
}

/// Writes the pictures, then the page that shows them.
fn write(folder: &Path, page: &Path, chapters: &[Chapter], text: &str) -> Result<()> {
    for (name, svg) in chapters.iter().flat_map(|chapter| &chapter.pictures) {
        document::write_file(&folder.join(format!("{name}.svg")), svg)?;
    }
    document::write_file(page, &wrap(text))?;
    eprintln!("bench: wrote {}", page.display());
    Ok(())
}

/// Formats the summary of targets and results.
fn summary(chapters: &[Chapter]) -> String {
    let rows: Vec<Vec<String>> =
        chapters.iter().flat_map(|chapter| &chapter.verdicts).map(|verdict| verdict.cells.clone()).collect();
    document::table(&["quantity", "target", "measured", "met"], &rows)
}

fn whole_page(chapters: &[Chapter]) -> String {
    let texts: Vec<&str> = chapters.iter().map(|chapter| chapter.text.as_str()).collect();
    format!(
        "# Results: collision detection\n\n\
        The measurements of Fontijne (2000) section 2.7 ([sources](../../ARCHITECTURE.md#sources)), repeated with \
        Burgess. This page and its pictures are written by\n\n    \
        bench/results collision\n\n\
        which takes some minutes. Counts and exponents of counts are the same on every machine; times were measured \
        on this one: \
        {machine}; Burgess {version}, release build, one thread.\n\n\
        Bodies follow the rules of Fontijne (2000) section 2.6. Primitives have sizes 0.5, 1 and 1.5 (side of a \
        cube, diameter of a ball); hulls of random unit vectors have radius 1. Components of velocities are uniform \
        in [-1, 1] per unit of time, those of angular velocities in [-1, 1] rad per unit of time. Each body has its \
        own gravity in [-0.1, 0.1]. The step size is the time of a step. The bounding box of a body is that of its \
        bounding sphere, swept over the step.\n\n\
        ## Summary\n\n{summary}\n{chapters}",
        summary = summary(chapters),
        machine = machine(),
        version = env!("CARGO_PKG_VERSION"),
        chapters = texts.join("\n"),
    )
}

/// Returns name and number of the processors, if known.
fn machine() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = about.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let model = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cache = field("cache size").map(|size| format!(", {size} of cache a core")).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    format!("{model}, {cores} cores{cache}")
}
