//! Forward dynamics by the articulated-body method (Featherstone; Fontijne 2000, section 3.6; Arnold 1997, section
//! 2.3), in three passes:
//!
//! 1. [`update_kinematics`](crate::update_kinematics), outward: poses, velocities, bias accelerations;
//! 2. [`articulated_inertias`], inward: the inertia and force that each link presents to its parent (Fontijne 2000, eq.
//!    3.48, 3.49);
//! 3. [`joint_accelerations`], outward: accelerations of joints and links (Fontijne 2000, eq. 3.50, 3.51).
//!
//! With S the axes of a joint, I and Z the articulated inertia and zero-acceleration force of its link, c the bias
//! acceleration, Q the effort and a' the acceleration of the parent at the link's anchor:
//!
//! ```text
//!   D = S^T I S,   qdd = D^-1 (Q - S^T Z - S^T I (a' + c)),   a = a' + c + S qdd
//! ```

use crate::joint::Joint;
use crate::kinematics::outward_kinematics;
use crate::model::WORLD;
use crate::projection::{back_substitute, factor, factor_one, for_dofs, forward_substitute};
use crate::spatial::{FactoredInertia, Force, Motion, Symmetric3};
use crate::state::read_vector;
use crate::{Model, State, Workspace};

/// Computes the joint accelerations of a state under joint efforts (N m, N). Read them with
/// [`Workspace::joint_acceleration`]. External forces are those applied to the workspace.
pub fn forward_dynamics(model: &Model, state: &State, efforts: &[f64], workspace: &mut Workspace) {
    workspace.restore_armature(model);
    outward_kinematics(model, &state.q, &state.v, workspace);
    articulated_inertias(model, efforts, workspace);
    joint_accelerations(model, workspace);
}

/// Computes the links' own inertias and zero-acceleration forces, with which the second pass begins.
pub(crate) fn own_inertias(model: &Model, workspace: &mut Workspace) {
    for ((link, work), external) in model.links.iter().zip(&mut workspace.links).zip(&workspace.external) {
        let inertia = link.inertia.rotated(&work.rotation);
        work.inertia = inertia.articulated();
        work.force = inertia.bias(work.velocity.angular) - *external;
    }
}

/// The second pass, inward.
pub fn articulated_inertias(model: &Model, efforts: &[f64], workspace: &mut Workspace) {
    own_inertias(model, workspace);
    let Workspace { links, axes, axis_forces, blocks, efforts: rest, diagonal, .. } = workspace;
    for (index, link) in model.links.iter().enumerate().rev() {
        let (inboard, outboard) = links.split_at_mut(index);
        let work = &outboard[0];
        let v = link.v;
        let (shown, force) = match link.joint {
            Joint::Weld | Joint::Scripted { .. } => (work.inertia, work.force + work.inertia.times(&work.bias)),
            Joint::Revolute => {
                let axis = axes[v].angular;
                let u = Force::new(work.inertia.angular * axis, work.inertia.coupling_transposed(axis));
                let along = axis.dot(u.moment) + diagonal[v];
                let shown = factor_one(&work.inertia, u, along, &mut axis_forces[v], &mut blocks[link.block]);
                rest[v] = efforts[v] - axis.dot(work.force.moment);
                let slip = (rest[v] - work.bias.dot(&u)) * blocks[link.block];
                (shown, work.force + work.inertia.times(&work.bias) + u * slip)
            }
            Joint::Prismatic => {
                let axis = axes[v].linear;
                let u = Force::new(work.inertia.coupling * axis, work.inertia.linear * axis);
                let along = axis.dot(u.force) + diagonal[v];
                let shown = factor_one(&work.inertia, u, along, &mut axis_forces[v], &mut blocks[link.block]);
                rest[v] = efforts[v] - axis.dot(work.force.force);
                let slip = (rest[v] - work.bias.dot(&u)) * blocks[link.block];
                (shown, work.force + work.inertia.times(&work.bias) + u * slip)
            }
            Joint::Free => {
                // A root has no parent. The inertia along the joint is the articulated inertia itself.
                let mut inertia = work.inertia;
                inertia.angular += diagonal_block(&diagonal[v..v + 3]);
                inertia.linear += diagonal_block(&diagonal[v + 3..v + 6]);
                FactoredInertia::new(&inertia).write_to(&mut blocks[link.block..]);
                for k in 0..6 {
                    rest[v + k] = efforts[v + k] - axes[v + k].dot(&work.force);
                }
                continue;
            }
            Joint::Spherical | Joint::Stack { .. } => {
                let dofs = link.dofs as usize;
                let (axes, forces) = (&axes[v..v + dofs], &mut axis_forces[v..v + dofs]);
                let block = &mut blocks[link.block..link.block + dofs * dofs];
                let shown = for_dofs!(dofs, factor(&work.inertia, axes, &diagonal[v..v + dofs], forces, block));
                for k in 0..dofs {
                    rest[v + k] = efforts[v + k] - axes[k].dot(&work.force);
                }
                let rest = &mut rest[v..v + dofs];
                for_dofs!(dofs, forward_substitute(block, rest));
                let mut force = work.force + work.inertia.times(&work.bias);
                for k in 0..dofs {
                    force += forces[k] * (rest[k] - work.bias.dot(&forces[k]));
                }
                (shown, force)
            }
        };
        if link.parent != WORLD {
            let parent = &mut inboard[link.parent as usize];
            parent.inertia += shown.shifted_back(work.offset);
            parent.force += force.shifted_back(work.offset);
        }
    }
}

