//! Direct solution of a dense linear system in reused memory: `L D L^T` for symmetric matrices, LU with partial
//! pivoting for the others. A vanishing pivot drops its unknown (it stays 0) instead of failing.
//!
//! Rows are followed by a few zeros, so that any part of a row can be processed in groups of four.

use super::dense_problem::dot;

/// Pivot, relative to its original diagonal entry, below which it is a rounding error.
const VANISHING_PIVOT: f64 = 1e-15;
/// Number of entries that are processed at once.
const LANES: usize = 4;
/// Number of zeros after a row.
const PADDING: usize = LANES - 1;

/// A matrix and its factors, in one buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Factorization {
    size: usize,
    factors: Vec<f64>,
    /// Inverse pivots; 0 for a dropped unknown.
    inverse_pivots: Vec<f64>,
    /// Row swapped with row `k` at step `k`; empty for a symmetric matrix.
    swaps: Vec<usize>,
}

impl Factorization {
    /// Sets a zero matrix of the given size, to be filled and factored.
    pub(super) fn reset(&mut self, size: usize) {
        self.size = size;
        self.swaps.clear();
        self.inverse_pivots.clear();
        self.factors.clear();
        self.factors.resize(size * (size + PADDING), 0.0);
    }

    /// Returns a row for writing.
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        let start = row * (self.size + PADDING);
        &mut self.factors[start..start + self.size]
    }

    /// Returns all rows for writing.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let size = self.size;
        self.factors.chunks_exact_mut(size + PADDING).map(move |row| &mut row[..size])
    }

    /// Factors a symmetric positive matrix; only its upper half is read.
    pub(super) fn factor_symmetric(&mut self) {
        let (n, stride) = (self.size, self.size + PADDING);
        self.inverse_pivots.extend(self.factors.iter().step_by(stride + 1));
        for k in 0..n {
            let original = self.inverse_pivots[k];
            let (upper, lower) = self.factors.split_at_mut((k + 1) * stride);
            let pivot_row = &mut upper[k * stride..];
            let inverse = inverse_pivot(pivot_row[k], original);
            self.inverse_pivots[k] = inverse;
            for (i, row) in (k + 1..n).zip(lower.chunks_exact_mut(stride)) {
                subtract(&mut row[i..], pivot_row[i] * inverse, &pivot_row[i..], n - i);
            }
        }
    }

    /// Factors any matrix.
    pub(super) fn factor_general(&mut self) {
        let (n, stride) = (self.size, self.size + PADDING);
        for k in 0..n {
            let swap = self.largest_in_column(k);
            self.swaps.push(swap);
            let (upper, lower) = self.factors.split_at_mut((k + 1) * stride);
            let pivot_row = &mut upper[k * stride..];
            if swap > k {
                pivot_row.swap_with_slice(&mut lower[(swap - k - 1) * stride..(swap - k) * stride]);
            }
            // There is no original diagonal entry to compare the pivot with: only an exact zero is dropped.
            let inverse = inverse_pivot(pivot_row[k], 0.0);
            self.inverse_pivots.push(inverse);
            for row in lower.chunks_exact_mut(stride) {
                let factor = row[k] * inverse;
                row[k] = factor;
                subtract(&mut row[k + 1..], factor, &pivot_row[k + 1..], n - k - 1);
            }
        }
    }

    /// Returns the row at or below the diagonal with the largest entry in the column.
    fn largest_in_column(&self, column: usize) -> usize {
        let stride = self.size + PADDING;
        let entries = self.factors[column * stride + column..].iter().step_by(stride);
        let (mut best, mut largest) = (column, 0.0);
        for (row, entry) in (column..self.size).zip(entries) {
            if entry.abs() > largest {
                (best, largest) = (row, entry.abs());
            }
        }
        best
    }

    /// Replaces the right-hand side by the solution.
    pub(super) fn solve(&self, x: &mut Vec<f64>) {
        x.resize(self.size + PADDING, 0.0);
        if self.swaps.is_empty() {
            self.forward_symmetric(x)
        } else {
            self.forward_general(x)
        }
        let (n, stride) = (self.size, self.size + PADDING);
        for k in (0..n).rev() {
            let row = &self.factors[k * stride..(k + 1) * stride];
            let sum = padded_dot(&row[k + 1..], &x[k + 1..], n - k - 1);
            x[k] = (x[k] - sum) * self.inverse_pivots[k];
        }
        x.truncate(n);
    }

    fn forward_symmetric(&self, x: &mut [f64]) {
        let (n, stride) = (self.size, self.size + PADDING);
        for (k, row) in self.factors.chunks_exact(stride).enumerate() {
            let value = x[k] * self.inverse_pivots[k];
            subtract(&mut x[k + 1..], value, &row[k + 1..], n - k - 1);
        }
    }

    fn forward_general(&self, x: &mut [f64]) {
        for (k, &swap) in self.swaps.iter().enumerate() {
            x.swap(k, swap);
        }
        for (k, row) in self.factors.chunks_exact(self.size + PADDING).enumerate().skip(1) {
            let (solved, rest) = x.split_at_mut(k);
            rest[0] -= dot(&row[..k], solved);
        }
    }
}

/// Subtracts a multiple of a vector of `count` entries and the zeros after it.
#[inline(always)]
fn subtract(from: &mut [f64], factor: f64, vector: &[f64], count: usize) {
    let end = count.next_multiple_of(LANES);
    let (from, _) = from[..end].as_chunks_mut::<LANES>();
    let (vector, _) = vector[..end].as_chunks::<LANES>();
    for (from, vector) in from.iter_mut().zip(vector) {
        for lane in 0..LANES {
            from[lane] -= factor * vector[lane];
        }
    }
}

/// Returns the dot product of vectors of `count` entries with zeros after them.
#[inline(always)]
fn padded_dot(a: &[f64], b: &[f64], count: usize) -> f64 {
    let end = count.next_multiple_of(LANES);
    let (a, _) = a[..end].as_chunks::<LANES>();
    let (b, _) = b[..end].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// Returns one over the pivot, or 0 if the pivot is a rounding error of the original entry.
fn inverse_pivot(pivot: f64, original: f64) -> f64 {
    if pivot.abs() > VANISHING_PIVOT * original.abs() { 1.0 / pivot } else { 0.0 }
}
