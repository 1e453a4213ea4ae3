//! Lasting contacts: the velocities with which a step ends.
//!
//! Given the velocities v* with which the step would end if nothing touched, the solver finds impulses at the middle of
//! the step such that the velocities v' with which it does end satisfy, at every contact, the laws of Signorini and of
//! Coulomb with the true cone, for the velocity `s + drift` (see [`contact_motion`](super::contact_motion)):
//!
//! - a gap d at the middle may close until the middle of the next step: `s_n >= -d / h`. A contact that lasts holds its
//!   gap and closes it slowly.
//! - a contact that overlaps at the middle lands, if it is new: it stops, and the recovery moves it back to where it
//!   closed. One that lasts is moved apart slowly.
//!
//! Contacts that fly, and those at which joints allow no motion along the normal at all (two legs side by side on
//! parallel hinges), are left out.

use glam::DVec3;

use super::TimeSteppingSettings;
use super::contact_motion::ContactMotion;
use super::energy_balance::EnergyBalance;
use super::group_members::GroupMembers;
use super::recovery::{bound_displacement, recover_group, recovery_target};
use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::constraint_solver::{
    END_VELOCITY_WEIGHT, MAX_FORCE_SPEED_GAIN, RowContext, RowMemory, VelocitySolver, add_rows, landing_speed,
};
use crate::contact::{StoredImpulse, WorldContact};
use crate::contact_space::{Anchors, Block, ContactSpace, opening_velocity};
use crate::modules::VelocityConstraints;
use crate::simulation_data::SimulationData;

/// A contact slides throughout the step if it starts faster than friction can slow it in one, times this factor.
const SLIDING_FACTOR: f64 = 4.0;

/// Share of the gap of a lasting contact that closes in a step, at rest and where the contact moves over the surfaces: there
/// gaps open and close by themselves, and closing them takes energy from the motion.
const CLOSING_SHARE: f64 = 0.05;
const MOVING_CLOSING_SHARE: f64 = 0.005;

/// The constraint solver of time stepping.
#[derive(Debug, Clone)]
pub struct LastingContacts {
    settings: TimeSteppingSettings,
    space: ContactSpace,
    solver: VelocitySolver,
    /// Whether each contact is ignored.
    idle: Vec<bool>,
    /// Velocities without contacts.
    free: Vec<f64>,
    /// Impulses from which the solver starts: of all contacts, and of rows by slot.
    start_impulses: Vec<DVec3>,
    start_row_impulses: Vec<f64>,
    /// Scratch of the recovery.
    recovery: Vec<f64>,
    members: GroupMembers,
    energy: EnergyBalance,
}

impl LastingContacts {
    /// Creates a solver with the given settings.
    pub fn new(settings: TimeSteppingSettings) -> Self {
        Self {
            settings,
            space: ContactSpace::default(),
            solver: VelocitySolver::new(settings.solver),
            idle: Vec::new(),
            free: Vec::new(),
            start_impulses: Vec::new(),
            start_row_impulses: Vec::new(),
            recovery: Vec::new(),
            members: GroupMembers::default(),
            energy: EnergyBalance::default(),
        }
    }

    /// The contact space of the last solve, with its impulses.
    pub fn space(&self) -> &ContactSpace {
        &self.space
    }

    /// Leaves out contacts that fly, and those that carried no impulse and whose gap stays open by itself, where only one
    /// tree moves.
    fn find_idle(&mut self, data: &SimulationData, velocities: &[f64], step: f64) {
        let is_alone = is_alone(data);
        self.idle.clear();
        self.idle.extend(data.detection.contacts().iter().zip(&data.contact_motions).map(|(contact, motion)| {
            motion.flies || is_alone && !motion.lasts && opens(data, contact, velocities, step)
        }));
    }

    /// Returns whether the gap of a contact that was left out closes.
    fn has_closed(&self, data: &SimulationData, velocities: &[f64], step: f64) -> bool {
        let contacts = data.detection.contacts().iter().zip(&data.contact_motions).zip(&self.idle);
        let mut open = contacts.filter(|((contact, motion), idle)| **idle && !motion.flies && contact.distance > 0.0);
        open.any(|((contact, _), _)| !opens(data, contact, velocities, step))
    }

