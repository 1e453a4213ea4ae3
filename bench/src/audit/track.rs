//! Exact courses by numerical integration with steps so short that their error does not matter.

use std::sync::Arc;

use glam::DVec3;

/// Step of integration and distance of samples, in s. Between samples a body with an acceleration of 100 m/s^2 is found
/// within 1e-7 m by linear interpolation.
pub const STEP: f64 = 1e-4;

/// Places at multiples of [`STEP`], in m.
#[derive(Debug, Clone)]
pub struct Track(Arc<Vec<DVec3>>);

impl Track {
    /// Integrates for some seconds: `advance` returns the place after each step, beginning with the first.
    pub fn new(start: DVec3, seconds: f64, mut advance: impl FnMut() -> DVec3) -> Self {
        let steps = libm::ceil(seconds / STEP) as usize + 1;
        Self(Arc::new(std::iter::once(start).chain((0..steps).map(|_| advance())).collect()))
    }

    /// Returns the place at a time in s, or none after the end.
    pub fn at(&self, time: f64) -> Option<DVec3> {
        let place = time / STEP;
        let index = libm::floor(place) as usize;
        let (a, b) = (self.0.get(index)?, self.0.get(index + 1)?);
        Some(a.lerp(*b, place - index as f64))
    }
}

/// Makes one step of the fourth-order Runge-Kutta method (s) for a place and a velocity.
pub fn advance(state: (DVec3, DVec3), step: f64, acceleration: impl Fn(DVec3, DVec3) -> DVec3) -> (DVec3, DVec3) {
    let (x, v) = state;
    let a1 = acceleration(x, v);
    let (x2, v2) = (x + 0.5 * step * v, v + 0.5 * step * a1);
    let a2 = acceleration(x2, v2);
    let (x3, v3) = (x + 0.5 * step * v2, v + 0.5 * step * a2);
    let a3 = acceleration(x3, v3);
    let (x4, v4) = (x + step * v3, v + step * a3);
    let a4 = acceleration(x4, v4);
    (x + step / 6.0 * (v + 2.0 * (v2 + v3) + v4), v + step / 6.0 * (a1 + 2.0 * (a2 + a3) + a4))
}
