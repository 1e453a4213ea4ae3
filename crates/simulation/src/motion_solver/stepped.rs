//! Motion by steps whose end velocities satisfy the constraints: the smooth motion's velocities first, then what contacts
//! make of them, then positions along the mean of old and new. The momenta of floating trees are kept to rounding.

use burgess_dynamics::MomentumKeeper;
use burgess_dynamics::integrators::SemiImplicitMidpoint;

use crate::constraint_solver::TimeStepping;
use crate::modules::{CollisionSolver, MotionSolver};
use crate::outcome::Failure;
use crate::stage::Stage;

/// Semi-implicit midpoint steps with velocity-level time stepping. One object is both the motion solver and the collision
/// solver of its paradigm, as both share the contact-space operator.
#[derive(Debug)]
pub struct SteppedMotion {
    integrator: SemiImplicitMidpoint,
    constraints: TimeStepping,
    momenta: MomentumKeeper,
    velocities: Vec<f64>,
    /// What contacts changed of the velocities.
    changes: Vec<f64>,
    /// Positions at the start of the step, for those who sleep.
    positions: Vec<f64>,
}

impl SteppedMotion {
    /// From its parts.
    pub fn new(stage: &Stage, constraints: TimeStepping) -> Self {
        let model = stage.world.model();
        Self {
            integrator: SemiImplicitMidpoint::new(model),
            constraints,
            momenta: MomentumKeeper::new(model),
            velocities: vec![0.0; model.dofs()],
            changes: vec![0.0; model.dofs()],
            positions: vec![0.0; model.positions()],
        }
    }

    /// The constraint solver.
    pub fn constraints(&self) -> &TimeStepping {
        &self.constraints
    }
}

impl MotionSolver for SteppedMotion {
    fn advance(&mut self, stage: &mut Stage, step: f64) -> Result<(), Failure> {
        stage.decide_rest(step);
        stage.statistics.impulses += self.constraints.arrive(stage, step);
        self.note_momenta(stage);
        self.positions.copy_from_slice(&stage.state.q);
        let (model, state, mut acting, workspace) = stage.for_motion();
        self.integrator.begin(model, state, &mut acting, workspace, step).map_err(Failure::Motion)?;
        self.velocities.copy_from_slice(self.integrator.velocities_mut());
        self.momenta.load(model, workspace, step);
        stage.compare_loads(&self.velocities);
        self.constraints.hold(stage, &mut self.velocities, step);
        self.note_impulses(stage);
        self.integrator.velocities_mut().copy_from_slice(&self.velocities);
        let (model, state, _, workspace) = stage.for_motion();
        self.integrator.finish(model, state, workspace, step);
        self.keep_momenta(stage);
        self.leave_sleepers(stage);
        Ok(())
    }
}

impl SteppedMotion {
    fn note_momenta(&mut self, stage: &mut Stage) {
        if !self.momenta.is_empty() {
            // Arrivals have changed velocities.
            stage.update_kinematics();
            self.momenta.begin(stage.world.model(), &stage.workspace);
        }
    }

    fn note_impulses(&mut self, stage: &mut Stage) {
        if !self.momenta.is_empty() {
            let free = self.integrator.velocities_mut();
            for (change, (held, free)) in self.changes.iter_mut().zip(self.velocities.iter().zip(free)) {
                *change = held - *free;
            }
            self.momenta.push(stage.world.model(), &self.changes, &mut stage.workspace);
        }
    }

    fn keep_momenta(&self, stage: &mut Stage) {
        if !self.momenta.is_empty() {
            stage.update_kinematics();
            let (model, state, _, workspace) = stage.for_motion();
            self.momenta.finish(model, state, workspace);
        }
    }

    /// Puts those who sleep back to where they were, at rest.
    fn leave_sleepers(&self, stage: &mut Stage) {
        let Stage { world, state, rest, .. } = stage;
        if !rest.is_on() {
            return;
        }
        for (_, tree) in world.trees().iter().enumerate().filter(|(index, _)| rest.sleeps(*index)) {
            state.q[tree.positions.clone()].copy_from_slice(&self.positions[tree.positions.clone()]);
            state.v[tree.dofs.clone()].fill(0.0);
        }
    }
}

/// For time controls that ask for collisions apart from motion.
impl CollisionSolver for TimeStepping {
    fn resolve(&mut self, stage: &mut Stage, step: f64) -> usize {
        self.arrive(stage, step)
    }
}
