//! Do all names exist, once each, and do they name what is needed?

use std::collections::BTreeMap;

use burgess_files::{At, Fault, closest};

use super::{Checked, actuators, conflict, keyframes, sensors, tendons};
use crate::spec::{
    AnchorSpec, AxisSpec, BodySpec, ControllerSpec, JointKind, JointSpec, SceneSpec, ShapeKind, StackAxisSpec,
};

pub(super) type Bodies<'a> = BTreeMap<&'a str, &'a BodySpec>;

/// Names within a scene whose includes have been merged into it.
pub(crate) fn check_names(scene: &SceneSpec) -> Checked {
    let root = At::ROOT;
    let mut bodies = Bodies::new();
    let list = root.field("bodies");
    for (index, body) in scene.bodies.iter().enumerate() {
        if bodies.insert(&body.name, body).is_some() {
            let fault = Fault::Duplicate { what: "body", name: body.name.clone() };
            return Err(list.index(index).field("name").fault(fault));
        }
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        let at = list.index(index);
        if let Some(parent) = body.joint.as_ref().and_then(|joint| joint.parent.as_deref()) {
            let joint = at.field("joint");
            let parent = body_named(joint.field("parent"), &bodies, parent)?;
            check_links_possible(joint.field("parent"), parent)?;
        }
        let shapes = at.field("shapes");
        for (index, shape) in body.shapes.iter().enumerate() {
            if let Some(material) = &shape.material {
                check_material(shapes.index(index).field("material"), scene, material)?;
            }
        }
    }
    check_cycles(scene, &bodies)?;
    let list = root.field("surfaces");
    for (index, surface) in scene.surfaces.iter().enumerate() {
        for (side, material) in surface.between.iter().enumerate() {
            check_material(list.index(index).field("between").index(side), scene, material)?;
        }
    }
    let list = root.field("exclusions");
    for (index, pair) in scene.exclusions.iter().enumerate() {
        for (side, name) in pair.iter().enumerate() {
            body_named(list.index(index).index(side), &bodies, name)?;
        }
    }
    let list = root.field("constraints");
    for (index, tie) in scene.constraints.iter().enumerate() {
        check_ends(list.index(index), &bodies, [&tie.a, &tie.b])?;
    }
    actuators::check_drives(scene, &bodies)?;
    tendons::check_names(scene, &bodies)?;
    sensors::check_names(scene, &bodies)?;
    keyframes::check_names(scene, &bodies)?;
    let list = root.field("controllers");
    for (index, controller) in scene.controllers.iter().enumerate() {
        check_controller(list.index(index), &bodies, controller)?;
    }
    let display = root.field("display");
    let list = display.field("cameras");
    for (index, camera) in scene.display.cameras.iter().enumerate() {
        if let Some(body) = &camera.follow {
            body_named(list.index(index).field("follow"), &bodies, body)?;
        }
    }
    Ok(())
}

pub(super) fn body_named<'a>(
    at: At,
    bodies: &Bodies<'a>,
    name: &str,
) -> Result<&'a BodySpec, crate::error::FieldError> {
    bodies.get(name).copied().ok_or_else(|| {
        let suggestion = closest(name, bodies.keys().copied());
        at.fault(Fault::UnknownName { what: "body", name: name.to_string(), suggestion })
    })
}

fn check_material(at: At, scene: &SceneSpec, name: &str) -> Checked {
    // The default material exists even where nobody changes it.
    if name == "default" || scene.materials.contains_key(name) {
        return Ok(());
    }
    let suggestion = closest(name, scene.materials.keys().map(String::as_str));
    Err(at.fault(Fault::UnknownName { what: "material", name: name.to_string(), suggestion }))
}

/// A body that others hang on must be a link; half-spaces cannot be.
fn check_links_possible(at: At, body: &BodySpec) -> Checked {
    if body.shapes.iter().any(|shape| matches!(shape.kind, ShapeKind::HalfSpace(_))) {
        return conflict(
            at,
            &format!("'{}' has a half-space, which nothing can hang on; take the world as parent", body.name),
        );
    }
    Ok(())
}

