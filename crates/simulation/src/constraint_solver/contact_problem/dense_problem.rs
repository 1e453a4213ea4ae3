//! The dense problem: laws, the matrix `G` and the velocities `b`, in buffers that are reused between solves.

use glam::{DMat3, DVec3};

use super::Law;

/// A law and the first of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Law of the rows.
    pub law: Law,
    /// First row; the block has [`Law::rows`] of them.
    pub first_row: usize,
}

impl Block {
    /// Returns the rows of the block.
    #[must_use]
    pub const fn rows(&self) -> core::ops::Range<usize> {
        self.first_row..self.first_row + self.law.rows()
    }
}

/// The problem to find `x` such that `x` and `w = G x + b` obey the law of every block.
///
/// To build it, call [`clear`](Self::clear), then [`push_block`](Self::push_block) for all blocks, then fill the matrix
/// and the velocities.
#[derive(Clone, Debug, Default)]
pub struct DenseProblem {
    blocks: Vec<Block>,
    matrix: Vec<f64>,
    velocities: Vec<f64>,
}

impl DenseProblem {
    /// Removes all blocks. The memory stays allocated.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.matrix.clear();
        self.velocities.clear();
    }

    /// Adds a block and returns its first row. Push all blocks before filling the matrix: a push moves its rows.
    pub fn push_block(&mut self, law: Law) -> usize {
        let first_row = self.size();
        self.blocks.push(Block { law, first_row });
        let size = first_row + law.rows();
        self.velocities.resize(size, 0.0);
        self.matrix.resize(size * size, 0.0);
        first_row
    }

    /// Returns the number of rows `n`.
    #[must_use]
    pub fn size(&self) -> usize {
        self.velocities.len()
    }

    /// Returns the blocks, in the order of their rows.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the matrix `G` in row-major order, in 1/kg, 1/(kg m) and 1/(kg m^2). It must be symmetric and positive
    /// semi-definite; both halves are read.
    #[must_use]
    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// Returns the matrix for writing.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.matrix
    }

    /// Returns one row of the matrix.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        let size = self.size();
        &self.matrix[row * size..(row + 1) * size]
    }

    /// Returns one row of the matrix for writing.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        let size = self.size();
        &mut self.matrix[row * size..(row + 1) * size]
    }

    /// Returns the velocities `b` without impulses (m/s or rad/s), with restitution and position bias.
    #[must_use]
    pub fn velocities(&self) -> &[f64] {
        &self.velocities
    }

    /// Returns the velocities `b` for writing.
    pub fn velocities_mut(&mut self) -> &mut [f64] {
        &mut self.velocities
    }

    /// Computes `w = G x + b`.
    pub fn response(&self, impulses: &[f64], response: &mut Vec<f64>) {
        response.clone_from(&self.velocities);
        let size = self.size();
        let mut column = 0;
        while column + 8 <= size {
            self.add_columns::<8>(column, impulses, response);
            column += 8;
        }
        if column + 4 <= size {
            self.add_columns::<4>(column, impulses, response);
            column += 4;
        }
        if column + 2 <= size {
            self.add_columns::<2>(column, impulses, response);
            column += 2;
        }
        if column < size {
            self.add_columns::<1>(column, impulses, response);
        }
    }

    /// Adds the effect of the impulses on `N` velocities at once, by columns, which are rows because `G` is symmetric.
    #[inline(always)]
    fn add_columns<const N: usize>(&self, first: usize, impulses: &[f64], response: &mut [f64]) {
        let mut sums = [0.0; N];
        sums.copy_from_slice(&response[first..first + N]);
        for (row, impulse) in self.matrix.chunks_exact(self.size()).zip(impulses) {
            // Open contacts have no impulse.
            if *impulse != 0.0 {
                let row: &[f64; N] = row[first..].first_chunk().expect("fits");
                for (sum, entry) in sums.iter_mut().zip(row) {
                    *sum += entry * impulse;
                }
            }
        }
        response[first..first + N].copy_from_slice(&sums);
    }

    /// Projects all impulses onto the sets that their laws allow.
    pub(super) fn project(&self, impulses: &mut [f64]) {
        for block in &self.blocks {
            block.law.project(block.first_row, impulses);
        }
    }

    /// Returns a diagonal entry of `G`: the inverse inertia of a row alone.
    pub(super) fn diagonal(&self, row: usize) -> f64 {
        self.matrix[row * (self.size() + 1)]
    }

    /// Returns the mean of the two tangential diagonal entries of a contact.
    pub(super) fn tangent_diagonal(&self, first_row: usize) -> f64 {
        0.5 * (self.diagonal(first_row + 1) + self.diagonal(first_row + 2))
    }

    /// Returns the 3x3 block of a contact.
    pub(super) fn contact_matrix(&self, first_row: usize) -> DMat3 {
        let row = |i: usize| DVec3::from_slice(&self.row(first_row + i)[first_row..first_row + 3]);
        DMat3::from_cols(row(0), row(1), row(2))
    }

    /// Returns the largest entry of `b`, in m/s. Relative tolerances refer to it.
    pub(super) fn velocity_scale(&self) -> f64 {
        self.velocities.iter().fold(0.0, |largest, b| b.abs().max(largest))
    }
}

/// Returns the dot product. It has four running sums, so that the compiler can use vector instructions.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a_fours, a_rest), (b_fours, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a_fours.iter().zip(b_fours) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum += a * b;
    }
    sum
}
