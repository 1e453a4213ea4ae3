//! A simulation: its data, its modules, and the count of steps.

use burgess_collision::broad_phase::BroadPhaseError;
use burgess_dynamics::{ImpulseResponse, Observables, State, observables, spring_energy};
use glam::DVec3;

use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::events::{Event, EventKind};
use crate::modules::{Modules, TimeControl};
use crate::orders::run_controllers;
use crate::outcome::{Bounds, Failure};
use crate::rest::{Rest, RestSettings};
use crate::simulation_data::SimulationData;
use crate::snapshot::{self, ModuleMemory, Snapshot, SnapshotError, Start};
use crate::statistics::{Module, StepStatistics};
use crate::world::World;
use crate::world_error::WorldError;

/// A running simulation.
#[derive(Debug)]
pub struct Simulation {
    data: SimulationData,
    time_control: Box<dyn TimeControl>,
    modules: Modules,
    step: f64,
    steps: u64,
    start: Start,
    events: Vec<Event>,
    bounds: Bounds,
    response: ImpulseResponse,
}

impl Simulation {
    /// Creates a simulation from data and modules, in steps of `step` s. Refuses steps that are not positive and
    /// finite.
    pub fn with_modules(
        data: SimulationData,
        time_control: Box<dyn TimeControl>,
        modules: Modules,
        step: f64,
    ) -> Result<Self, WorldError> {
        WorldError::unless_positive("the step", step)?;
        let response = ImpulseResponse::new(data.world.model());
        let (start, bounds) = (Start::default(), Bounds::default());
        Ok(Self { data, time_control, modules, step, steps: 0, start, events: Vec::new(), bounds, response })
    }

    /// Steps until the time is `seconds`.
    pub fn run(&mut self, seconds: f64) -> Result<(), Failure> {
        while self.data.state.time < seconds - 0.5 * self.step {
            self.step()?;
        }
        Ok(())
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.data.world
    }

    /// Positions, velocities, time.
    pub fn state(&self) -> &State {
        &self.data.state
    }

    /// The data that modules work on.
    pub fn data(&self) -> &SimulationData {
        &self.data
    }

    /// The data that modules work on, to add controllers or to change the state.
    pub fn data_mut(&mut self) -> &mut SimulationData {
        &mut self.data
    }

    /// Length of a step, in s.
    pub fn step_length(&self) -> f64 {
        self.step
    }

    /// Number of steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the statistics of the last step.
    pub fn statistics(&self) -> &StepStatistics {
        &self.data.statistics
    }

    /// Returns the residuals of the last step's contacts in the laws of Signorini, Coulomb and maximal dissipation;
    /// none if no constraint solver acts on velocities.
    pub fn residuals(&self) -> Option<ContactResiduals> {
        self.modules.constraints.as_ref().map(|constraints| constraints.residuals(&self.data))
    }

    /// Sets the bounds whose violation ends the simulation.
    pub fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    /// Replaces the time control and returns the old one. Another simulator can move the bodies in this way.
    pub fn replace_time_control(&mut self, time_control: Box<dyn TimeControl>) -> Box<dyn TimeControl> {
        std::mem::replace(&mut self.time_control, time_control)
    }

    /// Lets groups at rest sleep; none disables sleeping.
    pub fn set_sleeping(&mut self, settings: Option<RestSettings>) {
        let (trees, dofs) = (self.data.world.trees().len(), self.data.world.model().dofs());
        self.data.rest = Rest::new(trees, dofs, settings);
    }

    /// Applies an impulse (N s) to a link at a point of the world, and an angular impulse (N m s). Wakes the link's tree.
    /// Ignores unknown links.
    pub fn push(&mut self, link: usize, impulse: DVec3, angular_impulse: DVec3, point: DVec3) {
        let Self { data, response, modules, .. } = self;
        if link >= data.world.model().links().len() {
            return;
        }
        data.update_kinematics();
        data.factor_inertias();
        data.rest.wake(data.world.tree_of_link(link));
        response.push(data.world.model(), &data.workspace, link, impulse, point);
        response.twist(data.world.model(), link, angular_impulse);
        response.propagate(data.world.model(), &data.workspace);
        for (v, change) in data.state.v.iter_mut().zip(response.joint_velocities()) {
            *v += change;
        }
        data.forget_velocities();
        modules.motion.notify_impulses();
    }

    /// Mass, momenta and energies at the present state.
    pub fn observables(&mut self) -> Observables {
        self.data.update_kinematics();
        observables(self.data.world.model(), &self.data.state, &self.data.workspace)
    }

    /// Kinetic, gravitational and spring energy, in J.
    pub fn energy(&mut self) -> f64 {
        let SimulationData { world, state, .. } = &self.data;
        let tendons: f64 = world.tendons().iter().map(|tendon| tendon.energy(&state.q)).sum();
        let springs = spring_energy(world.model(), &state.q) + tendons;
        self.observables().energy() + springs
    }

