//! Lasting contacts: the velocities with which a step ends.
//!
//! Given the velocities v* with which the step would end if nothing touched, the solver finds impulses such that the
//! velocities v' with which it does end satisfy, at every contact, Signorini's law `w_n >= -d / h` and Coulomb's with the true
//! cone. Contacts at which joints allow no motion along the normal at all (two legs side by side on parallel hinges) are left
//! out: no finite impulse changes anything there.

use glam::DVec3;

use super::TimeSteppingSettings;
use super::group_members::GroupMembers;
use super::recovery::{bound_displacement, recovery_target, stop_recovering};
use super::turning_ground::change_of_slip;
use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::constraint_solver::{PUSH, RowContext, VelocitySolver, WEIGHT, add_rows};
use crate::contact::StoredImpulse;
use crate::contact_space::{Anchors, ContactSpace, opening_velocity};
use crate::modules::VelocityConstraints;
use crate::stage::Stage;

/// The constraint solver of time stepping.
#[derive(Debug, Clone)]
pub struct LastingContacts {
    settings: TimeSteppingSettings,
    space: ContactSpace,
    solver: VelocitySolver,
    /// By contact: whether it is left out.
    idle: Vec<bool>,
    /// Velocities without contacts.
    free: Vec<f64>,
    members: GroupMembers,
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
            members: GroupMembers::default(),
        }
    }

    /// The contact space of the last solve, with its impulses.
    pub fn space(&self) -> &ContactSpace {
        &self.space
    }

    /// Leaves out contacts that carried no impulse and whose gap stays open by itself, where only one tree moves.
    fn find_idle(&mut self, stage: &Stage, velocities: &[f64], step: f64) {
        self.idle.clear();
        let is_alone = is_alone(stage);
        let anchors = Anchors { workspace: &stage.workspace, detected: stage.detection.anchors() };
        self.idle.extend(stage.detection.contacts().iter().map(|contact| {
            is_alone
                && contact.distance > 0.0
                && stage.pairs.record(contact.pair as usize).impulse(&contact.id) == DVec3::ZERO
                && opening_velocity(&stage.world, &anchors, contact, velocities) * step > -contact.distance
        }));
    }

    /// Returns whether the gap of a contact that was left out closes.
    fn has_closed(&self, stage: &Stage, velocities: &[f64], step: f64) -> bool {
        let anchors = Anchors { workspace: &stage.workspace, detected: stage.detection.anchors() };
        let mut idle = stage.detection.contacts().iter().zip(&self.idle).filter(|(_, idle)| **idle);
        idle.any(|(contact, _)| {
            // Overlapping contacts are left out only where nothing can move.
            contact.distance > 0.0
                && opening_velocity(&stage.world, &anchors, contact, velocities) * step
                    < -contact.distance * (1.0 + 1e-9)
        })
    }

    /// Solves all contacts that are not left out.
    fn solve(&mut self, stage: &mut Stage, velocities: &mut [f64], step: f64) {
        self.build_space(stage, velocities, step);
        for group in 0..stage.detection.groups().len() {
            self.members.select(stage, group, &self.idle);
            let Self { space, solver, members, .. } = self;
            let flies = |&block: &u32| stage.bouncing[block as usize] && space.normal_excess(block as usize) >= 0.0;
            if stage.sleeps(group) || members.rows.is_empty() && members.blocks.iter().all(flies) {
                continue;
            }
            solver.solve(space, &members.blocks, &members.rows);
            if stop_recovering(space, members) {
                solver.solve_again(space, &members.blocks, &members.rows);
            }
        }
        self.space.store(&stage.world, &stage.workspace, velocities);
        stage.statistics.solver.add(&std::mem::take(&mut self.solver.work));
    }

    fn build_space(&mut self, stage: &Stage, velocities: &[f64], step: f64) {
        let bounce_speed = self.settings.bounce_speed(stage, step);
        let anchors = Anchors { workspace: &stage.workspace, detected: stage.detection.anchors() };
        self.space.begin(&stage.world, &stage.workspace, velocities);
        for (index, contact) in stage.detection.contacts().iter().enumerate() {
            if self.idle[index] {
                self.space.add_idle(contact);
                continue;
            }
            let block = self.space.add_contact(&stage.world, &anchors, contact);
            if block.is_immovable() {
                self.idle[index] = true;
                continue;
            }
            let distance = contact.distance;
            block.target = if stage.bouncing[index] {
                // It may come as far as it does by itself: it bounces in the next step.
                -distance.max(0.0) / step - bounce_speed
            } else if distance >= 0.0 {
                -distance / step
            } else {
                recovery_target(&self.settings, stage, distance, step)
            };
            if let Some(change) = change_of_slip(stage, contact, step) {
                block.add_slip(change);
            }
            block.impulse = stage.pairs.record(contact.pair as usize).impulse(&contact.id);
        }
        let context = RowContext {
            world: &stage.world,
            workspace: &stage.workspace,
            q: &stage.state.q,
            v: velocities,
            step,
            link_poses: stage.detection.link_poses(),
            start_velocities: &stage.state.v,
            weight: Some(WEIGHT),
            recovery_speed: self.settings.recovery_speed,
            push: PUSH,
        };
        add_rows(&context, &mut self.space);
        for row in &mut self.space.rows {
            row.impulse = stage.row_impulses[row.slot as usize];
        }
        self.members.sort_rows(stage, &self.space);
    }

    /// Stores the impulses of contacts and rows, from which the next step starts.
    fn store_impulses(&self, stage: &mut Stage) {
        for record in stage.pairs.caches_mut() {
            record.impulses.clear();
        }
        for (index, contact) in stage.detection.contacts().iter().enumerate() {
            let impulse = if stage.bouncing[index] { DVec3::ZERO } else { self.space.blocks[index].impulse };
            if impulse != DVec3::ZERO {
                let record = stage.pairs.cache_mut(contact.pair as usize);
                record.impulses.push(StoredImpulse { id: contact.id, impulse });
            }
        }
        stage.row_impulses.fill(0.0);
        for row in &self.space.rows {
            stage.row_impulses[row.slot as usize] = row.impulse;
        }
    }
}

