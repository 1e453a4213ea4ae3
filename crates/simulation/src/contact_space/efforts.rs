//! Efforts and velocities along the joints, which require J itself.

use burgess_dynamics::Workspace;
use glam::DVec3;

use super::{Block, ContactSpace, Row, RowSide, Side};
use crate::world::World;

impl ContactSpace {
    /// Adds the joint efforts of a force (N) on b and its opposite on a: `J^T f`.
    pub fn add_efforts(&self, world: &World, workspace: &Workspace, block: usize, force: DVec3, efforts: &mut [f64]) {
        let Block { a, b, .. } = &self.blocks[block];
        for (side, force) in [(a, -force), (b, force)] {
            match *side {
                Side::Prescribed { .. } => {}
                Side::Body { tree, lever } => add_wrench(world, tree, lever.cross(force), force, efforts),
                Side::Tree { link, point, .. } => {
                    workspace.for_each_column(world.model(), link as usize, point, |dof, motion| {
                        efforts[dof] += motion.linear.dot(force);
                    });
                }
            }
        }
    }

    /// Adds the joint efforts of a force along a row (N, N m).
    pub fn add_row_efforts(&self, world: &World, workspace: &Workspace, row: usize, force: f64, efforts: &mut [f64]) {
        let Row { a, b, .. } = &self.rows[row];
        for side in [a, b] {
            match side {
                RowSide::Nothing | RowSide::Prescribed { .. } => {}
                RowSide::Body { tree, angular, linear } => {
                    add_wrench(world, *tree, *angular * force, *linear * force, efforts);
                }
                RowSide::Tree { end, .. } => {
                    end.for_each_factor(world, workspace, |dof, factor| efforts[dof] += factor * force);
                }
            }
        }
    }

    /// Returns the velocity of the last row at other joint velocities.
    pub(crate) fn last_row_velocity_at(&self, world: &World, workspace: &Workspace, v: &[f64]) -> f64 {
        if self.rows.is_empty() { 0.0 } else { self.row_velocity_at(world, workspace, self.rows.len() - 1, v) }
    }

    /// Returns the velocity of a row at other joint velocities.
    pub(crate) fn row_velocity_at(&self, world: &World, workspace: &Workspace, row: usize, v: &[f64]) -> f64 {
        let row = &self.rows[row];
        let of = |side: &RowSide| match side {
            RowSide::Nothing => 0.0,
            RowSide::Prescribed { velocity } => *velocity,
            RowSide::Body { tree, angular, linear } => {
                let v = &v[world.trees()[*tree as usize].dofs.clone()];
                DVec3::from_slice(v).dot(*angular) + DVec3::from_slice(&v[3..]).dot(*linear)
            }
            RowSide::Tree { end, start, .. } => {
                let mut velocity = *start;
                end.for_each_factor(world, workspace, |dof, factor| velocity += factor * (v[dof] - self.v[dof]));
                velocity
            }
        };
        of(&row.a) + of(&row.b)
    }
}

/// Adds a force and a moment on the centre of mass of a free body.
fn add_wrench(world: &World, tree: u32, moment: DVec3, force: DVec3, efforts: &mut [f64]) {
    let efforts = &mut efforts[world.trees()[tree as usize].dofs.clone()];
    for k in 0..3 {
        efforts[k] += moment[k];
        efforts[k + 3] += force[k];
    }
}
