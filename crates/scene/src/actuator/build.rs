//! Builds the motors of a joint from its actuators, at the controls of the start.

use std::collections::BTreeMap;

use burgess_dynamics as dynamics;

use super::drive::{Law, motor};
use crate::spec::{ActuatorSpec, SceneSpec};

/// Actuators by the body whose joint they drive.
pub(crate) struct Drives<'a>(BTreeMap<&'a str, Vec<&'a ActuatorSpec>>);

impl<'a> Drives<'a> {
    pub fn new(scene: &'a SceneSpec) -> Self {
        let mut by_joint: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for actuator in &scene.actuators {
            by_joint.entry(&actuator.joint).or_default().push(actuator);
        }
        Self(by_joint)
    }

    /// Puts the motors of a body's actuators on its joint.
    pub fn put_on(&self, body: &str, joint: &mut dynamics::JointSpec) {
        let Some(actuators) = self.0.get(body) else { return };
        for (axis, properties) in joint.properties_mut().into_iter().enumerate() {
            let own = || actuators.iter().filter(|actuator| actuator.axis == axis).map(|spec| (Law::new(spec), spec));
            if own().next().is_some() {
                properties.motor = motor(own().map(|(law, spec)| (law, spec.control)));
                properties.max_effort = own().map(|(law, _)| law.max_effort()).fold(properties.max_effort, f64::min);
            }
        }
    }
}
