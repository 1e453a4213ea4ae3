//! Warnings about scene features that URDF does not support, one per feature.

use burgess_scene::spec::{ActuatorSpec, AxisSpec, BodySpec, JointKind, SceneSpec};
use glam::DVec3;

use super::plan::{axes_of, symmetric_effort};
use crate::export::Warnings;

pub(super) fn warn(scene: &SceneSpec, warnings: &mut Warnings) {
    let default = SceneSpec::default();
    if scene.gravity != default.gravity {
        warnings.add("gravity is not part of URDF and is omitted; set it in the program that reads the file");
    }
    for body in &scene.bodies {
        warn_about_body(body, warnings);
    }
    for actuator in &scene.actuators {
        warn_about_actuator(actuator, warnings);
    }
    let surfaces = !scene.materials.is_empty() || !scene.surfaces.is_empty();
    let features = [
        (surfaces, "friction and restitution of surfaces are omitted"),
        (!scene.self_collision, "disabled self-collision is omitted: links of one tree may collide"),
        (!scene.exclusions.is_empty(), "exclusions are omitted: excluded pairs of bodies may collide"),
        (!scene.constraints.is_empty(), "constraints other than joints are omitted"),
        (!scene.tendons.is_empty(), "tendons are omitted"),
        (!scene.sensors.is_empty(), "sensors are omitted"),
        (!scene.keyframes.is_empty(), "keyframes are omitted"),
        (!scene.controllers.is_empty(), "controllers are omitted"),
        (scene.fluid.is_some(), "the fluid is omitted"),
    ];
    for (_, kind) in features.into_iter().filter(|(is_used, _)| *is_used) {
        warnings.add(kind);
    }
}

fn warn_about_body(body: &BodySpec, warnings: &mut Warnings) {
    let mut warn_if = |is_used: bool, kind: &str| {
        if is_used {
            warnings.add_named(kind, &body.name);
        }
    };
    warn_if(body.script.is_some(), "scripts are omitted: these bodies are fixed at their start");
    let moves = body.velocity != DVec3::ZERO || body.angular_velocity != DVec3::ZERO;
    warn_if(moves, "initial velocities are omitted");
    warn_if(body.shapes.iter().any(|shape| shape.margin != 0.0), "contact margins of shapes are omitted");
    let is_filtered = body.shapes.iter().any(|shape| shape.group != 1 || !matches!(shape.mask, 0 | u32::MAX));
    warn_if(is_filtered, "contact groups and masks of shapes are omitted");
    let Some(joint) = &body.joint else { return };
    if let JointKind::Free(free) = &joint.kind {
        warn_if(free.linear_damping != 0.0 || free.angular_damping != 0.0, "damping of free bodies is omitted");
    }
    let axes = axes_of(joint);
    let any = |has: fn(&AxisSpec) -> bool| axes.iter().any(|(_, axis)| has(axis));
    warn_if(any(|axis| axis.limit_stiffness != 0.0), "springs of joint limits are omitted: the limits are rigid");
    warn_if(any(|axis| axis.stiffness != 0.0), "springs of joints are omitted");
    warn_if(any(|axis| axis.armature != 0.0), "armature inertias of joints are omitted");
    warn_if(any(|axis| axis.motor.is_some()), "motors with fixed targets are omitted");
    warn_if(any(|axis| axis.position != 0.0), "initial joint positions are omitted: the joints start at zero");
    warn_if(any(|axis| axis.velocity != 0.0), "initial velocities are omitted");
}

fn warn_about_actuator(actuator: &ActuatorSpec, warnings: &mut Warnings) {
    let ActuatorSpec { name, gear, gain, bias, control, control_range, force_range, .. } = actuator;
    if *bias != [0.0; 3] || gear * gain != 1.0 {
        warnings.add_named("gears, gains and biases of actuators are omitted: the control is the joint effort", name);
    }
    if control_range.is_some() || *control != 0.0 {
        warnings.add_named("initial controls and control ranges are omitted", name);
    }
    if force_range.is_some() && symmetric_effort(actuator).is_none() {
        warnings.add_named("force ranges of actuators are omitted", name);
    }
}
