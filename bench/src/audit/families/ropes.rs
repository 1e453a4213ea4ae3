//! Ropes that become taut: the velocity of a body along its rope is lost then, and nothing else. Pendulums on ropes and
//! pairs of bodies on one rope have known courses; chains of bodies on ropes are compared with short steps.

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::shape::{Cuboid, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ConstraintKind, Place, WorldBuilder};
use glam::DVec3;

use crate::case::{Case, GRAVITY, Reference};
use crate::law::Law;
use crate::random::Random;
use crate::track::{STEP, Track, advance};

/// Time for which courses are known, in s.
const KNOWN: f64 = 10.0;
/// Time for which chains are compared with short steps, in s.
const COMPARED: f64 = 2.0;
/// Largest height of a taut rope over its length at the start of a swing: below the level of the pivot.
const HIGHEST: f64 = -0.2;

/// Draws bodies on ropes.
pub fn draw(random: &mut Random) -> Result<Case> {
    match random.below(3) {
        0 => pendulum(random),
        1 => pair(random),
        _ => chain(random),
    }
}

fn ball(random: &mut Random, radius: f64) -> Result<MassProperties> {
    Ok(Shape::Sphere(Sphere::new(radius)?).mass_properties(random.density())?)
}

/// Returns when a body that moves with `acceleration` from a state (place and velocity from the pivot) reaches the end
/// of its rope, in s: by steps and then by bisection. None if that takes too long.
fn taut_after(state: (DVec3, DVec3), acceleration: DVec3, length: f64) -> Option<f64> {
    let place = |time: f64| state.0 + time * state.1 + 0.5 * time * time * acceleration;
    let steps = (KNOWN / STEP) as usize;
    let step = (1..steps).find(|&step| place(step as f64 * STEP).length() > length)?;
    let (mut low, mut high) = ((step - 1) as f64 * STEP, step as f64 * STEP);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if place(middle).length() > length { high = middle } else { low = middle }
    }
    Some(low)
}

/// A body that falls into its rope and swings from then on: the rope remains taut, because the body is below the pivot
/// and too slow to rise to its level.
fn pendulum(random: &mut Random) -> Result<Case> {
    let length = random.magnitude(0.2, 2.0);
    let gravity = DVec3::NEG_Z * GRAVITY;
    let (start, velocity, time) = loop {
        let start = length * random.between(0.4, 0.95) * (random.heading() * random.between(0.0, 1.0) - DVec3::Z * 0.5);
        let velocity = random.between(0.0, 1.0) * (GRAVITY * length).sqrt() * random.direction();
        if start.length() > 0.95 * length {
            continue;
        }
        let Some(time) = taut_after((start, velocity), gravity, length) else { continue };
        let taut = start + time * velocity + 0.5 * time * time * gravity;
        let after = (velocity + time * gravity).reject_from(taut);
        let highest = taut.z + 0.5 * after.length_squared() / GRAVITY;
        if highest < HIGHEST * length {
            break (start, velocity, time);
        }
    };
    let mut state = (start, velocity);
    let mut now = 0.0;
    let track = Track::new(start, KNOWN, || {
        let swing = |x: DVec3, v: DVec3| gravity - x * ((v.length_squared() + x.dot(gravity)) / x.length_squared());
        let end = now + STEP;
        if now < time && end >= time {
            let taut = (start + time * velocity + 0.5 * time * time * gravity, velocity + time * gravity);
            state = advance((taut.0, taut.1.reject_from(taut.0)), end - time, swing);
        } else if end >= time {
            state = advance(state, STEP, swing);
        } else {
            state = (start + end * velocity + 0.5 * end * end * gravity, velocity + end * gravity);
        }
        now = end;
        state.0
    });
    let mut builder = WorldBuilder::new();
    let mass = ball(random, 0.1 * length)?;
    let body = builder.link("ball", None, JointSpec::free(), Some(mass), [])?;
    builder.set_pose(body, Pose::from_translation(start));
    builder.set_velocity(body, Motion::new(random.direction(), velocity));
    builder.constraint(ConstraintKind::Rope { length }, (Some(body), Pose::IDENTITY), (None, Pose::IDENTITY));
    let scale = mass.mass * (GRAVITY * (start.z + length) + 0.5 * velocity.length_squared());
    let what = format!("ball falls into its rope of {length:.2} m at {time:.2} s and swings");
    let case = Case::dissipative(what, builder, scale, 0.2 * length)?;
    let point = (case.index(body), DVec3::ZERO);
    Ok(case
        .with_law(Law::course(vec![point], length, move |time| track.at(time).map(|place| vec![place])))
        .until(KNOWN))
}

