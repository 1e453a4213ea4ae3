//! The matrix of a small group: `G = J M^-1 J^T` row by row, for direct solvers.
//!
//! Every row is written out with its part of J and of `M^-1 J^T` for each of the (at most two) trees that it is on; an entry
//! of G is the sum of products over the trees that two rows share.

use burgess_geometry::glam::{DMat3, DVec3};

use super::{ContactSpace, RowSide, Side};
use crate::constraint_solver::contact_problem::{DenseProblem, Law};

/// Nobody's tree.
const NO_TREE: u32 = u32::MAX;

/// Parts of a row on a tree.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    /// The tree's name: its first degree of freedom, or the number of a free body after all those.
    tree: u32,
    start: usize,
    length: usize,
}

/// Scratch for assembling a group.
#[derive(Debug, Clone, Default)]
pub struct DenseGroup {
    parts: Vec<[Part; 2]>,
    jacobian: Vec<f64>,
    response: Vec<f64>,
    /// Frames of the contacts: normal and two tangents as columns.
    frames: Vec<DMat3>,
}

/// A right-handed frame whose first axis is the normal.
pub fn contact_frame(normal: DVec3) -> DMat3 {
    let (first, second) = normal.any_orthonormal_pair();
    DMat3::from_cols(normal, first, second)
}

impl DenseGroup {
    /// Fills the problem with contacts and rows of a space at its present velocities, and `impulses` with theirs. What the
    /// solver has to find are the impulses in all, so those that the velocities contain already are taken out of b.
    pub fn assemble(
        &mut self,
        space: &ContactSpace,
        blocks: &[u32],
        rows: &[u32],
        problem: &mut DenseProblem,
        impulses: &mut Vec<f64>,
    ) {
        self.parts.clear();
        self.jacobian.clear();
        self.response.clear();
        self.frames.clear();
        problem.clear();
        impulses.clear();
        for &index in blocks {
            let block = &space.blocks[index as usize];
            let frame = contact_frame(block.normal);
            self.frames.push(frame);
            problem.push_block(Law::Contact { friction: block.friction });
            for axis in [frame.x_axis, frame.y_axis, frame.z_axis] {
                let parts = [self.side(space, &block.a, -axis), self.side(space, &block.b, axis)];
                self.parts.push(parts);
            }
            impulses.extend((frame.transpose() * block.impulse).to_array());
        }
        for &index in rows {
            let row = &space.rows[index as usize];
            problem.push_block(row.law);
            let parts = [self.row_side(space, &row.a), self.row_side(space, &row.b)];
            self.parts.push(parts);
            impulses.push(row.impulse);
        }
        self.fill_matrix(problem);
        for (k, &index) in rows.iter().enumerate() {
            let at = 3 * blocks.len() + k;
            problem.row_mut(at)[at] += space.rows[index as usize].softness;
        }
        self.fill_velocities(space, blocks, rows, problem, impulses);
    }

    /// Gives the space the impulses that a solver has found.
    pub fn apply(&self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32], impulses: &[f64]) {
        for (k, &index) in blocks.iter().enumerate() {
            let found = self.frames[k] * DVec3::from_slice(&impulses[3 * k..]);
            let change = found - space.blocks[index as usize].impulse;
            space.blocks[index as usize].impulse = found;
            space.apply(index as usize, change);
        }
        for (k, &index) in rows.iter().enumerate() {
            let found = impulses[3 * blocks.len() + k];
            let change = found - space.rows[index as usize].impulse;
            space.rows[index as usize].impulse = found;
            space.apply_row(index as usize, change);
        }
    }

    fn fill_matrix(&self, problem: &mut DenseProblem) {
        let size = self.parts.len();
        for i in 0..size {
            for k in 0..=i {
                let mut sum = 0.0;
                for p in &self.parts[i] {
                    for q in &self.parts[k] {
                        if p.tree == q.tree && p.tree != NO_TREE {
                            let j = &self.jacobian[p.start..p.start + p.length];
                            let r = &self.response[q.start..q.start + q.length];
                            sum += j.iter().zip(r).map(|(j, r)| j * r).sum::<f64>();
                        }
                    }
                }
                problem.row_mut(i)[k] = sum;
                problem.row_mut(k)[i] = sum;
            }
        }
    }

    fn fill_velocities(
        &self,
        space: &ContactSpace,
        blocks: &[u32],
        rows: &[u32],
        problem: &mut DenseProblem,
        impulses: &[f64],
    ) {
        let size = self.parts.len();
        for i in 0..size {
            let velocity = if i < 3 * blocks.len() {
                let index = blocks[i / 3] as usize;
                let target = if i % 3 == 0 { space.blocks[index].target } else { 0.0 };
                self.frames[i / 3].col(i % 3).dot(space.relative_velocity(index)) - target
            } else {
                let index = rows[i - 3 * blocks.len()] as usize;
                space.row_velocity(index) - space.rows[index].target
            };
            // Softness counts as part of G here: what it takes of the impulse is not yet in the velocity.
            let softness =
                if i < 3 * blocks.len() { 0.0 } else { space.rows[rows[i - 3 * blocks.len()] as usize].softness };
            let own: f64 = problem.row_mut(i).iter().zip(impulses).map(|(g, x)| g * x).sum();
            problem.velocities_mut()[i] = velocity + softness * impulses[i] - own;
        }
    }

    fn side(&mut self, space: &ContactSpace, side: &Side, axis: DVec3) -> Part {
        let start = self.jacobian.len();
        match *side {
            Side::Prescribed { .. } => Part { tree: NO_TREE, start, length: 0 },
            Side::Body { tree, lever } => self.body(space, tree, lever.cross(axis), axis),
            Side::Tree { start: tree, dofs, columns, .. } => {
                let (first, dofs) = (columns as usize, dofs as usize);
                self.jacobian.extend(space.columns[first..first + dofs].iter().map(|c| c.dot(axis)));
                self.response.extend(space.columns[first + dofs..first + 2 * dofs].iter().map(|c| c.dot(axis)));
                Part { tree, start, length: dofs }
            }
        }
    }

    fn row_side(&mut self, space: &ContactSpace, side: &RowSide) -> Part {
        let start = self.jacobian.len();
        match *side {
            RowSide::Nothing | RowSide::Prescribed { .. } => Part { tree: NO_TREE, start, length: 0 },
            RowSide::Body { tree, angular, linear } => self.body(space, tree, angular, linear),
            RowSide::Tree { start: tree, dofs, entries, .. } => {
                let (first, dofs) = (entries as usize, dofs as usize);
                self.jacobian.extend_from_slice(&space.entries[first..first + dofs]);
                self.response.extend_from_slice(&space.entries[first + dofs..first + 2 * dofs]);
                Part { tree, start, length: dofs }
            }
        }
    }

    fn body(&mut self, space: &ContactSpace, tree: u32, angular: DVec3, linear: DVec3) -> Part {
        let start = self.jacobian.len();
        let body = &space.bodies[tree as usize];
        self.jacobian.extend(angular.to_array());
        self.jacobian.extend(linear.to_array());
        self.response.extend((body.inverse_inertia * angular).to_array());
        self.response.extend((linear * body.inverse_mass).to_array());
        // Trees go by their first degree of freedom, bodies by numbers beyond all of those.
        Part { tree: space.v.len() as u32 + tree, start, length: 6 }
    }
}
