//! The two sliding directions of a planar joint; URDF specifies only the normal of the plane.

use glam::DVec3;

/// Returns unit vectors that form a right-handed frame with a unit normal: x and y for z, and cyclic permutations.
pub(super) fn directions(normal: DVec3) -> [DVec3; 2] {
    let start = match normal.abs().max_position() {
        0 => DVec3::Y,
        1 => DVec3::Z,
        _ => DVec3::X,
    };
    // The largest component of the normal is along another axis, so there is no cancellation.
    let first = (start - start.dot(normal) * normal).normalize();
    [first, normal.cross(first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_right_handed() {
        assert_eq!(directions(DVec3::Z), [DVec3::X, DVec3::Y]);
        assert_eq!(directions(DVec3::X), [DVec3::Y, DVec3::Z]);
        assert_eq!(directions(DVec3::Y), [DVec3::Z, DVec3::X]);
        for raw in [DVec3::new(0.3, -0.5, 0.8), DVec3::new(-1.0, 0.9, 0.1), DVec3::new(0.0, -1.0, 1e-9)] {
            let normal = raw.normalize();
            let [first, second] = directions(normal);
            assert!((first.cross(second) - normal).length() < 1e-15, "{raw}");
        }
    }
}
