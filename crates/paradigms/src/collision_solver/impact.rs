//! A collision in scaled contact coordinates, in which every law solves it.
//!
//! With two tangents and the normal as axes, `K` falls into a tangential block `K_tt`, a coupling `k_tn` and `k_nn`.
//! Velocities are in units of `|u . n|`, which sets the size of the impulse, and `K` in units of its trace, so that
//! tolerances are plain numbers.
//! A singular `K` leaves the impulse that stops the contact undetermined. Here the normal velocity is stopped exactly
//! and the tangential one as far as possible, with the least friction: friction without effect should not count against
//! the friction cone. Where `K` is regular this is the impulse `-K^-1 u` of Fontijne (2000) eq. 3.36.

use glam::{DMat3, DVec2, DVec3};

use super::symmetric_matrix::{IMMOVABLE, SymmetricMatrix};

#[derive(Debug, Clone, Copy)]
pub(super) struct Impact {
    pub k_tt: SymmetricMatrix,
    pub k_tn: DVec2,
    pub k_nn: f64,
    pub u_t: DVec2,
    /// Normal velocity, always -1: only approaching contacts collide.
    pub u_n: f64,
    tangents: (DVec3, DVec3),
    normal: DVec3,
    /// Unit of impulse, in N s.
    unit: f64,
}

impl Impact {
    /// Returns `None` where no impulse is needed: see [`CollisionLaw::impulse`](super::CollisionLaw::impulse).
    pub fn new(k: &DMat3, u: DVec3, normal: DVec3) -> Option<Self> {
        let normal = normal.try_normalize()?;
        let (trace, speed) = (k.x_axis.x + k.y_axis.y + k.z_axis.z, -u.dot(normal));
        let (unit, slip) = (speed / trace, u.length() / speed);
        if !(speed > 0.0 && trace > 0.0 && unit.is_finite() && slip.is_finite() && k.is_finite()) {
            return None;
        }
        let (x, y) = normal.any_orthonormal_pair();
        let (k, u) = (*k * (1.0 / trace), u / speed);
        let (k_x, k_y, k_n) = (k * x, k * y, k * normal);
        let impact = Self {
            k_tt: SymmetricMatrix::new(x.dot(k_x), 0.5 * (x.dot(k_y) + y.dot(k_x)), y.dot(k_y)),
            k_tn: 0.5 * (DVec2::new(x.dot(k_n), y.dot(k_n)) + DVec2::new(normal.dot(k_x), normal.dot(k_y))),
            k_nn: normal.dot(k_n),
            u_t: DVec2::new(u.dot(x), u.dot(y)),
            u_n: -1.0,
            tangents: (x, y),
            normal,
            unit,
        };
        (impact.k_nn > IMMOVABLE).then_some(impact)
    }

    /// Returns the normal impulse that stops the normal velocity without friction (Fontijne 2000, eq. 3.35).
    pub fn frictionless(&self) -> f64 {
        -self.u_n / self.k_nn
    }

    /// Returns the tangential velocity after a normal impulse alone.
    pub fn slip_after(&self, normal_impulse: f64) -> DVec2 {
        self.u_t + normal_impulse * self.k_tn
    }

    /// Returns the response of tangential velocity to tangential impulse at constant normal velocity: `K_tt - k_tn
    /// k_tn^T / k_nn`.
    pub fn tangential_response(&self) -> SymmetricMatrix {
        self.k_tt.minus_outer(self.k_tn, self.k_nn)
    }

    /// Returns the normal impulse that keeps the normal velocity constant under a tangential one.
    pub fn normal_part(&self, tangential: DVec2) -> f64 {
        -self.k_tn.dot(tangential) / self.k_nn
    }

    /// Returns the largest `kappa` that keeps `base n + kappa (tangential + normal_part n)` in the friction cone.
    pub fn cone_fraction(&self, base: f64, tangential: DVec2, friction: f64) -> f64 {
        let leaving = tangential.length() - friction * self.normal_part(tangential);
        if leaving > 0.0 { friction * base / leaving } else { f64::INFINITY }
    }

    /// Transforms an impulse from contact coordinates to the world, in N s.
    pub fn to_world(self, tangential: DVec2, normal: f64) -> DVec3 {
        self.unit * (tangential.x * self.tangents.0 + tangential.y * self.tangents.1 + normal * self.normal)
    }
}
