//! Analytical contact forces for a whole world (Erleben 2002, section 3.1; Timchenko 2007, sections IV.B.3.c and d;
//! Arnold 1997, section 2.4.4): the forces that keep touching bodies from accelerating into each other, computed
//! whenever the motion solver requests them.
//! For every contact group, the relative accelerations without contact forces and the response to each force are
//! computed. Then a [`ContactForceSolver`] finds forces that only push, only where contact lasts, within Coulomb's
//! cone.
//!
//! The second derivative of a gap has further terms besides the difference of two accelerations: see
//! [`contact_kinematics`](super::contact_kinematics). A mild feedback is added to it,
//!
//! ```text
//!   d'' + 2 alpha d' + alpha^2 d >= 0       alpha = feedback / usual step
//! ```
//! so that rounding and the integrator's error do not accumulate to penetration, and small gaps close. Slip of a
//! sticking contact is corrected within about a step, as far as the cone allows.
//! This handles lasting contacts. Contacts that approach faster belong to a collision solver. Where no finite forces
//! exist (Painlevé) the motion solver makes the step by impulses.

use super::contact_kinematics::MovingContact;
use super::curvature::radii;
use burgess_simulation::constraint_solver::contact_problem::DenseProblem;
use burgess_simulation::contact_space::{Anchors, ContactSpace, DenseGroup, contact_frame};
use burgess_simulation::{SimulationData, StoredImpulse, WorldContact, WorldError};
use glam::{DMat3, DVec2, DVec3};

use super::acceleration_rows::{AccelerationRow, RowFiller};
use super::analytical_settings::{AnalyticalSettings, ForceMethod};
use super::complementarity::{
    ArnoldIteration, ContactForceError, ContactForceReport, ContactForceSolver, GaussSeidelForces, LemkeForces,
};
use super::group_problem::{GroupContact, GroupProblem};
use super::unconstrained_motion::UnconstrainedMotion;
use crate::modules::{ForceConstraints, ForceMoment};

/// Closing speed above which a contact is a collision, relative to gravity times the usual step.
const COLLISION_SPEED_RATIO: f64 = 2.0;

/// Acceleration (m/s^2) up to which what presses a contact counts as gravity does. Without gravity a motor that presses
/// an arm against a wall would otherwise make every contact a collision or a departure, and none would be held.
const MAX_PRESSING: f64 = 9.81;

/// Allowed violation of the force laws, in m/s^2: the feedback turns it into 1e-9 m.
const TOLERANCE: f64 = 1e-6;

/// Maximum number of sweeps over a group.
const MAX_SWEEPS: usize = 2_000;

/// Violation of the laws above which forces are computed again by sweeping, in m/s^2.
const POOR_RESIDUAL: f64 = 1e-3;

/// Violation of the laws above which forces are useless, in m/s^2: the step is made by impulses instead.
const USELESS_RESIDUAL: f64 = 0.1;

/// The methods with their buffers.
#[derive(Debug, Clone)]
enum Solver {
    Lemke(Box<LemkeForces>),
    GaussSeidel(Box<GaussSeidelForces>),
    Arnold(ArnoldIteration),
}

impl Solver {
    fn new(method: ForceMethod) -> Self {
        match method {
            ForceMethod::Lemke => {
                let mut solver = Box::<LemkeForces>::default();
                solver.tolerance = TOLERANCE;
                Self::Lemke(solver)
            }
            ForceMethod::GaussSeidel => Self::GaussSeidel(Box::new(sweeping())),
            // Its own tolerance is the same.
            ForceMethod::Arnold => Self::Arnold(ArnoldIteration::default()),
        }
    }

    fn as_dyn(&mut self) -> &mut dyn ContactForceSolver {
        match self {
            Self::Lemke(solver) => &mut **solver,
            Self::GaussSeidel(solver) => &mut **solver,
            Self::Arnold(solver) => solver,
        }
    }
}

fn sweeping() -> GaussSeidelForces {
    let mut solver = GaussSeidelForces::default();
    (solver.method.tolerance, solver.method.max_sweeps) = (TOLERANCE, MAX_SWEEPS);
    solver
}

