//! Forward dynamics again at the same positions with other velocities. Poses, axes, articulated inertias and factors of
//! the last pass are reused; only velocity-dependent terms are recomputed. This is less than half the work of the three
//! passes.

use crate::joint::Joint;
use crate::kinematics::update_velocities;
use crate::model::WORLD;
use crate::projection::{for_dofs, forward_substitute};
use crate::spatial::Force;
use crate::workspace::LinkWork;
use crate::{Model, Workspace, joint_accelerations};

/// Computes joint accelerations at other velocities than those of the last
/// [`articulated_inertias`](crate::articulated_inertias), at the same positions, diagonal and external forces.
/// Afterwards the workspace holds the new velocities.
pub fn accelerations_at_velocities(model: &Model, v: &[f64], efforts: &[f64], workspace: &mut Workspace) {
    update_velocities(model, v, workspace);
    own_forces(model, workspace);
    inward_forces(model, efforts, workspace);
    joint_accelerations(model, workspace);
}

/// Computes the links' own zero-acceleration forces at their velocities.
fn own_forces(model: &Model, workspace: &mut Workspace) {
    for ((link, work), external) in model.links.iter().zip(&mut workspace.links).zip(&workspace.external) {
        work.force = own_bias_force(link, work) - *external;
    }
}

/// Returns `[w x I w; m w x (w x d)]`, computed along the link's inner axes where its inertia is constant.
#[inline]
fn own_bias_force(link: &crate::Link, work: &LinkWork) -> Force {
    let bias = link.inertia.bias(work.rotation.transpose() * work.velocity.angular);
    Force::new(work.rotation * bias.moment, work.rotation * bias.force)
}

/// The force part of the inward pass. Inertias and factors are those of the last pass.
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
