//! Sequential impulses (Erleben 2002, section 2.1.4): one collision after the other, by any law.
//! Visits the contacts in the envelope back and forth. Each that approaches gets the impulse of the law, computed from
//! its own collision matrix and the velocities that the previous impulses left. Joint limits are collisions without
//! bounce. This ends when nothing approaches. An impact propagates through touching bodies as in reality: in a row of
//! equal elastic balls the last one leaves with the speed of the first.
//! The start and direction of a visit change from call to call, because a fixed order of micro-collisions makes bodies
//! spin (Fontijne 2000, section 3.10). A contact is boosted at most once per call, and by its own approach speed, not
//! by what the boosts of its neighbours add to that: otherwise stacks would oscillate. Contacts inside the envelope
//! must not only stop approaching but separate slowly (see [`Envelope`]).
//! A body on a slope would creep: it flies freely between micro-collisions, and each only stops it (Mirtich and Canny
//! 1995 reverse its slip instead). Here a micro-collision returns what the contact has crept, as far as friction allows.
//!
//! Impulses may alternate without end (a ball between two walls, inelastic stacks: geometric series). After a maximum
//! number of visits, all that still approaches is stopped by one simultaneous solve without restitution.

use std::sync::Arc;

use burgess_simulation::constraint_solver::{VelocitySolver, VelocitySolverSettings};
use burgess_simulation::contact_space::{Anchors, Block, ContactSpace};
use burgess_simulation::modules::CollisionSolver;
use burgess_simulation::{SimulationData, StoredStretch};
use glam::DVec3;

use super::envelope::{Leaving, rows_of_group};
use super::{CollisionLaw, Envelope, ImpactParameters};

/// Maximum number of visits of all contacts in one call.
const MAX_VISITS: usize = 20;

/// Resolves one collision after the other.
#[derive(Debug, Clone)]
pub struct SequentialImpulses {
    /// Law of a single collision.
    pub law: Arc<dyn CollisionLaw>,
    /// Definition of a collision.
    pub envelope: Envelope,
    space: ContactSpace,
    stopper: VelocitySolver,
    /// Contacts in the envelope.
    colliding: Vec<u32>,
    /// Required separation speeds of each contact.
    leaving: Vec<Leaving>,
    /// How far each contact has crept, in m, a vector in the world.
    creep: Vec<DVec3>,
    /// Time of the last call, in s.
    last: f64,
    blocks: Vec<u32>,
    rows: Vec<u32>,
    /// Number of calls, which determines where the next visit starts and in which direction it goes.
    calls: u64,
}

/// Calls are counted modulo this number, so that the count is exact as an f64.
const CALL_MODULUS: u64 = 1 << 32;

impl SequentialImpulses {
    /// Creates a solver with a law for contacts in an envelope.
    pub fn new(law: Arc<dyn CollisionLaw>, envelope: Envelope) -> Self {
        // Contacts slower than the tolerance rest, so no higher accuracy is needed.
        let tolerance = 0.5 * envelope.tolerance();
        let sweeps = MAX_VISITS as u32;
        let settings = VelocitySolverSettings { direct_rows: 0, sweeps, tolerance, ..Default::default() };
        Self {
            law,
            envelope,
            space: ContactSpace::default(),
            stopper: VelocitySolver::new(settings),
            colliding: Vec::new(),
            leaving: Vec::new(),
            creep: Vec::new(),
            last: 0.0,
            blocks: Vec::new(),
            rows: Vec::new(),
            calls: 0,
        }
    }

    /// Visits all contacts and limits once. Returns the number of impulses.
    fn visit(&mut self, data: &SimulationData, number: usize) -> usize {
        let count = self.colliding.len();
        // Multiples of the golden ratio: neither start nor direction repeat with a period.
        let order = self.calls.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (backwards, start) = ((order >> 63) as usize ^ (number & 1) == 1, (order >> 32) as usize);
        let mut impulses = 0;
        for place in 0..count {
            let place = if backwards { count - 1 - place } else { place };
            let contact = self.colliding[(start + place) % count];
            impulses += usize::from(self.collide(data, contact as usize));
        }
        for row in 0..self.space.rows().len() {
            impulses += usize::from(self.stop_at_limit(row));
        }
        impulses
    }

