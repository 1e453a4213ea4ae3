//! Penalty forces for a whole world (Erleben 2002, section 3.2): every overlapping contact gets the springs of the
//! [`penalty_law`](super::penalty_law), implicit over the step.
//! The law of a contact is linear in the velocity at the end of the step, which depends on the forces at all other
//! contacts. The forces are computed together by sweeping: contact after contact takes its law's force with all others
//! fixed,
//!
//! ```text
//!   p_i <- h f_i(w_i - A_ii p_i),   f_i the law over a step with the mass 1 / A_ii,   w_i its velocity under all p
//! ```
//!
//! which converges to `f_i = f_0 - G w_i` at every contact, clamped and within its cone. The springs make the problem
//! well-conditioned, so a few sweeps suffice; it is stable for every step and any number of contacts.
//! Joint limits, dry friction of joints, and all constraints are not springs: they are rows of the same sweeps at the
//! velocity level, as in time stepping. Spring constraints are soft rows. Since the forces are constant over a step,
//! they are of first order: a pendulum on a pin gains one per cent of its energy in a second at steps of 1 ms.
//! There are no collisions: bodies that meet overlap, and springs push them back, with the restitution of their
//! surfaces to about 0.1. Bodies sink in by a few times `g h^2`. A body that crosses a thin wall within one step is not
//! stopped; use a short step.

use burgess_simulation::constraint_solver::{
    END_VELOCITY_WEIGHT, MAX_FORCE_SPEED_GAIN, RowContext, add_rows, solve_row,
};
use burgess_simulation::contact_space::{Anchors, ContactSpace};
use burgess_simulation::{SimulationData, StoredImpulse, StoredStretch, Surface, WorldError};
use glam::DVec3;

use super::penalty_law::{PenaltyContact, PenaltyLaw};
use super::unconstrained_motion::UnconstrainedMotion;
use crate::constraint_solver::complementarity::ContactForceError;
use crate::modules::{ForceConstraints, ForceMoment};

/// Stiffness of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum PenaltySpring {
    /// As stiff as the step and the masses allow: see [`PenaltyLaw::stable`].
    #[default]
    Stable,
    /// The same everywhere. Restitution then follows from these numbers, not from the surfaces.
    Given {
        /// Stiffness, in N/m.
        stiffness: f64,
        /// In N s/m.
        damping: f64,
    },
}

/// Settings of penalty forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenaltySettings {
    /// Stiffness of contacts.
    pub spring: PenaltySpring,
    /// Maximum number of sweeps over all contacts and rows.
    pub sweeps: u32,
    /// Velocity change at which sweeping ends, in m/s.
    pub tolerance: f64,
    /// Maximum speed at which errors of constraints are corrected, in m/s.
    pub recovery_speed: f64,
}

impl Default for PenaltySettings {
    fn default() -> Self {
        Self { spring: PenaltySpring::Stable, sweeps: 100, tolerance: 1e-10, recovery_speed: 1.0 }
    }
}

/// A contact in the sweeps.
#[derive(Debug, Clone, Copy)]
struct SoftContact {
    /// Index among the contacts of the detection.
    contact: u32,
    law: PenaltyLaw,
    depth: f64,
    normal_mass: f64,
    tangential_mass: f64,
    /// Stretch at the start of the step.
    stretch: DVec3,
    /// Stretch at the end of the step.
    stretched: DVec3,
}

/// Computes penalty forces. Besides settings it holds only scratch memory.
#[derive(Debug, Clone)]
pub struct Penalty {
    settings: PenaltySettings,
    free: UnconstrainedMotion,
    space: ContactSpace,
    contacts: Vec<SoftContact>,
}

impl Penalty {
    /// Allocates memory for a world. Returns an error for invalid settings.
    pub fn new(data: &SimulationData, settings: PenaltySettings) -> Result<Self, WorldError> {
        if let PenaltySpring::Given { stiffness, damping } = settings.spring {
            PenaltyLaw::new(stiffness, damping, 0.0).map_err(|error| WorldError::OutOfRange {
                what: error.what.to_string(),
                expected: error.expected,
                found: error.found,
            })?;
        }
        WorldError::unless(settings.sweeps > 0, "the number of sweeps", "at least 1", 0.0)?;
        WorldError::unless_not_negative("the tolerance of penalty forces", settings.tolerance)?;
        WorldError::unless_not_negative("the recovery speed", settings.recovery_speed)?;
        Ok(Self {
            settings,
            free: UnconstrainedMotion::new(data),
            space: ContactSpace::default(),
            contacts: Vec::new(),
        })
    }

    /// Returns the spring settings of a contact; `None` where nothing can move.
    fn law(&self, surface: &Surface, mass: f64, at: &ForceMoment) -> Option<PenaltyLaw> {
        match self.settings.spring {
            PenaltySpring::Stable => {
                let Surface { restitution, friction, .. } = *surface;
                PenaltyLaw::stable_in_pieces(mass, at.whole_step, at.step, restitution, friction).ok()
            }
            PenaltySpring::Given { stiffness, damping } => {
                PenaltyLaw::new(stiffness, damping, surface.friction).ok().filter(|_| mass.is_finite())
            }
        }
    }

