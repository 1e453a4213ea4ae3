//! Starting from a keyframe: its state is written into the bodies, joints and actuators of the scene.

use burgess_files::{At, Fault, NameFault, closest};

use crate::error::{FieldError, SceneError, without_file};
use crate::spec::{AxisSpec, BodySpec, BodyStart, JointKind, JointSpec, SceneSpec, StackAxisSpec};

impl SceneSpec {
    /// Makes the scene start from a keyframe. Bodies and actuators that are not in it keep their start.
    ///
    /// ```
    /// use burgess_scene::spec::SceneSpec;
    ///
    /// let text = "
    /// [[bodies]]
    /// name = 'ball'
    /// shapes = [{ type = 'sphere', radius = 0.1 }]
    ///
    /// [[keyframes]]
    /// name = 'high'
    /// bodies.ball = { position = [0, 0, 5] }
    /// ";
    /// let mut scene = SceneSpec::from_toml(text, "ball.toml").unwrap();
    /// scene.start_from("high").unwrap();
    /// assert_eq!(scene.bodies[0].position.z, 5.0);
    /// let error = scene.start_from("hihg").unwrap_err().to_string();
    /// assert_eq!(error, "scene: keyframes: there is no keyframe called 'hihg'; did you mean 'high'?");
    /// ```
    pub fn start_from(&mut self, name: &str) -> Result<(), SceneError> {
        start_from(self, name).map_err(without_file)
    }
}

pub(crate) fn start_from(scene: &mut SceneSpec, name: &str) -> Result<(), FieldError> {
    super::check_keyframes(scene)?;
    let Some(index) = scene.keyframes.iter().position(|keyframe| keyframe.name == name) else {
        let names: Vec<&str> = scene.keyframes.iter().map(|keyframe| keyframe.name.as_str()).collect();
        let fault = match closest(name, names.iter().copied()) {
            None if !names.is_empty() => {
                Fault::Conflict(format!("there is no keyframe called '{name}'; expected one of {}", names.join(", ")))
            }
            suggestion => Fault::Name(NameFault::Unknown { what: "keyframe", name: name.to_string(), suggestion }),
        };
        return Err(At::ROOT.field("keyframes").fault(fault));
    };
    let SceneSpec { keyframes, bodies, actuators, .. } = scene;
    let keyframe = &keyframes[index];
    for body in bodies {
        if let Some(start) = keyframe.bodies.get(&body.name) {
            put(body, start);
        }
    }
    for actuator in actuators {
        if let Some(control) = keyframe.controls.get(&actuator.name) {
            actuator.control = *control;
        }
    }
    Ok(())
}

fn put(body: &mut BodySpec, start: &BodyStart) {
    match &mut body.joint {
        Some(joint) if !matches!(joint.kind, JointKind::Free(_)) => put_joint(joint, start),
        _ => {
            (body.position, body.orientation) = (start.position, start.orientation);
            (body.velocity, body.angular_velocity) = (start.velocity, start.angular_velocity);
        }
    }
}

fn put_joint(joint: &mut JointSpec, start: &BodyStart) {
    let units: Vec<f64> = (0..joint.axes()).map(|axis| joint.target_unit(axis)).collect();
    let number = |of: &[f64], axis: usize| of.get(axis).copied().unwrap_or(0.0) / units[axis];
    let set = |axis: usize, own: &mut AxisSpec| {
        own.position = number(&start.positions, axis);
        own.velocity = number(&start.velocities, axis);
    };
    match &mut joint.kind {
        JointKind::Weld(_) | JointKind::Free(_) => {}
        JointKind::Revolute(own) | JointKind::Prismatic(own) => set(0, own),
        JointKind::Universal(pair) => {
            set(0, &mut pair.first);
            set(1, &mut pair.second);
        }
        JointKind::Stack(stack) => {
            for (axis, own) in stack.axes.iter_mut().enumerate() {
                let (StackAxisSpec::Hinge(own) | StackAxisSpec::Slide(own)) = own;
                set(axis, own);
            }
        }
        JointKind::Spherical(ball) => {
            ball.orientation = start.orientation;
            ball.velocity = start.angular_velocity / joint.angle_unit.in_radians();
        }
    }
}
