//! Converts between MuJoCo's states and states of a world built from an imported model.
//!
//! ```text
//!   MuJoCo      qpos of a free joint: origin of the body, quaternion w, x, y, z
//!               qvel of a free joint: velocity of the origin along the world's axes, angular velocity along the body's
//!               qpos of an axis: `ref` in the reference configuration
//!   a world     q of a free link: centre of mass, quaternion x, y, z, w
//!               v of a free link: angular velocity, then velocity of the centre of mass, both along the world's axes
//!               q of an axis: zero in the reference configuration
//! ```
//!
//! For ball joints both have a quaternion, in these component orders, and the angular velocity along the body's axes.

use std::collections::BTreeMap;

use burgess_dynamics::Model;
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};
use thiserror::Error;

/// Type of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MappedKind {
    /// A free joint: seven positions, six velocities.
    Free,
    /// A ball joint: four positions, three velocities.
    Ball,
    /// A hinge or slide joint: one position, one velocity.
    Axis {
        /// Axis of the scene joint, from 0.
        axis: usize,
        /// MuJoCo's joint position in the reference configuration, in rad or m.
        reference: f64,
    },
}

/// A joint of a model and its position in MuJoCo's state.
#[derive(Debug, Clone, PartialEq)]
pub struct MappedJoint {
    /// Name of the joint in the model.
    pub name: Option<String>,
    /// Name of the body that it moves, in the model and in the scene.
    pub body: String,
    /// Type of the joint.
    pub kind: MappedKind,
    /// Index of its first position in qpos.
    pub qpos: usize,
    /// Index of its first velocity in qvel.
    pub qvel: usize,
}

/// Error of a state conversion.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StateMapError {
    /// A state vector does not have the length that the model requires.
    #[error("{what} has {found} numbers; expected {expected}")]
    Length {
        /// Name of the vector: "qpos", "qvel", "q" or "v".
        what: &'static str,
        /// Required length.
        expected: usize,
        /// Actual length.
        found: usize,
    },
    /// The world does not belong to this model.
    #[error("the world has no moving link called '{0}'")]
    NoLink(String),
}

/// Joints and actuators of a model in MuJoCo's order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StateMap {
    joints: Vec<MappedJoint>,
    actuators: Vec<Option<String>>,
    positions: usize,
    velocities: usize,
}

impl StateMap {
    /// Creates a map without joints.
    pub(crate) fn new(actuators: Vec<Option<String>>) -> Self {
        Self { actuators, ..Self::default() }
    }

    /// Appends the next joint in MuJoCo's order.
    pub(crate) fn push(&mut self, name: Option<String>, body: String, kind: MappedKind) {
        let (qpos, qvel) = (self.positions, self.velocities);
        self.joints.push(MappedJoint { name, body, kind, qpos, qvel });
        let (positions, velocities) = match kind {
            MappedKind::Free => (7, 6),
            MappedKind::Ball => (4, 3),
            MappedKind::Axis { .. } => (1, 1),
        };
        (self.positions, self.velocities) = (qpos + positions, qvel + velocities);
    }

    /// Returns all joints in MuJoCo's order.
    pub fn joints(&self) -> &[MappedJoint] {
        &self.joints
    }

    /// Returns the names of the scene's actuators in MuJoCo's order; `None` for actuators that were not imported.
    pub fn actuators(&self) -> &[Option<String>] {
        &self.actuators
    }

    /// Returns the length of qpos.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the length of qvel.
    pub fn velocities(&self) -> usize {
        self.velocities
    }

