//! Two bodies that fly, spin and bounce off each other and the walls of a small world, after the rules of 000
//! section 2.6: a body out of bounds gets a new random velocity that leads back, penetrating bodies get new random
//! velocities that lead apart.
//!
//! Speeds are uniform in [-1, 1] per axis, spins in [-1, 1] rad per unit of time about each axis.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Time between two poses.
pub const STEP: f64 = 0.01;
/// The world reaches this far from its middle on each axis.
const WORLD: f64 = 2.0;

/// The two bodies' state.
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
    /// Bodies on either side of the middle.
    pub fn new(seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let bodies = [-1.0, 1.0].map(|side| Flight {
            pose: Pose::new(random_rotation(&mut random), DVec3::new(side, 0.0, 0.0)),
            velocity: random_vector(&mut random),
            spin: random_vector(&mut random),
        });
        Self { random, bodies }
    }

    /// The poses of both bodies now.
    pub fn poses(&self) -> [Pose; 2] {
        [self.bodies[0].pose, self.bodies[1].pose]
    }

    /// One step on. `penetrating` tells whether the bodies share space at the poses of now.
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

/// Uniform in [-1, 1] per axis.
pub fn random_vector(random: &mut Pcg64Mcg) -> DVec3 {
    DVec3::new(random.random_range(-1.0..=1.0), random.random_range(-1.0..=1.0), random.random_range(-1.0..=1.0))
}

/// Uniform on the unit sphere, by rejection.
pub fn random_unit_vector(random: &mut Pcg64Mcg) -> DVec3 {
    loop {
        let vector = random_vector(random);
        let square = vector.length_squared();
        if square > 1e-6 && square <= 1.0 {
            return vector / square.sqrt();
        }
    }
}

/// Uniform over all orientations.
pub fn random_rotation(random: &mut Pcg64Mcg) -> DQuat {
    let axis = random_unit_vector(random);
    let twist = random.random_range(0.0..core::f64::consts::TAU);
    DQuat::from_rotation_arc(DVec3::Z, axis) * DQuat::from_rotation_z(twist)
}

/// A random velocity with a part along `direction`.
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
