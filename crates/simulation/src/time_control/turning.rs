//! The number of parts into which a step is divided because links rotate fast.
//!
//! The motion of a tree of several links is accurate to a few tenths of a radian in a step. A free body may rotate at any
//! speed while it flies. Where it touches something, the points of contact must not turn by much within a step: a body
//! whose edge is struck would dive into the other with its far end before that is detected.

use burgess_dynamics::joint::Joint;
use burgess_geometry::Shape;
use glam::{DQuat, DVec3};

use crate::constraint::ConstraintKind;
use crate::constraint_solver::{nearest_limit, rotation_vector};
use crate::contact::WorldContact;
use crate::contact_space::RowEnd;
use crate::simulation_data::SimulationData;

/// Rotation of a link in one part of a step, in rad.
const MAX_TURN: f64 = 0.2;
/// Maximum number of parts.
pub(super) const MAX_PARTS: usize = 16;
/// Distance from its limit up to which a ball joint counts as on it, in rad.
const MAX_LIMIT_GAP: f64 = 0.02;
/// Smallest angle of a ball joint whose axis is followed, in rad: that of a nearly straight joint turns at any speed.
const MIN_LIMIT_ANGLE: f64 = 0.2;
/// Rotation of an ellipsoid that counts as that of a body with corners, relative to its shortest semi-axis divided by its
/// longest: the stone of Kane and Levinson (1982, ratio 10) keeps its energy within 1 % at 1/240 s.
const FLATNESS_FACTOR: f64 = 2.0;
/// Tilt of a rim up to which its contact moves around it faster the smaller the tilt is, in rad.
const MIN_RIM_TILT: f64 = 0.05;
/// Rotation of a contact around a rim that counts as that of a body with corners: discs that wobble for a minute keep their
/// energy within 0.3 % at 1/240 s, but not within 1 % with two thirds of this.
const RIM_FACTOR: f64 = 3.0;
/// Distance of the centre of mass from the axis of a round body up to which it does not matter, relative to the size.
const MAX_ECCENTRICITY: f64 = 1e-3;

/// Returns the number of parts for the fastest link of all trees of several links, relative to the world or to its parent,
/// and for the contact whose geometry turns fastest. The workspace and the contacts must be up to date.
pub(super) fn parts_for_turn(data: &SimulationData, step: f64) -> usize {
    let links = data.world.model().links();
    let speed = |link: usize| {
        let own = spin(data, Some(link));
        let relative = (own - spin(data, links[link].parent())).length();
        own.length().max(relative).max(axis_speed(data, link))
    };
    let trees = data.world.trees().iter().filter(|tree| tree.links.len() > 1);
    let of_trees = trees.flat_map(|tree| tree.links.clone()).map(speed);
    let tied =
        data.world.constraints().iter().filter(|constraint| !matches!(constraint.kind, ConstraintKind::Spring { .. }));
    let of_constraints = tied.flat_map(|constraint| [constraint.a.link, constraint.b.link]).flatten().map(speed);
    let of_contacts = data.detection.contacts().iter().map(|contact| turning_speed(data, contact, MAX_TURN / step));
    let turn = of_trees.chain(of_constraints).chain(of_contacts).fold(0.0, f64::max) * step;
    if turn > MAX_TURN && turn.is_finite() { 1 + (turn / MAX_TURN).min(MAX_PARTS as f64 - 1.0) as usize } else { 1 }
}