/// Following the parents must end at the world.
fn check_cycles(scene: &SceneSpec, bodies: &Bodies) -> Checked {
    // Bodies that are known to hang on the world after all.
    let mut safe = std::collections::BTreeSet::new();
    let list = At::ROOT.field("bodies");
    for (index, body) in scene.bodies.iter().enumerate() {
        let mut way = Vec::new();
        let mut here = Some(body);
        while let Some(body) = here.filter(|body| !safe.contains(body.name.as_str())) {
            way.push(body.name.as_str());
            if way.len() > scene.bodies.len() {
                return conflict(list.index(index).field("joint"), "its parents form a circle");
            }
            let parent = body.joint.as_ref().and_then(|joint| joint.parent.as_deref());
            here = parent.and_then(|parent| bodies.get(parent).copied());
        }
        safe.extend(way);
    }
    Ok(())
}

fn check_controller(at: At, bodies: &Bodies, controller: &ControllerSpec) -> Checked {
    match controller {
        ControllerSpec::ForceField(field) => {
            let list = at.field("bodies");
            for (index, name) in field.bodies.iter().enumerate() {
                movable_body(list.index(index), bodies, name)?;
            }
            Ok(())
        }
        ControllerSpec::Spring(spring) => check_ends(at, bodies, [&spring.a, &spring.b]),
        ControllerSpec::ConstantForce(force) => movable_body(at.field("body"), bodies, &force.body),
        ControllerSpec::Impulse(blow) => movable_body(at.field("body"), bodies, &blow.body),
        ControllerSpec::MotorSchedule(schedule) => {
            let joint = joint_of(at.field("joint"), bodies, &schedule.joint, schedule.axis)?;
            if joint.has_motor(schedule.axis) {
                return Ok(());
            }
            conflict(at.field("joint"), &format!("the joint of '{}' has no motor on this axis", schedule.joint))
        }
        ControllerSpec::SpeedLimiter(limiter) => {
            let list = at.field("joints");
            for (index, name) in limiter.joints.iter().enumerate() {
                joint_of(list.index(index), bodies, name, limiter.axis)?;
            }
            Ok(())
        }
    }
}

/// The two places that something is tied to.
fn check_ends(at: At, bodies: &Bodies, [a, b]: [&AnchorSpec; 2]) -> Checked {
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

fn movable_body(at: At, bodies: &Bodies, name: &str) -> Checked {
    let body = body_named(at, bodies, name)?;
    if moves_by_forces(bodies, body) {
        return Ok(());
    }
    conflict(at, &format!("'{name}' is fixed or scripted, or welded to what is: no force moves it"))
}

pub(super) fn joint_of<'a>(
    at: At,
    bodies: &Bodies<'a>,
    name: &str,
    axis: usize,
) -> Result<&'a JointSpec, crate::error::FieldError> {
    let body = body_named(at, bodies, name)?;
    let refuse = |why: String| at.fault(Fault::Conflict(why));
    let joint = body.joint.as_ref().ok_or_else(|| refuse(format!("'{name}' has no joint")))?;
    if axis < joint.axes() {
        return Ok(joint);
    }
    Err(refuse(format!("the joint of '{name}' has {} axes, so there is no axis {axis}", joint.axes())))
}

impl JointSpec {
    /// Is there a motor on this axis?
    pub(super) fn has_motor(&self, axis: usize) -> bool {
        let driven = |axis: &AxisSpec| axis.motor.is_some();
        match &self.kind {
            JointKind::Weld(_) | JointKind::Free(_) => false,
            JointKind::Revolute(own) | JointKind::Prismatic(own) => driven(own),
            JointKind::Universal(pair) => driven(if axis == 0 { &pair.first } else { &pair.second }),
            JointKind::Spherical(ball) => ball.motor.is_some(),
            JointKind::Stack(stack) => stack.axes.get(axis).is_some_and(|own| {
                let (StackAxisSpec::Hinge(own) | StackAxisSpec::Slide(own)) = own;
                driven(own)
            }),
        }
    }
}
