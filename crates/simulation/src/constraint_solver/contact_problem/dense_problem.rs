//! The problem as numbers: laws, the matrix `G` and the velocities `b`, in buffers that are reused between solves.

use glam::{DMat3, DVec3};

use super::Law;

/// A law and the first of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// What the rows demand.
    pub law: Law,
    /// The first row; the block has [`Law::rows`] of them.
    pub first_row: usize,
}

impl Block {
    /// The rows of the block.
    #[must_use]
    pub const fn rows(&self) -> core::ops::Range<usize> {
        self.first_row..self.first_row + self.law.rows()
    }
}

/// Find `x` such that `x` and `w = G x + b` obey the law of every block.
///
/// [`clear`](Self::clear), then [`push_block`](Self::push_block) all blocks, then fill the matrix and the velocities.
#[derive(Clone, Debug, Default)]
pub struct DenseProblem {
    blocks: Vec<Block>,
    matrix: Vec<f64>,
    velocities: Vec<f64>,
}

impl DenseProblem {
    /// Forgets all blocks, keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.matrix.clear();
        self.velocities.clear();
    }

    /// Adds a block and returns its first row. Push all blocks before you fill the matrix: a push moves its rows.
    pub fn push_block(&mut self, law: Law) -> usize {
        let first_row = self.size();
        self.blocks.push(Block { law, first_row });
        let size = first_row + law.rows();
        self.velocities.resize(size, 0.0);
        self.matrix.resize(size * size, 0.0);
        first_row
    }

    /// The number of rows `n`.
    #[must_use]
    pub fn size(&self) -> usize {
        self.velocities.len()
    }

    /// The blocks, in the order of their rows.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The whole matrix `G`, row after row (1/kg and its angular kin). It must be symmetric and positive semi-definite;
    /// both halves are read.
    #[must_use]
    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// The whole matrix, to fill.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.matrix
    }

    /// One row of the matrix.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        let size = self.size();
        &self.matrix[row * size..(row + 1) * size]
    }

    /// One row of the matrix, to fill.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        let size = self.size();
        &mut self.matrix[row * size..(row + 1) * size]
    }

    /// The velocities `b` without impulses (m/s or rad/s), with restitution and position bias.
    #[must_use]
    pub fn velocities(&self) -> &[f64] {
        &self.velocities
    }

    /// The velocities `b`, to fill.
    pub fn velocities_mut(&mut self) -> &mut [f64] {
        &mut self.velocities
    }

    /// `w = G x + b`.
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

    /// Adds what the impulses do to a few velocities side by side, by columns, which are rows, since `G` is symmetric.
    #[inline(always)]
    fn add_columns<const N: usize>(&self, first: usize, impulses: &[f64], response: &mut [f64]) {
        let mut sums = [0.0; N];
        sums.copy_from_slice(&response[first..first + N]);
        for (row, impulse) in self.matrix.chunks_exact(self.size()).zip(impulses) {
            // Open contacts have none.
            if *impulse != 0.0 {
                let row: &[f64; N] = row[first..].first_chunk().expect("fits");
                for (sum, entry) in sums.iter_mut().zip(row) {
                    *sum += entry * impulse;
                }
            }
        }
        response[first..first + N].copy_from_slice(&sums);
    }

    /// Brings all impulses exactly into the sets that their laws allow.
    pub(super) fn project(&self, impulses: &mut [f64]) {
        for block in &self.blocks {
            block.law.project(block.first_row, impulses);
        }
    }

    /// A diagonal entry of `G`, the inverse inertia that a row feels on its own.
    pub(super) fn diagonal(&self, row: usize) -> f64 {
        self.matrix[row * (self.size() + 1)]
    }

    /// The mean of the two tangential diagonal entries of a contact.
    pub(super) fn tangent_diagonal(&self, first_row: usize) -> f64 {
        0.5 * (self.diagonal(first_row + 1) + self.diagonal(first_row + 2))
    }

    /// The 3x3 block of a contact.
    pub(super) fn contact_matrix(&self, first_row: usize) -> DMat3 {
        let row = |i: usize| DVec3::from_slice(&self.row(first_row + i)[first_row..first_row + 3]);
        DMat3::from_cols(row(0), row(1), row(2))
    }

    /// The largest entry of `b`: what 'relative' refers to (m/s).
    pub(super) fn velocity_scale(&self) -> f64 {
        self.velocities.iter().fold(0.0, |largest, b| b.abs().max(largest))
    }
}

/// A dot product with four running sums, which the processor can take side by side.
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
