//! The mass of a link.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DVec3};

use super::{Notes, origin, required_number};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// What a link weighs.
pub(super) enum Mass {
    /// All of it, in the link's coordinates.
    Given(MassProperties),
    /// In kg; how it is spread is for the shapes to say.
    OfShapes(f64),
}

/// The mass of a link; none if it has none, or zero. An inertia that no body can have gives way to that of the shapes,
/// if there are any.
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
    let Some(inertia) = inertial.child("inertia") else {
        if has_shapes {
            notes.add("masses without <inertia>: it is that of the shapes, scaled to the mass", inertial);
            return Ok(Some(Mass::OfShapes(mass)));
        }
        return Err(missing("<inertia>, and the link no shapes to take it from"));
    };
    let moments = read_inertia(inertia)?;
    match MassProperties::new(mass, DVec3::ZERO, moments) {
        Ok(own) => Ok(Some(Mass::Given(placed(own, &frame)))),
        Err(_) if has_shapes => {
            notes.add("inertias that no body has: that of the shapes, scaled to the mass, is taken instead", inertia);
            Ok(Some(Mass::OfShapes(mass)))
        }
        Err(error) => Err(inertia.conflict(format!("no body has this inertia, and there are no shapes to take it from: {error}"))),
    }
}

fn read_inertia(inertia: &Element) -> Result<DMat3, ImportError> {
    let beside = |name| Ok::<_, ImportError>(inertia.number(name)?.unwrap_or(0.0));
    let (xx, yy, zz) =
        (required_number(inertia, "ixx")?, required_number(inertia, "iyy")?, required_number(inertia, "izz")?);
    let (xy, xz, yz) = (beside("ixy")?, beside("ixz")?, beside("iyz")?);
    Ok(DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)))
}

/// A frame that is not turned keeps the inertia's bits.
fn placed(own: MassProperties, frame: &Pose) -> MassProperties {
    if frame.rotation == glam::DQuat::IDENTITY {
        MassProperties { center_of_mass: frame.translation, ..own }
    } else {
        own.transformed(frame)
    }
}
