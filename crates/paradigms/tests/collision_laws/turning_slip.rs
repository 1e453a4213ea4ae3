//! Slip that turns during a collision, compared with a brute-force integration.

use super::*;

/// Many small steps of the normal impulse with plain rules, no cleverness: midpoint while sliding; at rest the best of
/// many directions. The step bounds its accuracy to about 1e-4.
fn brute_force(k: &DMat3, u: DVec3, e: f64, mu: f64, stronge: bool) -> (DVec3, bool) {
    let step = 2e-5 / k.z_axis.z;
    let (mut p, mut u, mut rested, mut turned) = (DVec3::ZERO, u, false, DVec2::ZERO);
    let start = u.truncate().normalize_or_zero();
    let rest = rest_impulse(k, mu);
    let (mut stored, mut spent) = (0.0, 0.0);
    loop {
        let slide = |u: DVec3| (-mu * u.truncate().normalize_or_zero()).extend(1.0);
        rested |= u.truncate().length() <= 2.0 * step * k.x_axis.length().max(k.y_axis.length()) * (1.0 + mu);
        let d = if rested { rest } else { slide(u + 0.5 * step * (*k * slide(u))) };
        let next = u + step * (*k * d);
        let mean = 0.5 * (u.z + next.z);
        if mean < 0.0 {
            stored += if stronge { -e * e * mean } else { e };
        } else {
            spent += if stronge { mean } else { 1.0 };
            if spent >= stored {
                return (p, turned.perp_dot(start).abs() > 0.05);
            }
        }
        if !rested {
            turned = u.truncate().normalize_or_zero();
        }
        (p, u) = (p + step * d, next);
    }
}

/// Of all impulses in the cone, per unit of normal impulse, the one of least response `d . K d`: it leaves no slip, or
/// slides off.
fn rest_impulse(k: &DMat3, mu: f64) -> DVec3 {
    let mut best = (f64::INFINITY, DVec3::Z);
    for radius in 0..=200 {
        for angle in 0..720 {
            let (sin, cos) = libm::sincos(f64::from(angle) * std::f64::consts::PI / 360.0);
            let d = (mu * f64::from(radius) / 200.0 * DVec2::new(cos, sin)).extend(1.0);
            best = if d.dot(*k * d) < best.0 { (d.dot(*k * d), d) } else { best };
        }
    }
    best.1
}

#[test]
fn incremental_laws_follow_a_brute_force_integration() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let inputs = (bodies(), vector(-2.0..2.0), 0.0..1.0, 0.1..1.5);
    let mut turning = 0;
    for _ in 0..60 {
        let (k, slip, e, mu) = inputs.new_tree(&mut runner).unwrap().current();
        let u = DVec3::new(slip.x, slip.y, -1.0);
        for (law, stronge) in [(Incremental::POISSON, false), (Incremental::STRONGE, true)] {
            let (expected, turned) = brute_force(&k, u, e, mu, stronge);
            turning += usize::from(turned);
            let p = law.impulse(&k, u, DVec3::Z, &parameters(e, mu));
            let error = (p - expected).length() / expected.length();
            assert!(error < 0.01, "{}: {p} is not {expected} ({error:.1e})", law.name());
        }
    }
    assert!(turning > 30, "the slip turned in {turning} of 120 collisions only");
}

/// Friction that turns can draw the bodies together again after they began to part: compression comes twice.
#[test]
fn second_compression_is_part_of_the_collision() {
    let k = DMat3::from_cols(
        DVec3::new(0.275810, 0.299176, 0.126200),
        DVec3::new(0.299176, 0.628378, 0.075359),
        DVec3::new(0.126200, 0.075359, 0.389459),
    );
    let u = DVec3::new(0.398634, -0.832082, -0.01);
    for (law, stronge) in [(Incremental::POISSON, false), (Incremental::STRONGE, true)] {
        let p = law.impulse(&k, u, DVec3::Z, &parameters(0.8, 20.0));
        let (expected, _) = brute_force(&k, u, 0.8, 20.0, stronge);
        assert!((p - expected).length() < 0.01 * expected.length(), "{}: {p} is not {expected}", law.name());
        // Compression ends first at 0.026: without the second it would all be over at 0.05.
        assert!(p.z > 1.0, "{}: {p}", law.name());
        assert!((u + k * p).z > 0.0 && energy_change(&k, u, p) < 0.0);
    }
}
