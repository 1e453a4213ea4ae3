//! Newton's cradle: one elastic ball hits a row of four that touch each other. In experiments the last ball leaves with
//! (nearly) all of the speed and the others stay, as if the collisions occurred one after the other. If they are solved
//! simultaneously, with Newton's restitution at each contact, energy and momentum are conserved, but the first ball
//! rebounds.

use anyhow::Result;
use burgess_dynamics::State;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::collision_solver::SimultaneousImpulses;
use burgess_paradigms::time_control::ConservativeAdvancement;
use burgess_paradigms::{FreeMotion, ImpulseSettings, Paradigm, impulse_data};
use burgess_simulation::constraint_solver::VelocitySolverSettings;
use burgess_simulation::modules::Modules;
use burgess_simulation::{ColliderSpec, Material, Simulation, World, WorldBuilder};
use glam::DVec3;

use super::scenes::velocity;

/// Number of balls.
pub const BALLS: usize = 5;
const RADIUS: f64 = 0.05;
/// Simulated time, in s: enough for the collision and the separation.
const SECONDS: f64 = 0.5;

/// Returns the largest error of a ball's velocity, in percent of the initial velocity of the first ball.
pub fn error(paradigm: Paradigm, step: f64) -> Result<f64> {
    let velocities = end_velocities(paradigm, step)?;
    let off = velocities.iter().enumerate().map(|(ball, v)| (v - f64::from(u8::from(ball == BALLS - 1))).abs());
    Ok(100.0 * off.fold(0.0, f64::max))
}

/// Returns the final velocities of the balls for an initial velocity of 1 m/s, in m/s.
pub fn end_velocities(paradigm: Paradigm, step: f64) -> Result<[f64; BALLS]> {
    let (world, state) = row()?;
    run(paradigm.simulate(world, state, step)?)
}

/// Returns the final velocities if an impulse-based simulation solves simultaneous collisions together.
pub fn end_velocities_of_simultaneous_impulses(step: f64) -> Result<[f64; BALLS]> {
    let (world, state) = row()?;
    let settings = ImpulseSettings::default();
    let (data, envelope) = impulse_data(world, state, &settings)?;
    let collisions = Box::new(SimultaneousImpulses::new(envelope, VelocitySolverSettings::default()));
    let time_control = Box::new(ConservativeAdvancement::new(&data, envelope, settings.budget));
    let modules = Modules { motion: Box::new(FreeMotion::new(&data)), constraints: None, collisions: Some(collisions) };
    run(Simulation::with_modules(data, time_control, modules, step)?)
}

/// Builds a ball that moves towards four that touch each other.
fn row() -> Result<(World, State)> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.default_material(Material { friction: 0.0, restitution: 1.0, ..Material::default() });
    for ball in 0..BALLS {
        let x = 2.0 * RADIUS * ball as f64 - if ball == 0 { 0.1 } else { 0.0 };
        let shape = ColliderSpec::new(Shape::Sphere(Sphere::new(RADIUS)?));
        let body = builder.body("ball", Pose::from_translation(DVec3::X * x), [shape])?;
        if ball == 0 {
            builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::X));
        }
    }
    Ok(builder.build()?)
}

fn run(mut simulation: Simulation) -> Result<[f64; BALLS]> {
    simulation.run(SECONDS)?;
    Ok(std::array::from_fn(|ball| velocity(&simulation, ball).x))
}
