//! A vortex tube as it is extracted: dense points along its core.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::section::Section;
use crate::grid::Grid;

/// A quantity along the core of a tube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Circulation around the edge of the section.
    Circulation,
    /// Pressure on the core.
    Pressure,
    /// Speed on the core.
    Speed,
    /// Magnitude of the vorticity on the core.
    Vorticity,
}

impl Quantity {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circulation => "circulation",
            Self::Pressure => "pressure",
            Self::Speed => "speed",
            Self::Vorticity => "vorticity",
        }
    }
}

/// All quantities, in the order in which they are stored.
pub const QUANTITIES: [Quantity; 4] = [Quantity::Circulation, Quantity::Pressure, Quantity::Speed, Quantity::Vorticity];

/// A point of the core of a tube.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorePoint {
    /// Position.
    pub position: DVec3,
    /// Unit vector along the core, in the direction of the vorticity.
    pub tangent: DVec3,
    /// Unit vector from which the angles of the section are measured.
    pub normal: DVec3,
    /// Velocity.
    pub velocity: DVec3,
    /// The quantities, in the order of [`QUANTITIES`].
    pub quantities: [f64; 4],
    /// The section.
    pub section: Section,
}

/// A vortex tube with dense points.
#[derive(Debug, Clone, PartialEq)]
pub struct Tube {
    /// The points. Positions are continuous across the faces of a periodic box.
    pub points: Vec<CorePoint>,
    /// From the first point to the same point after the last one, if the core is closed. It is not zero if the core
    /// crosses a periodic box.
    pub closure: Option<DVec3>,
}

impl Tube {
    /// Length of the core.
    pub fn length(&self) -> f64 {
        let pairs = self.points.windows(2).map(|pair| (pair[1].position - pair[0].position).length());
        pairs.sum::<f64>() + self.closing_length()
    }

    fn closing_length(&self) -> f64 {
        match (self.closure, self.points.first(), self.points.last()) {
            (Some(closure), Some(first), Some(last)) => (first.position + closure - last.position).length(),
            _ => 0.0,
        }
    }

    /// Mean radius of the sections.
    pub fn radius(&self) -> f64 {
        self.points.iter().map(|point| point.section.mean()).sum::<f64>() / self.points.len().max(1) as f64
    }

    /// The point whose position is nearest to a place, and its distance.
    pub fn nearest(&self, grid: &Grid, place: DVec3) -> Option<(usize, f64)> {
        let distances = self.points.iter().map(|point| grid.difference(point.position, place).length());
        distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
