//! The data that the modules of a simulation work on: the world, its state, and scratch.

use std::sync::Arc;

use burgess_collision::broad_phase::BroadPhaseError;
use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::joint::Joint;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{
    Environment, Model, State, Workspace, articulated_inertias, forward_dynamics, joint_efforts, update_kinematics,
};

use burgess_geometry::Pose;

use crate::constraint_solver::RowSlots;
use crate::contact::PairRecord;
use crate::controllers::Controllers;
use crate::detection::{CollisionDetection, Lookahead};
use crate::outcome::Failure;
use crate::rest::Rest;
use crate::statistics::{Module, StepStatistics, Stopwatch};
use crate::time_stepping::ContactMotion;
use crate::world::{Collider, World};

/// Distance from its axis at which the speed of a rotation counts, in m.
const SPEED_RADIUS: f64 = 0.1;

/// A world with its state and everything that modules store or use as scratch. The modules hold the rules.
#[derive(Debug)]
pub struct SimulationData {
    /// The constant world; simulations can share it.
    pub world: Arc<World>,
    /// Positions, velocities, motors, time.
    pub state: State,
    /// Data that pairs of colliders keep from step to step.
    pub pairs: PairTable<PairRecord>,
    /// Time at the end of the last step in which each collider exerted an impulse on another one, in s; minus infinity
    /// before the first. It is not stored with pairs, because a pair that separates is forgotten.
    pub pressed_at: Vec<f64>,
    /// Impulses of joint limits, dry friction and constraints in the last step, by [`RowSlots`].
    pub row_impulses: Vec<f64>,
    /// Controllers and their memory.
    pub controllers: Controllers,
    /// Inputs that are set from outside, such as those of actuators. Their meaning is defined by the maker of the
    /// world.
    pub controls: Vec<f64>,
    /// Sleeping.
    pub rest: Rest,
    /// Scratch of the dynamics.
    pub workspace: Workspace,
    /// The collision detection component.
    pub detection: CollisionDetection,
    /// Statistics of the present step.
    pub statistics: StepStatistics,
    /// Length of the step of which the present motion may be a part, in s.
    pub whole_step: f64,
    /// Velocities of joint limits and constraints at the middle of the last step, with the velocities of its end, by
    /// [`RowSlots`]; infinite if they are not known.
    pub row_velocities: Vec<f64>,
    /// What the drift of rows did not explain of their velocities at the starts of the last two steps, by [`RowSlots`].
    pub row_rests: Vec<[f64; 2]>,
    /// Length of the last part of a step in which contacts held, in s.
    pub last_part: f64,
    /// Time since contacts and rows remembered their velocities, in s: half of the last part, or zero after a collision.
    pub memory_age: f64,
    /// Positions at the start of the present part of the step.
    pub start_positions: Vec<f64>,
    /// Velocities of all degrees of freedom at the end of the current step, in rad/s and m/s.
    pub end_velocities: Vec<f64>,
    /// Velocities of all degrees of freedom that move bodies in the current step only, to reduce penetration.
    pub displacement: Vec<f64>,
    /// Whether [`displacement`](Self::displacement) applies in the present step.
    pub is_displaced: bool,
    /// Efforts along the joints in the present step, in N m and N, where the energy is balanced.
    pub joint_efforts: Vec<f64>,
    /// Smallest extent of any collider, in m.
    pub(crate) thinnest: f64,
    /// Motions of the contacts of the last detection, for solvers that act on velocities.
    pub contact_motions: Vec<ContactMotion>,
    stopwatch: Stopwatch,
    no_efforts: Vec<f64>,
    efforts: Vec<f64>,
}

impl SimulationData {
    /// Creates data with the default collision detection and no controllers.
    pub fn new(world: impl Into<Arc<World>>, state: State) -> Result<Self, BroadPhaseError> {
        let world = world.into();
        let detection = CollisionDetection::new(&world)?;
        let workspace = Workspace::new(world.model());
        let (slots, dofs, trees) = (RowSlots::new(&world).count(), world.model().dofs(), world.trees().len());
        let extent = |collider: &Collider| collider.shape.aabb(&Pose::IDENTITY).extents().min_element();
        let thinnest = world.colliders().iter().map(extent).fold(f64::INFINITY, f64::min);
        let (colliders, start_positions) = (world.colliders().len(), state.q.clone());
        Ok(Self {
            world,
            state,
            pairs: PairTable::default(),
            pressed_at: vec![f64::NEG_INFINITY; colliders],
            row_impulses: vec![0.0; slots],
            controllers: Controllers::default(),
            controls: Vec::new(),
            rest: Rest::new(trees, dofs, None),
            workspace,
            detection,
            statistics: StepStatistics::default(),
            whole_step: 0.0,
            row_velocities: vec![f64::INFINITY; slots],
            row_rests: vec![[0.0; 2]; slots],
            last_part: 0.0,
            memory_age: 0.0,
            start_positions,
            end_velocities: vec![0.0; dofs],
            displacement: vec![0.0; dofs],
            is_displaced: false,
            joint_efforts: vec![0.0; dofs],
            thinnest,
            contact_motions: Vec::new(),
            stopwatch: Stopwatch::default(),
            no_efforts: vec![0.0; dofs],
            efforts: vec![0.0; dofs],
        })
    }

