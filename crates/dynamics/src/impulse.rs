//! The response of all velocities to impulses (Fontijne 2000, section 3.6.7, eq. 3.53 to 3.62).
//!
//! The articulated inertias of the last inward pass describe how a tree yields, so an impulse needs two light passes.
//! With S, I, D as in [`articulated_inertias`](crate::articulated_inertias), `U = I S`, p the impulse on a link about
//! its anchor, j the impulse along its joint:
//!
//! ```text
//!   inward:   z = j + S^T p,                    the parent gets  p - U D^-1 z
//!   outward:  dq = D^-1 (z - U^T dv'),          dv = dv' + S dq      (dv' the parent's, moved to the anchor)
//!   a free root:  dv = I^-1 (p + j)
//! ```
//!
//! Gravity, efforts and velocity terms are finite, hence negligible compared with an impulse. The workspace stores `U
//! D^-1` in a factored form (see `projection`): with `D = L L^T` and `Y = U L^-T`, the impulse passed on is `Y (L^-1
//! z)`.

use glam::DVec3;

use crate::joint::Joint;
use crate::model::{Link, WORLD};
use crate::projection::{back_substitute, for_dofs, forward_substitute};
use crate::spatial::{FactoredInertia, Force, Motion};
use crate::state::read_vector;
use crate::{Model, Workspace};

/// Impulses on the links and joints of a model, and the velocity changes that they cause. The cost is linear in the
/// size of the trees on which they act; nothing is allocated after `new`.
///
/// ```
/// use burgess_dynamics::{
///     ImpulseResponse, JointSpec, LinkSpec, ModelBuilder, State, Workspace, articulated_inertias, update_kinematics,
/// };
/// use glam::{DMat3, DVec3};
///
/// // A rod on a hinge, hit at its end.
/// let mut builder = ModelBuilder::new();
/// let rod = LinkSpec::new("rod", 3.0, DVec3::new(0.5, 0.0, 0.0), DMat3::IDENTITY * 0.25);
/// builder.add_link(None, JointSpec::revolute(DVec3::Z), rod);
/// let model = builder.build().unwrap();
/// let mut workspace = Workspace::new(&model);
/// update_kinematics(&model, &State::new(&model), &mut workspace);
/// articulated_inertias(&model, &[0.0], &mut workspace);
///
/// let mut response = ImpulseResponse::new(&model);
/// response.push(&model, &workspace, 0, DVec3::new(0.0, 2.0, 0.0), DVec3::X);
/// response.propagate(&model, &workspace);
/// // 3 kg of a rod of 1 m have an inertia of 1 kg m^2 about its end.
/// assert!((response.joint_velocities()[0] - 2.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone)]
pub struct ImpulseResponse {
    /// Impulse on each link about its anchor.
    impulses: Vec<Force>,
    /// Impulse along each joint; after the inward pass, its slip.
    slips: Vec<f64>,
    link_velocities: Vec<Motion>,
    joint_velocities: Vec<f64>,
    /// First link and end of the tree of each link.
    trees: Vec<(u32, u32)>,
    /// Whether an impulse has acted on the tree of each root since the last clearing.
    touched: Vec<bool>,
    /// Roots whose trees have received impulses.
    roots: Vec<u32>,
    /// Whether the next impulse begins a new set.
    done: bool,
    /// Link of each degree of freedom.
    links_of_dofs: Vec<u32>,
}