impl VelocityConstraints for LastingContacts {
    fn hold(&mut self, stage: &mut Stage, step: f64) {
        let mut velocities = std::mem::take(&mut stage.end_velocities);
        self.find_idle(stage, &velocities, step);
        self.free.clear();
        self.free.extend_from_slice(&velocities);
        self.solve(stage, &mut velocities, step);
        if self.has_closed(stage, &velocities, step) {
            // Impulses elsewhere have closed a gap that would have stayed open.
            velocities.copy_from_slice(&self.free);
            self.idle.fill(false);
            self.solve(stage, &mut velocities, step);
        }
        self.store_impulses(stage);
        stage.end_velocities = velocities;
        stage.statistics.held_seconds = step;
    }

    fn recover(&mut self, stage: &mut Stage, _step: f64) -> bool {
        let Stage { world, workspace, displacement, .. } = stage;
        let displaces = self.space.store_displacement(world, workspace, displacement);
        if displaces {
            bound_displacement(stage, self.settings.recovery_speed);
        }
        displaces
    }

    fn residuals(&self, stage: &Stage) -> ContactResiduals {
        let lasting = |&index: &usize| !stage.bouncing.get(index).copied().unwrap_or(false);
        self.space.residuals((0..self.space.blocks().len()).filter(lasting))
    }
}

/// Returns whether exactly one tree moves.
fn is_alone(stage: &Stage) -> bool {
    let mut moving = stage.world.trees().iter().filter(|tree| !tree.is_fixed);
    moving.next().is_some() && moving.next().is_none()
}
