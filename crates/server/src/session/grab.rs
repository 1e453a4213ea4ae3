//! Hands that hold bodies: damped springs from points of bodies to where the hands are. A spring is as stiff as fits the mass
//! of the whole tree that it pulls at, and never so stiff that a step could not follow at the point where it pulls.
//!
//! What is held is part of the state: whoever keeps a world keeps it, and whoever brings it back puts it here again. It is not
//! in the controllers' memory, so that a world in which nobody grabs has the state hash of one in which nobody could.

use std::sync::{Mutex, PoisonError};

use burgess_dynamics::{ContactPoint, Workspace, collision_matrix, tree_observables};
use burgess_simulation::{LowLevelController, Simulation, World};
use glam::DVec3;

/// How fast a body follows a hand, in rad/s.
const QUICKNESS: f64 = 15.0;
/// No more than this times the weight of what is held (with 10 m/s^2), so that nothing is shot away.
const MOST_ACCELERATION: f64 = 400.0;
/// Shares of what an explicit step can bear.
const STIFFNESS_SHARE: f64 = 0.25;
const DAMPING_SHARE: f64 = 0.5;
/// More hands are refused.
pub const MOST_HANDS: usize = 16;

/// A hand that holds a point of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hold {
    /// Whose.
    pub hand: u32,
    /// What.
    pub link: usize,
    /// Where on the link, in its own coordinates, in m.
    pub point: DVec3,
    /// Where the hand is, in m.
    pub to: DVec3,
    /// In N/m.
    pub stiffness: f64,
    /// In N s/m.
    pub damping: f64,
    /// In N.
    pub most_force: f64,
}

impl Hold {
    /// Takes hold of a link that can move, in the present state of a simulation.
    pub fn new(hand: u32, link: usize, point: DVec3, to: DVec3, simulation: &mut Simulation) -> Self {
        let step = simulation.step_length();
        let data = simulation.data_mut();
        data.factor_inertias();
        let (model, workspace) = (data.world.model(), &data.workspace);
        let mass = tree_observables(model, &data.state, workspace, link).mass;
        let place = workspace.pose(model, link).transform_point(point);
        let inverse =
            collision_matrix(model, workspace, &ContactPoint { first: Some(link), second: None, point: place });
        // The trace is no less than the largest eigenvalue: the point is no lighter than this along any direction.
        let lightest = 1.0 / (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z);
        let stiffness = (mass * QUICKNESS * QUICKNESS).min(STIFFNESS_SHARE * lightest / (step * step));
        let damping = (2.0 * mass * QUICKNESS).min(DAMPING_SHARE * lightest / step);
        let most_force = mass * MOST_ACCELERATION;
        Self { hand, link, point, to, stiffness, damping, most_force }
    }

    fn pull(&self, world: &World, workspace: &mut Workspace) {
        let place = workspace.pose(world.model(), self.link).transform_point(self.point);
        let velocity = workspace.velocity_at(self.link, place).linear;
        let force = self.stiffness * (self.to - place) - self.damping * velocity;
        workspace.apply_force(self.link, force.clamp_length_max(self.most_force), DVec3::ZERO, place);
    }
}

/// All hands, as a controller of the simulation.
#[derive(Debug, Default)]
pub struct Grip(Mutex<Vec<Hold>>);

impl Grip {
    /// A copy of what is held.
    pub fn holds(&self) -> Vec<Hold> {
        self.lock().clone()
    }

    /// Holds this instead.
    pub fn set(&self, holds: &[Hold]) {
        self.lock().clone_from(&holds.to_vec());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Hold>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LowLevelController for Grip {
    fn acts(&self) -> bool {
        !self.lock().is_empty()
    }

    fn load(&self, _memory: &[f64], world: &World, _time: f64, workspace: &mut Workspace) {
        self.lock().iter().for_each(|hold| hold.pull(world, workspace));
    }
}
