//! Direct solution of a dense linear system in reused memory: `L D L^T` for symmetric matrices, LU with partial
//! pivoting for the others. A vanishing pivot drops its unknown (it stays 0) instead of failing.

use super::dense_problem::dot;

/// Pivots below this share of their original diagonal entry are rounding.
const VANISHING_PIVOT: f64 = 1e-15;

/// A matrix and its factors, in one buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Factorization {
    size: usize,
    factors: Vec<f64>,
    /// The inverse pivots; 0 for a dropped unknown.
    inverse_pivots: Vec<f64>,
    /// Row swapped with row `k` at step `k`; empty for a symmetric matrix.
    swaps: Vec<usize>,
}

impl Factorization {
    /// A zero matrix of this size, to be filled (row after row) and factored.
    pub(super) fn reset(&mut self, size: usize) -> &mut [f64] {
        self.size = size;
        self.swaps.clear();
        self.inverse_pivots.clear();
        self.factors.clear();
        self.factors.resize(size * size, 0.0);
        &mut self.factors
    }

    /// Factors a symmetric positive matrix; only its upper half is read.
    pub(super) fn factor_symmetric(&mut self) {
        let n = self.size;
        self.inverse_pivots.extend(self.factors.iter().step_by(n + 1));
        for k in 0..n {
            let original = self.inverse_pivots[k];
            let (upper, lower) = self.factors.split_at_mut((k + 1) * n);
            let pivot_row = &mut upper[k * n..];
            let inverse = inverse_pivot(pivot_row[k], original);
            self.inverse_pivots[k] = inverse;
            for (i, row) in (k + 1..n).zip(lower.chunks_exact_mut(n)) {
                let factor = pivot_row[i] * inverse;
                for (entry, pivot_entry) in row[i..].iter_mut().zip(&pivot_row[i..]) {
                    *entry -= factor * pivot_entry;
                }
            }
        }
    }

    /// Factors any matrix.
    pub(super) fn factor_general(&mut self) {
        let n = self.size;
        for k in 0..n {
            let swap = self.largest_in_column(k);
            self.swaps.push(swap);
            let (upper, lower) = self.factors.split_at_mut((k + 1) * n);
            let pivot_row = &mut upper[k * n..];
            if swap > k {
                pivot_row.swap_with_slice(&mut lower[(swap - k - 1) * n..(swap - k) * n]);
            }
            // Unsymmetric: nothing to compare the pivot with, only an exact zero is dropped.
            let inverse = inverse_pivot(pivot_row[k], 0.0);
            self.inverse_pivots.push(inverse);
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] * inverse;
                row[k] = factor;
                for (entry, pivot_entry) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                    *entry -= factor * pivot_entry;
                }
            }
        }
    }

    /// The row at or below the diagonal with the largest entry in the column.
    fn largest_in_column(&self, column: usize) -> usize {
        let n = self.size;
        let mut best = column;
        for row in column + 1..n {
            if self.factors[row * n + column].abs() > self.factors[best * n + column].abs() {
                best = row;
            }
        }
        best
    }

    /// Replaces the right-hand side by the solution.
    pub(super) fn solve(&self, x: &mut [f64]) {
        if self.swaps.is_empty() { self.solve_symmetric(x) } else { self.solve_general(x) }
    }

    fn solve_symmetric(&self, x: &mut [f64]) {
        let n = self.size;
        for k in 0..n {
            let value = x[k] * self.inverse_pivots[k];
            let row = &self.factors[k * n + k + 1..(k + 1) * n];
            for (entry, factor) in x[k + 1..].iter_mut().zip(row) {
                *entry -= value * factor;
            }
        }
        for k in (0..n).rev() {
            let row = &self.factors[k * n + k + 1..(k + 1) * n];
            let sum = dot(row, &x[k + 1..]);
            x[k] = (x[k] - sum) * self.inverse_pivots[k];
        }
    }

    fn solve_general(&self, x: &mut [f64]) {
        let n = self.size;
        for (k, &swap) in self.swaps.iter().enumerate() {
            x.swap(k, swap);
        }
        for k in 1..n {
            let (solved, rest) = x.split_at_mut(k);
            rest[0] -= dot(&self.factors[k * n..k * n + k], solved);
        }
        for k in (0..n).rev() {
            let row = &self.factors[k * n + k + 1..(k + 1) * n];
            let sum = dot(row, &x[k + 1..]);
            x[k] = (x[k] - sum) * self.inverse_pivots[k];
        }
    }
}

/// One over the pivot, or 0 when nothing but rounding is left of the original entry.
fn inverse_pivot(pivot: f64, original: f64) -> f64 {
    if pivot.abs() > VANISHING_PIVOT * original.abs() { 1.0 / pivot } else { 0.0 }
}