    /// Updates the workspace to the present state, scripted bodies included.
    pub fn update_kinematics(&mut self) {
        self.world.run_scripts(self.state.time, &mut self.workspace);
        update_kinematics(self.world.model(), &self.state, &mut self.workspace);
    }

    /// Detects contacts at the present state. The workspace must be up to date.
    pub fn detect_contacts(&mut self, lookahead: Lookahead) {
        self.measure(Module::CollisionDetection, |data| {
            data.detection.detect(&data.world, &data.workspace, lookahead, &mut data.pairs);
        });
    }

    /// Sets the clock (s) that measures the modules. Without one all times are zero. It never changes a result.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.stopwatch.clock = Some(clock);
    }

    /// Removes the clock, so that nothing is measured.
    pub fn remove_clock(&mut self) {
        self.stopwatch.clock = None;
    }

    /// Runs a stage of the step and adds its time to that of a module. Time measured inside counts for the inner module
    /// only.
    pub fn measure<R>(&mut self, module: Module, run: impl FnOnce(&mut Self) -> R) -> R {
        let started = self.stopwatch.start();
        let result = run(self);
        let seconds = self.stopwatch.stop(started);
        self.statistics.seconds.add(module, seconds);
        result
    }

    /// Detects contacts as far ahead as the last time, after velocities have changed. The workspace must be up to date.
    pub fn detect_again(&mut self) {
        self.detect_contacts(self.detection.lookahead());
    }

    /// Discards what contacts and constraints know of velocities, after something has changed these at once.
    pub(crate) fn forget_velocities(&mut self) {
        for record in self.pairs.caches_mut() {
            record.impulses.iter_mut().for_each(|stored| stored.velocity = glam::DVec3::INFINITY);
        }
        self.row_velocities.fill(f64::INFINITY);
    }

    /// Updates the workspace and computes articulated inertias, for impulses.
    pub fn factor_inertias(&mut self) {
        self.update_kinematics();
        self.factor_inertias_here();
    }

    /// Computes articulated inertias. The workspace must be up to date.
    pub fn factor_inertias_here(&mut self) {
        articulated_inertias(self.world.model(), &self.no_efforts, &mut self.workspace);
    }

    /// Computes the accelerations at the present state without contacts, and the articulated inertias.
    pub fn accelerate(&mut self) {
        self.world.run_scripts(self.state.time, &mut self.workspace);
        if self.controllers.has_low_level() {
            self.update_kinematics();
        }
        let Self { world, state, controllers, workspace, efforts, .. } = self;
        workspace.clear_forces();
        controllers.load(world, state.time, workspace);
        joint_efforts(world.model(), &state.motors, &state.q, &state.v, efforts);
        for tendon in world.tendons() {
            tendon.add_efforts(&state.q, &state.v, efforts);
        }
        forward_dynamics(world.model(), state, efforts, workspace);
        workspace.clear_forces();
    }

    /// Splits the data into what a motion solver needs: the model, the state, what acts on it, and scratch.
    pub fn for_motion(&mut self) -> (&Model, &mut State, Acting<'_>, &mut Workspace) {
        let Self { world, state, controllers, workspace, .. } = self;
        (&world.model, state, Acting { world, controllers }, workspace)
    }
}

/// Scripts and low-level controllers, as the integrators see them.
#[derive(Debug)]
pub struct Acting<'a> {
    world: &'a World,
    controllers: &'a Controllers,
}

impl Environment for Acting<'_> {
    fn script(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.world.run_scripts(time, workspace);
    }

    fn load(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.controllers.load(self.world, time, workspace);
    }
}

/// Rest, statistics and checks of a step.
impl SimulationData {
    /// Counts contacts and finds their largest depth.
    pub(crate) fn update_statistics(&mut self) {
        let contacts = self.detection.contacts();
        self.statistics.contacts = contacts.len();
        self.statistics.penetration = contacts.iter().fold(0.0, |depth: f64, contact| depth.max(-contact.distance));
    }

    /// Records which colliders have exerted impulses in the step, for senses.
    pub(crate) fn record_pressed_colliders(&mut self) {
        for (pair, record) in self.pairs.iter() {
            if record.impulses.iter().any(|stored| stored.impulse != glam::DVec3::ZERO) {
                for collider in [pair.a.index(), pair.b.index()] {
                    self.pressed_at[collider] = self.state.time;
                }
            }
        }
    }

