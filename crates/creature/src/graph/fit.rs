//! How growth fits parts and bodies to the limits of viability.

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use super::node::ShapeKind;
use crate::part_shape::PartShape;
use crate::phenotype::Body;
use crate::viability::Viability;

/// Maximum initial overlap of parts that are not attached to each other, as a fraction of the thinner one's thickness.
/// It is below what counts as entangled after settling.
pub(super) const MAX_OVERLAP: f64 = 0.03;

/// Margin of what is scaled to a limit, for rounding.
const MARGIN: f64 = 1e-6;

/// Returns the shape of a size, or of the nearest size that is neither too thin nor too small.
pub(super) fn sturdy_shape(kind: ShapeKind, half: DVec3, viability: &Viability) -> PartShape {
    let mut shape = kind.of_size(half);
    let is_thin = |shape: &PartShape| {
        let sides = shape.half_sides();
        sides.min_element() < viability.min_thickness * sides.max_element()
    };
    if is_thin(&shape) {
        let least = viability.min_thickness * (1.0 + MARGIN) * half.max_element();
        shape = kind.of_size(half.max(DVec3::splat(least)));
    }
    if shape.volume() < viability.min_part_volume {
        shape = shape.scaled(libm::cbrt(viability.min_part_volume * (1.0 + MARGIN) / shape.volume()));
    }
    shape
}

/// Returns the orientations on a surface to try: that of the genes, one that leans half as much, and upright.
pub(super) fn orientations(genes: DQuat) -> [DQuat; 3] {
    let upright = DQuat::from_xyzw(0.0, 0.0, genes.z, genes.w);
    let upright = if upright.length() > 1e-6 { upright.normalize() } else { DQuat::IDENTITY };
    let toward = if genes.dot(upright) < 0.0 { -upright } else { upright };
    let between = genes + toward;
    let between = if between.length() > 1e-6 { between.normalize() } else { upright };
    [genes, between, upright]
}

/// Returns the factor that brings a volume (m^3) within its limits.
pub(super) fn fitting_scale(volume: f64, viability: &Viability) -> f64 {
    let wanted = match volume {
        _ if volume < viability.min_volume => viability.min_volume * (1.0 + MARGIN),
        _ if volume > viability.max_volume => viability.max_volume / (1.0 + MARGIN),
        _ => return 1.0,
    };
    libm::cbrt(wanted / volume)
}

/// Multiplies all lengths of a body by a factor.
pub(super) fn scale(body: &mut Body, factor: f64) {
    let scaled = |pose: &Pose| Pose::new(pose.rotation, factor * pose.translation);
    for part in &mut body.parts {
        part.shape = part.shape.scaled(factor);
        if let Some(on) = &mut part.attachment {
            (on.in_parent, on.in_child) = (scaled(&on.in_parent), scaled(&on.in_child));
            on.area *= factor * factor;
        }
    }
    body.update_rest_poses();
}
