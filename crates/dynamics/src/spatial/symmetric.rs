//! Symmetric 3x3 matrices: six numbers.

use std::ops::{Add, AddAssign, Mul, Sub};

use glam::{DMat3, DVec3};

/// A symmetric matrix, stored as six numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Symmetric3 {
    /// Entries xx, yy, zz.
    pub diagonal: DVec3,
    /// Entries yz, xz, xy.
    pub off_diagonal: DVec3,
}

impl Symmetric3 {
    /// Zero matrix.
    pub const ZERO: Self = Self { diagonal: DVec3::ZERO, off_diagonal: DVec3::ZERO };

    /// Returns a multiple of the identity.
    #[inline]
    pub fn scalar(value: f64) -> Self {
        Self { diagonal: DVec3::splat(value), off_diagonal: DVec3::ZERO }
    }

    /// Returns the symmetric part of a matrix.
    #[inline]
    pub fn from_matrix(m: &DMat3) -> Self {
        let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
        let off = DVec3::new(y.z + z.y, x.z + z.x, x.y + y.x);
        Self { diagonal: DVec3::new(x.x, y.y, z.z), off_diagonal: 0.5 * off }
    }

    /// Returns the full matrix.
    #[inline]
    pub fn to_matrix(&self) -> DMat3 {
        let (d, o) = (self.diagonal, self.off_diagonal);
        DMat3::from_cols(DVec3::new(d.x, o.z, o.y), DVec3::new(o.z, d.y, o.x), DVec3::new(o.y, o.x, d.z))
    }

    /// Returns `-[v][v] = |v|^2 1 - v v^T`: the inertia of a unit mass at `v`.
    #[inline]
    pub fn parallel_axis(v: DVec3) -> Self {
        let s = v * v;
        Self {
            diagonal: DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y),
            off_diagonal: -DVec3::new(v.y * v.z, v.x * v.z, v.x * v.y),
        }
    }

    /// Returns `R S R^T`.
    #[inline]
    pub fn rotated(&self, r: &DMat3) -> Self {
        // With the columns r_k of R and t_k of R S: the sum of t_k r_k^T, of which only six entries are computed.
        let t = *r * self.to_matrix();
        let diagonal = t.x_axis * r.x_axis + t.y_axis * r.y_axis + t.z_axis * r.z_axis;
        let off = |t: DVec3, r: DVec3| DVec3::new(t.y * r.z, t.x * r.z, t.x * r.y);
        Self { diagonal, off_diagonal: off(t.x_axis, r.x_axis) + off(t.y_axis, r.y_axis) + off(t.z_axis, r.z_axis) }
    }

    /// Returns the inverse. Entries are not finite if there is none.
    #[inline]
    pub fn inverse(&self) -> Self {
        let (d, o) = (self.diagonal, self.off_diagonal);
        let c = DVec3::new(d.y * d.z - o.x * o.x, d.x * d.z - o.y * o.y, d.x * d.y - o.z * o.z);
        let f = DVec3::new(o.y * o.z - d.x * o.x, o.x * o.z - d.y * o.y, o.x * o.y - d.z * o.z);
        let determinant = d.x * c.x + o.z * f.z + o.y * f.y;
        let scale = 1.0 / determinant;
        Self { diagonal: c * scale, off_diagonal: f * scale }
    }
}

impl Mul<DVec3> for Symmetric3 {
    type Output = DVec3;
    #[inline]
    fn mul(self, v: DVec3) -> DVec3 {
        let (d, o) = (self.diagonal, self.off_diagonal);
        DVec3::new(
            d.x * v.x + o.z * v.y + o.y * v.z,
            o.z * v.x + d.y * v.y + o.x * v.z,
            o.y * v.x + o.x * v.y + d.z * v.z,
        )
    }
}

impl Mul<f64> for Symmetric3 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self { diagonal: self.diagonal * factor, off_diagonal: self.off_diagonal * factor }
    }
}

impl Add for Symmetric3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { diagonal: self.diagonal + other.diagonal, off_diagonal: self.off_diagonal + other.off_diagonal }
    }
}

impl Sub for Symmetric3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { diagonal: self.diagonal - other.diagonal, off_diagonal: self.off_diagonal - other.off_diagonal }
    }
}

impl AddAssign for Symmetric3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
