//! The inertia of a link at its joint, including everything outboard of it (Fontijne 2000, section 3.6.3).
//!
//! ```text
//!   | moment |   | A    H | | angular |
//!   | force  | = | H^T  M | | linear  |      A and M symmetric: 6 + 9 + 6 numbers, stored once
//! ```

use std::ops::AddAssign;

use glam::{DMat3, DVec3};

use super::{Force, Motion, Symmetric3};

/// A symmetric positive (semi-)definite 6x6 matrix in blocks of three.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ArticulatedInertia {
    /// A: moment by angular acceleration.
    pub angular: Symmetric3,
    /// H: moment by linear acceleration.
    pub coupling: DMat3,
    /// M: force by linear acceleration.
    pub linear: Symmetric3,
}

impl ArticulatedInertia {
    /// No inertia.
    pub const ZERO: Self = Self { angular: Symmetric3::ZERO, coupling: DMat3::ZERO, linear: Symmetric3::ZERO };

    /// Returns the force of an acceleration.
    #[inline]
    pub fn times(&self, motion: &Motion) -> Force {
        Force {
            moment: self.angular * motion.angular + self.coupling * motion.linear,
            force: self.coupling_transposed(motion.angular) + self.linear * motion.linear,
        }
    }

    /// Returns `H^T v`.
    #[inline]
    pub fn coupling_transposed(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.coupling.x_axis.dot(v), self.coupling.y_axis.dot(v), self.coupling.z_axis.dot(v))
    }

    /// Subtracts `u u^T scale`: the part along a joint axis.
    #[inline]
    pub fn subtract_outer(&mut self, u: &Force, scale: f64) {
        let (m, f) = (u.moment * scale, u.force * scale);
        self.angular.diagonal -= m * u.moment;
        self.angular.off_diagonal -= DVec3::new(m.y * u.moment.z, m.x * u.moment.z, m.x * u.moment.y);
        self.coupling.x_axis -= u.moment * f.x;
        self.coupling.y_axis -= u.moment * f.y;
        self.coupling.z_axis -= u.moment * f.z;
        self.linear.diagonal -= f * u.force;
        self.linear.off_diagonal -= DVec3::new(f.y * u.force.z, f.x * u.force.z, f.x * u.force.y);
    }

    /// Returns the inertia about a point from which the present one is `r` away: `X^T I X` with `X = [1 0; -[r] 1]`, so
    /// `H' = H + [r] M` and `A' = A + [r] H^T - H' [r]`.
    #[inline]
    pub fn shifted_back(&self, r: DVec3) -> Self {
        let m = self.linear.to_matrix();
        let h = &self.coupling;
        let (h0, h1, h2) = (h.x_axis, h.y_axis, h.z_axis);
        let (k0, k1, k2) = (h0 + r.cross(m.x_axis), h1 + r.cross(m.y_axis), h2 + r.cross(m.z_axis));
        // Columns of -H [r] are r_y h2 - r_z h1, r_z h0 - r_x h2, r_x h1 - r_y h0; [r] H^T is its transpose. Only the
        // six entries of the symmetric sum are computed.
        let diagonal = DVec3::new(
            r.y * (h2.x + k2.x) - r.z * (h1.x + k1.x),
            r.z * (h0.y + k0.y) - r.x * (h2.y + k2.y),
            r.x * (h1.z + k1.z) - r.y * (h0.z + k0.z),
        );
        let off_diagonal = DVec3::new(
            (r.z * h0.z - r.x * h2.z) + (r.x * k1.y - r.y * k0.y),
            (r.y * h2.z - r.z * h1.z) + (r.x * k1.x - r.y * k0.x),
            (r.y * h2.y - r.z * h1.y) + (r.z * k0.x - r.x * k2.x),
        );
        Self {
            angular: Symmetric3 {
                diagonal: self.angular.diagonal + diagonal,
                off_diagonal: self.angular.off_diagonal + off_diagonal,
            },
            coupling: DMat3::from_cols(k0, k1, k2),
            linear: self.linear,
        }
    }
}

impl AddAssign for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.angular += other.angular;
        self.coupling += other.coupling;
        self.linear += other.linear;
    }
}