    /// Resolves the collision of one contact. Returns whether there was one.
    fn collide(&mut self, data: &SimulationData, index: usize) -> bool {
        let (k, normal) = (self.space.blocks()[index].k, self.space.blocks()[index].normal);
        let velocity = self.space.relative_velocity(index);
        let contact = &data.detection.contacts()[index];
        let (speed, recovery) = (-velocity.dot(normal), self.leaving[index].least);
        if speed + recovery <= self.envelope.tolerance() {
            return false;
        }
        let surface = &contact.surface;
        let leaving = (surface.restitution * speed).max(std::mem::replace(&mut self.leaving[index].first, recovery));
        // Relative to something that moves at the recovery speed, separating that fast is standing still.
        let parameters = ImpactParameters {
            restitution: (leaving - recovery) / (speed + recovery),
            tangential_restitution: surface.tangential_restitution,
            friction: surface.friction,
        };
        let aim = normal * recovery - self.creep[index] * self.envelope.creep_rate();
        let impulse = self.law.impulse(&k, velocity - aim, normal, &parameters);
        self.space.apply(index, impulse);
        impulse != DVec3::ZERO
    }

    fn stop_at_limit(&mut self, row: usize) -> bool {
        let k = self.space.rows()[row].k;
        let velocity = self.space.row_velocity(row) - self.space.rows()[row].target;
        let moves_in = velocity < -self.envelope.tolerance() && k > 0.0;
        if moves_in {
            self.space.apply_row(row, -velocity / k);
        }
        moves_in
    }

    /// Stores how far contacts in the envelope have crept, and forgets the others.
    fn remember_creep(&self, data: &mut SimulationData) {
        for record in data.pairs.caches_mut() {
            record.stretches.clear();
        }
        for &index in &self.colliding {
            let contact = &data.detection.contacts()[index as usize];
            let stored = StoredStretch { id: contact.id, stretch: self.creep[index as usize] };
            data.pairs.cache_mut(contact.pair as usize).stretches.push(stored);
        }
    }

    /// Stops what still approaches, group by group, without restitution.
    fn stop(&mut self, data: &SimulationData) -> usize {
        let tolerance = self.envelope.tolerance();
        let mut impulses = 0;
        for group in data.detection.groups().iter() {
            self.blocks.clear();
            let inside = |&&contact: &&u32| self.envelope.holds(&data.detection.contacts()[contact as usize]);
            self.blocks.extend(group.contacts.iter().filter(inside));
            rows_of_group(&self.space, group.bodies, &mut self.rows);
            let Self { space, blocks, rows, stopper, leaving, .. } = self;
            for &block in &*blocks {
                space.set_target(block as usize, leaving[block as usize].least);
            }
            let excess = |&block: &u32| {
                let Block { normal, target, .. } = space.blocks()[block as usize];
                space.relative_velocity(block as usize).dot(normal) - target
            };
            let row_excess = |&row: &u32| space.row_velocity(row as usize) - space.rows()[row as usize].target;
            let approaches = blocks.iter().map(excess).chain(rows.iter().map(row_excess)).any(|e| e < -tolerance);
            if approaches {
                stopper.solve(space, blocks, rows);
                impulses += blocks.len();
            }
        }
        impulses
    }
}

impl CollisionSolver for SequentialImpulses {
    fn resolve(&mut self, data: &mut SimulationData, _step: f64) -> usize {
        if !self.envelope.anything_collides(data) {
            return 0;
        }
        data.accelerate();
        let anchors = Anchors { workspace: &data.workspace, detected: Some(data.detection.anchors()) };
        self.space.begin(&data.world, &data.workspace, &data.state.v);
        self.colliding.clear();
        self.leaving.clear();
        self.creep.clear();
        let elapsed = (data.state.time - self.last).max(0.0);
        self.last = data.state.time;
        for (index, contact) in data.detection.contacts().iter().enumerate() {
            self.space.add_contact(&data.world, &anchors, contact);
            let velocity = self.space.relative_velocity(index);
            self.leaving.push(self.envelope.leaving(data, contact, velocity));
            self.creep.push(self.envelope.creep(data, contact, velocity, elapsed));
            if self.envelope.holds(contact) {
                self.colliding.push(index as u32);
            }
        }
        self.envelope.add_limits(data, &mut self.space);
        let mut impulses = 0;
        for visit in 0..=MAX_VISITS {
            let struck = if visit < MAX_VISITS { self.visit(data, visit) } else { self.stop(data) };
            impulses += struck;
            if struck == 0 {
                break;
            }
        }
        self.calls = (self.calls + 1) % CALL_MODULUS;
        self.remember_creep(data);
        self.space.store(&data.world, &data.workspace, &mut data.state.v);
        impulses
    }

    fn memory(&self) -> Vec<f64> {
        vec![self.calls as f64, self.last]
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.calls = memory.first().map_or(0, |&calls| calls as u64);
        self.last = memory.get(1).copied().unwrap_or(0.0);
    }
}
