//! The row of a tendon: efforts along many joints of one tree or two.

use burgess_dynamics::{ImpulseResponse, Tendon, Workspace};

use super::{ContactSpace, Row, RowSide};
use crate::constraint_solver::contact_problem::Law;
use crate::world::World;

impl ContactSpace {
    /// Adds the row of a tendon; target and softness are the caller's to set. `k = 0` if nothing moves along it.
    pub fn add_tendon(
        &mut self,
        world: &World,
        workspace: &Workspace,
        response: &mut ImpulseResponse,
        tendon: &Tendon,
    ) -> &mut Row {
        let mut sides = [RowSide::Nothing; 2];
        let trees = world.trees_of_tendon(tendon);
        for (side, tree) in sides.iter_mut().zip(trees.into_iter().flatten()) {
            *side = self.tendon_side(world, workspace, response, tendon, tree);
        }
        let [a, b] = sides;
        let k = self.own_entry(&a, &a) + self.own_entry(&b, &b);
        let law = Law::Bilateral;
        self.rows.push(Row { a, b, law, k, softness: 0.0, target: 0.0, start: None, impulse: 0.0, slot: u32::MAX });
        self.rows.last_mut().expect("was pushed")
    }

    fn tendon_side(
        &mut self,
        world: &World,
        workspace: &Workspace,
        response: &mut ImpulseResponse,
        tendon: &Tendon,
        tree: usize,
    ) -> RowSide {
        let dofs = &world.trees()[tree].dofs;
        let (entries, start) = (self.entries.len(), dofs.start);
        self.entries.resize(entries + 2 * dofs.len(), 0.0);
        let (j, m_inverse_j) = self.entries[entries..].split_at_mut(dofs.len());
        for part in tendon.parts.iter().filter(|part| dofs.contains(&part.dof)) {
            j[part.dof - start] += part.coefficient;
            response.drive(world.model(), part.dof, part.coefficient);
        }
        response.propagate(world.model(), workspace);
        m_inverse_j.copy_from_slice(&response.joint_velocities()[dofs.clone()]);
        RowSide::Tree { start: start as u32, dofs: dofs.len() as u32, entries: entries as u32, carried: 0.0 }
    }
}
