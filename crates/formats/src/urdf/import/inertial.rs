//! The mass of a link. Files are often rounded, or carry numbers that nobody looked at:
//!
//! - An inertia that a body could nearly have is mended. With the principal moments `I_k` and `p_k = trace / 2 - I_k`, the
//!   mass times the mean square of the coordinate along axis k, a body has no negative `p_k`; negative ones are raised to
//!   zero.
//! - One that is far from any body's gives way to that of the shapes, scaled to the mass.
//! - A mass without any inertia is a point, which needs another link to be fixed to.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};

use super::{Notes, origin, required_number};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// Changes of the moments up to this part of the largest are mending; beyond it the shapes know better.
const MENDING: f64 = 0.2;

/// What a link weighs.
pub(super) enum Mass {
    /// All of it, in the link's coordinates.
    Given(MassProperties),
    /// In kg; how it is spread is for the shapes to say.
    OfShapes(f64),
    /// In kg, all at one place in the link's coordinates, in m.
    Point(f64, DVec3),
}

/// The mass of a link; none if it has none, or zero.
pub(super) fn read<'a>(
    link: &'a Element,
    has_shapes: bool,
    notes: &mut Notes<'a>,
) -> Result<Option<Mass>, ImportError> {
    let Some(inertial) = link.child("inertial") else { return Ok(None) };
    notes.strangers_in(inertial, &["origin", "mass", "inertia"]);
    let missing = |what: &str| inertial.fault(ImportFault::Missing { what: what.to_string() });
    let weight = inertial.child("mass").ok_or_else(|| missing("<mass>"))?;
    let mass = required_number(weight, "value")?;
    if mass < 0.0 {
        return Err(weight.wrong("value", "zero or more"));
    }
    if mass == 0.0 {
        return Ok(None);
    }
    let frame = origin(inertial)?;
    let moments = inertial.child("inertia").map_or(Ok(DMat3::ZERO), read_inertia)?;
    if let Ok(own) = MassProperties::new(mass, DVec3::ZERO, moments) {
        return Ok(Some(Mass::Given(placed(own, &frame))));
    }
    // Without shapes, any body will do.
    if let Some(mended) = mended(mass, moments, if has_shapes { MENDING } else { f64::INFINITY }) {
        notes.add("inertias that no body has: they are changed to those of the nearest body", inertial);
        return Ok(Some(Mass::Given(placed(mended, &frame))));
    }
    if has_shapes {
        notes.add("inertias that no body has: those of the shapes, scaled to the mass, are taken instead", inertial);
        return Ok(Some(Mass::OfShapes(mass)));
    }
    if moments == DMat3::ZERO {
        return Ok(Some(Mass::Point(mass, frame.translation)));
    }
    let diagonal = DVec3::new(moments.x_axis.x, moments.y_axis.y, moments.z_axis.z);
    let why = format!(
        "no body has the moments of inertia {diagonal} kg m^2 with the products beside them, and there are no shapes to \
         take others from"
    );
    Err(inertial.conflict(why))
}

fn read_inertia(inertia: &Element) -> Result<DMat3, ImportError> {
    let beside = |name| Ok::<_, ImportError>(inertia.number(name)?.unwrap_or(0.0));
    let (xx, yy, zz) =
        (required_number(inertia, "ixx")?, required_number(inertia, "iyy")?, required_number(inertia, "izz")?);
    let (xy, xz, yz) = (beside("ixy")?, beside("ixz")?, beside("iyz")?);
    Ok(DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)))
}

/// The nearest inertia that a body can have, if no moment changes by more than a part of the largest.
fn mended(mass: f64, inertia: DMat3, part: f64) -> Option<MassProperties> {
    let raw = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    if !inertia.is_finite() {
        return None;
    }
    let (moments, axes) = raw.principal_axes();
    let spread = (DVec3::splat(0.5 * moments.element_sum()) - moments).max(DVec3::ZERO);
    let near = DVec3::splat(spread.element_sum()) - spread;
    let change = (near - moments).abs().max_element();
    if change.is_nan() || change > part * moments.abs().max_element() {
        return None;
    }
    let turned = MassProperties { inertia: DMat3::from_diagonal(near), ..raw };
    let turned = turned.transformed(&Pose::new(axes, DVec3::ZERO));
    MassProperties::new(mass, DVec3::ZERO, turned.inertia).ok()
}

/// A frame that is not turned keeps the inertia's bits.
fn placed(own: MassProperties, frame: &Pose) -> MassProperties {
    if frame.rotation == DQuat::IDENTITY {
        MassProperties { center_of_mass: frame.translation, ..own }
    } else {
        own.transformed(frame)
    }
}