    /// A complete copy of the state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::take(&self.data, (self.steps, self.start), &self.events, self.module_memory())
    }

    /// Restores a snapshot of the same world. The following steps give the same bits. A snapshot that does not fit is
    /// refused and changes nothing.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.check(&self.data, &self.module_memory())?;
        snapshot.put_back(&mut self.data);
        (self.steps, self.start) = (snapshot.steps, snapshot.start);
        self.events.clone_from(&snapshot.events);
        self.time_control.set_memory(&snapshot.modules.time_control);
        if let Some(collisions) = &mut self.modules.collisions {
            collisions.set_memory(&snapshot.modules.collisions);
        }
        self.modules.motion.notify_impulses();
        Ok(())
    }

    /// Continues another simulation: of a world with the same bodies in the same order and perhaps more behind them,
    /// with other surfaces, gravity, step or modules. Positions, velocities, time, the count of steps, pending events
    /// and all stored numbers that fit are taken over; new bodies keep their initial state. Time continues in steps of
    /// this simulation.
    pub fn take_over(&mut self, from: &Snapshot) {
        from.put_where_it_fits(&mut self.data);
        (self.steps, self.start) = (from.steps, Start { steps: from.steps, time: from.state.time });
        let own = self.module_memory();
        if own.time_control.len() == from.modules.time_control.len() {
            self.time_control.set_memory(&from.modules.time_control);
        }
        if let Some(collisions) = &mut self.modules.collisions
            && own.collisions.len() == from.modules.collisions.len()
        {
            collisions.set_memory(&from.modules.collisions);
        }
        self.modules.motion.notify_impulses();
        self.events.clear();
        for event in &from.events {
            self.schedule(event.kind, event.time);
        }
    }

    /// Schedules an event at the end of the step that ends nearest to `time` s. If the present step count is past that,
    /// the event happens at once. An infinite time never comes.
    pub fn schedule(&mut self, kind: EventKind, time: f64) {
        let steps = libm::round((time - self.start.time) / self.step) as u64;
        self.events.push(Event { time, step: self.start.steps.saturating_add(steps), kind });
        self.run_events();
    }

    /// Carries out the events that are due.
    pub(crate) fn run_events(&mut self) {
        let Self { data, modules, events, steps, .. } = self;
        events.retain(|event| {
            let is_due = event.step <= *steps;
            if is_due {
                event.run(data, modules);
            }
            !is_due
        });
    }

    /// Hash of the state. Equal states have equal hashes, and different states almost certainly have different ones.
    pub fn state_hash(&self) -> u64 {
        snapshot::hash(&self.data, &self.module_memory())
    }

    fn module_memory(&self) -> ModuleMemory {
        let collisions = self.modules.collisions.as_ref().map(|collisions| collisions.memory());
        ModuleMemory { time_control: self.time_control.memory(), collisions: collisions.unwrap_or_default() }
    }

    pub(crate) fn reset_statistics(&mut self) {
        self.data.statistics = StepStatistics::default();
    }

    /// Lets the time control detect contacts, resolve collisions and move bodies.
    pub(crate) fn advance_time(&mut self) -> Result<(), Failure> {
        let Self { data, time_control, modules, step, .. } = self;
        // What the modules do not measure for themselves is motion.
        data.measure(Module::MotionSolver, |data| time_control.advance(data, modules, *step))
    }

    /// Counts the step and sets the time from the count, because a sum of steps would accumulate rounding errors.
    pub(crate) fn update_clock(&mut self) {
        self.steps += 1;
        self.data.state.time = self.start.time + self.steps.saturating_sub(self.start.steps) as f64 * self.step;
    }

    pub(crate) fn update_statistics(&mut self) {
        self.data.update_statistics();
        self.data.record_pressed_colliders();
        self.data.count_rest(self.step);
    }

    /// Runs the high-level controllers that are due and carries out their orders.
    pub(crate) fn run_controllers(&mut self) {
        let Self { data, response, .. } = self;
        data.measure(Module::Controllers, |data| run_controllers(data, response));
    }

    pub(crate) fn check_bounds(&mut self) -> Result<(), Failure> {
        self.data.check_speeds(self.bounds.speed)?;
        self.data.check_penetration(self.bounds.penetration_share)?;
        if let Some(bound) = self.bounds.energy {
            let energy = self.energy();
            if energy > bound {
                let (time, body) = (self.data.state.time, self.data.fastest_body());
                return Err(Failure::EnergyGrowth { time, body, energy, bound });
            }
        }
        Ok(())
    }
}

impl From<BroadPhaseError> for WorldError {
    fn from(error: BroadPhaseError) -> Self {
        Self::Impossible { why: error.to_string() }
    }
}
