//! Conservation of the energy of articulated trees during a step.
//!
//! A step moves along the mean velocity m. At the configuration q* at which its forces were computed, efforts Q,
//! external forces F on links with the Jacobians J, and constraints that change the velocities by c do the work
//!
//! ```text
//!   W = m . (h Q + h J^T F + M(q*) c)
//! ```
//!
//! so the energy at its end should be `E + W`. Where joints turn fast it is not: the inertia of a tree changes within
//! the step, and the energy of long chains would grow until they explode. The difference, of third order in the step,
//! is taken from the velocities: by a factor, which violates no contact and no constraint. A tree that floats freely
//! keeps its momenta: the factor applies to its motion relative to that of the tree with its joints locked.

use std::ops::Range;

use crate::joint::Joint;
use crate::kinematics::update_velocities;
use crate::momentum::MomentumKeeper;
use crate::spatial::{Force, Motion};
use crate::{Model, State, Workspace};

/// Maximum share of the kinetic energy that a step takes away.
const MAX_SHARE: f64 = 0.5;
/// Missing energy up to this share of the kinetic energy is restored, as where a linkage becomes taut within a step.
const MAX_GAIN: f64 = 1.0;
/// Missing energy up to this share is restored in slow trees and free bodies. At rest there is nothing to restore.
const MAX_SLOW_GAIN: f64 = 0.02;
/// A tree is slow if its kinetic energy is below that of a fall over one step times this factor.
const SLOW_FACTOR: f64 = 10.0;
/// Errors below this share of the kinetic energy are rounding.
const NEGLIGIBLE_SHARE: f64 = 1e-14;

/// A tree whose energy is conserved.
#[derive(Debug, Clone)]
struct Kept {
    links: Range<usize>,
    dofs: Range<usize>,
    /// Energy that the tree must have at the end of the step, in J.
    expected: f64,
    /// Energy to be taken from the tree besides, in J.
    excess: f64,
    /// Potential energy that a displacement in this step gives it, less the work of motors along it, in J.
    lift: f64,
    /// Whether it is a single free body, whose energy is bounded by its angular momentum.
    is_free_body: bool,
}

/// Conserves the energy of trees that are not single free bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct EnergyKeeper {
    /// All trees of the model; none for those whose energy is not conserved.
    trees: Vec<Option<Kept>>,
    changes: LinkChanges,
    /// Largest displacement of an axis in this step, in rad or m.
    displaced: f64,
    /// Sum of the errors of the last step, relative to the kinetic energy.
    pub error: f64,
}

/// The forces of a step, gravity excluded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepForces<'a> {
    /// Mean velocities of the step.
    pub mean: &'a [f64],
    /// Efforts along the joints.
    pub efforts: &'a [f64],
    /// Changes of the velocities by contacts and constraints.
    pub constraint_changes: &'a [f64],
}

/// Changes of the velocities of links. Buffers are reused.
#[derive(Debug, Clone, Default)]
struct LinkChanges {
    motions: Vec<Motion>,
}

impl LinkChanges {
    /// Returns the work of the impulses that change the joint velocities, at the positions and velocities of the
    /// workspace.
    fn work(&mut self, model: &Model, changes: &[f64], links: Range<usize>, workspace: &Workspace) -> f64 {
        self.motions.resize(model.links.len(), Motion::ZERO);
        let mut work = 0.0;
        for index in links {
            let (link, own) = (&model.links[index], &workspace.links[index]);
            let carried = link.parent().map_or(Motion::ZERO, |parent| self.motions[parent].shifted(own.offset));
            let dofs = link.v..link.v + link.dofs as usize;
            let motion = dofs.fold(carried, |sum, dof| sum + workspace.axes[dof] * changes[dof]);
            self.motions[index] = motion;
            work += own.velocity.dot(&link.inertia.rotated(&own.rotation).times(&motion));
        }
        work
    }
}

impl EnergyKeeper {
    /// Finds the trees of a model. The energy of a scripted root is not conserved.
    pub fn new(model: &Model) -> Self {
        let mut trees = Vec::new();
        for (root, link) in model.links.iter().enumerate().filter(|(_, link)| link.parent().is_none()) {
            let links = model.tree(root);
            let last = &model.links[links.end - 1];
            let dofs = link.v..last.v + last.dofs as usize;
            let is_free_body = links.len() == 1 && link.joint == Joint::Free;
            let is_kept = !dofs.is_empty() && !matches!(link.joint, Joint::Scripted { .. });
            trees.push(is_kept.then_some(Kept { links, dofs, expected: 0.0, excess: 0.0, lift: 0.0, is_free_body }));
        }
        Self { trees, changes: LinkChanges::default(), displaced: 0.0, error: 0.0 }
    }

    /// Returns whether there is nothing to correct.
    pub fn is_empty(&self) -> bool {
        !self.trees.iter().flatten().any(|tree| !tree.is_free_body || tree.excess != 0.0)
    }

    /// Takes energy from trees at the end of the step, in J.
    pub fn take(&mut self, amounts: &[f64]) {
        for (tree, amount) in self.trees.iter_mut().zip(amounts) {
            if let Some(tree) = tree {
                tree.excess = *amount;
            }
        }
    }

    /// Begins a step. The workspace is at the state.
    pub fn begin(&mut self, model: &Model, state: &State, workspace: &Workspace) {
        for tree in self.trees.iter_mut().flatten().filter(|tree| !tree.is_free_body) {
            let (kinetic, potential) = energies(model, &state.v, workspace, tree.links.clone());
            tree.expected = kinetic + potential;
        }
    }

