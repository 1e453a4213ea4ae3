//! Motion under forces: an integrator of ordinary differential equations, whose forces are gravity, joint drives,
//! controllers, and those of a constraint solver at the force level (Erleben 2002, sections 2.1.2 and 2.1.3).
//!
//! At every stage of a step, in this order: scripted bodies are moved, external forces are added, contacts are found,
//! and the constraint solver is asked for its forces, which may depend on all of these. How much of this is done anew
//! at every stage is the [`UpdateStrategy`].
//!
//! Groups at rest do not sleep here: forces are found for all.
//!
//! Where forces of joints are explicit and answer faster than the step (strong muscles on light limbs) it is cut into
//! pieces that follow them; see [`Stiffness`].
//!
//! Where the constraint solver finds no finite forces (Painlevé: friction presses a sliding contact on faster than its
//! normal force can lift it) the step is taken again by impulses over the step, as time stepping does.

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::integrators::{Integrator, Rk4};
use burgess_dynamics::{Environment, Model, Moment, State, Workspace};
use burgess_simulation::modules::{Modules, MotionSolver, Moved};
use burgess_simulation::{
    CollisionDetection, Controllers, Failure, Lookahead, PairRecord, SimulationData, StepStatistics,
    TimeSteppingSettings, World,
};

use super::stiffness::Stiffness;
use crate::modules::{ForceConstraints, ForceMoment};

/// The most pieces of a step.
const MOST_PIECES: usize = 1000;

/// What is done anew at each stage of an integration step (Erleben 2002, section 2.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UpdateStrategy {
    /// Contacts and forces: the most accurate, and the most work.
    #[default]
    Eager,
    /// Forces only; contacts are those at the start of the step, carried along with the bodies.
    PartlyLazy,
    /// Nothing; forces are those at the start of the step.
    Lazy,
}

/// An integrator with constraint forces.
pub struct ContinuousMotion {
    integrator: Box<dyn Integrator + Send>,
    constraints: Box<dyn ForceConstraints>,
    strategy: UpdateStrategy,
    stiffness: Stiffness,
    /// For steps in which no finite forces exist.
    impulses: Modules,
    /// Where the step began, and what rows remembered there.
    start: State,
    rows_at_start: Vec<f64>,
    /// Constraint forces of the last evaluation.
    efforts: Vec<f64>,
}

impl std::fmt::Debug for ContinuousMotion {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut shown = f.debug_struct("ContinuousMotion");
        shown.field("strategy", &self.strategy).field("constraints", &self.constraints).finish_non_exhaustive()
    }
}

impl ContinuousMotion {
    /// Runge-Kutta of fourth order with a constraint solver.
    pub fn new(data: &SimulationData, constraints: Box<dyn ForceConstraints>, strategy: UpdateStrategy) -> Self {
        Self::with_integrator(data, Box::new(Rk4::new(data.world.model())), constraints, strategy)
    }

    /// Any integrator with a constraint solver. What an integrator remembers from step to step, as those with error
    /// control do, is not in snapshots.
    pub fn with_integrator(
        data: &SimulationData,
        integrator: Box<dyn Integrator + Send>,
        constraints: Box<dyn ForceConstraints>,
        strategy: UpdateStrategy,
    ) -> Self {
        Self {
            integrator,
            constraints,
            strategy,
            stiffness: Stiffness::new(data.world.model()),
            impulses: Modules::time_stepping(data, TimeSteppingSettings::default()),
            start: data.state.clone(),
            rows_at_start: data.row_impulses.clone(),
            efforts: vec![0.0; data.world.model().dofs()],
        }
    }

    /// The constraint solver.
    pub fn constraints(&self) -> &dyn ForceConstraints {
        &*self.constraints
    }

    /// Constraint forces of the last evaluation, along all joints, in N m and N.
    pub fn constraint_efforts(&self) -> &[f64] {
        &self.efforts
    }
}

impl MotionSolver for ContinuousMotion {
    fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        // Nobody sleeps under forces.
        (0..data.world.trees().len()).for_each(|tree| data.rest.wake(tree));
        self.start.clone_from(&data.state);
        self.rows_at_start.copy_from_slice(&data.row_impulses);
        let depth_at_start = deepest(&data.detection);
        let (mut left, mut pieces) = (step, 0);
        loop {
            let piece = self.next_piece(data, (left, step), MOST_PIECES - pieces);
            let is_last = piece >= left;
            if pieces > 0 {
                data.update_kinematics();
                data.detect_contacts(Lookahead { interval: 0.0, margin: self.constraints.margin() });
            }
            if pieces > 0 || !is_last {
                data.statistics.sub_steps += 1;
            }
            match self.advance_piece(data, (piece, step), depth_at_start)? {
                None if is_last => return Ok(Moved::Fully),
                None => (),
                Some(Trouble::NoForces) => return self.advance_by_impulses(data, step),
                Some(Trouble::Penetration { time }) => {
                    self.go_back(data);
                    return Ok(Moved::PenetrationAt { time });
                }
            }
            pieces += 1;
            left -= piece;
        }
    }
}

