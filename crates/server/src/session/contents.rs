//! The contents of a world besides its bodies (`docs/protocol.md`, section Contents): joints, actuators, sensors,
//! keyframes, cameras, and the signals that can be plotted.

use std::collections::BTreeMap;

use burgess_scene::RunningScene;
use burgess_scene::spec::{CameraSpec, JointKind, Measured, SceneSpec, StackAxisSpec};
use glam::DVec3;
use serde::Serialize;

use super::crowd::{CrowdEntry, crowds_of};
use super::current_world::{CurrentWorld, Shown};
use super::sample::axes_of;
use super::signal::{BodyQuantity, WorldQuantity};

/// The contents of a world besides its bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contents {
    /// Quantities of the world that can be plotted.
    pub world_quantities: Vec<WorldQuantity>,
    /// Quantities of each body that can be plotted.
    pub body_quantities: Vec<BodyQuantity>,
    /// Joints with at least one axis.
    pub joints: Vec<JointEntry>,
    /// Actuators, in the order of the section `controls`.
    pub actuators: Vec<ActuatorEntry>,
    /// Sensors.
    pub sensors: Vec<SensorEntry>,
    /// Names of the keyframes.
    pub keyframes: Vec<String>,
    /// Cameras that the scene names.
    pub cameras: Vec<CameraEntry>,
    /// Index of the root body of each creature.
    pub creatures: Vec<usize>,
    /// Crowds, in the order of the section `crowd`.
    pub crowds: Vec<CrowdEntry>,
    /// Whether bodies at rest sleep; null if the subject is not simulated by a paradigm that can do that.
    pub sleeping: Option<bool>,
}

/// A joint between a body and its parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JointEntry {
    /// Index of the body in a frame.
    pub body: usize,
    /// Type of the joint, as in the appearance.
    pub kind: &'static str,
    /// Unit of the position of each axis.
    pub units: Vec<&'static str>,
}

/// An actuator.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActuatorEntry {
    /// Name of the actuator.
    pub name: String,
    /// Index of the body whose joint it drives.
    pub body: Option<usize>,
    /// Index of the axis.
    pub axis: usize,
    /// Lowest and highest control, if they are limited.
    pub range: Option<[f64; 2]>,
    /// Unit of the control.
    pub unit: &'static str,
}

/// A sensor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SensorEntry {
    /// Name of the sensor.
    pub name: String,
    /// Type of the sensor, as in scene files.
    pub kind: &'static str,
    /// Index of the body that it measures.
    pub body: Option<usize>,
    /// Number of values.
    pub values: usize,
    /// Unit of the values.
    pub unit: &'static str,
}

/// A camera that the scene names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CameraEntry {
    /// Name of the camera.
    pub name: String,
    /// Position in the world, or from the body that it follows, in m.
    pub position: [f64; 3],
    /// Point at the centre of the view, in the world, or from the body that it follows, in m.
    pub target: [f64; 3],
    /// Vertical field of view, in degrees.
    pub field_of_view: f64,
    /// Index of the body that it follows.
    pub follow: Option<usize>,
}

/// The contents of a simulated world. `creatures` are indices of root bodies in the scene.
pub fn contents_of(current: &CurrentWorld, creatures: &[usize]) -> Contents {
    let CurrentWorld { scene, running, shown, .. } = current;
    let places: BTreeMap<&str, usize> =
        shown.iter().enumerate().map(|(place, shown)| (scene.bodies[shown.body].name.as_str(), place)).collect();
    let place = |name: &str| places.get(name).copied();
    let joints = shown.iter().enumerate().filter_map(|(body, shown)| {
        let axes = axes_of(current, shown.body, shown.link);
        let joint = scene.bodies[shown.body].joint.as_ref().filter(|_| axes > 0)?;
        let units = (0..axes).map(|axis| axis_unit(&joint.kind, axis)).collect();
        Some(JointEntry { body, kind: joint.kind.type_name(), units })
    });
    let sensors = scene.sensors.iter().zip(running.sensors.ranges()).map(|(sensor, range)| {
        let body = body_of(&sensor.kind, scene).and_then(|name| place(&name));
        let unit = sensor_unit(&sensor.kind, scene);
        SensorEntry { name: sensor.name.clone(), kind: sensor.kind.type_name(), body, values: range.len(), unit }
    });
    let actuators = scene.actuators.iter().map(|actuator| {
        let servo = actuator.bias[1] != 0.0;
        let unit = if servo { unit_of_axis(scene, &actuator.joint, actuator.axis) } else { "" };
        let (name, body) = (actuator.name.clone(), place(&actuator.joint));
        ActuatorEntry { name, body, axis: actuator.axis, range: actuator.control_range, unit }
    });
    let shown_root = |root: &usize| shown.iter().position(|shown| shown.body == *root);
    let can_sleep = running.paradigm == burgess_paradigms::Paradigm::TimeStepping;
    Contents {
        world_quantities: WorldQuantity::ALL.to_vec(),
        body_quantities: BodyQuantity::ALL.to_vec(),
        joints: joints.collect(),
        actuators: actuators.collect(),
        sensors: sensors.collect(),
        keyframes: scene.keyframes.iter().map(|keyframe| keyframe.name.clone()).collect(),
        cameras: current.cameras.clone(),
        creatures: creatures.iter().filter_map(shown_root).collect(),
        crowds: crowds_of(current),
        sleeping: can_sleep.then_some(scene.simulation.sleeping),
    }
}

