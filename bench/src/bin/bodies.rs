//! Lets bodies from MJCF files fall on a floor, lie there and thrash under random control, and balances their energy.
//!
//!     bodies --bodies FOLDER [--seconds S] [--step H] [--only NAME]
//!
//! FOLDER is searched for `.xml` files, for example those of a copy of the universal-morphology benchmark. The exit code
//! is 1 if a simulation fails, or if the energy of a body grows by more than its motors give.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use burgess_creature::Random;
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf;
use burgess_scene::spec::{ActuatorSpec, SceneSpec};
use burgess_scene::{RunOptions, RunningScene};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

/// Time after which the motors act, in s.
const LYING: f64 = 3.0;
/// Time for which controls stay the same, in s.
const CONTROL_PERIOD: f64 = 0.1;
/// Growth of the energy beyond the work of motors that is an error, as a share of the energy of a fall by 1 m.
const MAX_GROWTH: f64 = 1e-2;
/// The floor, which the files of the benchmark lack.
const FLOOR: &str = r#"<worldbody><geom name="added floor" type="plane" size="50 50 1"/>"#;

/// Let bodies fall, lie and thrash.
#[derive(Parser)]
struct Options {
    /// Folder with MJCF files, searched with its subfolders.
    #[arg(long)]
    bodies: PathBuf,
    /// Simulated time, in s.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Step, in s.
    #[arg(long, default_value_t = 1.0 / 240.0)]
    step: f64,
    /// Simulate only files whose path contains this.
    #[arg(long)]
    only: Option<String>,
}

/// What was found about one body.
#[derive(Default)]
struct Findings {
    /// Largest growth of the energy beyond the work of motors, as a share of its scale.
    growth: f64,
    /// Fastest speed of a joint or of the body, in rad/s or m/s.
    speed: f64,
    /// Why the simulation ended, if it failed.
    failure: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let mut files = Vec::new();
    collect(&options.bodies, &mut files)?;
    files.sort();
    let mut files: Vec<(u64, PathBuf)> = (0..).zip(files).collect();
    files.retain(|(_, file)| options.only.as_deref().is_none_or(|part| file.to_string_lossy().contains(part)));
    ensure!(!files.is_empty(), "there are no .xml files in {}", options.bodies.display());
    let bar = ProgressBar::new(files.len() as u64);
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} bodies, {eta} left")?);
    let (mut failures, mut grown, mut worst, mut fastest) = (0, 0, 0.0_f64, 0.0_f64);
    for (seed, file) in &files {
        let findings = examine(file, *seed, &options)?;
        let name = file.strip_prefix(&options.bodies).unwrap_or(file).display();
        if let Some(failure) = &findings.failure {
            failures += 1;
            bar.suspend(|| println!("{name}: {failure}"));
        }
        if findings.growth > MAX_GROWTH || findings.growth.is_nan() {
            grown += 1;
            bar.suspend(|| println!("{name}: the energy grows by {:.1} % of its scale", 100.0 * findings.growth));
        }
        (worst, fastest) = (worst.max(findings.growth), fastest.max(findings.speed));
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!(
        "{} bodies, {} s each at {:.5} s: {failures} failures, {grown} gain energy (at most {:.2} %), fastest {fastest:.0} rad/s",
        files.len(),
        options.seconds,
        options.step,
        100.0 * worst
    );
    if failures + grown > 0 {
        std::process::exit(1);
    }
    Ok(())
}

/// Adds all MJCF files of a folder and its subfolders.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
    Ok(())
}

fn examine(file: &Path, seed: u64, options: &Options) -> Result<Findings> {
    let text = std::fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))?;
    let text = text.replacen("<worldbody>", FLOOR, 1);
    let model = mjcf::import_text(&text, &file.to_string_lossy(), &ImportOptions::default())?;
    let run_options = RunOptions { step: Some(options.step), ..RunOptions::default() };
    let mut run = model.scene.run(file.parent().context("the file has no folder")?, &run_options)?;
    let axes = driven_axes(&model.scene, &run)?;
    let mut random = Random::for_purpose(seed, &[18]);
    let mut controls = vec![0.0; axes.len()];
    let scale = run.simulation.observables().mass * 9.81;
    let (mut work, mut least, mut next) = (0.0, run.simulation.energy(), LYING);
    let mut findings = Findings::default();
    let mut before = run.simulation.state().q.clone();
    while run.simulation.state().time < options.seconds {
        if run.simulation.state().time >= next {
            next += CONTROL_PERIOD;
            controls.iter_mut().for_each(|control| *control = random.between(-1.0, 1.0));
            run.set_controls(&controls);
        }
        before.copy_from_slice(&run.simulation.state().q);
        if let Err(failure) = run.simulation.step() {
            findings.failure = Some(failure.to_string());
            break;
        }
        let state = run.simulation.state();
        for (actuator, (position, gear)) in axes.iter().enumerate() {
            work += gear * run.actuator_force(actuator) * (state.q[*position] - before[*position]);
        }
        findings.speed = state.v.iter().fold(findings.speed, |fastest, v| fastest.max(v.abs()));
        let own = run.simulation.energy() - work;
        least = f64::min(least, own);
        let growth = (own - least) / scale;
        findings.growth = if growth.is_nan() { growth } else { findings.growth.max(growth) };
    }
    Ok(findings)
}

/// Returns the index of the position that each actuator drives, and its gear.
fn driven_axes(scene: &SceneSpec, run: &RunningScene) -> Result<Vec<(usize, f64)>> {
    let model = run.simulation.world().model();
    let position = |joint: &str, axis: usize| {
        let mut links = (0..model.links().len()).filter(|&link| model.name(link) == joint);
        links.next().map(|link| model.links()[link].q + axis).with_context(|| format!("there is no joint '{joint}'"))
    };
    let of = |actuator: &ActuatorSpec| Ok((position(&actuator.joint, actuator.axis)?, actuator.gear));
    scene.actuators.iter().map(of).collect()
}
