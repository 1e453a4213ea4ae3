//! Controllers (Fontijne 2000, section 3.7). Low-level controllers act with every evaluation of forces: springs,
//! dampers, fields. High-level controllers run at their own rate, change the targets of low-level ones and of motors,
//! or apply impulses.
//!
//! A controller is a function. Its memory is a few numbers in the state, so that snapshots are complete.

use std::fmt::Debug;
use std::sync::Arc;

use burgess_dynamics::{Motor, State, Workspace};
use glam::DVec3;

use crate::world::World;

/// A controller that acts with every evaluation of forces.
pub trait LowLevelController: Debug + Send + Sync {
    /// Number of targets and stored numbers. They start at zero unless [`initial`](Self::initial) sets them.
    fn memory(&self) -> usize {
        0
    }

    /// Sets the initial memory.
    fn initial(&self, _memory: &mut [f64]) {}

    /// Returns whether it can act at present. While none can, free bodies are known to fall freely.
    fn acts(&self) -> bool {
        true
    }

    /// Adds forces at a time (s) by [`Workspace::apply_force`].
    fn load(&self, memory: &[f64], world: &World, time: f64, workspace: &mut Workspace);
}

/// A controller that runs at its own rate.
pub trait HighLevelController: Debug + Send + Sync {
    /// Time between two calls, in s.
    fn period(&self) -> f64;

    /// Number of stored numbers. They start at zero unless [`initial`](Self::initial) sets them.
    fn memory(&self) -> usize {
        0
    }

    /// Sets the initial memory.
    fn initial(&self, _memory: &mut [f64]) {}

    /// Runs the controller once.
    fn act(&self, memory: &mut [f64], context: &mut ControllerContext);
}

/// The data that a high-level controller can read, and the actions that it can take.
#[derive(Debug)]
pub struct ControllerContext<'a> {
    /// The world.
    pub world: &'a World,
    /// Positions, velocities, time.
    pub state: &'a State,
    /// Poses and velocities of the links.
    pub workspace: &'a Workspace,
    /// Time at the end of the last step in which each collider exerted an impulse on another one, in s.
    pub pressed_at: &'a [f64],
    /// The inputs of actuators, as defined by the maker of the world. Setting one does not set a motor.
    pub controls: &'a mut [f64],
    overrides: &'a [Option<f64>],
    motors: &'a mut Vec<(usize, Motor)>,
    impulses: &'a mut Vec<(usize, DVec3, DVec3)>,
    low_level: &'a mut [f64],
    low_level_starts: &'a [usize],
}

impl ControllerContext<'_> {
    /// The value that is to be used for an input of an actuator instead of that of a controller, if there is one.
    pub fn overridden(&self, control: usize) -> Option<f64> {
        self.overrides.get(control).copied().flatten()
    }

    /// Sets the motor of a degree of freedom. Ignores unknown ones.
    pub fn set_motor(&mut self, dof: usize, motor: Motor) {
        self.motors.push((dof, motor));
    }

    /// Applies an impulse (N s) to a link at a point of the world. Ignores unknown links.
    pub fn push(&mut self, link: usize, impulse: DVec3, point: DVec3) {
        if link < self.world.model().links().len() {
            self.impulses.push((link, impulse, point));
        }
    }

    /// The memory of a low-level controller, which contains its targets. Controllers are numbered as they were added.
    pub fn targets(&mut self, controller: usize) -> &mut [f64] {
        match (self.low_level_starts.get(controller), self.low_level_starts.get(controller.saturating_add(1))) {
            (Some(&start), Some(&end)) => &mut self.low_level[start..end],
            _ => &mut [],
        }
    }
}

/// Motors by degree of freedom, and impulses by link and point.
pub type Orders<'a> = (&'a mut Vec<(usize, Motor)>, &'a mut Vec<(usize, DVec3, DVec3)>);

/// All controllers of a world with their memory.
#[derive(Debug, Clone)]
pub struct Controllers {
    low_level: Vec<Arc<dyn LowLevelController>>,
    low_level_starts: Vec<usize>,
    high_level: Vec<Arc<dyn HighLevelController>>,
    high_level_starts: Vec<usize>,
    /// Memory of all low-level controllers.
    low_level_memory: Vec<f64>,
    high_level_memory: Vec<f64>,
    /// How often each high-level controller has run.
    ticks: Vec<u64>,
    /// Values that replace the inputs of actuators which controllers set. Set from outside; not part of the memory.
    pub overrides: Vec<Option<f64>>,
    motors: Vec<(usize, Motor)>,
    impulses: Vec<(usize, DVec3, DVec3)>,
}

impl Default for Controllers {
    fn default() -> Self {
        Self {
            low_level: Vec::new(),
            low_level_starts: vec![0],
            high_level: Vec::new(),
            high_level_starts: vec![0],
            low_level_memory: Vec::new(),
            high_level_memory: Vec::new(),
            ticks: Vec::new(),
            overrides: Vec::new(),
            motors: Vec::new(),
            impulses: Vec::new(),
        }
    }
}