/// Two bodies without gravity that fly apart until their rope is taut, and turn about each other from then on.
fn pair(random: &mut Random) -> Result<Case> {
    let length = random.magnitude(0.2, 2.0);
    let masses = [ball(random, 0.1 * length)?, ball(random, 0.1 * length)?];
    let total = masses[0].mass + masses[1].mass;
    let shares = [masses[1].mass / total, -masses[0].mass / total];
    let apart = length * random.between(0.3, 0.9) * random.direction();
    let velocity = random.between(0.5, 3.0) * length * random.direction();
    let drift = random.between(0.0, 1.0) * random.direction();
    let time = taut_after((apart, velocity), DVec3::ZERO, length).unwrap_or(KNOWN);
    let course = move |now: f64| {
        if now <= time {
            return apart + now * velocity;
        }
        let taut = apart + time * velocity;
        let tangential = velocity.reject_from(taut);
        let (sin, cos) = libm::sincos(tangential.length() / length * (now - time));
        taut * cos + tangential.normalize_or_zero() * (length * sin)
    };
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let mut links: Vec<LinkId> = Vec::new();
    for (mass, share) in masses.iter().zip(shares) {
        let link = builder.link("ball", None, JointSpec::free(), Some(*mass), [])?;
        builder.set_pose(link, Pose::from_translation(share * apart));
        builder.set_velocity(link, Motion::new(random.direction(), drift + share * velocity));
        links.push(link);
    }
    let (a, b): (Place, Place) = ((Some(links[0]), Pose::IDENTITY), (Some(links[1]), Pose::IDENTITY));
    builder.constraint(ConstraintKind::Rope { length }, a, b);
    let scale = 0.5 * masses[0].mass * masses[1].mass / total * velocity.length_squared();
    let what = format!("two balls tighten their rope of {length:.2} m at {time:.2} s");
    let case = Case::dissipative(what, builder, scale, 0.2 * length)?;
    let points = links.iter().map(|&link| (case.index(link), DVec3::ZERO)).collect();
    let law =
        Law::course(points, length, move |now| Some(shares.map(|share| now * drift + share * course(now)).to_vec()));
    Ok(Case { floats: true, ..case }.with_law(law).until(KNOWN))
}

/// A chain of boxes on ropes: it hangs from the world and starts with slack ropes, or drifts without gravity.
fn chain(random: &mut Random) -> Result<Case> {
    let drifts = random.chance(0.4);
    let count = 2 + random.below(5);
    let length = random.magnitude(0.1, 0.5);
    let half = 0.15 * length;
    let mut builder = WorldBuilder::new();
    builder.gravity(if drifts { DVec3::ZERO } else { DVec3::NEG_Z * GRAVITY });
    let density = random.density();
    let mut last: Place = (None, Pose::IDENTITY);
    let mut center = DVec3::ZERO;
    let mut scale = 0.0;
    for index in 0..count {
        let shape = Shape::Cuboid(Cuboid::new(half * DVec3::new(1.0, random.between(0.5, 1.0), 0.7))?);
        let mass = shape.mass_properties(density * random.magnitude(0.3, 3.0))?;
        let sideways = if drifts { random.direction() } else { random.heading() - 0.5 * DVec3::Z };
        center += 0.6 * length * sideways;
        let link = builder.link("box", None, JointSpec::free(), Some(mass), [])?;
        let velocity = if drifts { random.between(0.5, 3.0) * length * random.direction() } else { DVec3::ZERO };
        builder.set_pose(link, Pose::from_translation(center));
        builder.set_velocity(link, Motion::new(random.direction(), velocity));
        let at = Pose::from_translation(half * random.between(0.0, 1.0) * random.direction());
        if !(drifts && index == 0) {
            builder.constraint(ConstraintKind::Rope { length }, last, (Some(link), at));
        }
        last = (Some(link), Pose::from_translation(half * random.between(0.0, 1.0) * random.direction()));
        // A hanging body can fall by about the length of a rope.
        let falls = if drifts { 0.0 } else { GRAVITY * length };
        scale += mass.mass * (falls + 0.5 * velocity.length_squared());
    }
    let what = format!("chain of {count} boxes on ropes, {}", if drifts { "drifts" } else { "hangs" });
    let case = Case::dissipative(what, builder, scale, 2.0 * half)?;
    Ok(Case { floats: drifts, ..case }.compared_with(Reference::Fine(COMPARED)))
}