    /// Decides which groups sleep in this step.
    pub(crate) fn decide_rest(&mut self) {
        let Self { rest, detection, world, workspace, .. } = self;
        if !rest.is_on() {
            return;
        }
        // Scripted bodies move regardless of forces, and so do links that hang on them.
        let is_carried = |tree: usize| {
            let root = world.trees()[tree].links.start;
            let is_scripted = matches!(world.model().links()[root].joint, Joint::Scripted { .. });
            is_scripted && workspace.velocity_at(root, workspace.anchor(root)) != Motion::ZERO
        };
        let moves = |link: Option<usize>| link.is_some_and(|link| is_carried(world.tree_of_link(link)));
        let groups = detection.groups();
        let touched = |tree: u32| {
            let group = groups.group_of_body(tree).map(|group| groups.group(group));
            group.is_some_and(|group| {
                let touches = |&contact: &u32| {
                    let contact = &detection.contacts()[contact as usize];
                    moves(contact.link_a) || moves(contact.link_b)
                };
                group.contacts.iter().any(touches) || group.bodies.iter().any(|&tree| is_carried(tree as usize))
            })
        };
        rest.decide(groups.iter().map(|group| group.bodies), touched);
    }

    /// Returns whether a contact group sleeps.
    pub fn sleeps(&self, group: usize) -> bool {
        self.detection.groups().group(group).bodies.first().is_some_and(|&tree| self.rest.sleeps(tree as usize))
    }

    /// Wakes groups whose load has changed since they fell asleep.
    pub(crate) fn compare_loads(&mut self, step: f64) {
        let Self { rest, detection, world, end_velocities: velocities, .. } = self;
        let groups = detection.groups().iter().map(|group| group.bodies);
        rest.compare_loads(groups, |tree| world.trees()[tree as usize].dofs.clone(), velocities, step);
    }

    /// Updates the time that trees have been at rest.
    pub(crate) fn count_rest(&mut self, step: f64) {
        let Self { rest, state, world, .. } = self;
        let fastest = |v: &[f64]| v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        rest.count(step, world.trees().iter().map(|tree| fastest(&state.v[tree.dofs.clone()])));
    }

    /// Name of a link's body, or of the world for none.
    pub fn name(&self, link: Option<usize>) -> String {
        link.map_or_else(|| "the world".to_string(), |link| self.world.model().name(link).to_string())
    }

    /// Fails if a velocity is above a bound, in m/s, or not finite. Rotation counts as the speed of a point at
    /// [`SPEED_RADIUS`] from its axis: a thin leg that rolls off after a step sideways may turn by 150 rad/s.
    pub(crate) fn check_speeds(&self, bound: f64) -> Result<(), Failure> {
        let time = self.state.time;
        for (index, link) in self.world.model().links().iter().enumerate() {
            let velocities = &self.state.v[link.v..link.v + link.dofs as usize];
            for (axis, &velocity) in velocities.iter().enumerate() {
                let is_rotation = match link.joint {
                    Joint::Prismatic => false,
                    Joint::Free => axis < 3,
                    _ => true,
                };
                let speed = if is_rotation { velocity * SPEED_RADIUS } else { velocity };
                if !speed.is_finite() {
                    return Err(Failure::NotFinite { time, body: self.name(Some(index)) });
                }
                if speed.abs() > bound {
                    return Err(Failure::TooFast { time, body: self.name(Some(index)), speed: speed.abs(), bound });
                }
            }
        }
        Ok(())
    }

    /// Fails if a contact is deeper than a share of the smaller body's radius, not counting margins.
    pub(crate) fn check_penetration(&self, share: f64) -> Result<(), Failure> {
        for contact in self.detection.contacts() {
            let [a, b] = [contact.collider_a, contact.collider_b].map(|index| &self.world.colliders()[index as usize]);
            let bound = share * a.reach.min(b.reach);
            let depth = -(contact.distance + (a.margin + b.margin));
            if depth > bound {
                let (body, other) = (self.name(contact.link_a), self.name(contact.link_b));
                let time = self.state.time;
                return Err(Failure::DeepPenetration { time, body, other, depth, bound });
            }
        }
        Ok(())
    }

    /// Name of the link with the largest velocity.
    pub fn fastest_body(&self) -> String {
        let speed = |link: &burgess_dynamics::Link| {
            let v = &self.state.v[link.v..link.v + link.dofs as usize];
            v.iter().fold(0.0, |most: f64, v| most.max(v.abs()))
        };
        let links = self.world.model().links().iter().map(speed).enumerate();
        let fastest = links.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index);
        self.name(fastest)
    }
}
