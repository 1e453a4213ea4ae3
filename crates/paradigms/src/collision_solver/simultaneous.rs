//! Simultaneous impulses (Timchenko 2007, section IV.B.3.b): all collisions of a contact group in one solve.
//! Every contact that approaches along its normal at `-u` must separate at `e u` or faster; every other one in the
//! envelope must not approach. Impulses in the friction cone that achieve this solve the contact problem with those
//! targets. Joint limits are rows of the same problem.
//! Limits: impacts do not propagate. In a row of balls all leave together, whereas in reality (and with
//! [`SequentialImpulses`](super::SequentialImpulses)) only the last one does. For bodies that are hit at several points
//! at once it gives the symmetric solution that sequential impulses only approximate. With friction, Newton's
//! restitution can add energy where slip turns during an eccentric collision.

use burgess_simulation::SimulationData;
use burgess_simulation::constraint_solver::{VelocitySolver, VelocitySolverSettings};
use burgess_simulation::contact_space::{Anchors, ContactSpace};
use burgess_simulation::modules::CollisionSolver;

use super::Envelope;
use super::envelope::{Leaving, rows_of_group};

/// Resolves all collisions of a group at once, with Newton's restitution.
#[derive(Debug, Clone)]
pub struct SimultaneousImpulses {
    /// Definition of a collision.
    pub envelope: Envelope,
    space: ContactSpace,
    solver: VelocitySolver,
    blocks: Vec<u32>,
    rows: Vec<u32>,
}

impl SimultaneousImpulses {
    /// Creates a solver for contacts in an envelope.
    pub fn new(envelope: Envelope, settings: VelocitySolverSettings) -> Self {
        Self {
            envelope,
            space: ContactSpace::default(),
            solver: VelocitySolver::new(settings),
            blocks: Vec::new(),
            rows: Vec::new(),
        }
    }
}

impl CollisionSolver for SimultaneousImpulses {
    fn resolve(&mut self, data: &mut SimulationData, _step: f64) -> usize {
        if !self.envelope.anything_collides(data) {
            return 0;
        }
        data.accelerate();
        let anchors = Anchors { workspace: &data.workspace, detected: Some(data.detection.anchors()) };
        self.space.begin(&data.world, &data.workspace, &data.state.v);
        for contact in data.detection.contacts() {
            self.space.add_contact(&data.world, &anchors, contact);
        }
        self.envelope.add_limits(data, &mut self.space);
        let mut impulses = 0;
        let groups = data.detection.groups();
        for group in groups.iter() {
            self.blocks.clear();
            let mut collides = false;
            for &index in group.contacts {
                let contact = &data.detection.contacts()[index as usize];
                if !self.envelope.holds(contact) {
                    continue;
                }
                let velocity = self.space.relative_velocity(index as usize);
                let speed = -velocity.dot(contact.normal);
                let Leaving { least, first } = self.envelope.leaving(data, contact, velocity);
                let approaches = speed > self.envelope.tolerance() - least;
                self.space.set_target(index as usize, first);
                self.blocks.push(index);
                collides |= approaches;
            }
            rows_of_group(&self.space, group.bodies, &mut self.rows);
            let row_excess = |row: usize| self.space.row_velocity(row) - self.space.rows()[row].target;
            let moves_in = |&row: &u32| row_excess(row as usize) < -self.envelope.tolerance();
            collides |= self.rows.iter().any(moves_in);
            if collides {
                self.solver.solve(&mut self.space, &self.blocks, &self.rows);
                impulses += self.blocks.len() + self.rows.len();
            }
        }
        self.space.store(&data.world, &data.workspace, &mut data.state.v);
        impulses
    }
}