/// Returns the speed at which the axis of a ball joint turns that swings around on its limit, in rad/s; zero for others.
/// With f the angle of the joint and w its velocity across the axis, that is `|w| / (2 sin(f / 2))`.
fn axis_speed(data: &SimulationData, link: usize) -> f64 {
    let (model, state) = (data.world.model(), &data.state);
    let inner = &model.links()[link];
    let is_ball = inner.joint == Joint::Spherical;
    let is_at_limit = |(gap, _): (f64, RowEnd)| gap < MAX_LIMIT_GAP;
    if !(is_ball && nearest_limit(model, &state.q, link, 0).is_some_and(is_at_limit)) {
        return 0.0;
    }
    let turned = rotation_vector(DQuat::from_slice(&state.q[inner.q..]));
    let velocity = DVec3::from_slice(&state.v[inner.v..]);
    let across = velocity.reject_from(turned.try_normalize().unwrap_or(DVec3::X)).length();
    across / (2.0 * libm::sin(0.5 * turned.length().max(MIN_LIMIT_ANGLE)))
}

fn spin(data: &SimulationData, link: Option<usize>) -> DVec3 {
    link.map_or(DVec3::ZERO, |link| data.workspace.velocity_at(link, data.workspace.anchor(link)).angular)
}

/// Returns the speed at which the surfaces at a contact turn relative to each other, in rad/s; less than `limit` if that
/// is certain. Rotation about the normal moves no surface into the other, and neither does that of a round body about
/// its axis.
fn turning_speed(data: &SimulationData, contact: &WorldContact, limit: f64) -> f64 {
    let spins = [contact.link_a, contact.link_b].map(|link| spin(data, link));
    let factor = |collider: u32| match *data.world.colliders()[collider as usize].shape {
        Shape::Ellipsoid(_) => f64::INFINITY,
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Frustum(_) => RIM_FACTOR / MIN_RIM_TILT,
        _ => 1.0,
    };
    if (spins[0].length() + spins[1].length()) * factor(contact.collider_a).max(factor(contact.collider_b)) <= limit {
        return 0.0;
    }
    // A pair that has just met, or that touches at several points, does not roll on a rim.
    let rolls = data.pairs.record(contact.pair as usize).impulses.len() == 1;
    let normal = rolls.then_some(contact.normal);
    let a = eccentric_spin(data, contact.link_a, contact.collider_a, spins[0], normal);
    let b = eccentric_spin(data, contact.link_b, contact.collider_b, spins[1], normal);
    (b - a).reject_from_normalized(contact.normal).length()
}

/// Returns the spin of a collider less the part that leaves it in place. On a flat side of an ellipsoid, where the radius
/// of curvature is larger than the body, the contact moves farther than on a ball that turns as fast. The contact of a
/// coin that wobbles moves around its rim as many times faster as the coin is flatter on the ground.
fn eccentric_spin(
    data: &SimulationData,
    link: Option<usize>,
    collider: u32,
    spin: DVec3,
    rolls_on: Option<DVec3>,
) -> DVec3 {
    let Some(link) = link else { return spin };
    let (model, pose) = (data.world.model(), data.detection.collider_poses()[collider as usize]);
    let inner = &model.links()[link];
    let center = data.workspace.position(model, link, inner.frame.transform_point(inner.inertia.center));
    let collider = &data.world.colliders()[collider as usize];
    let (offset, axis) = (center - pose.translation, pose.rotation * DVec3::Z);
    let slack = MAX_ECCENTRICITY * collider.reach;
    match *collider.shape {
        Shape::Sphere(_) if offset.length() <= slack => DVec3::ZERO,
        Shape::Capsule(_) if offset.reject_from_normalized(axis).length() <= slack => spin.reject_from_normalized(axis),
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Frustum(_) => {
            let is_round = offset.reject_from_normalized(axis).length() <= slack;
            let turning = if is_round { spin.reject_from_normalized(axis) } else { spin };
            let around = |normal: DVec3| (RIM_FACTOR / axis.cross(normal).length().max(MIN_RIM_TILT)).max(1.0);
            turning * rolls_on.map_or(1.0, around)
        }
        Shape::Ellipsoid(ref ellipsoid) => {
            let flatness = ellipsoid.semi_axes.max_element() / ellipsoid.semi_axes.min_element();
            spin * (FLATNESS_FACTOR * flatness).max(1.0)
        }
        _ => spin,
    }
}
