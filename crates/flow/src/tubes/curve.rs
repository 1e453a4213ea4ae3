//! A smooth curve through the points of a core.

use glam::DVec3;

/// A curve of cubic pieces through points, open or closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    positions: Vec<DVec3>,
    /// Derivatives by arc length at the points.
    slopes: Vec<DVec3>,
    closure: Option<DVec3>,
}

impl Curve {
    /// Creates the curve. `closure` leads from the first point to the same one after the last, if the curve is closed.
    pub fn new(positions: Vec<DVec3>, closure: Option<DVec3>) -> Self {
        let slopes = Vec::new();
        let mut curve = Self { positions, slopes, closure };
        curve.slopes = (0..curve.positions.len() as isize).map(|place| curve.slope(place)).collect();
        curve
    }

    /// Number of pieces.
    pub fn pieces(&self) -> usize {
        if self.closure.is_some() { self.positions.len() } else { self.positions.len().saturating_sub(1) }
    }

    /// The position at a share of a piece.
    pub fn position(&self, piece: usize, share: f64) -> DVec3 {
        let (start, end) = (self.at(piece as isize), self.at(piece as isize + 1));
        let length = (end - start).length();
        let slope_at = |place: usize| self.slopes[place % self.slopes.len()] * length;
        let (t, s) = (share, 1.0 - share);
        s * s * (1.0 + 2.0 * t) * start + t * t * (1.0 + 2.0 * s) * end + t * s * s * slope_at(piece)
            - t * t * s * slope_at(piece + 1)
    }

    /// Unit tangent at a point.
    pub fn tangent(&self, point: usize) -> DVec3 {
        self.slopes[point].normalize_or(DVec3::Z)
    }

    fn at(&self, place: isize) -> DVec3 {
        let count = self.positions.len() as isize;
        let turns = place.div_euclid(count) as f64;
        self.positions[place.rem_euclid(count) as usize] + turns * self.closure.unwrap_or(DVec3::ZERO)
    }

    /// The slope at a point of the parabola through it and its neighbours.
    fn slope(&self, place: isize) -> DVec3 {
        let count = self.positions.len() as isize;
        if count < 2 {
            return DVec3::Z;
        }
        let chord = |from: isize| {
            let difference = self.at(from + 1) - self.at(from);
            let length = difference.length().max(f64::MIN_POSITIVE);
            (difference / length, length)
        };
        let middle = |place: isize| {
            let ((before, before_length), (after, after_length)) = (chord(place - 1), chord(place));
            (after_length * before + before_length * after) / (before_length + after_length)
        };
        match (self.closure.is_some(), place) {
            (true, _) => middle(place),
            (false, _) if count == 2 => chord(0).0,
            (false, 0) => 2.0 * chord(0).0 - middle(1),
            (false, _) if place == count - 1 => 2.0 * chord(count - 2).0 - middle(count - 2),
            (false, _) => middle(place),
        }
    }
}