impl ImpulseResponse {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        let (links, dofs) = (model.links.len(), model.dofs());
        let mut trees = Vec::with_capacity(links);
        while trees.len() < links {
            let tree = model.tree(trees.len());
            trees.extend(tree.clone().map(|_| (tree.start as u32, tree.end as u32)));
        }
        let links_of_dofs =
            model.links.iter().enumerate().flat_map(|(index, link)| (0..link.dofs).map(move |_| index as u32));
        Self {
            impulses: vec![Force::ZERO; links],
            slips: vec![0.0; dofs],
            link_velocities: vec![Motion::ZERO; links],
            joint_velocities: vec![0.0; dofs],
            trees,
            touched: vec![false; links],
            roots: Vec::with_capacity(model.links.iter().filter(|link| link.parent == WORLD).count()),
            done: false,
            links_of_dofs: links_of_dofs.collect(),
        }
    }

    /// Adds an impulse (N s) that acts on a link at a point of the world.
    pub fn push(&mut self, model: &Model, workspace: &Workspace, link: usize, impulse: DVec3, point: DVec3) {
        self.touch(model, link);
        self.impulses[link] += Force::at(impulse, point - workspace.links[link].origin);
    }

    /// Adds an angular impulse (N m s) on a link.
    pub fn twist(&mut self, model: &Model, link: usize, impulse: DVec3) {
        self.touch(model, link);
        self.impulses[link].moment += impulse;
    }

    /// Adds an impulse along a degree of freedom (N m s, N s), acting between a link and its parent (Fontijne 2000, eq.
    /// 3.60).
    pub fn drive(&mut self, model: &Model, dof: usize, impulse: f64) {
        self.touch(model, self.links_of_dofs[dof] as usize);
        self.slips[dof] += impulse;
    }

    /// Computes the joint response to the impulses added since the last call. The last pass over the workspace must
    /// have been inward ([`articulated_inertias`](crate::articulated_inertias), or forward dynamics).
    pub fn propagate(&mut self, model: &Model, workspace: &Workspace) {
        if self.done {
            self.clear(model);
        }
        for k in 0..self.roots.len() {
            let (first, end) = self.trees[self.roots[k] as usize];
            self.inward(model, workspace, first as usize..end as usize);
            self.outward(model, workspace, first as usize..end as usize);
        }
        self.done = true;
    }

    /// Returns the change of all joint velocities (rad/s, m/s).
    pub fn joint_velocities(&self) -> &[f64] {
        &self.joint_velocities
    }

    /// Returns the change of a link's angular velocity and of the velocity of its point at `point` in the world.
    pub fn velocity_at(&self, workspace: &Workspace, link: usize, point: DVec3) -> Motion {
        self.link_velocities[link].shifted(point - workspace.links[link].origin)
    }

    fn touch(&mut self, model: &Model, link: usize) {
        if self.done {
            self.clear(model);
        }
        let root = self.trees[link].0;
        if !self.touched[root as usize] {
            self.touched[root as usize] = true;
            self.roots.push(root);
        }
    }

    /// Clears the impulses and velocities of the trees that have received impulses.
    fn clear(&mut self, model: &Model) {
        for root in self.roots.drain(..) {
            self.touched[root as usize] = false;
            let (first, end) = self.trees[root as usize];
            let (first, end) = (first as usize, end as usize);
            let dofs = model.links[first].v..model.links[end - 1].v + model.links[end - 1].dofs as usize;
            self.impulses[first..end].fill(Force::ZERO);
            self.link_velocities[first..end].fill(Motion::ZERO);
            self.slips[dofs.clone()].fill(0.0);
            self.joint_velocities[dofs].fill(0.0);
        }
        self.done = false;
    }

    fn inward(&mut self, model: &Model, workspace: &Workspace, tree: std::ops::Range<usize>) {
        for index in tree.rev() {
            let link = &model.links[index];
            let mut impulse = [self.impulses[index]];
            let mut slip = [[0.0; 6]];
            let dofs = link.v..link.v + link.dofs as usize;
            slip[0][..dofs.len()].copy_from_slice(&self.slips[dofs.clone()]);
            pass_inward(link, workspace, &mut impulse, &mut slip);
            self.slips[dofs.clone()].copy_from_slice(&slip[0][..dofs.len()]);
            if link.parent != WORLD {
                self.impulses[link.parent as usize] += impulse[0].shifted_back(workspace.links[index].offset);
            }
        }
    }

    fn outward(&mut self, model: &Model, workspace: &Workspace, tree: std::ops::Range<usize>) {
        let Self { slips, joint_velocities, link_velocities, .. } = self;
        let (first, last) = (&model.links[tree.start], &model.links[tree.end - 1]);
        let dofs = first.v..last.v + last.dofs as usize;
        joint_velocities[dofs.clone()].copy_from_slice(&slips[dofs]);
        workspace.carry_outward(model, tree, joint_velocities, link_velocities);
    }
}

