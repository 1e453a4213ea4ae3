//! `burgess watch`: shows a creature, a scene, a recording or a take on the page or in the terminal, a space on the page.

mod on_page;
mod recording;
mod scene;
mod side_view;
mod sparkline;

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::io::{Read, Seek};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use burgess_catalog::{SpaceOrigin, Subject};
use burgess_geometry::glam::DVec3;
use burgess_geometry::{Aabb, Pose};
use burgess_scene::recording::{RecordingReader, link_poses};
use burgess_scene::{RunOptions, RunningScene};
use clap::Args;

use crate::creature_argument::ArenaArguments;
use crate::output::{print, quantity};
use crate::page::{Page, PageArguments, folder_of, session_path, space_page};
use crate::scene_argument::Scene;
use crate::spaces::SpaceSummary;
use crate::take_argument::recording_of_take;
use crate::{Failed, interruption};
use on_page::run_directory;
use recording::Recorded;
use side_view::{SideView, bounds, bounds_of_moving};

/// Time between two pictures in the terminal.
const PICTURE_INTERVAL: Duration = Duration::from_millis(40);

/// Longest time to simulate a scene in advance, in order to find the space that it needs.
const MAX_PREVIEW_TIME: Duration = Duration::from_millis(300);

/// Printed before something plays in the terminal because there is no page.
const WITHOUT_PAGE: &str = "this program was built without the page (install Node.js 20.19, or 22.12 or newer, with npm, and build \
                            again); it plays in the terminal";

/// Options that have no meaning without the page.
const NOT_ON_PAGE: [&str; 5] = ["listen", "insecure_no_token", "tls", "tls_certificate", "no_browser"];

/// The link of a creature that the view follows: its root.
const TRUNK: usize = 0;

/// Show a creature, a scene, a recording, a take or a curved space in the browser or in the terminal
///
/// If stdout is a terminal, or with --listen, open the page in a browser and serve it until Ctrl-C. With --terminal,
/// play in the terminal. With --still, or if stdout is not a terminal, print one picture and a summary: the start of a
/// scene, the end of a recording or take. A take is a session of the viewer saved to a file: the scene and all edits.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess watch stack                   a built-in scene, on the page
  burgess watch stack --terminal        the same, played in the terminal
  burgess watch runs/walk-1.burgess#17  an individual of a run, as it was evaluated
  burgess watch mine.toml --still       a summary of a scene file
  burgess watch stack.bur               what `burgess simulate stack --record stack.bur` recorded
  burgess watch stack.take.json         a take: a session that was saved in the viewer
  burgess watch weeks                   a curved space, seen from inside (on the page only)")]
pub struct Watch {
    /// Name of a built-in creature or scene (`burgess creatures` and `burgess scenes` list them), a creature file
    /// (.json), a run (its champion) or RUN#NUMBER, a scene file, a model (.xml of MuJoCo, .urdf), a recording, a take
    /// (.take.json), a curved space (`burgess spaces` lists them), or a generator file of SnapPea (.gens)
    #[arg(value_name = "CREATURE|SCENE|RUN|RECORDING|TAKE|SPACE")]
    what: String,
    /// Start from this keyframe of the scene [default: the positions of its bodies]
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    #[command(flatten)]
    arena: ArenaArguments,
    /// Print one picture and a summary instead of playing
    #[arg(long, conflicts_with_all = NOT_ON_PAGE)]
    still: bool,
    /// Play in the terminal instead of on the page
    #[arg(long, conflicts_with = "still", conflicts_with_all = NOT_ON_PAGE)]
    terminal: bool,
    #[command(flatten)]
    page: PageArguments,
}

impl Watch {
    /// Shows the subject.
    pub fn run(&self) -> Result<ExitCode> {
        let subject = Subject::resolve(&self.what)?;
        let (is_motion, kind) = (matches!(subject, Subject::Recording(_) | Subject::Take(_)), subject.kind());
        if is_motion && self.keyframe.is_some() {
            bail!("--keyframe applies to scenes only, and '{}' is {kind}", self.what);
        }
        if is_motion && self.arena.is_given() {
            bail!("--task and --seed apply to creatures only, and '{}' is {kind}", self.what);
        }
        if let Subject::Space(origin) = &subject {
            return self.watch_space(origin);
        }
        // An address for the page asks for the page, also in a script.
        if self.page.has_address() || self.plays() && !self.terminal && burgess_server::IS_BUILT {
            return self.watch_on_page(&subject);
        }
        if self.plays() && !self.terminal {
            eprintln!("burgess: {WITHOUT_PAGE}");
        }
        match &subject {
            Subject::Recording(path) => {
                let reader = RecordingReader::open(path).map_err(|error| anyhow!("{}: {error}", self.what))?;
                self.watch_recording(Recorded::new(reader, &self.what, kind))
            }
            Subject::Take(path) => self.watch_recording(Recorded::new(recording_of_take(path)?, &self.what, kind)),
            _ => self.watch_scene(&subject),
        }
    }

    fn watch_on_page(&self, subject: &Subject) -> Result<ExitCode> {
        interruption::watch_for();
        let server = self.page.bind_anywhere(&run_directory(subject)?)?;
        let session = self.open_session(subject, server.hub())?;
        Page::open(server, &session_path(session.id()), &self.page)?.stay()?;
        Ok(ExitCode::SUCCESS)
    }

