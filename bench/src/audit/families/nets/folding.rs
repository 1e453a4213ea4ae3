//! Loops of four equal rods that are closed at their own pivot. They fold: all rods lie on one line, and the joints
//! opposite each other coincide. There the loop may continue in two ways, but none of them changes the energy.

use anyhow::Result;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{ConstraintKind, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use crate::case::{Case, GRAVITY};
use crate::random::Random;

/// Draws a rhombus that hangs or stands at a corner, of free bodies or as a tree that one constraint closes.
pub fn draw(random: &mut Random) -> Result<Case> {
    let (length, mass) = (random.magnitude(0.1, 1.0), random.magnitude(0.1, 10.0));
    let opening = random.between(0.2, 1.4);
    let direction = random.between(-core::f64::consts::PI, core::f64::consts::PI);
    let kind = if random.chance(0.5) { ConstraintKind::Pin } else { ConstraintKind::Hinge };
    build(length, mass, opening, direction, kind, random.chance(0.5))
}

/// Builds a rhombus in the plane y = 0. Its diagonal through the pivot has a direction (rad from x), and its first rod
/// is `opening` rad from there.
fn build(length: f64, mass: f64, opening: f64, direction: f64, kind: ConstraintKind, is_tree: bool) -> Result<Case> {
    let along = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        length * DVec3::new(cos, 0.0, sin)
    };
    let (first, second) = (along(direction + opening), along(direction - opening));
    let corners = [DVec3::ZERO, first, first + second, second, DVec3::ZERO];
    let mut builder = WorldBuilder::new();
    let links = if is_tree { tree(&mut builder, &corners, mass)? } else { free(&mut builder, &corners, mass, kind)? };
    // A position of zero is that of the rod along x; the axes of the anchors are those of the hinges.
    let last = Pose::new(to_hinge(), DVec3::X * length);
    builder.constraint(kind, (Some(links[3]), last), (None, Pose::new(to_hinge(), DVec3::ZERO)));
    // The lowest state is that in which all rods hang straight down.
    let lowest = -4.0 * mass * GRAVITY * length;
    let height: f64 = corners.windows(2).map(|pair| 0.5 * (pair[0].z + pair[1].z)).sum();
    let scale = mass * GRAVITY * height - lowest;
    let links = if is_tree { "a tree" } else { "free bodies" };
    let what = format!("four equal rods closed at their pivot, {links}, {kind:?}");
    Case::conservative(what, builder, scale, length)
}

fn to_hinge() -> DQuat {
    DQuat::from_rotation_arc(DVec3::Z, DVec3::Y)
}

fn rod(mass: f64, length: f64) -> Result<MassProperties> {
    let thin = 0.02 * length;
    let (axial, lateral) = (0.5 * mass * thin * thin, mass * (length * length / 12.0 + 0.25 * thin * thin));
    let inertia = DMat3::from_diagonal(DVec3::new(axial, lateral, lateral));
    Ok(MassProperties::new(mass, DVec3::X * 0.5 * length, inertia)?)
}

fn turn(along: DVec3) -> f64 {
    libm::atan2(-along.z, along.x)
}

/// Rods on hinges, each in the one before it.
fn tree(builder: &mut WorldBuilder, corners: &[DVec3], mass: f64) -> Result<Vec<LinkId>> {
    let mut links: Vec<LinkId> = Vec::new();
    let mut before = 0.0;
    for pair in corners.windows(2) {
        let (length, angle) = ((pair[1] - pair[0]).length(), turn(pair[1] - pair[0]));
        let at = if links.is_empty() { DVec3::ZERO } else { DVec3::X * length };
        let joint = JointSpec::revolute(DVec3::Y).in_parent(Pose::new(DQuat::from_rotation_y(angle - before), at));
        links.push(builder.link("rod", links.last().copied(), joint, Some(rod(mass, length)?), [])?);
        before = angle;
    }
    Ok(links)
}

/// Free rods, each tied to the one before it.
fn free(builder: &mut WorldBuilder, corners: &[DVec3], mass: f64, kind: ConstraintKind) -> Result<Vec<LinkId>> {
    let mut links: Vec<LinkId> = Vec::new();
    for pair in corners.windows(2) {
        let length = (pair[1] - pair[0]).length();
        let link = builder.link("rod", None, JointSpec::free(), Some(rod(mass, length)?), [])?;
        builder.set_pose(link, Pose::new(DQuat::from_rotation_y(turn(pair[1] - pair[0])), pair[0]));
        let other =
            (links.last().copied(), Pose::new(to_hinge(), DVec3::X * if links.is_empty() { 0.0 } else { length }));
        // The first rod keeps the plane, because pins alone let the loop leave it.
        let kind = if links.is_empty() { ConstraintKind::Hinge } else { kind };
        builder.constraint(kind, (Some(link), Pose::new(to_hinge(), DVec3::ZERO)), other);
        links.push(link);
    }
    Ok(links)
}

/// Four rods of 0.5 m and 1 kg that are released with two of them level.
pub fn rhombus() -> Result<Case> {
    let quarter = core::f64::consts::FRAC_PI_4;
    build(0.5, 1.0, quarter, quarter, ConstraintKind::Hinge, true)
}
