//! Boxes on a support that is shaken by sine: they stay on it, slip on it, or are thrown into the air and land without
//! bouncing.

use core::f64::consts::TAU;
use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Cuboid;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Oscillation, Script, WorldBuilder};
use glam::DVec3;

use crate::case::{Case, GRAVITY};
use crate::law::Law;
use crate::random::Random;
use crate::track::{STEP, Track};

/// Time for which the course is known, in s.
const KNOWN: f64 = 5.0;
/// Number of steps of integration in [`STEP`]: a box is found within g times the square of 1e-5 s.
const PARTS: usize = 10;

/// Draws a box on a shaken support.
pub fn draw(random: &mut Random) -> Result<Case> {
    let half = random.magnitude(0.03, 0.3) * DVec3::new(1.0, random.between(0.5, 1.0), 0.3);
    let friction = random.between(0.2, 1.0);
    let is_vertical = random.chance(0.5);
    let stays = random.chance(0.4);
    let frequency = random.magnitude(0.5, 5.0);
    // Acceleration as a share of that at which the box slips or lifts.
    let share = if stays { random.between(0.3, 0.95) } else { random.between(1.2, 3.0) };
    let bound = if is_vertical { GRAVITY } else { friction * GRAVITY };
    let rate = TAU * frequency;
    let along = if is_vertical { DVec3::Z } else { random.heading() };
    let amplitude = share * bound / (rate * rate) * along;
    let support_top = DVec3::NEG_Z * half.z;
    let middle = Pose::from_translation(support_top - DVec3::Z * 0.1);
    let oscillation = Oscillation { middle, amplitude, angle: DVec3::ZERO, frequency, phase: random.between(0.0, TAU) };
    let support = move |time: f64| {
        let motion = oscillation.motion(time);
        let moved = motion.pose.translation - middle.translation;
        [moved, motion.velocity.linear, motion.acceleration.linear].map(|vector| vector.dot(along))
    };
    let track = if is_vertical { hops(support) } else { slips(support, bound) };
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, ..Material::default() });
    let table = DVec3::new(half.x * 2.0 + 2.0, half.x * 2.0 + 2.0, 0.1);
    builder.scripted("support", Arc::new(oscillation), [ColliderSpec::new(Shape::Cuboid(Cuboid::new(table)?))]);
    let collider = ColliderSpec::new(Shape::Cuboid(Cuboid::new(half)?)).with_density(random.density());
    let body = builder.link("box", None, JointSpec::free(), None, [collider])?;
    let [start, velocity, _] = support(0.0);
    builder.set_pose(body, Pose::from_translation(along * start));
    builder.set_velocity(body, Motion::new(DVec3::ZERO, along * velocity));
    let direction = if is_vertical { "vertically" } else { "horizontally" };
    let what = format!("support shaken {direction}, {frequency:.1} Hz, {:.0} % of what a box bears", 100.0 * share);
    let size = 2.0 * half.z;
    let case = Case::driven(what, builder, size)?;
    let (link, offset) = (case.index(body), DVec3::X * half.x);
    let course = move |time: f64| track.at(time).map(|place| vec![along * place.x, along * place.x + offset]);
    Ok(case.with_law(Law::course(vec![(link, DVec3::ZERO), (link, offset)], size, course)).until(KNOWN))
}

/// A box that leaves the support if that falls faster, and lands without bouncing.
fn hops(support: impl Fn(f64) -> [f64; 3] + Copy) -> Track {
    let dt = STEP / PARTS as f64;
    let [mut z, mut v, _] = support(0.0);
    let (mut steps, mut flies) = (0_u64, false);
    Track::new(DVec3::X * z, KNOWN, || {
        for _ in 0..PARTS {
            let [_, _, driven] = support(steps as f64 * dt);
            steps += 1;
            let [top, rate, _] = support(steps as f64 * dt);
            flies |= driven < -GRAVITY;
            z += dt * (v - 0.5 * dt * GRAVITY);
            v -= dt * GRAVITY;
            if !flies || z < top {
                (z, v, flies) = (top, rate, false);
            }
        }
        DVec3::X * z
    })
}

/// A box that slips if the support accelerates by more than a bound (m/s^2), until their velocities are equal.
fn slips(support: impl Fn(f64) -> [f64; 3] + Copy, bound: f64) -> Track {
    let dt = STEP / PARTS as f64;
    let [mut x, mut v, _] = support(0.0);
    // Direction of the slip; zero for a box that sticks.
    let (mut steps, mut slip) = (0_u64, 0.0_f64);
    Track::new(DVec3::X * x, KNOWN, || {
        // A box that sticks keeps its place on the support.
        for _ in 0..PARTS {
            let [before, _, driven] = support(steps as f64 * dt);
            steps += 1;
            let [after, rate, _] = support(steps as f64 * dt);
            if slip == 0.0 && driven.abs() > bound {
                slip = -driven.signum();
            }
            if slip == 0.0 {
                x += after - before;
                v = rate;
                continue;
            }
            x += dt * (v - 0.5 * dt * slip * bound);
            v -= dt * slip * bound;
            if (v - rate) * slip <= 0.0 {
                (v, slip) = (rate, 0.0);
            }
        }
        DVec3::X * x
    })
}
