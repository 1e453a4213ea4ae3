//! Points on circles, for the polyhedra that approximate cones and frustums.

use glam::DVec3;

/// Number of sides of the polyhedra.
pub(crate) const SIDES: usize = 32;

/// Returns the points of a regular polygon on a circle about z, in m.
pub(crate) fn circle(radius: f64, z: f64) -> Vec<DVec3> {
    let point = |side: usize| {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * side as f64 / SIDES as f64);
        DVec3::new(radius * cosine, radius * sine, z)
    };
    (0..SIDES).map(point).collect()
}
