//! Closed loops of rods: four bars and more between two fixed points, swinging without friction.

use anyhow::Result;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{ConstraintKind, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use crate::case::{Case, GRAVITY, Reference};
use crate::random::Random;

/// Fastest rotation of a rod at the start, in rad/s.
const FASTEST: f64 = 10.0;

/// Draws a loop of three to eight rods that a pin or a hinge closes.
pub fn draw(random: &mut Random) -> Result<Case> {
    let rods = if random.chance(0.5) { 3 } else { 3 + random.below(6) };
    let length = random.magnitude(0.1, 0.7);
    // An arc of rods, bent upwards or downwards.
    let lengths: Vec<f64> = (0..rods).map(|_| length * random.between(0.5, 1.5)).collect();
    let bend = random.between(0.3, 5.0) / rods as f64;
    let mut angle = random.between(-core::f64::consts::PI, core::f64::consts::PI);
    let mut points = vec![(0.0, 0.0)];
    for length in &lengths {
        let (x, z) = points[points.len() - 1];
        let (sin, cos) = libm::sincos(angle);
        points.push((x + length * cos, z + length * sin));
        angle += bend;
    }
    let density = random.magnitude(0.2, 20.0);
    let kind = if random.chance(0.7) { ConstraintKind::Pin } else { ConstraintKind::Hinge };
    let speed = if random.chance(0.5) { 0.0 } else { random.between(-5.0, 5.0) };
    linkage(&points, density, kind, speed)
}

/// Builds rods between points of the plane y = 0; the first and the last point are fixed. The first rod starts with an
/// angular velocity if there are three rods; the others follow by the constraint.
fn linkage(points: &[(f64, f64)], density: f64, kind: ConstraintKind, speed: f64) -> Result<Case> {
    let corners: Vec<DVec3> = points.iter().map(|&(x, z)| DVec3::new(x, 0.0, z)).collect();
    let lengths: Vec<f64> = corners.windows(2).map(|pair| (pair[1] - pair[0]).length()).collect();
    let angle = |rod: usize| {
        let along = corners[rod + 1] - corners[rod];
        libm::atan2(-along.z, along.x)
    };
    let mut builder = WorldBuilder::new();
    let mut last: Option<(LinkId, f64)> = None;
    let mut links = Vec::new();
    let mut weight = 0.0;
    for (rod, &length) in lengths.iter().enumerate() {
        let mass = rod_mass(density * length, length)?;
        let (parent, turned, at) = match last {
            None => (None, angle(0), corners[0]),
            Some((link, before)) => (Some(link), angle(rod) - angle(rod - 1), DVec3::X * before),
        };
        // At position zero of all joints the rods are where they start.
        let frame = Pose::new(DQuat::from_rotation_y(turned), at);
        let joint = JointSpec::revolute(DVec3::Y).in_parent(frame);
        let link = builder.link("rod", parent, joint, Some(mass), [])?;
        weight += mass.mass * GRAVITY;
        last = Some((link, length));
        links.push(link);
    }
    let (link, length) = last.expect("there are rods");
    // The axes of the anchors are those of the hinge.
    let to_hinge = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    let on_rod = Pose::new(to_hinge, DVec3::X * length);
    let in_world = Pose::new(to_hinge, corners[corners.len() - 1]);
    builder.constraint(kind, (Some(link), on_rod), (None, in_world));
    let velocities = joint_velocities(&corners, speed);
    let kinetic = set_velocities(&mut builder, &links, &corners, density, &velocities);
    let height = |points: &[DVec3]| {
        let rods = points.windows(2).zip(&lengths);
        rods.map(|(pair, length)| 0.5 * (pair[0].z + pair[1].z) * density * length).sum::<f64>() * GRAVITY
    };
    let scale = kinetic + height(&corners) - height(&hanging(&corners, &lengths));
    let size = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    // Loops that start near their rest position get a scale that rounding does not reach.
    let scale = scale.max(0.02 * weight * size);
    let what = format!("loop of {} rods, {kind:?}", lengths.len());
    Ok(Case::conservative(what, builder, scale, size)?.compared_with(Reference::Analytical))
}

fn rod_mass(mass: f64, length: f64) -> Result<MassProperties> {
    let thin = 0.02 * length;
    let (axial, lateral) = (0.5 * mass * thin * thin, mass * (length * length / 12.0 + 0.25 * thin * thin));
    let inertia = DMat3::from_diagonal(DVec3::new(axial, lateral, lateral));
    Ok(MassProperties::new(mass, DVec3::X * 0.5 * length, inertia)?)
}

/// Returns the rates at which rods turn about y if the first turns with `speed` and all but the last two keep their
/// direction to it; the last two close the loop.
fn joint_velocities(corners: &[DVec3], speed: f64) -> Vec<f64> {
    let rods = corners.len() - 1;
    let mut rates = vec![speed; rods];
    let along = |rod: usize| corners[rod + 1] - corners[rod];
    // The velocity of the corner before the last two rods is to be undone by them.
    let moved = DVec3::Y.cross(corners[rods - 2] - corners[0]) * speed;
    let (a, b) = (DVec3::Y.cross(along(rods - 2)), DVec3::Y.cross(along(rods - 1)));
    let determinant = a.x * b.z - a.z * b.x;
    rates[rods - 2] = (-moved.x * b.z + moved.z * b.x) / determinant;
    rates[rods - 1] = (-a.x * moved.z + a.z * moved.x) / determinant;
    // Nearly stretched, the last two would have to turn too fast.
    if rates.iter().all(|rate| rate.abs() < FASTEST) { rates } else { vec![0.0; rods] }
}

/// Sets the velocities of the joints. Returns the kinetic energy, in J.
fn set_velocities(builder: &mut WorldBuilder, links: &[LinkId], corners: &[DVec3], density: f64, rates: &[f64]) -> f64 {
    let mut kinetic = 0.0;
    let mut velocity = DVec3::ZERO;
    let mut before = 0.0;
    for (rod, &rate) in rates.iter().enumerate() {
        let along = corners[rod + 1] - corners[rod];
        let center = velocity + 0.5 * rate * DVec3::Y.cross(along);
        let mass = density * along.length();
        kinetic += 0.5 * mass * (center.length_squared() + rate * rate * along.length_squared() / 12.0);
        velocity += rate * DVec3::Y.cross(along);
        builder.set_joint_velocities(links[rod], &[rate - before]);
        before = rate;
    }
    kinetic
}

/// Returns the corners when the rods hang at rest, by relaxation of their positions.
fn hanging(corners: &[DVec3], lengths: &[f64]) -> Vec<DVec3> {
    let mut points = corners.to_vec();
    let size: f64 = lengths.iter().sum();
    let inner = 1..points.len() - 1;
    for round in 0..4000 {
        // The fall shrinks to zero, so that the rods keep their lengths in the end.
        let fall = 0.02 * size * (1.0 - f64::from(round) / 3500.0).max(0.0);
        for point in &mut points[inner.clone()] {
            point.z -= fall;
        }
        for _ in 0..20 {
            for (rod, &length) in lengths.iter().enumerate() {
                let along = points[rod + 1] - points[rod];
                let change = along * (1.0 - length / along.length().max(1e-12));
                let (first, second) = (rod > 0, rod + 2 < points.len());
                let share = if first && second { 0.5 } else { 1.0 };
                if first {
                    points[rod] += share * change;
                }
                if second {
                    points[rod + 1] -= share * change;
                }
            }
        }
    }
    points
}

/// A crank, a coupler and a rocker on two fixed points, released from rest.
pub fn four_bar() -> Result<Case> {
    let points = [(0.0, 0.0), (0.1, 0.1732), (0.55, 0.35), (0.5, 0.0)];
    let case = linkage(&points, 2.0, ConstraintKind::Hinge, 0.0)?;
    Ok(Case { seconds: Some(300.0), ..case })
}