    /// Opens the page of a space, or prints what it is if there is no page to open.
    fn watch_space(&self, origin: &SpaceOrigin) -> Result<ExitCode> {
        if self.keyframe.is_some() || self.arena.is_given() {
            bail!("--keyframe, --task and --seed do not apply to '{}': it is a curved space", self.what);
        }
        let space = SpaceSummary::load(origin)?;
        if !(self.page.has_address() || self.plays() && !self.terminal && burgess_server::IS_BUILT) {
            print(&space.to_string())?;
            return Ok(ExitCode::SUCCESS);
        }
        interruption::watch_for();
        let folder = match origin {
            SpaceOrigin::File(file) => folder_of(file)?,
            SpaceOrigin::Builtin(_) => run_directory(&Subject::Space(origin.clone()))?,
        };
        let server = self.page.bind_anywhere(&folder)?;
        Page::open(server, &space_page(&space.name), &self.page)?.stay()?;
        Ok(ExitCode::SUCCESS)
    }

    fn plays(&self) -> bool {
        !self.still && std::io::stdout().is_terminal()
    }

    fn watch_scene(&self, subject: &Subject) -> Result<ExitCode> {
        let scene = Scene::load(subject, &self.arena)?;
        let options = RunOptions { keyframe: self.keyframe.clone(), ..RunOptions::default() };
        let mut running = scene.run(&options)?;
        print(&scene::summary(scene.name(), scene.spec(), &running)?)?;
        let poses = poses(&mut running);
        let mut seen = bounds_of(&scene, &running, &poses);
        if self.plays() {
            seen = seen_in_motion(&scene, scene.run(&options)?, seen);
        }
        let follows = scene.is_creature() && self.plays();
        if follows {
            seen = around(bounds_of(&scene, &running, &poses), seen);
        }
        let Some(mut view) = SideView::new(running.simulation.world(), seen) else { return Ok(ExitCode::SUCCESS) };
        if follows {
            view = view.following(TRUNK, &poses);
        }
        print(&view.draw(&poses))?;
        if !self.plays() {
            return Ok(ExitCode::SUCCESS);
        }
        let duration = scene.spec().duration;
        play(&view, |time| {
            let failed = |failure: burgess_simulation::Failure| anyhow::Error::new(Failed(failure.into()));
            running.simulation.run(time.min(duration)).map_err(failed)?;
            Ok((self::poses(&mut running), time >= duration))
        })
    }

    fn watch_recording<R: Read + Seek>(&self, mut recorded: Recorded<R>) -> Result<ExitCode> {
        print(&recorded.summary()?)?;
        let Some(view) = recorded.view()? else { return Ok(ExitCode::SUCCESS) };
        print(&view.draw(&recorded.poses_at(f64::INFINITY)?.0))?;
        if self.plays() { play(&view, |time| recorded.poses_at(time)) } else { Ok(ExitCode::SUCCESS) }
    }
}

/// The space around a creature that is followed, seen from the side on which it travels farther.
fn around(start: Aabb, seen: Aabb) -> Aabb {
    let travel = seen.extents();
    let room = if travel.x >= travel.y { DVec3::new(1.5, 1.0, 0.15) } else { DVec3::new(1.0, 1.5, 0.15) };
    let room = room * start.extents().max_element();
    Aabb { min: start.min - room, max: start.max + room }
}

/// The bounds of a scene. For a creature, those of its body: its arena may be far larger.
fn bounds_of(scene: &Scene, running: &RunningScene, poses: &[Pose]) -> Aabb {
    let world = running.simulation.world();
    if scene.is_creature() { bounds_of_moving(world, poses) } else { bounds(world, poses) }
}

fn poses(running: &mut RunningScene) -> Vec<Pose> {
    running.simulation.data_mut().update_kinematics();
    let mut poses = Vec::new();
    link_poses(running.simulation.world(), &running.simulation.data().workspace, &mut poses);
    poses
}

/// The bounds of the motion, simulated for a short time. Bodies that fly far away are ignored.
fn seen_in_motion(scene: &Scene, mut running: RunningScene, start: Aabb) -> Aabb {
    // A creature is small compared with the distance that it travels.
    let farthest = if scene.is_creature() { 10.0 } else { 2.0 } * start.extents().max_element();
    let (limit, mut seen, begin) = (start.inflated(farthest), start, Instant::now());
    let mut time = 0.0;
    let goes_on = |time: f64| time < scene.spec().duration && begin.elapsed() < MAX_PREVIEW_TIME;
    while goes_on(time) && running.simulation.run(time).is_ok() {
        let poses = poses(&mut running);
        seen = seen.union(&bounds_of(scene, &running, &poses));
        time += PICTURE_INTERVAL.as_secs_f64();
    }
    seen.intersection(&limit)
}

/// Draws pictures over each other in real time, until the end or Ctrl-C. `at` returns the poses at a time (s), and
/// whether they are the last.
fn play(view: &SideView, mut at: impl FnMut(f64) -> Result<(Vec<Pose>, bool)>) -> Result<ExitCode> {
    interruption::watch_for();
    let start = Instant::now();
    // The first picture has no line for the time.
    let mut lines = view.rows();
    loop {
        let time = start.elapsed().as_secs_f64();
        let (poses, is_last) = at(time)?;
        let mut text = format!("\x1b[{lines}A");
        for line in view.draw(&poses).lines() {
            writeln!(text, "{line}\x1b[K")?;
        }
        writeln!(text, "{}\x1b[K", quantity((time * 10.0).round() / 10.0, "s"))?;
        print(&text)?;
        lines = view.rows() + 1;
        if is_last || interruption::is_requested() {
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(PICTURE_INTERVAL);
    }
}
