//! Arrivals: collisions at the start of a step.
//!
//! Contacts that would be passed within the step change v at once, before any force has acted: a contact with gap d may
//! close no faster than `d / h`. Where surfaces bounce, pairs of bodies collide one after the other
//! ([`bounce`](super::bounce)); what still approaches then is stopped by one solve of the group.

use burgess_dynamics::State;

use super::TimeSteppingSettings;
use super::bounce::bounce_pairs;
use super::group_members::GroupMembers;
use crate::constraint_solver::contact_problem::Law;
use crate::constraint_solver::{
    MAX_COLLISION_SPEED_GAIN, MAX_FORCE_SPEED_GAIN, RowContext, VelocitySolver, add_rows, any_constraint_torn,
    any_limit_passed,
};
use crate::contact::WorldContact;
use crate::contact_space::{Anchors, ContactSpace};
use crate::modules::CollisionSolver;
use crate::simulation_data::SimulationData;

/// Maximum number of times that a step detects contacts again after bodies have bounced. What meets later is found in
/// the next step, overlapping.
const MAX_REBOUNDS: usize = 16;

/// Maximum factor by which the velocities of a linkage grow when it becomes taut.
const MAX_TAUT_FACTOR: f64 = 1.5;

/// Constraints that separate faster than the tolerance of arrivals times this factor have been struck.
const TORN_FACTOR: f64 = 10.0;

/// The collision solver of time stepping.
#[derive(Debug, Clone)]
pub struct Arrivals {
    settings: TimeSteppingSettings,
    space: ContactSpace,
    solver: VelocitySolver,
    /// Whether each contact is ignored because no impulse can move it.
    idle: Vec<bool>,
    members: GroupMembers,
    /// The contacts of two bodies that collide.
    pair: Vec<u32>,
    /// Pairs that bounced in the last call.
    bounces: usize,
}

impl Arrivals {
    /// Creates a solver with the given settings.
    pub fn new(settings: TimeSteppingSettings) -> Self {
        Self {
            settings,
            space: ContactSpace::default(),
            solver: VelocitySolver::new(settings.solver),
            idle: Vec::new(),
            members: GroupMembers::default(),
            pair: Vec::new(),
            bounces: 0,
        }
    }

    /// Resolves the collisions of the detected contacts once: changes the velocities of the state, and marks contacts
    /// that bounce in [`SimulationData::bouncing`]. The workspace must be at the positions of the state. Returns the
    /// number of collisions.
    pub fn resolve_once(&mut self, data: &mut SimulationData, step: f64) -> usize {
        self.mark_bouncing(data, step);
        self.bounces = 0;
        let arrival = arrival(data, step);
        if arrival == Arrival::Nothing {
            return 0;
        }
        data.factor_inertias_here();
        if arrival == Arrival::TautLoop {
            return self.tighten_loops(data, step);
        }
        let mut collisions = self.collide(data, step, MAX_FORCE_SPEED_GAIN) + self.bounces;
        let State { q, v, .. } = &data.state;
        if any_limit_passed(data.world.model(), q, v, step, arrival_tolerance(data, step)) {
            // The collision has carried a joint on to a limit that seemed far.
            data.state.v.copy_from_slice(&self.space.v);
            self.bounces = 0;
            collisions = self.collide(data, step, MAX_COLLISION_SPEED_GAIN) + self.bounces;
        }
        data.statistics.solver.add(&std::mem::take(&mut self.solver.work));
        collisions
    }

    /// Stops constraints from separating that were closed in the last step and that nothing has struck: those of a
    /// linkage that becomes taut within a step. Such constraints do no work, so the kinetic energy stays the same.
    fn tighten_loops(&mut self, data: &mut SimulationData, step: f64) -> usize {
        let before = data.kinetic_energy();
        let collisions = self.collide(data, step, MAX_FORCE_SPEED_GAIN);
        data.statistics.solver.add(&std::mem::take(&mut self.solver.work));
        data.update_kinematics();
        let after = data.kinetic_energy();
        if after > 0.0 && before > after {
            let factor = (before / after).sqrt().min(MAX_TAUT_FACTOR);
            data.state.v.iter_mut().for_each(|v| *v *= factor);
        }
        collisions
    }

    /// Marks contacts with restitution that approach fast enough.
    fn mark_bouncing(&mut self, data: &mut SimulationData, step: f64) {
        let threshold = self.settings.bounce_speed(data, step);
        let SimulationData { detection, workspace, bouncing, .. } = data;
        bouncing.clear();
        bouncing.extend(
            detection
                .contacts()
                .iter()
                .map(|contact| contact.surface.restitution > 0.0 && contact.opening_speed(workspace) < -threshold),
        );
    }

