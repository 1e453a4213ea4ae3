//! Isometries as 4x4 matrices.

use std::ops::Mul;

use glam::{DMat3, DMat4, DVec3, DVec4};

use super::Space;

/// Isometry of a space of constant curvature: a rotation, translation, screw motion or reflection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Isometry {
    space: Space,
    matrix: DMat4,
}

impl Isometry {
    /// Returns the identity.
    pub fn identity(space: Space) -> Isometry {
        Isometry { space, matrix: DMat4::IDENTITY }
    }

    /// Returns the isometry of a matrix that is one up to rounding. Small errors are removed. Returns `None` if the
    /// matrix is off by more than `tolerance` in any product of two columns, or exchanges the halves of the
    /// hyperboloid.
    pub fn from_matrix(space: Space, matrix: DMat4, tolerance: f64) -> Option<Isometry> {
        let mut isometry = Isometry { space, matrix };
        let defect = isometry.defect();
        let upright = space == Space::Spherical || matrix.w_axis.w > 0.0;
        if !(defect <= tolerance && upright) {
            return None;
        }
        // Newton's iteration squares the error: three rounds reach rounding from 0.1.
        for _ in 0..3 {
            isometry = isometry.orthonormalised();
        }
        (isometry.defect() <= 1e-9 * (1.0 + isometry.scale())).then_some(isometry)
    }

