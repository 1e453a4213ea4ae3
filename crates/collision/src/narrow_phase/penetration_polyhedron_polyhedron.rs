//! The shortest translation that separates two polyhedra.

use burgess_geometry::{Polyhedron, RelativePose};

use super::expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};

/// Allowed difference of the bounds on the depth, relative to the larger body.
const TOLERANCE: f64 = 1e-13;
/// Maximum number of polytope corners for each vertex of the bodies. Most pairs need some tens of corners in all; two
/// finely tessellated concentric balls, where all directions are nearly equivalent, need several for each vertex.
const MAX_CORNERS_PER_VERTEX: usize = 64;

/// Returns the depth of two penetrating polyhedra (the minimal translation, exact unless reported as unfinished), or a
/// direction that separates them.
pub fn penetration_polyhedron_polyhedron(
    a: &Polyhedron,
    b: &Polyhedron,
    b_in_a: &RelativePose,
    scratch: &mut PolytopeScratch,
) -> PolytopeOutcome {
    // The walks to the farthest vertices start where the last ones ended.
    let (mut last_a, mut last_b) = (0, 0);
    let support = |normal| {
        last_a = a.support_from(normal, last_a);
        last_b = b.support_from(-(b_in_a.rotation_inverse * normal), last_b);
        (a.vertices()[last_a as usize], b_in_a.b_to_a(b.vertices()[last_b as usize]))
    };
    let max_corners = MAX_CORNERS_PER_VERTEX * (a.vertices().len() + b.vertices().len());
    expanding_polytope(support, TOLERANCE * a.size().max(b.size()), max_corners, scratch)
}