    /// Converts MuJoCo's qpos and qvel to positions q and velocities v of a world built from the scene.
    pub fn to_state(&self, model: &Model, qpos: &[f64], qvel: &[f64]) -> Result<(Vec<f64>, Vec<f64>), StateMapError> {
        check("qpos", self.positions, qpos)?;
        check("qvel", self.velocities, qvel)?;
        let (mut q, mut v) = (vec![0.0; model.positions()], vec![0.0; model.dofs()]);
        let links = self.links(model)?;
        for (joint, &index) in self.joints.iter().zip(&links) {
            let link = &model.links()[index];
            let (from, to) = (&qpos[joint.qpos..], &mut q[link.q..]);
            let (from_v, to_v) = (&qvel[joint.qvel..], &mut v[link.v..]);
            match joint.kind {
                MappedKind::Free => {
                    let origin = Pose::new(read_wxyz(&from[3..]), vector(from));
                    let inner = origin.compose(&link.frame);
                    to[..3].copy_from_slice(&inner.translation.to_array());
                    to[3..7].copy_from_slice(&inner.rotation.to_array());
                    let angular = origin.rotation * vector(&from_v[3..]);
                    let linear = vector(from_v) + angular.cross(inner.translation - origin.translation);
                    to_v[..3].copy_from_slice(&angular.to_array());
                    to_v[3..6].copy_from_slice(&linear.to_array());
                }
                MappedKind::Ball => {
                    to[..4].copy_from_slice(&read_wxyz(from).to_array());
                    to_v[..3].copy_from_slice(&from_v[..3]);
                }
                MappedKind::Axis { axis, reference } => {
                    to[axis] = from[0] - reference;
                    to_v[axis] = from_v[0];
                }
            }
        }
        Ok((q, v))
    }

    /// Converts positions q and velocities v of a world built from the scene to MuJoCo's qpos and qvel.
    pub fn from_state(&self, model: &Model, q: &[f64], v: &[f64]) -> Result<(Vec<f64>, Vec<f64>), StateMapError> {
        check("q", model.positions(), q)?;
        check("v", model.dofs(), v)?;
        let (mut qpos, mut qvel) = (vec![0.0; self.positions], vec![0.0; self.velocities]);
        let links = self.links(model)?;
        for (joint, &index) in self.joints.iter().zip(&links) {
            let link = &model.links()[index];
            let (from, to) = (&q[link.q..], &mut qpos[joint.qpos..]);
            let (from_v, to_v) = (&v[link.v..], &mut qvel[joint.qvel..]);
            match joint.kind {
                MappedKind::Free => {
                    let inner = Pose::new(DQuat::from_slice(&from[3..]).normalize(), vector(from));
                    let origin = inner.compose(&link.frame.inverse());
                    to[..3].copy_from_slice(&origin.translation.to_array());
                    write_wxyz(&mut to[3..], origin.rotation);
                    let angular = vector(from_v);
                    let linear = vector(&from_v[3..]) + angular.cross(origin.translation - inner.translation);
                    to_v[..3].copy_from_slice(&linear.to_array());
                    to_v[3..6].copy_from_slice(&(origin.rotation.conjugate() * angular).to_array());
                }
                MappedKind::Ball => {
                    write_wxyz(to, DQuat::from_slice(from));
                    to_v[..3].copy_from_slice(&from_v[..3]);
                }
                MappedKind::Axis { axis, reference } => {
                    to[0] = from[axis] + reference;
                    to_v[0] = from_v[axis];
                }
            }
        }
        Ok((qpos, qvel))
    }

    /// Returns the link index of every joint.
    fn links(&self, model: &Model) -> Result<Vec<usize>, StateMapError> {
        let by_name: BTreeMap<&str, usize> = (0..model.links().len()).map(|index| (model.name(index), index)).collect();
        let link = |joint: &MappedJoint| {
            let needed = match joint.kind {
                MappedKind::Free => 6,
                MappedKind::Ball => 3,
                MappedKind::Axis { axis, .. } => axis + 1,
            };
            let found = by_name.get(joint.body.as_str()).copied();
            let fits = found.filter(|&index| model.links()[index].dofs as usize >= needed);
            fits.ok_or_else(|| StateMapError::NoLink(joint.body.clone()))
        };
        self.joints.iter().map(link).collect()
    }
}

fn check(what: &'static str, expected: usize, list: &[f64]) -> Result<(), StateMapError> {
    let found = list.len();
    if found == expected { Ok(()) } else { Err(StateMapError::Length { what, expected, found }) }
}

/// Returns the first three numbers as a vector.
fn vector(from: &[f64]) -> DVec3 {
    DVec3::new(from[0], from[1], from[2])
}

/// Reads and normalizes a quaternion; returns the identity if it is zero.
pub(crate) fn read_wxyz(from: &[f64]) -> DQuat {
    let raw = DQuat::from_xyzw(from[1], from[2], from[3], from[0]);
    let length = raw.length();
    if length > 1e-14 && length.is_finite() { raw / length } else { DQuat::IDENTITY }
}

fn write_wxyz(to: &mut [f64], rotation: DQuat) {
    to[..4].copy_from_slice(&[rotation.w, rotation.x, rotation.y, rotation.z]);
}