/// The memory of controllers, for snapshots.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ControllerMemory {
    /// Memory of low-level controllers.
    pub low_level: Vec<f64>,
    /// Memory of high-level controllers.
    pub high_level: Vec<f64>,
    /// How often each high-level controller has run.
    pub ticks: Vec<u64>,
}

impl Controllers {
    /// Adds a low-level controller. Returns its number.
    pub fn add_low_level(&mut self, controller: Arc<dyn LowLevelController>) -> usize {
        let start = self.low_level_memory.len();
        self.low_level_memory.resize(start + controller.memory(), 0.0);
        controller.initial(&mut self.low_level_memory[start..]);
        self.low_level_starts.push(self.low_level_memory.len());
        self.low_level.push(controller);
        self.low_level.len() - 1
    }

    /// Adds a high-level controller.
    pub fn add_high_level(&mut self, controller: Arc<dyn HighLevelController>) {
        let start = self.high_level_memory.len();
        self.high_level_memory.resize(start + controller.memory(), 0.0);
        controller.initial(&mut self.high_level_memory[start..]);
        self.high_level_starts.push(self.high_level_memory.len());
        self.high_level.push(controller);
        self.ticks.push(0);
    }

    /// Returns the number of high-level controllers.
    pub fn high_level_count(&self) -> usize {
        self.high_level.len()
    }

    /// Returns the memory of a high-level controller; empty if there is none with this index. Controllers are numbered
    /// as they were added.
    pub fn high_level_memory(&self, controller: usize) -> &[f64] {
        self.high_level_range(controller).map_or(&[], |range| &self.high_level_memory[range])
    }

    /// Returns the memory of a high-level controller, to be changed between steps.
    pub fn high_level_memory_mut(&mut self, controller: usize) -> &mut [f64] {
        match self.high_level_range(controller) {
            Some(range) => &mut self.high_level_memory[range],
            None => &mut [],
        }
    }

    fn high_level_range(&self, controller: usize) -> Option<std::ops::Range<usize>> {
        let end = self.high_level_starts.get(controller.checked_add(1)?)?;
        Some(*self.high_level_starts.get(controller)?..*end)
    }

    /// Returns whether any low-level controller can act.
    pub fn has_low_level(&self) -> bool {
        self.low_level.iter().any(|controller| controller.acts())
    }

    /// Applies the forces of the low-level controllers.
    pub fn load(&self, world: &World, time: f64, workspace: &mut Workspace) {
        for (controller, range) in self.low_level.iter().zip(self.low_level_starts.windows(2)) {
            controller.load(&self.low_level_memory[range[0]..range[1]], world, time, workspace);
        }
    }

    /// Returns whether any high-level controller is due at a time (s).
    pub fn are_due(&self, time: f64) -> bool {
        let mut timers = self.high_level.iter().zip(&self.ticks);
        timers.any(|(controller, &ticks)| is_due(ticks, controller.period(), time))
    }

    /// Runs the high-level controllers that are due. Their orders are in [`take_orders`](Self::take_orders).
    pub fn run(
        &mut self,
        world: &World,
        state: &State,
        workspace: &Workspace,
        pressed_at: &[f64],
        controls: &mut [f64],
    ) {
        for (index, controller) in self.high_level.iter().enumerate() {
            let period = controller.period();
            while is_due(self.ticks[index], period, state.time) {
                let memory =
                    &mut self.high_level_memory[self.high_level_starts[index]..self.high_level_starts[index + 1]];
                let mut context = ControllerContext {
                    world,
                    state,
                    workspace,
                    pressed_at,
                    controls,
                    overrides: &self.overrides,
                    motors: &mut self.motors,
                    impulses: &mut self.impulses,
                    low_level: &mut self.low_level_memory,
                    low_level_starts: &self.low_level_starts,
                };
                controller.act(memory, &mut context);
                self.ticks[index] += 1;
                if period <= 0.0 {
                    break;
                }
            }
        }
    }

    /// Motors to be set and impulses to be applied. The caller empties the lists.
    pub fn take_orders(&mut self) -> Orders<'_> {
        (&mut self.motors, &mut self.impulses)
    }

    /// Returns a copy of the memory of all controllers.
    pub fn memory(&self) -> ControllerMemory {
        ControllerMemory {
            low_level: self.low_level_memory.clone(),
            high_level: self.high_level_memory.clone(),
            ticks: self.ticks.clone(),
        }
    }

    /// Restores a memory of the same controllers. Returns false if its length does not fit.
    pub fn set_memory(&mut self, memory: &ControllerMemory) -> bool {
        let fits = memory.low_level.len() == self.low_level_memory.len()
            && memory.high_level.len() == self.high_level_memory.len()
            && memory.ticks.len() == self.ticks.len();
        if fits {
            self.low_level_memory.copy_from_slice(&memory.low_level);
            self.high_level_memory.copy_from_slice(&memory.high_level);
            self.ticks.copy_from_slice(&memory.ticks);
        }
        fits
    }
}

/// Returns whether a controller is due, with a tolerance of a nanosecond for rounding.
fn is_due(ticks: u64, period: f64, time: f64) -> bool {
    ticks as f64 * period <= time + 1e-9
}
