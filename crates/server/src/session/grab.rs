//! Grabbing: damped springs from points of bodies to target points of viewers, and torques. The stiffness fits the mass of the whole
//! tree that the spring pulls, and is limited such that an explicit step remains stable at the attachment point.
//!
//! Springs and torques are saved and restored with the state of a session. They are not part of the controllers' memory, so
//! that the state hash of a world without them is that of a world without this controller.

use std::sync::{Mutex, PoisonError};

use burgess_dynamics::{ContactPoint, Workspace, collision_matrix, tree_observables};
use burgess_simulation::{LowLevelController, Simulation, World};
use glam::DVec3;

use super::user_body::UserBody;

/// Natural frequency of the spring, in rad/s.
const NATURAL_FREQUENCY: f64 = 15.0;
/// Maximum acceleration of the held tree by the spring, in m/s^2, so that bodies are not ejected.
const MAX_ACCELERATION: f64 = 400.0;
/// Stiffness as a fraction of the stability limit of an explicit step.
const STIFFNESS_FRACTION: f64 = 0.25;
/// Damping as a fraction of the stability limit of an explicit step.
const DAMPING_FRACTION: f64 = 0.5;
/// Maximum number of viewers that hold a body.
pub const MAX_GRABS: usize = 16;

/// A spring between a point of a body and the target point of a viewer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrabSpring {
    /// Number of the viewer.
    pub viewer: u32,
    /// Link that is held.
    pub link: usize,
    /// Attachment point in the frame of the link, in m.
    pub point: DVec3,
    /// Target point in the world, in m.
    pub to: DVec3,
    /// Stiffness, in N/m.
    pub stiffness: f64,
    /// Damping, in N s/m.
    pub damping: f64,
    /// Maximum force, in N.
    pub max_force: f64,
}

impl GrabSpring {
    /// Creates a spring at the current state of a simulation. The link must be movable.
    pub fn new(viewer: u32, link: usize, point: DVec3, to: DVec3, simulation: &mut Simulation) -> Self {
        let step = simulation.step_length();
        let data = simulation.data_mut();
        data.factor_inertias();
        let (model, workspace) = (data.world.model(), &data.workspace);
        let mass = tree_observables(model, &data.state, workspace, link).mass;
        let place = workspace.pose(model, link).transform_point(point);
        let inverse =
            collision_matrix(model, workspace, &ContactPoint { first: Some(link), second: None, point: place });
        // The trace is an upper bound of the largest eigenvalue, so this is a lower bound of the effective mass of the
        // point.
        let lightest = 1.0 / (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z);
        let stiffness =
            (mass * NATURAL_FREQUENCY * NATURAL_FREQUENCY).min(STIFFNESS_FRACTION * lightest / (step * step));
        let damping = (2.0 * mass * NATURAL_FREQUENCY).min(DAMPING_FRACTION * lightest / step);
        let max_force = mass * MAX_ACCELERATION;
        Self { viewer, link, point, to, stiffness, damping, max_force }
    }

    fn pull(&self, world: &World, workspace: &mut Workspace) {
        let place = workspace.pose(world.model(), self.link).transform_point(self.point);
        let velocity = workspace.velocity_at(self.link, place).linear;
        let force = self.stiffness * (self.to - place) - self.damping * velocity;
        workspace.apply_force(self.link, force.clamp_length_max(self.max_force), DVec3::ZERO, place);
    }
}

/// What a viewer does to a body while it holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hold {
    /// A spring to a target point.
    Spring(GrabSpring),
    /// A torque.
    Torque {
        /// Number of the viewer.
        viewer: u32,
        /// Link that is held.
        link: usize,
        /// Torque along the axes of the world, in N m.
        torque: DVec3,
    },
    /// The body of the user, which bodies bounce off.
    Body(UserBody),
}

impl Hold {
    /// Number of the viewer.
    pub fn viewer(&self) -> u32 {
        match self {
            Self::Spring(spring) => spring.viewer,
            Self::Torque { viewer, .. } => *viewer,
            Self::Body(body) => body.viewer,
        }
    }

    /// Link that is held; none for the body of the user.
    pub fn link(&self) -> Option<usize> {
        match self {
            Self::Spring(spring) => Some(spring.link),
            Self::Torque { link, .. } => Some(*link),
            Self::Body(_) => None,
        }
    }

    fn load(&self, world: &World, time: f64, workspace: &mut Workspace) {
        match self {
            Self::Spring(spring) => spring.pull(world, workspace),
            Self::Torque { link, torque, .. } => {
                let anchor = workspace.anchor(*link);
                workspace.apply_force(*link, DVec3::ZERO, *torque, anchor);
            }
            Self::Body(body) => body.load(world, time, workspace),
        }
    }
}

/// A controller of the simulation that applies all holds.
#[derive(Debug, Default)]
pub struct GrabController(Mutex<Vec<Hold>>);

impl GrabController {
    /// A copy of all holds.
    pub fn holds(&self) -> Vec<Hold> {
        self.lock().clone()
    }

    /// Replaces all holds.
    pub fn set(&self, holds: &[Hold]) {
        self.lock().clone_from(&holds.to_vec());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Hold>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LowLevelController for GrabController {
    fn acts(&self) -> bool {
        !self.lock().is_empty()
    }

    fn load(&self, _memory: &[f64], world: &World, time: f64, workspace: &mut Workspace) {
        self.lock().iter().for_each(|hold| hold.load(world, time, workspace));
    }
}
