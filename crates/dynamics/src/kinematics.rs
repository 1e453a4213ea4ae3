//! The first pass, outward from the roots: poses and axes from positions, then velocities and velocity-dependent
//! accelerations.
//!
//! Accelerations are those of the links' points at their anchors (classical, not spatial ones), so a moving parent
//! contributes `w x (w x r)` for the offset r and `2 w x v_rel` for a slide (Fontijne 2000, eq. 3.46, 3.47).
//!
//! The bias accelerations follow from the joint axes alone. With `S_k = [s_k; l_k]` the axes about the link's anchor,
//! in order, `w_k` the angular velocity after axis k (`w_0` that of the parent), r the offset from the parent's anchor
//! and `u_k = sum over j >= k of l_j v_j`:
//!
//! ```text
//!   angular:  sum of  w_(k-1) x s_k v_k
//!   linear:   w_0 x (w_0 x r + u_1)  +  sum of  w_(k-1) x l_k v_k + s_k v_k x u_k
//! ```
//!
//! (each `l_k` rotates with the frame before it, and its lever to the anchor grows with the motion of the axes from k
//! on). Spherical axes rotate with the link, so there the angular part is `w_0 x w_rel`.

use glam::{DMat3, DVec3};

use crate::joint::{Joint, StackAxis};
use crate::model::WORLD;
use crate::sine::sin_cos;
use crate::spatial::Motion;
use crate::spec::AxisKind;
use crate::state::{read_quaternion, read_vector};
use crate::{Model, State, Workspace};

/// Brings the workspace to the positions and velocities of a state. Does nothing if it is already there.
pub fn update_kinematics(model: &Model, state: &State, workspace: &mut Workspace) {
    if !workspace.shows_positions(state) {
        outward_kinematics(model, &state.q, &state.v, workspace);
    } else if !workspace.shows_velocities(state) {
        update_velocities(model, &state.v, workspace);
    } else {
        return;
    }
    workspace.remember(state);
}

/// Computes poses, axes, velocities and biases.
pub(crate) fn outward_kinematics(model: &Model, q: &[f64], v: &[f64], workspace: &mut Workspace) {
    update_positions(model, q, workspace);
    update_velocities(model, v, workspace);
}

/// Computes poses and axes of the links.
fn update_positions(model: &Model, q: &[f64], workspace: &mut Workspace) {
    workspace.shown.forget();
    for (index, link) in model.links.iter().enumerate() {
        let (parent_rotation, parent_origin) = match link.parent {
            WORLD => (DMat3::IDENTITY, DVec3::ZERO),
            parent => {
                let parent = &workspace.links[parent as usize];
                (parent.rotation, parent.origin)
            }
        };
        let q = &q[link.q..];
        let axes = &mut workspace.axes[link.v..link.v + link.dofs as usize];
        let placed = |rotation: DMat3, offset: DVec3| (rotation, parent_origin + offset, offset);
        let (rotation, origin, offset) = match link.joint {
            Joint::Revolute => {
                let base = parent_rotation * link.tree_rotation;
                let (sine, cosine) = sin_cos(q[0]);
                axes[0] = Motion::new(base.z_axis, DVec3::ZERO);
                let rotation = DMat3::from_cols(
                    base.x_axis * cosine + base.y_axis * sine,
                    base.y_axis * cosine - base.x_axis * sine,
                    base.z_axis,
                );
                placed(rotation, parent_rotation * link.tree_translation)
            }
            Joint::Weld => placed(parent_rotation * link.tree_rotation, parent_rotation * link.tree_translation),
            Joint::Prismatic => {
                let base = parent_rotation * link.tree_rotation;
                axes[0] = Motion::new(DVec3::ZERO, base.z_axis);
                placed(base, parent_rotation * link.tree_translation + base.z_axis * q[0])
            }
            Joint::Spherical => {
                let rotation = parent_rotation * link.tree_rotation * DMat3::from_quat(read_quaternion(q));
                for (axis, direction) in axes.iter_mut().zip([rotation.x_axis, rotation.y_axis, rotation.z_axis]) {
                    *axis = Motion::new(direction, DVec3::ZERO);
                }
                placed(rotation, parent_rotation * link.tree_translation)
            }
            Joint::Free => {
                for (k, direction) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                    axes[k] = Motion::new(direction, DVec3::ZERO);
                    axes[k + 3] = Motion::new(DVec3::ZERO, direction);
                }
                placed(DMat3::from_quat(read_quaternion(&q[3..])), read_vector(q))
            }
            Joint::Scripted { slot } => {
                let pose = workspace.scripts[slot as usize].pose;
                placed(pose.matrix(), pose.translation)
            }
            Joint::Stack { first } => {
                let mut carried = Carried {
                    rotation: parent_rotation * link.tree_rotation,
                    origin: parent_origin + parent_rotation * link.tree_translation,
                };
                let stack = &model.axes[first as usize..first as usize + axes.len()];
                for (k, axis) in stack.iter().enumerate() {
                    axes[k] = carried.pass(axis, q[k]);
                }
                // The axes so far are about their own anchors; shift them to the link's.
                for (axis, work) in stack.iter().zip(axes.iter_mut()) {
                    if axis.kind == AxisKind::Hinge {
                        work.linear = work.angular.cross(carried.origin - work.linear);
                    }
                }
                (carried.rotation, carried.origin, carried.origin - parent_origin)
            }
        };
        let work = &mut workspace.links[index];
        (work.rotation, work.origin, work.offset) = (rotation, origin, offset);
    }
}

