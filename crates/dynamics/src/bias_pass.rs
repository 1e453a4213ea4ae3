//! Forward dynamics again at the same positions with other velocities: poses, axes, articulated inertias and factors of
//! the last pass stay, only what velocities cause is new. Less than half the work of the three passes.
//!
//! The bias accelerations follow from the joint axes alone. With `S_k = [s_k; l_k]` the axes about the link's anchor,
//! in order, `w_k` the angular velocity after axis k (`w_0` that of the parent), r the offset from the parent's anchor and
//! `u_k = sum over j >= k of l_j v_j`:
//!
//! ```text
//!   angular:  sum of  w_(k-1) x s_k v_k
//!   linear:   w_0 x (w_0 x r + u_1)  +  sum of  w_(k-1) x l_k v_k + s_k v_k x u_k
//! ```
//!
//! (each `l_k` turns with the frame before it, and its lever to the anchor grows with what the axes from k on do).
//! Spherical axes turn with the link, so there the angular part is `w_0 x w_rel`.

use glam::DVec3;

use crate::joint::Joint;
use crate::model::WORLD;
use crate::projection::{for_dofs, forward_substitute};
use crate::spatial::{Force, Motion};
use crate::workspace::LinkWork;
use crate::{Model, Workspace, joint_accelerations};

/// Joint accelerations at other velocities than those of the last [`articulated_inertias`](crate::articulated_inertias),
/// at the same positions, diagonal and external forces. The workspace shows the new velocities afterwards.
pub fn accelerations_at_velocities(model: &Model, v: &[f64], efforts: &[f64], workspace: &mut Workspace) {
    outward_bias(model, v, workspace);
    inward_forces(model, efforts, workspace);
    joint_accelerations(model, workspace);
}

/// Velocities, bias accelerations and the links' own zero acceleration forces.
fn outward_bias(model: &Model, v: &[f64], workspace: &mut Workspace) {
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
                let turn = workspace.links[index].rotation * DVec3::new(v[0], v[1], v[2]);
                let velocity = Motion::new(spin + turn, carried.linear);
                (velocity, Motion::new(spin.cross(turn), spin.cross(swing)))
            }
            Joint::Free => {
                let velocity = Motion::new(DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5]));
                (velocity, Motion::ZERO)
            }
            // Its motion is given, whatever the velocities.
            Joint::Scripted { .. } => (workspace.links[index].velocity, workspace.links[index].bias),
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
        let external = workspace.external[index];
        let work = &mut workspace.links[index];
        work.velocity = velocity;
        work.bias = bias;
        work.force = own_bias_force(link, work) - external;
    }
}

/// `[w x I w; m w x (w x d)]`, found along the link's inner axes where its inertia is constant.
#[inline]
fn own_bias_force(link: &crate::Link, work: &LinkWork) -> Force {
    let bias = link.inertia.bias(work.rotation.transpose() * work.velocity.angular);
    Force::new(work.rotation * bias.moment, work.rotation * bias.force)
}

/// The force part of the inward pass; inertias and factors are those of the last one.
fn inward_forces(model: &Model, efforts: &[f64], workspace: &mut Workspace) {
    let Workspace { links, axes, axis_forces, blocks, efforts: rest, .. } = workspace;
    for (index, link) in model.links.iter().enumerate().rev() {
        let work = &links[index];
        let v = link.v;
        let force = match link.joint {
            Joint::Weld | Joint::Scripted { .. } => work.force + work.inertia.times(&work.bias),
            Joint::Revolute => {
                rest[v] = efforts[v] - axes[v].angular.dot(work.force.moment);
                let slip = (rest[v] - work.bias.dot(&axis_forces[v])) * blocks[link.block];
                work.force + work.inertia.times(&work.bias) + axis_forces[v] * slip
            }
            Joint::Prismatic => {
                rest[v] = efforts[v] - axes[v].linear.dot(work.force.force);
                let slip = (rest[v] - work.bias.dot(&axis_forces[v])) * blocks[link.block];
                work.force + work.inertia.times(&work.bias) + axis_forces[v] * slip
            }
            Joint::Free => {
                for k in 0..6 {
                    rest[v + k] = efforts[v + k] - axes[v + k].dot(&work.force);
                }
                continue;
            }
            Joint::Spherical | Joint::Stack { .. } => {
                let dofs = link.dofs as usize;
                for k in 0..dofs {
                    rest[v + k] = efforts[v + k] - axes[v + k].dot(&work.force);
                }
                let rest = &mut rest[v..v + dofs];
                for_dofs!(dofs, forward_substitute(&blocks[link.block..], rest));
                let mut force = work.force + work.inertia.times(&work.bias);
                for (y, x) in axis_forces[v..v + dofs].iter().zip(rest) {
                    force += *y * (*x - work.bias.dot(y));
                }
                force
            }
        };
        if link.parent != WORLD {
            let offset = work.offset;
            links[link.parent as usize].force += force.shifted_back(offset);
        }
    }
}
