//! The change of velocities of the semi-implicit steps, at one configuration q:
//!
//! ```text
//!   v' = v + h a,    (M(q) + G) a = Q - b(q, (v + v') / 2)
//! ```
//!
//! with M the joint-space inertia, b what velocities ask for (centrifugal, Coriolis and gyroscopic terms, gravity), Q the
//! efforts and G the diagonal of the implicit joint forces (see `joint_forces`). Explicit b(q, v) feeds energy: a box
//! at 10 rad/s explodes within a minute at 1/240 s. b at the mean velocity makes the kick symmetric in time.
//!
//! The equation is implicit in v'. It is solved by iterating `a_k = A(v + h/2 a_(k-1))`, where all but the first
//! evaluation at a configuration reuse its inertias and factors (see `bias_pass`: less than half of the work).

use crate::integrators::explicit::{add, drive, enter};
use crate::joint::Joint;
use crate::{
    Environment, ImplicitJointForces, Model, Moment, State, Workspace, accelerations_at_velocities,
    articulated_inertias, joint_accelerations,
};

/// What a wrong mean velocity does to a step: the error (rad/s or m/s) times the angle that the fastest joint turns by.
/// Errors whose effect is below this are not worth another pass ...
const NEGLIGIBLE: f64 = 2e-6;
/// ... and those that half a step multiplies to below this not another configuration, in rad or m.
const CLOSE: f64 = 1e-6;
/// Joints are taken to turn this fast at least, in rad/s.
const SLOW: f64 = 1.0;

/// How wrong the mean velocity was before a kick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Correction {
    /// The largest error, in rad/s or m/s; how fast a tree as a whole moves never matters.
    error: f64,
    /// The angle that the fastest joint turns by in the step.
    turn: f64,
}

impl Correction {
    fn is_negligible(&self) -> bool {
        self.error * self.turn <= NEGLIGIBLE
    }

    /// Was the middle configuration good enough, so that the kick there is final?
    pub fn is_final(&self, half: f64) -> bool {
        half * self.error * self.turn <= CLOSE
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Kick {
    forces: ImplicitJointForces,
    /// What the environment adds along the joints, in N m and N.
    pub driven: Vec<f64>,
    efforts: Vec<f64>,
    /// `(v + v') / 2` as far as it is known.
    pub mean_velocity: Vec<f64>,
    pub refinements: u32,
    /// By degree of freedom: 1, or 0 if forces do not depend on it: translation of a free link.
    matters: Vec<f64>,
}

impl Kick {
    pub fn new(model: &Model) -> Self {
        let dofs = vec![0.0; model.dofs()];
        let forces = ImplicitJointForces::new(model);
        let mut matters = vec![1.0; model.dofs()];
        for link in model.links().iter().filter(|link| link.joint == Joint::Free) {
            matters[link.v + 3..link.v + 6].fill(0.0);
        }
        Self { forces, driven: dofs.clone(), efforts: dofs.clone(), mean_velocity: dofs, refinements: 1, matters }
    }

    /// Begins a step of `step` s: springs and servos are linearised where the joints are expected so many seconds later.
    pub fn begin(&mut self, model: &Model, state: &State, step: f64, later: (f64, f64)) {
        self.forces.prepare(model, (&state.q, &state.v), step, later);
    }

    /// The kick at configuration q, refined from the mean velocity known so far, and that velocity after it. Leaves the
    /// accelerations in the workspace, and the factors of `M + G`. Returns by how much the mean velocity was wrong before.
    pub fn at(
        &mut self,
        model: &Model,
        (q, v): (&[f64], &[f64]),
        time: f64,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
        step: f64,
    ) -> Correction {
        self.enter(model, q, time, environment, workspace);
        loop {
            workspace.diagonal.copy_from_slice(&self.forces.diagonal);
            self.efforts.copy_from_slice(&self.forces.efforts);
            add(&mut self.efforts, &self.driven);
            articulated_inertias(model, &self.efforts, workspace);
            joint_accelerations(model, workspace);
            if !self.forces.saturate(model, &workspace.acceleration) {
                break;
            }
        }
        let first = self.update_mean(v, workspace, step);
        let mut correction = first;
        for _ in 0..self.refinements {
            if correction.is_negligible() {
                break;
            }
            accelerations_at_velocities(model, &self.mean_velocity, &self.efforts, workspace);
            correction = self.update_mean(v, workspace, step);
        }
        first
    }

    /// The first pass at a configuration and the mean velocity, with what acts there.
    pub fn enter(
        &mut self,
        model: &Model,
        q: &[f64],
        time: f64,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
    ) {
        enter(model, q, &self.mean_velocity, time, environment, workspace);
        workspace.diagonal.copy_from_slice(&self.forces.diagonal);
        let moment = Moment { q, v: &self.mean_velocity, time, efforts: &self.forces.efforts };
        drive(model, &moment, environment, workspace, &mut self.driven);
    }

    fn update_mean(&mut self, v: &[f64], workspace: &Workspace, step: f64) -> Correction {
        let (mut error, mut fastest) = (0.0_f64, SLOW);
        for (k, mean) in self.mean_velocity.iter_mut().enumerate() {
            let new = v[k] + 0.5 * step * workspace.acceleration[k];
            error = error.max((new - *mean).abs() * self.matters[k]);
            fastest = fastest.max(new.abs() * self.matters[k]);
            *mean = new;
        }
        Correction { error, turn: step * fastest }
    }
}
