//! The low-level controller of a flock: lift against gravity, the acceleration that the pilot decided on, and the
//! attitude of the bodies.
//!
//! A body turns its x axis into the direction of flight and its z axis to the side from which its lift comes, so that
//! it banks in a turn like a bird. The moments are those of a critically damped spring: with the rotation vector e from
//! the present to the wanted attitude, the time constant T, and the rate w_v at which the velocity turns, the angular
//! acceleration is `e / T^2 - 2 (w - w_v) / T`.

use burgess_dynamics::spatial::RigidInertia;
use burgess_dynamics::{Model, Workspace};
use burgess_geometry::Pose;
use burgess_simulation::{LowLevelController, World};
use glam::{DMat3, DQuat, DVec3};

use super::steering::MIN_SPEED;

/// Time constant of the attitude, in s.
const ATTITUDE_TIME: f64 = 0.12;

/// A body that flies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flyer {
    /// Index of its link.
    link: usize,
    /// Pose of the link's inner frame, whose origin is the centre of mass, in the link's coordinates.
    frame: Pose,
}

impl Flyer {
    /// Creates a flyer from the index of a link with a free joint.
    pub fn of_link(model: &Model, link: usize) -> Self {
        Self { link, frame: model.links()[link].frame }
    }

    /// Returns the direction of its front.
    pub(super) fn heading(&self, world: &World, workspace: &Workspace) -> DVec3 {
        workspace.pose(world.model(), self.link).transform_vector(DVec3::X)
    }

    /// Returns the position (m) of the centre of mass and its velocity (m/s).
    pub(super) fn motion(&self, world: &World, workspace: &Workspace) -> (DVec3, DVec3) {
        let center = workspace.pose(world.model(), self.link).transform_point(self.frame.translation);
        (center, workspace.velocity_at(self.link, center).linear)
    }
}

/// Exerts the forces on all members of a flock. Its memory has the acceleration (m/s^2) of each, three numbers.
#[derive(Debug)]
pub struct FlockFlight {
    flyers: Vec<Flyer>,
}

impl FlockFlight {
    /// Creates the flight of bodies.
    pub fn new(flyers: Vec<Flyer>) -> Self {
        Self { flyers }
    }
}

impl LowLevelController for FlockFlight {
    fn memory(&self) -> usize {
        3 * self.flyers.len()
    }

    fn load(&self, memory: &[f64], world: &World, _time: f64, workspace: &mut Workspace) {
        for (flyer, acceleration) in self.flyers.iter().zip(memory.chunks_exact(3)) {
            let RigidInertia { mass, about_point, .. } = world.model().links()[flyer.link].inertia;
            let pose = workspace.pose(world.model(), flyer.link);
            let (center, velocity) = flyer.motion(world, workspace);
            let acceleration = DVec3::from_slice(acceleration);
            let lift = acceleration - world.model().gravity;
            let wanted = attitude(velocity, lift, pose.rotation);
            let turn = rotation_vector(wanted * pose.rotation.conjugate());
            let rate = workspace.velocity_at(flyer.link, center).angular;
            let excess = rate - turn_rate(velocity, acceleration);
            let angular_acceleration = turn / (ATTITUDE_TIME * ATTITUDE_TIME) - 2.0 / ATTITUDE_TIME * excess;
            // The inertia is constant along the inner axes of the link.
            let axes = pose.rotation * flyer.frame.rotation;
            let moment = axes * (about_point * (axes.conjugate() * angular_acceleration));
            workspace.apply_force(flyer.link, mass * lift, moment, center);
        }
    }
}

/// Returns the attitude with x along the velocity and z towards the lift; the present one where they are undefined.
fn attitude(velocity: DVec3, lift: DVec3, present: DQuat) -> DQuat {
    if velocity.length() < MIN_SPEED {
        return present;
    }
    let x = velocity.normalize();
    let Some(z) = (lift - lift.dot(x) * x).try_normalize() else { return present };
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
}

/// Returns the angular velocity of the direction of flight, in rad/s; zero for a body that hardly moves.
fn turn_rate(velocity: DVec3, acceleration: DVec3) -> DVec3 {
    if velocity.length() < MIN_SPEED { DVec3::ZERO } else { velocity.cross(acceleration) / velocity.length_squared() }
}

/// Returns the axis of a rotation times its angle, from 0 to pi, in rad.
fn rotation_vector(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let sine = rotation.xyz().length();
    let angle = 2.0 * libm::atan2(sine, rotation.w);
    if sine > 0.0 { rotation.xyz() * (angle / sine) } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_vectors_are_those_of_their_rotations() {
        for (axis, angle) in [(DVec3::X, 0.3), (DVec3::Y, -2.0), (DVec3::new(0.6, 0.0, 0.8), 3.1), (DVec3::Z, 0.0)] {
            let found = rotation_vector(DQuat::from_axis_angle(axis, angle));
            assert!((found - axis * angle).length() < 1e-12, "{found}");
        }
    }

    /// In a level turn the lift leans inwards by the angle whose tangent is v^2 / (r g).
    #[test]
    fn turns_are_banked() {
        let (speed, radius, gravity) = (6.0, 5.0, 9.81);
        let inwards = DVec3::Y * (speed * speed / radius);
        let found = attitude(speed * DVec3::X, inwards + gravity * DVec3::Z, DQuat::IDENTITY);
        let up = found * DVec3::Z;
        assert!((up.y / up.z - speed * speed / (radius * gravity)).abs() < 1e-12);
        assert!((found * DVec3::X - DVec3::X).length() < 1e-12);
    }

    #[test]
    fn undefined_attitudes_stay_as_they_are() {
        let present = DQuat::from_axis_angle(DVec3::X, 0.7);
        assert_eq!(attitude(DVec3::ZERO, DVec3::Z, present), present);
        assert_eq!(attitude(DVec3::Z, 2.0 * DVec3::Z, present), present);
    }
}
