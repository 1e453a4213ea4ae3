//! The state: all data that changes from step to step.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use crate::joint::Joint;
use crate::spec::Motor;
use crate::{Model, spatial::Motion};

/// Positions, velocities and time as plain numbers, so that a snapshot is a copy.
#[derive(Debug, PartialEq, Default)]
pub struct State {
    /// Positions of all joints: rad, m, and unit quaternions as x, y, z, w.
    pub q: Vec<f64>,
    /// Velocities of all joints, in rad/s and m/s.
    pub v: Vec<f64>,
    /// Accelerations in the last step and in the one before it, in rad/s^2 and m/s^2, from which the default step
    /// extrapolates. Zeros are a valid start.
    pub accelerations: [Vec<f64>; 2],
    /// Accelerations that contacts and constraints caused in the last step and in the one before it, in rad/s^2 and
    /// m/s^2. Zeros are a valid start.
    pub constraint_accelerations: [Vec<f64>; 2],
    /// The motor of every degree of freedom. Controllers change them while the simulation runs.
    pub motors: Vec<Motor>,
    /// Time, in s.
    pub time: f64,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            q: self.q.clone(),
            v: self.v.clone(),
            accelerations: self.accelerations.clone(),
            constraint_accelerations: self.constraint_accelerations.clone(),
            motors: self.motors.clone(),
            time: self.time,
        }
    }

    /// Does not allocate if both belong to the same model.
    fn clone_from(&mut self, other: &Self) {
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
        self.accelerations.clone_from(&other.accelerations);
        self.constraint_accelerations.clone_from(&other.constraint_accelerations);
        self.motors.clone_from(&other.motors);
        self.time = other.time;
    }
}

impl State {
    /// Returns the accelerations of the last steps, those of constraints last.
    pub fn past_accelerations(&self) -> impl Iterator<Item = &Vec<f64>> {
        self.accelerations.iter().chain(&self.constraint_accelerations)
    }

    /// Returns the accelerations of the last steps, those of constraints last.
    pub fn past_accelerations_mut(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        self.accelerations.iter_mut().chain(&mut self.constraint_accelerations)
    }

    /// Creates a state with all joints at zero and at rest. The frames of free links are at the origin of the world.
    pub fn new(model: &Model) -> Self {
        let zeros = vec![0.0; model.dofs()];
        let accelerations = [zeros.clone(), zeros.clone()];
        let constraint_accelerations = accelerations.clone();
        let motors = model.properties().iter().map(|properties| properties.motor).collect();
        let mut state = Self {
            q: vec![0.0; model.positions()],
            v: zeros,
            accelerations,
            constraint_accelerations,
            motors,
            time: 0.0,
        };
        for link in model.links() {
            match link.joint {
                Joint::Spherical => state.q[link.q + 3] = 1.0,
                Joint::Free => {
                    let [x, y, z] = link.frame.translation.to_array();
                    state.q[link.q..link.q + 7].copy_from_slice(&[x, y, z, 0.0, 0.0, 0.0, 1.0]);
                }
                _ => {}
            }
        }
        state
    }

    /// Sets the pose of a free link's own frame. Does nothing to other links.
    pub fn set_free_pose(&mut self, model: &Model, index: usize, pose: &Pose) {
        let link = &model.links()[index];
        if link.joint == Joint::Free {
            let inner = pose.compose(&link.frame);
            write_vector(&mut self.q[link.q..], inner.translation);
            write_quaternion(&mut self.q[link.q + 3..], inner.rotation.normalize());
        }
    }

    /// Sets the velocity of a free link: angular, and linear of its centre of mass. Does nothing to other links.
    pub fn set_free_velocity(&mut self, model: &Model, index: usize, velocity: Motion) {
        let link = &model.links()[index];
        if link.joint == Joint::Free {
            write_vector(&mut self.v[link.v..], velocity.angular);
            write_vector(&mut self.v[link.v + 3..], velocity.linear);
        }
    }
}

/// Returns the first three numbers.
#[inline]
pub(crate) fn read_vector(from: &[f64]) -> DVec3 {
    DVec3::new(from[0], from[1], from[2])
}

#[inline]
pub(crate) fn write_vector(to: &mut [f64], v: DVec3) {
    to[..3].copy_from_slice(&v.to_array());
}

/// Returns the first four numbers.
#[inline]
pub(crate) fn read_quaternion(from: &[f64]) -> DQuat {
    DQuat::from_xyzw(from[0], from[1], from[2], from[3])
}

#[inline]
pub(crate) fn write_quaternion(to: &mut [f64], q: DQuat) {
    to[..4].copy_from_slice(&q.to_array());
}
