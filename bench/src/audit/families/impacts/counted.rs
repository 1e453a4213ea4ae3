//! Collisions on a line that can be counted: a ball between two walls, and two elastic bodies before a wall, which collide
//! 3, 31 or 314 times if one has 1, 100 or 10000 times the mass of the other (Galperin 2003).

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cuboid, HalfSpace, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::ColliderSpec;
use glam::{DMat3, DQuat, DVec3};

use super::{energy, restitution, weightless};
use crate::case::{Case, Energy};
use crate::law::{Bound, Law};
use crate::random::Random;

/// Time for which a ball flies between walls, in s.
const FLIES: f64 = 20.0;
/// Time after the last collision at which the velocities are examined, in steps of 1/240 s.
const AFTER: f64 = 4.0 / 240.0;
/// Largest error of the last velocities as a share of the first: that of the energy, to which they amount, is 1 %.
const VELOCITY: f64 = 1e-2;

/// A ball between two walls.
pub fn walls(random: &mut Random) -> Result<Case> {
    let restitution = restitution(random).max(0.5);
    let mut builder = weightless(restitution);
    let radius = random.magnitude(0.02, 0.2);
    // Distance that the ball can move.
    let free = radius * random.between(1.0, 20.0);
    let (speed, start) = (random.between(0.5, 5.0), free * random.between(0.0, 1.0));
    for (x, normal) in [(-radius, DVec3::X), (free + radius, DVec3::NEG_X)] {
        let pose = Pose::new(DQuat::from_rotation_arc(DVec3::Z, normal), DVec3::X * x);
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(pose));
    }
    let collider = ColliderSpec::new(Shape::Sphere(Sphere::new(radius)?)).with_density(random.density());
    let mass = collider.shape.mass_properties(collider.density)?.mass;
    let body = builder.body("ball", Pose::from_translation(DVec3::X * start), [collider])?;
    builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::X * speed));
    let course = move |time: f64| {
        let (mut left, mut speed, mut way) = (time, speed, free - start);
        let mut hits = 0_u32;
        while left > way / speed {
            left -= way / speed;
            way = free;
            speed *= restitution;
            hits += 1;
        }
        let travelled = left * speed;
        let first = if hits == 0 { start } else { 0.0 };
        DVec3::X * if hits.is_multiple_of(2) { first + travelled } else { free - travelled }
    };
    let what = format!("ball between walls, {:.1} hits per second, restitution {restitution:.2}", speed / free);
    let case = Case::dissipative(what, builder, 0.5 * mass * speed * speed, radius)?;
    let case = Case { energy: energy(restitution), ..case };
    let point = (case.index(body), DVec3::ZERO);
    Ok(case.with_law(Law::course(vec![point], radius, move |time| Some(vec![course(time)]))).until(FLIES))
}

/// The state of two bodies after a collision: the time (s), their places (m) and their velocities (m/s).
type Stage = (f64, [f64; 2], [f64; 2]);

/// Returns all stages of two points of given masses (kg) that collide with each other and, the first one, with a wall at
/// zero.
fn stages(masses: [f64; 2], start: Stage) -> Vec<Stage> {
    let mut stages = vec![start];
    loop {
        let (time, x, v) = stages[stages.len() - 1];
        let to_wall = if v[0] < 0.0 { -x[0] / v[0] } else { f64::INFINITY };
        let to_other = if v[1] < v[0] { (x[1] - x[0]) / (v[0] - v[1]) } else { f64::INFINITY };
        let wait = to_wall.min(to_other);
        if wait.is_infinite() {
            return stages;
        }
        let mut x = [x[0] + wait * v[0], x[1] + wait * v[1]];
        let v = if to_wall < to_other {
            x[0] = 0.0;
            [-v[0], v[1]]
        } else {
            let common = (masses[0] * v[0] + masses[1] * v[1]) / (masses[0] + masses[1]);
            x[1] = x[0];
            [2.0 * common - v[0], 2.0 * common - v[1]]
        };
        stages.push((time + wait, x, v));
    }
}

/// A heavy body that pushes a light one against a wall: boxes on slides, or free balls.
pub fn billiard(random: &mut Random) -> Result<Case> {
    let ratio = [1.0, 100.0, 10_000.0][random.below(3)];
    let half = random.magnitude(0.02, 0.2);
    let mass = random.magnitude(0.01, 1.0);
    let masses = [mass, ratio * mass];
    let speed = random.between(0.2, 2.0);
    let gaps = [half * random.between(2.0, 10.0), half * random.between(2.0, 10.0)];
    let stages = stages(masses, (0.0, [gaps[0], gaps[0] + gaps[1]], [0.0, -speed]));
    let collisions = stages.len() - 1;
    let mut builder = weightless(1.0);
    let wall = Pose::new(DQuat::from_rotation_arc(DVec3::Z, DVec3::X), DVec3::ZERO);
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(wall));
    let are_balls = random.chance(0.5);
    // Centres of bodies that touch the wall and each other.
    let offsets = [half, 3.0 * half];
    let mut links = Vec::new();
    for body in 0..2 {
        let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * masses[body] * half * half));
        let own = MassProperties::new(masses[body], DVec3::ZERO, inertia)?;
        let place = DVec3::X * (offsets[body] + stages[0].1[body]);
        let velocity = stages[0].2[body];
        let link = if are_balls {
            let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(half)?));
            let link = builder.link("ball", None, JointSpec::free(), Some(own), [ball])?;
            builder.set_pose(link, Pose::from_translation(place));
            builder.set_velocity(link, Motion::new(DVec3::ZERO, DVec3::X * velocity));
            link
        } else {
            let block = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(half))?));
            let joint = JointSpec::prismatic(DVec3::X).in_parent(Pose::from_translation(place));
            let link = builder.link("block", None, joint, Some(own), [block])?;
            builder.set_joint_velocities(link, &[velocity]);
            link
        };
        links.push(link);
    }
    let shapes = if are_balls { "balls" } else { "blocks" };
    let what = format!("two {shapes} of masses 1 : {ratio} and a wall, {collisions} collisions");
    let case = Case::dissipative(what, builder, 0.5 * masses[1] * speed * speed, half)?;
    let case = Case { energy: Energy::Conserved, ..case };
    let indices = [case.index(links[0]), case.index(links[1])];
    let dofs = indices.map(|index| case.world.model().links()[index].v + if are_balls { 3 } else { 0 });
    let (end, _, last) = stages[collisions];
    let velocities = Law::of_state("velocity", Bound::fixed(VELOCITY), move |simulation| {
        let state = simulation.state();
        // The light body has the velocities of the heavy one times the root of the ratio of masses.
        let scales = [speed * ratio.sqrt(), speed];
        let error = |body: usize| (state.v[dofs[body]] - last[body]).abs() / scales[body];
        (state.time > end + AFTER).then(|| error(0).max(error(1)))
    });
    let course = move |time: f64| {
        let stage = stages.iter().rev().find(|stage| stage.0 <= time)?;
        Some((0..2).map(|body| DVec3::X * (offsets[body] + stage.1[body] + (time - stage.0) * stage.2[body])).collect())
    };
    let points = indices.iter().map(|&index| (index, DVec3::ZERO)).collect();
    let mut velocities = velocities;
    velocities.is_motion = false;
    Ok(case.with_law(velocities).with_law(Law::course(points, half, course)).until(end + 2.0))
}
