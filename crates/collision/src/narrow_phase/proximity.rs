//! Result of a narrow-phase query.

use burgess_geometry::Feature;
use glam::{DMat3, DVec3};

/// The closest points of two shapes, or the deepest points when they penetrate, in the frame of shape a.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proximity {
    /// Distance between the shapes in metres. A negative value is the depth of penetration: the length of the shortest
    /// translation that separates them.
    pub distance: f64,
    /// Unit vector from a to b: moving b along it separates the shapes.
    pub normal: DVec3,
    /// The point on the surface of a.
    pub point_a: DVec3,
    /// The point on the surface of b: `point_a + distance * normal`.
    pub point_b: DVec3,
}

impl Proximity {
    /// Creates a proximity from the point on a, the normal and the signed distance.
    pub fn from_point_a(point_a: DVec3, normal: DVec3, distance: f64) -> Self {
        Self { distance, normal, point_a, point_b: point_a + distance * normal }
    }

    /// Returns the proximity in another frame. `rotation` and `translation` map the old frame to the new one.
    pub fn transformed(&self, rotation: &DMat3, translation: DVec3) -> Self {
        Self {
            distance: self.distance,
            normal: *rotation * self.normal,
            point_a: *rotation * self.point_a + translation,
            point_b: *rotation * self.point_b + translation,
        }
    }

    /// Returns the proximity with a and b exchanged, still in the frame of a.
    pub fn swapped(&self) -> Self {
        Self { distance: self.distance, normal: -self.normal, point_a: self.point_b, point_b: self.point_a }
    }
}

/// The closest features of two polyhedra, which V-Clip keeps between queries (Fontijne 2000, section 2.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeaturePair {
    /// The feature of a.
    pub a: Feature,
    /// The feature of b.
    pub b: Feature,
}

impl Default for FeaturePair {
    fn default() -> Self {
        Self { a: Feature::Vertex(0), b: Feature::Vertex(0) }
    }
}
