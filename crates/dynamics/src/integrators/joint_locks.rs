//! Degrees of freedom that are held in place during a step, as by a joint limit that a motor presses against.
//!
//! A locked degree of freedom has an additional inertia L, far larger than that of its tree, and an effort that stops it
//! within the step:
//!
//! ```text
//!   v' = v + h a,    effort = -L (a + v / h) = -L v' / h
//! ```
//!
//! So v' is as good as zero, the articulated inertias are those of the tree with this joint locked, and `-L v'` is the
//! impulse that holds it. The caller decides what to do if its sign is wrong.

use crate::model::WORLD;
use crate::{Link, Model};

/// Inertia of a locked degree of freedom, relative to the largest that its tree can have. Larger ones would lose the
/// holding impulse to rounding, smaller ones let the joint creep.
const LOCK_FACTOR: f64 = 1e8;

/// Which degrees of freedom are locked.
#[derive(Debug, Clone)]
pub(crate) struct JointLocks {
    /// Additional inertia of each degree of freedom if it is locked, in kg m^2 or kg.
    inertias: Vec<f64>,
    locked: Vec<usize>,
    /// Effort of each locked degree of freedom at an acceleration of zero, in N m or N.
    efforts: Vec<f64>,
}

impl JointLocks {
    /// Locks nothing.
    pub fn new(model: &Model) -> Self {
        let links = model.links();
        let mut inertias = vec![0.0; model.dofs()];
        for root in (0..links.len()).filter(|index| links[*index].parent().is_none()) {
            let tree = model.tree(root);
            let largest = LOCK_FACTOR * largest_inertia(&links[tree.clone()], tree.start);
            for link in &links[tree] {
                inertias[link.v..link.v + link.dofs as usize].fill(largest);
            }
        }
        Self { inertias, locked: Vec::new(), efforts: Vec::new() }
    }

    /// Locks these degrees of freedom and no others.
    pub fn set(&mut self, dofs: impl Iterator<Item = usize>) {
        self.locked.clear();
        self.locked.extend(dofs);
    }

    /// Begins a step of `step` s with velocities v. Adds the inertias to the diagonal.
    pub fn begin(&mut self, v: &[f64], step: f64, diagonal: &mut [f64]) {
        self.efforts.clear();
        for &dof in &self.locked {
            diagonal[dof] += self.inertias[dof];
            self.efforts.push(-self.inertias[dof] * v[dof] / step);
        }
    }

    /// Adds the efforts that stop the joints.
    pub fn add_efforts(&self, efforts: &mut [f64]) {
        for (&dof, effort) in self.locked.iter().zip(&self.efforts) {
            efforts[dof] += effort;
        }
    }

    /// Returns the impulse that holds a degree of freedom, given its velocity at the end of the step, in N m s or N s.
    pub fn impulse(&self, dof: usize, end_velocity: f64) -> f64 {
        -self.inertias[dof] * end_velocity
    }
}

/// Returns a bound of the inertia of a tree about any of its joints, and of its mass.
fn largest_inertia(links: &[Link], first: usize) -> f64 {
    let (mut reach, mut inertia, mut mass) = (vec![0.0; links.len()], 0.0, 0.0);
    for (index, link) in links.iter().enumerate() {
        if link.parent != WORLD {
            reach[index] = reach[link.parent as usize - first] + link.tree_translation.length();
        }
        let own = link.inertia.about_point.to_matrix();
        inertia += own.x_axis.x + own.y_axis.y + own.z_axis.z;
        mass += link.inertia.mass;
    }
    let size = reach.iter().fold(0.0, |size: f64, reach| size.max(*reach));
    (inertia + mass * size * size).max(mass)
}