    /// Solves all contacts of the space.
    fn solve(&mut self, data: &mut SimulationData, velocities: &mut [f64]) {
        for group in 0..data.detection.groups().len() {
            self.members.select(data, group, &self.idle);
            if data.sleeps(group) || self.members.is_empty() {
                continue;
            }
            self.solver.solve(&mut self.space, &self.members.blocks, &self.members.rows);
        }
        self.space.store(&data.world, &data.workspace, velocities);
        data.statistics.solver.add(&std::mem::take(&mut self.solver.work));
    }

    fn build_space(&mut self, data: &SimulationData, velocities: &[f64], step: f64) {
        let anchors = Anchors { workspace: &data.workspace, detected: None };
        self.space.begin(&data.world, &data.workspace, velocities);
        for (index, (contact, motion)) in data.detection.contacts().iter().zip(&data.contact_motions).enumerate() {
            if self.idle[index] {
                self.space.add_idle(contact);
                continue;
            }
            let block = self.space.add_contact(&data.world, &anchors, contact);
            if block.is_immovable() {
                self.idle[index] = true;
                continue;
            }
            let gap = motion.start_gap(contact, step);
            let share = match (motion.lasts, motion.drift == DVec3::ZERO) {
                (false, _) => 1.0,
                (true, true) => CLOSING_SHARE,
                (true, false) => MOVING_CLOSING_SHARE,
            };
            block.target = -share * gap.max(0.0) / step;
            let landing = if motion.lasts { 0.0 } else { landing_speed(gap, motion.closing_speed(contact), step) };
            block.recovery = recovery_target(&self.settings, data.world.model(), gap, step).max(landing);
            block.impulse = self.start_impulses[index];
            block.drift = drift_of_law(block, motion);
        }
        let context = RowContext {
            world: &data.world,
            workspace: &data.workspace,
            q: &data.state.q,
            v: velocities,
            step,
            link_poses: data.detection.link_poses(),
            start_velocities: &data.state.v,
            weight: Some(END_VELOCITY_WEIGHT),
            memory: Some(RowMemory {
                start: &data.start_positions,
                impulses: &data.row_impulses,
                velocities: &data.row_velocities,
                rests: &data.row_rests,
                passed: 0.5 * step + data.memory_age,
                share: if data.whole_step > 0.0 { step / data.whole_step } else { 1.0 },
            }),
            recovery_speed: self.settings.recovery_speed,
            push: MAX_FORCE_SPEED_GAIN,
        };
        add_rows(&context, &mut self.space);
        for row in &mut self.space.rows {
            row.impulse = self.start_row_impulses[row.slot as usize];
        }
        self.members.sort_rows(data, &self.space);
    }

    /// Displaces the bodies of all groups so that penetration and errors of constraints shrink.
    fn recover_groups(&mut self, data: &SimulationData) {
        for group in (0..data.detection.groups().len()).filter(|group| !data.sleeps(*group)) {
            self.members.select(data, group, &self.idle);
            recover_group(&mut self.space, &self.members, &mut self.recovery);
        }
    }

    /// Stores the impulses and velocities of contacts and rows, for the next step.
    fn store(&mut self, data: &mut SimulationData, step: f64) {
        self.space.take_velocities_of_bodies(&data.world, &data.end_velocities);
        for record in data.pairs.caches_mut() {
            record.impulses.clear();
        }
        for (index, contact) in data.detection.contacts().iter().enumerate() {
            let block = &self.space.blocks[index];
            if block.impulse != DVec3::ZERO {
                let velocity = self.space.relative_velocity(index) - block.drift;
                let record = data.pairs.cache_mut(contact.pair as usize);
                let (impulse, motion) = (block.impulse, &data.contact_motions[index]);
                let rests = [motion.rest, motion.last_rest];
                record.impulses.push(StoredImpulse { id: contact.id, impulse, velocity, rests });
            }
        }
        data.row_impulses.fill(0.0);
        data.row_velocities.fill(f64::INFINITY);
        data.row_rests.fill([0.0; 2]);
        for (index, row) in self.space.rows.iter().enumerate() {
            data.row_impulses[row.slot as usize] = row.impulse;
            let lasts = row.impulse != 0.0;
            data.row_velocities[row.slot as usize] = if lasts { self.space.row_velocity(index) } else { f64::INFINITY };
            data.row_rests[row.slot as usize] = row.rests;
        }
        (data.last_part, data.memory_age) = (step, 0.5 * step);
    }

