//! The two directions in which a planar joint slides: URDF names only the normal of the plane.

use glam::DVec3;

/// Unit vectors that make a right-handed frame with a unit normal; x and y for z, and so on around the axes.
pub(super) fn directions(normal: DVec3) -> [DVec3; 2] {
    let start = match normal.abs().max_position() {
        0 => DVec3::Y,
        1 => DVec3::Z,
        _ => DVec3::X,
    };
    // The largest part of the normal is along another axis, so that nothing cancels.
    let first = (start - start.dot(normal) * normal).normalize();
    [first, normal.cross(first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_follow_each_other() {
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
