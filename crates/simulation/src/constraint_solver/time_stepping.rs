//! Velocity-level time stepping with hard contacts: the default constraint solver.
//!
//! A step of h seconds from positions q and velocities v, with contacts found at q, has two solves on the contact-space
//! operator.
//!
//! **Arrivals** ([`TimeStepping::arrive`]): contacts that would be passed within the step are collisions. They change v at
//! once, before any force has acted: a contact with gap d may close no faster than `d / h`. Where surfaces bounce, pairs of
//! bodies collide one after the other, the fastest first (sequential impulses: a row of balls hands a blow on, as in
//! nature), each pair with all of its contacts at once. The speed after a bounce is that of a body that hits the surface
//! itself, d away, and comes back to where it is now: with a the approaching acceleration of gravity,
//!
//! ```text
//!   w' = sqrt(e^2 (w^2 + 2 a d) - 2 a d)
//! ```
//!
//! so that elastic bodies neither gain nor lose energy, whatever the step, and heights are those of e.
//!
//! **Contacts that last** ([`TimeStepping::hold`]): given the velocities v* with which the step would end if nothing
//! touched, find impulses such that the velocities v' with which it does end satisfy, at every contact, Signorini's law
//! `w_n >= -d / h` and Coulomb's with the true cone. The step then moves along the mean of v (after arrivals) and v', so that
//! smooth motion and sliding friction are exact to second order, and no contact closes by more than its gap.
//!
//! Penetration is taken back with a share of it in each step, never faster than the recovery speed; the velocity that this takes
//! moves bodies in this step and is then forgotten. No axis of a tree moves faster for it than ten times the recovery
//! speed: joints may be so that hardly any motion parts two links (a ball that is hinged near its middle), and then it is
//! better that they stay in each other than that they are flung about. Contacts at which joints allow no motion along the normal
//! at all (two legs side by side on parallel hinges) are left out: no finite impulse changes anything there.

use burgess_dynamics::State;
use burgess_dynamics::joint::Joint;
use glam::DVec3;

use super::contact_problem::{ContactResiduals, Law};
use super::rows::{BLOW, PUSH, RowContext, WEIGHT, add_rows, any_constraint_torn, any_limit_passed};
use super::turning_ground::change_of_slip;
use super::{VelocitySolver, VelocitySolverSettings};
use crate::contact::{StoredImpulse, WorldContact};
use crate::contact_space::{Anchors, Block, ContactSpace, opening_velocity};
use crate::stage::Stage;

/// Collisions of pairs in one step, per contact of the group, before what still approaches is stopped for good.
const COLLISIONS_PER_CONTACT: usize = 8;

/// Penetration up to this share of what gravity covers in a step squared is let be: taking back what rounding and the solver's
/// tolerance leave would push bricks that are wedged between their neighbours for ever.
const SLACK: f64 = 0.05;

/// Penetration that is taken back no faster than this gives bodies no speed to speak of, in m/s.
const NEGLIGIBLE: f64 = 1e-6;

/// No axis is displaced faster than the recovery speed times this, in rad/s or m/s for each m/s.
const DISPLACEMENT: f64 = 10.0;

/// Contacts whose normal moves less than this share of all their motion under the same impulse do not move along it.
const IMMOVABLE: f64 = 1e-8;

/// Constraints that come apart this much faster than arrivals are tolerated have been struck.
const TORN: f64 = 10.0;

/// Settings of time stepping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSteppingSettings {
    /// How well and how long to solve.
    pub solver: VelocitySolverSettings,
    /// The fastest that penetration is taken back, in m/s.
    pub recovery_speed: f64,
    /// The share of a penetration that one step takes back.
    pub recovery_share: f64,
    /// Slower than gravity times the step times this, contacts do not bounce.
    pub bounce_threshold: f64,
}

impl Default for TimeSteppingSettings {
    fn default() -> Self {
        let solver = VelocitySolverSettings::default();
        Self { solver, recovery_speed: 1.0, recovery_share: 0.2, bounce_threshold: 2.0 }
    }
}

