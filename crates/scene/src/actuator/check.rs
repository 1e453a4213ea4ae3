//! Checks of actuators.

use burgess_files::{At, Fault, NameFault};

use crate::rules::names::{Bodies, joint_of};
use crate::rules::{Checked, conflict, finite, refuse};
use crate::spec::{ActuatorSpec, ControllerSpec, JointKind, SceneSpec};

/// Checks the numbers of an actuator.
pub(crate) fn check_actuator(at: At, actuator: &ActuatorSpec) -> Checked {
    finite(at.field("gain"), actuator.gain)?;
    finite(at.field("control"), actuator.control)?;
    if actuator.gear == 0.0 || !actuator.gear.is_finite() {
        return refuse(at.field("gear"), "finite and not zero", actuator.gear);
    }
    let bias = at.field("bias");
    finite(bias.index(0), actuator.bias[0])?;
    for index in [1, 2] {
        if actuator.bias[index] > 0.0 || !actuator.bias[index].is_finite() {
            return refuse(bias.index(index), "finite and not positive", actuator.bias[index]);
        }
    }
    check_range(at.field("control_range"), actuator.control_range)?;
    check_range(at.field("force_range"), actuator.force_range)?;
    match actuator.force_range {
        Some([low, high]) if actuator.feels_motion() && low != -high => conflict(
            at.field("force_range"),
            &format!(
                "must be the same both ways where the force depends on position or velocity, found [{low}, {high}]"
            ),
        ),
        _ => Ok(()),
    }
}

fn check_range(at: At, range: Option<[f64; 2]>) -> Checked {
    let Some([low, high]) = range else { return Ok(()) };
    finite(at.index(0), low)?;
    finite(at.index(1), high)?;
    if low <= high { Ok(()) } else { conflict(at, &format!("the lower end comes first, found [{low}, {high}]")) }
}

/// Describes the actuator if it must be the only one on its axis.
fn exclusive_kind(actuator: &ActuatorSpec, is_ball: bool) -> Option<&'static str> {
    if actuator.force_range.is_some() && actuator.feels_motion() {
        // Its range becomes the axis's largest effort, which bounds all that drives it.
        Some("an actuator with a force_range that depends on position or velocity")
    } else if is_ball && actuator.bias[1] != 0.0 {
        // Its target is an angle of a rotation, which the efforts of others must not change.
        Some("an actuator of a ball joint that depends on position")
    } else {
        None
    }
}

/// Checks names, and that the actuators and motors of an axis go together.
pub(crate) fn check_drives(scene: &SceneSpec, bodies: &Bodies) -> Checked {
    let list = At::ROOT.field("actuators");
    let mut names = std::collections::BTreeSet::new();
    let mut axes = std::collections::BTreeMap::new();
    for (index, actuator) in scene.actuators.iter().enumerate() {
        let at = list.index(index);
        if !names.insert(&actuator.name) {
            let fault = Fault::Name(NameFault::Duplicate { what: "actuator", name: actuator.name.clone() });
            return Err(at.field("name").fault(fault));
        }
        let ActuatorSpec { joint, axis, .. } = actuator;
        if joint_of(at.field("joint"), bodies, joint, *axis)?.has_motor(*axis) {
            let why = format!("axis {axis} of the joint of '{joint}' has a motor of its own; take one of them away");
            return conflict(at.field("joint"), &why);
        }
        let is_ball =
            matches!(bodies[joint.as_str()].joint.as_ref().map(|own| &own.kind), Some(JointKind::Spherical(_)));
        let others = axes.entry((joint, axis)).or_insert((0, None));
        *others = (others.0 + 1, others.1.or(exclusive_kind(actuator, is_ball)));
        if let (2.., Some(kind)) = others {
            let why =
                format!("{kind} is the only one on its axis, but axis {axis} of the joint of '{joint}' has others");
            return conflict(at, &why);
        }
    }
    let list = At::ROOT.field("controllers");
    for (index, controller) in scene.controllers.iter().enumerate() {
        let ControllerSpec::SpeedLimiter(limiter) = controller else { continue };
        if let Some(joint) = limiter.joints.iter().find(|joint| axes.contains_key(&(joint, &limiter.axis))) {
            let why = format!("an actuator drives axis {} of the joint of '{joint}' already", limiter.axis);
            return conflict(list.index(index).field("joints"), &why);
        }
    }
    Ok(())
}
