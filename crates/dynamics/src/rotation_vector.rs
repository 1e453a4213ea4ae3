//! Rotation vectors: direction of the axis, length of the angle. Exponential and logarithm of unit quaternions, and the
//! rate of a rotation vector by the angular velocity.

use glam::{DQuat, DVec3};

use crate::sine::sin_cos;

/// Squared angle below which the series are exact to rounding.
const SMALL_ANGLE_SQUARED: f64 = 1e-4;

/// Returns the rotation by `|vector|` rad about `vector`.
#[inline]
pub(crate) fn exponential(vector: DVec3) -> DQuat {
    let squared = vector.length_squared();
    let (half_sinc, cosine) = if squared < SMALL_ANGLE_SQUARED {
        (
            0.5 - squared * (1.0 / 48.0 - squared / 3840.0),
            1.0 - squared * (1.0 / 8.0 - squared * (1.0 / 384.0 - squared / 46080.0)),
        )
    } else {
        let angle = squared.sqrt();
        let (sine, cosine) = sin_cos(0.5 * angle);
        (sine / angle, cosine)
    };
    let v = vector * half_sinc;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// Returns the shortest rotation vector of a unit quaternion. Its length is at most pi.
pub(crate) fn logarithm(rotation: DQuat) -> DVec3 {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let (vector, cosine) = (DVec3::new(rotation.x, rotation.y, rotation.z) * sign, rotation.w * sign);
    let sine_squared = vector.length_squared();
    if sine_squared < 0.25 * SMALL_ANGLE_SQUARED {
        // asin(s) / s of the half angle, for any small error of the quaternion's length.
        let s = sine_squared / (sine_squared + cosine * cosine);
        let length = (sine_squared + cosine * cosine).sqrt();
        return vector * (2.0 / length * (1.0 + s * (1.0 / 6.0 + s * (3.0 / 40.0 + s * (15.0 / 336.0)))));
    }
    let sine = sine_squared.sqrt();
    vector * (2.0 * libm::atan2(sine, cosine) / sine)
}

/// Returns `J^T x`, where `J` gives the rate of the rotation vector from the angular velocity along the axes of the
/// *rotated* frame (the inverse of the exponential's right Jacobian): `J = 1 + [p]/2 + c [p]^2`. It converts the
/// gradient of a potential by the rotation vector `p` into a moment.
pub(crate) fn moment_along_inner_axes(p: DVec3, x: DVec3) -> DVec3 {
    let turn = p.cross(x);
    x - 0.5 * turn + curvature(p) * p.cross(turn)
}

/// Returns `J^T x` for an angular velocity along the axes of the initial frame.
pub(crate) fn moment_along_outer_axes(p: DVec3, x: DVec3) -> DVec3 {
    let turn = p.cross(x);
    x + 0.5 * turn + curvature(p) * p.cross(turn)
}

/// Returns `c = (1 - (a/2) cot(a/2)) / a^2` for the angle a.
fn curvature(p: DVec3) -> f64 {
    let squared = p.length_squared();
    if squared < SMALL_ANGLE_SQUARED {
        return 1.0 / 12.0 + squared * (1.0 / 720.0 + squared / 30240.0);
    }
    let half = 0.5 * squared.sqrt();
    let (sine, cosine) = sin_cos(half);
    (1.0 - half * cosine / sine) / squared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_undoes_exponential_at_every_size() {
        let direction = DVec3::new(2.0, -3.0, 6.0) / 7.0;
        for angle in [0.0, 1e-12, 1e-5, 0.0099, 0.0101, 0.1, 1.0, 3.0, 3.13] {
            let vector = direction * angle;
            let q = exponential(vector);
            assert!((q.length() - 1.0).abs() < 1e-15, "{angle}");
            assert!((logarithm(q) - vector).length() <= 4e-15 * angle.max(1e-3), "{angle}");
            assert!((logarithm(-q) - vector).length() <= 4e-15 * angle.max(1e-3), "{angle}");
        }
    }

    #[test]
    fn rates_of_the_rotation_vector_agree_with_differences() {
        let p = DVec3::new(0.7, -1.1, 0.4);
        let (w, x, h) = (DVec3::new(0.3, 0.2, -0.9), DVec3::new(1.0, -2.0, 0.5), 1e-5);
        let rate = |f: &dyn Fn(f64) -> DQuat| (logarithm(f(h)) - logarithm(f(-h))) / (2.0 * h);
        let inner = rate(&|t| exponential(p) * exponential(w * t));
        let outer = rate(&|t| exponential(w * t) * exponential(p));
        assert!((inner.dot(x) - w.dot(moment_along_inner_axes(p, x))).abs() < 1e-9);
        assert!((outer.dot(x) - w.dot(moment_along_outer_axes(p, x))).abs() < 1e-9);
    }
}
