//! Boosted restitution of micro-collisions.

use super::*;

const MICRO: MicroImpulse = MicroImpulse { envelope: 0.002, gravity: 9.81, max_restitution: 3.0 };

/// Exactly the speed of a fall through the envelope.
#[test]
fn threshold_is_a_fall_through_the_envelope() {
    assert!((MICRO.threshold() - (2.0 * 9.81 * 0.002_f64).sqrt()).abs() < 1e-15);
}

#[test]
fn boost_grows_with_depth() {
    let slow = 0.5 * MICRO.threshold();
    for (distance, expected) in [(0.002, 0.4), (0.0015, 1.05), (0.001, 1.7), (0.0, 3.0), (-0.01, 3.0)] {
        assert!((MICRO.restitution(0.4, distance, slow) - expected).abs() < 1e-12);
    }
}

#[test]
fn only_slow_approach_is_boosted() {
    for speed in [-0.1, 0.0, MICRO.threshold(), 5.0] {
        assert_eq!(MICRO.restitution(0.4, 0.0, speed), 0.4);
    }
    assert_eq!(MicroImpulse { gravity: 0.0, ..MICRO }.restitution(0.4, 0.0, 1e-9), 0.4);
    assert_eq!(MICRO.restitution(4.0, 0.0, 0.01), 4.0);
}

/// A boosted restitution leaves any law with more speed than came.
#[test]
fn laws_accept_restitution_above_one() {
    let k = DMat3::IDENTITY;
    for law in LAWS {
        let p = law.impulse(&k, DVec3::new(0.0, 0.0, -0.1), DVec3::Z, &parameters(2.5, 0.3));
        assert_close(p, DVec3::Z * 0.35, ROUNDING);
    }
}
