//! The laws of a single collision compared with closed forms and a brute-force integration, and properties of all laws.
//!
//! Algebraic laws are exact up to rounding (`ROUNDING`, with a margin for badly conditioned bodies). Incremental laws
//! are integrated to eight digits per step, of which badly conditioned bodies cost two (`INTEGRATION`). Both are
//! relative to the speed and impulse of the collision.

mod micro_impulses;
mod rod_on_floor;
mod sphere_on_floor;
mod turning_slip;

use burgess_paradigms::collision_solver::{
    ChatterjeeRuina, CollisionLaw, ImpactParameters, Incremental, MicroImpulse, Newton,
};
use glam::{DMat3, DQuat, DVec2, DVec3};
use nalgebra::Matrix3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const ROUNDING: f64 = 1e-11;
const INTEGRATION: f64 = 1e-6;
const LAWS: [&dyn CollisionLaw; 4] = [&Newton, &ChatterjeeRuina, &Incremental::POISSON, &Incremental::STRONGE];

fn parameters(restitution: f64, friction: f64) -> ImpactParameters {
    ImpactParameters { restitution, tangential_restitution: 0.0, friction }
}

/// Returns the change of kinetic energy, in joules: `p . (u + K p / 2)`.
fn energy_change(k: &DMat3, u: DVec3, p: DVec3) -> f64 {
    p.dot(u + 0.5 * (*k * p))
}

/// `1/m - r x I^-1 r x` (Fontijne 2000, eq. 3.34).
fn collision_matrix(mass: f64, inverse_inertia: DMat3, r: DVec3) -> DMat3 {
    let cross = DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0));
    DMat3::from_diagonal(DVec3::splat(1.0 / mass)) - cross * inverse_inertia * cross
}

/// Returns the distance of an impulse outside the friction cone.
fn outside_cone(p: DVec3, normal: DVec3, friction: f64) -> f64 {
    p.reject_from_normalized(normal).length() - friction * p.dot(normal)
}

#[track_caller]
fn assert_close(a: DVec3, b: DVec3, tolerance: f64) {
    assert!((a - b).length() <= tolerance * (1.0 + b.length()), "{a} is not {b}");
}

/// One or two free bodies of any shape, touching at a point.
fn bodies() -> impl Strategy<Value = DMat3> {
    (body(), body(), any::<bool>()).prop_map(|(a, b, two)| if two { a + b } else { a })
}

/// A body from mass, principal moments (sums of two positive numbers each, hence physical), orientation and lever.
fn body() -> impl Strategy<Value = DMat3> {
    (0.1..10.0, vector(0.01..1.0), rotation(), vector(-1.0..1.0)).prop_map(|(mass, squares, attitude, lever)| {
        let moments: DVec3 = mass * (DVec3::splat(squares.element_sum()) - squares);
        let attitude = DMat3::from_quat(attitude);
        let inverse_inertia = attitude * DMat3::from_diagonal(moments.recip()) * attitude.transpose();
        collision_matrix(mass, inverse_inertia, 2.0 * lever)
    })
}

fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
    [range.clone(), range.clone(), range].prop_map(DVec3::from_array)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    [-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0].prop_map(|q| DQuat::from_array(q).normalize())
}

fn direction() -> impl Strategy<Value = DVec3> {
    rotation().prop_map(|q| q * DVec3::Z)
}

/// Approach velocities with slip from none to nearly all.
fn approach() -> impl Strategy<Value = DVec3> {
    (vector(-1.0..1.0), prop_oneof![Just(0.0), Just(1e-6), Just(1.0), Just(1e3)], 0.01..3.0)
        .prop_map(|(slip, scale, speed): (DVec3, f64, f64)| DVec3::new(scale * slip.x, scale * slip.y, -speed))
}

fn any_parameters() -> impl Strategy<Value = ImpactParameters> {
    let friction = prop_oneof![Just(0.0), 0.0..2.0, Just(20.0)];
    (0.0..=1.0, -1.0..=1.0, friction).prop_map(|(restitution, tangential_restitution, friction)| ImpactParameters {
        restitution,
        tangential_restitution,
        friction,
    })
}

