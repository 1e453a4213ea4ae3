//! Distances in the plane.

use glam::DVec2;

/// Returns the point of the segment from `a` to `b` that is nearest to a point.
pub(crate) fn nearest_on_segment(point: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    let along = b - a;
    let square = along.length_squared();
    if square <= 0.0 {
        return a;
    }
    a + along * ((point - a).dot(along) / square).clamp(0.0, 1.0)
}

/// Returns the distance of two segments; 0 if they cross.
pub(crate) fn segment_distance(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    if cross_each_other(a, b, c, d) {
        return 0.0;
    }
    let ends = [
        nearest_on_segment(a, c, d).distance(a),
        nearest_on_segment(b, c, d).distance(b),
        nearest_on_segment(c, a, b).distance(c),
        nearest_on_segment(d, a, b).distance(d),
    ];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

/// Returns whether the inner points of two segments cross.
fn cross_each_other(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let side = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Returns the least distance (m) from the origin of a point that moves from `start` by `velocity` for a time (s).
pub(crate) fn closest_approach(start: DVec2, velocity: DVec2, duration: f64) -> f64 {
    nearest_on_segment(DVec2::ZERO, start, start + velocity * duration).length()
}

/// Returns the time (s) until a point at `start` that moves with `velocity` comes within `radius` of the origin; 0 if
/// it is there, and nothing if it never does.
pub(crate) fn time_to_reach(start: DVec2, velocity: DVec2, radius: f64) -> Option<f64> {
    let distance = start.length_squared() - radius * radius;
    let approach = start.dot(velocity);
    if approach >= 0.0 {
        // A point that is within the radius and leaves it is no danger.
        return None;
    }
    if distance <= 0.0 {
        return Some(0.0);
    }
    let square = velocity.length_squared();
    let discriminant = approach * approach - square * distance;
    (discriminant >= 0.0).then(|| distance / (discriminant.sqrt() - approach))
}

/// Returns the unit vector in the direction of an angle (rad).
pub(crate) fn direction(angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(cos, sin)
}

/// Returns the angle from -pi to pi (rad) that is equal to another one up to full turns.
pub(crate) fn wrap_angle(angle: f64) -> f64 {
    let turns = (angle / std::f64::consts::TAU).round();
    angle - turns * std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64;

    /// Distances of random segments, and times of random approaches, against dense sampling.
    #[test]
    fn closed_forms_agree_with_sampling() {
        let mut random = Pcg64::seed_from_u64(7);
        let mut point = || DVec2::new(random.random_range(-2.0..2.0), random.random_range(-2.0..2.0));
        for _ in 0..300 {
            let [a, b, c, d] = [point(), point(), point(), point()];
            let samples = 400;
            let sampled = (0..=samples)
                .map(|index| nearest_on_segment(a.lerp(b, index as f64 / samples as f64), c, d))
                .zip((0..=samples).map(|index| a.lerp(b, index as f64 / samples as f64)))
                .map(|(near, own)| near.distance(own))
                .fold(f64::INFINITY, f64::min);
            let found = segment_distance(a, b, c, d);
            // The sampled distance is too large by at most half the distance of the samples.
            assert!(found <= sampled + 1e-12 && sampled - found <= 0.5 * a.distance(b) / samples as f64 + 1e-12);
            let approach = closest_approach(a, b, 1.0);
            assert!((approach - segment_distance(a, a + b, DVec2::ZERO, DVec2::ZERO)).abs() < 1e-12);
            if let Some(time) = time_to_reach(a, b, 0.5)
                && time > 0.0
            {
                assert!(((a + time * b).length() - 0.5).abs() < 1e-9);
                assert!(closest_approach(a, b, 0.999 * time) > 0.5 - 1e-9);
            }
        }
    }
}
