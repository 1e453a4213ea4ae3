//! The mass of a link. The numbers in files are often rounded or wrong:
//!
//! - An inertia that is nearly physical is repaired. With the principal moments `I_k` and `p_k = trace / 2 - I_k` (the
//!   mass times the mean square of the coordinate along axis k), a body has no negative `p_k`; negative ones are raised
//!   to zero.
//! - An inertia that is far from physical is replaced by that of the shapes, scaled to the mass.
//! - A mass without inertia is a point mass, which must be fixed to another link.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};

use super::{UrdfWarnings, origin, required_number};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// Maximum change of a moment by a repair, relative to the largest moment; beyond it the inertia of the shapes is used.
const MAX_REPAIR: f64 = 0.2;

/// Mass of a link.
pub(super) enum Mass {
    /// Complete mass properties in link coordinates.
    Given(MassProperties),
    /// A mass in kg that is distributed over the shapes.
    OfShapes(f64),
    /// A point mass in kg and its position in link coordinates, in m.
    Point(f64, DVec3),
}

/// Reads the mass of a link; returns `None` if it is missing or zero.
pub(super) fn read<'a>(
    link: &'a Element,
    has_shapes: bool,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<Option<Mass>, ImportError> {
    let Some(inertial) = link.child("inertial") else { return Ok(None) };
    warnings.check_children(inertial, &["origin", "mass", "inertia"]);
    let missing = |what: &str| inertial.fault(ImportFault::Missing { what: what.to_string() });
    let weight = inertial.child("mass").ok_or_else(|| missing("<mass>"))?;
    let mass = required_number(weight, "value")?;
    if mass < 0.0 {
        return Err(weight.wrong("value", "at least zero"));
    }
    if mass == 0.0 {
        return Ok(None);
    }
    let frame = origin(inertial)?;
    let moments = inertial.child("inertia").map_or(Ok(DMat3::ZERO), read_inertia)?;
    if let Ok(own) = MassProperties::new(mass, DVec3::ZERO, moments) {
        return Ok(Some(Mass::Given(transform(own, &frame))));
    }
    // Without shapes, any repair is accepted.
    if let Some(repaired) = repair(mass, moments, if has_shapes { MAX_REPAIR } else { f64::INFINITY }) {
        warnings.add("physically impossible inertias; the nearest possible inertia is used", inertial);
        return Ok(Some(Mass::Given(transform(repaired, &frame))));
    }
    if has_shapes {
        warnings.add("physically impossible inertias; the inertia of the shapes is used", inertial);
        return Ok(Some(Mass::OfShapes(mass)));
    }
    if moments == DMat3::ZERO {
        return Ok(Some(Mass::Point(mass, frame.translation)));
    }
    let diagonal = DVec3::new(moments.x_axis.x, moments.y_axis.y, moments.z_axis.z);
    let why = format!(
        "the moments {diagonal} kg m^2 with their products of inertia are physically impossible, and there are no shapes \
         to compute others from"
    );
    Err(inertial.conflict(why))
}

fn read_inertia(inertia: &Element) -> Result<DMat3, ImportError> {
    let product = |name| Ok::<_, ImportError>(inertia.number(name)?.unwrap_or(0.0));
    let (xx, yy, zz) =
        (required_number(inertia, "ixx")?, required_number(inertia, "iyy")?, required_number(inertia, "izz")?);
    let (xy, xz, yz) = (product("ixy")?, product("ixz")?, product("iyz")?);
    Ok(DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)))
}

/// Returns the nearest physical inertia, if no moment changes by more than a fraction of the largest.
fn repair(mass: f64, inertia: DMat3, max_change: f64) -> Option<MassProperties> {
    let raw = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    if !inertia.is_finite() {
        return None;
    }
    let (moments, axes) = raw.principal_axes();
    let spread = (DVec3::splat(0.5 * moments.element_sum()) - moments).max(DVec3::ZERO);
    let nearest = DVec3::splat(spread.element_sum()) - spread;
    let change = (nearest - moments).abs().max_element();
    if change.is_nan() || change > max_change * moments.abs().max_element() {
        return None;
    }
    let turned = MassProperties { inertia: DMat3::from_diagonal(nearest), ..raw };
    let turned = turned.transformed(&Pose::new(axes, DVec3::ZERO));
    MassProperties::new(mass, DVec3::ZERO, turned.inertia).ok()
}

/// Transforms mass properties to link coordinates; without rotation the inertia keeps its bits.
fn transform(own: MassProperties, frame: &Pose) -> MassProperties {
    if frame.rotation == DQuat::IDENTITY {
        MassProperties { center_of_mass: frame.translation, ..own }
    } else {
        own.transformed(frame)
    }
}
