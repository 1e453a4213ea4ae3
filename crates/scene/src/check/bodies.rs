//! Checks of bodies.

use burgess_files::{At, Fault};

use crate::rules::{Checked, check_color, check_orientation, conflict, finite, finite_vector, positive};
use crate::spec::{BodySpec, JointKind, Orientation};
use crate::{joint, script, shape};

pub(super) fn check_body(at: At, body: &BodySpec) -> Checked {
    if body.name.is_empty() {
        return Err(at.field("name").fault(Fault::Invalid { expected: "at least one letter" }));
    }
    finite_vector(at.field("position"), body.position)?;
    check_orientation(at.field("orientation"), &body.orientation)?;
    finite_vector(at.field("velocity"), body.velocity)?;
    finite_vector(at.field("angular_velocity"), body.angular_velocity)?;
    check_kind(at, body)?;
    check_mass(at, body)?;
    if let Some(color) = body.color {
        check_color(at.field("color"), color)?;
    }
    if let Some(joint) = &body.joint {
        joint::check_joint(at.field("joint"), joint)?;
    }
    if let Some(script) = &body.script {
        script::check_script(at.field("script"), script)?;
    }
    let list = at.field("shapes");
    for (index, shape) in body.shapes.iter().enumerate() {
        shape::check_shape(list.index(index), shape, body)?;
    }
    Ok(())
}

/// Checks that only fields that go with its kind (free, fixed, on a joint, scripted) are given.
fn check_kind(at: At, body: &BodySpec) -> Checked {
    let kinds = [body.fixed, body.joint.is_some(), body.script.is_some()];
    if kinds.into_iter().filter(|&kind| kind).count() > 1 {
        return conflict(at, "a body has at most one of fixed, joint and script");
    }
    let floats = body.joint.as_ref().is_none_or(|joint| matches!(joint.kind, JointKind::Free(_)));
    let moves_freely = !body.fixed && body.script.is_none() && floats;
    let starts_moving = body.velocity != glam::DVec3::ZERO || body.angular_velocity != glam::DVec3::ZERO;
    if starts_moving && !moves_freely {
        return conflict(
            at,
            "only free bodies have a velocity and an angular_velocity; joints and scripts have their own",
        );
    }
    let is_placed = body.position != glam::DVec3::ZERO || body.orientation != Orientation::Straight;
    if is_placed && !floats {
        return conflict(at, "a body on a joint has no position and no orientation: the joint says where it is");
    }
    let has_mass = body.mass.is_some() || body.center_of_mass.is_some() || !body.inertia.is_empty();
    if has_mass && (body.fixed || body.script.is_some()) {
        return conflict(at, "a body that is fixed or scripted has no mass that matters; leave mass and inertia out");
    }
    Ok(())
}

fn check_mass(at: At, body: &BodySpec) -> Checked {
    if let Some(mass) = body.mass {
        positive(at.field("mass"), mass)?;
    }
    if let Some(center) = body.center_of_mass {
        finite_vector(at.field("center_of_mass"), center)?;
    }
    let inertia = at.field("inertia");
    for (index, &value) in body.inertia.iter().enumerate() {
        finite(inertia.index(index), value)?;
    }
    match (body.inertia.len(), body.mass) {
        (0, _) if body.center_of_mass.is_some() => conflict(at.field("center_of_mass"), "needs mass and inertia too"),
        (0, Some(_)) if body.shapes.is_empty() => conflict(at, "a mass without shapes needs an inertia too"),
        (0, _) | (3 | 6, Some(_)) => Ok(()),
        (3 | 6, None) => conflict(inertia, "needs a mass too"),
        _ => conflict(inertia, "has 3 numbers (xx, yy, zz) or 6 (xx, yy, zz, xy, xz, yz)"),
    }
}
