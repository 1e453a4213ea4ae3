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

/// Maximum share of the kinetic energy that a step corrects.
const MAX_SHARE: f64 = 0.5;
/// Errors below this share of the kinetic energy are rounding.
const NEGLIGIBLE_SHARE: f64 = 1e-14;

/// A tree whose energy is conserved.
#[derive(Debug, Clone)]
struct Kept {
    links: Range<usize>,
    dofs: Range<usize>,
    /// Energy that the tree must have at the end of the step, in J.
    expected: f64,
}

/// Conserves the energy of trees that are not single free bodies.
#[derive(Debug, Clone)]
pub(crate) struct EnergyKeeper {
    trees: Vec<Kept>,
    changes: LinkChanges,
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
            let is_alone = links.len() == 1 && link.joint == Joint::Free;
            if !is_alone && !dofs.is_empty() && !matches!(link.joint, Joint::Scripted { .. }) {
                trees.push(Kept { links, dofs, expected: 0.0 });
            }
        }
        Self { trees, changes: LinkChanges::default() }
    }

    /// Returns whether there is nothing to correct.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Begins a step. The workspace is at the state.
    pub fn begin(&mut self, model: &Model, state: &State, workspace: &Workspace) {
        for tree in &mut self.trees {
            let (kinetic, potential) = energies(model, &state.v, workspace, tree.links.clone());
            tree.expected = kinetic + potential;
        }
    }

    /// Adds the work of a step's forces. The workspace is at the configuration at which they act. Afterwards it holds
    /// the mean velocities.
    pub fn load(&mut self, model: &Model, forces: &StepForces, step: f64, workspace: &mut Workspace) {
        update_velocities(model, forces.mean, workspace);
        let has_external = workspace.external.iter().any(|force| *force != Force::ZERO);
        for tree in &mut self.trees {
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

    /// Ends a step. The workspace is at the state. Corrects the velocities of the state; those of the workspace are
    /// updated.
    pub fn finish(&self, model: &Model, state: &mut State, momenta: &MomentumKeeper, workspace: &mut Workspace) {
        let mut is_corrected = false;
        for tree in &self.trees {
            let (kinetic, potential) = energies(model, &state.v, workspace, tree.links.clone());
            let excess = kinetic + potential - tree.expected;
            let rigid = momenta.rigid_motion(model, workspace, tree.links.start);
            let free = kinetic - rigid.as_ref().map_or(0.0, |rigid| rigid.energy);
            if excess.abs() <= NEGLIGIBLE_SHARE * (kinetic + potential.abs()) || free <= 0.0 || !excess.is_finite() {
                continue;
            }
            let share = (excess / free).clamp(-MAX_SHARE, MAX_SHARE);
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
        for dof in link.v..link.v + link.dofs as usize {
            kinetic += 0.5 * model.properties[dof].armature * v[dof] * v[dof];
        }
    }
    (kinetic, potential)
}
