//! Conservation of the momenta of floating trees during a step.
//!
//! Steps in joint coordinates conserve the momenta of a floating tree only to second order. The exact momenta after a
//! step are known: with F and T the external forces and moments about the centre of mass at the configuration q* at
//! which the step's forces were computed, and J, K the impulses there,
//!
//! ```text
//!   P' = P + h (m g + F) + J,    L' = L + h T + K
//! ```
//!
//! The difference is given to the tree as a whole, with its joints locked: the same velocity `(P' - P(q', v')) / m` to
//! all links, and a rotation about the centre of mass by `I^-1 (L' - L(q', v'))`, I the inertia of the locked tree.
//! Joint velocities do not change. The correction is of third order in the step, so the motion is as accurate as
//! before.

use std::ops::Range;

use glam::DVec3;

use crate::joint::Joint;
use crate::spatial::{Force, Motion, RigidInertia, Symmetric3};
use crate::{Model, State, Workspace};

/// A floating tree and the momenta that it must have at the end of the step, the angular one about its centre of mass.
#[derive(Debug, Clone)]
struct Floating {
    links: Range<usize>,
    mass: f64,
    /// Inertia of each link about its own centre of mass, along its inner axes.
    inertias: Vec<Symmetric3>,
    expected: Force,
    /// Its momenta at the start of the step.
    start: Force,
    /// Whether the tree is not corrected in this step.
    is_held: bool,
}

/// Position and motion of a tree as a whole.
struct Whole {
    /// Centre of mass, from the anchor of its root.
    center: DVec3,
    /// Linear momentum, and angular momentum about the centre of mass.
    momentum: Force,
}

/// Conserves the momenta of trees with more than one link whose root moves freely. (The linear momentum of a single
/// free link needs no correction.)
#[derive(Debug, Clone)]
pub(crate) struct MomentumKeeper {
    trees: Vec<Floating>,
}

impl MomentumKeeper {
    /// Finds the trees of a model whose momenta only external forces change: those whose root has neither springs nor
    /// drives.
    pub fn new(model: &Model) -> Self {
        let mut trees = Vec::new();
        for (root, link) in model.links.iter().enumerate().filter(|(_, link)| link.parent().is_none()) {
            let links = model.tree(root);
            let properties = &model.properties[link.v..link.v + link.dofs as usize];
            let passive = properties.iter().all(|own| *own == Default::default());
            if link.joint == Joint::Free && links.len() > 1 && passive {
                let inertias = model.links[links.clone()].iter().map(|link| &link.inertia);
                let mass = inertias.clone().map(|inertia| inertia.mass).sum();
                let about_center =
                    |own: &RigidInertia| own.about_point - Symmetric3::parallel_axis(own.center) * own.mass;
                trees.push(Floating {
                    links,
                    mass,
                    inertias: inertias.map(about_center).collect(),
                    expected: Force::ZERO,
                    start: Force::ZERO,
                    is_held: false,
                });
            }
        }
        Self { trees }
    }

    /// Returns whether there is nothing to correct.
    pub fn is_empty(&self) -> bool {
        self.trees.iter().all(|tree| tree.is_held)
    }

    /// Excludes trees from the next correction whose root is held by the ground, which takes any momentum.
    pub fn release(&mut self, is_held: impl Fn(usize) -> bool) {
        for tree in &mut self.trees {
            tree.is_held = is_held(tree.links.start);
        }
    }

    fn kept(&mut self) -> impl Iterator<Item = &mut Floating> {
        self.trees.iter_mut().filter(|tree| !tree.is_held)
    }

    /// Begins a step. The workspace is at the state.
    pub fn begin(&mut self, model: &Model, workspace: &Workspace) {
        for tree in self.kept() {
            tree.start = tree.whole(model, workspace).momentum;
        }
    }

    /// Adds the external forces of a step. The workspace is at the configuration at which they act.
    pub fn load(&mut self, model: &Model, workspace: &Workspace, step: f64) {
        for tree in self.kept() {
            let mut outer = Force::new(DVec3::ZERO, tree.mass * model.gravity);
            let external = &workspace.external[tree.links.clone()];
            if external.iter().any(|external| *external != Force::ZERO) {
                let center = workspace.links[tree.links.start].origin + tree.whole(model, workspace).center;
                for (work, external) in workspace.links[tree.links.clone()].iter().zip(external) {
                    outer += external.shifted_back(work.origin - center);
                }
            }
            tree.expected = tree.start + outer * step;
        }
    }

