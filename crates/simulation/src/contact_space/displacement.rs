//! Motion in this step only: the part of the impulses that corrects penetration.

use burgess_dynamics::Workspace;
use glam::DVec3;

use super::{Block, ContactSpace, Row, RowSide, Side};
use crate::world::World;

impl ContactSpace {
    /// Moves bodies in this step by an impulse on b of a contact and its opposite on a, without changing velocities.
    pub fn displace(&mut self, block: usize, impulse: DVec3) {
        self.begin_displacing();
        let Self { blocks, bodies, columns, displaced, .. } = self;
        let Block { a, b, .. } = &blocks[block];
        for (side, impulse) in [(a, -impulse), (b, impulse)] {
            match *side {
                Side::Prescribed { .. } => {}
                Side::Body { tree, lever } => {
                    let body = &bodies[tree as usize];
                    let turn = body.inverse_inertia * lever.cross(impulse);
                    add(&mut displaced[body.dof as usize..], turn, impulse * body.inverse_mass);
                }
                Side::Tree { path, .. } => {
                    for column in path.of(columns) {
                        displaced[column.dof as usize] += column.z.dot(impulse);
                    }
                }
            }
        }
    }

    /// Moves bodies in this step by an impulse along a row, without changing velocities.
    pub fn displace_row(&mut self, row: usize, impulse: f64) {
        self.begin_displacing();
        let Self { rows, bodies, entries, displaced, .. } = self;
        let Row { a, b, .. } = &rows[row];
        for side in [a, b] {
            match *side {
                RowSide::Nothing | RowSide::Prescribed { .. } => {}
                RowSide::Body { tree, angular, linear } => {
                    let body = &bodies[tree as usize];
                    let turn = body.inverse_inertia * angular * impulse;
                    add(&mut displaced[body.dof as usize..], turn, linear * (body.inverse_mass * impulse));
                }
                RowSide::Tree { path, .. } => {
                    for entry in path.of(entries) {
                        displaced[entry.dof as usize] += entry.z * impulse;
                    }
                }
            }
        }
    }

    /// Returns the velocity of b relative to a at a contact in this motion, in m/s.
    pub fn displaced_velocity(&self, block: usize) -> DVec3 {
        if !self.is_displaced {
            return DVec3::ZERO;
        }
        let of = |side: &Side| match *side {
            Side::Prescribed { .. } => DVec3::ZERO,
            Side::Body { tree, lever } => {
                let (angular, linear) = self.displaced_body(tree);
                linear + angular.cross(lever)
            }
            Side::Tree { path, .. } => {
                let columns = path.of(&self.columns).iter();
                columns.fold(DVec3::ZERO, |sum, column| sum + column.freed * self.displaced[column.dof as usize])
            }
        };
        let Block { a, b, .. } = &self.blocks[block];
        of(b) - of(a)
    }

    /// Returns the velocity of a row in this motion, in m/s or rad/s.
    pub fn displaced_row_velocity(&self, row: usize) -> f64 {
        if !self.is_displaced {
            return 0.0;
        }
        let of = |side: &RowSide| match *side {
            RowSide::Nothing | RowSide::Prescribed { .. } => 0.0,
            RowSide::Body { tree, angular, linear } => {
                let (turn, shift) = self.displaced_body(tree);
                turn.dot(angular) + shift.dot(linear)
            }
            RowSide::Tree { path, .. } => {
                let entries = path.of(&self.entries).iter();
                entries.fold(0.0, |sum, entry| sum + entry.freed * self.displaced[entry.dof as usize])
            }
        };
        let Row { a, b, .. } = &self.rows[row];
        of(a) + of(b)
    }

    fn displaced_body(&self, tree: u32) -> (DVec3, DVec3) {
        let own = &self.displaced[self.bodies[tree as usize].dof as usize..];
        (DVec3::from_slice(own), DVec3::from_slice(&own[3..]))
    }

    /// Writes the velocities of this motion (rad/s, m/s). Returns false, and writes nothing, if there is none. The
    /// workspace must be the same as when contacts and rows were added.
    pub fn store_displacement(&mut self, world: &World, workspace: &Workspace, velocities: &mut [f64]) -> bool {
        if !self.is_displaced {
            return false;
        }
        velocities.fill(0.0);
        let displaced = std::mem::take(&mut self.displaced);
        for tree in world.trees() {
            let own = &displaced[tree.dofs.clone()];
            if tree.is_free_body {
                velocities[tree.dofs.clone()].copy_from_slice(own);
            } else if own.iter().any(|slip| *slip != 0.0) {
                self.add_changes(world, workspace, tree, &displaced, velocities);
            }
        }
        self.displaced = displaced;
        true
    }

    fn begin_displacing(&mut self) {
        if !self.is_displaced {
            self.displaced.clear();
            self.displaced.resize(self.v.len(), 0.0);
            self.is_displaced = true;
        }
    }
}

/// Adds to the velocities of a free body.
fn add(v: &mut [f64], angular: DVec3, linear: DVec3) {
    for k in 0..3 {
        v[k] += angular[k];
        v[k + 3] += linear[k];
    }
}
