//! Impacts: collisions at the positions of the state.
//!
//! Velocities change at once, before any force has acted. Contacts that touch take part, and those whose gap would close
//! within the given time. Where surfaces bounce, the fastest pair collides first, so that a row of balls passes a blow
//! on. Pairs that are equally fast collide together, so that a symmetric blow has a symmetric result. What still
//! approaches then is stopped by one solve of the group, together with joint limits, ropes and loops.

use burgess_dynamics::State;

use super::TimeSteppingSettings;
use super::bounce::Bounce;
use super::group_members::GroupMembers;
use crate::constraint_solver::contact_problem::Law;
use crate::constraint_solver::{MAX_FORCE_SPEED_GAIN, RowContext, VelocitySolver, add_rows, any_limit_passed};
use crate::contact::WorldContact;
use crate::contact_space::{Anchors, ContactSpace};
use crate::modules::CollisionSolver;
use crate::simulation_data::SimulationData;

/// Time between two impacts up to which they are simultaneous, relative to the step.
const SIMULTANEOUS_TIME: f64 = 1e-3;

/// Gap up to which bodies touch in any case, in m.
const MIN_TOUCHING_GAP: f64 = 1e-9;

/// Maximum number of times that contacts are detected again after bodies have bounced.
const MAX_REBOUNDS: usize = 16;

/// The collision solver of time stepping.
#[derive(Debug, Clone)]
pub struct Impacts {
    settings: TimeSteppingSettings,
    space: ContactSpace,
    solver: VelocitySolver,
    /// Whether each contact is ignored, because it is out of reach or no impulse can move it.
    idle: Vec<bool>,
    /// Least velocity of every contact with which its gap is not passed, in m/s.
    allowed: Vec<f64>,
    members: GroupMembers,
    /// The contacts that collide at once.
    colliding: Vec<u32>,
}

impl Impacts {
    /// Creates a solver with the given settings.
    pub fn new(settings: TimeSteppingSettings) -> Self {
        Self {
            settings,
            space: ContactSpace::default(),
            solver: VelocitySolver::new(settings.solver),
            idle: Vec::new(),
            allowed: Vec::new(),
            members: GroupMembers::default(),
            colliding: Vec::new(),
        }
    }

    /// Resolves the collisions of the detected contacts that meet within `step` s: changes the velocities of the state.
    /// The workspace must be at the state. Returns the number of contacts that collided.
    pub fn resolve_once(&mut self, data: &mut SimulationData, step: f64) -> usize {
        let tolerance = arrival_tolerance(data);
        let contacts = data.detection.contacts().iter();
        self.allowed.clear();
        self.allowed.extend(contacts.clone().map(|contact| closing_velocity(data, contact, step)));
        let mut pairs = contacts.zip(&self.allowed);
        let arrives = pairs.any(|(contact, allowed)| contact.opening_speed(&data.workspace) < allowed - tolerance);
        let State { q, v, .. } = &data.state;
        let passes = || any_limit_passed(data.world.model(), q, v, step, tolerance);
        if !arrives && data.world.constraints().is_empty() && !passes() {
            return 0;
        }
        data.factor_inertias_here();
        self.build_space(data, step);
        let mut collisions = 0;
        for group in 0..data.detection.groups().len() {
            if data.sleeps(group) {
                continue;
            }
            self.members.select(data, group, &self.idle);
            if !self.group_arrives(tolerance) {
                continue;
            }
            let Self { settings, space, solver, members, colliding, allowed, .. } = self;
            let threshold = settings.bounce_speed(data);
            let mut bounce = Bounce { data, space, solver, members, colliding, threshold, allowed };
            collisions += bounce.run();
            if self.group_arrives(tolerance) {
                self.solver.solve(&mut self.space, &self.members.blocks, &self.members.rows);
                collisions += self.members.blocks.len().max(1);
            }
        }
        if collisions > 0 {
            self.space.store(&data.world, &data.workspace, &mut data.state.v);
        }
        data.statistics.solver.add(&std::mem::take(&mut self.solver.work));
        collisions
    }

