//! Application of edits to a scene: an additional body after all others, other parameters, another paradigm or step.

use burgess_geometry::Aabb;
use burgess_scene::RunOptions;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use burgess_simulation::{Collider, CollisionDetection, Lookahead};
use glam::{DVec2, DVec3};

use super::crowd_edits::apply_crowd_edit;
use super::current_world::CurrentWorld;
use super::edit::{Edit, paradigm_of};

/// Maximum number of balls.
pub const MAX_BALLS: usize = 1000;
/// Maximum number of bodies of a world that accepts balls: rebuilding a larger one takes too long.
pub const MAX_BODIES: usize = 20_000;
/// Color of balls: red, green and blue from 0 to 1.
const BALL_COLOR: DVec3 = DVec3::new(0.95, 0.35, 0.25);
/// Maximum initial penetration of a ball, as a fraction of its radius.
const MAX_START_PENETRATION: f64 = 0.25;
/// Radius and height of the room of a person who joins, in m.
const PERSON_RADIUS: f64 = 0.2;
const PERSON_HEIGHT: f64 = 1.7;
/// Maximum initial penetration of a block, in m: rounding errors.
const MAX_ADDED_DEPTH: f64 = 1e-6;

/// Applies an edit to a scene and its options.
pub fn apply_edit(scene: &mut SceneSpec, options: &mut RunOptions, edit: &Edit) -> Result<(), String> {
    // The check for overlaps is about initial positions, which are not the current ones.
    scene.simulation.allow_overlap = true;
    match edit {
        Edit::Throw { from, velocity, radius, density } => {
            let thrown = scene.bodies.iter().filter(|body| body.name.starts_with("thrown-")).count();
            if thrown >= MAX_BALLS {
                return Err(format!("there are {MAX_BALLS} balls, the maximum"));
            }
            if scene.bodies.len() >= MAX_BODIES {
                return Err(format!("the world has {} bodies, too many to add a ball", scene.bodies.len()));
            }
            let mut number = thrown + 1;
            while scene.body_index(&format!("thrown-{number}")).is_some() {
                number += 1;
            }
            let shape = ShapeSpec::sphere(*radius).with_density(*density).colored(BALL_COLOR);
            let body = BodySpec::new(format!("thrown-{number}"), DVec3::from_array(*from), [shape]);
            scene.bodies.push(BodySpec { velocity: DVec3::from_array(*velocity), ..body });
        }
        Edit::Change { gravity, friction, restitution } => {
            if let Some(gravity) = gravity {
                scene.gravity = DVec3::from_array(*gravity);
            }
            if friction.is_some() || restitution.is_some() {
                scene.materials.entry("default".to_string()).or_default();
            }
            for material in scene.materials.values_mut() {
                material.friction = friction.unwrap_or(material.friction);
                material.restitution = restitution.unwrap_or(material.restitution);
            }
            for surface in &mut scene.surfaces {
                surface.friction = friction.unwrap_or(surface.friction);
                surface.restitution = restitution.unwrap_or(surface.restitution);
            }
        }
        Edit::Simulate { paradigm, step, sleeping } => {
            if let Some(name) = paradigm {
                options.paradigm = Some(paradigm_of(name)?);
            }
            options.step = step.or(options.step);
            scene.simulation.sleeping = sleeping.unwrap_or(scene.simulation.sleeping);
        }
        Edit::Guide { .. } | Edit::Block { .. } | Edit::Gate { .. } | Edit::Join { .. } | Edit::Hurry { .. } => {
            apply_crowd_edit(scene, edit)?;
        }
        Edit::Grab { .. }
        | Edit::Drag { .. }
        | Edit::Release { .. }
        | Edit::Twist { .. }
        | Edit::Push { .. }
        | Edit::Body { .. }
        | Edit::Control { .. }
        | Edit::Keyframe { .. } => {}
        Edit::Hashing { .. } => return Err("hashing is for bounce only".to_string()),
    }
    Ok(())
}

/// Refuses a person at a place (m) where something moves that is no person. Legs are no bodies, so the whole column that
/// a person takes must be free.
fn refuse_crowded(current: &CurrentWorld, at: DVec2) -> Result<(), String> {
    let data = current.running.simulation.data();
    let mut walkers = Vec::new();
    current.running.visit_walkers(|link, _| walkers.push(link));
    let half = DVec2::splat(PERSON_RADIUS);
    let column = Aabb { min: (at - half).extend(0.0), max: (at + half).extend(PERSON_HEIGHT) };
    let is_in = |(index, collider): &(usize, &Collider)| {
        let moves = collider.link.is_some_and(|link| !walkers.contains(&link));
        moves && collider.shape.aabb(&data.world.collider_pose(&data.workspace, *index)).overlaps(&column)
    };
    data.world.colliders().iter().enumerate().find(is_in).map_or(Ok(()), |(index, _)| {
        let name = &current.scene.bodies[current.body_of_collider[index]].name;
        Err(format!("the person would overlap '{name}': choose another place"))
    })
}

/// Refuses a world whose last body, which the edit added, starts inside another one: it would be ejected, or the
/// simulation would fail.
pub fn refuse_overlap(current: &CurrentWorld, edit: &Edit) -> Result<(), String> {
    let (depth, what, advice) = match edit {
        Edit::Throw { radius, .. } => {
            (MAX_START_PENETRATION * radius, "the ball", "play on or move the camera, then throw again")
        }
        Edit::Block { .. } => (MAX_ADDED_DEPTH, "the block", "choose another place"),
        Edit::Join { at } => return refuse_crowded(current, DVec2::from_array(*at)),
        _ => return Ok(()),
    };
    let Some(own) = current.running.bodies.last().map(|body| body.colliders.clone()) else { return Ok(()) };
    let is_own = |collider: u32| own.contains(&(collider as usize));
    let data = current.running.simulation.data();
    let mut detection = CollisionDetection::new(&data.world).map_err(|error| error.to_string())?;
    let touching = Lookahead { interval: 0.0, margin: 0.0 };
    detection.detect(&data.world, &data.workspace, touching, &mut Default::default());
    let deep = detection
        .contacts()
        .iter()
        .find(|contact| (is_own(contact.collider_a) || is_own(contact.collider_b)) && -contact.distance > depth);
    deep.map_or(Ok(()), |contact| {
        let other = if is_own(contact.collider_a) { contact.collider_b } else { contact.collider_a };
        let name = &current.scene.bodies[current.body_of_collider[other as usize]].name;
        Err(format!("{what} would overlap '{name}': {advice}"))
    })
}
