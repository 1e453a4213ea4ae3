//! The velocity change by an impulse, between any two bodies.

use glam::DMat3;

use super::{Force, Motion};

/// A 6x6 matrix in blocks of three: velocities of one body about a point by impulses on another about another point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InverseInertia {
    /// Angular velocity by moment, in 1/(kg m^2).
    pub angular_by_moment: DMat3,
    /// Angular velocity by impulse, in 1/(kg m).
    pub angular_by_force: DMat3,
    /// Linear velocity by moment, in 1/(kg m).
    pub linear_by_moment: DMat3,
    /// Linear velocity by impulse, in 1/kg.
    pub linear_by_force: DMat3,
}

impl InverseInertia {
    /// Creates the matrix from rows of (angular, linear) by columns of (moment, force).
    pub fn from_rows(rows: &[[f64; 6]; 6]) -> Self {
        let block = |row: usize, column: usize| {
            DMat3::from_cols_array_2d(&std::array::from_fn(|j| std::array::from_fn(|i| rows[row + i][column + j])))
        };
        Self {
            angular_by_moment: block(0, 0),
            angular_by_force: block(0, 3),
            linear_by_moment: block(3, 0),
            linear_by_force: block(3, 3),
        }
    }

    /// Returns the change of velocity by an impulse.
    pub fn times(&self, impulse: &Force) -> Motion {
        Motion {
            angular: self.angular_by_moment * impulse.moment + self.angular_by_force * impulse.force,
            linear: self.linear_by_moment * impulse.moment + self.linear_by_force * impulse.force,
        }
    }

    /// Returns the transpose: by reciprocity, the matrix with the two bodies exchanged.
    pub fn transposed(&self) -> Self {
        Self {
            angular_by_moment: self.angular_by_moment.transpose(),
            angular_by_force: self.linear_by_moment.transpose(),
            linear_by_moment: self.angular_by_force.transpose(),
            linear_by_force: self.linear_by_force.transpose(),
        }
    }
}
