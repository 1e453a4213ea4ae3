//! The summary and the poses of a recording or of a replayed take.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{Read, Seek};

use anyhow::{Result, anyhow};
use burgess_geometry::{Aabb, Pose};
use burgess_scene::recording::{Frame, RecordingReader};
use burgess_scene::spec::SceneSpec;
use burgess_simulation::World;

use super::side_view::{SideView, bounds};
use super::sparkline::sparkline;
use crate::output::{counted, quantity};

/// Number of characters of a line over time.
const MOMENTS: u64 = 60;
/// Number of bodies whose final position is printed.
const MAX_LISTED_BODIES: usize = 10;

/// A recording to be shown.
pub struct Recorded<R> {
    reader: RecordingReader<R>,
    /// The world of the recorded scene, and the indices of its links among the recorded bodies, if all are there.
    world: Option<(World, Vec<usize>)>,
    name: String,
    kind: &'static str,
}

impl<R: Read + Seek> Recorded<R> {
    /// Prepares a recording. `kind` is the kind of the subject that it comes from, with an article.
    pub fn new(reader: RecordingReader<R>, name: &str, kind: &'static str) -> Self {
        let header = reader.header();
        let built = SceneSpec::from_toml(&header.scene, name).and_then(|scene| scene.build(""));
        let places: BTreeMap<&str, usize> =
            header.bodies.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        let world = built.ok().and_then(|built| {
            let model = built.world.model();
            let links = (0..model.links().len()).map(|link| places.get(model.name(link)).copied());
            let links = links.collect::<Option<_>>()?;
            Some((built.world, links))
        });
        Self { reader, world, name: name.to_string(), kind }
    }

    fn frame(&mut self, index: u64) -> Result<Frame> {
        let mut frame = Frame::default();
        self.reader.frame(index, &mut frame).map_err(|error| anyhow!("{}: {error}", self.name))?;
        Ok(frame)
    }

    /// Evenly spaced frames, including the last one.
    fn moments(&mut self) -> Result<Vec<Frame>> {
        let frames = self.reader.frames();
        let count = frames.min(MOMENTS);
        (0..count).map(|moment| self.frame(((moment + 1) * frames / count) - 1)).collect()
    }

    /// A view that contains the whole motion; none if the recording has no scene.
    pub fn view(&mut self) -> Result<Option<SideView>> {
        let moments = self.moments()?;
        let Some((world, links)) = &self.world else { return Ok(None) };
        let seen = moments.iter().map(|frame| bounds(world, &link_poses(links, frame)));
        let all = seen.fold(Aabb::from_points([]), |all, own| all.union(&own));
        Ok(SideView::new(world, all))
    }

    /// The poses of the links at a time (s), and whether that is the end.
    pub fn poses_at(&mut self, time: f64) -> Result<(Vec<Pose>, bool)> {
        let found = self.reader.frame_at(time).map_err(|error| anyhow!("{}: {error}", self.name))?;
        let Some(index) = found else { return Ok((Vec::new(), true)) };
        let frame = self.frame(index)?;
        let poses = self.world.as_ref().map(|(_, links)| link_poses(links, &frame)).unwrap_or_default();
        Ok((poses, index + 1 >= self.reader.frames()))
    }

    /// A summary of the recording.
    pub fn summary(&mut self) -> Result<String> {
        let mut out = String::new();
        let header = self.reader.header().clone();
        let unfinished = if self.reader.is_finished() { "" } else { ", unfinished" };
        let frames = counted(self.reader.frames(), "frame", "frames");
        let bodies = counted(header.bodies.len() as u64, "body", "bodies");
        writeln!(out, "{}: {} of {bodies}{unfinished}", self.name, self.kind)?;
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
        for (name, pose) in header.bodies.iter().zip(&last.poses).take(MAX_LISTED_BODIES) {
            let [x, y, z] = pose.translation.to_array();
            writeln!(out, "    {name:20} {x:9.3} {y:9.3} {z:9.3} m")?;
        }
        if let Some(more) = header.bodies.len().checked_sub(MAX_LISTED_BODIES + 1) {
            writeln!(out, "    and {} more", more + 1)?;
        }
        Ok(out)
    }
}

/// The poses of links with these indices among the bodies of a frame.
fn link_poses(links: &[usize], frame: &Frame) -> Vec<Pose> {
    links.iter().filter_map(|&place| frame.poses.get(place).copied()).collect()
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
