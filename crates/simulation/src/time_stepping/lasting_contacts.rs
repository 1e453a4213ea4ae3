//! Lasting contacts: the velocities with which a step ends.
//!
//! Given the velocities v* with which the step would end if nothing touched, the solver finds impulses such that the
//! velocities v' with which it does end satisfy, at every contact, Signorini's law `w_n >= -d / h` and Coulomb's with
//! the true cone. Contacts at which joints allow no motion along the normal at all (two legs side by side on parallel
//! hinges) are left out: no finite impulse changes anything there.

use burgess_dynamics::spatial::Motion;
use glam::DVec3;

use super::TimeSteppingSettings;
use super::group_members::GroupMembers;
use super::mid_step::{MidStepContact, at_mid_step, is_between_rigid_bodies};
use super::recovery::{bound_displacement, recover_group, recovery_target};
use super::workless::{self, MeanMotion};
use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::constraint_solver::{
    END_VELOCITY_WEIGHT, MAX_FORCE_SPEED_GAIN, RowContext, RowSlots, VelocitySolver, add_rows, closing_target,
    resting_speed,
};
use crate::contact::{StoredImpulse, WorldContact};
use crate::contact_space::{Anchors, Block, ContactSpace, opening_velocity};
use crate::modules::VelocityConstraints;
use crate::simulation_data::SimulationData;

/// A contact slides throughout the step if it starts faster than friction can slow it in one, times this factor.
const SLIDING_FACTOR: f64 = 4.0;

/// Factor by which a link of a tree may speed up in the step before it bounces, and depth that it may reach in it anyway,
/// relative to the reach of the smaller collider.
const MAX_SPEED_UP: f64 = 2.0;
const MAX_COMING_DEPTH: f64 = 0.02;

