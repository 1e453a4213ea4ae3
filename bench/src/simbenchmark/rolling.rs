//! Balls roll on a box that is dragged over the ground: sticking and sliding contacts at the same time.
//!
//! A box of 20 x 20 x 1 m and M = 10 kg, pulled with F = 150 N, slides on the ground; 25 balls of radius 0.5 m and
//! m = 1 kg roll on it without slipping. With the friction forces f1 of the ground and f2 of each ball,
//!
//! ```text
//!   f1 = mu (M + 25 m) g,   f2 = (F - f1) / M / (3.5 / m + 25 / M)
//!   box: a = (F - f1 - 25 f2) / M,   balls: a = f2 / m
//! ```
//!
//! The error is that of the velocities of the box and the balls (mean over the balls).

use std::sync::Arc;

use anyhow::{Context, Result};
use burgess_geometry::shape::{Cuboid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Surface, WorldBuilder};
use glam::DVec3;

use super::{Simulate, SteadyForce, time_mean};

/// Force along a world axis; friction pyramids are exact in this direction.
pub const ALONG_Y: DVec3 = DVec3::Y;
/// Force oblique to the axes; friction pyramids fail in this direction.
pub const ALONG_XY: DVec3 = DVec3::new(0.5, 0.866_025_403_784_438_6, 0.0);

const SECONDS: f64 = 4.0;
const FORCE: f64 = 150.0;
const BOX_MASS: f64 = 10.0;
const BALL_MASS: f64 = 1.0;
const BALLS: f64 = 25.0;
const GROUND_FRICTION: f64 = 0.4;
const BALL_FRICTION: f64 = 0.8;
const GRAVITY: f64 = 9.81;

/// Returns the time mean of the squared error of the velocities, in m^2/s^2. `direction` is a unit vector.
pub fn rolling(simulate: &Simulate, direction: DVec3) -> Result<f64> {
    let mut builder = WorldBuilder::new();
    let surface = |friction| Surface { friction, ..Material::default() };
    let [ground, plate, ball] = [(); 3].map(|()| builder.material(Material::default()));
    builder.surface(ground, plate, surface(GROUND_FRICTION));
    builder.surface(plate, ball, surface(BALL_FRICTION));
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).of(ground));
    let cuboid = Cuboid::new(DVec3::new(10.0, 10.0, 0.5))?;
    let shape = ColliderSpec::new(Shape::Cuboid(cuboid)).of(plate).with_density(BOX_MASS / 400.0);
    let box_id = builder.body("box", Pose::from_translation(DVec3::new(0.0, 0.0, 0.5)), [shape])?;
    let volume = core::f64::consts::PI / 6.0;
    let mut ball_ids = Vec::new();
    for (i, j) in (0..5).flat_map(|i| (0..5).map(move |j| (i, j))) {
        let place = DVec3::new(2.0 * f64::from(i) - 4.0, 2.0 * f64::from(j) - 4.0, 1.5);
        let shape = ColliderSpec::new(Shape::Sphere(Sphere::new(0.5)?)).of(ball).with_density(BALL_MASS / volume);
        ball_ids.push(builder.body("ball", Pose::from_translation(place), [shape])?);
    }
    let (world, state) = builder.build()?;
    let first_v = |id| world.index(id).map(|link| world.model().links()[link].v + 3);
    let link = world.index(box_id).context("the box is not a link")?;
    let box_v = first_v(box_id).context("the box is not a link")?;
    let ball_v: Vec<usize> = ball_ids.into_iter().filter_map(first_v).collect();

    let mut simulation = simulate(world, state)?;
    let push = SteadyForce { link, force: FORCE * direction, until: f64::INFINITY };
    simulation.data_mut().controllers.add_low_level(Arc::new(push));
    let (box_acceleration, ball_acceleration) = accelerations();
    time_mean(&mut simulation, SECONDS, |simulation| {
        let state = simulation.state();
        let error = |at: usize, acceleration: f64| {
            let expected = direction * acceleration * state.time;
            (DVec3::from_slice(&state.v[at..]) - expected).length_squared()
        };
        let balls: f64 = ball_v.iter().map(|&at| error(at, ball_acceleration)).sum();
        error(box_v, box_acceleration) + balls / BALLS
    })
}

/// Returns the exact accelerations of the box and the balls, in m/s^2.
fn accelerations() -> (f64, f64) {
    let ground = GROUND_FRICTION * (BOX_MASS + BALLS * BALL_MASS) * GRAVITY;
    let ball = (FORCE - ground) / BOX_MASS / (3.5 / BALL_MASS + BALLS / BOX_MASS);
    ((FORCE - ground - BALLS * ball) / BOX_MASS, ball / BALL_MASS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_is_the_published_one() {
        let (plate, ball) = accelerations();
        assert!((plate - 0.7385).abs() < 1e-4, "{plate}");
        assert!((ball - 0.211).abs() < 1e-4, "{ball}");
    }
}