/// Refuses forces that violate the laws grossly, as can happen where a heavy body stands on a light one.
fn useful(report: ContactForceReport) -> Result<ContactForceReport, ContactForceError> {
    let iterations = report.iterations;
    if report.residual <= USELESS_RESIDUAL { Ok(report) } else { Err(ContactForceError::IterationBound { iterations }) }
}

/// A contact that is part of the problem.
#[derive(Debug, Clone, Copy)]
struct Held {
    /// Contact frame: normal and two tangents as columns.
    frame: DMat3,
    numbers: GroupContact,
}

/// Computes analytical contact forces. Besides settings it holds only scratch memory.
#[derive(Debug, Clone)]
pub struct Analytical {
    settings: AnalyticalSettings,
    /// The usual step, in s. Time controls also make shorter ones, which must not make the feedback stiffer.
    step: f64,
    solver: Solver,
    /// Fallback for groups in which the chosen method fails.
    second: GaussSeidelForces,
    free: UnconstrainedMotion,
    space: ContactSpace,
    /// The acceleration that presses contacts together, in m/s^2: gravity, or what replaces it.
    pressing: f64,
    /// Contacts by block of the contact space.
    held: Vec<Held>,
    /// Block of each contact of the detection, if any.
    blocks_of_contacts: Vec<Option<u32>>,
    rows: Vec<AccelerationRow>,
    rows_by_group: Vec<(u32, u32)>,
    group: GroupProblem,
    dense: DenseGroup,
    problem: DenseProblem,
    group_blocks: Vec<u32>,
    group_rows: Vec<u32>,
}

impl Analytical {
    /// Allocates memory for a world that usually moves in steps of `step` s. Returns an error for invalid settings.
    pub fn new(data: &SimulationData, settings: AnalyticalSettings, step: f64) -> Result<Self, WorldError> {
        settings.check(step)?;
        Ok(Self {
            settings,
            step,
            solver: Solver::new(settings.method),
            second: sweeping(),
            free: UnconstrainedMotion::new(data),
            space: ContactSpace::default(),
            pressing: 0.0,
            held: Vec::new(),
            blocks_of_contacts: Vec::new(),
            rows: Vec::new(),
            rows_by_group: Vec::new(),
            group: GroupProblem::default(),
            dense: DenseGroup::default(),
            problem: DenseProblem::default(),
            group_blocks: Vec::new(),
            group_rows: Vec::new(),
        })
    }

    fn add_contacts(&mut self, at: &ForceMoment, rate: f64) {
        self.held.clear();
        self.blocks_of_contacts.clear();
        self.pressing = self.find_pressing(at);
        let (leaves, collides) = (self.pressing / rate, -COLLISION_SPEED_RATIO * self.pressing * self.step - 1e-9);
        for contact in at.detection.contacts() {
            let motion = self.relative_motion(at, contact);
            let speed = motion.velocity.dot(contact.normal);
            let lasts = at.pairs.record(contact.pair as usize).touch.is_some_and(|touch| touch.lasting);
            let near = contact.distance <= self.settings.contact_tolerance;
            if !near || speed > leaves || speed < collides || (self.settings.lasting_only && !lasts) {
                self.blocks_of_contacts.push(None);
                continue;
            }
            let anchors = Anchors { workspace: &self.free.workspace, detected: Some(at.detection.anchors()) };
            self.space.add_contact(at.world, &anchors, contact);
            self.blocks_of_contacts.push(Some(self.held.len() as u32));
            self.held.push(self.held_contact(at, contact, &motion, rate));
        }
    }

    /// Returns gravity or, where that is weak, the largest acceleration with which a contact would close.
    fn find_pressing(&self, at: &ForceMoment) -> f64 {
        let gravity = at.world.model().gravity.length();
        if gravity >= MAX_PRESSING {
            return gravity;
        }
        let near = at.detection.contacts().iter().filter(|contact| contact.distance <= self.settings.contact_tolerance);
        let pressing = near.map(|contact| -self.relative_motion(at, contact).acceleration.dot(contact.normal));
        pressing.fold(gravity, |most, pressing| most.max(pressing.min(MAX_PRESSING)))
    }

