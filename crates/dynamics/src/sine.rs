//! Sine and cosine together, for joint angles: within a turn or two of zero, many times per step.
//!
//! The angle is reduced to `x = k pi/2 + r` with `|r| <= pi/4`, with pi/2 in three parts so that r is correct to the
//! last bits (Cody and Waite), and both functions of r are polynomials of the lowest order that is exact to rounding
//! (economised Taylor coefficients; Cephes). Only basic arithmetic is used, so the bits are the same everywhere. Large
//! angles are passed to `libm`.

use std::f64::consts::FRAC_2_PI;

/// Angle above which the reduction in three parts loses digits, in rad.
const MAX_REDUCED_ANGLE: f64 = 1e5;

/// pi/2 in three parts; the first two have 33 bits, so that their products with k are exact.
const PART_1: f64 = 1.570_796_326_734_125_6;
const PART_2: f64 = 6.077_100_506_303_966e-11;
const PART_3: f64 = 2.022_266_248_795_950_6e-21;

/// Adding and subtracting this number rounds to the nearest whole number.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Returns sine and cosine of an angle in rad.
#[inline]
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    // NaN is passed to libm as well.
    if x.is_nan() || x.abs() >= MAX_REDUCED_ANGLE {
        return libm::sincos(x);
    }
    let k = (x * FRAC_2_PI + ROUND) - ROUND;
    let r = ((x - k * PART_1) - k * PART_2) - k * PART_3;
    let z = r * r;
    let sine = r + r
        * z
        * (((((1.589_623_015_765_465_6e-10 * z - 2.505_074_776_285_780_7e-8) * z + 2.755_731_362_138_572_2e-6) * z
            - 1.984_126_982_958_954e-4)
            * z
            + 8.333_333_333_322_118e-3)
            * z
            - 1.666_666_666_666_663e-1);
    let cosine = 1.0 - 0.5 * z
        + z * z
            * (((((-1.135_853_652_138_768_2e-11 * z + 2.087_570_084_197_473e-9) * z - 2.755_731_417_929_674e-7) * z
                + 2.480_158_728_885_171_7e-5)
                * z
                - 1.388_888_888_887_305_6e-3)
                * z
                + 4.166_666_666_666_659_5e-2);
    match k as i64 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_libm_to_rounding() {
        let mut worst = 0.0_f64;
        for i in -200_000..200_000 {
            let x = f64::from(i) * 1e-3 + 1e-7 * f64::from(i % 17);
            let ((sine, cosine), (s, c)) = (sin_cos(x), libm::sincos(x));
            worst = worst.max((sine - s).abs()).max((cosine - c).abs());
        }
        assert!(worst < 2.3e-16, "{worst:e}");
    }

    #[test]
    fn large_and_strange_angles_are_left_to_libm() {
        assert_eq!(sin_cos(1e9), libm::sincos(1e9));
        assert!(sin_cos(f64::INFINITY).0.is_nan() && sin_cos(f64::NAN).1.is_nan());
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
    }
}
