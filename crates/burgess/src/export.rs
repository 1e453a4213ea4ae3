//! `burgess export`: creatures, scenes and recordings for other programs.

mod html;
mod json;
mod mjcf;
mod scene;
mod urdf;

use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use burgess_catalog::Subject;
use burgess_files::write_atomically;
use burgess_formats::gltf::{self, Container, Exported, GltfOptions};
use burgess_scene::RunOptions;
use burgess_scene::recording::{RecordedBodies, RecordingReader, RecordingWriter};
use burgess_simulation::{Failure, Simulation};
use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use crate::Failed;
use crate::creature_argument::ArenaArguments;
use crate::output::{counted, print, quantity};
use crate::scene_argument::Scene;
use crate::take_argument::recording_of_take;

/// Default number of frames per second of a scene's motion.
const DEFAULT_FPS: f64 = 60.0;
/// Number of steps of the progress bar.
const PROGRESS_STEPS: u64 = 1000;

/// Write a creature, a scene or a recording as a file for other programs
///
/// gltf: the motion as an animation (glTF 2.0) for browsers, Blender and other viewers; .glb, or .gltf with
/// everything in one text file. A recording is exported as it is. A scene is simulated first, for its own duration or
/// for --seconds.
///
/// html: the motion in one page of at most 5 MB, which plays in any browser without Burgess and without a network. A
/// recording or a take is shared as a whole unless --seconds is given. Large motions get fewer frames per second.
///
/// mjcf: the bodies, joints and motors of a scene, for MuJoCo. The keyframe `start` is the start of the scene. What
/// MuJoCo cannot express is listed.
///
/// urdf: the bodies and joints of a scene, for robotics programs. Shapes other than boxes, spheres and cylinders become
/// meshes in the folder FILE_meshes next to it. What URDF cannot express is listed. Scenes with ball joints are
/// rejected.
///
/// json: a creature's genome and its metadata, to be edited and shown again. A creature of a contest is written with its
/// opponent.
///
/// scene: the scene file of a run that tuned a crowd, with the numbers of its best individual.
///
/// Exit code 1: the simulation failed; the motion until then is written nevertheless.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess export stack.bur --to gltf -o stack.glb                a recording of `burgess simulate stack --record stack.bur`
  burgess export dominoes --to gltf -o dominoes.glb              a scene
  burgess export mine.toml --to gltf --seconds 3 -o mine.gltf    the first three seconds of a scene, as text
  burgess export stack.bur --to gltf --fps 24 -o small.glb       fewer frames, a smaller file
  burgess export quadruped-standing --to mjcf -o robot.xml       a scene, for MuJoCo
  burgess export pendulum --to urdf -o pendulum.urdf             a scene, for robotics programs
  burgess export mine.json --to gltf -o mine.glb                 the motion of a creature
  burgess export walker --to html -o walker.html                 a page that shows a creature without Burgess")]
pub struct Export {
    /// Recording, take of the viewer (.take.json), creature file (.json), run (its champion) or RUN#NUMBER, scene file,
    /// model (MuJoCo's .xml or .urdf), or name of a built-in creature or scene (`burgess creatures` and `burgess
    /// scenes` list them)
    #[arg(value_name = "CREATURE|SCENE|RUN|RECORDING|TAKE")]
    what: String,
    /// Choose the format of the file
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Simulate a scene for S seconds of simulated time [default: the scene's duration]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Write at most FPS animation frames per second [default: all of a recording, 60 of a scene]
    #[arg(long, value_name = "FPS")]
    fps: Option<f64>,
    /// Write a creature of a contest with this opponent, and with its fitness against it (json only) [default: that of
    /// its run]
    #[arg(long, value_name = "CREATURE|RUN")]
    opponent: Option<String>,
    #[command(flatten)]
    arena: ArenaArguments,
}

/// Formats of the file.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// The motion, as an animation
    Gltf,
    /// The motion, as a page that plays it
    Html,
    /// The bodies, joints and motors, for MuJoCo
    Mjcf,
    /// The bodies and joints, for robotics programs
    Urdf,
    /// The genome of a creature
    Json,
    /// The scene of a crowd that was tuned
    Scene,
}

