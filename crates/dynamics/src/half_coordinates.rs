//! The inverse mass matrix in two halves: the joint slips that impulses cause on their path to the root, and the motion
//! of a tree with given slips (Fontijne 2000, section 3.6.7, eq. 3.53 to 3.62).
//!
//! `M^-1 = W^T D^-1 W`: W carries impulses inward, D holds the inertias along the joints, and `W^T` carries motions
//! outward. Impulses along a row J of a Jacobian cause `z = W J^T` at the joints between a link and its root and zero
//! elsewhere. So many impulses p on one tree need only short sums over paths until the end:
//!
//! ```text
//!   y = sum of z p                        by joint, from all impulses
//!   J dv = sum of (D^-1 z) y              over the path of J
//!   J M^-1 J'^T = sum of z D^-1 z'        over the joints that are on both paths
//!   dv = W^T D^-1 y                       one pass outward, once
//! ```
//!
//! Where D is stored as `L L^T`, z stands for `L^-1 z`, and D is the identity.

use std::ops::Range;

use crate::impulse::{pass_inward, pass_outward};
use crate::joint::Joint;
use crate::model::WORLD;
use crate::spatial::{FactoredInertia, Force, Motion};
use crate::state::read_vector;
use crate::{Model, Workspace};

impl Workspace {
    /// Carries impulses on a link (columns, about its [`anchor`](Self::anchor)), and `efforts` along the degrees of
    /// freedom of its joint, inward to the root. Calls `with(dof, z, D^-1 z)` for every degree of freedom on the path,
    /// the outermost joint first. The last pass over the workspace must have been inward.
    #[inline]
    pub fn carry_inward<const C: usize>(
        &self,
        model: &Model,
        link: usize,
        mut impulses: [Force; C],
        efforts: [[f64; 6]; C],
        mut with: impl FnMut(usize, [f64; C], [f64; C]),
    ) {
        let (mut index, mut slips) = (link, efforts);
        loop {
            let link = &model.links[index];
            pass_inward(link, self, &mut impulses, &mut slips);
            let along = |k: usize| core::array::from_fn(|column| slips[column][k]);
            match link.joint {
                Joint::Weld | Joint::Scripted { .. } => {}
                Joint::Revolute | Joint::Prismatic => {
                    let z: [f64; C] = along(0);
                    with(link.v, z, z.map(|z| z * self.blocks[link.block]));
                }
                Joint::Free => {
                    let inertia = FactoredInertia::read_from(&self.blocks[link.block..]);
                    let moved =
                        slips.map(|slip| inertia.solve(&Force::new(read_vector(&slip), read_vector(&slip[3..]))));
                    for k in 0..3 {
                        with(link.v + k, along(k), moved.map(|moved| moved.angular[k]));
                    }
                    for k in 0..3 {
                        with(link.v + 3 + k, along(k + 3), moved.map(|moved| moved.linear[k]));
                    }
                }
                Joint::Spherical | Joint::Stack { .. } => {
                    for k in 0..link.dofs as usize {
                        with(link.v + k, along(k), along(k));
                    }
                }
            }
            if link.parent == WORLD {
                return;
            }
            for impulse in &mut impulses {
                *impulse = impulse.shifted_back(self.links[index].offset);
            }
            slips = [[0.0; 6]; C];
            index = link.parent as usize;
        }
    }

    /// Computes the motion of a tree with given joint slips: converts `slips` (the sums of z p, see
    /// [`carry_inward`](Self::carry_inward)) into changes of its joint velocities, in place, and writes those of its
    /// links. All slices are those of the whole model; only the entries of the tree with these links are changed.
    pub fn carry_outward(&self, model: &Model, tree: Range<usize>, slips: &mut [f64], link_velocities: &mut [Motion]) {
        for index in tree {
            let link = &model.links[index];
            let inner = match link.parent {
                WORLD => Motion::ZERO,
                parent => link_velocities[parent as usize].shifted(self.links[index].offset),
            };
            link_velocities[index] = pass_outward(link, self, inner, &mut slips[link.v..link.v + link.dofs as usize]);
        }
    }
}
