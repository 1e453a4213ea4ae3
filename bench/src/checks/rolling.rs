//! Round bodies roll down a slope without slipping: `a = g sin / (1 + beta)` for the inertia `beta m r^2`.

use anyhow::Result;
use burgess_geometry::shape::{Cylinder, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::ColliderSpec;
use glam::{DQuat, DVec3};

use super::scenes::{GRAVITY, percent_off, position, simulate, slope, tilt};

const RADIUS: f64 = 0.1;
const FRICTION: f64 = 0.8;
/// Slope of 20 degrees, in rad.
const ANGLE: f64 = core::f64::consts::PI / 9.0;
const SECONDS: f64 = 2.0;

/// Returns the error of the distance that a sphere travels, in percent.
pub fn sphere(paradigm: Paradigm, step: f64) -> Result<f64> {
    error(paradigm, step, Shape::Sphere(Sphere::new(RADIUS)?), DQuat::IDENTITY, 0.4)
}

/// Returns the error of the distance that a horizontal cylinder travels, in percent.
pub fn cylinder(paradigm: Paradigm, step: f64) -> Result<f64> {
    let lying = DQuat::from_rotation_x(core::f64::consts::FRAC_PI_2);
    error(paradigm, step, Shape::Cylinder(Cylinder::new(RADIUS, 0.2)?), lying, 0.5)
}

fn error(paradigm: Paradigm, step: f64, shape: Shape, turn: DQuat, beta: f64) -> Result<f64> {
    let mut builder = slope(ANGLE, FRICTION);
    let start = tilt(ANGLE) * DVec3::Z * RADIUS;
    builder.body("roller", Pose::new(tilt(ANGLE) * turn, start), [ColliderSpec::new(shape)])?;
    let mut simulation = simulate(builder, paradigm, step)?;
    simulation.run(SECONDS)?;
    let displacement = (position(&simulation, 0) - start).dot(tilt(ANGLE) * DVec3::X);
    let acceleration = GRAVITY * libm::sin(ANGLE) / (1.0 + beta);
    Ok(percent_off(displacement, 0.5 * acceleration * SECONDS * SECONDS))
}
