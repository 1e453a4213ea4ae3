//! Is a scene in order? Numbers in their ranges, things that go together, names that exist.

mod actuators;
mod bodies;
mod controllers;
mod joints;
mod keyframes;
mod names;
mod sensors;
mod settings;
mod shapes;
mod tendons;

use burgess_files::{At, Fault};
use glam::DVec3;

use crate::error::{FieldError, SceneError, without_file};
use crate::spec::{FluidSpec, LightSpec, Orientation, PoseSpec, SceneSpec, TieKind};
use crate::{MAX_BODIES, MAX_STEP};

pub(crate) use keyframes::check_keyframes;
pub(crate) use names::check_names;

pub(crate) type Checked = Result<(), FieldError>;

impl SceneSpec {
    /// Checks all that can be checked without other files: numbers, names, and what goes together. A scene with includes must
    /// be read from a file.
    pub fn check(&self) -> Result<(), SceneError> {
        check_values(self).and_then(|()| check_names(self)).map_err(without_file)
    }
}

/// Everything but names, which may be in other files.
pub(crate) fn check_values(scene: &SceneSpec) -> Checked {
    let root = At::ROOT;
    positive(root.field("duration"), scene.duration)?;
    finite_vector(root.field("gravity"), scene.gravity)?;
    settings::check_settings(root.field("simulation"), &scene.simulation)?;
    if let Some(fluid) = &scene.fluid {
        check_fluid(root.field("fluid"), fluid)?;
    }
    for (index, include) in scene.include.iter().enumerate() {
        let list = root.field("include");
        let at = list.index(index);
        finite_vector(at.field("position"), include.position)?;
        check_orientation(at.field("orientation"), &include.orientation)?;
    }
    check_materials(scene)?;
    let list = root.field("bodies");
    if scene.bodies.len() > MAX_BODIES {
        return Err(list.fault(Fault::TooMany { what: "bodies", found: scene.bodies.len(), limit: MAX_BODIES }));
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        bodies::check_body(list.index(index), body)?;
    }
    let list = root.field("constraints");
    for (index, tie) in scene.constraints.iter().enumerate() {
        let at = list.index(index);
        for (name, anchor) in [("a", &tie.a), ("b", &tie.b)] {
            check_anchor(at.field(name), anchor)?;
        }
        match &tie.kind {
            TieKind::Pin(_) | TieKind::Hinge(_) | TieKind::Slide(_) | TieKind::Weld(_) => {}
            TieKind::Distance(length) | TieKind::Rope(length) => positive(at.field("length"), length.length)?,
            TieKind::Spring(spring) => {
                not_negative(at.field("length"), spring.length)?;
                not_negative(at.field("stiffness"), spring.stiffness)?;
                not_negative(at.field("damping"), spring.damping)?;
            }
        }
    }
    let list = root.field("actuators");
    for (index, actuator) in scene.actuators.iter().enumerate() {
        actuators::check_actuator(list.index(index), actuator)?;
    }
    let list = root.field("tendons");
    for (index, tendon) in scene.tendons.iter().enumerate() {
        tendons::check_tendon(list.index(index), tendon)?;
    }
    let list = root.field("keyframes");
    for (index, keyframe) in scene.keyframes.iter().enumerate() {
        keyframes::check_numbers(list.index(index), keyframe)?;
    }
    let list = root.field("sites");
    for (index, site) in scene.sites.iter().enumerate() {
        sensors::check_site(list.index(index), site)?;
    }
    let list = root.field("sensors");
    for (index, sensor) in scene.sensors.iter().enumerate() {
        sensors::check_sensor(list.index(index), sensor)?;
    }
    let list = root.field("controllers");
    for (index, controller) in scene.controllers.iter().enumerate() {
        controllers::check_controller(list.index(index), controller)?;
    }
    check_display(root.field("display"), scene)
}

/// The length of a step, in s.
pub(crate) fn check_step(at: At, step: f64) -> Checked {
    if step > 0.0 && step <= MAX_STEP { Ok(()) } else { refuse(at, "more than 0 s and at most 1 s", step) }
}

fn check_fluid(at: At, fluid: &FluidSpec) -> Checked {
    let (coefficient, current) = match fluid {
        FluidSpec::Linear(fluid) => (fluid.coefficient, fluid.current),
        FluidSpec::Quadratic(fluid) => {
            not_negative(at.field("density"), fluid.density)?;
            (fluid.coefficient, fluid.current)
        }
        FluidSpec::InertiaBox(fluid) => {
            not_negative(at.field("density"), fluid.density)?;
            not_negative(at.field("viscosity"), fluid.viscosity)?;
            (0.0, fluid.current)
        }
    };
    not_negative(at.field("coefficient"), coefficient)?;
    finite_vector(at.field("current"), current)
}