/// The third pass, outward.
pub fn joint_accelerations(model: &Model, workspace: &mut Workspace) {
    // Gravity as an upward acceleration of the ground: the links then hold their acceleration minus gravity.
    let ground = Motion::new(glam::DVec3::ZERO, -model.gravity);
    let Workspace { links, axes, axis_forces, blocks, efforts: rest, acceleration, .. } = workspace;
    for (index, link) in model.links.iter().enumerate() {
        let work = &links[index];
        let from_parent = match link.parent {
            WORLD => ground,
            parent => links[parent as usize].acceleration.shifted(work.offset),
        };
        let mut own = from_parent + work.bias;
        let v = link.v;
        match link.joint {
            Joint::Weld | Joint::Scripted { .. } => {}
            Joint::Revolute => {
                acceleration[v] = (rest[v] - own.dot(&axis_forces[v])) * blocks[link.block];
                own.angular += axes[v].angular * acceleration[v];
            }
            Joint::Prismatic => {
                acceleration[v] = (rest[v] - own.dot(&axis_forces[v])) * blocks[link.block];
                own.linear += axes[v].linear * acceleration[v];
            }
            Joint::Free => {
                let taken = work.inertia.times(&own);
                let wanted = Force::new(read_vector(&rest[v..]), read_vector(&rest[v + 3..])) - taken;
                let free = FactoredInertia::read_from(&blocks[link.block..]).solve(&wanted);
                acceleration[v..v + 3].copy_from_slice(&free.angular.to_array());
                acceleration[v + 3..v + 6].copy_from_slice(&free.linear.to_array());
                own += free;
            }
            Joint::Spherical | Joint::Stack { .. } => {
                let dofs = link.dofs as usize;
                let own_acceleration = &mut acceleration[v..v + dofs];
                for k in 0..dofs {
                    own_acceleration[k] = rest[v + k] - own.dot(&axis_forces[v + k]);
                }
                for_dofs!(dofs, back_substitute(&blocks[link.block..], own_acceleration));
                for k in 0..dofs {
                    own += axes[v + k] * acceleration[v + k];
                }
            }
        }
        links[index].acceleration = own;
    }
}

fn diagonal_block(of: &[f64]) -> Symmetric3 {
    Symmetric3 { diagonal: read_vector(of), off_diagonal: glam::DVec3::ZERO }
}
