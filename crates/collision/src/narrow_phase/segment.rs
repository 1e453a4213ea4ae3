//! Segments: the cores of capsules.

use glam::DVec3;

/// A segment given by its centre, a unit vector along it, and half its length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub middle: DVec3,
    pub direction: DVec3,
    pub half_length: f64,
}

/// The closest points of two segments and the unit vector from the first to the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentPair {
    pub on_a: DVec3,
    pub distance: f64,
    pub normal: DVec3,
}

impl Segment {
    pub fn at(&self, parameter: f64) -> DVec3 {
        self.middle + parameter * self.direction
    }

    /// Returns the parameter of the point nearest to `point`.
    pub fn nearest(&self, point: DVec3) -> f64 {
        (point - self.middle).dot(self.direction).clamp(-self.half_length, self.half_length)
    }

    /// Returns the closest points of two segments.
    ///
    /// Either both are inside their segments, or one is an end: all five candidates are cheap, and the nearest one is
    /// used.
    pub fn closest(&self, other: &Self) -> SegmentPair {
        let across = self.direction.cross(other.direction);
        let sine = across.length();
        let size = self.half_length + other.half_length;

        let mut best = (f64::INFINITY, 0.0, 0.0);
        let mut keep = |s: f64, t: f64| {
            let squared = (other.at(t) - self.at(s)).length_squared();
            if squared < best.0 {
                best = (squared, s, t);
            }
        };

        // Both are inside. Unlike the determinant of dot products, the cross product keeps its precision when the
        // segments are nearly parallel.
        if sine > 0.0 {
            let offset = other.middle - self.middle;
            let scale = 1.0 / (sine * sine);
            let s = offset.cross(other.direction).dot(across) * scale;
            let t = offset.cross(self.direction).dot(across) * scale;
            if s.abs() <= self.half_length && t.abs() <= other.half_length {
                keep(s, t);
            }
        }
        // The midpoint of a parallel overlap, or else an end of one and the nearest point of the other.
        let (s, t) = self.overlap_middle(other);
        keep(s, t);
        for end in [-self.half_length, self.half_length] {
            keep(end, other.nearest(self.at(end)));
        }
        for end in [-other.half_length, other.half_length] {
            keep(self.nearest(other.at(end)), end);
        }

        let (_, s, t) = best;
        let on_a = self.at(s);
        let (inside_a, inside_b) = (s.abs() < self.half_length, t.abs() < other.half_length);
        // The offset is perpendicular to a segment that is met in its interior; any component along it is rounding.
        let mut offset = other.at(t) - on_a;
        if inside_a {
            offset -= offset.dot(self.direction) * self.direction;
        }
        if inside_b {
            offset -= offset.dot(other.direction) * other.direction;
        }
        let distance = offset.length();
        // The direction of the offset is imprecise when it is short, the cross product when the segments are nearly
        // parallel: use the better one.
        let offset_is_better = distance > (sine * size).min(1e-3 * size);
        if offset_is_better && let Some(normal) = offset.try_normalize() {
            return SegmentPair { on_a, distance, normal };
        }
        if inside_a
            && inside_b
            && let Some(normal) = across.try_normalize()
        {
            let normal = if normal.dot(offset) < 0.0 { -normal } else { normal };
            return SegmentPair { on_a, distance: normal.dot(offset), normal };
        }
        if distance > 1e-14 * size
            && let Some(normal) = offset.try_normalize()
        {
            return SegmentPair { on_a, distance, normal };
        }
        let normal = across.try_normalize().unwrap_or_else(|| self.direction.any_orthonormal_vector());
        SegmentPair { on_a, distance, normal }
    }

    /// Returns the parameters at the midpoint of the interval where two parallel segments overlap.
    fn overlap_middle(&self, other: &Self) -> (f64, f64) {
        let along = (other.middle - self.middle).dot(self.direction);
        let low = (along - other.half_length).max(-self.half_length);
        let high = (along + other.half_length).min(self.half_length);
        let s = (0.5 * (low + high)).clamp(-self.half_length, self.half_length);
        (s, other.nearest(self.at(s)))
    }
}
