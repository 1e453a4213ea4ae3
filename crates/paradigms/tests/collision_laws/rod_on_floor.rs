//! A slender rod of mass 1 and length 2 whose end, inclined by `angle`, hits the floor: the plane of the rod is x-z.

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
        let change = |law: &dyn CollisionLaw| energy_change(&k, u, law.impulse(&k, u, DVec3::Z, &parameters(0.9, 0.5)));
        newton = newton.max(change(&Newton));
        for law in &LAWS[1..] {
            others = others.max(change(*law));
        }
    }
    assert!(newton > 0.01, "Newton gains {newton} J at most");
    assert!(others < 0.0, "the others gain {others} J at most");
}
