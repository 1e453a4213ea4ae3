//! Motion by steps whose end velocities satisfy the constraints: the smooth motion's velocities first, then what contacts
//! make of them, then positions along the mean of old and new.

use burgess_dynamics::integrators::SemiImplicitMidpoint;

use crate::constraint_solver::TimeStepping;
use crate::constraint_solver::contact_problem::ContactResiduals;
use crate::modules::{CollisionSolver, MotionSolver, Moved};
use crate::outcome::Failure;
use crate::stage::Stage;

/// How often a step looks again for what bodies that have just bounced will meet. What meets later is found in the next step,
/// overlapping.
const REBOUNDS: usize = 16;

/// Semi-implicit midpoint steps with velocity-level time stepping. One object is both the motion solver and the collision
/// solver of its paradigm, as both share the contact-space operator.
#[derive(Debug)]
pub struct SteppedMotion {
    integrator: SemiImplicitMidpoint,
    constraints: TimeStepping,
    velocities: Vec<f64>,
    /// What takes penetration back, in this step only.
    displacing: Vec<f64>,
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
            velocities: vec![0.0; model.dofs()],
            displacing: vec![0.0; model.dofs()],
            positions: vec![0.0; model.positions()],
        }
    }

    /// The constraint solver.
    pub fn constraints(&self) -> &TimeStepping {
        &self.constraints
    }
}

impl MotionSolver for SteppedMotion {
    fn advance(&mut self, stage: &mut Stage, step: f64) -> Result<Moved, Failure> {
        stage.decide_rest();
        let start = stage.now();
        stage.statistics.impulses += self.constraints.arrive(stage, step);
        for _ in 0..REBOUNDS {
            if !self.constraints.bounced() {
                break;
            }
            stage.update_kinematics();
            stage.detect_again();
            stage.decide_rest();
            stage.statistics.impulses += self.constraints.arrive(stage, step);
        }
        let arrived = stage.now();
        self.positions.copy_from_slice(&stage.state.q);
        self.integrator.keep_momenta_unless(|root| is_held(stage, root));
        let (model, state, mut acting, workspace) = stage.for_motion();
        self.integrator.begin(model, state, &mut acting, workspace, step).map_err(Failure::Motion)?;
        self.velocities.copy_from_slice(self.integrator.velocities_mut());
        stage.compare_loads(&self.velocities, step);
        let free = stage.now();
        let displaces = self.constraints.hold(stage, &mut self.velocities, &mut self.displacing, step);
        let held = stage.now();
        self.integrator.velocities_mut().copy_from_slice(&self.velocities);
        if displaces {
            self.integrator.displace(&self.displacing);
        }
        let (model, state, _, workspace) = stage.for_motion();
        self.integrator.finish(model, state, workspace, step);
        self.leave_sleepers(stage);
        let end = stage.now();
        stage.statistics.held_seconds = step;
        let seconds = &mut stage.statistics.seconds;
        seconds.collision_solver += arrived - start;
        seconds.constraint_solver += held - free;
        seconds.motion_solver += end - arrived;
        Ok(Moved::Fully)
    }

    fn residuals(&self) -> Option<ContactResiduals> {
        Some(self.constraints.residuals())
    }
}

impl SteppedMotion {
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

/// Is a tree in contact with something that nothing moves?
fn is_held(stage: &Stage, root: usize) -> bool {
    let world = &stage.world;
    let is_fixed = |link: Option<usize>| link.is_none_or(|link| world.trees()[world.tree_of_link(link)].is_fixed);
    let is_own =
        |link: Option<usize>| link.is_some_and(|link| world.trees()[world.tree_of_link(link)].links.start == root);
    stage.detection.contacts().iter().any(|contact| {
        let (a, b) = (contact.link_a, contact.link_b);
        is_own(a) && is_fixed(b) || is_own(b) && is_fixed(a)
    })
}

/// For time controls that ask for collisions apart from motion.
impl CollisionSolver for TimeStepping {
    fn resolve(&mut self, stage: &mut Stage, step: f64) -> usize {
        stage.update_kinematics();
        self.arrive(stage, step)
    }
}
