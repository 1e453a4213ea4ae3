//! The rows of a small group as two dense matrices: `G = Z F^T` with `F = D^-1 Z`, a row for each law and a column for
//! each degree of freedom.
//!
//! Tiles of three by three rows are computed at once, so that six numbers read contribute to nine sums. The degrees of
//! freedom of a tree ascend from its root, so a row ends at the last one of its path, and the product of two rows at
//! the smaller end of both.

use glam::{DMat3, DVec3};

use super::side::Column;
use super::{Block, ContactSpace, Row, RowSide, Side};
use crate::constraint_solver::contact_problem::DenseProblem;

/// Number of rows of a tile.
const TILE: usize = 3;
/// Number of columns that are processed at once.
const LANES: usize = 2;
/// Maximum number of degrees of freedom of a group. Wider groups consist mostly of zeros.
const MAX_WIDTH: usize = 48;

/// The two matrices, in row-major order.
#[derive(Debug, Clone, Default)]
pub(super) struct DenseRows {
    z: Vec<f64>,
    freed: Vec<f64>,
    /// Number of rows, rounded up to whole tiles.
    rows: usize,
    width: usize,
    /// First degree of freedom of the group.
    first: usize,
    /// Number of columns of each tile up to the last nonzero one.
    ends: Vec<usize>,
}

impl DenseRows {
    /// Expands contacts and rows. Returns false, and writes nothing, if they have too many degrees of freedom.
    pub fn write(&mut self, space: &ContactSpace, blocks: &[u32], rows: &[u32], frames: &[DMat3]) -> bool {
        let Some((first, end)) = range(space, blocks, rows) else { return false };
        if end - first > MAX_WIDTH {
            return false;
        }
        self.first = first;
        self.width = (end - first).next_multiple_of(LANES);
        self.rows = (3 * blocks.len() + rows.len()).next_multiple_of(TILE);
        self.z.clear();
        self.z.resize(self.rows * self.width, 0.0);
        self.freed.clear();
        self.freed.resize(self.rows * self.width, 0.0);
        self.ends.clear();
        self.ends.resize(self.rows / TILE, 0);
        for (k, (&index, frame)) in blocks.iter().zip(frames).enumerate() {
            let Block { a, b, .. } = &space.blocks[index as usize];
            self.add_side(space, 3 * k, a, &(-*frame).transpose());
            self.add_side(space, 3 * k, b, &frame.transpose());
        }
        for (k, &index) in rows.iter().enumerate() {
            let Row { a, b, .. } = &space.rows[index as usize];
            self.add_row_side(space, 3 * blocks.len() + k, a);
            self.add_row_side(space, 3 * blocks.len() + k, b);
        }
        true
    }

