//! `burgess picture`: a creature, a scene or a recording as a picture.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use burgess_catalog::Subject;
use burgess_files::write_atomically;
use burgess_geometry::Pose;
use burgess_pictures::{PictureError, PictureOptions, SceneBodies, draw_recording};
use burgess_scene::RunOptions;
use burgess_scene::recording::RecordingReader;
use clap::Args;
use indicatif::HumanBytes;

use crate::Failed;
use crate::creature_argument::ArenaArguments;
use crate::output::print;
use crate::scene_argument::Scene;
use crate::take_argument::recording_of_take;

/// Largest number of moments in one picture. More would hide each other.
const MAX_MOMENTS: usize = 50;

/// Draw a creature, a scene or a recording as a picture (SVG)
///
/// The camera is placed so that all bodies are in the picture. With --strobe one picture shows several moments, earlier
/// ones paler, from the start (for a creature: after settling) to --at.
///
/// Exit code 1: the simulation failed before the time of the picture.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess picture stack -o stack.svg                     a scene as it starts
  burgess picture dominoes --at 2.5 -o falling.svg       a scene after 2.5 s
  burgess picture run.bur --strobe 6 -o run.svg          six moments of a recording
  burgess picture walker -o walker.svg                   a creature
  burgess picture robot.xml --size 900x600 -o robot.svg  a model of MuJoCo")]
pub struct Picture {
    /// Recording, take of the viewer (.take.json), creature file (.json), run (its champion) or RUN#NUMBER, scene file,
    /// model (MuJoCo's .xml or .urdf), or name of a built-in creature or scene (`burgess creatures` and `burgess
    /// scenes` list them)
    #[arg(value_name = "CREATURE|SCENE|RUN|RECORDING|TAKE")]
    what: String,
    /// Write to this file, whose name must end in .svg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Draw this moment, in seconds of simulated time [default: the start of a scene, the end of a recording; with
    /// --strobe the end of both]
    #[arg(long, value_name = "SECONDS")]
    at: Option<f64>,
    /// Draw N moments, 2 to 50, evenly spaced from the start to --at [default: one moment]
    #[arg(long, value_name = "N")]
    strobe: Option<usize>,
    /// Set the size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "640x420", value_parser = size)]
    size: [u32; 2],
    /// Start from this keyframe of the scene [default: the positions of its bodies]
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    #[command(flatten)]
    arena: ArenaArguments,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    sides.ok_or_else(|| "expected two whole numbers as in 640x420".to_string())
}

impl Picture {
    /// Draws the picture and prints its size.
    pub fn run(&self) -> Result<ExitCode> {
        let shown = self.output.display();
        if !self.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
            bail!(
                "-o {shown}: the name of a picture must end in .svg; `burgess watch` makes PNG pictures and films, in its panel Film"
            );
        }
        if let Some(at) = self.at.filter(|at| !(at.is_finite() && *at >= 0.0)) {
            bail!("--at must be finite and not negative, found {at}");
        }
        if let Some(moments) = self.strobe.filter(|moments| !(2..=MAX_MOMENTS).contains(moments)) {
            bail!("--strobe must be from 2 to {MAX_MOMENTS}, found {moments}");
        }
        let subject = Subject::resolve(&self.what)?;
        let svg = match &subject {
            Subject::Recording(path) => {
                self.refuse_settings(&subject)?;
                self.of_recording(path, &mut RecordingReader::open(path).with_context(|| self.what.clone())?)?
            }
            Subject::Take(path) => {
                self.refuse_settings(&subject)?;
                self.of_recording(path, &mut recording_of_take(path)?)?
            }
            _ => self.of_scene(&subject)?,
        };
        write_atomically(&self.output, svg.as_bytes())
            .map_err(|error| Failed(anyhow!("{shown}: cannot be written: {error}")))?;
        let [width, height] = self.size;
        print(&format!("{shown}: {width}x{height} pixels, {}\n", HumanBytes(svg.len() as u64)))?;
        Ok(ExitCode::SUCCESS)
    }

    fn options(&self, title: String) -> PictureOptions {
        let [width, height] = self.size;
        PictureOptions { width, height, title, ..PictureOptions::default() }
    }

    /// Returns the times of the moments between two times, in s.
    fn times(&self, start: f64, end: f64) -> Vec<f64> {
        match self.strobe {
            Some(moments) => (0..moments).map(|m| start + (end - start) * m as f64 / (moments - 1) as f64).collect(),
            None => vec![end],
        }
    }

    fn refuse_settings(&self, subject: &Subject) -> Result<()> {
        if self.keyframe.is_some() {
            bail!("--keyframe applies to scenes only, and '{}' is {}", self.what, subject.kind());
        }
        if self.arena.is_given() {
            bail!("--task and --seed apply to creatures only, and '{}' is {}", self.what, subject.kind());
        }
        Ok(())
    }

    fn of_recording<R: Read + Seek>(&self, path: &Path, recording: &mut RecordingReader<R>) -> Result<String> {
        let (start, end) = recording.times()?.ok_or(PictureError::NoFrames).with_context(|| self.what.clone())?;
        let times = self.times(start, self.at.unwrap_or(end));
        let title = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        draw_recording(recording, &times, self.options(title)).with_context(|| self.what.clone())
    }

    fn of_scene(&self, subject: &Subject) -> Result<String> {
        let scene = Scene::load(subject, &self.arena)?;
        let options = RunOptions { keyframe: self.keyframe.clone(), ..RunOptions::default() };
        let mut running = scene.run(&options)?;
        let bodies = SceneBodies::new(scene.spec(), running.simulation.world(), &running.bodies);
        let [start, end] = if self.strobe.is_some() { scene.span(&running.simulation) } else { [0.0; 2] };
        let mut moments: Vec<Vec<Pose>> = Vec::new();
        for time in self.times(start, self.at.unwrap_or(end)) {
            running.simulation.run(time).map_err(|failure| Failed(failure.into()))?;
            running.simulation.data_mut().update_kinematics();
            moments.push((0..scene.spec().bodies.len()).filter_map(|body| running.body_pose(body)).collect());
        }
        let title = match scene.spec().description.as_str() {
            "" => scene.name().to_string(),
            description => format!("{}: {description}", scene.name()),
        };
        bodies.draw(&moments, self.options(title)).with_context(|| self.what.clone())
    }
}
