//! Checks of keyframes.

use std::collections::{BTreeMap, BTreeSet};

use burgess_files::{At, Fault, NameFault, closest};
use glam::DVec3;

use crate::rules::names::{Bodies, body_named};
use crate::rules::{Checked, check_orientation, conflict, finite, finite_vector, refuse};
use crate::spec::{BodySpec, BodyStart, JointKind, KeyframeSpec, Orientation, SceneSpec};

/// Checks numbers and names of all keyframes of a scene.
pub(crate) fn check_keyframes(scene: &SceneSpec) -> Checked {
    let bodies = scene.bodies.iter().map(|body| (body.name.as_str(), body)).collect();
    let list = At::ROOT.field("keyframes");
    for (index, keyframe) in scene.keyframes.iter().enumerate() {
        check_keyframe(list.index(index), keyframe)?;
    }
    check_names(scene, &bodies)
}

pub(crate) fn check_keyframe(at: At, keyframe: &KeyframeSpec) -> Checked {
    let bodies = at.field("bodies");
    for (name, start) in &keyframe.bodies {
        let at = bodies.field(name);
        finite_vector(at.field("position"), start.position)?;
        check_orientation(at.field("orientation"), &start.orientation)?;
        finite_vector(at.field("velocity"), start.velocity)?;
        finite_vector(at.field("angular_velocity"), start.angular_velocity)?;
        for (field, numbers) in [("positions", &start.positions), ("velocities", &start.velocities)] {
            let list = at.field(field);
            for (index, &number) in numbers.iter().enumerate() {
                finite(list.index(index), number)?;
            }
        }
    }
    let controls = at.field("controls");
    for (name, &control) in &keyframe.controls {
        finite(controls.field(name), control)?;
    }
    Ok(())
}

pub(crate) fn check_names(scene: &SceneSpec, bodies: &Bodies) -> Checked {
    let list = At::ROOT.field("keyframes");
    let mut names = BTreeSet::new();
    let actuators: BTreeMap<&str, ()> = scene.actuators.iter().map(|own| (own.name.as_str(), ())).collect();
    for (index, keyframe) in scene.keyframes.iter().enumerate() {
        let at = list.index(index);
        if !names.insert(&keyframe.name) {
            let fault = Fault::Name(NameFault::Duplicate { what: "keyframe", name: keyframe.name.clone() });
            return Err(at.field("name").fault(fault));
        }
        let field = at.field("bodies");
        for (name, start) in &keyframe.bodies {
            let body = body_named(field.field(name), bodies, name)?;
            check_start(field.field(name), body, start)?;
        }
        let field = at.field("controls");
        for name in keyframe.controls.keys() {
            if !actuators.contains_key(name.as_str()) {
                let suggestion = closest(name, actuators.keys().copied());
                let fault = Fault::Name(NameFault::Unknown { what: "actuator", name: name.clone(), suggestion });
                return Err(field.field(name).fault(fault));
            }
        }
    }
    Ok(())
}

/// Checks that a body can start in this state.
fn check_start(at: At, body: &BodySpec, start: &BodyStart) -> Checked {
    if body.fixed || body.script.is_some() {
        return conflict(at, &format!("'{}' is fixed or scripted: a keyframe cannot set its start", body.name));
    }
    let is_placed = start.position != DVec3::ZERO || start.velocity != DVec3::ZERO;
    let is_turned = start.orientation != Orientation::Straight || start.angular_velocity != DVec3::ZERO;
    let has_axes = !start.positions.is_empty() || !start.velocities.is_empty();
    match body.joint.as_ref().map(|joint| (&joint.kind, joint.axes())) {
        None | Some((JointKind::Free(_), _)) if has_axes => conflict(
            at,
            &format!("'{}' is free: it has a position and an orientation, no positions of axes", body.name),
        ),
        None | Some((JointKind::Free(_), _)) => Ok(()),
        Some((JointKind::Spherical(_), _)) if is_placed || has_axes => {
            conflict(at, &format!("'{}' is on a ball joint: it has an orientation and an angular_velocity", body.name))
        }
        Some((JointKind::Spherical(_), _)) => Ok(()),
        Some(_) if is_placed || is_turned => {
            conflict(at, &format!("'{}' is on a joint: it has positions and velocities of its axes", body.name))
        }
        Some((_, axes)) => {
            for (field, numbers) in [("positions", &start.positions), ("velocities", &start.velocities)] {
                if !numbers.is_empty() && numbers.len() != axes {
                    return refuse(at.field(field), "as many as the joint has axes, or none", numbers.len() as f64);
                }
            }
            Ok(())
        }
    }
}