    /// Tells that a step moves links by half of these velocities besides. What that does to the energy is corrected, but
    /// it is not an error of the step, which a shorter one would reduce. Motors and springs work along it, so a joint that
    /// is pushed back by a contact gains nothing. The workspace is at the configuration at which forces act.
    pub fn displace(
        &mut self,
        model: &Model,
        (velocities, efforts): (&[f64], &[f64]),
        step: f64,
        workspace: &mut Workspace,
    ) {
        update_velocities(model, velocities, workspace);
        for tree in self.trees.iter_mut().flatten().filter(|tree| !tree.is_free_body) {
            let links = model.links[tree.links.clone()].iter().zip(&workspace.links[tree.links.clone()]);
            let momenta = links.map(|(link, work)| {
                let center = work.rotation * link.inertia.center;
                (work.velocity.linear + work.velocity.angular.cross(center)) * link.inertia.mass
            });
            let driven = |dof: usize| efforts[dof] * velocities[dof];
            let work = 0.5 * step * tree.dofs.clone().map(driven).sum::<f64>();
            tree.expected += work;
            tree.lift = -0.5 * step * model.gravity.dot(momenta.sum()) - work;
        }
        self.displaced = 0.5 * step * velocities.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
    }

    /// Adds the work of a step's forces. The workspace is at the configuration at which they act. Afterwards it holds
    /// the mean velocities.
    pub fn load(&mut self, model: &Model, forces: &StepForces, step: f64, workspace: &mut Workspace) {
        update_velocities(model, forces.mean, workspace);
        let has_external = workspace.external.iter().any(|force| *force != Force::ZERO);
        for tree in self.trees.iter_mut().flatten().filter(|tree| !tree.is_free_body) {
            let (mut work, mut is_constrained) = (0.0, false);
            for dof in tree.dofs.clone() {
                let change = forces.constraint_changes[dof];
                is_constrained |= change != 0.0;
                work += forces.mean[dof] * (step * forces.efforts[dof] + model.properties[dof].armature * change);
            }
            if has_external {
                let links =
                    tree.links.clone().map(|link| workspace.links[link].velocity.dot(&workspace.external[link]));
                work += step * links.sum::<f64>();
            }
            if is_constrained {
                work += self.changes.work(model, forces.constraint_changes, tree.links.clone(), workspace);
            }
            tree.expected += work;
        }
    }

    /// Ends a step of `step` s. The workspace is at the state. Corrects the velocities of the state; those of the workspace are
    /// updated.
    pub fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        momenta: &MomentumKeeper,
        workspace: &mut Workspace,
        step: f64,
    ) {
        let mut is_corrected = false;
        let (mut error, mut scale) = (0.0, 0.0);
        let fall = 0.5 * model.gravity.length_squared() * step * step;
        let displaced = std::mem::take(&mut self.displaced);
        for tree in self.trees.iter_mut().flatten() {
            let (taken, lift) = (std::mem::take(&mut tree.excess), std::mem::take(&mut tree.lift));
            let (kinetic, potential) = energies(model, &state.v, workspace, tree.links.clone());
            let mass: f64 = model.links[tree.links.clone()].iter().map(|link| link.inertia.mass).sum();
            scale += kinetic + mass * fall;
            if tree.is_free_body && taken == 0.0 {
                continue;
            }
            let excess = if tree.is_free_body { taken } else { kinetic + potential - tree.expected + taken };
            let rigid = momenta.rigid_motion(model, workspace, tree.links.start);
            let free = kinetic - rigid.as_ref().map_or(0.0, |rigid| rigid.energy);
            if excess.abs() <= NEGLIGIBLE_SHARE * (kinetic + potential.abs()) || free <= 0.0 || !excess.is_finite() {
                continue;
            }
            let is_slow = free < SLOW_FACTOR * mass * fall;
            // In a pile at rest the error is that of the solver, which shorter steps do not reduce. A displacement changes
            // the inertia of a tree by about its angle.
            if !(tree.is_free_body && is_slow) {
                error += ((excess - lift).abs() - displaced * kinetic).max(0.0);
            }
            let max_gain = if tree.is_free_body || is_slow { MAX_SLOW_GAIN } else { MAX_GAIN };
            if excess < -max_gain * free {
                continue;
            }
            let share = (excess / free).min(MAX_SHARE);
            let factor = (1.0 - share).sqrt();
            state.v[tree.dofs.clone()].iter_mut().for_each(|v| *v *= factor);
            if let Some(rigid) = rigid {
                let root = &mut state.v[tree.dofs.start..tree.dofs.start + 6];
                for (v, rigid) in root.iter_mut().zip(rigid.velocity) {
                    *v += (1.0 - factor) * rigid;
                }
            }
            is_corrected = true;
        }
        self.error = if scale > 0.0 { error / scale } else { 0.0 };
        if is_corrected {
            update_velocities(model, &state.v, workspace);
            workspace.remember(state);
        }
    }
}

/// Returns the kinetic energy of links and their drives, and their potential energy in gravity, in J.
fn energies(model: &Model, v: &[f64], workspace: &Workspace, links: Range<usize>) -> (f64, f64) {
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for (link, work) in model.links[links.clone()].iter().zip(&workspace.links[links]) {
        let center = work.rotation * link.inertia.center;
        let Motion { angular, linear } = work.velocity;
        let own = work.rotation.transpose() * angular;
        let speed = linear + 2.0 * angular.cross(center);
        kinetic += 0.5 * (own.dot(link.inertia.about_point * own) + link.inertia.mass * linear.dot(speed));
        potential -= link.inertia.mass * model.gravity.dot(work.origin + center);
        let dofs = link.v..link.v + link.dofs as usize;
        for (properties, speed) in model.properties[dofs.clone()].iter().zip(&v[dofs]) {
            kinetic += 0.5 * properties.armature * speed * speed;
        }
    }
    (kinetic, potential)
}
