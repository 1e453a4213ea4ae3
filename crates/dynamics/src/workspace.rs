//! Scratch memory, allocated once for a model and filled by the passes.

use burgess_geometry::Pose;
use glam::{DMat3, DVec3};

use crate::scripted::ScriptedMotion;
use crate::spatial::{ArticulatedInertia, Force, Motion};
use crate::{Model, State};

/// Data of a link during the passes, along the world's axes and about the link's anchor.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LinkWork {
    /// Inner axes in the world.
    pub rotation: DMat3,
    /// Position of the anchor in the world.
    pub origin: DVec3,
    /// Vector from the parent's anchor to this one.
    pub offset: DVec3,
    pub velocity: Motion,
    /// Velocity-dependent acceleration, for a parent at rest.
    pub bias: Motion,
    /// Articulated inertia; before the inward pass that of the link alone.
    pub inertia: ArticulatedInertia,
    /// Zero-acceleration force Z^A of Fontijne (2000) table 3.3; before the inward pass that of the link alone.
    pub force: Force,
    pub acceleration: Motion,
}

/// Memory of the passes, and their external inputs: forces on links and scripted motions. Everything else is scratch: a
/// new workspace gives the same results.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(crate) links: Vec<LinkWork>,
    /// Joint axes, one for each degree of freedom.
    pub(crate) axes: Vec<Motion>,
    /// Product of the articulated inertia and the axes (see `projection`).
    pub(crate) axis_forces: Vec<Force>,
    /// Factors of the joints' own inertias (see `projection`).
    pub(crate) blocks: Vec<f64>,
    /// Efforts minus the part of the zero-acceleration forces (see `projection`).
    pub(crate) efforts: Vec<f64>,
    /// Diagonal added to the joint inertias: armature, and the implicit parts of damping and springs.
    pub(crate) diagonal: Vec<f64>,
    pub(crate) acceleration: Vec<f64>,
    /// External forces on every link about its anchor.
    pub(crate) external: Vec<Force>,
    /// Motions of scripted links: an input of the passes.
    pub(crate) scripts: Vec<ScriptedMotion>,
    pub(crate) shown: Shown,
}

/// State whose poses and velocities the workspace holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// Whether that is still the case for positions: false as soon as a pass has used others.
    pub has_positions: bool,
    /// The same for velocities.
    pub has_velocities: bool,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Shown {
    /// Notes that the poses of the workspace have changed.
    pub fn forget(&mut self) {
        (self.has_positions, self.has_velocities) = (false, false);
    }
}

impl Workspace {
    /// Allocates memory for a model.
    pub fn new(model: &Model) -> Self {
        let (links, dofs) = (model.links().len(), model.dofs());
        Self {
            links: vec![LinkWork::default(); links],
            axes: vec![Motion::ZERO; dofs],
            axis_forces: vec![Force::ZERO; dofs],
            blocks: vec![0.0; model.block_length],
            efforts: vec![0.0; dofs],
            diagonal: model.properties().iter().map(|p| p.armature).collect(),
            acceleration: vec![0.0; dofs],
            external: vec![Force::ZERO; links],
            scripts: vec![ScriptedMotion::default(); model.scripts],
            shown: Shown { q: vec![0.0; model.positions()], v: vec![0.0; dofs], ..Shown::default() },
        }
    }

    /// Returns the joint accelerations of the last forward dynamics.
    pub fn joint_acceleration(&self) -> &[f64] {
        &self.acceleration
    }

    /// Returns the pose of a link's own frame.
    pub fn pose(&self, model: &Model, link: usize) -> Pose {
        let work = &self.links[link];
        let inner = Pose::new(glam::DQuat::from_mat3(&work.rotation), work.origin);
        inner.compose(&model.links()[link].frame.inverse())
    }

    /// Returns the position in the world of a point given in a link's inner frame (see [`Link`](crate::Link)).
    #[inline]
    pub fn inner_point(&self, link: usize, point: DVec3) -> DVec3 {
        let work = &self.links[link];
        work.origin + work.rotation * point
    }

    /// Transforms a vector from the world to the axes of a link's inner frame.
    #[inline]
    pub fn to_inner_axes(&self, link: usize, vector: DVec3) -> DVec3 {
        self.links[link].rotation.transpose() * vector
    }

    /// Returns the velocity of the link's point at `point`, and its angular velocity.
    pub fn velocity_at(&self, link: usize, point: DVec3) -> Motion {
        let work = &self.links[link];
        work.velocity.shifted(point - work.origin)
    }

    /// Copies another workspace of the same model, without allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.links.copy_from_slice(&other.links);
        self.axes.copy_from_slice(&other.axes);
        self.axis_forces.copy_from_slice(&other.axis_forces);
        self.blocks.copy_from_slice(&other.blocks);
        self.efforts.copy_from_slice(&other.efforts);
        self.diagonal.copy_from_slice(&other.diagonal);
        self.acceleration.copy_from_slice(&other.acceleration);
        self.external.copy_from_slice(&other.external);
        self.scripts.copy_from_slice(&other.scripts);
        self.shown.forget();
    }

    /// Returns whether the workspace holds the poses of a state. Scripted links may move at any time.
    pub(crate) fn shows_positions(&self, state: &State) -> bool {
        self.shows_configuration(&state.q)
    }

    /// Returns whether the workspace holds the poses of these positions.
    pub(crate) fn shows_configuration(&self, q: &[f64]) -> bool {
        self.shown.has_positions && self.scripts.is_empty() && self.shown.q == q
    }

    /// Returns whether the workspace, which holds the poses of a state, holds its velocities, too.
    pub(crate) fn shows_velocities(&self, state: &State) -> bool {
        self.shown.has_velocities && self.shown.v == state.v
    }

    /// Marks the workspace as holding the poses and velocities of a state.
    pub(crate) fn remember(&mut self, state: &State) {
        self.shown.q.copy_from_slice(&state.q);
        self.shown.v.copy_from_slice(&state.v);
        (self.shown.has_positions, self.shown.has_velocities) = (true, true);
    }

    /// Adds a force (N) on a link that acts at a point of the world, and a moment (N m).
    ///
    /// The workspace must be at the positions at which the force acts (see
    /// [`update_kinematics`](crate::update_kinematics)): the force is stored about the link's anchor.
    pub fn apply_force(&mut self, link: usize, force: DVec3, moment: DVec3, point: DVec3) {
        let lever = point - self.links[link].origin;
        self.external[link] += Force::new(moment + lever.cross(force), force);
    }

    /// Returns the external force (N) on a link, and its moment (N m) about the link's anchor, along the world's axes.
    pub fn external_force(&self, link: usize) -> (DVec3, DVec3) {
        let Force { moment, force } = self.external[link];
        (force, moment)
    }

    /// Resets the joints' own inertias to those of the model's drives, without implicit parts.
    pub(crate) fn restore_armature(&mut self, model: &Model) {
        for (slot, properties) in self.diagonal.iter_mut().zip(model.properties()) {
            *slot = properties.armature;
        }
    }

    /// Clears all external forces.
    pub fn clear_forces(&mut self) {
        self.external.fill(Force::ZERO);
    }
}
