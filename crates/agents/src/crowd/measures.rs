//! Measures of a crowd: flow over a line, density and speed in a region; trajectories as a text file.

use std::fmt::Write as _;

use glam::DVec2;

use super::field::Region;
use super::group::Crowd;

/// A line on the floor, of which crossings are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// One end, in m.
    pub a: DVec2,
    /// The other end, in m.
    pub b: DVec2,
}

impl Line {
    /// Returns 1 if a movement crosses the line to the left of the direction from `a` to `b`, -1 if it crosses it to
    /// the right, and 0 otherwise.
    pub fn crossing(&self, from: DVec2, to: DVec2) -> i32 {
        let side = |point: DVec2| (self.b - self.a).perp_dot(point - self.a);
        let (before, after) = (side(from), side(to));
        if (before > 0.0) == (after > 0.0) {
            return 0;
        }
        let along = |point: DVec2| (point - self.a).dot(self.b - self.a) / (self.b - self.a).length_squared();
        let share = before / (before - after);
        let place = along(from.lerp(to, share));
        if !(0.0..=1.0).contains(&place) {
            return 0;
        }
        if after > 0.0 { 1 } else { -1 }
    }
}

/// Density and speed in a region at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// Number of walkers.
    pub count: usize,
    /// Walkers per area, in 1/m^2.
    pub density: f64,
    /// Mean speed, in m/s; 0 if nobody is there.
    pub speed: f64,
}

impl Measures {
    /// Measures the walkers in a region.
    pub fn of(crowd: &Crowd, region: &Region) -> Self {
        let size = region.max - region.min;
        let there = crowd.walkers.iter().filter(|walker| walker.position().is_some_and(|place| region.contains(place)));
        let (count, speeds) =
            there.fold((0, 0.0), |(count, sum), walker| (count + 1, sum + walker.gait.velocity().length()));
        let mean = if count > 0 { speeds / f64::from(count) } else { 0.0 };
        Self { count: count as usize, density: f64::from(count) / (size.x * size.y), speed: mean }
    }
}

/// Positions of all walkers at equal intervals, as text with one line per walker and frame: its number, the frame, x, y
/// and z in metres. PedPy and JPSreport read this form.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectories {
    text: String,
    frame: usize,
}

impl Trajectories {
    /// Begins a file with a number of frames per second.
    pub fn new(frames_per_second: f64) -> Self {
        Self { text: format!("# framerate: {frames_per_second}\n# id frame x/m y/m z/m\n"), frame: 0 }
    }

    /// Adds the present positions as a frame.
    pub fn add(&mut self, crowd: &Crowd) {
        for (index, walker) in crowd.walkers.iter().enumerate() {
            if let Some(place) = walker.position() {
                // Writing to a string cannot fail.
                let _ = writeln!(self.text, "{} {} {:.4} {:.4} 0", index + 1, self.frame, place.x, place.y);
            }
        }
        self.frame += 1;
    }

    /// The file so far.
    pub fn text(&self) -> &str {
        &self.text
    }
}
