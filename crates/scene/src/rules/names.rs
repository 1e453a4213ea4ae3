//! Names of bodies and joints, and what they must be.

use std::collections::BTreeMap;

use burgess_files::{At, Fault, NameFault, closest};

use super::{Checked, conflict};
use crate::error::FieldError;
use crate::spec::{AnchorSpec, BodySpec, JointKind, JointSpec};

/// The bodies of a scene by name.
pub(crate) type Bodies<'a> = BTreeMap<&'a str, &'a BodySpec>;

pub(crate) fn body_named<'a>(at: At, bodies: &Bodies<'a>, name: &str) -> Result<&'a BodySpec, FieldError> {
    bodies.get(name).copied().ok_or_else(|| {
        let suggestion = closest(name, bodies.keys().copied());
        at.fault(Fault::Name(NameFault::Unknown { what: "body", name: name.to_string(), suggestion }))
    })
}

/// Checks the two anchors of a constraint or a spring.
pub(crate) fn check_ends(at: At, bodies: &Bodies, [a, b]: [&AnchorSpec; 2]) -> Checked {
    let mut moves = false;
    let mut carriers = [None; 2];
    for ((end, anchor), carrier) in [("a", a), ("b", b)].into_iter().zip(&mut carriers) {
        if let Some(name) = &anchor.body {
            let body = body_named(at.field(end).field("body"), bodies, name)?;
            *carrier = Some(carrier_of(bodies, body));
            moves |= moves_by_forces(bodies, body);
        }
    }
    if !moves {
        return conflict(at, "at least one of a and b must be on a body that forces can move");
    }
    match carriers {
        _ if a.body == b.body => conflict(at, "a and b must be on different bodies"),
        [Some(a), Some(b)] if a.name == b.name => conflict(at, "a and b are on bodies that are welded to each other"),
        _ => Ok(()),
    }
}

/// The body that a body is welded to, over any number of welds; often itself.
fn carrier_of<'a>(bodies: &Bodies<'a>, mut body: &'a BodySpec) -> &'a BodySpec {
    while let Some(JointSpec { kind: JointKind::Weld(_), parent: Some(parent), .. }) = &body.joint {
        let Some(parent) = bodies.get(parent.as_str()) else { break };
        body = parent;
    }
    body
}

fn moves_by_forces<'a>(bodies: &Bodies<'a>, body: &'a BodySpec) -> bool {
    let carrier = carrier_of(bodies, body);
    let is_welded = carrier.joint.as_ref().is_some_and(|joint| matches!(joint.kind, JointKind::Weld(_)));
    !carrier.fixed && carrier.script.is_none() && !is_welded
}

pub(crate) fn movable_body(at: At, bodies: &Bodies, name: &str) -> Checked {
    let body = body_named(at, bodies, name)?;
    if moves_by_forces(bodies, body) {
        return Ok(());
    }
    conflict(at, &format!("'{name}' is fixed or scripted, or welded to what is: no force moves it"))
}

pub(crate) fn joint_of<'a>(at: At, bodies: &Bodies<'a>, name: &str, axis: usize) -> Result<&'a JointSpec, FieldError> {
    let body = body_named(at, bodies, name)?;
    let refuse = |why: String| at.fault(Fault::Conflict(why));
    let joint = body.joint.as_ref().ok_or_else(|| refuse(format!("'{name}' has no joint")))?;
    if axis < joint.axes() {
        return Ok(joint);
    }
    Err(refuse(format!("the joint of '{name}' has {} axes, so there is no axis {axis}", joint.axes())))
}
