//! Masses of bodies: given, or those of their shapes.

use burgess_files::At;
use burgess_geometry::MassProperties;
use burgess_simulation::{ColliderSpec, WorldError};
use glam::{DMat3, DVec3};

use crate::error::{FieldError, SceneFault};
use crate::spec::BodySpec;

/// The mass that is given, that of the shapes scaled to it, or that of the shapes. None: neither mass nor shapes.
pub(super) fn mass_of(
    at: At,
    body: &BodySpec,
    colliders: &[ColliderSpec],
) -> Result<Option<MassProperties>, FieldError> {
    if let (Some(mass), &[xx, yy, zz, ref rest @ ..]) = (body.mass, &body.inertia[..]) {
        let [xy, xz, yz] = rest.try_into().unwrap_or([0.0; 3]);
        let inertia = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
        let made = MassProperties::new(mass, body.center_of_mass.unwrap_or_default(), inertia);
        return made.map(Some).map_err(|error| at.field("inertia").fault(SceneFault::Shape(error)));
    }
    let mut parts = Vec::with_capacity(colliders.len());
    for collider in colliders {
        let own = collider.shape.mass_properties(collider.density);
        let refuse = |source| at.fault(SceneFault::World(WorldError::Shape { body: body.name.clone(), source }));
        parts.push(own.map_err(refuse)?.transformed(&collider.pose));
    }
    let combined = MassProperties::combined(parts.into_iter());
    let Some(mass) = body.mass else { return Ok(combined) };
    let scaled = combined.map(|all| all.with_mass(mass)).transpose();
    scaled.map_err(|error| at.field("mass").fault(SceneFault::Shape(error)))
}
