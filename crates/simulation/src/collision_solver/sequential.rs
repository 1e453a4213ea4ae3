//! Sequential impulses (004 section 2.1.4): one collision after the other, by any law.
//!
//! Visits the contacts in the envelope to and fro; each that approaches gets the impulse of the law, found from its own
//! collision matrix and the velocities that the impulses before it left. Joint limits are collisions without bounce. This
//! ends when nothing approaches. A blow travels through bodies that touch, as it does in nature: in a row of equal elastic
//! balls the last one leaves with the speed of the first.
//!
//! The order of a visit is turned round from call to call, because a fixed order of micro-collisions makes bodies spin
//! (000 section 3.10). A contact is boosted once in a call at most, so that a body between two others does not swing up.
//!
//! Impulses may go to and fro without end (a ball between two walls, inelastic stacks: geometric series). After a bound
//! of visits, all that still approaches is stopped by one simultaneous solve without restitution.

use std::sync::Arc;

use burgess_dynamics::ImpulseResponse;
use glam::DVec3;

use super::envelope::rows_of_group;
use super::{CollisionLaw, Envelope};
use crate::constraint_solver::VelocitySolver;
use crate::contact_space::{Anchors, ContactSpace};
use crate::modules::CollisionSolver;
use crate::stage::Stage;

/// Visits of all contacts in one call.
const VISITS: usize = 40;

/// One collision after the other.
#[derive(Debug, Clone)]
pub struct SequentialImpulses {
    /// What a collision does.
    pub law: Arc<dyn CollisionLaw>,
    /// What a collision is.
    pub envelope: Envelope,
    space: ContactSpace,
    response: ImpulseResponse,
    stopper: VelocitySolver,
    /// The contacts in the envelope.
    colliding: Vec<u32>,
    /// By contact: has it been boosted in this call?
    boosted: Vec<bool>,
    blocks: Vec<u32>,
    rows: Vec<u32>,
    /// Is the next call's first visit from the last contact to the first?
    backwards: bool,
}

impl SequentialImpulses {
    /// By a law, for contacts in an envelope.
    pub fn new(stage: &Stage, law: Arc<dyn CollisionLaw>, envelope: Envelope) -> Self {
        Self {
            law,
            envelope,
            space: ContactSpace::default(),
            response: ImpulseResponse::new(stage.world.model()),
            stopper: VelocitySolver::default(),
            colliding: Vec::new(),
            boosted: Vec::new(),
            blocks: Vec::new(),
            rows: Vec::new(),
            backwards: false,
        }
    }

    /// One visit of all contacts and limits. Returns the number of impulses.
    fn visit(&mut self, stage: &Stage, backwards: bool) -> usize {
        let count = self.colliding.len();
        let mut impulses = 0;
        for place in 0..count {
            let contact = self.colliding[if backwards { count - 1 - place } else { place }];
            impulses += usize::from(self.collide(stage, contact as usize));
        }
        for row in 0..self.space.rows().len() {
            impulses += usize::from(self.stop_at_limit(row));
        }
        impulses
    }

    /// The collision of one contact, if it is one.
    fn collide(&mut self, stage: &Stage, index: usize) -> bool {
        let (k, normal) = (self.space.blocks()[index].k, self.space.blocks()[index].normal);
        let velocity = self.space.relative_velocity(index);
        let speed = -velocity.dot(normal);
        if speed <= self.envelope.tolerance() {
            return false;
        }
        let contact = &stage.detection.contacts()[index];
        let parameters = self.envelope.parameters(contact, speed, !self.boosted[index]);
        let impulse = self.law.impulse(&k, velocity, normal, &parameters);
        self.boosted[index] = true;
        self.space.apply(index, impulse);
        impulse != DVec3::ZERO
    }

    fn stop_at_limit(&mut self, row: usize) -> bool {
        let (velocity, k) = (self.space.row_velocity(row), self.space.rows()[row].k);
        let moves_in = velocity < -self.envelope.tolerance() && k > 0.0;
        if moves_in {
            self.space.apply_row(row, -velocity / k);
        }
        moves_in
    }

    /// Stops what still approaches, group by group, without restitution.
    fn stop(&mut self, stage: &Stage) -> usize {
        let tolerance = self.envelope.tolerance();
        let mut impulses = 0;
        for group in stage.detection.groups().iter() {
            self.blocks.clear();
            let inside = |&&contact: &&u32| self.envelope.holds(&stage.detection.contacts()[contact as usize]);
            self.blocks.extend(group.contacts.iter().filter(inside));
            rows_of_group(&self.space, &stage.world, group.bodies, &mut self.rows);
            let Self { space, blocks, rows, stopper, .. } = self;
            let normal_speed = |&b: &u32| space.relative_velocity(b as usize).dot(space.blocks()[b as usize].normal);
            let approaches = blocks.iter().any(|block| normal_speed(block) < -tolerance)
                || rows.iter().any(|&row| space.row_velocity(row as usize) < -tolerance);
            if approaches {
                stopper.solve(space, blocks, rows);
                impulses += blocks.len();
            }
        }
        impulses
    }
}

impl CollisionSolver for SequentialImpulses {
    fn resolve(&mut self, stage: &mut Stage, _step: f64) -> usize {
        if !self.envelope.anything_collides(stage) {
            return 0;
        }
        stage.factor_inertias();
        let anchors = Anchors { workspace: &stage.workspace, detected: stage.detection.anchors() };
        self.space.begin(&stage.world, &stage.workspace, &stage.state.v);
        self.colliding.clear();
        for (index, contact) in stage.detection.contacts().iter().enumerate() {
            self.space.add_contact(&stage.world, &anchors, &mut self.response, contact);
            if self.envelope.holds(contact) {
                self.colliding.push(index as u32);
            }
        }
        self.envelope.add_limits(stage, &mut self.space, &mut self.response);
        self.boosted.clear();
        self.boosted.resize(stage.detection.contacts().len(), false);
        let mut impulses = 0;
        for visit in 0..=VISITS {
            let struck =
                if visit < VISITS { self.visit(stage, self.backwards ^ (visit % 2 == 1)) } else { self.stop(stage) };
            impulses += struck;
            if struck == 0 {
                break;
            }
        }
        self.backwards = !self.backwards;
        self.space.store(&stage.world, &mut stage.state.v);
        impulses
    }

    fn memory(&self) -> Vec<f64> {
        vec![f64::from(u8::from(self.backwards))]
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.backwards = memory.first().is_some_and(|&backwards| backwards != 0.0);
    }
}