    fn build_space(&mut self, data: &SimulationData, step: f64) {
        let anchors = Anchors { workspace: &data.workspace, detected: None };
        self.space.begin(&data.world, &data.workspace, &data.state.v);
        self.idle.clear();
        for (contact, &allowed) in data.detection.contacts().iter().zip(&self.allowed) {
            let is_far = allowed == f64::NEG_INFINITY;
            let block = if is_far {
                self.space.add_idle(contact)
            } else {
                self.space.add_contact(&data.world, &anchors, contact)
            };
            block.target = allowed;
            self.idle.push(is_far || block.is_immovable());
        }
        let context = RowContext {
            world: &data.world,
            workspace: &data.workspace,
            q: &data.state.q,
            v: &data.state.v,
            step: step.max(f64::MIN_POSITIVE),
            link_poses: data.detection.link_poses(),
            start_velocities: &data.state.v,
            weight: None,
            memory: None,
            recovery_speed: 0.0,
            push: MAX_FORCE_SPEED_GAIN,
        };
        add_rows(&context, &mut self.space);
        // The impulse of a spring is negligible next to that of a collision.
        self.space.rows.retain(|row| row.softness == 0.0);
        if step == 0.0 {
            self.keep_closed_rows(data);
        }
        for index in 0..self.space.rows.len() {
            // Loops that hold have a velocity between the middles of two steps.
            let row = &self.space.rows[index];
            if row.law == Law::Bilateral && data.row_impulses[row.slot as usize] != 0.0 {
                self.space.rows[index].target = self.space.row_velocity(index);
            }
        }
        self.members.sort_rows(data, &self.space);
    }

    /// Leaves out ropes and limits whose gap is open: nothing but what touches collides at an instant.
    fn keep_closed_rows(&mut self, data: &SimulationData) {
        let v = &data.state.v;
        let space = &mut self.space;
        for index in 0..space.rows.len() {
            let closing = -space.row_velocity_at(&data.world, &data.workspace, index, v);
            let row = &mut space.rows[index];
            // With no time left the target is the gap over the smallest number.
            let gap = -row.target * f64::MIN_POSITIVE;
            if row.law == Law::Unilateral && gap <= touching_gap(data, closing) {
                row.target = 0.0;
            }
        }
        space.rows.retain(|row| row.law != Law::Unilateral || row.target == 0.0);
    }

    /// Remembers the velocities of rows that hold, for the next step.
    fn remember_row_velocities(&self, data: &mut SimulationData) {
        for (index, row) in self.space.rows.iter().enumerate() {
            let slot = row.slot as usize;
            let lasts = data.row_velocities[slot].is_finite() || row.impulse != 0.0;
            let velocity = self.space.row_velocity(index);
            data.row_velocities[slot] = if lasts { velocity } else { f64::INFINITY };
            data.row_rests[slot] = [0.0; 2];
        }
    }

    /// Returns whether anything in the selected group still approaches too fast.
    fn group_arrives(&self, tolerance: f64) -> bool {
        let passes = |row: u32| {
            let excess = self.space.row_velocity(row as usize) - self.space.rows[row as usize].target;
            match self.space.rows[row as usize].law {
                Law::Unilateral => excess < -tolerance,
                Law::Bilateral => excess.abs() > tolerance,
                _ => false,
            }
        };
        self.members.blocks.iter().any(|&block| self.space.normal_excess(block as usize) < -tolerance)
            || self.members.rows.iter().any(|&row| passes(row))
    }
}

impl CollisionSolver for Impacts {
    fn resolve(&mut self, data: &mut SimulationData, step: f64) -> usize {
        data.decide_rest();
        let mut collisions = 0;
        for _ in 0..=MAX_REBOUNDS {
            let found = self.resolve_once(data, step);
            collisions += found;
            if found == 0 || step == 0.0 {
                break;
            }
            // Bodies that bounced may now approach others that they did not before.
            data.update_kinematics();
            data.detect_again();
            data.decide_rest();
        }
        if collisions > 0 {
            data.update_kinematics();
            data.remember_contact_velocities();
            self.remember_row_velocities(data);
            data.memory_age = 0.0;
        }
        collisions
    }
}

/// Returns the least velocity of a contact with which its gap is not passed within `step` s, in m/s; minus infinity for a
/// gap that is out of reach. Impacts that are closer in time than a share of the step are simultaneous.
fn closing_velocity(data: &SimulationData, contact: &WorldContact, step: f64) -> f64 {
    let speed = -contact.opening_speed(&data.workspace);
    if contact.distance <= touching_gap(data, speed) {
        0.0
    } else if step > 0.0 {
        -contact.distance / step
    } else {
        f64::NEG_INFINITY
    }
}

/// Returns the gap up to which a pair that closes with a speed in m/s touches, in m: that of a fall over one step, because
/// the time of an impact is found without accelerations.
fn touching_gap(data: &SimulationData, closing: f64) -> f64 {
    let (gravity, step) = (data.world.model().gravity.length(), data.whole_step);
    0.5 * gravity * step * step + SIMULTANEOUS_TIME * step * closing.max(0.0) + MIN_TOUCHING_GAP
}

/// Approach speed below which contacts are left to the constraint solver, in m/s.
fn arrival_tolerance(data: &SimulationData) -> f64 {
    0.25 * data.world.model().gravity.length() * data.whole_step + 1e-9
}