    /// Returns the translation that moves the origin along `v`: its direction is the axis, its length the distance.
    pub fn translation(space: Space, v: DVec3) -> Isometry {
        let r = v.length();
        if r == 0.0 {
            return Isometry::identity(space);
        }
        let u = v / r;
        let half_sine = space.sine(0.5 * r);
        let sine = space.sine(r);
        // cos r - 1 = -2 k sin^2(r/2), without cancellation.
        let versine = -2.0 * space.curvature() * half_sine * half_sine;
        let column = |axis: DVec3| (axis + u * (versine * u.dot(axis))).extend(-space.curvature() * sine * u.dot(axis));
        let matrix =
            DMat4::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z), (u * sine).extend(1.0 + versine));
        Isometry { space, matrix }
    }

    /// Returns the linear map `matrix` of the tangent space at the origin, which must be orthogonal, as an isometry that
    /// leaves the origin in place.
    pub fn rotation(space: Space, matrix: DMat3) -> Isometry {
        Isometry { space, matrix: DMat4::from_mat3(matrix) }
    }

    /// Returns the rotation about an axis through the origin, by an angle in radians.
    pub fn turn(space: Space, axis: DVec3, angle: f64) -> Isometry {
        let u = axis.normalize_or_zero();
        let (sine, cosine) = libm::sincos(angle);
        let half = libm::sin(0.5 * angle);
        // Rodrigues' formula.
        let column = |e: DVec3| e * cosine + u.cross(e) * sine + u * (2.0 * half * half * u.dot(e));
        Isometry::rotation(space, DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z)))
    }

    /// Returns the reflection in a plane, given by its unit covector.
    pub fn reflection(space: Space, plane: DVec4) -> Isometry {
        let k = space.curvature();
        // In flat space the normal has no component along w.
        let normal = plane.truncate().extend(k * plane.w);
        let column = |e: DVec4| e - normal * (2.0 * plane.dot(e));
        let matrix = DMat4::from_cols(column(DVec4::X), column(DVec4::Y), column(DVec4::Z), column(DVec4::W));
        Isometry { space, matrix }
    }

    /// Returns the product of the unit quaternion `q = (x, y, z, w)` with a point of the three-sphere: `p -> q p`.
    pub fn left_multiplication(q: DVec4) -> Isometry {
        let DVec4 { x, y, z, w } = q;
        let matrix = DMat4::from_cols(
            DVec4::new(w, z, -y, -x),
            DVec4::new(-z, w, x, -y),
            DVec4::new(y, -x, w, -z),
            DVec4::new(x, y, z, w),
        );
        Isometry { space: Space::Spherical, matrix }
    }

    /// Returns the space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Returns the matrix, which multiplies points from the left.
    pub fn matrix(&self) -> DMat4 {
        self.matrix
    }

    /// Returns the image of the origin.
    pub fn centre(&self) -> DVec4 {
        self.matrix.w_axis
    }

    /// Returns the image of a point or tangent vector.
    pub fn apply(&self, p: DVec4) -> DVec4 {
        self.matrix * p
    }

    /// Returns the image of a plane.
    pub fn apply_to_plane(&self, plane: DVec4) -> DVec4 {
        self.inverse().matrix.transpose() * plane
    }

    /// Returns the inverse.
    pub fn inverse(&self) -> Isometry {
        let m = self.matrix;
        let matrix = if self.space == Space::Flat {
            let rotation = DMat3::from_mat4(m).transpose();
            let mut inverse = DMat4::from_mat3(rotation);
            inverse.w_axis = (-(rotation * m.w_axis.truncate())).extend(1.0);
            inverse
        } else {
            adjoint(self.space, m)
        };
        Isometry { space: self.space, matrix }
    }

    /// Returns whether handedness is preserved.
    pub fn preserves_orientation(&self) -> bool {
        self.matrix.determinant() > 0.0
    }

    /// Returns the largest error of a scalar product of two columns. It is 0 for an exact isometry.
    pub fn defect(&self) -> f64 {
        let error = if self.space == Space::Flat {
            let r = DMat3::from_mat4(self.matrix);
            let bottom = self.matrix.row(3) - DVec4::W;
            let mut error = DMat4::from_mat3(r.transpose() * r - DMat3::IDENTITY);
            error.w_axis = bottom;
            error
        } else {
            adjoint(self.space, self.matrix) * self.matrix - DMat4::IDENTITY
        };
        largest_entry(error)
    }

    /// Returns the isometry after one step of Newton's iteration to the nearest exact isometry. The error is squared.
    #[must_use]
    pub fn orthonormalised(&self) -> Isometry {
        let m = self.matrix;
        let matrix = if self.space == Space::Flat {
            let r = DMat3::from_mat4(m);
            let rotation = r * (DMat3::IDENTITY * 1.5 - (r.transpose() * r) * 0.5);
            let mut exact = DMat4::from_mat3(rotation);
            exact.w_axis = m.w_axis.truncate().extend(1.0);
            exact
        } else {
            m * (DMat4::IDENTITY * 1.5 - (adjoint(self.space, m) * m) * 0.5)
        };
        Isometry { space: self.space, matrix }
    }

    /// Returns the largest difference of an entry of both matrices.
    pub fn difference(&self, other: &Isometry) -> f64 {
        largest_entry(self.matrix - other.matrix)
    }

    /// Returns the largest entry of the matrix, by magnitude.
    pub fn scale(&self) -> f64 {
        largest_entry(self.matrix)
    }
}

impl Mul for Isometry {
    type Output = Isometry;

    fn mul(self, other: Isometry) -> Isometry {
        Isometry { space: self.space, matrix: self.matrix * other.matrix }
    }
}

/// Returns the adjoint with respect to the form `x^2 + y^2 + z^2 + k w^2`, which is the inverse of an isometry.
fn adjoint(space: Space, m: DMat4) -> DMat4 {
    let k = space.curvature();
    let mut adjoint = m.transpose();
    for column in [&mut adjoint.x_axis, &mut adjoint.y_axis, &mut adjoint.z_axis] {
        column.w *= k;
    }
    let w = adjoint.w_axis;
    adjoint.w_axis = (w.truncate() * k).extend(w.w);
    adjoint
}

fn largest_entry(m: DMat4) -> f64 {
    // `f64::max` ignores NaN, which must not pass as a small number.
    m.to_cols_array().iter().fold(0.0, |largest, x| if x.is_nan() { f64::INFINITY } else { x.abs().max(largest) })
}
