//! What URDF has no word for, one sentence for each kind.

use burgess_scene::spec::{ActuatorSpec, AxisSpec, BodySpec, JointKind, SceneSpec};
use glam::DVec3;

use super::plan::{axes_of, strength};
use crate::export::Warnings;

pub(super) fn note(scene: &SceneSpec, warnings: &mut Warnings) {
    let plain = SceneSpec::default();
    if scene.gravity != plain.gravity {
        warnings.add("URDF has no gravity: programs that read it have their own");
    }
    for body in &scene.bodies {
        note_body(body, warnings);
    }
    for actuator in &scene.actuators {
        note_actuator(actuator, warnings);
    }
    let surfaces = !scene.materials.is_empty() || !scene.surfaces.is_empty();
    let whole = [
        (surfaces, "friction and restitution of surfaces are left out"),
        (!scene.self_collision, "links of one tree pass through each other here, but may touch there"),
        (!scene.exclusions.is_empty(), "pairs of bodies that pass through each other here may touch there"),
        (!scene.constraints.is_empty(), "constraints besides joints are left out"),
        (!scene.tendons.is_empty(), "tendons are left out"),
        (!scene.sensors.is_empty(), "sensors are left out"),
        (!scene.keyframes.is_empty(), "keyframes are left out"),
        (!scene.controllers.is_empty(), "controllers are left out"),
        (scene.fluid.is_some(), "the fluid is left out"),
    ];
    for (_, kind) in whole.into_iter().filter(|(is_there, _)| *is_there) {
        warnings.add(kind);
    }
}

fn note_body(body: &BodySpec, warnings: &mut Warnings) {
    let mut note = |is_there: bool, kind: &str| {
        if is_there {
            warnings.add_named(kind, &body.name);
        }
    };
    note(body.script.is_some(), "bodies with a script stand still there");
    let moves = body.velocity != DVec3::ZERO || body.angular_velocity != DVec3::ZERO;
    note(moves, "velocities at the start are left out");
    note(body.shapes.iter().any(|shape| shape.margin != 0.0), "margins of shapes are left out");
    let chooses = body.shapes.iter().any(|shape| shape.group != 1 || !matches!(shape.mask, 0 | u32::MAX));
    note(chooses, "groups and masks of shapes are left out");
    let Some(joint) = &body.joint else { return };
    if let JointKind::Free(free) = &joint.kind {
        note(free.linear_damping != 0.0 || free.angular_damping != 0.0, "damping of free bodies is left out");
    }
    let axes = axes_of(joint);
    let any = |has: fn(&AxisSpec) -> bool| axes.iter().any(|(_, axis)| has(axis));
    note(any(|axis| axis.limit_stiffness != 0.0), "limits that are springs are hard there");
    note(any(|axis| axis.stiffness != 0.0), "springs of joints are left out");
    note(any(|axis| axis.armature != 0.0), "inertias of drives are left out");
    note(any(|axis| axis.motor.is_some()), "motors with fixed targets are left out");
    note(any(|axis| axis.position != 0.0), "joints start at zero there");
    note(any(|axis| axis.velocity != 0.0), "velocities at the start are left out");
}

fn note_actuator(actuator: &ActuatorSpec, warnings: &mut Warnings) {
    let ActuatorSpec { name, gear, gain, bias, control, control_range, force_range, .. } = actuator;
    if *bias != [0.0; 3] || gear * gain != 1.0 {
        warnings.add_named("gears and gains of actuators are left out: the control is the effort there", name);
    }
    if control_range.is_some() || *control != 0.0 {
        warnings.add_named("controls at the start and their ranges are left out", name);
    }
    if force_range.is_some() && strength(actuator).is_none() {
        warnings.add_named("ranges of force of actuators are left out", name);
    }
}
