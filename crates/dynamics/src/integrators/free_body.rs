//! Rotation of a single free body, by its angular momentum.
//!
//! ```text
//!   m  = I(q*)^-1 (L + h/2 M),   q* = q + h/2 m      the mean velocity, by iteration
//!   w' = I(q')^-1 (L + h M),     q' = q + h m
//! ```
//!
//! with L the angular momentum at the start and M the moment. Angular momentum is conserved to rounding, and the energy
//! of a body with given angular momentum is bounded whatever the step, so no spinning body can explode. The rule is
//! symmetric in time, so energy does not drift.

use glam::{DQuat, DVec3};

use crate::joint::Joint;
use crate::rotation_vector::exponential;
use crate::spatial::{Force, Symmetric3};
use crate::spec::AxisProperties;
use crate::state::{read_quaternion, read_vector, write_vector};
use crate::{Model, State, Workspace};

/// Maximum number of iterations. A rotation of a tenth of a radian needs four.
const MAX_ITERATIONS: usize = 8;

/// The free bodies of a model.
#[derive(Debug, Clone)]
pub(crate) struct FreeBodies {
    bodies: Vec<FreeBody>,
    /// Whether only free bodies move in the model.
    are_all: bool,
}

#[derive(Debug, Clone)]
struct FreeBody {
    link: usize,
    inertia: Symmetric3,
    inverse: Symmetric3,
    /// Whether the inertia is that of a ball: then the velocity is constant whatever the orientation.
    is_round: bool,
}

/// What acts on free bodies besides the forces in the workspace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Acting<'a> {
    /// Efforts along the joints, in N m and N.
    pub driven: &'a [f64],
    /// Expected accelerations by constraints, in rad/s^2 and m/s^2. The velocities that result exclude them, but not
    /// their effect on velocity-dependent terms.
    pub constraints: &'a [f64],
}

impl FreeBodies {
    pub fn new(model: &Model) -> Self {
        let plain = AxisProperties::default();
        let links = model.links();
        let alone = |index: usize| links.get(index + 1).is_none_or(|next| next.parent().is_none());
        let bodies = links.iter().enumerate().filter(|(index, link)| {
            let own = &model.properties()[link.v..link.v + link.dofs as usize];
            link.joint == Joint::Free && alone(*index) && own.iter().all(|axis| *axis == plain)
        });
        let bodies = bodies.map(|(link, found)| {
            let inertia = found.inertia.about_point;
            let matrix = inertia.to_matrix();
            let is_round = matrix == glam::DMat3::from_diagonal(DVec3::splat(matrix.x_axis.x));
            FreeBody { link, inertia, inverse: inertia.inverse(), is_round }
        });
        let bodies: Vec<_> = bodies.collect();
        let are_all = 6 * bodies.len() == model.dofs();
        Self { bodies, are_all }
    }

    /// Returns whether only free bodies move in the model.
    pub fn are_all(&self) -> bool {
        self.are_all
    }

    /// Computes mean and final velocities of a step, under the forces in the workspace and along the joints: the
    /// complete motion of bodies without joints.
    pub fn step_freely(
        &self,
        model: &Model,
        state: &State,
        workspace: &Workspace,
        acting: &Acting,
        step: f64,
        (mean, end): (&mut [f64], &mut [f64]),
    ) {
        for body in &self.bodies {
            let link = &model.links()[body.link];
            let Force { force, moment } = acting_force(workspace, body.link, &acting.driven[link.v..]);
            let gain = (model.gravity + force / link.inertia.mass) * step;
            let (w, v) = (read_vector(&state.v[link.v..]), read_vector(&state.v[link.v + 3..]));
            // Correct for round bodies, and for bodies without rotation and moment.
            let spin = body.inverse * (moment * step);
            write_vector(&mut mean[link.v..], w + 0.5 * spin);
            write_vector(&mut end[link.v..], w + spin);
            write_vector(&mut mean[link.v + 3..], v + 0.5 * gain);
            write_vector(&mut end[link.v + 3..], v + gain);
        }
        self.spin(model, state, workspace, acting, step, (mean, end));
    }

    /// Replaces mean and final angular velocities of a step by those that conserve angular momentum. Moments are those
    /// in the workspace and those that act.
    pub fn spin(
        &self,
        model: &Model,
        state: &State,
        workspace: &Workspace,
        acting: &Acting,
        step: f64,
        (mean, end): (&mut [f64], &mut [f64]),
    ) {
        for body in &self.bodies {
            let link = &model.links()[body.link];
            let w = read_vector(&state.v[link.v..]);
            let moment = acting_force(workspace, body.link, &acting.driven[link.v..]).moment;
            let held = read_vector(&acting.constraints[link.v..]);
            if body.is_round || (w == DVec3::ZERO && moment == DVec3::ZERO && held == DVec3::ZERO) {
                continue;
            }
            let q = read_quaternion(&state.q[link.q + 3..]);
            let rotation = workspace.links[body.link].rotation;
            let held_moment = rotation * (body.inertia * (rotation.transpose() * held));
            let (mean_velocity, end_velocity) = body.spin(q, w, moment + held_moment, step);
            write_vector(&mut mean[link.v..], mean_velocity - held * (0.5 * step));
            write_vector(&mut end[link.v..], end_velocity - held * step);
        }
    }
}

/// Returns the forces on a free link and along its joint, whose axes are those of the world.
fn acting_force(workspace: &Workspace, link: usize, driven: &[f64]) -> Force {
    workspace.external[link] + Force::new(read_vector(driven), read_vector(&driven[3..]))
}

impl FreeBody {
    fn spin(&self, q: DQuat, w: DVec3, moment: DVec3, step: f64) -> (DVec3, DVec3) {
        let momentum = q * (self.inertia * (q.conjugate() * w));
        let velocity = |q: DQuat, momentum: DVec3| q * (self.inverse * (q.conjugate() * momentum));
        let turned = |by: DVec3| exponential(by) * q;
        let middle = momentum + moment * (0.5 * step);
        let mut mean = w;
        for _ in 0..MAX_ITERATIONS {
            let next = velocity(turned(mean * (0.5 * step)), middle);
            let change = (next - mean).length_squared();
            mean = next;
            if change <= 1e-30 * mean.length_squared() {
                break;
            }
        }
        (mean, velocity(turned(mean * step), momentum + moment * step))
    }
}
