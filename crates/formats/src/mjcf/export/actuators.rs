//! Actuators of the scene, and motors of joints, whose targets become controls of actuators.

use burgess_dynamics::Motor;
use burgess_scene::spec::{ActuatorSpec, SceneSpec};
use glam::DVec3;

use super::joints::{Kind, range, symmetric_range};
use super::tree::{Body, Tree};
use crate::export::Names;
use crate::export::Warnings;
use crate::xml::XmlWriter;

/// The joint that an actuator acts on.
struct Target {
    joint: String,
    /// Whether `gear` is in the parent's coordinates.
    in_parent: bool,
    gear: Vec<f64>,
}

/// An actuator.
pub(super) struct Actuator {
    pub name: String,
    /// Control at the start.
    pub control: f64,
    target: Target,
    gain: f64,
    bias: [f64; 3],
    control_range: Option<[f64; 2]>,
    force_range: Option<[f64; 2]>,
}

/// All actuators.
pub(super) struct Actuators {
    /// The actuators of the scene in scene order, then the motors.
    pub list: Vec<Actuator>,
    /// Index in the scene of each actuator that comes from the scene.
    pub origins: Vec<usize>,
}

pub(super) fn plan(scene: &SceneSpec, tree: &Tree, warnings: &mut Warnings) -> Actuators {
    let mut names = Names::default();
    let (mut list, mut origins) = (Vec::new(), Vec::new());
    for (index, spec) in scene.actuators.iter().enumerate() {
        let Some(target) = tree.body(&spec.joint).and_then(|body| target(body, spec.axis, spec.gear, warnings)) else {
            continue;
        };
        origins.push(index);
        list.push(Actuator {
            name: names.unique(&spec.name),
            control: spec.control,
            target,
            gain: spec.gain,
            bias: spec.bias,
            control_range: spec.control_range,
            force_range: spec.force_range,
        });
    }
    for &index in &tree.order {
        let body = &tree.bodies[index];
        for (axis, own) in body.properties.iter().enumerate() {
            let Some(actuator) = motor_actuator(&own.motor) else { continue };
            let Some(target) = target(body, axis, 1.0, warnings) else { continue };
            let is_ball = body.joints[0].kind == Kind::Ball;
            if is_ball && matches!(own.motor, Motor::Position { target, .. } if target != 0.0) {
                let kind = "servos of ball joints control each axis separately in MuJoCo, not the shortest rotation";
                warnings.add_named(kind, &body.spec.name);
            }
            let suffix = if is_ball { ["_x", "_y", "_z"][axis.min(2)] } else { "" };
            let joint = &body.joints[if is_ball { 0 } else { axis }].name;
            list.push(Actuator {
                name: names.unique(&format!("{joint}_motor{suffix}")),
                control: actuator.control,
                target,
                gain: actuator.gain,
                bias: actuator.bias,
                control_range: None,
                force_range: own.max_effort.is_finite().then(|| symmetric_range(own.max_effort)),
            });
        }
    }
    Actuators { list, origins }
}

/// Converts a motor to an actuator.
fn motor_actuator(motor: &Motor) -> Option<ActuatorSpec> {
    let (actuator, control) = match *motor {
        Motor::None => return None,
        Motor::Effort(effort) => (ActuatorSpec::motor("", "", 0), effort),
        Motor::Velocity { target, gain } => (ActuatorSpec::velocity("", "", 0, gain), target),
        Motor::Position { target, stiffness, damping } => {
            (ActuatorSpec::position("", "", 0, stiffness, damping), target)
        }
    };
    Some(ActuatorSpec { control, ..actuator })
}

/// Returns the joint and gear for an axis of a body's joint.
fn target(body: &Body, axis: usize, gear: f64, warnings: &mut Warnings) -> Option<Target> {
    let first = body.joints.first()?;
    let (joint, gear) = match first.kind {
        Kind::Hinge | Kind::Slide => (body.joints.get(axis)?, vec![gear]),
        Kind::Ball => {
            let direction = body.joint_frame.transform_vector(*DVec3::AXES.get(axis)?);
            (first, (gear * direction).to_array().to_vec())
        }
        Kind::Free => {
            // Burgess: angular, then linear at the centre of mass. MuJoCo: linear at the origin, then angular.
            if axis >= 3 && body.rigid_center != DVec3::ZERO {
                let kind =
                    "actuator forces on free bodies act at the body's origin in MuJoCo, not at the centre of mass";
                warnings.add_named(kind, &body.spec.name);
            }
            let mut six = vec![0.0; 6];
            *six.get_mut((axis + 3) % 6).filter(|_| axis < 6)? = gear;
            (first, six)
        }
    };
    Some(Target { joint: joint.name.clone(), in_parent: first.kind == Kind::Free, gear })
}

impl Actuators {
    pub fn write(&self, xml: &mut XmlWriter) {
        if self.list.is_empty() {
            return;
        }
        xml.open("actuator");
        for actuator in &self.list {
            actuator.write(xml);
        }
        xml.close();
    }

    /// Returns the index in `list` of an actuator of the scene.
    pub fn index_of(&self, origin: usize) -> Option<usize> {
        self.origins.iter().position(|own| *own == origin)
    }
}

impl Actuator {
    fn write(&self, xml: &mut XmlWriter) {
        let Self { gain, bias, .. } = *self;
        let element = if gain == 1.0 && bias == [0.0; 3] {
            "motor"
        } else if gain > 0.0 && bias[..2] == [0.0, -gain] && bias[2] <= 0.0 {
            "position"
        } else if gain > 0.0 && bias == [0.0, 0.0, -gain] {
            "velocity"
        } else {
            "general"
        };
        let Target { joint, in_parent, gear } = &self.target;
        xml.open(element).attribute("name", &self.name);
        xml.attribute(if *in_parent { "jointinparent" } else { "joint" }, joint);
        if *gear != [1.0] {
            xml.numbers("gear", gear.iter().copied());
        }
        match element {
            "position" => {
                xml.number("kp", gain).number_unless(0.0, "kv", -bias[2]);
            }
            "velocity" => {
                xml.number("kv", gain);
            }
            "general" => {
                xml.number("gainprm", gain).attribute("biastype", "affine").numbers("biasprm", bias);
            }
            _ => {}
        }
        if let Some([low, high]) = self.control_range {
            xml.numbers("ctrlrange", range(low, high));
        }
        if let Some([low, high]) = self.force_range {
            xml.numbers("forcerange", range(low, high));
        }
        xml.close();
    }
}
