//! A symmetric 2x2 matrix with its eigenvectors: the tangential part of a collision matrix.
//! Links with few degrees of freedom make it singular (Fontijne 2000, section 3.9), so it is inverted in its
//! eigenvectors, where immovable directions are left out.

use glam::DVec2;

/// Eigenvalues at or below this, for a collision matrix of unit trace, count as zero: rounding alone causes 1e-16, and
/// a direction this much harder to move than the others does not move within a collision.
pub(super) const IMMOVABLE: f64 = 1e-10;

#[derive(Debug, Clone, Copy)]
pub(super) struct SymmetricMatrix {
    xx: f64,
    xy: f64,
    yy: f64,
    /// Eigenvalues, the larger first.
    eigenvalues: [f64; 2],
    eigenvectors: [DVec2; 2],
}

impl SymmetricMatrix {
    pub fn new(xx: f64, xy: f64, yy: f64) -> Self {
        let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let radius = (half * half + xy * xy).sqrt();
        // Of the two forms of the eigenvector, the one without cancellation.
        let first = if half >= 0.0 { DVec2::new(half + radius, xy) } else { DVec2::new(xy, radius - half) };
        let first = first.try_normalize().unwrap_or(DVec2::X);
        Self { xx, xy, yy, eigenvalues: [mean + radius, mean - radius], eigenvectors: [first, first.perp()] }
    }

    /// Returns `A - v v^T / d`.
    pub fn minus_outer(&self, v: DVec2, d: f64) -> Self {
        Self::new(self.xx - v.x * v.x / d, self.xy - v.x * v.y / d, self.yy - v.y * v.y / d)
    }

    pub fn trace(&self) -> f64 {
        self.xx + self.yy
    }

    pub fn times(&self, v: DVec2) -> DVec2 {
        DVec2::new(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// Returns the pseudo-inverse times a vector: the shortest of the vectors that `A` maps nearest to `v`.
    pub fn pseudo_solve(&self, v: DVec2) -> DVec2 {
        let part = |i: usize| {
            let along = self.eigenvectors[i].dot(v) / self.eigenvalues[i];
            if self.eigenvalues[i] > IMMOVABLE { along * self.eigenvectors[i] } else { DVec2::ZERO }
        };
        part(0) + part(1)
    }

    /// Returns `(factor A + shift)^-1 v` for a positive shift.
    pub fn shifted_solve(&self, factor: f64, shift: f64, v: DVec2) -> DVec2 {
        let part = |i: usize| {
            let eigenvalue = self.eigenvalues[i].max(0.0);
            self.eigenvectors[i].dot(v) / (factor * eigenvalue + shift) * self.eigenvectors[i]
        };
        part(0) + part(1)
    }
}
