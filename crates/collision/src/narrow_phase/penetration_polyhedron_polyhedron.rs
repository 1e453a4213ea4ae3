//! The shortest translation that separates two polyhedra.

use burgess_geometry::{Polyhedron, RelativePose};

use super::expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};

/// The bounds of the depth meet to within this part of the larger body.
const TOLERANCE: f64 = 1e-13;
/// Bounds the work; a pair of polyhedra with hundreds of faces needs some tens of corners.
const MOST_CORNERS: usize = 4096;

/// The depth of two polyhedra that penetrate: the exact minimal translation; or a direction that separates them.
pub fn penetration_polyhedron_polyhedron(
    a: &Polyhedron,
    b: &Polyhedron,
    b_in_a: &RelativePose,
    scratch: &mut PolytopeScratch,
) -> PolytopeOutcome {
    // The walks to the farthest vertices begin where the last ones ended.
    let (mut last_a, mut last_b) = (0, 0);
    let support = |normal| {
        last_a = a.support_from(normal, last_a);
        last_b = b.support_from(-(b_in_a.rotation_inverse * normal), last_b);
        (a.vertices()[last_a as usize], b_in_a.b_to_a(b.vertices()[last_b as usize]))
    };
    expanding_polytope(support, TOLERANCE * a.size().max(b.size()), MOST_CORNERS, scratch)
}
