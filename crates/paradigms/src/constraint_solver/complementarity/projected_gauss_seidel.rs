//! Projected Gauss-Seidel for complementarity problems with bounds:
//!
//! ```text
//!   w = M z + q,    z in Z(z),    and w is zero, or pushes z against the bound that holds it
//! ```
//! Row after row, `z_i <- project(z_i - omega w_i / M_ii)`, with the newest values of the others. A row's bounds may be
//! numbers, or a multiple of another variable: `|z_i| <= mu z_n` (the friction box), and for two rows together the disc
//! `|(z_i, z_i+1)| <= mu z_n` (Coulomb's cone, without a preferred direction). The disc takes one projected step with
//! the larger eigenvalue of its 2 x 2 block in place of `M_ii`.
//! It needs a positive diagonal. It converges for symmetric positive semi-definite matrices and fixed bounds (0 < omega
//! < 2). With moving bounds and with the nonsymmetric matrices of sliding friction it usually converges, but this is
//! not proven: see the residual. Convergence is linear, and slow where masses differ much.

use glam::DVec2;
use thiserror::Error;

/// Bound on a row's variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// Between two numbers, which may be infinite.
    Between {
        /// Smallest value.
        lower: f64,
        /// Largest value.
        upper: f64,
    },
    /// At most `coefficient` times another variable, in magnitude.
    Box {
        /// Row of the other variable.
        of: usize,
        /// The factor, at least zero.
        coefficient: f64,
    },
    /// This row and the next are a vector of at most `coefficient` times another variable. The next row is
    /// [`Bound::DiscSecond`].
    Disc {
        /// Row of the other variable.
        of: usize,
        /// The factor, at least zero.
        coefficient: f64,
    },
    /// The second row of a disc.
    DiscSecond,
}

impl Bound {
    /// The bound of a plain complementarity problem.
    pub const NON_NEGATIVE: Self = Self::Between { lower: 0.0, upper: f64::INFINITY };
    /// No bound: the row is an equation.
    pub const FREE: Self = Self::Between { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
}

/// Settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectedGaussSeidel {
    /// The factor omega on every change, between 0 and 2.
    pub relaxation: f64,
    /// The residual at which to stop, in the units of `w`.
    pub tolerance: f64,
    /// Maximum number of sweeps over all rows.
    pub max_sweeps: usize,
}

impl Default for ProjectedGaussSeidel {
    fn default() -> Self {
        Self { relaxation: 1.0, tolerance: 1e-8, max_sweeps: 10_000 }
    }
}

/// Result of the sweeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussSeidelReport {
    /// Number of sweeps.
    pub sweeps: usize,
    /// The largest change that a projected step would still make to a row, times its diagonal: in the units of `w`.
    pub residual: f64,
}

/// Why the sweeps could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum GaussSeidelError {
    /// A violated row has a diagonal entry that is not positive.
    #[error("row {row} is violated and its diagonal entry is {diagonal}: Gauss-Seidel needs a positive one")]
    Diagonal {
        /// The row.
        row: usize,
        /// Its diagonal entry.
        diagonal: f64,
    },
    /// A bound refers to a row that does not exist, or a disc is incomplete.
    #[error("the bound of row {row} refers to a row that does not exist, or is an incomplete disc")]
    Bound {
        /// The row.
        row: usize,
    },
    /// The lengths of the slices do not match.
    #[error(
        "a problem of {size} variables needs a matrix of {size} x {size} entries, {size} bounds and {size} first guesses, found {matrix}, {bounds} and {solution}"
    )]
    Size {
        /// Length of the vector.
        size: usize,
        /// Length of the matrix.
        matrix: usize,
        /// Number of bounds.
        bounds: usize,
        /// Length of the first guess.
        solution: usize,
    },
    /// The sweeps cannot converge with this relaxation.
    #[error("the relaxation must lie between 0 and 2, found {relaxation}")]
    Relaxation {
        /// Value found.
        relaxation: f64,
    },
}

impl ProjectedGaussSeidel {
    /// Improves the first guess in `solution` until the tolerance or the bound on sweeps is reached.
    pub fn solve(
        &self,
        matrix: &[f64],
        vector: &[f64],
        bounds: &[Bound],
        solution: &mut [f64],
    ) -> Result<GaussSeidelReport, GaussSeidelError> {
        self.check(matrix, vector, bounds, solution)?;
        let rows = Rows { matrix, vector, bounds };
        let mut report = GaussSeidelReport { sweeps: 0, residual: rows.residual(solution)? };
        while report.residual > self.tolerance && report.sweeps < self.max_sweeps {
            let mut largest_change = 0.0_f64;
            for row in 0..vector.len() {
                largest_change = largest_change.max(rows.relax(row, self.relaxation, solution)?);
            }
            report.sweeps += 1;
            // The changes of a sweep are a cheap estimate: the full residual is computed only when they are small.
            if largest_change <= self.tolerance || report.sweeps == self.max_sweeps {
                report.residual = rows.residual(solution)?;
            }
        }
        Ok(report)
    }

