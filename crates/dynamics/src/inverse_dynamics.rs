//! Inverse dynamics by recursive Newton-Euler: from accelerations to the efforts that cause them.
//!
//! With S the axes of a joint, c its bias acceleration, I the inertia of the link alone and z the terms of its spin and
//! of external forces: outward `a = a' + c + S qdd`, inward `f = I a + z + (forces of the children)`, `Q = S^T f +
//! armature qdd`.

use crate::forward_dynamics::own_inertias;
use crate::kinematics::outward_kinematics;
use crate::model::WORLD;
use crate::spatial::Motion;
use crate::{Model, State, Workspace};

/// Computes the efforts (N m, N) under which a state has the given joint accelerations (rad/s^2, m/s^2): the exact
/// inverse of [`forward_dynamics`](crate::forward_dynamics) with the same workspace. Gravity, the external forces of
/// the workspace and the armature (with all other inertia that the workspace adds to the joints) are included.
///
/// Afterwards the workspace holds the accelerations of the links and the joint reactions of this motion, as after
/// forward dynamics. It does not hold articulated inertias, which impulses need.
///
/// ```
/// use burgess_dynamics::{JointSpec, LinkSpec, ModelBuilder, State, Workspace, inverse_dynamics};
/// use glam::{DMat3, DVec3};
///
/// // What holds an arm of 1 kg, stretched out by 0.5 m, against gravity?
/// let mut builder = ModelBuilder::new();
/// let arm = LinkSpec::new("arm", 1.0, DVec3::new(0.5, 0.0, 0.0), DMat3::IDENTITY * 0.01);
/// builder.add_link(None, JointSpec::revolute(DVec3::Y), arm);
/// let model = builder.build().unwrap();
/// let mut workspace = Workspace::new(&model);
/// let mut efforts = [0.0];
/// inverse_dynamics(&model, &State::new(&model), &[0.0], &mut workspace, &mut efforts);
/// assert!((efforts[0] + 0.5 * 9.81).abs() < 1e-12);
/// ```
pub fn inverse_dynamics(
    model: &Model,
    state: &State,
    accelerations: &[f64],
    workspace: &mut Workspace,
    efforts: &mut [f64],
) {
    workspace.acceleration.copy_from_slice(accelerations);
    newton_euler(model, state, workspace, efforts);
}

/// Computes the efforts `b(q, v)` that a state needs for joint accelerations of zero, so that `M qdd + b = Q`:
/// centripetal and Coriolis terms, gravity, and the external forces of the workspace with the opposite sign.
pub fn bias_efforts(model: &Model, state: &State, workspace: &mut Workspace, efforts: &mut [f64]) {
    workspace.acceleration.fill(0.0);
    newton_euler(model, state, workspace, efforts);
}

/// Both passes, for the joint accelerations in the workspace.
fn newton_euler(model: &Model, state: &State, workspace: &mut Workspace, efforts: &mut [f64]) {
    outward_kinematics(model, &state.q, &state.v, workspace);
    own_inertias(model, workspace);
    let ground = Motion::new(glam::DVec3::ZERO, -model.gravity);
    let Workspace { links, axes, diagonal, acceleration, .. } = workspace;
    for (index, link) in model.links.iter().enumerate() {
        let work = &links[index];
        let from_parent = match link.parent {
            WORLD => ground,
            parent => links[parent as usize].acceleration.shifted(work.offset),
        };
        let mut own = from_parent + work.bias;
        for k in link.v..link.v + link.dofs as usize {
            own += axes[k] * acceleration[k];
        }
        links[index].acceleration = own;
    }
    for (index, link) in model.links.iter().enumerate().rev() {
        let work = &links[index];
        let reaction = work.inertia.times(&work.acceleration) + work.force;
        for k in link.v..link.v + link.dofs as usize {
            efforts[k] = axes[k].dot(&reaction) + diagonal[k] * acceleration[k];
        }
        if link.parent != WORLD {
            let passed_on = reaction.shifted_back(work.offset);
            links[link.parent as usize].force += passed_on;
        }
    }
}