/// Converts impulses on a link about its anchor to those that its parent receives, still about the link's anchor, in C
/// columns.
///
/// `slips` holds impulses along the joint, and afterwards the slips that they and the impulses cause: `L^-1 z`, or z
/// itself for one axis and for free joints.
#[inline(always)]
pub(crate) fn pass_inward<const C: usize>(
    link: &Link,
    workspace: &Workspace,
    impulses: &mut [Force; C],
    slips: &mut [[f64; 6]; C],
) {
    let Workspace { axes, axis_forces, blocks, .. } = workspace;
    let v = link.v;
    match link.joint {
        Joint::Weld | Joint::Scripted { .. } => {}
        Joint::Revolute | Joint::Prismatic => {
            for (impulse, slip) in impulses.iter_mut().zip(slips) {
                slip[0] += axes[v].dot(impulse);
                *impulse -= axis_forces[v] * (slip[0] * blocks[link.block]);
            }
        }
        Joint::Free => {
            // The axes are those of the world.
            for (impulse, slip) in impulses.iter_mut().zip(slips) {
                for k in 0..3 {
                    slip[k] += impulse.moment[k];
                    slip[k + 3] += impulse.force[k];
                }
                *impulse = Force::ZERO;
            }
        }
        Joint::Spherical | Joint::Stack { .. } => {
            let dofs = link.dofs as usize;
            let (axes, forces) = (&axes[v..v + dofs], &axis_forces[v..v + dofs]);
            for (impulse, slip) in impulses.iter_mut().zip(slips) {
                for (slip, axis) in slip.iter_mut().zip(axes) {
                    *slip += axis.dot(impulse);
                }
                for_dofs!(dofs, forward_substitute(&blocks[link.block..], slip));
                for (slip, force) in slip.iter().zip(forces) {
                    *impulse -= *force * *slip;
                }
            }
        }
    }
}

/// Converts the slips of a joint (see [`pass_inward`]) to the change of its velocities, in place, given the motion of
/// its inner side about the link's anchor. Returns the motion of the link.
#[inline(always)]
pub(crate) fn pass_outward(link: &Link, workspace: &Workspace, inner: Motion, slips: &mut [f64]) -> Motion {
    let Workspace { axes, axis_forces, blocks, .. } = workspace;
    let (v, dofs) = (link.v, link.dofs as usize);
    match link.joint {
        Joint::Weld | Joint::Scripted { .. } => {}
        Joint::Revolute | Joint::Prismatic => {
            slips[0] = (slips[0] - inner.dot(&axis_forces[v])) * blocks[link.block];
        }
        Joint::Free => {
            let impulse = Force::new(read_vector(slips), read_vector(&slips[3..]));
            let free = FactoredInertia::read_from(&blocks[link.block..]).solve(&impulse);
            slips[..3].copy_from_slice(&free.angular.to_array());
            slips[3..].copy_from_slice(&free.linear.to_array());
        }
        Joint::Spherical | Joint::Stack { .. } => {
            for (slip, force) in slips.iter_mut().zip(&axis_forces[v..v + dofs]) {
                *slip -= inner.dot(force);
            }
            for_dofs!(dofs, back_substitute(&blocks[link.block..], slips));
        }
    }
    axes[v..v + dofs].iter().zip(&*slips).fold(inner, |motion, (axis, slip)| motion + *axis * *slip)
}