    fn check(&self, matrix: &[f64], vector: &[f64], bounds: &[Bound], guess: &[f64]) -> Result<(), GaussSeidelError> {
        let size = vector.len();
        if matrix.len() != size * size || bounds.len() != size || guess.len() != size {
            let (matrix, bounds, solution) = (matrix.len(), bounds.len(), guess.len());
            return Err(GaussSeidelError::Size { size, matrix, bounds, solution });
        }
        if !(self.relaxation > 0.0 && self.relaxation < 2.0) {
            return Err(GaussSeidelError::Relaxation { relaxation: self.relaxation });
        }
        for (row, bound) in bounds.iter().enumerate() {
            let sound = match *bound {
                Bound::Between { lower, upper } => lower <= upper,
                Bound::Box { of, .. } => of < size,
                Bound::Disc { of, .. } => of < size && bounds.get(row + 1) == Some(&Bound::DiscSecond),
                Bound::DiscSecond => row > 0 && matches!(bounds[row - 1], Bound::Disc { .. }),
            };
            if !sound {
                return Err(GaussSeidelError::Bound { row });
            }
        }
        Ok(())
    }
}

struct Rows<'a> {
    matrix: &'a [f64],
    vector: &'a [f64],
    bounds: &'a [Bound],
}

impl Rows<'_> {
    fn entry(&self, row: usize, column: usize) -> f64 {
        self.matrix[row * self.vector.len() + column]
    }

    fn w(&self, row: usize, z: &[f64]) -> f64 {
        let size = self.vector.len();
        let products = self.matrix[row * size..(row + 1) * size].iter().zip(z).map(|(m, z)| m * z);
        products.sum::<f64>() + self.vector[row]
    }

    /// Moves a row's variable. Returns the change, in the units of `w` and without the relaxation.
    fn relax(&self, row: usize, relaxation: f64, z: &mut [f64]) -> Result<f64, GaussSeidelError> {
        let (target, scale) = match self.bounds[row] {
            Bound::DiscSecond => return Ok(0.0),
            Bound::Disc { .. } => {
                let (target, scale) = self.disc_step(row, relaxation, z);
                let change = target - DVec2::new(z[row], z[row + 1]);
                [z[row], z[row + 1]] = target.to_array();
                return Ok(scale * change.length() / relaxation);
            }
            _ => self.row_step(row, relaxation, z)?,
        };
        let change = target - z[row];
        z[row] = target;
        Ok(scale * change.abs() / relaxation)
    }

    /// Returns the variable of a row after one step, and the row's diagonal.
    fn row_step(&self, row: usize, relaxation: f64, z: &[f64]) -> Result<(f64, f64), GaussSeidelError> {
        let (lower, upper) = match self.bounds[row] {
            Bound::Between { lower, upper } => (lower, upper),
            Bound::Box { of, coefficient } | Bound::Disc { of, coefficient } => {
                let bound = coefficient * z[of].max(0.0);
                (-bound, bound)
            }
            Bound::DiscSecond => (z[row], z[row]),
        };
        let (w, diagonal) = (self.w(row, z), self.entry(row, row));
        let held = (w >= 0.0 && z[row] <= lower) || (w <= 0.0 && z[row] >= upper);
        if diagonal <= 0.0 && !held && w != 0.0 {
            return Err(GaussSeidelError::Diagonal { row, diagonal });
        }
        let step = if diagonal > 0.0 { relaxation * w / diagonal } else { 0.0 };
        Ok(((z[row] - step).max(lower).min(upper), diagonal.max(0.0)))
    }

    /// Returns the vector of a disc after one projected step, and the larger eigenvalue of its block.
    fn disc_step(&self, row: usize, relaxation: f64, z: &[f64]) -> (DVec2, f64) {
        let Bound::Disc { of, coefficient } = self.bounds[row] else { return (DVec2::ZERO, 0.0) };
        let w = DVec2::new(self.w(row, z), self.w(row + 1, z));
        let scale = larger_eigenvalue(
            self.entry(row, row),
            0.5 * (self.entry(row, row + 1) + self.entry(row + 1, row)),
            self.entry(row + 1, row + 1),
        );
        let step = if scale > 0.0 { w * (relaxation / scale) } else { DVec2::ZERO };
        let target = DVec2::new(z[row], z[row + 1]) - step;
        (target.clamp_length_max(coefficient * z[of].max(0.0)), scale)
    }

    fn residual(&self, z: &[f64]) -> Result<f64, GaussSeidelError> {
        let mut largest = 0.0_f64;
        for row in 0..z.len() {
            let change = match self.bounds[row] {
                Bound::DiscSecond => 0.0,
                Bound::Disc { .. } => {
                    let (target, scale) = self.disc_step(row, 1.0, z);
                    scale * target.distance(DVec2::new(z[row], z[row + 1]))
                }
                _ => {
                    let (target, scale) = self.row_step(row, 1.0, z)?;
                    scale * (target - z[row]).abs()
                }
            };
            largest = largest.max(change);
        }
        Ok(largest)
    }
}

/// Returns the larger eigenvalue of the symmetric matrix `[[a, b], [b, c]]`.
pub(super) fn larger_eigenvalue(a: f64, b: f64, c: f64) -> f64 {
    0.5 * (a + c) + DVec2::new(0.5 * (a - c), b).length()
}