fn check_materials(scene: &SceneSpec) -> Checked {
    let check = |at: At, friction: f64, restitution: f64, tangential: f64| {
        not_negative(at.field("friction"), friction)?;
        share(at.field("restitution"), restitution)?;
        if (-1.0..=1.0).contains(&tangential) {
            Ok(())
        } else {
            refuse(at.field("tangential_restitution"), "from -1 to 1", tangential)
        }
    };
    let list = At::ROOT.field("materials");
    for (name, material) in &scene.materials {
        let at = list.field(name);
        check(at, material.friction, material.restitution, material.tangential_restitution)?;
    }
    let list = At::ROOT.field("surfaces");
    for (index, surface) in scene.surfaces.iter().enumerate() {
        check(list.index(index), surface.friction, surface.restitution, surface.tangential_restitution)?;
    }
    Ok(())
}

fn check_display(at: At, scene: &SceneSpec) -> Checked {
    let display = &scene.display;
    if let Some(color) = display.background {
        check_color(at.field("background"), color)?;
    }
    let list = at.field("lights");
    for (index, light) in display.lights.iter().enumerate() {
        let at = list.index(index);
        let (color, intensity) = match light {
            LightSpec::Ambient(light) => (light.color, light.intensity),
            LightSpec::Directional(light) => {
                direction(at.field("direction"), light.direction)?;
                (light.color, light.intensity)
            }
            LightSpec::Point(light) => {
                finite_vector(at.field("position"), light.position)?;
                (light.color, light.intensity)
            }
        };
        check_color(at.field("color"), color)?;
        not_negative(at.field("intensity"), intensity)?;
    }
    let list = at.field("cameras");
    for (index, camera) in display.cameras.iter().enumerate() {
        let at = list.index(index);
        finite_vector(at.field("position"), camera.position)?;
        finite_vector(at.field("target"), camera.target)?;
        let angle = camera.field_of_view_degrees;
        if !(angle > 0.0 && angle < 180.0) {
            return refuse(at.field("field_of_view_degrees"), "more than 0 and less than 180", angle);
        }
    }
    Ok(())
}

fn refuse(at: At, expected: &'static str, found: f64) -> Checked {
    Err(at.fault(Fault::OutOfRange { expected, found }))
}

fn conflict(at: At, why: &str) -> Checked {
    Err(at.fault(Fault::Conflict(why.to_string())))
}

fn positive(at: At, value: f64) -> Checked {
    if value > 0.0 && value.is_finite() { Ok(()) } else { refuse(at, "positive", value) }
}

fn not_negative(at: At, value: f64) -> Checked {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { refuse(at, "finite and not negative", value) }
}

fn share(at: At, value: f64) -> Checked {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { refuse(at, "from 0 to 1", value) }
}

fn finite(at: At, value: f64) -> Checked {
    if value.is_finite() { Ok(()) } else { refuse(at, "finite", value) }
}

fn finite_vector(at: At, vector: DVec3) -> Checked {
    for (index, value) in vector.to_array().into_iter().enumerate() {
        finite(at.index(index), value)?;
    }
    Ok(())
}

fn direction(at: At, vector: DVec3) -> Checked {
    finite_vector(at, vector)?;
    match vector.try_normalize() {
        Some(_) => Ok(()),
        None => Err(at.fault(Fault::Invalid { expected: "a direction, which has a length" })),
    }
}

fn check_color(at: At, color: DVec3) -> Checked {
    for (index, value) in color.to_array().into_iter().enumerate() {
        share(at.index(index), value)?;
    }
    Ok(())
}

fn check_orientation(at: At, orientation: &Orientation) -> Checked {
    match orientation.rotation() {
        Some(_) => Ok(()),
        None => Err(at.fault(Fault::Invalid { expected: "finite, with an axis or quaternion that has a length" })),
    }
}

fn check_pose(at: At, pose: &PoseSpec) -> Checked {
    finite_vector(at.field("position"), pose.position)?;
    check_orientation(at.field("orientation"), &pose.orientation)
}

fn check_anchor(at: At, anchor: &crate::spec::AnchorSpec) -> Checked {
    finite_vector(at.field("position"), anchor.position)?;
    check_orientation(at.field("orientation"), &anchor.orientation)
}