/// The solver; besides settings it holds scratch.
#[derive(Debug, Clone)]
pub struct TimeStepping {
    /// Its settings.
    pub settings: TimeSteppingSettings,
    space: ContactSpace,
    solver: VelocitySolver,
    /// By contact: may it bounce, so that lasting contact is for it only where something else drives it in?
    bouncing: Vec<bool>,
    /// Pairs that bounced in the last arrivals.
    bounces: usize,
    /// By contact: is it left out?
    idle: Vec<bool>,
    /// Velocities without contacts.
    free: Vec<f64>,
    blocks: Vec<u32>,
    /// The contacts of two bodies that collide.
    pair: Vec<u32>,
    rows: Vec<u32>,
    rows_by_group: Vec<(u32, u32)>,
}

impl TimeStepping {
    /// With these settings.
    pub fn new(settings: TimeSteppingSettings) -> Self {
        Self {
            settings,
            space: ContactSpace::default(),
            solver: VelocitySolver::new(settings.solver),
            bouncing: Vec::new(),
            bounces: 0,
            idle: Vec::new(),
            free: Vec::new(),
            blocks: Vec::new(),
            pair: Vec::new(),
            rows: Vec::new(),
            rows_by_group: Vec::new(),
        }
    }

    /// The contact space of the last solve, with its impulses.
    pub fn space(&self) -> &ContactSpace {
        &self.space
    }

    /// How well the contacts that lasted in the last step obey their laws.
    pub fn residuals(&self) -> ContactResiduals {
        let lasting = |&index: &usize| !self.bouncing.get(index).copied().unwrap_or(false);
        self.space.residuals((0..self.space.blocks().len()).filter(lasting))
    }

    /// Collisions at the start of a step: changes the velocities of the state. The workspace is at the positions of the
    /// state. Returns the number of collisions.
    pub fn arrive(&mut self, stage: &mut Stage, step: f64) -> usize {
        self.mark_bouncing(stage, step);
        self.bounces = 0;
        if !self.anything_arrives(stage, step) {
            return 0;
        }
        stage.factor_inertias_here();
        let collisions = self.collide(stage, step, PUSH);
        let State { q, v, .. } = &stage.state;
        if !any_limit_passed(stage.world.model(), q, v, step, self.arrival_tolerance(stage, step)) {
            return collisions + self.bounces;
        }
        // The blow has carried a joint on to a limit that seemed far.
        stage.state.v.copy_from_slice(&self.space.v);
        self.bounces = 0;
        self.collide(stage, step, BLOW) + self.bounces
    }

    /// Collisions, with all limits that joints reach within the step, as fast as they are or at the speed `push`. Returns the
    /// number of contacts that were stopped.
    fn collide(&mut self, stage: &mut Stage, step: f64, push: f64) -> usize {
        let detected = stage.detection.anchors();
        let anchors = Anchors { workspace: &stage.workspace, detected };
        self.space.begin(&stage.world, &stage.workspace, &stage.state.v);
        self.idle.clear();
        for contact in stage.detection.contacts() {
            let block = self.space.add_contact(&stage.world, &anchors, contact);
            block.target = -contact.distance.max(0.0) / step;
            self.idle.push(is_immovable(block));
        }
        let context = RowContext {
            world: &stage.world,
            workspace: &stage.workspace,
            q: &stage.state.q,
            v: &stage.state.v,
            step,
            link_poses: stage.detection.link_poses(),
            start_velocities: &stage.state.v,
            weight: None,
            recovery_speed: 0.0,
            push,
        };
        add_rows(&context, &mut self.space);
        self.forget_springs();
        self.sort_rows(stage);
        let tolerance = self.arrival_tolerance(stage, step);
        let mut collisions = 0;
        for group in 0..stage.detection.groups().len() {
            if stage.sleeps(group) {
                continue;
            }
            self.gather(stage, group);
            if !self.group_arrives(tolerance) {
                continue;
            }
            self.bounces += self.bounce(stage, step);
            if self.group_arrives(tolerance) {
                self.solver.solve(&mut self.space, &self.blocks, &self.rows);
                collisions += self.blocks.len();
            }
        }
        self.space.store(&stage.world, &stage.workspace, &mut stage.state.v);
        collisions
    }

