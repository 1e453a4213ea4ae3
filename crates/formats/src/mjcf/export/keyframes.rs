//! Keyframes: the start of the scene as `start`, then the keyframes of the scene.
//!
//! The velocity of a free body in MuJoCo is that of its origin in world coordinates; the angular velocity is in body
//! coordinates. With c the centre of mass and R the orientation, `v_origin = v - omega x (R c)` and
//! `omega_body = R^T omega`.

use burgess_scene::spec::{BodyStart, JointKind, SceneSpec};

use super::actuators::Actuators;
use super::joints::Kind;
use super::tree::{Body, Tree};
use crate::export::Names;
use crate::xml::XmlWriter;

/// A state in MuJoCo's coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
struct Start {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    controls: Vec<f64>,
}

pub(super) fn write(xml: &mut XmlWriter, scene: &SceneSpec, tree: &Tree, actuators: &Actuators) {
    let mut names = Names::default();
    let mut start = Start { controls: actuators.list.iter().map(|own| own.control).collect(), ..Start::default() };
    for &index in &tree.order {
        let body = &tree.bodies[index];
        start.add(body, &spec_start(body));
    }
    xml.open("keyframe");
    start.write(xml, &names.unique("start"));
    for key in &scene.keyframes {
        let mut other = Start { controls: start.controls.clone(), ..Start::default() };
        for &index in &tree.order {
            let body = &tree.bodies[index];
            match key.bodies.get(&body.spec.name) {
                Some(given) => other.add(body, given),
                None => other.add(body, &spec_start(body)),
            }
        }
        for (control, &origin) in other.controls.iter_mut().zip(&actuators.origins) {
            if let Some(given) = key.controls.get(&scene.actuators[origin].name) {
                *control = *given;
            }
        }
        // A scene that was imported from an export has its start as a keyframe.
        if key.name != "start" || other != start {
            other.write(xml, &names.unique(&key.name));
        }
    }
    xml.close();
}

/// Returns the start of a body as given by its own spec.
fn spec_start(body: &Body) -> BodyStart {
    let spec = body.spec;
    if let Some(joint) = &spec.joint
        && let JointKind::Spherical(ball) = &joint.kind
    {
        let angular_velocity = ball.velocity * joint.angle_unit.in_radians();
        return BodyStart { orientation: ball.orientation, angular_velocity, ..BodyStart::default() };
    }
    if body.is_free() {
        return BodyStart {
            position: spec.position,
            orientation: spec.orientation,
            velocity: spec.velocity,
            angular_velocity: spec.angular_velocity,
            ..BodyStart::default()
        };
    }
    let (positions, velocities) = body.start.clone();
    BodyStart { positions, velocities, ..BodyStart::default() }
}

impl Start {
    /// Adds the coordinates of a body.
    fn add(&mut self, body: &Body, start: &BodyStart) {
        let turn = start.orientation.rotation().unwrap_or_default();
        for (axis, joint) in body.joints.iter().enumerate() {
            match joint.kind {
                Kind::Hinge | Kind::Slide => {
                    self.positions.push(start.positions.get(axis).copied().unwrap_or(0.0));
                    self.velocities.push(start.velocities.get(axis).copied().unwrap_or(0.0));
                }
                Kind::Ball => {
                    let frame = body.joint_frame.rotation;
                    let turn = frame * turn * frame.conjugate();
                    self.positions.extend([turn.w, turn.x, turn.y, turn.z]);
                    self.velocities.extend((frame * start.angular_velocity).to_array());
                }
                Kind::Free => {
                    let lever = turn * body.center_of_mass();
                    let velocity = start.velocity - start.angular_velocity.cross(lever);
                    self.positions.extend(start.position.to_array());
                    self.positions.extend([turn.w, turn.x, turn.y, turn.z]);
                    self.velocities.extend(velocity.to_array());
                    self.velocities.extend((turn.conjugate() * start.angular_velocity).to_array());
                }
            }
        }
    }

    fn write(&self, xml: &mut XmlWriter, name: &str) {
        xml.open("key").attribute("name", name);
        for (name, values) in [("qpos", &self.positions), ("qvel", &self.velocities), ("ctrl", &self.controls)] {
            if !values.is_empty() {
                xml.numbers(name, values.iter().copied());
            }
        }
        xml.close();
    }
}
