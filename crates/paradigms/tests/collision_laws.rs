//! The laws of a single collision against closed forms, a brute-force integration, and what must hold for all of them.
//!
//! Algebraic laws are exact up to rounding (`ROUNDING`, with room for badly conditioned bodies); incremental laws are
//! integrated to eight digits per step, of which bodies that are much harder to move in one direction than in another cost
//! two (`INTEGRATION`). Both are relative to the speed and impulse at hand.

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

/// Change of kinetic energy, in joules: `p . (u + K p / 2)`.
fn energy_change(k: &DMat3, u: DVec3, p: DVec3) -> f64 {
    p.dot(u + 0.5 * (*k * p))
}

/// `1/m - r x I^-1 r x` (Fontijne 2000, eq. 3.34).
fn collision_matrix(mass: f64, inverse_inertia: DMat3, r: DVec3) -> DMat3 {
    let cross = DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0));
    DMat3::from_diagonal(DVec3::splat(1.0 / mass)) - cross * inverse_inertia * cross
}

/// Distance of an impulse outside the friction cone.
fn outside_cone(p: DVec3, normal: DVec3, friction: f64) -> f64 {
    p.reject_from_normalized(normal).length() - friction * p.dot(normal)
}

#[track_caller]
fn assert_close(a: DVec3, b: DVec3, tolerance: f64) {
    assert!((a - b).length() <= tolerance * (1.0 + b.length()), "{a} is not {b}");
}

mod sphere_on_floor {
    use super::*;

    const MASS: f64 = 2.0;
    const RADIUS: f64 = 0.25;

    fn matrix() -> DMat3 {
        let inertia = 0.4 * MASS * RADIUS * RADIUS;
        collision_matrix(MASS, DMat3::IDENTITY * (1.0 / inertia), DVec3::new(0.0, 0.0, -RADIUS))
    }

    fn contact_velocity(velocity: DVec3, spin: DVec3) -> DVec3 {
        velocity + spin.cross(DVec3::new(0.0, 0.0, -RADIUS))
    }

    /// A solid sphere sticks under 2/7 of the impulse that would stop its slip without spin; less friction slides.
    #[test]
    fn sticks_or_slides_as_in_the_textbook() {
        let velocity = DVec3::new(1.0, -2.0, -3.0);
        for spin in [DVec3::ZERO, DVec3::new(5.0, 3.0, -7.0), DVec3::new(-40.0, 11.0, 2.0)] {
            let u = contact_velocity(velocity, spin);
            let slip = DVec3::new(u.x, u.y, 0.0);
            for (e, mu) in [(0.0, 0.05), (0.5, 0.1), (0.8, 0.3), (1.0, 2.0), (0.3, 0.0)] {
                let normal = (1.0 + e) * MASS * 3.0;
                let tangential = (mu * normal).min(MASS * slip.length() * 2.0 / 7.0);
                let expected = normal * DVec3::Z - tangential * slip.normalize();
                for law in LAWS {
                    assert_close(law.impulse(&matrix(), u, DVec3::Z, &parameters(e, mu)), expected, ROUNDING);
                }
            }
        }
    }

    /// Top spin speeds the ball up: the slip, not the velocity, is what friction opposes.
    #[test]
    fn top_spin_drives_forward() {
        let u = contact_velocity(DVec3::new(1.0, 0.0, -2.0), DVec3::new(0.0, 30.0, 0.0));
        for law in LAWS {
            assert!(law.impulse(&matrix(), u, DVec3::Z, &parameters(0.5, 0.2)).x > 0.0, "{}", law.name());
        }
    }

    /// A super ball reverses its slip: `e_t = 1` and `e = 1` keep the energy.
    #[test]
    fn super_ball_keeps_its_energy() {
        let u = contact_velocity(DVec3::new(1.0, 0.5, -3.0), DVec3::new(2.0, -4.0, 1.0));
        let elastic = ImpactParameters { restitution: 1.0, tangential_restitution: 1.0, friction: 10.0 };
        let p = ChatterjeeRuina.impulse(&matrix(), u, DVec3::Z, &elastic);
        assert_close(u + matrix() * p, -u, ROUNDING);
        assert!(energy_change(&matrix(), u, p).abs() < 1e-12);
    }
}

/// A slender rod of mass 1 and length 2 whose end, inclined by `angle`, hits the floor: the plane of the rod is x-z.
mod rod_on_floor {
    use super::*;

    /// The centre is up and along +x of the contact.
    fn matrix(angle: f64) -> DMat3 {
        let r = -DVec3::new(libm::cos(angle), 0.0, libm::sin(angle));
        collision_matrix(1.0, DMat3::from_diagonal(DVec3::splat(3.0)), r)
    }