impl ContinuousMotion {
    /// How much of what is left of a step, in s, the integrator can take at once; all of it with the last of so many
    /// pieces.
    fn next_piece(&mut self, data: &mut SimulationData, (left, step): (f64, f64), most: usize) -> f64 {
        let stable = self.integrator.stable_rate();
        if stable == f64::INFINITY {
            return left;
        }
        let rate = self.stiffness.rate(data, left, step, self.constraints.has_explicit_limits());
        let pieces = left * rate / stable;
        if pieces > 1.0 { left / pieces.ceil().min(most as f64) } else { left }
    }

    /// A step of the integrator, from contacts that have been found. On trouble the state is not to be used.
    fn advance_piece(
        &mut self,
        data: &mut SimulationData,
        (step, whole_step): (f64, f64),
        depth_at_start: f64,
    ) -> Result<Option<Trouble>, Failure> {
        let SimulationData { world, state, controllers, workspace, detection, pairs, row_impulses, statistics, .. } =
            data;
        let margin = self.constraints.margin();
        let mut forces = Forces {
            world,
            controllers,
            detection,
            pairs,
            row_impulses,
            statistics,
            constraints: &mut *self.constraints,
            strategy: self.strategy,
            lookahead: Lookahead { interval: 0.0, margin },
            start: state.time,
            step,
            whole_step,
            depth_at_start,
            evaluated: false,
            efforts: &mut self.efforts,
            trouble: None,
        };
        let outcome = self.integrator.step(world.model(), state, &mut forces, workspace, step);
        match forces.trouble {
            None => outcome.map(|()| None).map_err(Failure::Motion),
            trouble => Ok(trouble),
        }
    }

    fn go_back(&self, data: &mut SimulationData) {
        data.state.clone_from(&self.start);
        data.row_impulses.copy_from_slice(&self.rows_at_start);
    }

    fn advance_by_impulses(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        self.go_back(data);
        data.update_kinematics();
        let margin = self.constraints.margin();
        data.detect_contacts(Lookahead { interval: step, margin });
        data.statistics.steps_by_impulses += 1;
        self.impulses.resolve_collisions(data, step);
        self.impulses.move_bodies(data, step)
    }
}

/// Everything that acts, as the integrator sees it.
struct Forces<'a> {
    world: &'a World,
    controllers: &'a Controllers,
    detection: &'a mut CollisionDetection,
    pairs: &'a mut PairTable<PairRecord>,
    row_impulses: &'a mut [f64],
    statistics: &'a mut StepStatistics,
    constraints: &'a mut dyn ForceConstraints,
    strategy: UpdateStrategy,
    lookahead: Lookahead,
    /// Time at which the step began, in s.
    start: f64,
    step: f64,
    whole_step: f64,
    /// In m.
    depth_at_start: f64,
    /// Have forces been found in this step?
    evaluated: bool,
    efforts: &'a mut [f64],
    trouble: Option<Trouble>,
}

/// Why a step cannot be made as it was begun.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Trouble {
    /// No finite forces exist.
    NoForces,
    /// Bodies are too deep in each other at a time, in s.
    Penetration { time: f64 },
}

impl Environment for Forces<'_> {
    fn script(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.world.run_scripts(time, workspace);
    }

    fn load(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.controllers.load(self.world, time, workspace);
    }

    fn drive(&mut self, _model: &Model, moment: &Moment, workspace: &Workspace, efforts: &mut [f64]) {
        let first = !self.evaluated;
        self.evaluated = true;
        if first || self.strategy != UpdateStrategy::Lazy {
            // The time control has found the contacts at the start itself.
            if self.strategy == UpdateStrategy::Eager && !(first && moment.time == self.start) {
                self.detection.detect(self.world, workspace, self.lookahead, self.pairs);
                self.look_for_penetration(moment.time);
            }
            self.ask(moment, workspace, first);
        }
        efforts.copy_from_slice(self.efforts);
    }
}

impl Forces<'_> {
    /// Contacts that were deep at the start of the step already are not news.
    fn look_for_penetration(&mut self, time: f64) {
        let bound = self.constraints.penetration_tolerance() + self.depth_at_start;
        if self.trouble.is_none() && deepest(self.detection) > bound {
            self.trouble = Some(Trouble::Penetration { time });
        }
    }

    fn ask(&mut self, moment: &Moment, workspace: &Workspace, first: bool) {
        self.efforts.fill(0.0);
        if self.trouble.is_some() {
            return;
        }
        let at = ForceMoment {
            world: self.world,
            moment: *moment,
            workspace,
            detection: self.detection,
            pairs: self.pairs,
            row_impulses: self.row_impulses,
            step: self.step,
            whole_step: self.whole_step,
            first,
            statistics: self.statistics,
        };
        if self.constraints.efforts(at, self.efforts).is_err() {
            self.trouble = Some(Trouble::NoForces);
            self.efforts.fill(0.0);
        }
    }
}

/// The deepest penetration, in m.
fn deepest(detection: &CollisionDetection) -> f64 {
    detection.contacts().iter().fold(0.0, |depth: f64, contact| depth.max(-contact.distance))
}
