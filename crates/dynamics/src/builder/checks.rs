//! Checks of links and joints.

use burgess_geometry::MassProperties;
use glam::DMat3;

use super::Entry;
use crate::ModelError;
use crate::spec::{AxisProperties, LimitSpring, LinkSpec, Motor};

/// Maximum rounding error of the symmetry and the triangle inequality of moments of inertia, relative to their sum.
const INERTIA_TOLERANCE: f64 = 1e-9;

/// Checks that a body can have the mass and the inertia of a link.
pub(super) fn check_link(link: &LinkSpec) -> Result<(), ModelError> {
    let name = || link.name.clone();
    if !(link.mass > 0.0 && link.mass.is_finite()) {
        return Err(ModelError::Mass { link: name(), mass: link.mass });
    }
    if !link.center_of_mass.is_finite() {
        return Err(ModelError::NotFinite { link: name(), what: "the centre of mass" });
    }
    if !link.inertia.is_finite() {
        return Err(ModelError::NotFinite { link: name(), what: "the inertia" });
    }
    let refuse = |why: String| Err(ModelError::Inertia { link: name(), why });
    let asymmetry = link.inertia - link.inertia.transpose();
    let sum = link.inertia.x_axis.x + link.inertia.y_axis.y + link.inertia.z_axis.z;
    let largest = |m: DMat3| m.to_cols_array().into_iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    if largest(asymmetry) > INERTIA_TOLERANCE * sum.abs() {
        return refuse("it is not symmetric".to_string());
    }
    let moments = principal_moments(link);
    let [low, middle, high] = moments;
    if low <= 0.0 {
        return refuse(format!("its principal moments are {low}, {middle} and {high}; all must be positive"));
    }
    if high > (low + middle) + INERTIA_TOLERANCE * sum {
        return refuse(format!("{high} is more than {low} + {middle}: it breaks the triangle inequality"));
    }
    Ok(())
}

/// Returns the principal moments, ascending.
fn principal_moments(link: &LinkSpec) -> [f64; 3] {
    let LinkSpec { mass, center_of_mass, inertia, .. } = *link;
    let properties = MassProperties { mass, center_of_mass, inertia };
    let mut moments = properties.principal_axes().0.to_array();
    moments.sort_by(f64::total_cmp);
    moments
}

/// Checks the frames of a joint and the properties of its axes.
pub(super) fn check_properties(entry: &Entry) -> Result<(), ModelError> {
    let name = || entry.link.name.clone();
    for frame in [&entry.joint.parent_frame, &entry.joint.child_frame] {
        if !frame.translation.is_finite() || !frame.rotation.is_finite() || frame.rotation.length_squared() < 1e-12 {
            return Err(ModelError::NotFinite { link: name(), what: "a frame of its joint" });
        }
    }
    for (axis, properties) in entry.joint.properties().iter().enumerate() {
        let AxisProperties { limit, limit_spring, stiffness, rest, damping, friction, armature, motor, max_effort } =
            *properties;
        if let Some((lower, upper)) = limit
            && (lower > upper || lower.is_nan() || upper.is_nan())
        {
            return Err(ModelError::LimitOrder { link: name(), axis, lower, upper });
        }
        let spring = limit_spring.unwrap_or(LimitSpring { stiffness: 1.0, damping: 0.0 });
        if limit_spring.is_some() && (limit.is_none() || spring.stiffness == 0.0) {
            return Err(ModelError::LimitSpring { link: name(), axis });
        }
        let not_negative = [
            ("stiffness of the limit", spring.stiffness),
            ("damping of the limit", spring.damping),
            ("stiffness", stiffness),
            ("damping", damping),
            ("dry friction", friction),
            ("armature", armature),
            ("maximum effort", max_effort),
        ];
        for (what, value) in not_negative {
            if value < 0.0 || value.is_nan() {
                return Err(ModelError::Negative { link: name(), axis, what, value });
            }
        }
        let passive = [rest, stiffness, damping, armature, friction, spring.stiffness, spring.damping];
        if !passive.into_iter().all(f64::is_finite) {
            return Err(ModelError::NotFinite { link: name(), what: "a property of its joint" });
        }
        let (numbers, gains) = match motor {
            Motor::None => ([0.0; 2], [("", 0.0); 2]),
            Motor::Effort(effort) => ([effort, 0.0], [("", 0.0); 2]),
            Motor::Velocity { target, gain } => ([target, gain], [("gain of the motor", gain), ("", 0.0)]),
            Motor::Position { target, stiffness, damping } => (
                [target, stiffness + damping],
                [("stiffness of the motor", stiffness), ("damping of the motor", damping)],
            ),
        };
        if !numbers.into_iter().all(f64::is_finite) {
            return Err(ModelError::NotFinite { link: name(), what: "a number of its motor" });
        }
        for (what, value) in gains {
            if value < 0.0 {
                return Err(ModelError::Negative { link: name(), axis, what, value });
            }
        }
    }
    Ok(())
}
