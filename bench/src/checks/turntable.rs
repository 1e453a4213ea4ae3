//! A sphere that rolls on a turntable moves in circles, not outwards. With the angular velocity W of the table about z
//! and the inertia `beta m r^2`, rolling without slipping and the balances of linear and angular momentum give
//!
//! ```text
//!   dv/dt = beta / (1 + beta) W x v
//! ```
//!
//! so the centre of a solid sphere circles at 2/7 W, for any start position and velocity.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cylinder, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, SteadyMotion, WorldBuilder};
use glam::DVec3;

use super::scenes::{percent_off, position, simulate, velocity};

/// Angular velocity of the table, in rad/s.
const RATE: f64 = 3.5;
const RADIUS: f64 = 0.1;
const HALF_THICKNESS: f64 = 0.1;
const SPEED: f64 = 0.5;
const SHARE: f64 = 2.0 / 7.0;

/// Returns the larger of two errors after one circle, in percent: of the angle by which the velocity has rotated, and
/// of the position relative to the radius of the circle.
pub fn circle(paradigm: Paradigm, step: f64) -> Result<f64> {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.8, ..Material::default() });
    let table = SteadyMotion {
        start: Pose::from_translation(DVec3::Z * -HALF_THICKNESS),
        linear: DVec3::ZERO,
        angular: DVec3::Z * RATE,
    };
    let disc = ColliderSpec::new(Shape::Cylinder(Cylinder::new(3.0, HALF_THICKNESS)?));
    builder.scripted("table", Arc::new(table), [disc]);
    let start = DVec3::new(0.3, 0.2, RADIUS);
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(RADIUS)?));
    let body = builder.body("ball", Pose::from_translation(start), [ball])?;
    let linear = DVec3::X * SPEED;
    // No slip at the lowest point: v + w x (-r z) is the velocity of the table there.
    let slip = RATE * DVec3::Z.cross(start) - linear;
    builder.set_velocity(body, Motion::new(DVec3::Z.cross(-slip) / RADIUS, linear));
    let mut simulation = simulate(builder, paradigm, step)?;

    let rate = SHARE * RATE;
    let steps = (core::f64::consts::TAU / rate / step).round() as u64;
    let (mut angle, mut last) = (0.0, linear);
    for _ in 0..steps {
        simulation.step()?;
        let v = velocity(&simulation, 1);
        angle += libm::atan2(last.x * v.y - last.y * v.x, last.x * v.x + last.y * v.y);
        last = v;
    }
    let turned = rate * steps as f64 * step;
    // The last step does not end exactly at the full circle.
    let (sin, cos) = libm::sincos(turned);
    let expected = start + SPEED / rate * DVec3::new(sin, 1.0 - cos, 0.0);
    let off = (position(&simulation, 1) - expected).length() * rate / SPEED;
    Ok(percent_off(angle, turned).max(100.0 * off))
}
