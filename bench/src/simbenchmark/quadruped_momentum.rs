//! A free-floating robot without gravity is hit by a ball. Momentum is conserved. The ball has 10 kg, radius 0.2 m, a
//! velocity of 5 m/s and a distance of 5 m; the simulation lasts 10 s; there is no restitution.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, WorldBuilder};
use glam::DVec3;

use super::{Quadruped, Simulate, time_mean};

const SECONDS: f64 = 10.0;
const HEIGHT: f64 = 2.0;

/// Time means of the squared errors of the total momenta.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momenta {
    /// Error of the linear momentum, in kg^2 m^2/s^2.
    pub linear: f64,
    /// Error of the angular momentum about the world's origin, in kg^2 m^4/s^2.
    pub angular: f64,
    /// Maximum joint velocity, in rad/s; it shows that the robot was hit.
    pub fastest: f64,
}

/// Simulates robot and ball.
pub fn quadruped_momentum(simulate: &Simulate) -> Result<Momenta> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    Quadruped::add(&mut builder, HEIGHT)?;
    let sphere = Shape::Sphere(Sphere::new(0.2)?);
    let mass = sphere.mass_properties(1.0)?.mass;
    let shape = ColliderSpec::new(sphere).with_density(10.0 / mass);
    let ball = builder.body("ball", Pose::from_translation(DVec3::new(0.0, -5.0, HEIGHT)), [shape])?;
    builder.set_velocity(ball, Motion::new(DVec3::ZERO, DVec3::new(0.0, 5.0, 0.0)));
    let (world, state) = builder.build()?;
    let mut simulation = simulate(world, state)?;
    let start = simulation.observables();
    let (mut angular, mut samples, mut fastest) = (0.0, 0.0, 0.0_f64);
    let linear = time_mean(&mut simulation, SECONDS, |simulation| {
        let now = simulation.observables();
        let [then, turned] = [&start, &now].map(|seen| seen.angular_momentum_about(DVec3::ZERO));
        angular += (turned - then).length_squared();
        samples += 1.0;
        // The joints come after the six degrees of freedom of the torso.
        fastest = simulation.state().v[6..18].iter().fold(fastest, |most, v| most.max(v.abs()));
        (now.linear_momentum - start.linear_momentum).length_squared()
    })?;
    Ok(Momenta { linear, angular: angular / samples, fastest })
}
