//! `burgess simulate`: runs a scene or a creature and tells how it went.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use burgess_scene::recording::{FileRecorder, RecordedBodies, RecordingError};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::{Failure, ModuleSeconds, Simulation};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::creature_argument::ArenaArguments;
use crate::output::{counted, print, quantity};
use crate::scene_argument::Scene;
use crate::{Failed, interruption};

/// Runs a scene or a creature and tells how it went
///
/// Ctrl-C ends it early: what has been recorded is kept, and the figures so far are printed.
///
/// Exit code 1: the simulation failed (something flew away, say) or was interrupted.
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  burgess simulate stack                                ten boxes, for as long as the scene says
  burgess simulate stack --record stack.bur             and keep the motion, for `burgess watch stack.bur`
  burgess simulate mine.toml --seconds 60 --step 0.001  a scene of your own
  burgess simulate ant.xml --keyframe standing          a model of MuJoCo (.xml) or URDF
  burgess simulate walker.json                          a creature
  burgess simulate pendulum --json                      for a script"
)]
pub struct Simulate {
    /// Name of a built-in scene or creature (`burgess scenes` and `burgess creatures` list them), a scene file, a creature file
    /// (.json), a run for its champion or RUN#NUMBER, or a model (.xml of MuJoCo, .urdf)
    #[arg(value_name = "SCENE|CREATURE")]
    scene: String,
    /// How it is simulated [default: what the scene says]
    #[arg(long, value_name = "P", value_parser = paradigms())]
    paradigm: Option<Paradigm>,
    /// For how many seconds of the world's time [default: what the scene says]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Length of a step in seconds [default: what the scene says]
    #[arg(long, value_name = "DT")]
    step: Option<f64>,
    /// Start from this keyframe of the scene [default: as the bodies say]
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Write the motion to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Frames a second of the recording, as near as whole steps allow [default: 60]
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

/// What is printed. These fields are what scripts rely on.
#[derive(Serialize)]
struct Report {
    scene: String,
    paradigm: &'static str,
    seconds: f64,
    steps: u64,
    wall_seconds: f64,
    real_time_factor: f64,
    contacts_mean: f64,
    impulses: u64,
    max_penetration: f64,
    energy_initial: f64,
    energy_final: f64,
    state_hash: String,
    outcome: &'static str,
}

/// How a run ended.
enum Ending {
    Completed,
    Interrupted,
    Failed(Failure),
}

/// Added up over the steps.
#[derive(Default)]
struct Sums {
    contacts: u64,
    impulses: u64,
    max_penetration: f64,
    seconds: ModuleSeconds,
}

impl Sums {
    fn add(&mut self, simulation: &Simulation) {
        let statistics = simulation.statistics();
        let ModuleSeconds { controllers, collision_detection, collision_solver, motion_solver, constraint_solver } =
            statistics.seconds;
        self.seconds.controllers += controllers;
        self.seconds.collision_detection += collision_detection;
        self.seconds.collision_solver += collision_solver;
        self.seconds.motion_solver += motion_solver;
        self.seconds.constraint_solver += constraint_solver;
        self.contacts += statistics.contacts as u64;
        self.impulses += statistics.impulses as u64;
        self.max_penetration = self.max_penetration.max(statistics.penetration);
    }

    /// Where the time went, the largest share first; none if it was not measured.
    fn shares(&self) -> Option<String> {
        let ModuleSeconds { controllers, collision_detection, collision_solver, motion_solver, constraint_solver } =
            self.seconds;
        let mut shares = [
            ("contacts that last", constraint_solver),
            ("motion", motion_solver - constraint_solver),
            ("collision detection", collision_detection),
            ("collisions", collision_solver),
            ("controllers", controllers),
        ];
        let sum: f64 = shares.iter().map(|(_, seconds)| seconds).sum();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let percent = |seconds: f64| 100.0 * seconds / sum;
        let worth = shares.iter().filter(|(_, seconds)| percent(*seconds) >= 0.5);
        let words: Vec<_> = worth.map(|(name, seconds)| format!("{name} {:.0} %", percent(*seconds))).collect();
        (sum > 0.0).then(|| words.join(", "))
    }
}

impl Simulate {
    fn options(&self) -> RunOptions {
        RunOptions { paradigm: self.paradigm, step: self.step, keyframe: self.keyframe.clone() }
    }

    /// Runs to the end and prints the report.
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