/// Energy that contacts may wrongly give in a step, relative to the kinetic energy.
const MAX_GIVEN_SHARE: f64 = 0.1;

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
    /// Mean velocities of the step.
    mean: Vec<f64>,
    /// Impulses of all contacts in the last step.
    last_impulses: Vec<DVec3>,
    /// Impulses from which the solver starts: of all contacts, and of rows by slot.
    start_impulses: Vec<DVec3>,
    start_row_impulses: Vec<f64>,
    /// All contacts at the middle of the step.
    mid_step: Vec<MidStepContact>,
    /// Accelerations of the links at joint accelerations of zero.
    biases: Vec<Motion>,
    /// Scratch of the recovery.
    recovery: Vec<f64>,
    members: GroupMembers,
    /// Whether the laws account for the change of the relative velocities from the middle to the end of the step.
    follows_drift: bool,
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
            mean: Vec::new(),
            last_impulses: Vec::new(),
            start_impulses: Vec::new(),
            start_row_impulses: Vec::new(),
            mid_step: Vec::new(),
            biases: Vec::new(),
            recovery: Vec::new(),
            members: GroupMembers::default(),
            follows_drift: true,
        }
    }

    /// The contact space of the last solve, with its impulses.
    pub fn space(&self) -> &ContactSpace {
        &self.space
    }

    /// Predicts all contacts at the middle of the step.
    fn place_contacts(&mut self, data: &SimulationData, step: f64) {
        self.mid_step.clear();
        let contacts = data.detection.contacts();
        if !contacts.is_empty() || !data.world.constraints().is_empty() {
            data.workspace.bias_accelerations(data.world.model(), &mut self.biases);
        }
        self.mid_step.extend(contacts.iter().map(|contact| at_mid_step(data, &self.biases, contact, step)));
    }

    /// Returns the velocity at which a contact opens at the end of the step, in m/s.
    fn opening_velocity(&self, data: &SimulationData, index: usize, velocities: &[f64]) -> f64 {
        let contact = self.placed(data, index);
        let anchors = Anchors { workspace: &data.workspace, detected: None };
        opening_velocity(&data.world, &anchors, &contact, velocities) + self.mid_step[index].drift.dot(contact.normal)
    }

    /// Returns the velocity at which a contact opens at the end of the step by itself, in m/s. The corners of a body that
    /// turns are accelerated more than by gravity. Slowing them before they bounce would take energy. What forces of
    /// joints accelerate much beyond the velocity at the start is slowed where it would get deep.
    fn coming_velocity(
        &self,
        data: &SimulationData,
        index: usize,
        velocities: &[f64],
        (start, step): (f64, f64),
    ) -> f64 {
        let contact = &data.detection.contacts()[index];
        let coming = self.opening_velocity(data, index, velocities);
        if is_between_rigid_bodies(data, contact) {
            return coming;
        }
        let reaches = contact.reaches(&data.world).into_iter().filter(|reach| *reach > 0.0);
        let depth = MAX_COMING_DEPTH * reaches.fold(f64::INFINITY, f64::min);
        coming.max((MAX_SPEED_UP * start).min(-(contact.distance.max(0.0) + depth) / step))
    }

    /// Returns a contact with its place at the middle of the step.
    fn placed(&self, data: &SimulationData, index: usize) -> WorldContact {
        let MidStepContact { point, normal, .. } = self.mid_step[index];
        WorldContact { point, normal, ..data.detection.contacts()[index] }
    }

    /// Leaves out contacts that carried no impulse and whose gap stays open by itself, where only one tree moves.
    fn find_idle(&mut self, data: &SimulationData, velocities: &[f64], step: f64) {
        let is_alone = is_alone(data);
        let mut idle = std::mem::take(&mut self.idle);
        idle.clear();
        idle.extend(data.detection.contacts().iter().enumerate().map(|(index, contact)| {
            is_alone
                && contact.distance > 0.0
                && self.last_impulses[index] == DVec3::ZERO
                && self.opening_velocity(data, index, velocities) * step > -contact.distance
        }));
        self.idle = idle;
    }

    /// Returns whether the gap of a contact that was left out closes.
    fn has_closed(&self, data: &SimulationData, velocities: &[f64], step: f64) -> bool {
        let mut idle = data.detection.contacts().iter().enumerate().filter(|(index, _)| self.idle[*index]);
        idle.any(|(index, contact)| {
            // Overlapping contacts are left out only where nothing can move.
            contact.distance > 0.0
                && self.opening_velocity(data, index, velocities) * step < -contact.distance * (1.0 + 1e-9)
        })
    }

    /// Solves all contacts of the space.
    fn solve(&mut self, data: &mut SimulationData, velocities: &mut [f64]) {
        for group in 0..data.detection.groups().len() {
            self.members.select(data, group, &self.idle);
            let Self { space, solver, members, .. } = self;
            let flies = |&block: &u32| data.bouncing[block as usize] && space.normal_excess(block as usize) >= 0.0;
            if data.sleeps(group) || members.rows.is_empty() && members.blocks.iter().all(flies) {
                continue;
            }
            solver.solve(space, &members.blocks, &members.rows);
        }
        self.space.store(&data.world, &data.workspace, velocities);
        data.statistics.solver.add(&std::mem::take(&mut self.solver.work));
    }

    fn build_space(&mut self, data: &SimulationData, velocities: &[f64], step: f64) {
        let bounce_speed = self.settings.bounce_speed(data, step);
        let resting = resting_speed(data.world.model(), step);
        let anchors = Anchors { workspace: &data.workspace, detected: None };
        self.space.begin(&data.world, &data.workspace, velocities);
        let start = MeanMotion { world: &data.world, workspace: &data.workspace, mean: &data.state.v, step };
        for (index, contact) in data.detection.contacts().iter().enumerate() {
            if self.idle[index] {
                self.space.add_idle(contact);
                continue;
            }
            let placed = self.placed(data, index);
            if self.space.add_contact(&data.world, &anchors, &placed).is_immovable() {
                self.idle[index] = true;
                continue;
            }
            let (distance, drift) = (contact.distance, self.mid_step[index].drift);
            let velocity = workless::contact_velocity(&start, &self.space, index);
            let target = if data.bouncing[index] {
                // It may come as far as it does by itself: it bounces in the next step.
                let coming = self.coming_velocity(data, index, velocities, (velocity.dot(placed.normal), step));
                coming.min(-distance.max(0.0) / step - bounce_speed)
            } else {
                closing_target(distance, (velocity - drift).dot(placed.normal), step, resting)
            };
            let block = &mut self.space.blocks[index];
            block.target = target;
            if !data.bouncing[index] && distance < 0.0 {
                block.recovery = recovery_target(&self.settings, data, distance, step);
            }
            if self.follows_drift {
                block.drift = drift_of_law(block, drift, velocity, self.last_impulses[index]);
            } else {
                block.target = block.target.min(0.0);
            }
            block.impulse = self.start_impulses[index];
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
            biases: Some(&self.biases),
            impulses: &data.row_impulses,
            held_limits: &data.held_limits,
            recovery_speed: self.settings.recovery_speed,
            push: MAX_FORCE_SPEED_GAIN,
        };
        add_rows(&context, &mut self.space);
        for row in &mut self.space.rows {
            row.impulse = self.start_row_impulses[row.slot as usize];
        }
        self.members.sort_rows(data, &self.space);
    }

    /// Finds the energy that contacts and constraints have given to trees though they do no work.
    fn measure_work(&mut self, data: &mut SimulationData, step: f64) {
        self.mean.clear();
        self.mean.extend(data.state.v.iter().zip(&data.end_velocities).map(|(start, end)| 0.5 * (start + end)));
        let motion = MeanMotion { world: &data.world, workspace: &data.workspace, mean: &self.mean, step };
        data.given_energy.fill(0.0);
        for index in 0..data.detection.contacts().len() {
            if !self.idle[index] && !data.bouncing[index] {
                // A contact of the same pair that is new lands.
                let MidStepContact { drift, is_followed, .. } = self.mid_step[index];
                let kept = (self.last_impulses[index] != DVec3::ZERO && is_followed, drift.length());
                workless::add_contact(&motion, &self.space, index, kept, &mut data.given_energy);
            }
        }
        for row in &self.space.rows {
            let lasts = data.row_impulses[row.slot as usize] != 0.0;
            workless::add_row(&motion, row, lasts, &mut data.given_energy);
        }
    }

    /// Returns whether contacts have wrongly given much energy. Where links are jammed, a small drift can demand huge
    /// impulses.
    fn gives_much(&self, data: &SimulationData, step: f64) -> bool {
        let given: f64 = data.given_energy.iter().sum();
        if given <= 0.0 {
            return false;
        }
        let model = data.world.model();
        let mass: f64 = model.links().iter().map(|link| link.inertia.mass).sum();
        let falling = 0.5 * mass * model.gravity.length_squared() * step * step;
        given > MAX_GIVEN_SHARE * (data.kinetic_energy() + falling)
    }

    /// Holds the contacts by the velocities at the end of the step alone, which never gives energy.
    fn hold_without_drift(&mut self, data: &mut SimulationData, step: f64) {
        data.end_velocities.copy_from_slice(&self.free);
        self.start_impulses.fill(DVec3::ZERO);
        self.start_row_impulses.fill(0.0);
        self.follows_drift = false;
        self.hold_from_start(data, step);
        self.follows_drift = true;
    }

    /// Displaces the bodies of all groups so that penetration and errors of constraints shrink.
    fn recover_groups(&mut self, data: &SimulationData) {
        for group in (0..data.detection.groups().len()).filter(|group| !data.sleeps(*group)) {
            self.members.select(data, group, &self.idle);
            recover_group(&mut self.space, &self.members, &mut self.recovery);
        }
    }

    /// Stores the impulses of contacts and rows, from which the next step starts.
    fn store_impulses(&self, data: &mut SimulationData) {
        for record in data.pairs.caches_mut() {
            record.impulses.clear();
        }
        for (index, contact) in data.detection.contacts().iter().enumerate() {
            let impulse = if data.bouncing[index] { DVec3::ZERO } else { self.space.blocks[index].impulse };
            if impulse != DVec3::ZERO {
                let record = data.pairs.cache_mut(contact.pair as usize);
                record.impulses.push(StoredImpulse { id: contact.id, impulse });
            }
        }
        data.row_impulses.fill(0.0);
        for row in &self.space.rows {
            data.row_impulses[row.slot as usize] = row.impulse;
        }
        let slots = RowSlots::new(&data.world);
        for limit in &data.held_limits {
            data.row_impulses[slots.limit(limit.dof) as usize] = limit.impulse;
        }
    }

    /// Changes the velocities so that contacts and rows hold, from the start impulses.
    fn hold_from_start(&mut self, data: &mut SimulationData, step: f64) {
        let mut velocities = std::mem::take(&mut data.end_velocities);
        self.place_contacts(data, step);
        self.find_idle(data, &velocities, step);
        self.free.clear();
        self.free.extend_from_slice(&velocities);
        self.build_space(data, &velocities, step);
        self.solve(data, &mut velocities);
        if self.has_closed(data, &velocities, step) {
            // Impulses elsewhere have closed a gap that would have stayed open.
            velocities.copy_from_slice(&self.free);
            self.idle.fill(false);
            self.build_space(data, &velocities, step);
            self.solve(data, &mut velocities);
        }
        data.end_velocities = velocities;
    }
}

