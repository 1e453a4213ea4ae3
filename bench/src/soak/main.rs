//! Simulates random scenes for a long time and checks them: `bench/soak [--seeds N] [--first N] [--bodies N] [--seconds
//! S]
//! [--paradigm P] [--json]`.
//!
//! Prints one line per scene. A scene that fails is reduced to a minimal scene, which is written to `target/soak/`. The
//! exit code is 1 if a scene failed.

mod shrink;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use burgess_random_scenes::{Violation, Watch, is_passive, random_scene};
use burgess_scene::RunOptions;
use burgess_scene::spec::{Paradigm, SceneSpec};
use clap::Parser;
use serde::Serialize;

/// Simulate random scenes for a long time and check them.
#[derive(Parser)]
struct Options {
    /// Number of scenes.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// First seed.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Maximum number of bodies of a scene; scenes have a quarter of it to all of it.
    #[arg(long, default_value_t = 200)]
    bodies: usize,
    /// Simulated time per scene, in s.
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Simulation paradigm.
    #[arg(long, default_value = "time-stepping")]
    paradigm: String,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Do not reduce scenes that fail.
    #[arg(long)]
    no_shrink: bool,
    /// Simulate a scene file instead of random scenes.
    #[arg(long)]
    scene: Option<PathBuf>,
}

/// Result of a scene.
#[derive(Serialize)]
struct Report {
    seed: u64,
    scene: String,
    bodies: usize,
    joints: usize,
    constraints: usize,
    passive: bool,
    seconds: f64,
    contacts_mean: f64,
    real_time_factor: f64,
    step_ms_mean: f64,
    step_ms_max: f64,
    penetration: f64,
    energy_growth: f64,
    gap: f64,
    outcome: String,
    message: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let paradigm =
        Paradigm::from_name(&options.paradigm).ok_or_else(|| anyhow!("there is no paradigm '{}'", options.paradigm))?;
    let mut failures = 0;
    if let Some(file) = &options.scene {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let scene = SceneSpec::from_toml(&text, &file.display().to_string())?;
        let report = soak(&scene, 0, paradigm, options.seconds)?.0;
        failures += usize::from(report.outcome != "done");
        print(&report, options.json)?;
    } else {
        for seed in options.first..options.first + options.seeds {
            failures += usize::from(!run_seed(seed, paradigm, &options)?);
        }
    }
    if failures > 0 {
        std::process::exit(1);
    }
    Ok(())
}

/// Returns whether no scene failed.
fn run_seed(seed: u64, paradigm: Paradigm, options: &Options) -> Result<bool> {
    let size = options.bodies * (1 + (seed as usize % 4)) / 4;
    let scene = random_scene(seed, size.max(1));
    let (report, mishap) = soak(&scene, seed, paradigm, options.seconds)?;
    print(&report, options.json)?;
    let Some(mishap) = mishap else { return Ok(true) };
    let folder = PathBuf::from("target/soak");
    std::fs::create_dir_all(&folder)?;
    let small = if options.no_shrink {
        scene
    } else {
        shrink::shrink(scene, report.seconds, |scene, seconds| {
            let found = soak(scene, seed, paradigm, seconds).ok()?;
            found.1.filter(|found| found.name() == mishap.name()).map(|_| found.0.seconds)
        })
    };
    let file = folder.join(format!("{}-{}-{}.toml", scene_name(&small), paradigm.name(), mishap.name()));
    std::fs::write(&file, small.to_toml()?)?;
    eprintln!("  reduced to {} bodies and {} s: {}", small.bodies.len(), small.duration, file.display());
    Ok(false)
}

fn scene_name(scene: &SceneSpec) -> &str {
    if scene.name.is_empty() { "scene" } else { &scene.name }
}

fn print(report: &Report, json: bool) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string(report)?);
        return Ok(());
    }
    println!(
        "seed {:3}: {:3} bodies {:3} joints {:2} ties {} {:5.1} s, contacts {:6.1}, real time x {:6.2}, step {:5.2} ms (worst {:6.1}), \
         penetration {:5.2} %, energy {:+.2e}, gap {:.1e} m: {} {}",
        report.seed,
        report.bodies,
        report.joints,
        report.constraints,
        if report.passive { "passive" } else { "driven " },
        report.seconds,
        report.contacts_mean,
        report.real_time_factor,
        report.step_ms_mean,
        report.step_ms_max,
        100.0 * report.penetration,
        report.energy_growth,
        report.gap,
        report.outcome,
        report.message.as_deref().unwrap_or_default(),
    );
    Ok(())
}

/// Simulates a scene until a check fails.
fn soak(scene: &SceneSpec, seed: u64, paradigm: Paradigm, seconds: f64) -> Result<(Report, Option<Violation>)> {
    let options = RunOptions { paradigm: Some(paradigm), ..RunOptions::default() };
    let mut run = scene.run(".", &options)?;
    let simulation = &mut run.simulation;
    let mut watch = Watch::new(scene, simulation);
    let (mut contacts, mut busy, mut worst) = (0.0, 0.0, 0.0_f64);
    let mut mishap = None;
    while mishap.is_none() && simulation.state().time < seconds - 0.5 * simulation.step_length() {
        let start = Instant::now();
        let stepped = simulation.step();
        let taken = start.elapsed().as_secs_f64();
        busy += taken;
        worst = worst.max(taken);
        contacts += simulation.statistics().contacts as f64;
        mishap = stepped.map_err(Violation::from).and_then(|()| watch.look(simulation)).err();
    }
    let steps = simulation.steps().max(1) as f64;
    let time = simulation.state().time;
    let report = Report {
        seed,
        scene: scene.name.clone(),
        bodies: scene.bodies.len(),
        joints: scene.bodies.iter().filter(|body| body.joint.is_some()).count(),
        constraints: scene.constraints.len(),
        passive: is_passive(scene),
        seconds: time,
        contacts_mean: contacts / steps,
        real_time_factor: time / busy,
        step_ms_mean: 1e3 * busy / steps,
        step_ms_max: 1e3 * worst,
        penetration: watch.penetration,
        energy_growth: watch.energy_growth,
        gap: watch.gap,
        outcome: mishap.as_ref().map_or("done", Violation::name).to_string(),
        message: mishap.as_ref().map(ToString::to_string),
    };
    Ok((report, mishap))
}