/// A collision in a frame in which the normal is not an axis.
fn collision() -> impl Strategy<Value = (DMat3, DVec3, DVec3)> {
    (bodies(), approach(), rotation()).prop_map(|(k, u, rotation)| (k, rotation * u, rotation * DVec3::Z))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    /// Never left approaching, never pushed out of the cone, never with more energy than before; Newton's law promises
    /// the first two only.
    #[test]
    fn every_law_has_its_guaranteed_properties((k, u, n) in collision(), parameters in any_parameters()) {
        for law in LAWS {
            let p = law.impulse(&k, u, n, &parameters);
            let after = u + k * p;
            let scale = u.length() * p.length();
            prop_assert!(after.dot(n) >= -INTEGRATION * u.length(), "{} approaches: {after}", law.name());
            prop_assert!(outside_cone(p, n, parameters.friction) <= ROUNDING * p.length(), "{} leaves the cone", law.name());
            let change = energy_change(&k, u, p);
            let promises = law.name() != "newton";
            prop_assert!(!promises || change <= INTEGRATION * scale, "{} gains {change} J", law.name());
        }
    }

    /// Newton and Chatterjee-Ruina separate with exactly `-e` times the normal velocity.
    #[test]
    fn algebraic_laws_restore_the_normal_velocity((k, u, n) in collision(), parameters in any_parameters()) {
        for law in [&Newton as &dyn CollisionLaw, &ChatterjeeRuina] {
            let after = u + k * law.impulse(&k, u, n, &parameters);
            let error = after.dot(n) + parameters.restitution * u.dot(n);
            prop_assert!(error.abs() <= ROUNDING * u.length(), "{}: {error}", law.name());
        }
    }

    /// Newton's law either sticks or has its friction on the cone and against the slip that remains.
    #[test]
    fn newton_obeys_coulomb_at_separation((k, u, n) in collision(), parameters in any_parameters()) {
        let p = Newton.impulse(&k, u, n, &parameters);
        let slip = (u + k * p).reject_from_normalized(n);
        if slip.length() > 1e-8 * u.length() {
            let expected = -parameters.friction * p.dot(n) * slip.normalize();
            // The direction of a small slip is known to its rounding error only.
            let tolerance = ROUNDING * p.length() * (u.length() / slip.length());
            prop_assert!((p.reject_from_normalized(n) - expected).length() <= tolerance);
        }
    }

    /// Chatterjee-Ruina's energy formula, where the cone does not clip.
    #[test]
    fn chatterjee_ruina_loses_what_its_formula_says((k, u, n) in collision(), e in 0.0..=1.0f64, e_t in -1.0..=1.0f64) {
        let parameters = ImpactParameters { restitution: e, tangential_restitution: e_t, friction: 1e5 };
        let p = ChatterjeeRuina.impulse(&k, u, n, &parameters);
        prop_assume!(outside_cone(p, n, parameters.friction) < -1e-9 * p.length());
        let normal = u.dot(n) * u.dot(n) / n.dot(k * n);
        let all = u.dot(k.inverse() * u);
        let loss = 0.5 * ((1.0 - e * e) * normal + (1.0 - e_t * e_t) * (all - normal));
        prop_assert!((energy_change(&k, u, p) + loss).abs() <= 1e-9 * all);
    }

    /// Turning the whole world turns the impulse, and nothing else.
    #[test]
    fn no_direction_is_special((k, u, n) in collision(), parameters in any_parameters(), turn in rotation()) {
        let matrix = DMat3::from_quat(turn);
        let turned = matrix * k * matrix.transpose();
        for law in LAWS {
            let p = law.impulse(&k, u, n, &parameters);
            let q = law.impulse(&turned, turn * u, turn * n, &parameters);
            prop_assert!((turn * p - q).length() <= INTEGRATION * p.length(), "{}: {} is not {q}", law.name(), turn * p);
        }
    }

    /// Twice the speed is twice the impulse, and so is half the response.
    #[test]
    fn units_do_not_matter((k, u, n) in collision(), parameters in any_parameters(), factor in 1e-3..1e3f64) {
        for law in LAWS {
            let p = law.impulse(&k, u, n, &parameters);
            let faster = law.impulse(&k, factor * u, n, &parameters);
            let heavier = law.impulse(&(k * (1.0 / factor)), u, n, &parameters);
            prop_assert!((factor * p - faster).length() <= INTEGRATION * faster.length(), "{}", law.name());
            prop_assert!((factor * p - heavier).length() <= INTEGRATION * heavier.length(), "{}", law.name());
        }
    }

    /// Without friction all laws are one.
    #[test]
    fn laws_agree_without_friction((k, u, n) in collision(), e in 0.0..=1.0f64) {
        let expected = -(1.0 + e) * u.dot(n) / n.dot(k * n) * n;
        for law in LAWS {
            prop_assert!((law.impulse(&k, u, n, &parameters(e, 0.0)) - expected).length() <= ROUNDING * expected.length());
        }
    }

    /// Without slip and eccentricity friction has nothing to do.
    #[test]
    fn laws_agree_on_central_impact(mass in 0.1..10.0f64, n in direction(), speed in 0.1..5.0f64, all in any_parameters()) {
        let k = DMat3::from_diagonal(DVec3::splat(1.0 / mass));
        let expected = (1.0 + all.restitution) * mass * speed * n;
        for law in LAWS {
            let p = law.impulse(&k, -speed * n, n, &all);
            prop_assert!((p - expected).length() <= ROUNDING * expected.length(), "{}: {p} is not {expected}", law.name());
        }
    }

    /// Links that cannot move everywhere: `K` of rank 1 or 2, with a velocity the links can have.
    #[test]
    fn singular_matrices_are_handled(
        [a, b] in [vector(-1.0..1.0), vector(-1.0..1.0)], rates in [-1.0..1.0f64, -1.0..1.0f64], rank in 1..=2usize,
        parameters in any_parameters(),
    ) {
        let (a, b) = (a + 0.1 * a.normalize(), if rank == 2 { b } else { DVec3::ZERO });
        let k = outer(a) + outer(b);
        let u: DVec3 = rates[0] * a + rates[1] * b;
        let n = if u.z < 0.0 { DVec3::Z } else { DVec3::NEG_Z };
        // Hardly movable along the normal: impulses grow, and with them what rounding leaves.
        prop_assume!(n.dot(k * n) > 1e-3);
        for law in LAWS {
            let p = law.impulse(&k, u, n, &parameters);
            let after = u + k * p;
            prop_assert!(p.is_finite() && after.dot(n) >= -1e-7, "{} leaves {after} after {p}", law.name());
            prop_assert!(outside_cone(p, n, parameters.friction) <= 1e-9 * p.length(), "{}", law.name());
            let gain = energy_change(&k, u, p);
            prop_assert!(law.name() == "newton" || gain <= 1e-7 * (1.0 + p.length()), "{} gains {gain}", law.name());
        }
        // The pseudo-inverse of the whole matrix moves the contact the same way.
        let glued = ImpactParameters { restitution: 0.0, tangential_restitution: 0.0, friction: 1e5 };
        let p = ChatterjeeRuina.impulse(&k, u, n, &glued);
        let dense = Matrix3::from_column_slice(&k.to_cols_array());
        let inverse = dense.pseudo_inverse(1e-9).unwrap();
        let stop = k * DMat3::from_cols_slice(inverse.as_slice()) * u;
        let unclipped = outside_cone(p, n, glued.friction) < -1e-9 * p.length();
        prop_assert!(!unclipped || (k * p + stop).length() <= 1e-5, "{} is not {}", k * p, -stop);
    }
}

