//! Random states of a tree in Pinocchio's layout, and their conversion to and from the layout of Burgess.
//!
//! The layouts differ only for the free root. With R its rotation, c its centre of mass in its own frame, and
//! Pinocchio's velocity (v, w) of the frame in body coordinates:
//!
//! ```text
//!   velocity      w_world = R w                v_com = R (v + w x c)
//!   effort        moment  = R (n - c x f)      force = R f             for Pinocchio's (f, n)
//!   acceleration  w_world' = R w'              v_com' = R (v' + w' x c + w x (v + w x c))
//! ```

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{Model, State};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::tree::{Joint, Tree};

/// States in Pinocchio's layout, stored consecutively.
#[derive(Default)]
pub struct States {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub tau: Vec<f64>,
}

/// A state and efforts in the layout of Burgess.
pub struct Ours {
    pub state: State,
    pub efforts: Vec<f64>,
}

impl States {
    /// Creates random states: joint angles in [-3, 3], velocities in [-2, 2], efforts in [-5, 5].
    pub fn random(tree: &Tree, count: usize, random: &mut Pcg64Mcg) -> Self {
        let mut states = Self::default();
        for _ in 0..count {
            for link in &tree.0 {
                match link.joint {
                    Joint::Hinge(_) => states.q.push(random.random_range(-3.0..3.0)),
                    Joint::Free => {
                        states.q.extend((0..3).map(|_| random.random_range(-1.0..1.0)));
                        let turn: [f64; 4] = core::array::from_fn(|_| random.random_range(-1.0..1.0));
                        states.q.extend(DQuat::from_array(turn).normalize().to_array());
                    }
                }
            }
            let dofs = tree.sizes().1;
            states.v.extend((0..dofs).map(|_| random.random_range(-2.0..2.0)));
            states.tau.extend((0..dofs).map(|_| random.random_range(-5.0..5.0)));
        }
        states
    }

    /// Converts a state to the layout of Burgess, whose joints are in the same order.
    pub fn ours(&self, tree: &Tree, model: &Model) -> Vec<Ours> {
        let (positions, dofs) = tree.sizes();
        let states = self.q.chunks(positions).zip(self.v.chunks(dofs)).zip(self.tau.chunks(dofs));
        states.map(|((q, v), tau)| to_ours(tree, model, q, v, tau)).collect()
    }
}

fn to_ours(tree: &Tree, model: &Model, q: &[f64], v: &[f64], tau: &[f64]) -> Ours {
    let mut state = State::new(model);
    state.q.copy_from_slice(q);
    state.v.copy_from_slice(v);
    let mut efforts = tau.to_vec();
    for (index, link) in tree.0.iter().enumerate().filter(|(_, link)| link.joint == Joint::Free) {
        let (at_q, at) = (model.links()[index].q, model.links()[index].v);
        let (center, turn) = (link.center_of_mass, rotation(&q[at_q..]));
        state.set_free_pose(model, index, &Pose::new(turn, vector(&q[at_q..])));
        let (linear, angular) = (vector(&v[at..]), vector(&v[at + 3..]));
        let velocity = Motion::new(turn * angular, turn * (linear + angular.cross(center)));
        state.set_free_velocity(model, index, velocity);
        let (force, moment) = (vector(&tau[at..]), vector(&tau[at + 3..]));
        write(&mut efforts[at..], turn * (moment - center.cross(force)), turn * force);
    }
    Ours { state, efforts }
}

/// Converts accelerations of Burgess to Pinocchio's layout in place, for a state in Pinocchio's layout.
pub fn accelerations_to_theirs(tree: &Tree, model: &Model, q: &[f64], v: &[f64], accelerations: &mut [f64]) {
    for (index, link) in tree.0.iter().enumerate().filter(|(_, link)| link.joint == Joint::Free) {
        let (at_q, at) = (model.links()[index].q, model.links()[index].v);
        let (center, back) = (link.center_of_mass, rotation(&q[at_q..]).conjugate());
        let (linear, angular) = (vector(&v[at..]), vector(&v[at + 3..]));
        let angular_acceleration = back * vector(&accelerations[at..]);
        let linear_acceleration = back * vector(&accelerations[at + 3..])
            - angular_acceleration.cross(center)
            - angular.cross(linear + angular.cross(center));
        write(&mut accelerations[at..], linear_acceleration, angular_acceleration);
    }
}

fn rotation(q: &[f64]) -> DQuat {
    DQuat::from_xyzw(q[3], q[4], q[5], q[6])
}

fn vector(from: &[f64]) -> DVec3 {
    DVec3::from_slice(from)
}

fn write(to: &mut [f64], first: DVec3, second: DVec3) {
    to[..3].copy_from_slice(&first.to_array());
    to[3..6].copy_from_slice(&second.to_array());
}
