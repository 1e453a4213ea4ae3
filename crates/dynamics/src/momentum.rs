//! Keeping the momenta of floating trees through a step.
//!
//! Steps in joint coordinates are right to second order, and so are the momenta of a tree that floats; nature keeps them to
//! the last bit. What they must be after a step is known: with F and T the outer forces and moments about the centre of
//! mass at the configuration q* at which the step's forces were found, and J, K what impulses gave there,
//!
//! ```text
//!   P' = P + h (m g + F) + J,    L' = L + h T + K
//! ```
//!
//! What is missing is given to the tree as a whole, as if its joints were locked: the same velocity `(P' - P(q', v')) / m`
//! to everything, and a turn about the centre of mass by `I^-1 (L' - L(q', v'))`, I the inertia of the locked tree. Joint
//! velocities stay. The correction is of third order in the step, so the motion stays as accurate as it was.

use std::ops::Range;

use glam::{DMat3, DVec3};

use crate::joint::Joint;
use crate::spatial::{Force, Motion, RigidInertia, Symmetric3};
use crate::workspace::LinkWork;
use crate::{Model, State, Workspace};

/// A floating tree and the momenta that it must end the step with, the angular one about its centre of mass.
#[derive(Debug, Clone)]
struct Floating {
    links: Range<usize>,
    expected: Force,
}

/// Keeps the momenta of trees of more than one link whose root moves freely. (A free link alone needs no help with its
/// linear momentum.)
#[derive(Debug, Clone)]
pub(crate) struct MomentumKeeper {
    trees: Vec<Floating>,
}

impl MomentumKeeper {
    /// Finds the trees of a model whose momenta only outer forces change: those whose root has neither springs nor drives.
    pub fn new(model: &Model) -> Self {
        let mut trees = Vec::new();
        for (root, link) in model.links.iter().enumerate().filter(|(_, link)| link.parent().is_none()) {
            let links = model.tree(root);
            let properties = &model.properties[link.v..link.v + link.dofs as usize];
            let passive = properties.iter().all(|own| *own == Default::default());
            if link.joint == Joint::Free && links.len() > 1 && passive {
                trees.push(Floating { links, expected: Force::ZERO });
            }
        }
        Self { trees }
    }

    /// Is there nothing to do?
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Before a step: the workspace is at the state.
    pub fn begin(&mut self, model: &Model, workspace: &Workspace) {
        for tree in &mut self.trees {
            let (_, center) = mass_and_center(model, workspace, &tree.links);
            tree.expected = momentum(model, workspace, &tree.links, center);
        }
    }

    /// The outer forces of a step: the workspace is at the configuration at which they act.
    pub fn load(&mut self, model: &Model, workspace: &Workspace, step: f64) {
        for tree in &mut self.trees {
            let (mass, center) = mass_and_center(model, workspace, &tree.links);
            let mut outer = Force::new(DVec3::ZERO, mass * model.gravity);
            for (work, external) in
                workspace.links[tree.links.clone()].iter().zip(&workspace.external[tree.links.clone()])
            {
                outer += external.shifted_back(work.origin - center);
            }
            tree.expected += outer * step;
        }
    }

    /// Impulses by the changes of velocity that they made, at the configuration of the workspace, which shows these
    /// changes as its velocities afterwards.
    pub fn push(&mut self, model: &Model, changes: &[f64], workspace: &mut Workspace) {
        for tree in &mut self.trees {
            let first = model.links[tree.links.start].v;
            let last = &model.links[tree.links.end - 1];
            if changes[first..last.v + last.dofs as usize].iter().any(|change| *change != 0.0) {
                set_velocities(model, changes, &tree.links, workspace);
                let (_, center) = mass_and_center(model, workspace, &tree.links);
                tree.expected += momentum(model, workspace, &tree.links, center);
            }
        }
    }

    /// After the step: the workspace is at the state, whose velocities this changes; the workspace's stay.
    pub fn finish(&self, model: &Model, state: &mut State, workspace: &Workspace) {
        for tree in &self.trees {
            let (mass, center) = mass_and_center(model, workspace, &tree.links);
            let missing = tree.expected - momentum(model, workspace, &tree.links, center);
            let turn = locked_inertia(model, workspace, &tree.links, center).inverse() * missing.moment;
            let root = &model.links[tree.links.start];
            let lever = workspace.links[tree.links.start].origin - center;
            let velocity = Motion::new(turn, missing.force / mass + turn.cross(lever));
            let slots = state.v[root.v..root.v + 6].iter_mut();
            for (slot, change) in slots.zip(velocity.angular.to_array().into_iter().chain(velocity.linear.to_array())) {
                *slot += change;
            }
        }
    }
}

fn each<'a>(
    model: &'a Model,
    workspace: &'a Workspace,
    links: &Range<usize>,
) -> impl Iterator<Item = (&'a RigidInertia, &'a LinkWork)> {
    model.links[links.clone()].iter().map(|link| &link.inertia).zip(&workspace.links[links.clone()])
}

fn mass_and_center(model: &Model, workspace: &Workspace, links: &Range<usize>) -> (f64, DVec3) {
    let (mass, moment) = each(model, workspace, links).fold((0.0, DVec3::ZERO), |(mass, moment), (inertia, work)| {
        (mass + inertia.mass, moment + inertia.mass * (work.origin + work.rotation * inertia.center))
    });
    (mass, moment / mass)
}

/// Linear momentum, and the angular one about a point.
fn momentum(model: &Model, workspace: &Workspace, links: &Range<usize>, point: DVec3) -> Force {
    each(model, workspace, links).fold(Force::ZERO, |sum, (inertia, work)| {
        // Along the link's own axes: turning two vectors is less work than turning the inertia.
        let back = work.rotation.transpose();
        let own = inertia.times(&Motion::new(back * work.velocity.angular, back * work.velocity.linear));
        let about_anchor = Force::new(work.rotation * own.moment, work.rotation * own.force);
        sum + about_anchor.shifted_back(work.origin - point)
    })
}

/// The inertia of a tree with its joints locked, about a point.
fn locked_inertia(model: &Model, workspace: &Workspace, links: &Range<usize>, point: DVec3) -> Symmetric3 {
    let mut columns = [DVec3::ZERO; 3];
    for (inertia, work) in each(model, workspace, links) {
        let inertia = inertia.rotated(&work.rotation);
        let lever = work.origin - point;
        for (column, axis) in columns.iter_mut().zip(DVec3::AXES) {
            *column += inertia.times(&Motion::new(axis, axis.cross(lever))).shifted_back(lever).moment;
        }
    }
    Symmetric3::from_matrix(&DMat3::from_cols(columns[0], columns[1], columns[2]))
}

/// Velocities of the links at the positions of the workspace.
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
