//! Audit of a trial: energy and momentum must not come from nowhere, whatever evolution has found.
//!
//! ```text
//!   energy     B = E - W      E: kinetic, gravitational and spring energy of all that moves
//!                             W: work of the muscles, effort times angle, axis by axis; what they lose with speed is
//!                                a loss of B
//! ```
//!
//! Friction, drag, damping and impacts only decrease B. Any rise of B within a tenth of a second is energy created by
//! the simulation.
//!
//! ```text
//!   momentum   J = dP - m g dt      impulse of the ground in a step, P: momentum of all that moves
//! ```
//!
//! All contacts with flat ground push up and within their friction cones, so their sum does, too: `|J_xy| <= mu J_z`.
//! Without any contact J is zero. Both hold whatever the solver does. Momentum is audited on flat or no ground, without
//! water and with a free root; elsewhere, external momentum cannot be told apart.

use burgess_simulation::Simulation;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::anatomy::{Anatomy, Axis};
use crate::task::{Ground, Task};

/// Interval over which rises of energy are summed, in s. Springs of limits return their energy within it.
const WINDOW: f64 = 0.1;

/// The audit of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Audit {
    /// Energy created by the simulation, in J.
    pub energy_created: f64,
    /// Positive work of the muscles, in J.
    pub muscle_work: f64,
    /// Sum of horizontal ground impulses beyond friction, and of impulses without a contact, in N s.
    pub impulse_excess: f64,
    /// Sum of all ground impulses, in N s. Steps count at least the impulse of gravity.
    pub impulse: f64,
    /// Maximum depth of a contact, as a fraction of the smaller body's radius.
    pub penetration: f64,
}

impl Audit {
    /// Returns the created energy divided by the muscle work, which is taken as at least 1 J.
    pub fn created_fraction(&self) -> f64 {
        self.energy_created / self.muscle_work.max(1.0)
    }

    /// Returns the impulses beyond friction divided by all impulses, which are taken as at least 1 N s.
    pub fn excess_fraction(&self) -> f64 {
        self.impulse_excess / self.impulse.max(1.0)
    }

    /// Combines two audits: sums are added, maxima are compared.
    pub(super) fn combined(&self, other: &Self) -> Self {
        Self {
            energy_created: self.energy_created + other.energy_created,
            muscle_work: self.muscle_work + other.muscle_work,
            impulse_excess: self.impulse_excess + other.impulse_excess,
            impulse: self.impulse + other.impulse,
            penetration: self.penetration.max(other.penetration),
        }
    }
}

/// Audits a trial step by step.
#[derive(Debug)]
pub(super) struct Auditor {
    audit: Audit,
    axes: Vec<Axis>,
    /// Angle of each axis before the step, in rad.
    angles: Vec<f64>,
    gravity: DVec3,
    /// Whether momentum and depth are audited, too.
    audits_contacts: bool,
    audits_momentum: bool,
    momentum: DVec3,
    /// E - W at the start of the window.
    balance: f64,
    work: f64,
    window: f64,
}

impl Auditor {
    /// Starts an audit when the muscles start. Energy is always audited, momentum and depth only if `audits_contacts`.
    pub fn new<'a>(
        task: &Task,
        audits_contacts: bool,
        simulation: &mut Simulation,
        creatures: impl Iterator<Item = &'a Anatomy>,
    ) -> Self {
        let axes: Vec<Axis> = creatures.flat_map(|anatomy| anatomy.axes.iter().copied()).collect();
        let angles = axes.iter().map(|axis| simulation.state().q[axis.q]).collect();
        let is_plain = matches!(task.arena.ground, Ground::Flat | Ground::None);
        let balance = simulation.energy();
        Self {
            audit: Audit::default(),
            axes,
            angles,
            gravity: simulation.world().model().gravity,
            audits_contacts,
            audits_momentum: audits_contacts && is_plain && task.arena.water.is_none() && !task.start.root_is_fixed,
            momentum: simulation.observables().linear_momentum,
            balance,
            work: 0.0,
            window: 0.0,
        }
    }

    /// Updates the audit after a step of the given duration, in s.
    pub fn step(&mut self, simulation: &mut Simulation, step: f64) {
        self.add_work(simulation);
        self.window += step;
        if self.window >= WINDOW - 0.5 * step {
            self.close_window(simulation);
        }
        if self.audits_momentum {
            self.audit_impulses(simulation, step);
        }
        if self.audits_contacts {
            self.measure_depth(simulation);
        }
    }

    /// Returns the energy created and the positive muscle work so far, in J.
    pub fn energies(&self) -> [f64; 2] {
        [self.audit.energy_created, self.audit.muscle_work]
    }

    fn add_work(&mut self, simulation: &Simulation) {
        for (axis, before) in self.axes.iter().zip(&mut self.angles) {
            let angle = simulation.state().q[axis.q];
            let work = Anatomy::driven_effort(simulation.data(), *axis) * (angle - *before);
            *before = angle;
            self.work += work;
            self.audit.muscle_work += work.max(0.0);
        }
    }

    fn close_window(&mut self, simulation: &mut Simulation) {
        let balance = simulation.energy() - self.work;
        self.audit.energy_created += (balance - self.balance).max(0.0);
        self.balance = balance;
        self.window = 0.0;
    }

    fn audit_impulses(&mut self, simulation: &mut Simulation, step: f64) {
        let totals = simulation.observables();
        let given = totals.linear_momentum - self.momentum - totals.mass * step * self.gravity;
        self.momentum = totals.linear_momentum;
        let grounded = simulation.data().detection.contacts().iter().filter(|contact| {
            let is_fixed = |link: Option<usize>| link.is_none();
            is_fixed(contact.link_a) || is_fixed(contact.link_b)
        });
        let friction = grounded
            .map(|contact| contact.surface.friction)
            .fold(None, |most: Option<f64>, friction| Some(most.map_or(friction, |most| most.max(friction))));
        let sideways = libm::hypot(given.x, given.y);
        self.audit.impulse_excess += match friction {
            Some(friction) => (sideways - friction * given.z.max(0.0)).max(0.0) + (-given.z).max(0.0),
            None => given.length(),
        };
        self.audit.impulse += given.length().max(totals.mass * step * self.gravity.length());
    }

    fn measure_depth(&mut self, simulation: &Simulation) {
        let data = simulation.data();
        for contact in data.detection.contacts() {
            let reach = |collider: u32| data.world.colliders()[collider as usize].reach;
            let smaller = reach(contact.collider_a).min(reach(contact.collider_b));
            self.audit.penetration = self.audit.penetration.max(-contact.distance / smaller);
        }
    }

    /// Closes the last window and returns the audit.
    pub fn finish(mut self, simulation: &mut Simulation) -> Audit {
        self.close_window(simulation);
        self.audit
    }
}