impl VelocityConstraints for LastingContacts {
    fn hold(&mut self, data: &mut SimulationData, step: f64) {
        let last = |contact: &WorldContact| data.pairs.record(contact.pair as usize).impulse(&contact.id);
        self.last_impulses.clear();
        self.last_impulses.extend(data.detection.contacts().iter().map(last));
        self.start_impulses.clone_from(&self.last_impulses);
        self.start_row_impulses.clone_from(&data.row_impulses);
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

    fn recover(&mut self, data: &mut SimulationData, step: f64) -> bool {
        self.measure_work(data, step);
        if self.gives_much(data, step) {
            self.hold_without_drift(data, step);
            self.measure_work(data, step);
        }
        self.store_impulses(data);
        self.recover_groups(data);
        let SimulationData { world, workspace, displacement, .. } = data;
        let displaces = self.space.store_displacement(world, workspace, displacement);
        if displaces {
            bound_displacement(data, self.settings.recovery_speed, step);
        }
        displaces
    }

    fn residuals(&self, data: &SimulationData) -> ContactResiduals {
        let lasting = |&index: &usize| !data.bouncing.get(index).copied().unwrap_or(false);
        self.space.residuals((0..self.space.blocks().len()).filter(lasting))
    }
}

/// Returns what the law of a contact adds to its relative velocity at the middle of the step, from its drift, its
/// velocity at the start (m/s) and its last impulse (N s). Friction opposes the slip at the end of the step, or the mean
/// slip, along which the bodies move, if the contact slides throughout: where the slip turns, its direction at the end is
/// half a step ahead. The law depends on the direction only, which is that of the sum of the slips at both ends.
fn drift_of_law(block: &Block, drift: DVec3, start: DVec3, last_impulse: DVec3) -> DVec3 {
    let Block { normal, friction, k, .. } = block;
    let slip = start.reject_from_normalized(*normal);
    let change = friction * last_impulse.dot(*normal) * (k.x_axis.x + k.y_axis.y + k.z_axis.z);
    let slides = change > 0.0 && slip.length_squared() > (SLIDING_FACTOR * change) * (SLIDING_FACTOR * change);
    if slides { *normal * drift.dot(*normal) + slip } else { drift }
}

/// Returns whether exactly one tree moves.
fn is_alone(data: &SimulationData) -> bool {
    let mut moving = data.world.trees().iter().filter(|tree| !tree.is_fixed);
    moving.next().is_some() && moving.next().is_none()
}
