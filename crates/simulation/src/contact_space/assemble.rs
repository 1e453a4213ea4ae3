//! The matrix of a small group: `G = J M^-1 J^T`, block by block, for direct solvers.
//!
//! Every contact and row is expanded into its columns in its own frame, one for each degree of freedom on the paths of
//! its two ends (a free body has six). The block of two of them is the sum of z times `D^-1 z'` over the columns that
//! their paths share. Where all of them together have few degrees of freedom, as a creature has, they are rows of two
//! dense matrices Z and `F = D^-1 Z` (see `dense_rows`), and `G = Z F^T`: zeros are multiplied too, but no common
//! columns have to be found.

use burgess_geometry::glam::{DMat3, DVec3};

use super::dense_rows::DenseRows;
use super::side::{Column, Span, common, common_of_rows};
use super::{Block, ContactSpace, Row, RowSide, Side};
use crate::constraint_solver::contact_problem::{DenseProblem, Law};

/// Scratch memory for assembling a group.
#[derive(Debug, Clone, Default)]
pub struct DenseGroup {
    /// Frames of the contacts: normal and two tangents as columns.
    frames: Vec<DMat3>,
    /// Columns of both ends of every contact, along the axes of its frame.
    contacts: Vec<[Span; 2]>,
    columns: Vec<Column<DVec3>>,
    /// Columns of both ends of every row.
    rows: Vec<[Span; 2]>,
    entries: Vec<Column<f64>>,
    dense: DenseRows,
}

/// Returns a right-handed frame whose first axis is the normal.
pub fn contact_frame(normal: DVec3) -> DMat3 {
    let (first, second) = normal.any_orthonormal_pair();
    DMat3::from_cols(normal, first, second)
}

impl DenseGroup {
    /// Fills the problem with the laws and the matrix of some contacts and rows of a space.
    pub fn assemble(&mut self, space: &ContactSpace, blocks: &[u32], rows: &[u32], problem: &mut DenseProblem) {
        problem.clear();
        for &index in blocks {
            problem.push_block(Law::Contact { friction: space.blocks[index as usize].friction });
        }
        for &index in rows {
            problem.push_block(space.rows[index as usize].law);
        }
        self.frames.clear();
        self.frames.extend(blocks.iter().map(|&index| contact_frame(space.blocks[index as usize].normal)));
        if self.dense.write(space, blocks, rows, &self.frames) {
            self.dense.fill_matrix(problem);
        } else {
            self.write_columns(space, blocks, rows);
            self.fill_matrix(problem);
        }
        for (k, &index) in rows.iter().enumerate() {
            let at = 3 * blocks.len() + k;
            problem.row_mut(at)[at] += space.rows[index as usize].softness;
        }
    }

    /// Sets the velocities of the problem from those without impulses along the axes of the world.
    pub fn set_velocities(
        &self,
        space: &ContactSpace,
        blocks: (&[u32], &[DVec3]),
        rows: (&[u32], &[f64]),
        problem: &mut DenseProblem,
    ) {
        let velocities = problem.velocities_mut();
        for (k, (frame, (&index, free))) in self.frames.iter().zip(blocks.0.iter().zip(blocks.1)).enumerate() {
            (frame.transpose() * *free).write_to_slice(&mut velocities[3 * k..]);
            velocities[3 * k] -= space.blocks[index as usize].target;
        }
        for (velocity, (&index, free)) in velocities[3 * blocks.0.len()..].iter_mut().zip(rows.0.iter().zip(rows.1)) {
            *velocity = free - space.rows[index as usize].target;
        }
    }

    /// Reads the impulses of contacts and rows in the frames of the problem.
    pub fn read_impulses(&self, space: &ContactSpace, blocks: &[u32], rows: &[u32], impulses: &mut Vec<f64>) {
        impulses.clear();
        for (frame, &index) in self.frames.iter().zip(blocks) {
            impulses.extend((frame.transpose() * space.blocks[index as usize].impulse).to_array());
        }
        impulses.extend(rows.iter().map(|&index| space.rows[index as usize].impulse));
    }

