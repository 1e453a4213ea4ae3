//! `burgess flow make`: computes a flow and writes its fields.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use burgess_files::closest;
use burgess_flow::field_file::{FieldsHeader, write_field, write_header};
use burgess_flow::flows::{FLOWS, FlowName, FlowOptions, MadeFlow, make};
use clap::Args;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::output::{counted, print};
use crate::{Failed, interruption};

/// Compute a flow and write its velocity and pressure at all steps
///
/// Flows: lamb-oseen (a vortex that spreads; --bend makes it a helix), abc (Arnold, Beltrami and Childress), ring,
/// leapfrog (two rings that pass through each other), collision (two rings that join), taylor-green and shear (solved by
/// a spectral method), hairpins (hairpin and necklace vortices over a wall).
#[derive(Args)]
#[command(after_help = "Examples:
  burgess flow make leapfrog -o leapfrog.flow
  burgess flow make taylor-green --size 128 --reynolds 800 -o breakdown.flow
  burgess flow make lamb-oseen --bend 0.1 --steps 1 -o helix.flow")]
pub struct Make {
    /// Make this flow, one of the list above
    #[arg(value_name = "NAME")]
    name: String,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Use N points per side of the box; hairpins have twice as many along the flow and half as many above the wall
    #[arg(long, value_name = "N", default_value_t = 64)]
    size: usize,
    /// Compute N steps [default: depends on the flow]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Set the time between steps [default: depends on the flow]
    #[arg(long, value_name = "TIME")]
    interval: Option<f64>,
    /// Set the Reynolds number [default: 400 for taylor-green, 200 for shear, 2000 for the others]
    #[arg(long, value_name = "NUMBER")]
    reynolds: Option<f64>,
    /// Bend lamb-oseen into a helix with this radius, as a share of the box, 0 to 0.25
    #[arg(long, value_name = "SHARE")]
    bend: Option<f64>,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    flow: &'static str,
    file: &'a Path,
    size: [usize; 3],
    steps: usize,
    interval: f64,
    reynolds: f64,
    bytes: u64,
    wall_seconds: f64,
}

impl Make {
    /// Makes the flow.
    pub fn run(&self) -> Result<ExitCode> {
        let flow = self.flow()?;
        if self.bend.is_some() && flow != FlowName::LambOseen {
            bail!("--bend applies to lamb-oseen only, and the flow is {}", flow.name());
        }
        let default = FlowOptions::of(flow);
        let options = FlowOptions {
            points: self.size,
            steps: self.steps.unwrap_or(default.steps),
            interval: self.interval.unwrap_or(default.interval),
            reynolds: self.reynolds.unwrap_or(default.reynolds),
            bend: self.bend.unwrap_or(default.bend),
        };
        interruption::watch_for();
        let start = Instant::now();
        let made = make(flow, &options)?;
        let size = made.grid.size();
        let bytes = self.write(flow, &options, made)?;
        let report = Report {
            flow: flow.name(),
            file: &self.output,
            size,
            steps: options.steps,
            interval: options.interval,
            reynolds: options.reynolds,
            bytes,
            wall_seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            print(&(serde_json::to_string(&report)? + "\n"))?;
        } else {
            let [x, y, z] = size;
            let steps = counted(options.steps as u64, "step", "steps");
            print(&format!("{}: {steps} of {x} x {y} x {z} points, {}\n", self.output.display(), HumanBytes(bytes)))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn flow(&self) -> Result<FlowName> {
        FlowName::from_name(&self.name).ok_or_else(|| {
            let names = FLOWS.map(FlowName::name);
            let hint = closest(&self.name, names).map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
            anyhow!("there is no flow '{}'{hint} (flows: {})", self.name, names.join(", "))
        })
    }

    /// Writes to a temporary file that gets the name when it is complete.
    fn write(&self, flow: FlowName, options: &FlowOptions, made: MadeFlow) -> Result<u64> {
        let shown = self.output.display();
        let failed = |error: std::io::Error| Failed(anyhow!("{shown}: cannot be written: {error}"));
        let mut name = self.output.clone().into_os_string();
        name.push(".part");
        let part = Part(PathBuf::from(name));
        let mut target = BufWriter::new(File::create(&part.0).map_err(failed)?);
        let header = FieldsHeader {
            flow: flow.name().to_string(),
            grid: made.grid,
            wall: made.wall,
            wind: made.wind.to_array(),
            steps: options.steps,
        };
        write_header(&mut target, &header).map_err(failed)?;
        let progress = ProgressBar::new(options.steps as u64);
        progress.set_style(ProgressStyle::with_template("{bar:40} step {pos} of {len}, {eta} left")?);
        for field in made.fields {
            if interruption::is_requested() {
                return Err(Failed(anyhow!("interrupted; {shown} is not written")).into());
            }
            let field = field.map_err(|error| Failed(error.into()))?;
            write_field(&mut target, &field).map_err(failed)?;
            progress.inc(1);
        }
        progress.finish_and_clear();
        target.flush().map_err(failed)?;
        let file = target.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        std::fs::rename(&part.0, &self.output).map_err(failed)?;
        Ok(bytes)
    }
}

/// A file that is removed unless it was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // After the rename there is nothing to remove.
        let _ = std::fs::remove_file(&self.0);
    }
}