    fn recorder(&self, scene: &SceneSpec, running: &RunningScene) -> Result<Option<Recorder>> {
        let Some(path) = &self.record else { return Ok(None) };
        let step = running.simulation.step_length();
        let rate = match self.rate {
            None => 60f64.min(1.0 / step),
            Some(rate) if !(rate > 0.0 && rate.is_finite()) => bail!("--rate must be positive, found {rate}"),
            Some(rate) if rate * step > 1.0 + 1e-9 => {
                bail!("--rate {rate} is more than there are steps: {} a second", quantity(1.0 / step, "").trim())
            }
            Some(rate) => rate,
        };
        let stride = (1.0 / (rate * step)).round().max(1.0);
        let mut header_scene = scene.self_contained("")?;
        if let Some(keyframe) = &self.keyframe {
            header_scene.start_from(keyframe)?;
        }
        let text = header_scene.to_toml()?;
        let bodies = RecordedBodies::new(scene, &running.bodies);
        let mut header = bodies.header(1.0 / (stride * step), text);
        header.statistics = ["energy (J)", "contacts", "penetration (m)"].map(str::to_string).to_vec();
        let file = FileRecorder::create(path, header).map_err(|error| cannot_record(error, path))?;
        Ok(Some(Recorder { file, path: path.clone(), stride: stride as u64, bodies, poses: Vec::new() }))
    }
}

/// Steps until the time has passed, somebody interrupts or the simulation fails.
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
        if interruption::is_wanted() {
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
        // Look at the clock now and then, not on every step.
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

/// A recording while it grows.
struct Recorder {
    file: FileRecorder,
    path: PathBuf,
    /// Steps from frame to frame.
    stride: u64,
    bodies: RecordedBodies,
    poses: Vec<Pose>,
}

/// What became of a recording.
struct Recorded {
    path: PathBuf,
    frames: u64,
}

impl Recorder {
    fn after_step(&mut self, step: u64, simulation: &mut Simulation) -> Result<()> {
        if step.is_multiple_of(self.stride) { self.frame(simulation) } else { Ok(()) }
    }

    fn frame(&mut self, simulation: &mut Simulation) -> Result<()> {
        // Asking for the energy brings the workspace to the present.
        let energy = simulation.energy();
        let statistics = *simulation.statistics();
        let numbers = [energy, statistics.contacts as f64, statistics.penetration];
        self.bodies.poses(simulation.world(), &simulation.data().workspace, &mut self.poses);
        let written = self.file.frame(simulation.state().time, &self.poses, &numbers);
        written.map_err(|error| failed(error, &self.path))
    }

    fn finish(self) -> Result<Recorded> {
        let frames = self.file.frames();
        self.file.finish().map_err(|error| failed(error, &self.path))?;
        Ok(Recorded { path: self.path, frames })
    }
}

fn cannot_record(error: RecordingError, path: &Path) -> anyhow::Error {
    anyhow!("cannot record to {}: {error}", path.display())
}

fn failed(error: RecordingError, path: &Path) -> anyhow::Error {
    Failed(cannot_record(error, path)).into()
}

impl Report {
    fn table(
        &self,
        simulation: &Simulation,
        sums: &Sums,
        recorded: Option<Recorded>,
    ) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        let model = simulation.world().model();
        writeln!(out, "{}, by {}: {}", self.scene, self.paradigm, self.outcome.replace('_', " "))?;
        writeln!(
            out,
            "  world       {} with {} degrees of freedom, {}",
            counted(model.links().len() as u64, "link", "links"),
            HumanCount(model.dofs() as u64),
            quantity(model.mass(), "kg")
        )?;
        let step = quantity(1e3 * simulation.step_length(), "ms");
        let steps = counted(self.steps, "step", "steps");
        writeln!(out, "  time        {} in {steps} of {step}", quantity(self.seconds, "s"))?;
        let factor = quantity(self.real_time_factor, "times");
        writeln!(out, "  it took     {}, {factor} as fast as time itself", quantity(self.wall_seconds, "s"))?;
        if let Some(shares) = sums.shares() {
            writeln!(out, "  spent on    {shares}")?;
        }
        let depth = quantity(self.max_penetration, "m");
        writeln!(out, "  contacts    {:.1} on average, {depth} deep at most", self.contacts_mean)?;
        writeln!(out, "  collisions  {}", HumanCount(self.impulses))?;
        let (first, last) = (quantity(self.energy_initial, "J"), quantity(self.energy_final, "J"));
        writeln!(out, "  energy      {first} at the start, {last} at the end")?;
        writeln!(out, "  state       {}", self.state_hash)?;
        if let Some(recorded) = recorded {
            let frames = counted(recorded.frames, "frame", "frames");
            writeln!(out, "  recording   {frames} in {}", recorded.path.display())?;
        }
        Ok(out)
    }
}
