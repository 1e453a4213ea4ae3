//! Two bodies that move, rotate and bounce off each other and the walls of a small world, by the rules of Fontijne
//! (2000) section 2.6: a body out of bounds gets a new random velocity towards the world, and penetrating bodies get
//! new random velocities away from each other.
//!
//! Velocities are uniform in [-1, 1] per axis, angular velocities in [-1, 1] rad per unit of time about each axis.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Time between two poses.
pub const STEP: f64 = 0.01;
/// Half the side of the world.
const WORLD: f64 = 2.0;

/// State of the two bodies.
pub struct Motion {
    random: Pcg64Mcg,
    bodies: [Flight; 2],
}

struct Flight {
    pose: Pose,
    velocity: DVec3,
    spin: DVec3,
}

impl Motion {
    /// Creates two bodies on opposite sides of the centre.
    pub fn new(seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let bodies = [-1.0, 1.0].map(|side| Flight {
            pose: Pose::new(random_rotation(&mut random), DVec3::new(side, 0.0, 0.0)),
            velocity: random_vector(&mut random),
            spin: random_vector(&mut random),
        });
        Self { random, bodies }
    }

    /// Returns the current poses of both bodies.
    pub fn poses(&self) -> [Pose; 2] {
        [self.bodies[0].pose, self.bodies[1].pose]
    }

    /// Advances by one step. `penetrating` is whether the bodies penetrate at their current poses.
    pub fn step(&mut self, penetrating: bool) {
        let apart = self.bodies[1].pose.translation - self.bodies[0].pose.translation;
        for (body, away) in self.bodies.iter_mut().zip([-apart, apart]) {
            let place = body.pose.translation;
            let leaving = place.abs().cmpgt(DVec3::splat(WORLD)).any();
            if leaving && body.velocity.dot(place) > 0.0 {
                body.velocity = towards(&mut self.random, -place);
            } else if penetrating && !leaving {
                body.velocity = towards(&mut self.random, away);
            }
            body.pose.translation += STEP * body.velocity;
            body.pose.rotation = (DQuat::from_scaled_axis(STEP * body.spin) * body.pose.rotation).normalize();
        }
    }
}

/// Returns a vector that is uniform in [-1, 1] per axis.
pub fn random_vector(random: &mut Pcg64Mcg) -> DVec3 {
    DVec3::new(random.random_range(-1.0..=1.0), random.random_range(-1.0..=1.0), random.random_range(-1.0..=1.0))
}

/// Returns a vector that is uniform on the unit sphere, by rejection sampling.
pub fn random_unit_vector(random: &mut Pcg64Mcg) -> DVec3 {
    loop {
        let vector = random_vector(random);
        let square = vector.length_squared();
        if square > 1e-6 && square <= 1.0 {
            return vector / square.sqrt();
        }
    }
}

/// Returns a uniformly distributed rotation.
pub fn random_rotation(random: &mut Pcg64Mcg) -> DQuat {
    let axis = random_unit_vector(random);
    let twist = random.random_range(0.0..core::f64::consts::TAU);
    DQuat::from_rotation_arc(DVec3::Z, axis) * DQuat::from_rotation_z(twist)
}

/// Returns a random velocity with a positive component along `direction`.
fn towards(random: &mut Pcg64Mcg, direction: DVec3) -> DVec3 {
    let velocity = random_vector(random);
    if velocity.dot(direction) < 0.0 { -velocity } else { velocity }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_stay_near_the_world_and_turn_back() {
        let mut motion = Motion::new(1);
        for _ in 0..100_000 {
            motion.step(false);
            for pose in motion.poses() {
                assert!(pose.translation.abs().max_element() < WORLD + 2.0, "{}", pose.translation);
                assert!((pose.rotation.length() - 1.0).abs() < 1e-12);
            }
        }
    }
}