/// Computes velocities and biases of the links, at the positions of the workspace.
pub(crate) fn update_velocities(model: &Model, v: &[f64], workspace: &mut Workspace) {
    workspace.shown.has_velocities = false;
    for (index, link) in model.links.iter().enumerate() {
        let (parent_velocity, spin) = match link.parent {
            WORLD => (Motion::ZERO, DVec3::ZERO),
            parent => {
                let velocity = workspace.links[parent as usize].velocity;
                (velocity, velocity.angular)
            }
        };
        let axes = &workspace.axes[link.v..link.v + link.dofs as usize];
        let v = &v[link.v..];
        let offset = workspace.links[index].offset;
        let swing = spin.cross(offset);
        let carried = Motion::new(spin, parent_velocity.linear + swing);
        let (velocity, bias) = match link.joint {
            Joint::Revolute => {
                let turn = axes[0].angular * v[0];
                let velocity = Motion::new(spin + turn, carried.linear);
                (velocity, Motion::new(spin.cross(turn), spin.cross(swing)))
            }
            Joint::Weld => (carried, Motion::new(DVec3::ZERO, spin.cross(swing))),
            Joint::Prismatic => {
                let slide = axes[0].linear * v[0];
                let velocity = Motion::new(spin, carried.linear + slide);
                (velocity, Motion::new(DVec3::ZERO, spin.cross(swing + 2.0 * slide)))
            }
            Joint::Spherical => {
                let turn = workspace.links[index].rotation * read_vector(v);
                let velocity = Motion::new(spin + turn, carried.linear);
                (velocity, Motion::new(spin.cross(turn), spin.cross(swing)))
            }
            Joint::Free => (Motion::new(read_vector(v), read_vector(&v[3..])), Motion::ZERO),
            // A base with prescribed motion: its acceleration enters like the velocity-dependent ones.
            Joint::Scripted { slot } => {
                let motion = &workspace.scripts[slot as usize];
                (motion.velocity, motion.acceleration)
            }
            Joint::Stack { .. } => {
                let mut remaining = DVec3::ZERO;
                for (axis, v) in axes.iter().zip(v) {
                    remaining += axis.linear * *v;
                }
                let mut velocity = Motion::new(spin, carried.linear + remaining);
                let mut bias = Motion::new(DVec3::ZERO, spin.cross(swing + remaining));
                for (axis, v) in axes.iter().zip(v) {
                    let step = *axis * *v;
                    bias.angular += velocity.angular.cross(step.angular);
                    bias.linear += velocity.angular.cross(step.linear) + step.angular.cross(remaining);
                    velocity.angular += step.angular;
                    remaining -= step.linear;
                }
                (velocity, bias)
            }
        };
        let work = &mut workspace.links[index];
        (work.velocity, work.bias) = (velocity, bias);
    }
}

/// A frame carried along a joint.
struct Carried {
    rotation: DMat3,
    origin: DVec3,
}

impl Carried {
    /// Carries the frame over one axis. Returns the axis in the world: a slide's motion, or a hinge's direction with
    /// its anchor in place of the linear part.
    fn pass(&mut self, axis: &StackAxis, position: f64) -> Motion {
        let direction = self.rotation * axis.direction;
        match axis.kind {
            AxisKind::Slide => {
                self.origin += direction * position;
                Motion::new(DVec3::ZERO, direction)
            }
            AxisKind::Hinge => {
                let anchor = self.origin + self.rotation * axis.anchor;
                let (sine, cosine) = sin_cos(position);
                self.rotation *= turn_about(axis.direction, sine, cosine);
                self.origin = anchor - self.rotation * axis.anchor;
                Motion::new(direction, anchor)
            }
        }
    }
}

/// Returns a rotation about a unit vector (Rodrigues). Multiplying it onto a frame from the right keeps the frame's
/// rounding errors of orthonormality as small as they were; rotating about the frame's own axis in the world, which is
/// no longer a unit vector, would multiply them by up to five, from joint to joint.
fn turn_about(axis: DVec3, sine: f64, cosine: f64) -> DMat3 {
    let (s, t) = (axis * sine, axis * (1.0 - cosine));
    let (x, y, z) = (t.x * axis, t.y * axis, t.z * axis);
    DMat3::from_cols(
        DVec3::new(x.x + cosine, x.y + s.z, x.z - s.y),
        DVec3::new(y.x - s.z, y.y + cosine, y.z + s.x),
        DVec3::new(z.x + s.y, z.y - s.x, z.z + cosine),
    )
}