    /// Returns velocities and own-point accelerations of both sides of a contact.
    fn relative_motion(&self, at: &ForceMoment, contact: &WorldContact) -> RelativeMotion {
        let anchors = Anchors { workspace: &self.free.workspace, detected: Some(at.detection.anchors()) };
        let of = |link: Option<usize>| {
            let Some(link) = link else { return [DVec3::ZERO; 3] };
            let point = anchors.carried(link, contact.point);
            let velocity = self.free.workspace.velocity_at(link, point);
            let acceleration = self.free.workspace.acceleration_at(at.world.model(), link, point);
            [velocity.angular, velocity.linear, acceleration.linear]
        };
        let ([spin_a, velocity_a, acceleration_a], [spin_b, velocity_b, acceleration_b]) =
            (of(contact.link_a), of(contact.link_b));
        RelativeMotion {
            spins: [spin_a, spin_b],
            velocity: velocity_b - velocity_a,
            acceleration: acceleration_b - acceleration_a,
        }
    }

    fn held_contact(&self, at: &ForceMoment, contact: &WorldContact, motion: &RelativeMotion, rate: f64) -> Held {
        let frame = contact_frame(contact.normal);
        let to_frame = frame.transpose();
        let mut free = motion.acceleration;
        if self.settings.rolling_terms {
            free += rolling_terms(at, contact, motion);
        }
        let mut free = to_frame * free;
        let velocity = to_frame * motion.velocity;
        free.x += rate * (2.0 * velocity.x + rate * contact.distance);
        let slip = DVec2::new(velocity.y, velocity.z);
        if slip.length() <= self.rest_speed() {
            free += DVec3::new(0.0, slip.x, slip.y) / self.step;
        }
        let guess = at.pairs.record(contact.pair as usize).impulse(&contact.id) / at.step;
        let numbers = GroupContact { free, slip, friction: contact.surface.friction, force: to_frame * guess };
        Held { frame, numbers }
    }

    /// Returns the speed below which slip counts as none, in m/s.
    fn rest_speed(&self) -> f64 {
        self.settings.rest_share * self.pressing * self.step + 1e-9
    }

    /// Collects rows by the group in which they act.
    fn sort_rows(&mut self, at: &ForceMoment) {
        self.rows_by_group.clear();
        for (index, row) in self.space.rows().iter().enumerate() {
            let tree = self.space.tree_of_row(row);
            if let Some(group) = tree.and_then(|tree| at.detection.groups().group_of_body(tree)) {
                self.rows_by_group.push((group as u32, index as u32));
            }
        }
        self.rows_by_group.sort_unstable();
    }

    fn choose_group(&mut self, at: &ForceMoment, group: usize) {
        self.group_blocks.clear();
        let contacts = at.detection.groups().group(group).contacts;
        self.group_blocks.extend(contacts.iter().filter_map(|&contact| self.blocks_of_contacts[contact as usize]));
        let start = self.rows_by_group.partition_point(|entry| (entry.0 as usize) < group);
        let rows = self.rows_by_group[start..].iter().take_while(|entry| entry.0 as usize == group);
        self.group_rows.clear();
        self.group_rows.extend(rows.map(|entry| entry.1));
    }

    fn solve_group(&mut self, rest_speed: f64) -> Result<ContactForceReport, ContactForceError> {
        let Self { dense, space, group_blocks, group_rows, problem, group, .. } = self;
        dense.assemble(space, group_blocks, group_rows, problem);
        group.clear();
        group.contacts.extend(group_blocks.iter().map(|&block| self.held[block as usize].numbers));
        group.rows.extend(group_rows.iter().map(|&row| (self.rows[row as usize].force, self.rows[row as usize].free)));
        if self.settings.method == ForceMethod::Lemke && group.contacts.len() > self.settings.most_exact {
            return group.solve(problem.matrix(), rest_speed, &mut self.second);
        }
        let first = group.solve(problem.matrix(), rest_speed, self.solver.as_dyn());
        match first {
            Ok(report) if report.residual <= POOR_RESIDUAL => Ok(report),
            Ok(report) => match group.solve(problem.matrix(), rest_speed, &mut self.second) {
                Ok(second) if second.residual < report.residual => useful(second),
                _ => group.solve(problem.matrix(), rest_speed, self.solver.as_dyn()).and_then(useful),
            },
            // Rounding can look like a contradiction; a real one does not converge by sweeping either.
            Err(error) => match group.solve(problem.matrix(), rest_speed, &mut self.second) {
                Ok(second) if second.residual <= POOR_RESIDUAL => Ok(second),
                _ => Err(error),
            },
        }
    }

