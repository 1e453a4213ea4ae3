//! A sphere that rolls on a turntable runs in circles, not outwards: with the table's rate W about z and the inertia
//! `beta m r^2`, rolling without slipping and the two balances of momentum give
//!
//! ```text
//!   dv/dt = beta / (1 + beta) W x v
//! ```
//!
//! so that the centre circles at 2/7 W for a solid sphere, wherever it is put and however fast it is.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cylinder, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, SteadyMotion, WorldBuilder};
use glam::DVec3;

use super::stage::{percent_off, position, simulate, velocity};

/// Of the table, in rad/s.
const RATE: f64 = 3.5;
const RADIUS: f64 = 0.1;
const HALF_THICKNESS: f64 = 0.1;
const SPEED: f64 = 0.5;
const SHARE: f64 = 2.0 / 7.0;

/// The larger of two errors, in percent: of the angle that the velocity has turned by in one circle, and of the place after
/// it, by the circle's radius.
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
    // No slip at the lowest point: v + w x (-r z) is the table's velocity there.
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
    // Steps do not end at the full circle exactly.
    let (sin, cos) = libm::sincos(turned);
    let expected = start + SPEED / rate * DVec3::new(sin, 1.0 - cos, 0.0);
    let off = (position(&simulation, 1) - expected).length() * rate / SPEED;
    Ok(percent_off(angle, turned).max(100.0 * off))
}
