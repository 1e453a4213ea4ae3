//! Roll, pitch and yaw: rotations about the fixed axes x, then y, then z, in rad.
//!
//! ```text
//!   R = Rz(yaw) Ry(pitch) Rx(roll)
//! ```
//!
//! Near a pitch of 90 degrees roll and yaw rotate about nearly the same axis, and computing each from its own entries
//! of R loses as many digits as the cosine of the pitch has leading zeros. Here yaw is computed from R, and roll and
//! pitch from `Rz(-yaw) R`, which has the pattern of `Ry Rx` for this yaw:
//!
//! ```text
//!   Ry Rx = |  cp  sp sr  sp cr |
//!           |  0   cr     -sr   |
//!           | -sp  cp sr  cp cr |
//! ```
//!
//! The middle row has length one, so roll is always well determined and compensates for errors of yaw.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

/// Returns the rotation for roll, pitch and yaw (x, y and z), in rad.
pub(super) fn rotation_of(rpy: DVec3) -> DQuat {
    let turn = |axis: DVec3, angle: f64| {
        let (sin, cos) = libm::sincos(0.5 * angle);
        DQuat::from_vec4((sin * axis).extend(cos))
    };
    turn(DVec3::Z, rpy.z) * turn(DVec3::Y, rpy.y) * turn(DVec3::X, rpy.x)
}

/// Returns roll, pitch and yaw of a rotation, in rad. They reproduce the rotation up to a few rounding errors at any
/// pitch.
pub(super) fn rpy_of(rotation: DQuat) -> DVec3 {
    let r = Pose::new(rotation, DVec3::ZERO).matrix();
    // Pitch is within 90 degrees, so its cosine is not negative and yaw is the direction of the first column.
    let yaw = libm::atan2(r.x_axis.y, r.x_axis.x);
    let (sin, cos) = libm::sincos(yaw);
    let first_row = |column: DVec3| cos * column.x + sin * column.y;
    let middle_row = |column: DVec3| cos * column.y - sin * column.x;
    let pitch = libm::atan2(-r.x_axis.z, first_row(r.x_axis));
    let roll = libm::atan2(-middle_row(r.z_axis), middle_row(r.y_axis));
    // Adding zero turns minus zero into zero.
    DVec3::new(roll, pitch, yaw) + DVec3::ZERO
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use proptest::prelude::*;

    use super::*;

    fn error(rotation: DQuat) -> f64 {
        let back = rotation_of(rpy_of(rotation));
        // Twice the sine of half the angle between them.
        2.0 * (rotation.conjugate() * back).xyz().length()
    }

    #[test]
    fn rotations_about_one_axis() {
        let quarter = rotation_of(DVec3::new(0.0, 0.0, FRAC_PI_2));
        assert!((quarter * DVec3::X - DVec3::Y).length() < 1e-15);
        for angles in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.3, -1.2, 3.0), DVec3::new(-PI, 0.0, 0.0)] {
            assert!((rpy_of(rotation_of(angles)) - angles).length() < 1e-15, "{angles}");
        }
        assert_eq!(rpy_of(DQuat::IDENTITY), DVec3::ZERO);
    }

    #[test]
    fn roll_comes_first_and_yaw_last() {
        let turned = rotation_of(DVec3::new(0.1, 0.2, 0.3));
        let step = |axis, angle| DQuat::from_axis_angle(axis, angle);
        let expected = step(DVec3::Z, 0.3) * step(DVec3::Y, 0.2) * step(DVec3::X, 0.1);
        assert!((turned - expected).length() < 1e-15);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_rotation_is_kept(x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0, w in -1.0..1.0) {
            let q = DQuat::from_xyzw(x, y, z, w);
            prop_assume!(q.length() > 0.1);
            prop_assert!(error(q.normalize()) < 2e-15);
        }

        /// At gimbal lock, and from 1e-16 to 1e-2 rad away from it.
        #[test]
        fn gimbal_lock_loses_nothing(roll in -PI..PI, yaw in -PI..PI, exponent in -16.0..-2.0, sign: bool, exact: bool) {
            let gap = if exact { 0.0 } else { libm::exp10(exponent) };
            let pitch = if sign { FRAC_PI_2 - gap } else { gap - FRAC_PI_2 };
            prop_assert!(error(rotation_of(DVec3::new(roll, pitch, yaw))) < 2e-15);
        }
    }
}