    /// `1 + 3 cos^2`, `1 + 3 sin^2`, `-3 sin cos`, all over the mass.
    #[test]
    fn matrix_is_that_of_a_rod() {
        let (k, angle) = (matrix(0.7), 0.7);
        let (c, s) = (libm::cos(angle), libm::sin(angle));
        let expected = [1.0 + 3.0 * s * s, 1.0 + 3.0 * c * c, -3.0 * s * c];
        for (entry, expected) in [k.x_axis.x, k.z_axis.z, k.x_axis.z].into_iter().zip(expected) {
            assert!((entry - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn bounces_without_friction() {
        for angle in [0.0, 0.3, 1.0, 1.5] {
            let c = libm::cos(angle);
            for law in LAWS {
                let p = law.impulse(&matrix(angle), DVec3::new(0.7, 0.0, -2.0), DVec3::Z, &parameters(0.6, 0.0));
                assert_close(p, DVec3::Z * (1.6 * 2.0 / (1.0 + 3.0 * c * c)), ROUNDING);
            }
        }
    }

    /// Planar impact in two stages of constant rates (Routh): slip until it stops, then stick or reversed slip. The end
    /// follows from the normal velocity, piecewise linear in the normal impulse, and its integral.
    struct Planar {
        k_xx: f64,
        k_xz: f64,
        k_zz: f64,
    }

    impl Planar {
        /// (tangential, normal) impulse.
        fn solve(&self, u_x: f64, u_z: f64, e: f64, mu: f64, stronge: bool) -> (f64, f64) {
            let hold = -self.k_xz / self.k_xx;
            // The tangential impulse per normal impulse before and after the slip stops, and where it stops.
            let first = -mu * u_x.signum();
            let second = if hold.abs() <= mu { hold } else { mu * hold.signum() };
            let rate = |per: f64| self.k_zz + self.k_xz * per;
            let slowing = self.k_xz + self.k_xx * first;
            let stop = if u_x == 0.0 {
                0.0
            } else if u_x * slowing < 0.0 {
                -u_x / slowing
            } else {
                f64::INFINITY
            };
            // Normal velocity and its integral as functions of the normal impulse.
            let velocity = |p: f64| u_z + rate(first) * p.min(stop) + rate(second) * (p - p.min(stop));
            let work = |p: f64| {
                let q = p.min(stop);
                let slow = u_z * q + 0.5 * rate(first) * q * q;
                if p > stop { slow + velocity(stop) * (p - q) + 0.5 * rate(second) * (p - q) * (p - q) } else { slow }
            };
            let bisect = |f: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
                for _ in 0..200 {
                    let middle = 0.5 * (low + high);
                    if f(middle) < 0.0 { low = middle } else { high = middle }
                }
                0.5 * (low + high)
            };
            // In the plane the normal velocity rises for good once it rises.
            let compression = bisect(&velocity, 0.0, 1e3);
            // The work has its minimum at the end of compression, where bisection could not find it again.
            let end = if stronge && e > 0.0 {
                let target = work(compression) * (1.0 - e * e);
                bisect(&|p| work(p) - target, compression, 1e3)
            } else {
                (1.0 + e) * compression
            };
            (first * end.min(stop) + second * (end - end.min(stop)), end)
        }
    }

    #[test]
    fn incremental_laws_follow_the_planar_stages() {
        let mut stages = [0; 4];
        for angle in [0.2, 0.6, 0.8, 1.1, 1.4] {
            for mu in [0.1, 0.4, 0.75, 1.5, 4.0] {
                for u_x in [-3.0, -0.6, -0.05, 0.0, 0.2, 1.0, 5.0] {
                    for e in [0.0, 0.4, 1.0] {
                        let k = matrix(angle);
                        let planar = Planar { k_xx: k.x_axis.x, k_xz: k.x_axis.z, k_zz: k.z_axis.z };
                        let u = DVec3::new(u_x, 0.0, -1.0);
                        for (law, stronge) in [(&Incremental::POISSON, false), (&Incremental::STRONGE, true)] {
                            let (p_x, p_z) = planar.solve(u_x, -1.0, e, mu, stronge);
                            let p = law.impulse(&k, u, DVec3::Z, &parameters(e, mu));
                            assert_close(p, DVec3::new(p_x, 0.0, p_z), 1e-9);
                        }
                        let draws = k.z_axis.z - mu * k.x_axis.z * u_x.signum() < 0.0;
                        let sticks = k.x_axis.z.abs() <= mu * k.x_axis.x;
                        stages[if draws {
                            0
                        } else if u_x == 0.0 {
                            1
                        } else {
                            2 + usize::from(sticks)
                        }] += 1;
                    }
                }
            }
        }
        // Drawing together, starting at rest, sliding that may turn back, sliding that may stick: all were met.
        assert!(stages.iter().all(|n| *n > 0), "{stages:?}");
    }

    /// Routh's construction by hand: 45 degrees, `mu = 1`, `k_xx = k_zz = 5/2`, `k_xz = -3/2`: sticking holds at 3/5.
    #[test]
    fn rod_at_45_degrees_by_hand() {
        let k = matrix(std::f64::consts::FRAC_PI_4);
        // Slip +2 gets friction -1: slip slows by -3/2 - 5/2 = -4, u_z rises by 5/2 + 3/2 = 4: at 1/2 slip is 0, u_z = -1.
        // Sticking at 3/5: u_z rises by 8/5: compression ends at 1/2 + 5/8 = 9/8.
        let u = DVec3::new(2.0, 0.0, -3.0);
        // Poisson with e = 1/2: ends at 27/16, 19/16 of it sticking.
        let poisson = Incremental::POISSON.impulse(&k, u, DVec3::Z, &parameters(0.5, 1.0));
        assert_close(poisson, DVec3::new(-0.5 + 0.6 * 19.0 / 16.0, 0.0, 27.0 / 16.0), 1e-12);
        // Stronge: compression takes 1/2 (3 + 1)/2 + 5/16 = 21/16; 21/64 is given back: 4/5 p^2 = 21/64.
        let back = (21.0 / 64.0_f64 * 5.0 / 4.0).sqrt();
        let stronge = Incremental::STRONGE.impulse(&k, u, DVec3::Z, &parameters(0.5, 1.0));
        assert_close(stronge, DVec3::new(-0.5 + 0.6 * (0.625 + back), 0.0, 1.125 + back), 1e-12);
        // Three hypotheses, three speeds.
        let speeds = [&Newton as &dyn CollisionLaw, &Incremental::POISSON, &Incremental::STRONGE]
            .map(|law| (u + k * law.impulse(&k, u, DVec3::Z, &parameters(0.5, 1.0))).z);
        assert!((speeds[0] - 1.5).abs() < 1e-12, "{speeds:?}");
        assert!((speeds[1] - 0.9).abs() < 1e-12, "{speeds:?}");
        assert!((speeds[2] - 1.6 * back).abs() < 1e-12, "{speeds:?}");
    }

    /// Newton's law demands a normal speed that friction has long taken: it gains energy where the others lose.
    #[test]
    fn newton_feeds_energy() {
        let k = matrix(std::f64::consts::FRAC_PI_4);
        let (mut newton, mut others) = (f64::MIN, f64::MIN);
        for step in -40..=40 {
            let u = DVec3::new(0.25 * f64::from(step), 0.0, -1.0);
            let change =
                |law: &dyn CollisionLaw| energy_change(&k, u, law.impulse(&k, u, DVec3::Z, &parameters(0.9, 0.5)));
            newton = newton.max(change(&Newton));
            for law in &LAWS[1..] {
                others = others.max(change(*law));
            }
        }
        assert!(newton > 0.01, "Newton gains {newton} J at most");
        assert!(others < 0.0, "the others gain {others} J at most");
    }
}

/// One or two free bodies of any shape, touching at a point.
fn bodies() -> impl Strategy<Value = DMat3> {
    (body(), body(), any::<bool>()).prop_map(|(a, b, two)| if two { a + b } else { a })
}

/// Mass, principal moments as sums of two positive numbers each (which makes them possible), attitude, lever.
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

/// Slip from none over mixed to nearly all.
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

/// The world seen from a frame in which the normal is not an axis.
fn collision() -> impl Strategy<Value = (DMat3, DVec3, DVec3)> {
    (bodies(), approach(), rotation()).prop_map(|(k, u, rotation)| (k, rotation * u, rotation * DVec3::Z))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    /// Never left approaching, never pushed out of the cone, never with more energy than before; Newton's law promises the
    /// first two only.
    #[test]
    fn every_law_keeps_its_promises((k, u, n) in collision(), parameters in any_parameters()) {
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
    fn singular_matrices_are_no_exception(
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

/// A tip on a hinge moves along one line. Steep enough it bounces; flat, friction wedges it, and it stays.
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

/// A body that is moved by force presses a wedged tip: what friction cannot stop, the normal does.
#[test]
fn forced_velocity_is_stopped_although_it_wedges() {
    let k = outer(DVec3::new(1.0, 0.0, -0.1));
    for law in LAWS {
        let u = DVec3::new(0.0, 0.3, -1.0);
        let after = u + k * law.impulse(&k, u, DVec3::Z, &parameters(0.0, 2.0));
        assert!(after.z.abs() < INTEGRATION, "{}: {after}", law.name());
    }
}

/// Nothing approaches, nothing can move, or nothing makes sense: no impulse, and no panic.
#[test]
fn no_impulse_where_none_is_due() {
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

mod turning_slip {
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
}

mod micro_impulses {
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
}
