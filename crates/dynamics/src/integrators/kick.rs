//! The change of velocities of the semi-implicit steps, at one configuration q:
//!
//! ```text
//!   v' = v + h a,    (M(q) + G) a = Q - b(q, (v + v') / 2)
//! ```
//!
//! with M the joint-space inertia, b what velocities ask for (centrifugal, Coriolis and gyroscopic terms, gravity), Q the
//! efforts and G the diagonal of the implicit joint forces (see `joint_forces`). Explicit b(q, v) feeds energy: a box
//! at 10 rad/s gains half of its energy in 10 s at 1/240 s. b at the mean velocity makes the kick symmetric in time.
//!
//! The equation is implicit in v'. It is solved by iterating `a_k = A(v + h/2 a_(k-1))` from `a_0 = A(v)`, where all but the
//! first evaluation reuse the inertias and factors (see `bias_pass`). One such refinement leaves an error of third
//! order in the velocities whose work averages out along the motion; two leave one of fourth order.

use crate::integrators::explicit::enter;
use crate::kinematics::outward_kinematics;
use crate::{
    Environment, ImplicitJointForces, Model, Workspace, accelerations_at_velocities, articulated_inertias,
    joint_accelerations,
};

#[derive(Debug, Clone)]
pub(crate) struct Kick {
    forces: ImplicitJointForces,
    mean_velocity: Vec<f64>,
    pub refinements: u32,
}

impl Kick {
    pub fn new(model: &Model, refinements: u32) -> Self {
        Self { forces: ImplicitJointForces::new(model), mean_velocity: vec![0.0; model.dofs()], refinements }
    }

    /// Leaves the joint accelerations in the workspace, and there also the factors of `M + G`. The end of the step is
    /// expected `ahead` s after q.
    #[expect(clippy::too_many_arguments)]
    pub fn accelerations(
        &mut self,
        model: &Model,
        q: &[f64],
        v: &[f64],
        time: f64,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
        ahead: f64,
    ) {
        let Self { forces, mean_velocity, refinements } = self;
        enter(model, q, v, time, environment, workspace);
        forces.prepare(model, q, v, step, ahead);
        loop {
            workspace.diagonal.copy_from_slice(&forces.diagonal);
            articulated_inertias(model, &forces.efforts, workspace);
            joint_accelerations(model, workspace);
            if !forces.saturate(model, &workspace.acceleration) {
                break;
            }
            // The inward pass has overwritten the links' own inertias.
            outward_kinematics(model, q, v, workspace);
        }
        for _ in 0..*refinements {
            for (mean, (v, a)) in mean_velocity.iter_mut().zip(v.iter().zip(&workspace.acceleration)) {
                *mean = v + 0.5 * step * a;
            }
            accelerations_at_velocities(model, mean_velocity, &forces.efforts, workspace);
        }
    }
}

/// Takes the implicit parts out of the workspace again, so that later passes see the armature alone.
pub(crate) fn restore_armature(model: &Model, workspace: &mut Workspace) {
    for (slot, properties) in workspace.diagonal.iter_mut().zip(model.properties()) {
        *slot = properties.armature;
    }
}