    fn add_contacts(&mut self, at: &ForceMoment) {
        self.contacts.clear();
        let anchors = Anchors { workspace: &self.free.workspace, detected: Some(at.detection.anchors()) };
        for (index, contact) in at.detection.contacts().iter().enumerate() {
            if contact.distance >= 0.0 {
                continue;
            }
            let block = self.space.add_contact(at.world, &anchors, contact);
            let (normal, k) = (contact.normal, block.k);
            let along = normal.dot(k * normal);
            let trace = k.x_axis.x + k.y_axis.y + k.z_axis.z;
            // At least the larger tangential response, so that friction never overshoots.
            let across = (trace - along).max(along * 1e-6);
            let Some(law) = self.law(&contact.surface, 1.0 / along, at) else {
                self.space.drop_last_contact();
                continue;
            };
            let stretch = at.pairs.record(contact.pair as usize).stretch(&contact.id);
            self.contacts.push(SoftContact {
                contact: index as u32,
                law,
                depth: -contact.distance,
                normal_mass: 1.0 / along,
                tangential_mass: 1.0 / across,
                stretch,
                stretched: stretch,
            });
        }
    }

    fn sweep(&mut self, step: f64) -> (u32, f64) {
        let mut change = 0.0_f64;
        for sweep in 0..self.settings.sweeps {
            change = 0.0;
            for row in 0..self.space.rows().len() {
                change = change.max(solve_row(&mut self.space, row));
            }
            for block in 0..self.contacts.len() {
                change = change.max(self.solve_contact(block, step));
            }
            if change <= self.settings.tolerance {
                return (sweep + 1, change);
            }
        }
        (self.settings.sweeps, change)
    }

    /// Applies the law's force of one contact with all others fixed. Returns the change of its velocity.
    fn solve_contact(&mut self, index: usize, step: f64) -> f64 {
        let soft = &mut self.contacts[index];
        let block = &self.space.blocks()[index];
        let (impulse, normal) = (block.impulse, block.normal);
        let (along, across) = (impulse.project_onto_normalized(normal), impulse.reject_from_normalized(normal));
        let own = along / soft.normal_mass + across / soft.tangential_mass;
        let velocity = self.space.relative_velocity(index) - own;
        let SoftContact { depth, normal_mass, tangential_mass, .. } = *soft;
        let contact = PenaltyContact { normal, depth, velocity, normal_mass, tangential_mass };
        soft.stretched = soft.stretch;
        let found = soft.law.contact_force(&contact, step, &mut soft.stretched) * step;
        let change = found - impulse;
        let response = (block.k * change).length();
        self.space.set_impulse(index, found);
        self.space.apply(index, change);
        response
    }

    fn remember(&self, at: &mut ForceMoment) {
        at.statistics.held_seconds = at.step;
        for record in at.pairs.caches_mut() {
            record.stretches.clear();
            record.impulses.clear();
        }
        for (soft, block) in self.contacts.iter().zip(self.space.blocks()) {
            let contact = &at.detection.contacts()[soft.contact as usize];
            let record = at.pairs.cache_mut(contact.pair as usize);
            record.stretches.push(StoredStretch { id: contact.id, stretch: soft.stretched });
            record.impulses.push(StoredImpulse {
                id: contact.id,
                impulse: block.impulse,
                velocity: glam::DVec3::INFINITY,
                rests: [glam::DVec3::ZERO; 2],
            });
        }
        at.row_impulses.fill(0.0);
        for row in self.space.rows() {
            at.row_impulses[row.slot as usize] = row.impulse;
        }
    }
}

impl ForceConstraints for Penalty {
    fn efforts(&mut self, mut at: ForceMoment, efforts: &mut [f64]) -> Result<(), ContactForceError> {
        self.free.find(&at);
        self.space.begin(at.world, &self.free.workspace, &self.free.velocities);
        self.add_contacts(&at);
        let context = RowContext {
            world: at.world,
            workspace: &self.free.workspace,
            q: at.moment.q,
            v: &self.free.velocities,
            step: at.step,
            link_poses: at.detection.link_poses(),
            start_velocities: at.moment.v,
            weight: Some(END_VELOCITY_WEIGHT),
            memory: None,
            recovery_speed: self.settings.recovery_speed,
            push: MAX_FORCE_SPEED_GAIN,
        };
        add_rows(&context, &mut self.space);
        let (sweeps, change) = self.sweep(at.step);
        at.statistics.solver.sweeps += sweeps;
        at.statistics.solver.residual = at.statistics.solver.residual.max(change);
        for block in 0..self.space.blocks().len() {
            let force = self.space.blocks()[block].impulse / at.step;
            self.space.add_efforts(at.world, &self.free.workspace, block, force, efforts);
        }
        for row in 0..self.space.rows().len() {
            let force = self.space.rows()[row].impulse / at.step;
            self.space.add_row_efforts(at.world, &self.free.workspace, row, force, efforts);
        }
        if at.first {
            self.remember(&mut at);
        }
        Ok(())
    }

    fn margin(&self) -> f64 {
        0.0
    }
}