impl Export {
    /// Writes the file and prints a summary.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(seconds) = self.seconds.filter(|s| !(s.is_finite() && *s >= 0.0)) {
            bail!("--seconds must be finite and not negative, found {seconds}");
        }
        if let Some(fps) = self.fps.filter(|fps| !(fps.is_finite() && *fps > 0.0)) {
            bail!("--fps must be positive, found {fps}");
        }
        if self.opponent.is_some() && !matches!(self.to, Format::Json) {
            bail!("--opponent applies to creature files only; use --to json");
        }
        match self.to {
            Format::Gltf => self.gltf(),
            Format::Html => self.html(),
            Format::Mjcf => self.mjcf(),
            Format::Urdf => self.urdf(),
            Format::Json => self.json(),
            Format::Scene => self.scene(),
        }
    }

    fn gltf(&self) -> Result<ExitCode> {
        let shown = self.output.display();
        let container = Container::of(&self.output)
            .ok_or_else(|| anyhow!("-o {shown}: the name of a glTF file must end in .glb or .gltf"))?;
        let subject = Subject::resolve(&self.what)?;
        if let Subject::Recording(_) | Subject::Take(_) = subject {
            let kind = subject.kind();
            if self.seconds.is_some() {
                bail!("--seconds applies to scenes only, and '{}' is {kind}", self.what);
            }
            if self.arena.is_given() {
                bail!("--task and --seed apply to creatures only, and '{}' is {kind}", self.what);
            }
            let made = match &subject {
                Subject::Take(path) => self.make(&mut recording_of_take(path)?, container, self.fps)?,
                _ => {
                    let recording = RecordingReader::open(Path::new(&self.what));
                    self.make(&mut recording.with_context(|| self.what.clone())?, container, self.fps)?
                }
            };
            self.write(&made)?;
            return Ok(ExitCode::SUCCESS);
        }
        let scene = Scene::load(&subject, &self.arena)?;
        let (mut recording, failure) = self.simulate(&scene, container)?;
        let made = self.make(&mut recording, container, None)?;
        self.write(&made)?;
        Ok(match failure {
            None => ExitCode::SUCCESS,
            Some(failure) => {
                eprintln!("burgess: {failure}");
                ExitCode::FAILURE
            }
        })
    }

    /// Simulates a scene and keeps its motion in memory, until it ends or fails.
    fn simulate(&self, scene: &Scene, container: Container) -> Result<(Recording, Option<Failure>)> {
        let running = scene.run(&RunOptions::default())?;
        let mut simulation = running.simulation;
        let step = simulation.step_length();
        let seconds = self.seconds.unwrap_or(scene.spec().duration);
        let steps = (seconds / step).round();
        let stride = (1.0 / (self.fps.unwrap_or(DEFAULT_FPS) * step)).round().max(1.0);
        let text = scene.spec().self_contained("")?.to_toml()?;
        let bodies = RecordedBodies::new(scene.spec(), &running.bodies);
        let header = bodies.header(1.0 / (stride * step), text);
        // A recording takes 8 bytes for a time and 20 for a pose.
        let bytes = (steps / stride) * (8 + 20 * header.bodies.len()) as f64;
        if bytes > container.max_bytes() as f64 {
            let (frames, bodies) = (quantity(steps / stride, "frames"), header.bodies.len());
            bail!("{frames} of {bodies} bodies are too many to export; lower --seconds or --fps");
        }
        let mut writer = RecordingWriter::new(Vec::new(), header)?;
        let mut poses = Vec::new();
        let mut frame = |simulation: &mut Simulation| {
            // Computing the energy updates the workspace to the current state.
            simulation.energy();
            bodies.poses(simulation.world(), &simulation.data().workspace, &mut poses);
            writer.frame(simulation.state().time, &poses, &[])
        };
        let progress = progress_bar("simulated")?;
        let mut failure = None;
        frame(&mut simulation)?;
        for step in 1..=steps as u64 {
            if let Err(failed) = simulation.step() {
                failure = Some(failed);
                break;
            }
            if step.is_multiple_of(stride as u64) || step == steps as u64 {
                frame(&mut simulation)?;
            }
            progress.set_position((PROGRESS_STEPS as f64 * step as f64 / steps) as u64);
        }
        progress.finish_and_clear();
        Ok((RecordingReader::new(Cursor::new(writer.finish()?))?, failure))
    }

    fn make<R: Read + Seek>(
        &self,
        recording: &mut RecordingReader<R>,
        container: Container,
        rate: Option<f64>,
    ) -> Result<Exported> {
        let progress = progress_bar("exported")?;
        let mut tell = |share: f64| progress.set_position((PROGRESS_STEPS as f64 * share) as u64);
        let made = gltf::export(recording, container, &GltfOptions { rate }, &mut tell);
        progress.finish_and_clear();
        made.with_context(|| self.what.clone())
    }

    fn write(&self, made: &Exported) -> Result<()> {
        let shown = self.output.display();
        write_atomically(&self.output, &made.bytes)
            .map_err(|error| Failed(anyhow!("{shown}: cannot be written: {error}")))?;
        let bodies = counted(made.bodies as u64, "body", "bodies");
        let key_frames = counted(made.key_frames as u64, "key frame", "key frames");
        let seconds = quantity(made.seconds, "s");
        let moving = made.moving;
        let size = HumanBytes(made.bytes.len() as u64);
        print(&format!("{shown}: {bodies}, {moving} of them moving, {key_frames} in {seconds}, {size}\n"))
    }
}

/// Motion of a scene.
type Recording = RecordingReader<Cursor<Vec<u8>>>;

fn progress_bar(what: &'static str) -> Result<ProgressBar> {
    let progress = ProgressBar::new(PROGRESS_STEPS);
    progress.set_style(ProgressStyle::with_template("{bar:40} {percent} % {msg}, {eta} left")?);
    progress.set_message(what);
    Ok(progress)
}
