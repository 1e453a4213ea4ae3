//! `burgess flow extract`: finds and tracks the vortex tubes of a flow.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use burgess_files::write_atomically;
use burgess_flow::extract::ExtractSettings;
use burgess_flow::pipeline::{History, extract_history};
use burgess_flow::track::EventKind;
use clap::Args;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use serde::Serialize;

use super::source::Source;
use crate::Failed;
use crate::output::{counted, print};

/// Events that the report lists.
const MAX_LISTED_EVENTS: usize = 40;

/// Find and track the vortex tubes of a flow
///
/// FILE is what `burgess flow make` wrote, or image data of VTK with a velocity at its points (legacy .vtk or .vti), one
/// file per step. Cores are traced along the vorticity and kept on the minimum of pressure across it. The result does
/// not depend on the number of threads.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess flow extract leapfrog.flow -o leapfrog.tubes
  burgess flow extract step*.vti -o mine.tubes
  burgess flow extract box*.vti --periodic xyz -o box.tubes --json")]
pub struct Extract {
    /// Read the flow from these files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, value_name = "TUBES")]
    output: PathBuf,
    /// Start tubes where the vorticity is at least this multiple of its root mean square
    #[arg(long, value_name = "FACTOR", default_value_t = ExtractSettings::default().vorticity)]
    vorticity: f64,
    /// Start tubes where the pressure is this many standard deviations below its mean
    #[arg(long, value_name = "FACTOR", default_value_t = ExtractSettings::default().pressure)]
    pressure: f64,
    /// Keep tubes of at least this length, in cells
    #[arg(long, value_name = "CELLS", default_value_t = ExtractSettings::default().min_length)]
    min_length: f64,
    /// Continue files of VTK at the other end on these axes, such as xy [default: none]
    #[arg(long, value_name = "AXES", value_parser = axes)]
    periodic: Option<Axes>,
    /// Use N threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy)]
struct Axes([bool; 3]);

fn axes(text: &str) -> Result<Axes, String> {
    let mut found = [false; 3];
    for letter in text.chars() {
        let axis = "xyz".find(letter).ok_or_else(|| format!("'{letter}' is no axis; expected x, y or z"))?;
        found[axis] = true;
    }
    Ok(Axes(found))
}

#[derive(Serialize)]
struct Report<'a> {
    flow: &'a str,
    file: &'a Path,
    steps: usize,
    tubes_mean: f64,
    tubes_max: usize,
    tracks: usize,
    born: usize,
    splits: usize,
    merges: usize,
    deaths: usize,
    going_on: usize,
    points: usize,
    second_opinions: usize,
    bytes: u64,
    velocity_bytes: u64,
    compression: f64,
    core_error_cells: f64,
    radius_error: f64,
    tubes_hash: String,
    threads: usize,
    wall_seconds: f64,
}

impl Extract {
    /// Extracts the tubes.
    pub fn run(&self) -> Result<ExitCode> {
        let settings = ExtractSettings {
            vorticity: self.vorticity,
            pressure: self.pressure,
            min_length: self.min_length,
            ..ExtractSettings::default()
        };
        settings.check()?;
        let source = Source::open(&self.files, self.periodic.map(|axes| axes.0))?;
        let steps = source.steps();
        let progress = ProgressBar::new(steps as u64);
        progress.set_style(ProgressStyle::with_template("{bar:40} step {pos} of {len}, {eta} left")?);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0).into());
        let threads = threads.build().map_err(|error| Failed(error.into()))?;
        let start = Instant::now();
        let extracted = threads.install(|| {
            let load = |step| source.load(step);
            let differ = |step| source.grids_differ(step);
            extract_history(source.info(), steps, &settings, load, differ, |_| progress.inc(1))
        });
        progress.finish_and_clear();
        let Some(history) = extracted? else { bail!("{}: has no steps", self.files[0].display()) };
        write_atomically(&self.output, &history.bytes)
            .map_err(|error| Failed(anyhow!("{}: cannot be written: {error}", self.output.display())))?;
        let report = self.report(&history, threads.current_num_threads(), start.elapsed().as_secs_f64());
        print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.text(&history)? })?;
        Ok(ExitCode::SUCCESS)
    }

    fn report<'a>(&'a self, history: &'a History, threads: usize, wall_seconds: f64) -> Report<'a> {
        let header = &history.header;
        let count = |kind: EventKind| header.events.iter().filter(|event| event.kind == kind).count();
        let tubes: usize = history.steps.iter().map(|step| step.tubes).sum();
        Report {
            flow: &header.flow,
            file: &self.output,
            steps: history.steps.len(),
            tubes_mean: tubes as f64 / history.steps.len() as f64,
            tubes_max: history.steps.iter().map(|step| step.tubes).max().unwrap_or(0),
            tracks: header.tracks.len(),
            born: count(EventKind::Born),
            splits: count(EventKind::Split),
            merges: count(EventKind::Merge),
            deaths: count(EventKind::Dies),
            going_on: history.steps.iter().map(|step| step.going_on).sum(),
            points: history.steps.iter().map(|step| step.points).sum(),
            second_opinions: history.steps.iter().map(|step| step.second_opinions).sum(),
            bytes: history.bytes.len() as u64,
            velocity_bytes: header.velocity_bytes,
            compression: header.velocity_bytes as f64 / history.bytes.len() as f64,
            core_error_cells: header.core_error,
            radius_error: header.radius_error,
            tubes_hash: format!("{:016x}", history.hash()),
            threads,
            wall_seconds,
        }
    }
}

impl Report<'_> {
    fn text(&self, history: &History) -> Result<String> {
        let mut text = String::new();
        writeln!(
            text,
            "{}: {}, {:.1} tubes per step (at most {}), {} in all",
            self.file.display(),
            counted(self.steps as u64, "step", "steps"),
            self.tubes_mean,
            self.tubes_max,
            counted(self.tracks as u64, "track", "tracks"),
        )?;
        writeln!(
            text,
            "{}, {:.0} times smaller than the velocity; cores within {:.3} cells",
            HumanBytes(self.bytes),
            self.compression,
            self.core_error_cells,
        )?;
        writeln!(text, "{:.2} s on {}", self.wall_seconds, counted(self.threads as u64, "thread", "threads"))?;
        let events = &history.header.events;
        writeln!(text, "\n{} (tubes that go on are not listed)", counted(events.len() as u64, "event", "events"))?;
        for event in events.iter().take(MAX_LISTED_EVENTS) {
            let names = |tracks: &[u32]| tracks.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            let time = history.steps.get(event.step as usize).map_or(0.0, |step| step.time);
            let (from, to) = (names(&event.from), names(&event.to));
            writeln!(text, "  step {:4}  time {time:8.3}  {:6} {from} -> {to}", event.step, event.kind.name())?;
        }
        if events.len() > MAX_LISTED_EVENTS {
            writeln!(text, "  and {} more", events.len() - MAX_LISTED_EVENTS)?;
        }
        Ok(text)
    }
}
