//! Checks of a whole scene: numbers in their ranges, values that go together, names that exist. What belongs to one
//! kind of element is checked in its folder.

mod bodies;
mod names;
mod settings;

use burgess_files::{At, Fault};

use crate::MAX_BODIES;
use crate::error::{SceneError, without_file};
use crate::rules::{
    Checked, check_color, check_orientation, direction, finite_vector, not_negative, positive, refuse, share,
};
use crate::spec::{FluidSpec, LightSpec, SceneSpec};
use crate::{actuator, constraint, controller, keyframe, sensor, tendon};

pub(crate) use names::check_names;

impl SceneSpec {
    /// Checks all that can be checked without other files: numbers, names, and what goes together. A scene with
    /// includes must be read from a file.
    pub fn check(&self) -> Result<(), SceneError> {
        check_values(self).and_then(|()| check_names(self)).map_err(without_file)
    }
}

/// Checks everything but names, which may be in other files.
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
        constraint::check_constraint(list.index(index), tie)?;
    }
    let list = root.field("actuators");
    for (index, actuator) in scene.actuators.iter().enumerate() {
        actuator::check_actuator(list.index(index), actuator)?;
    }
    let list = root.field("tendons");
    for (index, tendon) in scene.tendons.iter().enumerate() {
        tendon::check_tendon(list.index(index), tendon)?;
    }
    let list = root.field("keyframes");
    for (index, keyframe) in scene.keyframes.iter().enumerate() {
        keyframe::check_keyframe(list.index(index), keyframe)?;
    }
    let list = root.field("sites");
    for (index, site) in scene.sites.iter().enumerate() {
        sensor::check_site(list.index(index), site)?;
    }
    let list = root.field("sensors");
    for (index, sensor) in scene.sensors.iter().enumerate() {
        sensor::check_sensor(list.index(index), sensor)?;
    }
    let list = root.field("controllers");
    for (index, controller) in scene.controllers.iter().enumerate() {
        controller::check_controller(list.index(index), controller)?;
    }
    check_display(root.field("display"), scene)
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
