//! Motion between impulses: gravity, motors, springs and controllers act, contacts do not. For paradigms whose contacts are
//! all collisions (000 section 3.8, 004 section 3.3).
//!
//! Dry friction in joints is an impulse of at most `friction h` against the velocity at the end of the step, all joints at
//! once. Joint limits are left to the collision solver.

use std::fmt::Debug;

use burgess_dynamics::ImpulseResponse;
use burgess_dynamics::integrators::{Integrator, SemiImplicitMidpoint};

use crate::constraint_solver::VelocitySolver;
use crate::constraint_solver::contact_problem::Law;
use crate::contact_space::{ContactSpace, RowEnd};
use crate::modules::{MotionSolver, Moved};
use crate::outcome::Failure;
use crate::stage::Stage;

/// Any integrator, without contact forces.
#[derive(Debug)]
pub struct FreeMotion<I = SemiImplicitMidpoint> {
    integrator: I,
    friction: JointFriction,
}

impl FreeMotion {
    /// With the usual integrator.
    pub fn new(stage: &Stage) -> Self {
        Self::with_integrator(stage, SemiImplicitMidpoint::new(stage.world.model()))
    }
}

impl<I: Integrator + Debug + Send> FreeMotion<I> {
    /// With an integrator of choice, [`Rk4`](burgess_dynamics::integrators::Rk4) say.
    pub fn with_integrator(stage: &Stage, integrator: I) -> Self {
        Self { integrator, friction: JointFriction::new(stage) }
    }
}

impl<I: Integrator + Debug + Send> MotionSolver for FreeMotion<I> {
    fn advance(&mut self, stage: &mut Stage, step: f64) -> Result<Moved, Failure> {
        let (model, state, mut acting, workspace) = stage.for_motion();
        self.integrator.step(model, state, &mut acting, workspace, step).map_err(Failure::Motion)?;
        self.friction.brake(stage, step);
        Ok(Moved::Fully)
    }
}

/// Dry friction of all joints.
#[derive(Debug)]
struct JointFriction {
    space: ContactSpace,
    solver: VelocitySolver,
    response: ImpulseResponse,
    rows: Vec<u32>,
}

impl JointFriction {
    fn new(stage: &Stage) -> Self {
        let response = ImpulseResponse::new(stage.world.model());
        Self { space: ContactSpace::default(), solver: VelocitySolver::default(), response, rows: Vec::new() }
    }

    fn brake(&mut self, stage: &mut Stage, step: f64) {
        if stage.world.model().properties().iter().all(|properties| properties.friction == 0.0) {
            return;
        }
        stage.factor_inertias();
        let Self { space, solver, response, rows } = self;
        space.begin(&stage.world, &stage.workspace, &stage.state.v);
        let model = stage.world.model();
        for (link, dof) in
            model.links().iter().enumerate().flat_map(|(i, l)| (0..l.dofs as usize).map(move |k| (i, l.v + k)))
        {
            let friction = model.properties()[dof].friction;
            if friction > 0.0 {
                let end = RowEnd::Joint { link, dof, coefficients: glam::DVec3::X };
                let law = Law::Bounded { limit: friction * step };
                space.add_row(&stage.world, &stage.workspace, response, [end, RowEnd::Nothing], law);
            }
        }
        rows.clear();
        rows.extend(0..space.rows().len() as u32);
        solver.solve(space, &[], rows);
        space.store(&stage.world, &mut stage.state.v);
    }
}