    /// Has anything bounced in the last arrivals? Then it may be on its way to what it was not going to meet before.
    pub fn bounced(&self) -> bool {
        self.bounces > 0
    }

    /// Contacts that last: changes the velocities with which the step ends. The workspace is where the motion solver left
    /// it, with the factors of the step's inertia.
    ///
    /// `displacing` gets what takes penetration back: the step moves along these velocities, too, but does not end with
    /// them, so that pushing bodies apart gives them no speed. False if there are none.
    pub fn hold(&mut self, stage: &mut Stage, velocities: &mut [f64], displacing: &mut [f64], step: f64) -> bool {
        self.find_idle(stage, velocities, step);
        self.free.clear();
        self.free.extend_from_slice(velocities);
        let displaces = self.hold_closed(stage, velocities, displacing, step);
        if !self.has_closed(stage, velocities, step) {
            self.remember(stage);
            return displaces;
        }
        // What was done elsewhere has closed a gap that would have stayed open.
        velocities.copy_from_slice(&self.free);
        self.idle.fill(false);
        let displaces = self.hold_closed(stage, velocities, displacing, step);
        self.remember(stage);
        displaces
    }

    /// Contacts that carried nothing, and whose gap stays open by itself, are left out at first where a tree is alone.
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

    /// Does a gap close after all that was left out?
    fn has_closed(&self, stage: &Stage, velocities: &[f64], step: f64) -> bool {
        let anchors = Anchors { workspace: &stage.workspace, detected: stage.detection.anchors() };
        let mut idle = stage.detection.contacts().iter().zip(&self.idle).filter(|(_, idle)| **idle);
        idle.any(|(contact, _)| {
            // What overlaps is left out only where nothing can move.
            contact.distance > 0.0
                && opening_velocity(&stage.world, &anchors, contact, velocities) * step
                    < -contact.distance * (1.0 + 1e-9)
        })
    }