    /// Changes the velocities so that contacts and rows hold, from the start impulses.
    fn hold_from_start(&mut self, data: &mut SimulationData, step: f64) {
        let mut velocities = std::mem::take(&mut data.end_velocities);
        self.find_idle(data, &velocities, step);
        self.free.clear();
        self.free.extend_from_slice(&velocities);
        self.build_space(data, &velocities, step);
        self.solve(data, &mut velocities);
        if self.has_closed(data, &velocities, step) {
            // Impulses elsewhere have closed a gap that would have stayed open.
            velocities.copy_from_slice(&self.free);
            self.idle.clear();
            self.idle.extend(data.contact_motions.iter().map(|motion| motion.flies));
            self.build_space(data, &velocities, step);
            self.solve(data, &mut velocities);
        }
        data.end_velocities = velocities;
    }
}

impl VelocityConstraints for LastingContacts {
    fn hold(&mut self, data: &mut SimulationData, step: f64) {
        // Time controls that do not drift to the middle of the step know no motions of contacts.
        data.contact_motions.resize(data.detection.contacts().len(), ContactMotion::default());
        let ratio = if data.last_part > 0.0 { step / data.last_part } else { 1.0 };
        let last = |contact: &WorldContact| data.pairs.record(contact.pair as usize).impulse(&contact.id) * ratio;
        self.start_impulses.clear();
        self.start_impulses.extend(data.detection.contacts().iter().map(last));
        self.start_row_impulses.clear();
        self.start_row_impulses.extend(data.row_impulses.iter().map(|impulse| impulse * ratio));
        self.hold_from_start(data, step);
        data.statistics.held_seconds = step;
    }

    fn hold_again(&mut self, data: &mut SimulationData, step: f64) {
        for (start, block) in self.start_impulses.iter_mut().zip(self.space.blocks()) {
            *start = block.impulse;
        }
        for row in self.space.rows() {
            self.start_row_impulses[row.slot as usize] = row.impulse;
        }
        self.hold_from_start(data, step);
    }

    fn assess_energy(&mut self, data: &mut SimulationData, step: f64) -> f64 {
        self.energy.assess(data, &self.space, step)
    }

    fn correct_energy(&mut self, data: &mut SimulationData, step: f64) {
        self.energy.correct(data, step);
    }

    fn recover(&mut self, data: &mut SimulationData, step: f64) -> bool {
        self.store(data, step);
        self.recover_groups(data);
        let SimulationData { world, workspace, displacement, .. } = data;
        let displaces = self.space.store_displacement(world, workspace, displacement);
        if displaces {
            bound_displacement(data, self.settings.recovery_speed, step);
        }
        displaces
    }

    fn residuals(&self, data: &SimulationData) -> ContactResiduals {
        let held = |&index: &usize| !data.contact_motions.get(index).is_some_and(|motion| motion.flies);
        self.space.residuals((0..self.space.blocks().len()).filter(held))
    }
}

/// Returns whether a gap stays open until the middle of the next step.
fn opens(data: &SimulationData, contact: &WorldContact, velocities: &[f64], step: f64) -> bool {
    let anchors = Anchors { workspace: &data.workspace, detected: None };
    contact.distance > 0.0
        && opening_velocity(&data.world, &anchors, contact, velocities) * step > -contact.distance * (1.0 + 1e-9)
}

/// Returns what the law of a contact adds to its relative velocity at the middle of the step. Friction opposes the slip at
/// the end of the step, or the mean slip, along which the bodies move, if the contact slides throughout: where the slip
/// turns, its direction at the end is half a step ahead. The law depends on the direction only, which is that of the sum
/// of the slips at both ends.
fn drift_of_law(block: &Block, motion: &ContactMotion) -> DVec3 {
    let Block { normal, friction, k, impulse, .. } = block;
    let slip = motion.velocity.reject_from_normalized(*normal);
    let change = friction * impulse.dot(*normal) * (k.x_axis.x + k.y_axis.y + k.z_axis.z);
    let slides = change > 0.0 && slip.length_squared() > (SLIDING_FACTOR * change) * (SLIDING_FACTOR * change);
    if slides { *normal * motion.law_drift.dot(*normal) + slip } else { motion.law_drift }
}

/// Returns whether exactly one tree moves.
fn is_alone(data: &SimulationData) -> bool {
    let mut moving = data.world.trees().iter().filter(|tree| !tree.is_fixed);
    moving.next().is_some() && moving.next().is_none()
}