/// `a a^T`: one degree of freedom.
fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

/// A tip on a hinge moves along one line. If the line is steep it bounces; if it is flat, friction wedges it.
#[test]
fn hinged_tip_bounces_or_wedges() {
    let mu = 0.5;
    for (slope, wedges) in [(1.0, false), (3.0, false), (0.4, true)] {
        let along = DVec3::new(1.0, 0.0, -slope).normalize();
        let (k, u) = (2.0 * outer(along), 3.0 * along);
        for law in [Incremental::POISSON, Incremental::STRONGE] {
            let after = u + k * law.impulse(&k, u, DVec3::Z, &parameters(0.8, mu));
            // Friction helps to stop and hinders the return: responses n.d +- mu t.d, over one velocity.
            let ratio = (slope - mu) / (slope + mu);
            let rebound = match law {
                Incremental::POISSON => 0.8 * ratio,
                _ => 0.8 * ratio.max(0.0).sqrt(),
            };
            let expected = if wedges { 0.0 } else { 3.0 * rebound };
            assert_close(after, -expected * along, INTEGRATION);
        }
    }
}

/// A body with prescribed motion presses a wedged tip: the normal impulse stops what friction cannot.
#[test]
fn forced_velocity_is_stopped_although_it_wedges() {
    let k = outer(DVec3::new(1.0, 0.0, -0.1));
    for law in LAWS {
        let u = DVec3::new(0.0, 0.3, -1.0);
        let after = u + k * law.impulse(&k, u, DVec3::Z, &parameters(0.0, 2.0));
        assert!(after.z.abs() < INTEGRATION, "{}: {after}", law.name());
    }
}

/// Nothing approaches, nothing can move, or the input is invalid: no impulse, and no panic.
#[test]
fn no_impulse_where_none_is_needed() {
    let (k, down) = (DMat3::IDENTITY, DVec3::NEG_Z);
    let floor_only = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
    let not_finite = DMat3::from_diagonal(DVec3::new(1.0, f64::NAN, 1.0));
    let cases = [
        (k, DVec3::new(3.0, 0.0, 0.5), DVec3::Z),
        (k, DVec3::new(3.0, 0.0, 0.0), DVec3::Z),
        (k, DVec3::ZERO, DVec3::Z),
        (k, down, DVec3::ZERO),
        (k, DVec3::new(f64::NAN, 0.0, -1.0), DVec3::Z),
        (k, DVec3::new(f64::INFINITY, 0.0, -1.0), DVec3::Z),
        (DMat3::ZERO, down, DVec3::Z),
        (floor_only, down, DVec3::Z),
        (not_finite, down, DVec3::Z),
    ];
    for law in LAWS {
        for (k, u, n) in cases {
            assert_eq!(law.impulse(&k, u, n, &parameters(0.5, 0.5)), DVec3::ZERO, "{} at {u}, {n}", law.name());
        }
        let nonsense = ImpactParameters { restitution: -1.0, tangential_restitution: 7.0, friction: f64::NAN };
        assert_close(law.impulse(&k, down, DVec3::Z, &nonsense), DVec3::Z, ROUNDING);
        let glued = parameters(0.0, f64::INFINITY);
        let u = DVec3::new(0.5, 0.2, -1.0);
        assert_close(law.impulse(&k, u, DVec3::Z, &glued), -u, INTEGRATION);
    }
}
