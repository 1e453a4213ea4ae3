//! Pictures of bodies in the rest pose, standing on the ground.

use burgess_geometry::shape::HalfSpace;
use burgess_geometry::{Pose, Shape};
use burgess_pictures::{Picture, PictureError, PictureOptions};
use glam::DVec3;

use crate::develop::color;
use crate::phenotype::Body;

/// Draws a body as SVG, with all joints at zero and its lowest point on the ground.
///
/// ```
/// use burgess_creature::graph::handmade::tree;
/// use burgess_creature::{Genome, Physiology, portrait};
///
/// let phenotype = tree().grow(&Physiology::default()).unwrap();
/// let svg = portrait(&phenotype.body, Default::default()).unwrap();
/// assert!(svg.starts_with("<svg") && svg.len() < 60_000);
/// ```
pub fn portrait(body: &Body, options: PictureOptions) -> Result<String, PictureError> {
    let made = body.parts.iter().enumerate().map(|(index, part)| {
        part.shape.shape().map_err(|error| PictureError::NotFinite { what: format!("part {index} ({error})") })
    });
    let shapes = made.collect::<Result<Vec<Shape>, _>>()?;
    let ground = Shape::HalfSpace(HalfSpace);
    let lowest = body.parts.iter().map(|part| part.shape.bounds(&part.pose)[0].z).fold(f64::INFINITY, f64::min);
    let stand = Pose::from_translation(-lowest * DVec3::Z);
    let mut picture = Picture::new(options)?;
    picture.add_scenery(&ground, &Pose::IDENTITY, None);
    for (shape, part) in shapes.iter().zip(&body.parts) {
        picture.add_body(shape, &stand.compose(&part.pose), Some(color(part)));
    }
    picture.svg()
}
