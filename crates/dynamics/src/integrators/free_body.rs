//! Rotation of a single free body, by its angular momentum.
//!
//! ```text
//!   q* = exp(h/2 w) q                             the middle of the step
//!   I(q') w' = I(q) w + h M,  q' = exp(h/2 w') q*      by Newton's method
//! ```
//!
//! with M the moment at the middle. Angular momentum is conserved to rounding, and the energy of a body with given
//! angular momentum is bounded whatever the step, so no spinning body can explode. The rule is symmetric in time, so
//! energy does not drift.

use glam::{DMat3, DQuat, DVec3};

use crate::joint::Joint;
use crate::rotation_vector::exponential;
use crate::spatial::{Force, Symmetric3};
use crate::spec::AxisProperties;
use crate::state::{read_quaternion, read_vector, write_vector};
use crate::{Model, State, Workspace};

/// Maximum number of iterations. A rotation of a tenth of a radian needs five.
const MAX_ITERATIONS: usize = 8;
/// Change of the angular velocity by impulses, times the rotation in the step, that is too small to matter, in rad/s.
const NEGLIGIBLE_EFFECT: f64 = 1e-10;
/// Relative change of the velocity at which the iteration ends.
const CONVERGED_CHANGE: f64 = 1e-14;

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

    /// Computes the velocities at the end of a step, under the forces in the workspace and along the joints: the complete
    /// motion of bodies without joints. The state is at the middle of the step, `start` are the positions at its start.
    pub fn step_freely(
        &self,
        model: &Model,
        (start, state): (&[f64], &State),
        workspace: &Workspace,
        acting: &Acting,
        step: f64,
        end: &mut [f64],
    ) {
        for body in &self.bodies {
            let link = &model.links()[body.link];
            let Force { force, moment } = acting_force(workspace, body.link, &acting.driven[link.v..]);
            let gain = (model.gravity + force / link.inertia.mass) * step;
            let (w, v) = (read_vector(&state.v[link.v..]), read_vector(&state.v[link.v + 3..]));
            // Correct for round bodies, and for bodies without rotation and moment.
            write_vector(&mut end[link.v..], w + body.inverse * (moment * step));
            write_vector(&mut end[link.v + 3..], v + gain);
        }
        self.spin(model, (start, state), workspace, acting, step, end);
    }

    /// Replaces the angular velocities at the end of a step by those that conserve angular momentum. Moments are those
    /// in the workspace and those that act.
    pub fn spin(
        &self,
        model: &Model,
        (start, state): (&[f64], &State),
        workspace: &Workspace,
        acting: &Acting,
        step: f64,
        end: &mut [f64],
    ) {
        for body in &self.bodies {
            let link = &model.links()[body.link];
            let w = read_vector(&state.v[link.v..]);
            let moment = acting_force(workspace, body.link, &acting.driven[link.v..]).moment;
            let held = read_vector(&acting.constraints[link.v..]);
            if body.is_round || (w == DVec3::ZERO && moment == DVec3::ZERO && held == DVec3::ZERO) {
                continue;
            }
            let [start, middle] = [start, &state.q].map(|q| read_quaternion(&q[link.q + 3..]));
            let rotation = workspace.links[body.link].rotation;
            let held_moment = rotation * (body.inertia * (rotation.transpose() * held));
            let momentum = start * (body.inertia * (start.conjugate() * w)) + (moment + held_moment) * step;
            write_vector(&mut end[link.v..], body.spin(middle, momentum, w, 0.5 * step) - held * step);
        }
    }

    /// Replaces the angular velocities at the end of a step by those that conserve angular momentum, after impulses at the
    /// middle have changed them from `smooth` to `end`: a change of velocity at the middle is another one at the end.
    pub fn spin_after_impulses(
        &self,
        model: &Model,
        (start, state): (&[f64], &State),
        (workspace, driven): (&Workspace, &[f64]),
        (step, smooth): (f64, &[f64]),
        end: &mut [f64],
    ) {
        for body in &self.bodies {
            let link = &model.links()[body.link];
            let [w, smooth, near] = [&state.v, smooth, &*end].map(|v| read_vector(&v[link.v..]));
            let change = near - smooth;
            let effect = change.length() * step * near.length().max(w.length());
            if body.is_round || effect <= NEGLIGIBLE_EFFECT {
                continue;
            }
            let [start, middle] = [start, &state.q].map(|q| read_quaternion(&q[link.q + 3..]));
            let moment = acting_force(workspace, body.link, &driven[link.v..]).moment;
            let struck = middle * (body.inertia * (middle.conjugate() * change));
            let momentum = start * (body.inertia * (start.conjugate() * w)) + moment * step + struck;
            write_vector(&mut end[link.v..], body.spin(middle, momentum, near, 0.5 * step));
        }
    }
}

/// Returns the forces on a free link and along its joint, whose axes are those of the world.
fn acting_force(workspace: &Workspace, link: usize, driven: &[f64]) -> Force {
    workspace.external[link] + Force::new(read_vector(driven), read_vector(&driven[3..]))
}

impl FreeBody {
    /// Returns the angular velocity with which the body turns from `middle` for the time `half` to an orientation at
    /// which it has this angular momentum. `near` is where the iteration starts.
    ///
    /// A body that turns with a constant velocity has the same one along its own axes, W. With the momentum along the axes
    /// of `middle`, the equation `exp(half W) I W = L` is solved by Newton's method. The derivative of the exponential is
    /// that of a small rotation, so the error falls by about `half |W|` in each iteration.
    fn spin(&self, middle: DQuat, momentum: DVec3, near: DVec3, half: f64) -> DVec3 {
        let wanted = middle.conjugate() * momentum;
        let inertia = self.inertia.to_matrix();
        let mut velocity = middle.conjugate() * near;
        for _ in 0..MAX_ITERATIONS {
            let turned = exponential(velocity * half);
            let own = self.inertia * velocity;
            let error = turned.conjugate() * wanted - own;
            let derivative = inertia - cross_matrix(own * half);
            let change = derivative.inverse() * error;
            if !change.is_finite() {
                break;
            }
            velocity += change;
            if change.length_squared() <= CONVERGED_CHANGE * CONVERGED_CHANGE * velocity.length_squared() {
                break;
            }
        }
        middle * velocity
    }
}

/// Returns the matrix of the cross product with a vector from the left.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}
