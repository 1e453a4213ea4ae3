//! The inertia that a link shows at its joint when everything outboard hangs on it (000 section 3.6.3).
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

    /// The force of an acceleration.
    #[inline]
    pub fn times(&self, motion: &Motion) -> Force {
        Force {
            moment: self.angular * motion.angular + self.coupling * motion.linear,
            force: self.coupling_transposed(motion.angular) + self.linear * motion.linear,
        }
    }

    /// `H^T v`.
    #[inline]
    pub fn coupling_transposed(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.coupling.x_axis.dot(v), self.coupling.y_axis.dot(v), self.coupling.z_axis.dot(v))
    }

    /// Takes away `u u^T scale`: what a joint axis lets slip.
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

    /// The same inertia about a point from which the present one is `r` away: `X^T I X` with `X = [1 0; -[r] 1]`.
    #[inline]
    pub fn shifted_back(&self, r: DVec3) -> Self {
        // [r] M and [r] H^T, column by column: [r] applied to a column is r x column.
        let m = self.linear.to_matrix();
        let rm = DMat3::from_cols(r.cross(m.x_axis), r.cross(m.y_axis), r.cross(m.z_axis));
        let coupling = self.coupling + rm;
        // A' = A + [r] H^T - H' [r]. Both products as sums; only the symmetric six are formed.
        // ([r] H^T)_ij = (r x row_i... ) is taken from the rows of H: column j of H^T is row j of H.
        let h = &self.coupling;
        let row = |m: &DMat3, i: usize| DVec3::new(m.x_axis[i], m.y_axis[i], m.z_axis[i]);
        let (c0, c1, c2) = (r.cross(row(h, 0)), r.cross(row(h, 1)), r.cross(row(h, 2)));
        // -(H' [r])_ij = (r x row_i(H'))_j up to sign: row_i(H') [r] = (row_i x r)^T, so minus it is r x row_i.
        let (d0, d1, d2) = (r.cross(row(&coupling, 0)), r.cross(row(&coupling, 1)), r.cross(row(&coupling, 2)));
        let diagonal = DVec3::new(c0.x + d0.x, c1.y + d1.y, c2.z + d2.z);
        let off_diagonal = DVec3::new(c2.y + d1.z, c2.x + d0.z, c1.x + d0.y);
        Self {
            angular: Symmetric3 {
                diagonal: self.angular.diagonal + diagonal,
                off_diagonal: self.angular.off_diagonal + off_diagonal,
            },
            coupling,
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
