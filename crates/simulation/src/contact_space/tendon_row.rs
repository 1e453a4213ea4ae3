//! The row of a tendon: efforts along several joints of one or two trees.

use burgess_dynamics::Workspace;
use burgess_dynamics::spatial::Force;

use super::side::{Column, RowEnd, Span, tendon_parts};
use super::{ContactSpace, Row, RowSide};
use crate::constraint_solver::contact_problem::Law;
use crate::world::World;

impl ContactSpace {
    /// Adds the row of a tendon of the world. The caller sets target and softness. `k = 0` if nothing moves along it.
    pub fn add_tendon(&mut self, world: &World, workspace: &Workspace, tendon: usize) -> &mut Row {
        let trees = world.trees_of_tendon(&world.tendons()[tendon]);
        let end = |tree: Option<usize>| tree.map_or(RowEnd::Nothing, |tree| RowEnd::Tendon { tendon, tree });
        self.add_row(world, workspace, trees.map(end), Law::Bilateral)
    }

    /// Returns the end of a tendon on one tree: the sum of the columns of its parts.
    pub(super) fn tendon_side(&mut self, world: &World, workspace: &Workspace, tendon: usize, tree: usize) -> RowSide {
        let model = world.model();
        let mut start = 0.0;
        self.gathered.clear();
        for (dof, factor) in tendon_parts(world, tendon, tree) {
            start += factor * self.v[dof];
            let link = model.links().partition_point(|link| link.v + link.dofs as usize <= dof);
            let mut efforts = [0.0; 6];
            efforts[dof - model.links()[link].v] = factor;
            let mut at = link;
            workspace.carry_inward(model, link, [Force::ZERO], [efforts], |dof, [z], [freed]| {
                // Joints are visited from the link to its root.
                while dof < model.links()[at].v {
                    at = model.links()[at].parent().unwrap_or(0);
                }
                self.gathered.push((at, Column { dof: dof as u32, z, freed }));
            });
        }
        // Outermost joints first, the degrees of freedom of each in order.
        self.gathered.sort_unstable_by_key(|(link, column)| (std::cmp::Reverse(*link), column.dof));
        let first = self.entries.len();
        for &(_, column) in &self.gathered {
            match self.entries[first..].last_mut() {
                Some(last) if last.dof == column.dof => {
                    last.z += column.z;
                    last.freed += column.freed;
                }
                _ => self.entries.push(column),
            }
        }
        let path = Span::new(first, self.entries.len());
        RowSide::Tree { tree: tree as u32, end: RowEnd::Tendon { tendon, tree }, path, start }
    }
}