    /// Resolves collisions together with all limits that joints reach within the step, at their velocities or at the
    /// speed `push`. Returns the number of contacts that were stopped.
    fn collide(&mut self, data: &mut SimulationData, step: f64, push: f64) -> usize {
        self.build_space(data, step, push);
        let tolerance = arrival_tolerance(data, step);
        let mut collisions = 0;
        for group in 0..data.detection.groups().len() {
            if data.sleeps(group) {
                continue;
            }
            self.members.select(data, group, &self.idle);
            if !self.group_arrives(tolerance) {
                continue;
            }
            let threshold = self.settings.bounce_speed(data, step);
            let Self { space, solver, members, pair, bounces, .. } = self;
            *bounces += bounce_pairs(data, space, solver, (&members.blocks, pair), (threshold, step));
            if self.group_arrives(tolerance) {
                self.solver.solve(&mut self.space, &self.members.blocks, &self.members.rows);
                collisions += self.members.blocks.len();
            }
        }
        self.space.store(&data.world, &data.workspace, &mut data.state.v);
        collisions
    }

    fn build_space(&mut self, data: &SimulationData, step: f64, push: f64) {
        let anchors = Anchors { workspace: &data.workspace, detected: Some(data.detection.anchors()) };
        self.space.begin(&data.world, &data.workspace, &data.state.v);
        self.idle.clear();
        for contact in data.detection.contacts() {
            let block = self.space.add_contact(&data.world, &anchors, contact);
            block.target = -contact.distance.max(0.0) / step;
            self.idle.push(block.is_immovable());
        }
        let context = RowContext {
            world: &data.world,
            workspace: &data.workspace,
            q: &data.state.q,
            v: &data.state.v,
            step,
            link_poses: data.detection.link_poses(),
            start_velocities: &data.state.v,
            weight: None,
            biases: None,
            impulses: &[],
            held_limits: &[],
            recovery_speed: 0.0,
            push,
        };
        add_rows(&context, &mut self.space);
        // The impulse of a spring is negligible next to that of a collision.
        self.space.rows.retain(|row| row.softness == 0.0);
        self.members.sort_rows(data, &self.space);
    }

    /// Returns whether anything in the selected group still approaches too fast.
    fn group_arrives(&self, tolerance: f64) -> bool {
        let passes = |row: u32| {
            let excess = self.space.row_velocity(row as usize) - self.space.rows[row as usize].target;
            match self.space.rows[row as usize].law {
                Law::Unilateral => excess < -tolerance,
                Law::Bilateral => excess.abs() > TORN_FACTOR * tolerance,
                _ => false,
            }
        };
        self.members.blocks.iter().any(|&block| self.space.normal_excess(block as usize) < -tolerance)
            || self.members.rows.iter().any(|&row| passes(row))
    }
}

impl CollisionSolver for Arrivals {
    fn resolve(&mut self, data: &mut SimulationData, step: f64) -> usize {
        data.decide_rest();
        let mut collisions = self.resolve_once(data, step);
        for _ in 0..MAX_REBOUNDS {
            if self.bounces == 0 {
                break;
            }
            // Bodies that bounced may now approach others that they did not before.
            data.update_kinematics();
            data.detect_again();
            data.decide_rest();
            collisions += self.resolve_once(data, step);
        }
        collisions
    }
}

/// Approach speed below which contacts are left to the constraint solver, in m/s.
fn arrival_tolerance(data: &SimulationData, step: f64) -> f64 {
    0.25 * data.world.model().gravity.length() * step + 1e-9
}

/// What needs an impulse at the start of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Nothing,
    /// Constraints of a linkage in which nothing collides.
    TautLoop,
    Collision,
}

fn arrival(data: &SimulationData, step: f64) -> Arrival {
    let tolerance = arrival_tolerance(data, step);
    let arrives =
        |contact: &WorldContact| contact.opening_speed(&data.workspace) < -contact.distance.max(0.0) / step - tolerance;
    let State { q, v, .. } = &data.state;
    let collides =
        data.detection.contacts().iter().any(arrives) || any_limit_passed(data.world.model(), q, v, step, tolerance);
    let is_torn = || any_constraint_torn(data, TORN_FACTOR * tolerance);
    if collides {
        Arrival::Collision
    } else if !is_torn() {
        Arrival::Nothing
    } else if data.world.trees().len() == 1 && data.constraints_held() {
        Arrival::TautLoop
    } else {
        Arrival::Collision
    }
}
