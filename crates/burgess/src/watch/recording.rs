//! What a recording holds, in words and lines.

use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Result, anyhow};
use burgess_geometry::{Aabb, Pose};
use burgess_scene::recording::{Frame, RecordingReader};
use burgess_scene::spec::SceneSpec;
use burgess_simulation::World;

use super::side_view::{SideView, bounds};
use super::sparkline::sparkline;
use crate::output::{counted, quantity};

/// Letters of a line over time.
const MOMENTS: u64 = 60;
/// Bodies whose end is told.
const TOLD: usize = 10;

/// A recording to be shown.
pub struct Recorded {
    reader: RecordingReader<BufReader<File>>,
    /// The world of the scene in it, if it fits the frames.
    world: Option<World>,
    path: String,
}

impl Recorded {
    /// Opens a recording.
    pub fn open(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let reader = RecordingReader::open(path).map_err(|error| anyhow!("{shown}: {error}"))?;
        let header = reader.header();
        let built = SceneSpec::from_toml(&header.scene, &shown).and_then(|scene| scene.build(""));
        let fits = |world: &World| {
            let model = world.model();
            model.links().len() == header.bodies.len()
                && header.bodies.iter().enumerate().all(|(link, name)| model.name(link) == name)
        };
        let world = built.ok().map(|built| built.world).filter(fits);
        Ok(Self { reader, world, path: shown })
    }

    fn frame(&mut self, index: u64) -> Result<Frame> {
        let mut frame = Frame::default();
        self.reader.frame(index, &mut frame).map_err(|error| anyhow!("{}: {error}", self.path))?;
        Ok(frame)
    }

    /// Frames at even distances, the last among them.
    fn moments(&mut self) -> Result<Vec<Frame>> {
        let frames = self.reader.frames();
        let count = frames.min(MOMENTS);
        (0..count).map(|moment| self.frame(((moment + 1) * frames / count) - 1)).collect()
    }

    /// A view that holds all of the motion; none where the recording has no scene to show.
    pub fn view(&mut self) -> Result<Option<SideView>> {
        let moments = self.moments()?;
        let Some(world) = &self.world else { return Ok(None) };
        let seen = moments.iter().map(|frame| bounds(world, &frame.poses));
        let all = seen.fold(Aabb::from_points([]), |all, own| all.union(&own));
        Ok(SideView::new(world, all))
    }

    /// Where the bodies are at a time (s), and whether that is the end.
    pub fn poses_at(&mut self, time: f64) -> Result<(Vec<Pose>, bool)> {
        let found = self.reader.frame_at(time).map_err(|error| anyhow!("{}: {error}", self.path))?;
        let Some(index) = found else { return Ok((Vec::new(), true)) };
        Ok((self.frame(index)?.poses, index + 1 >= self.reader.frames()))
    }

    /// What it holds.
    pub fn summary(&mut self) -> Result<String> {
        let mut out = String::new();
        let header = self.reader.header().clone();
        let unfinished = if self.reader.is_finished() { "" } else { ", unfinished" };
        let frames = counted(self.reader.frames(), "frame", "frames");
        let bodies = counted(header.bodies.len() as u64, "body", "bodies");
        writeln!(out, "{}: a recording of {bodies}{unfinished}", self.path)?;
        let moments = self.moments()?;
        let Some(last) = moments.last() else {
            writeln!(out, "  it has no frames")?;
            return Ok(out);
        };
        let rate =
            if header.rate > 0.0 { format!(", {} a second", quantity(header.rate, "").trim()) } else { String::new() };
        writeln!(out, "  length       {} in {frames}{rate}", quantity(last.time - self.frame(0)?.time, "s"))?;
        let height = |frame: &Frame| {
            frame.poses.iter().map(|pose| pose.translation.z).sum::<f64>() / frame.poses.len().max(1) as f64
        };
        let heights: Vec<f64> = moments.iter().map(height).collect();
        line_over_time(&mut out, "mean height (m)", &heights)?;
        for (index, name) in header.statistics.iter().enumerate() {
            let numbers: Vec<f64> = moments.iter().map(|frame| frame.statistics[index]).collect();
            line_over_time(&mut out, name, &numbers)?;
        }
        writeln!(out, "  at the end")?;
        for (name, pose) in header.bodies.iter().zip(&last.poses).take(TOLD) {
            let [x, y, z] = pose.translation.to_array();
            writeln!(out, "    {name:20} {x:9.3} {y:9.3} {z:9.3} m")?;
        }
        if let Some(more) = header.bodies.len().checked_sub(TOLD + 1) {
            writeln!(out, "    and {} more", more + 1)?;
        }
        Ok(out)
    }
}

fn line_over_time(out: &mut String, name: &str, numbers: &[f64]) -> Result<()> {
    let (low, high) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &n| (l.min(n), h.max(n)));
    let [low, high] = [low, high].map(|number| quantity(number, "").trim().to_string());
    if low == high {
        writeln!(out, "  {name:16} {low} throughout")?;
    } else {
        writeln!(out, "  {name:16} {}", sparkline(numbers))?;
        writeln!(out, "  {:16} from {low} to {high}", "")?;
    }
    Ok(())
}
