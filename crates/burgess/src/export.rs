//! `burgess export`: creatures, scenes and recordings for other programs.

mod json;
mod mjcf;
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

/// Frames a second of the motion of a scene, unless others are asked for.
const RATE: f64 = 60.0;
/// Steps of the progress bar.
const SHARES: u64 = 1000;

/// Writes a creature, a scene or a recording as a file for other programs
///
/// gltf: the motion as an animation (glTF 2.0) for browsers, Blender and other programs that show things: .glb, or .gltf
/// with everything in one text. A recording is exported as it is; a scene is simulated first, for as long as it says.
///
/// mjcf: everything that moves in a scene, for MuJoCo; the keyframe `start` is how it starts. What MuJoCo cannot say is
/// listed.
///
/// urdf: the bodies and joints of a scene for robotics programs; shapes other than boxes, balls and cylinders are meshes in
/// the folder FILE_meshes beside it. What URDF cannot say is listed. Ball joints are refused.
///
/// json: a creature's genome with what is known about it, to be changed and shown again.
///
/// Exit code 1: the simulation failed; the motion until then is written nevertheless.
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  burgess export stack.bur --to gltf -o stack.glb                a recording, by `burgess simulate stack --record stack.bur`
  burgess export dominoes --to gltf -o dominoes.glb              a scene
  burgess export mine.toml --to gltf --seconds 3 -o mine.gltf    the first three seconds of a scene, as text
  burgess export stack.bur --to gltf --fps 24 -o small.glb       fewer key frames, a smaller file
  burgess export quadruped-standing --to mjcf -o robot.xml       a scene, for MuJoCo
  burgess export pendulum --to urdf -o pendulum.urdf             a scene, for robotics programs
  burgess export mine.json --to gltf -o mine.glb                 a creature, as it moves"
)]
pub struct Export {
    /// A recording, a take of the viewer (.take.json), a creature file (.json), a run for its champion or RUN#NUMBER, a scene file, a model (.xml of MuJoCo, .urdf), or the name of a built-in creature
    /// or scene (`burgess creatures` and `burgess scenes` list them)
    #[arg(value_name = "CREATURE|SCENE|RECORDING")]
    what: String,
    /// The format of the file
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Of a scene: for how many seconds of the world's time it is simulated [default: what the scene says]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// At most so many key frames a second [default: all of a recording, 60 of a scene]
    #[arg(long, value_name = "FPS")]
    fps: Option<f64>,
    #[command(flatten)]
    arena: ArenaArguments,
}

/// What can be written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// The motion, as an animation
    Gltf,
    /// The bodies, joints and drives, for MuJoCo
    Mjcf,
    /// The bodies and joints, for robotics programs
    Urdf,
    /// The genome of a creature
    Json,
}

impl Export {
    /// Writes the file and says what is in it.
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(seconds) = self.seconds.filter(|s| !(s.is_finite() && *s >= 0.0)) {
            bail!("--seconds must be finite and not negative, found {seconds}");
        }
        if let Some(fps) = self.fps.filter(|fps| !(fps.is_finite() && *fps > 0.0)) {
            bail!("--fps must be positive, found {fps}");
        }
        match self.to {
            Format::Gltf => self.gltf(),
            Format::Mjcf => self.mjcf(),
            Format::Urdf => self.urdf(),
            Format::Json => self.json(),
        }
    }

    fn gltf(&self) -> Result<ExitCode> {
        let shown = self.output.display();
        let container = Container::of(&self.output)
            .ok_or_else(|| anyhow!("-o {shown}: the name of a glTF file ends in .glb or .gltf"))?;
        let subject = Subject::resolve(&self.what)?;
        if let Subject::Recording(_) | Subject::Take(_) = subject {
            let kind = subject.kind();
            if self.seconds.is_some() {
                bail!("--seconds is for scenes; '{}' is {kind}", self.what);
            }
            if self.arena.is_given() {
                bail!("--task and --seed are for creatures; '{}' is {kind}", self.what);
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

    /// Steps a scene and keeps its motion in memory, until it ends or fails.
    fn simulate(&self, scene: &Scene, container: Container) -> Result<(Recording, Option<Failure>)> {
        let running = scene.run(&RunOptions::default())?;
        let mut simulation = running.simulation;
        let step = simulation.step_length();
        let seconds = self.seconds.unwrap_or(scene.spec().duration);
        let steps = (seconds / step).round();
        let stride = (1.0 / (self.fps.unwrap_or(RATE) * step)).round().max(1.0);
        let text = scene.spec().self_contained("")?.to_toml()?;
        let bodies = RecordedBodies::new(scene.spec(), &running.bodies);
        let header = bodies.header(1.0 / (stride * step), text);
        // A time in a recording takes 8 bytes, a pose 20.
        let bytes = (steps / stride) * (8 + 20 * header.bodies.len()) as f64;
        if bytes > container.max_bytes() as f64 {
            let (frames, bodies) = (quantity(steps / stride, "frames"), header.bodies.len());
            bail!("{frames} of {bodies} bodies are too many to be exported; try fewer --seconds or a lower --fps");
        }
        let mut writer = RecordingWriter::new(Vec::new(), header)?;
        let mut poses = Vec::new();
        let mut frame = |simulation: &mut Simulation| {
            // Asking for the energy brings the workspace to the present.
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
            progress.set_position((SHARES as f64 * step as f64 / steps) as u64);
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
        let mut tell = |share: f64| progress.set_position((SHARES as f64 * share) as u64);
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

/// The motion of a scene.
type Recording = RecordingReader<Cursor<Vec<u8>>>;

fn progress_bar(what: &'static str) -> Result<ProgressBar> {
    let progress = ProgressBar::new(SHARES);
    progress.set_style(ProgressStyle::with_template("{bar:40} {percent} % {msg}, {eta} left")?);
    progress.set_message(what);
    Ok(progress)
}
