//! The tubes of one step as they are stored and shown.

use glam::DVec3;

use super::section::TERMS;
use super::thin::Thinned;
use super::tube::Tube;

/// Number of values of a point: position, normal, section, quantities.
pub const POINT_FLOATS: usize = 3 + 3 + (2 * TERMS - 1) + 4;

/// A point of a stored tube.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredPoint {
    /// Position.
    pub position: DVec3,
    /// Unit vector from which the angles of the section are measured.
    pub normal: DVec3,
    /// Fourier terms of the section.
    pub terms: [f64; 2 * TERMS - 1],
    /// Quantities, in the order of [`QUANTITIES`](super::QUANTITIES).
    pub quantities: [f64; 4],
}

/// A stored tube.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTube {
    /// Number of the track: the same in all steps through which the tube goes on.
    pub track: u32,
    /// Whether the core is closed, and how often it crosses a periodic box along each axis until it closes.
    pub turns: Option<[i8; 3]>,
    /// Points along the core.
    pub points: Vec<StoredPoint>,
}

/// All tubes of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredStep {
    /// The tubes.
    pub tubes: Vec<StoredTube>,
}

impl StoredTube {
    /// The kept points of a tube.
    pub fn new(tube: &Tube, thinned: &Thinned, track: u32, extent: DVec3) -> Self {
        let point = |place: &usize| {
            let point = &tube.points[*place];
            StoredPoint {
                position: point.position,
                normal: point.normal,
                terms: point.section.terms,
                quantities: point.quantities,
            }
        };
        let turns = tube
            .closure
            .map(|closure| [0, 1, 2].map(|axis| libm::rint(closure[axis] / extent[axis]).clamp(-127.0, 127.0) as i8));
        Self { track, turns, points: thinned.kept.iter().map(point).collect() }
    }

    /// From the first point to the same point after the last one, if the core is closed.
    pub fn closure(&self, extent: DVec3) -> Option<DVec3> {
        let turns = self.turns?;
        Some(DVec3::new(f64::from(turns[0]), f64::from(turns[1]), f64::from(turns[2])) * extent)
    }
}

impl StoredStep {
    /// All values as plain little-endian bytes, for programs that draw them.
    ///
    /// The number of tubes (u32); for each tube its track (u32), number of points (u32), 1 if closed (u32), and closure
    /// (three f32); then the points of all tubes, [`POINT_FLOATS`] f32 each.
    pub fn plain_bytes(&self, extent: DVec3) -> Vec<u8> {
        let points: usize = self.tubes.iter().map(|tube| tube.points.len()).sum();
        let mut bytes = Vec::with_capacity(4 + 24 * self.tubes.len() + 4 * POINT_FLOATS * points);
        bytes.extend((self.tubes.len() as u32).to_le_bytes());
        for tube in &self.tubes {
            bytes.extend(tube.track.to_le_bytes());
            bytes.extend((tube.points.len() as u32).to_le_bytes());
            bytes.extend(u32::from(tube.turns.is_some()).to_le_bytes());
            for value in tube.closure(extent).unwrap_or(DVec3::ZERO).to_array() {
                bytes.extend((value as f32).to_le_bytes());
            }
        }
        for point in self.tubes.iter().flat_map(|tube| &tube.points) {
            let vectors = point.position.to_array().into_iter().chain(point.normal.to_array());
            for value in vectors.chain(point.terms).chain(point.quantities) {
                bytes.extend((value as f32).to_le_bytes());
            }
        }
        bytes
    }
}