    /// Adds impulses, given by the velocity changes that they caused at the configuration of the workspace. Afterwards
    /// the workspace holds these changes as its velocities.
    pub fn push(&mut self, model: &Model, changes: &[f64], workspace: &mut Workspace) {
        for tree in self.kept() {
            let first = model.links[tree.links.start].v;
            let last = &model.links[tree.links.end - 1];
            if changes[first..last.v + last.dofs as usize].iter().any(|change| *change != 0.0) {
                set_velocities(model, changes, &tree.links, workspace);
                tree.expected += tree.whole(model, workspace).momentum;
            }
        }
    }

    /// Ends a step. The workspace is at the state, whose velocities are corrected; those of the workspace are not.
    pub fn finish(&self, model: &Model, state: &mut State, workspace: &Workspace) {
        for tree in self.trees.iter().filter(|tree| !tree.is_held) {
            let whole = tree.whole(model, workspace);
            let missing = tree.expected - whole.momentum;
            let turn = tree.locked_inertia(model, workspace, whole.center).inverse() * missing.moment;
            let root = model.links[tree.links.start].v;
            // The anchor of a free root is its own centre of mass.
            let shift = missing.force / tree.mass - turn.cross(whole.center);
            for k in 0..3 {
                state.v[root + k] += turn[k];
                state.v[root + 3 + k] += shift[k];
            }
        }
    }
}

impl Floating {
    /// Sums everything about the anchor of the root, which is near, and then shifts it to the centre of mass.
    fn whole(&self, model: &Model, workspace: &Workspace) -> Whole {
        let links = &workspace.links[self.links.clone()];
        let base = links[0].origin;
        let (mut moment_of_mass, mut momentum) = (DVec3::ZERO, Force::ZERO);
        for (link, work) in model.links[self.links.clone()].iter().zip(links) {
            let RigidInertia { mass, center, about_point } = link.inertia;
            let (spin, offset) = (work.velocity.angular, work.origin - base);
            let center = work.rotation * center;
            let force = mass * (work.velocity.linear + spin.cross(center));
            // Along the link's own axes: rotating two vectors is less work than rotating the inertia.
            let own = work.rotation * (about_point * (work.rotation.transpose() * spin));
            moment_of_mass += mass * (offset + center);
            momentum.force += force;
            momentum.moment += own + mass * center.cross(work.velocity.linear) + offset.cross(force);
        }
        let center = moment_of_mass / self.mass;
        momentum.moment -= center.cross(momentum.force);
        Whole { center, momentum }
    }

    /// Returns the inertia of the tree with its joints locked, about its centre of mass.
    fn locked_inertia(&self, model: &Model, workspace: &Workspace, center: DVec3) -> Symmetric3 {
        let links = &workspace.links[self.links.clone()];
        let mut sum = Symmetric3::ZERO;
        for ((link, work), inertia) in model.links[self.links.clone()].iter().zip(links).zip(&self.inertias) {
            let lever = work.origin - links[0].origin + work.rotation * link.inertia.center - center;
            sum += inertia.rotated(&work.rotation) + Symmetric3::parallel_axis(lever) * link.inertia.mass;
        }
        sum
    }
}

/// Computes velocities of the links at the positions of the workspace.
fn set_velocities(model: &Model, v: &[f64], links: &Range<usize>, workspace: &mut Workspace) {
    for index in links.clone() {
        let link = &model.links[index];
        let carried = match link.parent() {
            Some(parent) => workspace.links[parent].velocity.shifted(workspace.links[index].offset),
            None => Motion::ZERO,
        };
        let axes = &workspace.axes[link.v..link.v + link.dofs as usize];
        let own = axes.iter().zip(&v[link.v..]).fold(carried, |sum, (axis, speed)| sum + *axis * *speed);
        workspace.links[index].velocity = own;
    }
}