/// The cameras of a world at its start.
pub fn cameras_of(scene: &SceneSpec, running: &RunningScene, shown: &[Shown]) -> Vec<CameraEntry> {
    let entry = |(index, camera): (usize, &CameraSpec)| {
        let body = camera.follow.as_deref().and_then(|name| scene.body_index(name));
        let follow = body.and_then(|body| shown.iter().position(|shown| shown.body == body));
        let start =
            follow.and(body).and_then(|body| running.body_pose(body)).map_or(DVec3::ZERO, |pose| pose.translation);
        CameraEntry {
            name: if camera.name.is_empty() { format!("camera {}", index + 1) } else { camera.name.clone() },
            position: (camera.position - start).to_array(),
            target: (camera.target - start).to_array(),
            field_of_view: camera.field_of_view_degrees,
            follow,
        }
    };
    scene.display.cameras.iter().enumerate().map(entry).collect()
}

/// Unit of the position of an axis.
fn axis_unit(kind: &JointKind, axis: usize) -> &'static str {
    let slides = match kind {
        JointKind::Prismatic(_) => true,
        JointKind::Free(_) => axis >= 3,
        JointKind::Stack(stack) => matches!(stack.axes.get(axis), Some(StackAxisSpec::Slide(_))),
        _ => false,
    };
    if slides { "m" } else { "rad" }
}

fn unit_of_axis(scene: &SceneSpec, body: &str, axis: usize) -> &'static str {
    let joint = scene.body_index(body).and_then(|body| scene.bodies[body].joint.as_ref());
    joint.map_or("", |joint| axis_unit(&joint.kind, axis))
}

/// Name of the body that a sensor measures.
fn body_of(kind: &Measured, scene: &SceneSpec) -> Option<String> {
    let of_site = |name: &str| scene.sites.iter().find(|site| site.name == name).and_then(|site| site.body.clone());
    match kind {
        Measured::JointPosition(of) | Measured::JointVelocity(of) => Some(of.joint.clone()),
        Measured::ActuatorForce(of) => {
            scene.actuators.iter().find(|actuator| actuator.name == of.actuator).map(|actuator| actuator.joint.clone())
        }
        Measured::SitePosition(of)
        | Measured::SiteOrientation(of)
        | Measured::SiteVelocity(of)
        | Measured::SiteAngularVelocity(of)
        | Measured::Velocimeter(of)
        | Measured::Gyro(of) => of_site(&of.site),
        Measured::Touch(of) | Measured::CenterOfMass(of) => Some(of.body.clone()),
        Measured::CrowdDensity(_) | Measured::CrowdSpeed(_) | Measured::CrowdFlow(_) => None,
    }
}

/// Unit of the values of a sensor; empty if they have none.
fn sensor_unit(kind: &Measured, scene: &SceneSpec) -> &'static str {
    match kind {
        Measured::JointPosition(of) => unit_of_axis(scene, &of.joint, of.axis),
        Measured::JointVelocity(of) if unit_of_axis(scene, &of.joint, of.axis) == "m" => "m/s",
        Measured::JointVelocity(_) | Measured::SiteAngularVelocity(_) | Measured::Gyro(_) => "rad/s",
        Measured::SitePosition(_) | Measured::CenterOfMass(_) => "m",
        Measured::SiteVelocity(_) | Measured::Velocimeter(_) => "m/s",
        Measured::Touch(_) => "N",
        Measured::CrowdDensity(_) => "1/m^2",
        Measured::CrowdSpeed(_) => "m/s",
        Measured::CrowdFlow(_) => "1/s",
        Measured::ActuatorForce(_) | Measured::SiteOrientation(_) => "",
    }
}