    fn hold_closed(&mut self, stage: &mut Stage, velocities: &mut [f64], displacing: &mut [f64], step: f64) -> bool {
        let (recovery_speed, share) = (self.settings.recovery_speed, self.settings.recovery_share);
        let slack = SLACK * stage.world.model().gravity.length() * step * step;
        let bounce_speed = self.bounce_speed(stage, step);
        let anchors = Anchors { workspace: &stage.workspace, detected: stage.detection.anchors() };
        self.space.begin(&stage.world, &stage.workspace, velocities);
        for (index, contact) in stage.detection.contacts().iter().enumerate() {
            if self.idle[index] {
                self.space.add_idle(contact);
                continue;
            }
            let block = self.space.add_contact(&stage.world, &anchors, contact);
            if is_immovable(block) {
                self.idle[index] = true;
                continue;
            }
            let distance = contact.distance;
            block.target = if self.bouncing[index] {
                // It may come as far as it does by itself: it bounces in the next step.
                -distance.max(0.0) / step - bounce_speed
            } else if distance >= 0.0 {
                -distance / step
            } else {
                (share * (-distance - slack).max(0.0) / step).min(recovery_speed)
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
            recovery_speed,
            push: PUSH,
        };
        add_rows(&context, &mut self.space);
        for row in &mut self.space.rows {
            row.impulse = stage.row_impulses[row.slot as usize];
        }
        self.sort_rows(stage);
        for group in 0..stage.detection.groups().len() {
            self.gather(stage, group);
            let flies = |&block: &u32| self.bouncing[block as usize] && self.excess(block as usize) >= 0.0;
            if stage.sleeps(group) || self.rows.is_empty() && self.blocks.iter().all(flies) {
                continue;
            }
            self.solver.solve(&mut self.space, &self.blocks, &self.rows);
            if self.stop_recovering() {
                self.solver.solve_again(&mut self.space, &self.blocks, &self.rows);
            }
        }
        self.space.store(&stage.world, &stage.workspace, velocities);
        stage.statistics.solver.add(&std::mem::take(&mut self.solver.work));
        let displaces = self.space.store_displacement(&stage.world, &stage.workspace, displacing);
        if displaces {
            bound_displacement(stage, displacing, DISPLACEMENT * recovery_speed);
        }
        displaces
    }

    /// Takes the contacts and rows of a group to hand.
    fn gather(&mut self, stage: &Stage, group: usize) {
        self.blocks.clear();
        let contacts = stage.detection.groups().group(group).contacts.iter();
        self.blocks.extend(contacts.filter(|&&contact| !self.idle[contact as usize]));
        self.rows_of_group(group as u32);
    }

    /// Makes contacts and limits that push penetration out only hold. False if none pushes any faster than anybody would see.
    fn stop_recovering(&mut self) -> bool {
        let Self { space, blocks, rows, .. } = self;
        let mut fastest = 0.0_f64;
        for &block in blocks.iter() {
            let target = &mut space.blocks[block as usize].target;
            fastest = fastest.max(*target);
            *target = target.min(0.0);
        }
        for &row in rows.iter() {
            let row = &mut space.rows[row as usize];
            // The target of a spring is its force.
            if row.law == Law::Unilateral && row.softness == 0.0 && row.target > 0.0 {
                fastest = fastest.max(row.target);
                row.target = 0.0;
            }
        }
        fastest > NEGLIGIBLE
    }

    /// Slower than this, contacts do not bounce, in m/s.
    fn bounce_speed(&self, stage: &Stage, step: f64) -> f64 {
        self.settings.bounce_threshold * stage.world.model().gravity.length() * step
    }

    /// Arrivals this slow are left to the contacts that last, in m/s.
    fn arrival_tolerance(&self, stage: &Stage, step: f64) -> f64 {
        0.25 * stage.world.model().gravity.length() * step + 1e-9
    }

    /// Does anything in the present group still come too fast?
    fn group_arrives(&self, tolerance: f64) -> bool {
        let passes = |row: u32| {
            let excess = self.space.row_velocity(row as usize) - self.space.rows[row as usize].target;
            match self.space.rows[row as usize].law {
                Law::Unilateral => excess < -tolerance,
                Law::Bilateral => excess.abs() > TORN * tolerance,
                _ => false,
            }
        };
        self.blocks.iter().any(|&block| self.excess(block as usize) < -tolerance)
            || self.rows.iter().any(|&row| passes(row))
    }

    fn excess(&self, block: usize) -> f64 {
        let Block { normal, target, .. } = self.space.blocks()[block];
        self.space.relative_velocity(block).dot(normal) - target
    }

    /// A contact bounces if it approaches fast enough, until it does so no more.
    fn mark_bouncing(&mut self, stage: &Stage, step: f64) {
        let threshold = self.bounce_speed(stage, step);
        self.bouncing.clear();
        self.bouncing.extend(
            stage.detection.contacts().iter().map(|contact| {
                contact.surface.restitution > 0.0 && contact.opening_speed(&stage.workspace) < -threshold
            }),
        );
    }

    fn anything_arrives(&self, stage: &Stage, step: f64) -> bool {
        let tolerance = self.arrival_tolerance(stage, step);
        let arrives = |contact: &WorldContact| {
            contact.opening_speed(&stage.workspace) < -contact.distance.max(0.0) / step - tolerance
        };
        let State { q, v, .. } = &stage.state;
        stage.detection.contacts().iter().any(arrives)
            || any_limit_passed(stage.world.model(), q, v, step, tolerance)
            || any_constraint_torn(stage, TORN * tolerance)
    }

    /// Sequential impulses between pairs that bounce. Returns their number.
    fn bounce(&mut self, stage: &Stage, step: f64) -> usize {
        let threshold = self.bounce_speed(stage, step);
        let contacts = stage.detection.contacts();
        let budget = COLLISIONS_PER_CONTACT * self.blocks.len();
        let mut collisions = 0;
        let group = std::mem::take(&mut self.blocks);
        let mut pair = std::mem::take(&mut self.pair);
        while collisions < budget {
            let bounces = |&&block: &&u32| contacts[block as usize].surface.restitution > 0.0;
            let arriving = |&block: &u32| (block, self.excess(block as usize));
            let speed = |block: u32| self.space.relative_velocity(block as usize).dot(contacts[block as usize].normal);
            let fastest = group
                .iter()
                .filter(bounces)
                .map(arriving)
                .filter(|&(block, excess)| excess < 0.0 && speed(block) < -threshold)
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((fastest, _)) = fastest else { break };
            let which = contacts[fastest as usize].pair;
            pair.clear();
            pair.extend(group.iter().copied().filter(|&block| contacts[block as usize].pair == which));
            for &block in &pair {
                let contact = &contacts[block as usize];
                let speed = -self.space.relative_velocity(block as usize).dot(contact.normal);
                let slow = -contact.distance.max(0.0) / step;
                let target = if speed > threshold && self.excess(block as usize) < 0.0 {
                    speed_after(stage, contact, speed)
                } else {
                    slow
                };
                self.space.blocks[block as usize].target = target;
                self.space.blocks[block as usize].impulse = DVec3::ZERO;
            }
            self.solver.bounce(&mut self.space, &pair);
            for &block in &pair {
                let contact = &contacts[block as usize];
                self.space.blocks[block as usize].target = -contact.distance.max(0.0) / step;
                self.space.blocks[block as usize].impulse = DVec3::ZERO;
                self.bouncing[block as usize] = true;
            }
            collisions += 1;
        }
        (self.blocks, self.pair) = (group, pair);
        collisions
    }

    /// Springs are forces: next to a collision they are nothing.
    fn forget_springs(&mut self) {
        self.space.rows.retain(|row| row.softness == 0.0);
    }

    /// Rows by the group that they act in.
    fn sort_rows(&mut self, stage: &Stage) {
        self.rows_by_group.clear();
        for (index, row) in self.space.rows.iter().enumerate() {
            let tree = self.space.tree_of_row(row);
            if let Some(group) = tree.and_then(|tree| stage.detection.groups().group_of_body(tree)) {
                self.rows_by_group.push((group as u32, index as u32));
            }
        }
        self.rows_by_group.sort_unstable();
    }

    fn rows_of_group(&mut self, group: u32) {
        let start = self.rows_by_group.partition_point(|entry| entry.0 < group);
        self.rows.clear();
        self.rows.extend(self.rows_by_group[start..].iter().take_while(|entry| entry.0 == group).map(|entry| entry.1));
    }

    fn remember(&self, stage: &mut Stage) {
        for record in stage.pairs.caches_mut() {
            record.impulses.clear();
        }
        for (index, contact) in stage.detection.contacts().iter().enumerate() {
            let impulse = if self.bouncing[index] { DVec3::ZERO } else { self.space.blocks[index].impulse };
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

/// Is there no motion along the normal that an impulse could change?
fn is_immovable(block: &Block) -> bool {
    let k = &block.k;
    let all = k.x_axis.x + k.y_axis.y + k.z_axis.z;
    block.normal.dot(*k * block.normal) <= IMMOVABLE * all
}

/// Slows down trees of which an axis would be displaced faster than a bound.
fn bound_displacement(stage: &Stage, displacing: &mut [f64], bound: f64) {
    for tree in stage.world.trees() {
        let own = &mut displacing[tree.dofs.clone()];
        let fastest = own.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
        if fastest > bound {
            own.iter_mut().for_each(|speed| *speed *= bound / fastest);
        }
    }
}

/// Is there one tree that moves, and no other?
fn is_alone(stage: &Stage) -> bool {
    let mut moving = stage.world.trees().iter().filter(|tree| !tree.is_fixed);
    moving.next().is_some() && moving.next().is_none()
}

/// The speed with which a pair separates where it is now, after it has met at speed `speed`, a gap away.
fn speed_after(stage: &Stage, contact: &WorldContact, speed: f64) -> f64 {
    let falls = |link: Option<usize>| {
        let root = link.map(|link| stage.world.trees()[stage.world.tree_of_link(link)].links.start);
        root.is_some_and(|root| stage.world.model().links()[root].joint == Joint::Free)
    };
    let share = f64::from(u8::from(falls(contact.link_b))) - f64::from(u8::from(falls(contact.link_a)));
    let approaching = -share * stage.world.model().gravity.dot(contact.normal);
    let e = contact.surface.restitution;
    let gain = 2.0 * approaching * contact.distance;
    (e * e * (speed * speed + gain) - gain).max(0.0).sqrt()
}
