//! Motion under forces: an integrator of ordinary differential equations with gravity, joint drives, controllers, and
//! the forces of a constraint solver at the force level (Erleben 2002, sections 2.1.2 and 2.1.3).
//! At every stage of a step, in this order: scripted bodies are moved, external forces are added, contacts are found,
//! and the constraint solver computes its forces, which may depend on all of these. The [`UpdateStrategy`] determines
//! how much of this is repeated at every stage.
//!
//! Groups at rest do not sleep here: forces are computed for all.
//! Where explicit joint forces respond faster than the step (strong muscles on light limbs), the step is divided into
//! sub-steps that resolve them; see [`Stiffness`].
//! Where the constraint solver finds no finite forces (Painlevé: friction accelerates a sliding contact inward faster
//! than its normal force can lift it), the step is repeated by impulses over the step, as in [`SteppedMotion`].

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::integrators::{Integrator, Rk4};
use burgess_dynamics::{Environment, Model, Moment, State, Workspace};
use burgess_simulation::modules::{Modules, MotionSolver, Moved, TimeControl};
use burgess_simulation::time_control::DividedStep;
use burgess_simulation::{
    CollisionDetection, Controllers, Failure, Lookahead, PairRecord, SimulationData, StepStatistics,
    TimeSteppingSettings, World,
};

use super::stiffness::Stiffness;
use crate::modules::{ForceConstraints, ForceMoment};

/// Maximum number of sub-steps of a step.
const MAX_SUBSTEPS: usize = 1000;

/// What is updated at each stage of an integration step (Erleben 2002, section 2.1.3).
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
    /// Motion solver for steps in which no finite forces exist.
    impulses: Modules,
    /// State at the start of the step, and the memory of rows there.
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
    /// Creates a motion solver with Runge-Kutta of fourth order and a constraint solver.
    pub fn new(data: &SimulationData, constraints: Box<dyn ForceConstraints>, strategy: UpdateStrategy) -> Self {
        Self::with_integrator(data, Box::new(Rk4::new(data.world.model())), constraints, strategy)
    }

    /// Creates a motion solver with any integrator and a constraint solver. The internal state of an integrator, such
    /// as one with error control, is not part of snapshots.
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

    /// Returns the constraint solver.
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
        // No group sleeps under forces.
        (0..data.world.trees().len()).for_each(|tree| data.rest.wake(tree));
        self.start.clone_from(&data.state);
        self.rows_at_start.copy_from_slice(&data.row_impulses);
        let depth_at_start = deepest(&data.detection);
        let (mut left, mut pieces) = (step, 0);
        loop {
            let piece = self.next_piece(data, (left, step), MAX_SUBSTEPS - pieces);
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
    /// Returns how much of the remaining step, in s, the integrator can take at once; all of it at the last allowed
    /// sub-step.
    fn next_piece(&mut self, data: &mut SimulationData, (left, step): (f64, f64), most: usize) -> f64 {
        let stable = self.integrator.stable_rate();
        if stable == f64::INFINITY {
            return left;
        }
        let rate = self.stiffness.rate(data, left, step, self.constraints.has_explicit_limits());
        let pieces = left * rate / stable;
        if pieces > 1.0 { left / pieces.ceil().min(most as f64) } else { left }
    }

    /// Makes a step of the integrator, with contacts already found. On an error the state must not be used.
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
        data.statistics.steps_by_impulses += 1;
        DividedStep.advance(data, &mut self.impulses, step)?;
        Ok(Moved::Fully)
    }
}

/// The environment of the integrator: all forces.
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
    /// Time at the start of the step, in s.
    start: f64,
    step: f64,
    whole_step: f64,
    /// Depth, in m.
    depth_at_start: f64,
    /// Whether forces have been computed in this step.
    evaluated: bool,
    efforts: &'a mut [f64],
    trouble: Option<Trouble>,
}

/// Why a step cannot be completed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Trouble {
    /// No finite forces exist.
    NoForces,
    /// Bodies penetrate too deeply at a time, in s.
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
            // The time control has already found the contacts at the start.
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
    /// Contacts that were already deep at the start of the step are not reported.
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

/// Returns the deepest penetration, in m.
fn deepest(detection: &CollisionDetection) -> f64 {
    detection.contacts().iter().fold(0.0, |depth: f64, contact| depth.max(-contact.distance))
}
