//! Measured quantities: totals of a model or a tree, points of links, joint reactions. All are for the state that the
//! workspace was last brought to.

use std::ops::Range;

use glam::DVec3;

use crate::spatial::{Force, Motion};
use crate::{Model, State, Workspace};

/// Totals over links.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Observables {
    /// Mass, in kg.
    pub mass: f64,
    /// Centre of mass in the world, in m.
    pub center_of_mass: DVec3,
    /// Linear momentum, in N s.
    pub linear_momentum: DVec3,
    /// Angular momentum about the centre of mass, in N m s. Armature has none: it represents internal drives.
    pub angular_momentum: DVec3,
    /// Kinetic energy of the links and, by their armature, of the drives, in J.
    pub kinetic_energy: f64,
    /// Potential energy in gravity, zero at the world's origin, in J. Springs are not included.
    pub potential_energy: f64,
}

impl Observables {
    /// Returns the angular momentum about a point of the world, in N m s.
    pub fn angular_momentum_about(&self, point: DVec3) -> DVec3 {
        self.angular_momentum + (self.center_of_mass - point).cross(self.linear_momentum)
    }

    /// Returns the sum of kinetic and potential energy, in J.
    pub fn energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }
}

/// Returns the totals of all links. The workspace must have been brought to the state.
///
/// ```
/// use burgess_dynamics::{JointSpec, LinkSpec, ModelBuilder, State, Workspace, observables, update_kinematics};
/// use glam::{DMat3, DVec3};
///
/// let mut builder = ModelBuilder::new();
/// builder.add_link(None, JointSpec::free(), LinkSpec::new("ball", 2.0, DVec3::ZERO, DMat3::IDENTITY));
/// let model = builder.build().unwrap();
/// let mut state = State::new(&model);
/// state.v[3] = 3.0;
/// let mut workspace = Workspace::new(&model);
/// update_kinematics(&model, &state, &mut workspace);
/// let totals = observables(&model, &state, &workspace);
/// assert_eq!(totals.linear_momentum, DVec3::new(6.0, 0.0, 0.0));
/// assert_eq!(totals.energy(), 9.0);
/// ```
pub fn observables(model: &Model, state: &State, workspace: &Workspace) -> Observables {
    totals(model, state, workspace, 0..model.links.len())
}

/// Returns the totals of the tree of a link. The workspace must have been brought to the state.
pub fn tree_observables(model: &Model, state: &State, workspace: &Workspace, link: usize) -> Observables {
    totals(model, state, workspace, model.tree(link))
}

fn totals(model: &Model, state: &State, workspace: &Workspace, range: Range<usize>) -> Observables {
    let links = || model.links[range.clone()].iter().zip(&workspace.links[range.clone()]);
    let mut sum = Observables::default();
    for (link, work) in links() {
        sum.mass += link.inertia.mass;
        sum.center_of_mass += link.inertia.mass * (work.origin + work.rotation * link.inertia.center);
    }
    if sum.mass > 0.0 {
        sum.center_of_mass /= sum.mass;
    }
    for (link, work) in links() {
        let momentum = link.inertia.rotated(&work.rotation).times(&work.velocity);
        sum.linear_momentum += momentum.force;
        sum.angular_momentum += momentum.shifted_back(work.origin - sum.center_of_mass).moment;
        sum.kinetic_energy += 0.5 * work.velocity.dot(&momentum);
        for dof in link.v..link.v + link.dofs as usize {
            sum.kinetic_energy += 0.5 * model.properties[dof].armature * state.v[dof] * state.v[dof];
        }
    }
    sum.potential_energy = -sum.mass * model.gravity.dot(sum.center_of_mass);
    sum
}

impl Model {
    /// Returns the links of the tree of a link, which are consecutive, the root first.
    pub fn tree(&self, link: usize) -> Range<usize> {
        let mut root = link;
        while let Some(parent) = self.links[root].parent() {
            root = parent;
        }
        let size = 1 + self.links[root + 1..].iter().take_while(|link| link.parent().is_some()).count();
        root..root + size
    }
}

impl Workspace {
    /// Returns the position of a point of a link in the world. The point is given in the link's own coordinates.
    pub fn position(&self, model: &Model, link: usize, point: DVec3) -> DVec3 {
        let work = &self.links[link];
        work.origin + work.rotation * model.links[link].frame.inverse_transform_point(point)
    }

    /// Returns the position of a link's joint in the world, at which its reaction acts; the centre of mass for free
    /// links.
    pub fn anchor(&self, link: usize) -> DVec3 {
        self.links[link].origin
    }

    /// Returns the angular acceleration of a link, and the true acceleration (gravity included) of its point at `point`
    /// in the world, after forward or inverse dynamics.
    pub fn acceleration_at(&self, model: &Model, link: usize, point: DVec3) -> Motion {
        let work = &self.links[link];
        let (arm, spin) = (point - work.origin, work.velocity.angular);
        let mut acceleration = work.acceleration.shifted(arm);
        // The links hold their acceleration minus gravity.
        acceleration.linear += spin.cross(spin.cross(arm)) + model.gravity;
        acceleration
    }

    /// Computes the accelerations of all links about their anchors, without gravity, at joint accelerations of zero and
    /// the velocities of the workspace.
    pub fn bias_accelerations(&self, model: &Model, accelerations: &mut Vec<Motion>) {
        accelerations.clear();
        for (link, work) in model.links.iter().zip(&self.links) {
            let carried = link.parent().map_or(Motion::ZERO, |parent| accelerations[parent].shifted(work.offset));
            accelerations.push(carried + work.bias);
        }
    }

    /// Returns the moment about the anchor and the force that a link receives through its joint, along the axes of the
    /// world, after forward or inverse dynamics: constraint forces and efforts, the latter minus the part that the
    /// armature takes.
    ///
    /// ```
    /// # use burgess_dynamics::{JointSpec, LinkSpec, ModelBuilder, State, Workspace, forward_dynamics};
    /// # use glam::{DMat3, DVec3};
    /// // A ring of 3 kg at rest on a horizontal rail.
    /// let mut builder = ModelBuilder::new();
    /// builder.add_link(None, JointSpec::prismatic(DVec3::X), LinkSpec::new("ring", 3.0, DVec3::ZERO, DMat3::IDENTITY));
    /// let model = builder.build().unwrap();
    /// let mut workspace = Workspace::new(&model);
    /// forward_dynamics(&model, &State::new(&model), &[0.0], &mut workspace);
    /// assert!((workspace.joint_reaction(0).force - DVec3::new(0.0, 0.0, 3.0 * 9.81)).length() < 1e-12);
    /// ```
    pub fn joint_reaction(&self, link: usize) -> Force {
        let work = &self.links[link];
        work.inertia.times(&work.acceleration) + work.force
    }
}