    /// Sets and applies the impulses that a solver has found. `contained` is whether the velocities of the space
    /// already include the impulses before.
    pub fn apply(&self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32], impulses: &[f64], contained: bool) {
        for (k, &index) in blocks.iter().enumerate() {
            let found = self.frames[k] * DVec3::from_slice(&impulses[3 * k..]);
            let before = std::mem::replace(&mut space.blocks[index as usize].impulse, found);
            space.apply(index as usize, if contained { found - before } else { found });
        }
        for (&index, &found) in rows.iter().zip(&impulses[3 * blocks.len()..]) {
            let before = std::mem::replace(&mut space.rows[index as usize].impulse, found);
            space.apply_row(index as usize, if contained { found - before } else { found });
        }
    }

    fn write_columns(&mut self, space: &ContactSpace, blocks: &[u32], rows: &[u32]) {
        self.contacts.clear();
        self.columns.clear();
        self.rows.clear();
        self.entries.clear();
        for (k, &index) in blocks.iter().enumerate() {
            let Block { a, b, .. } = &space.blocks[index as usize];
            let frame = self.frames[k];
            let sides = [self.write_side(space, a, &(-frame)), self.write_side(space, b, &frame)];
            self.contacts.push(sides);
        }
        for &index in rows {
            let Row { a, b, .. } = &space.rows[index as usize];
            let sides = [self.write_row_side(space, a), self.write_row_side(space, b)];
            self.rows.push(sides);
        }
    }

    fn write_side(&mut self, space: &ContactSpace, side: &Side, frame: &DMat3) -> Span {
        let start = self.columns.len();
        let to_frame = frame.transpose();
        match *side {
            Side::Prescribed { .. } => {}
            Side::Body { tree, lever } => {
                let body = &space.bodies[tree as usize];
                let turns =
                    DMat3::from_cols(lever.cross(frame.x_axis), lever.cross(frame.y_axis), lever.cross(frame.z_axis));
                let (z, freed) = (turns.transpose(), (body.inverse_inertia * turns).transpose());
                for k in 0..3 {
                    self.columns.push(Column { dof: body_dof(space, tree, k), z: z.col(k), freed: freed.col(k) });
                }
                for k in 0..3 {
                    let z = to_frame.col(k);
                    self.columns.push(Column { dof: body_dof(space, tree, 3 + k), z, freed: z * body.inverse_mass });
                }
            }
            Side::Tree { path, .. } => {
                self.columns.extend(path.of(&space.columns).iter().map(|column| Column {
                    dof: column.dof,
                    z: to_frame * column.z,
                    freed: to_frame * column.freed,
                }));
            }
        }
        Span::new(start, self.columns.len())
    }

    fn write_row_side(&mut self, space: &ContactSpace, side: &RowSide) -> Span {
        let start = self.entries.len();
        match *side {
            RowSide::Nothing | RowSide::Prescribed { .. } => {}
            RowSide::Body { tree, angular, linear } => {
                let body = &space.bodies[tree as usize];
                let freed = body.inverse_inertia * angular;
                for k in 0..3 {
                    self.entries.push(Column { dof: body_dof(space, tree, k), z: angular[k], freed: freed[k] });
                }
                for k in 0..3 {
                    let z = linear[k];
                    self.entries.push(Column { dof: body_dof(space, tree, 3 + k), z, freed: z * body.inverse_mass });
                }
            }
            RowSide::Tree { path, .. } => self.entries.extend_from_slice(path.of(&space.entries)),
        }
        Span::new(start, self.entries.len())
    }

    fn fill_matrix(&self, problem: &mut DenseProblem) {
        let size = problem.size();
        let matrix = problem.matrix_mut();
        let count = self.contacts.len();
        for i in 0..count {
            for k in 0..=i {
                let block = self.contact_block(i, k);
                for row in 0..3 {
                    for column in 0..if i == k { row + 1 } else { 3 } {
                        let entry = block[row][column];
                        matrix[(3 * i + row) * size + 3 * k + column] = entry;
                        matrix[(3 * k + column) * size + 3 * i + row] = entry;
                    }
                }
            }
        }
        for (i, sides) in self.rows.iter().enumerate() {
            let at = 3 * count + i;
            for (k, contact) in self.contacts.iter().enumerate() {
                let mut sum = DVec3::ZERO;
                for (row, contact) in pairs(sides, contact) {
                    for (i, k) in common_of_rows(row.of(&self.entries), contact.of(&self.columns)) {
                        sum += k.z * i.freed;
                    }
                }
                for column in 0..3 {
                    matrix[at * size + 3 * k + column] = sum[column];
                    matrix[(3 * k + column) * size + at] = sum[column];
                }
            }
            for (k, others) in self.rows[..=i].iter().enumerate() {
                let of = |(a, b): (&Span, &Span)| {
                    common_of_rows(a.of(&self.entries), b.of(&self.entries)).map(|(i, k)| i.z * k.freed).sum::<f64>()
                };
                let sum = pairs(sides, others).map(of).sum();
                matrix[at * size + 3 * count + k] = sum;
                matrix[(3 * count + k) * size + at] = sum;
            }
        }
    }

    /// Returns the rows of the block that maps an impulse of contact `k` to the velocity of contact `i`.
    #[inline]
    fn contact_block(&self, i: usize, k: usize) -> [DVec3; 3] {
        let mut block = [DVec3::ZERO; 3];
        for (a, b) in pairs(&self.contacts[i], &self.contacts[k]) {
            for (i, k) in common(a.of(&self.columns), b.of(&self.columns)) {
                block[0] += k.freed * i.z.x;
                block[1] += k.freed * i.z.y;
                block[2] += k.freed * i.z.z;
            }
        }
        block
    }
}

/// Returns the number of a degree of freedom of a free body. The numbers follow those of trees.
fn body_dof(space: &ContactSpace, tree: u32, dof: usize) -> u32 {
    space.v.len() as u32 + 6 * tree + dof as u32
}

/// Returns all pairs of an end of `a` and an end of `b` where both have columns.
#[inline]
fn pairs<'a>(a: &'a [Span; 2], b: &'a [Span; 2]) -> impl Iterator<Item = (&'a Span, &'a Span)> {
    let ends = |a: &'a Span| b.iter().filter(|b| !b.is_empty()).map(move |b| (a, b));
    a.iter().filter(|a| !a.is_empty()).flat_map(ends)
}
