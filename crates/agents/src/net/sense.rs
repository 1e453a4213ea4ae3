//! What perceptual nodes see from a place.

use glam::DVec2;

use super::node::{Averaging, Output, Sensor};
use crate::crowd::plane::{nearest_on_segment, wrap_angle};

/// A place and a heading.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pose2 {
    /// Position, in m.
    pub position: DVec2,
    /// Heading, in rad.
    pub heading: f64,
}

impl Pose2 {
    /// Distance and angle of a point.
    pub fn to_point(&self, point: DVec2) -> Output {
        let offset = point - self.position;
        let angle =
            if offset == DVec2::ZERO { 0.0 } else { wrap_angle(libm::atan2(offset.y, offset.x) - self.heading) };
        Output { distance: offset.length(), angle }
    }
}

/// What can be perceived.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// Positions of named bodies, in m.
    pub objects: &'a [DVec2],
    /// Other walkers nearby, and where they look.
    pub others: &'a [Pose2],
}

impl Sensor {
    /// Returns what the sensor perceives from a pose. What is not perceived is infinitely far.
    pub fn perceive(&self, pose: &Pose2, surroundings: &Surroundings) -> Output {
        let nothing = Output { distance: f64::INFINITY, angle: 0.0 };
        match self {
            Self::Object(index) => surroundings.objects.get(*index).map_or(nothing, |&place| pose.to_point(place)),
            Self::Location(place) => pose.to_point(*place),
            Self::Line(a, b) => pose.to_point(nearest_on_segment(pose.position, *a, *b)),
            Self::Terrain(regions) => {
                let points = regions.iter().map(|region| pose.to_point(pose.position.clamp(region.min, region.max)));
                nearest(points).unwrap_or(nothing)
            }
            Self::Proximity { distance, angle, averaging } => {
                let seen = surroundings.others.iter().map(|other| pose.to_point(other.position));
                let seen = seen.filter(|seen| seen.distance <= *distance && seen.angle.abs() <= *angle);
                match averaging {
                    Averaging::Nearest => nearest(seen).unwrap_or(nothing),
                    Averaging::Mean => mean(seen, *distance).unwrap_or(nothing),
                }
            }
            Self::FieldOfView { distance, angle } => {
                let is_seen = |other: &&Pose2| {
                    let back = other.to_point(pose.position);
                    back.distance <= *distance && back.angle.abs() <= *angle
                };
                let watchers = || surroundings.others.iter().filter(is_seen).map(|other| pose.to_point(other.position));
                // A watcher in the same place counts as one at a centimetre.
                let sum = watchers().map(|seen| 1.0 / seen.distance.max(0.01)).sum();
                Output { distance: sum, angle: nearest(watchers()).map_or(0.0, |seen| seen.angle) }
            }
        }
    }
}

fn nearest(seen: impl Iterator<Item = Output>) -> Option<Output> {
    seen.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// The mean place of what is seen within a distance (m), weighted by nearness.
fn mean(seen: impl Iterator<Item = Output>, reach: f64) -> Option<Output> {
    let (mut sum, mut weights) = (DVec2::ZERO, 0.0);
    for Output { distance, angle } in seen {
        let weight = 1.0 - distance / reach + 1e-6;
        let (sin, cos) = libm::sincos(angle);
        sum += weight * distance * DVec2::new(cos, sin);
        weights += weight;
    }
    let mean = sum / weights;
    (weights > 0.0).then(|| Output { distance: mean.length(), angle: libm::atan2(mean.y, mean.x) })
}
