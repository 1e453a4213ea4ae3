//! An articulated inertia, factored for repeated solves.

use glam::{DMat3, DVec3};

use super::{ArticulatedInertia, Force, Motion, Symmetric3};

/// Block factors of a definite inertia `[A H; H^T M]`, by eliminating the linear part. Solving costs as much as
/// multiplying with the inverse, with a smaller residual.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactoredInertia {
    /// `M^-1`.
    linear_inverse: Symmetric3,
    /// `H M^-1`.
    elimination: DMat3,
    /// `(A - H M^-1 H^T)^-1`.
    angular_inverse: Symmetric3,
}

impl FactoredInertia {
    /// Number of values when stored flat.
    pub(crate) const LENGTH: usize = 21;

    /// Factors an inertia. Entries are not finite if it has no inverse.
    #[inline]
    pub fn new(inertia: &ArticulatedInertia) -> Self {
        let linear_inverse = inertia.linear.inverse();
        let elimination = inertia.coupling * linear_inverse.to_matrix();
        let schur = inertia.angular - Symmetric3::from_matrix(&(elimination * inertia.coupling.transpose()));
        Self { linear_inverse, elimination, angular_inverse: schur.inverse() }
    }

    /// Returns the acceleration by a force, or the change of velocity by an impulse.
    #[inline]
    pub fn solve(&self, force: &Force) -> Motion {
        let e = &self.elimination;
        let angular = self.angular_inverse * (force.moment - *e * force.force);
        let carried = DVec3::new(e.x_axis.dot(angular), e.y_axis.dot(angular), e.z_axis.dot(angular));
        Motion { angular, linear: self.linear_inverse * force.force - carried }
    }

    #[inline]
    pub(crate) fn write_to(&self, flat: &mut [f64]) {
        write_symmetric(&self.linear_inverse, &mut flat[0..6]);
        write_symmetric(&self.angular_inverse, &mut flat[6..12]);
        flat[12..Self::LENGTH].copy_from_slice(&self.elimination.to_cols_array());
    }

    #[inline]
    pub(crate) fn read_from(flat: &[f64]) -> Self {
        let vector = |at: usize| DVec3::new(flat[at], flat[at + 1], flat[at + 2]);
        let symmetric = |at: usize| Symmetric3 { diagonal: vector(at), off_diagonal: vector(at + 3) };
        Self {
            linear_inverse: symmetric(0),
            angular_inverse: symmetric(6),
            elimination: DMat3::from_cols(vector(12), vector(15), vector(18)),
        }
    }
}

fn write_symmetric(matrix: &Symmetric3, flat: &mut [f64]) {
    flat[..3].copy_from_slice(&matrix.diagonal.to_array());
    flat[3..].copy_from_slice(&matrix.off_diagonal.to_array());
}