    fn take_forces(&mut self, at: &ForceMoment, efforts: &mut [f64]) {
        for (contact, &block) in self.group.contacts.iter().zip(&self.group_blocks) {
            let held = &mut self.held[block as usize];
            held.numbers.force = contact.force;
            self.space.add_efforts(at.world, &self.free.workspace, block as usize, held.frame * contact.force, efforts);
        }
        for (&force, &row) in self.group.row_forces().iter().zip(&self.group_rows) {
            self.space.add_row_efforts(at.world, &self.free.workspace, row as usize, force, efforts);
        }
    }

    /// Stores forces as impulses over the step, from which the next solve starts.
    fn remember(&self, at: &mut ForceMoment) {
        at.statistics.held_seconds = at.step;
        for record in at.pairs.caches_mut() {
            record.impulses.clear();
        }
        for (contact, block) in at.detection.contacts().iter().zip(&self.blocks_of_contacts) {
            let Some(block) = block else { continue };
            let held = &self.held[*block as usize];
            let impulse = held.frame * held.numbers.force * at.step;
            if impulse != DVec3::ZERO {
                let record = at.pairs.cache_mut(contact.pair as usize);
                record.impulses.push(StoredImpulse {
                    id: contact.id,
                    impulse,
                    velocity: DVec3::INFINITY,
                    rests: [DVec3::ZERO; 2],
                });
            }
        }
    }
}

struct RelativeMotion {
    spins: [DVec3; 2],
    velocity: DVec3,
    acceleration: DVec3,
}

/// Returns the contribution of the contact's movement over the bodies to its acceleration.
fn rolling_terms(at: &ForceMoment, contact: &WorldContact, motion: &RelativeMotion) -> DVec3 {
    let radii = [false, true].map(|of_b| radii(at.world, at.detection, contact, of_b));
    let moving = MovingContact { normal: contact.normal, radii, spins: motion.spins, velocity: motion.velocity };
    moving.bounded_motion(contact.reaches(at.world)).acceleration
}

impl ForceConstraints for Analytical {
    fn efforts(&mut self, mut at: ForceMoment, efforts: &mut [f64]) -> Result<(), ContactForceError> {
        let rate = self.settings.feedback / self.step;
        self.free.find(&at);
        self.space.begin(at.world, &self.free.workspace, self.free.workspace.joint_acceleration());
        self.add_contacts(&at, rate);
        let Self { free, space, rows, step: usual_step, .. } = self;
        RowFiller { at: &at, free: &free.workspace, rate, usual_step: *usual_step, space, rows }.fill();
        self.sort_rows(&at);
        let rest_speed = self.rest_speed();
        for group in 0..at.detection.groups().len() {
            self.choose_group(&at, group);
            if self.group_blocks.is_empty() && self.group_rows.is_empty() {
                continue;
            }
            let report = self.solve_group(rest_speed)?;
            self.take_forces(&at, efforts);
            let work = &mut at.statistics.solver;
            work.direct += 1;
            work.sweeps += report.iterations as u32;
            work.residual = work.residual.max(report.residual);
        }
        if at.first {
            self.remember(&mut at);
        }
        Ok(())
    }

    fn margin(&self) -> f64 {
        self.settings.contact_tolerance
    }

    fn has_explicit_limits(&self) -> bool {
        true
    }

    fn penetration_tolerance(&self) -> f64 {
        self.settings.penetration_tolerance
    }
}