    fn add_side(&mut self, space: &ContactSpace, row: usize, side: &Side, to_frame: &DMat3) {
        match *side {
            Side::Prescribed { .. } => {}
            Side::Body { tree, lever } => {
                let body = &space.bodies[tree as usize];
                let frame = to_frame.transpose();
                let turns =
                    DMat3::from_cols(lever.cross(frame.x_axis), lever.cross(frame.y_axis), lever.cross(frame.z_axis));
                let (z, freed) = (turns.transpose(), (body.inverse_inertia * turns).transpose());
                for k in 0..3 {
                    self.add(row, body.dof as usize + k, z.col(k), freed.col(k));
                }
                for k in 0..3 {
                    let z = to_frame.col(k);
                    self.add(row, body.dof as usize + 3 + k, z, z * body.inverse_mass);
                }
            }
            Side::Tree { path, .. } => {
                for column in path.of(&space.columns) {
                    self.add(row, column.dof as usize, *to_frame * column.z, *to_frame * column.freed);
                }
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, row: usize, dof: usize, z: DVec3, freed: DVec3) {
        let (column, width) = (dof - self.first, self.width);
        self.ends[row / TILE] = self.ends[row / TILE].max(column + 1);
        let tile = &mut self.z[row * width..][..TILE * width];
        (0..3).for_each(|k| tile[k * width + column] += z[k]);
        let tile = &mut self.freed[row * width..][..TILE * width];
        (0..3).for_each(|k| tile[k * width + column] += freed[k]);
    }

    fn add_row_side(&mut self, space: &ContactSpace, row: usize, side: &RowSide) {
        match *side {
            RowSide::Nothing | RowSide::Prescribed { .. } => {}
            RowSide::Body { tree, angular, linear } => {
                let body = &space.bodies[tree as usize];
                let freed = body.inverse_inertia * angular;
                for k in 0..3 {
                    self.add_entry(row, body.dof as usize + k, angular[k], freed[k]);
                    self.add_entry(row, body.dof as usize + 3 + k, linear[k], linear[k] * body.inverse_mass);
                }
            }
            RowSide::Tree { path, .. } => {
                for &Column { dof, z, freed } in path.of(&space.entries) {
                    self.add_entry(row, dof as usize, z, freed);
                }
            }
        }
    }

    #[inline(always)]
    fn add_entry(&mut self, row: usize, dof: usize, z: f64, freed: f64) {
        let column = dof - self.first;
        self.ends[row / TILE] = self.ends[row / TILE].max(column + 1);
        self.z[row * self.width + column] += z;
        self.freed[row * self.width + column] += freed;
    }

    /// Computes `Z F^T`, both halves.
    pub fn fill_matrix(&self, problem: &mut DenseProblem) {
        let size = problem.size();
        let matrix = problem.matrix_mut();
        for (i, &end) in self.ends.iter().enumerate() {
            for (k, &other) in self.ends[..=i].iter().enumerate() {
                let tile = self.tile(i, k, end.min(other));
                let (rows, columns) = (3 * i..size.min(3 * i + 3), 3 * k..size.min(3 * k + 3));
                for (row, entries) in rows.zip(&tile) {
                    for (column, &entry) in columns.clone().zip(entries).take_while(|(column, _)| *column <= row) {
                        matrix[row * size + column] = entry;
                        matrix[column * size + row] = entry;
                    }
                }
            }
        }
    }

    /// Returns the product of three rows of Z and three of F, up to a column.
    #[inline]
    fn tile(&self, i: usize, k: usize, end: usize) -> [[f64; TILE]; TILE] {
        let pairs = end.div_ceil(LANES);
        let z: [&[[f64; LANES]]; TILE] = std::array::from_fn(|row| self.lanes(&self.z, TILE * i + row, pairs));
        let freed: [&[[f64; LANES]]; TILE] = std::array::from_fn(|row| self.lanes(&self.freed, TILE * k + row, pairs));
        let mut sums = [[[0.0; LANES]; TILE]; TILE];
        for column in 0..pairs {
            let z: [[f64; LANES]; TILE] = [z[0][column], z[1][column], z[2][column]];
            let freed: [[f64; LANES]; TILE] = [freed[0][column], freed[1][column], freed[2][column]];
            for (sums, z) in sums.iter_mut().zip(&z) {
                for (sum, freed) in sums.iter_mut().zip(&freed) {
                    for lane in 0..LANES {
                        sum[lane] += z[lane] * freed[lane];
                    }
                }
            }
        }
        sums.map(|sums| sums.map(|sum| sum[0] + sum[1]))
    }

    #[inline(always)]
    fn lanes<'a>(&self, of: &'a [f64], row: usize, count: usize) -> &'a [[f64; LANES]] {
        let (lanes, _) = of[row * self.width..(row + 1) * self.width].as_chunks::<LANES>();
        &lanes[..count]
    }
}

/// Returns the first degree of freedom of a group, and the one after its last; none if it has none.
fn range(space: &ContactSpace, blocks: &[u32], rows: &[u32]) -> Option<(usize, usize)> {
    let (mut first, mut end) = (usize::MAX, 0);
    let mut widen = |low: u32, high: u32| {
        first = first.min(low as usize);
        end = end.max(high as usize + 1);
    };
    for &index in blocks {
        let Block { a, b, .. } = &space.blocks[index as usize];
        for side in [a, b] {
            match *side {
                Side::Prescribed { .. } => {}
                Side::Body { tree, .. } => widen(space.bodies[tree as usize].dof, space.bodies[tree as usize].dof + 5),
                Side::Tree { path, .. } => {
                    path.of(&space.columns).iter().for_each(|column| widen(column.dof, column.dof))
                }
            }
        }
    }
    for &index in rows {
        let Row { a, b, .. } = &space.rows[index as usize];
        for side in [a, b] {
            match *side {
                RowSide::Nothing | RowSide::Prescribed { .. } => {}
                RowSide::Body { tree, .. } => {
                    widen(space.bodies[tree as usize].dof, space.bodies[tree as usize].dof + 5);
                }
                RowSide::Tree { path, .. } => {
                    path.of(&space.entries).iter().for_each(|entry| widen(entry.dof, entry.dof))
                }
            }
        }
    }
    (first < end).then_some((first, end))
}
