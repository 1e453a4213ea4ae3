//! `burgess simulate`: simulates a scene or a creature and reports the result.

mod recorder;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

use anyhow::{Result, bail};
use burgess_paradigms::Paradigm;
use burgess_scene::RunOptions;
use burgess_simulation::{Failure, Simulation};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};

use crate::creature_argument::ArenaArguments;
use crate::interruption;
use crate::output::{print, quantity};
use crate::scene_argument::Scene;
use recorder::Recorder;
use report::{Report, Sums};

/// Simulate a scene or a creature and report the result
///
/// Ctrl-C ends it early: the recording is kept, and the report covers the time so far.
///
/// Exit code 1: the simulation failed (for example because a body became too fast) or was interrupted.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess simulate stack                                ten boxes, for the scene's duration
  burgess simulate stack --record stack.bur             record the motion, for `burgess watch stack.bur`
  burgess simulate mine.toml --seconds 60 --step 0.001  a scene of your own
  burgess simulate ant.xml --keyframe standing          a MuJoCo model (or .urdf)
  burgess simulate walker.json                          a creature
  burgess simulate pendulum --json                      print JSON, for a script")]
pub struct Simulate {
    /// Name of a built-in scene or creature (`burgess scenes` and `burgess creatures` list them), scene file,
    /// creature file (.json), run (its champion) or RUN#NUMBER, or model (MuJoCo's .xml or .urdf)
    #[arg(value_name = "SCENE|CREATURE")]
    scene: String,
    /// Choose the simulation paradigm [default: the scene's]
    #[arg(long, value_name = "P", value_parser = paradigms())]
    paradigm: Option<Paradigm>,
    /// Simulate S seconds [default: the scene's duration]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Set the length of a step in seconds [default: the scene's]
    #[arg(long, value_name = "DT")]
    step: Option<f64>,
    /// Start from this keyframe of the scene [default: the positions of its bodies]
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Record the motion to this file [default: no recording]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Record FPS frames per second, as near as whole steps allow [default: 60]
    #[arg(long, value_name = "FPS", requires = "record")]
    rate: Option<f64>,
    #[command(flatten)]
    arena: ArenaArguments,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

fn paradigms() -> impl TypedValueParser<Value = Paradigm> {
    let known = PossibleValuesParser::new(Paradigm::ALL.map(Paradigm::name));
    known.try_map(|name| Paradigm::from_name(&name).ok_or("no such paradigm"))
}

/// How a simulation ended.
enum Ending {
    Completed,
    Interrupted,
    Failed(Failure),
}

impl Simulate {
    fn options(&self) -> RunOptions {
        RunOptions { paradigm: self.paradigm, step: self.step, keyframe: self.keyframe.clone() }
    }

    /// Simulates to the end and prints the report.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(seconds) = self.seconds.filter(|s| !(s.is_finite() && *s >= 0.0)) {
            bail!("--seconds must be finite and not negative, found {seconds}");
        }
        if let Some(step) = self.step.filter(|&step| !(step > 0.0 && step <= 1.0)) {
            bail!("--step must be more than 0 s and at most 1 s, found {step}");
        }
        let scene = Scene::find(&self.scene, &self.arena)?;
        let mut running = scene.run(&self.options())?;
        let seconds = self.seconds.unwrap_or(scene.spec().duration);
        let mut recorder = self.recorder(scene.spec(), &running)?;

        interruption::watch_for();
        let energy_initial = running.simulation.energy();
        running.simulation.data_mut().set_clock(clock);
        let start = Instant::now();
        let (ending, sums) = run_steps(&mut running.simulation, seconds, recorder.as_mut())?;
        let wall_seconds = start.elapsed().as_secs_f64();
        let recorded = recorder.map(Recorder::finish).transpose()?;

        let outcome = match &ending {
            Ending::Completed => "completed",
            Ending::Interrupted => "interrupted",
            Ending::Failed(failure) => failure.name(),
        };
        let simulation = &mut running.simulation;
        let (steps, time) = (simulation.steps(), simulation.state().time);
        let report = Report {
            scene: scene.name().to_string(),
            paradigm: running.paradigm.name(),
            seconds: time,
            steps,
            wall_seconds,
            real_time_factor: if wall_seconds > 0.0 { time / wall_seconds } else { 0.0 },
            contacts_mean: sums.contacts as f64 / steps.max(1) as f64,
            impulses: sums.impulses,
            max_penetration: sums.max_penetration,
            energy_initial,
            energy_final: simulation.energy(),
            state_hash: format!("{:016x}", simulation.state_hash()),
            outcome,
        };
        let text = if self.json {
            serde_json::to_string(&report)? + "\n"
        } else {
            report.table(simulation, &sums, recorded)?
        };
        print(&text)?;
        match ending {
            Ending::Completed => return Ok(ExitCode::SUCCESS),
            Ending::Interrupted => eprintln!("burgess: interrupted after {} of {seconds} s", quantity(time, "s")),
            Ending::Failed(failure) => eprintln!("burgess: {failure}"),
        }
        Ok(ExitCode::FAILURE)
    }
}

/// Steps until the time has passed, the user interrupts or the simulation fails.
fn run_steps(simulation: &mut Simulation, seconds: f64, mut recorder: Option<&mut Recorder>) -> Result<(Ending, Sums)> {
    let steps = (seconds / simulation.step_length()).round() as u64;
    let progress = ProgressBar::new(steps);
    progress.set_style(ProgressStyle::with_template("{bar:40} {msg} of {prefix}, {eta} left")?);
    progress.set_prefix(quantity(seconds, "s"));
    let (start, mut sums, mut until_look) = (Instant::now(), Sums::default(), 1);
    let mut ending = Ending::Completed;
    if let Some(recorder) = &mut recorder {
        recorder.frame(simulation)?;
    }
    for step in 1..=steps {
        if interruption::is_requested() {
            ending = Ending::Interrupted;
            break;
        }
        if let Err(failure) = simulation.step() {
            ending = Ending::Failed(failure);
            break;
        }
        sums.add(simulation);
        if let Some(recorder) = &mut recorder {
            recorder.after_step(step, simulation)?;
        }
        // The clock is read at intervals, not on every step.
        until_look -= 1;
        if until_look == 0 {
            let per_step = start.elapsed().as_secs_f64() / step as f64;
            until_look = (0.05 / per_step).clamp(1.0, 1e6) as u64;
            progress.set_message(format!("{:.1}", simulation.state().time));
            progress.set_position(step);
        }
    }
    progress.finish_and_clear();
    Ok((ending, sums))
}

/// Seconds since the first call.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
