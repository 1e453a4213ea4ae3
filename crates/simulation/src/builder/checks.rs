//! Checks of what a world is built from.

use burgess_dynamics::Model;
use burgess_geometry::Pose;

use crate::constraint::{Constraint, ConstraintKind};
use crate::material::{Material, MaterialId, Surface};
use crate::world_error::WorldError;

/// Refuses surfaces of unknown materials and properties that are out of range.
pub(super) fn check_materials(
    materials: &[Material],
    surfaces: &[(MaterialId, MaterialId, Surface)],
) -> Result<(), WorldError> {
    let known = |id: MaterialId| (id.0 as usize) < materials.len();
    if !surfaces.iter().all(|&(a, b, _)| known(a) && known(b)) {
        return Err(WorldError::Unknown { what: "a surface".to_string(), missing: "material" });
    }
    let special = surfaces.iter().map(|(_, _, surface)| surface);
    for material in materials.iter().chain(special) {
        let Material { friction, restitution, tangential_restitution } = *material;
        let ranges = [
            ("friction", friction, friction >= 0.0 && friction.is_finite(), "finite and not negative"),
            ("restitution", restitution, (0.0..=1.0).contains(&restitution), "from 0 to 1"),
            (
                "tangential restitution",
                tangential_restitution,
                (-1.0..=1.0).contains(&tangential_restitution),
                "from -1 to 1",
            ),
        ];
        for (what, found, fine, expected) in ranges {
            if !fine {
                return Err(WorldError::OutOfRange { what: what.to_string(), expected, found });
            }
        }
    }
    Ok(())
}

/// Refuses poses without a finite position and a unit quaternion, up to rounding.
pub(super) fn check_pose(pose: &Pose, what: impl Fn() -> String) -> Result<(), WorldError> {
    let unit = (pose.rotation.length_squared() - 1.0).abs() < 1e-6;
    if pose.translation.is_finite() && unit { Ok(()) } else { Err(WorldError::Pose { what: what() }) }
}

/// Refuses constraints with lengths or gains that are out of range, and those that tie a body to itself.
pub(super) fn check_constraint(model: &Model, constraint: &Constraint) -> Result<(), WorldError> {
    match constraint.kind {
        ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Slide | ConstraintKind::Weld => {}
        ConstraintKind::Distance { length } => WorldError::unless_not_negative("the length of a distance", length)?,
        ConstraintKind::Rope { length } => WorldError::unless_not_negative("the length of a rope", length)?,
        ConstraintKind::Spring { length, stiffness, damping } => {
            WorldError::unless_not_negative("the length of a spring", length)?;
            WorldError::unless_not_negative("the stiffness of a spring", stiffness)?;
            WorldError::unless_not_negative("the damping of a spring", damping)?;
        }
    }
    match (constraint.a.link, constraint.b.link) {
        (None, None) => Err(WorldError::TiedToItself { place: "in the world".to_string() }),
        (Some(a), Some(b)) if a == b => Err(WorldError::TiedToItself { place: format!("on body '{}'", model.name(a)) }),
        _ => Ok(()),
    }
}
