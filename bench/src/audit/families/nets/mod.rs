//! Nets: free bodies that pins, hinges, distances and welds tie to each other and to the world, redundant ones and
//! closed loops included, without contacts and without dissipation.

mod folding;
mod ties;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::shape::{Capsule, Cuboid, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ConstraintKind, Place, WorldBuilder};
use glam::DVec3;

use crate::case::{Case, GRAVITY, Reference};
use crate::random::Random;
pub use folding::rhombus;
use ties::{Tie, consistent_velocities};

/// Time for which motion is compared with short steps, in s.
const COMPARED: f64 = 2.0;
/// Fastest rotation at the start, in rad/s.
const FASTEST: f64 = 10.0;

/// A body of a net.
struct Body {
    mass: MassProperties,
    pose: Pose,
    size: f64,
}

/// Draws a net.
pub fn draw(random: &mut Random) -> Result<Case> {
    if random.chance(0.2) {
        return folding::draw(random);
    }
    let drifts = random.chance(0.4);
    let bodies = bodies(random)?;
    let ties = ties(random, &bodies, drifts);
    build(random, &bodies, &ties, drifts)
}

/// Returns bodies whose centres lie within a few sizes of each other. They may overlap, because they do not touch.
fn bodies(random: &mut Random) -> Result<Vec<Body>> {
    let size = random.magnitude(0.1, 0.5);
    let density = random.density();
    let mut bodies: Vec<Body> = Vec::new();
    for index in 0..3 + random.below(6) {
        let own = size * random.between(0.5, 1.0);
        let shape = match random.below(3) {
            0 => Shape::Cuboid(Cuboid::new(0.5 * own * DVec3::new(1.0, random.between(0.3, 1.0), 0.5))?),
            1 => Shape::Capsule(Capsule::new(0.2 * own, 0.3 * own)?),
            _ => Shape::Sphere(Sphere::new(0.5 * own)?),
        };
        let mass = shape.mass_properties(density * random.magnitude(0.3, 3.0))?;
        let center = match index {
            0 => DVec3::ZERO,
            _ => bodies[random.below(index)].pose.translation + size * random.between(0.8, 1.5) * random.direction(),
        };
        bodies.push(Body { mass, pose: Pose::new(random.rotation(), center), size: own });
    }
    Ok(bodies)
}

/// Ties each body to an earlier one, some of them doubly, and closes some loops. A net that does not drift is tied to
/// the world at one or two bodies.
fn ties(random: &mut Random, bodies: &[Body], drifts: bool) -> Vec<Tie> {
    let mut ties = Vec::new();
    for body in 1..bodies.len() {
        let other = random.below(body);
        ties.push(tie(random, bodies, body, Some(other)));
    }
    for _ in 0..random.below(3) {
        let (a, b) = (random.below(bodies.len()), random.below(bodies.len()));
        if a != b {
            ties.push(tie(random, bodies, a, Some(b)));
        }
    }
    if !drifts {
        ties.push(tie(random, bodies, 0, None));
        if random.chance(0.3) {
            ties.push(tie(random, bodies, bodies.len() - 1, None));
        }
    }
    for index in 0..ties.len() {
        if random.chance(0.2) {
            ties.push(ties[index].doubled(random.between(0.1, 0.5) * bodies[0].size));
        }
    }
    ties
}

fn tie(random: &mut Random, bodies: &[Body], a: usize, b: Option<usize>) -> Tie {
    let far =
        b.map_or(bodies[a].pose.translation + bodies[a].size * random.direction(), |b| bodies[b].pose.translation);
    let middle = 0.5 * (bodies[a].pose.translation + far) + 0.2 * bodies[a].size * random.direction();
    let frame = Pose::new(random.rotation(), middle);
    let kind = match random.below(10) {
        0..4 => ConstraintKind::Pin,
        4..7 => ConstraintKind::Hinge,
        7..9 => {
            let near = bodies[a].pose.translation + 0.3 * bodies[a].size * random.direction();
            let (near, far) = (Pose::from_translation(near), Pose::from_translation(far));
            let length = (far.translation - near.translation).length();
            return Tie { kind: ConstraintKind::Distance { length }, a, b, at_a: near, at_b: far };
        }
        _ => ConstraintKind::Weld,
    };
    Tie { kind, a, b, at_a: frame, at_b: frame }
}

fn build(random: &mut Random, bodies: &[Body], ties: &[Tie], drifts: bool) -> Result<Case> {
    let mut builder = WorldBuilder::new();
    builder.gravity(if drifts { DVec3::ZERO } else { DVec3::NEG_Z * GRAVITY });
    let fastest = if drifts || random.chance(0.5) { random.between(1.0, FASTEST) } else { 0.0 };
    let velocities = velocities(random, bodies, ties, fastest);
    let mut links = Vec::new();
    for (body, velocity) in bodies.iter().zip(&velocities) {
        let link = builder.link("body", None, JointSpec::free(), Some(body.mass), [])?;
        builder.set_pose(link, body.pose).set_velocity(link, *velocity);
        links.push(link);
    }
    for tie in ties {
        add(&mut builder, &links, bodies, tie);
    }
    let size = bodies.iter().fold(f64::INFINITY, |least: f64, body| least.min(body.size));
    let state = if drifts { "drifts" } else { "hangs" };
    let what = format!("net of {} bodies and {} ties, {state}", bodies.len(), ties.len());
    let case = Case::conservative(what, builder, 1.0, size)?;
    let energy_scale = scale(&case, size, drifts)?;
    Ok(Case { energy_scale, floats: drifts, ..case }.compared_with(Reference::Fine(COMPARED)))
}

/// Returns random velocities that the ties allow. The fastest body turns with the given rate, in rad/s.
fn velocities(random: &mut Random, bodies: &[Body], ties: &[Tie], fastest: f64) -> Vec<Motion> {
    let wanted: Vec<Motion> =
        bodies.iter().map(|body| Motion::new(random.direction(), body.size * random.direction())).collect();
    let centers: Vec<DVec3> = bodies.iter().map(|body| body.pose.translation).collect();
    let mut velocities = consistent_velocities(&centers, ties, &wanted);
    let found = velocities.iter().map(|velocity| velocity.angular.length()).fold(0.0, f64::max);
    // A net that ties hold rigidly to the world stays at rest.
    let factor = if found > 1e-6 { fastest / found } else { 0.0 };
    for velocity in &mut velocities {
        *velocity = Motion::new(factor * velocity.angular, factor * velocity.linear);
    }
    velocities
}

/// Returns the energy that can be exchanged, in J: the kinetic energy about the centre of mass, and with gravity that of
/// a fall by the size of a body.
fn scale(case: &Case, size: f64, drifts: bool) -> Result<f64> {
    let mut simulation = case.paradigm.simulate(case.world.clone(), case.state.clone(), 1e-3)?;
    let totals = simulation.observables();
    let drifting = 0.5 * totals.linear_momentum.length_squared() / totals.mass;
    let falling = if drifts { 0.0 } else { totals.mass * GRAVITY * size };
    Ok(totals.kinetic_energy - drifting + falling)
}

fn add(builder: &mut WorldBuilder, links: &[LinkId], bodies: &[Body], tie: &Tie) {
    let end = |body: Option<usize>, at: &Pose| -> Place {
        match body {
            Some(body) => (Some(links[body]), bodies[body].pose.inverse().compose(at)),
            None => (None, *at),
        }
    };
    builder.constraint(tie.kind, end(Some(tie.a), &tie.at_a), end(tie.b, &tie.at_b));
}
