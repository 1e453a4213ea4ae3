//! The dispatch table of the narrow phase: which routine handles which pair of convex shapes.

use burgess_geometry::{Polyhedron, RelativePose, Shape};

use super::closest_convex_convex::{Slab, gap_convex_convex};
use super::core::Core;
use super::vclip::{VclipOutcome, VclipStatistics, closest_polyhedron_polyhedron};
use super::{
    ConvexCache, NarrowScratch, PolytopeOutcome, Proximity, closest_capsule_capsule, closest_capsule_cuboid,
    closest_convex_convex, closest_convex_half_space, closest_polyhedron_half_space, closest_sphere_capsule,
    closest_sphere_cone, closest_sphere_cuboid, closest_sphere_cylinder, closest_sphere_ellipsoid,
    closest_sphere_frustum, closest_sphere_sphere, penetration_cuboid_cuboid, penetration_polyhedron_polyhedron,
};

/// Returns the closest points of two convex shapes, in the frame of a; `None` when one is not convex, or both are
/// unbounded.
///
/// If the table has only the reverse order of the shapes, they are exchanged.
pub fn closest_convex_pair(
    a: &Shape,
    b: &Shape,
    b_in_a: &RelativePose,
    cache: &mut ConvexCache,
    scratch: &mut NarrowScratch,
) -> Option<Proximity> {
    use Shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Sphere};
    // Before any exchange, so that the features in the cache are always those of a and b in this order.
    if let (Some(p), Some(q)) = (a.as_polyhedron(), b.as_polyhedron()) {
        if let VclipOutcome::Separated(proximity) = vclip_polyhedra(p, q, b_in_a, cache, &mut scratch.statistics) {
            return Some(proximity);
        }
        if let (Cuboid(a), Cuboid(b)) = (a, b) {
            return Some(penetration_cuboid_cuboid(a, b, b_in_a));
        }
        return Some(match penetration_polyhedron_polyhedron(p, q, b_in_a, &mut scratch.polytope) {
            PolytopeOutcome::Penetrating(deepest) => deepest,
            PolytopeOutcome::Unfinished(separating) => {
                scratch.statistics.unfinished += 1;
                separating
            }
            // Separated only by rounding: they touch.
            PolytopeOutcome::Separated { normal, gap } => Slab { normal, width: gap }.refined(
                &mut Core::Polyhedron(p).into(),
                &mut Core::Polyhedron(q).into(),
                b_in_a,
            ),
        });
    }
    if order(a) > order(b) {
        // Transform from the frame of b to the frame of a.
        let seen_from_b = closest_convex_pair(b, a, &b_in_a.swapped(), cache, scratch)?;
        return Some(seen_from_b.swapped().transformed(&b_in_a.rotation, b_in_a.translation));
    }
    Some(match (a, b) {
        (Sphere(a), Sphere(b)) => closest_sphere_sphere(a, b, b_in_a),
        (Sphere(a), Cuboid(b)) => closest_sphere_cuboid(a, b, b_in_a),
        (Sphere(a), Capsule(b)) => closest_sphere_capsule(a, b, b_in_a),
        (Sphere(a), Cylinder(b)) => closest_sphere_cylinder(a, b, b_in_a),
        (Sphere(a), Cone(b)) => closest_sphere_cone(a, b, b_in_a),
        (Sphere(a), Frustum(b)) => closest_sphere_frustum(a, b, b_in_a),
        (Sphere(a), Ellipsoid(b)) => closest_sphere_ellipsoid(a, b, b_in_a),
        (Capsule(a), Cuboid(b)) => closest_capsule_cuboid(a, b, b_in_a),
        (Capsule(a), Capsule(b)) => closest_capsule_capsule(a, b, b_in_a),
        (Sphere(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Capsule(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Cuboid(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Cylinder(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Cone(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Frustum(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Ellipsoid(a), HalfSpace(_)) => closest_convex_half_space(a, b_in_a),
        (Shape::Polyhedron(a), HalfSpace(_)) => {
            let (proximity, lowest) = closest_polyhedron_half_space(a, b_in_a, cache.vertex());
            *cache = ConvexCache::Vertex(lowest);
            proximity
        }
        _ => {
            let mut direction = cache.direction();
            let proximity = closest_convex_convex(a, b, b_in_a, &mut direction, &mut scratch.polytope)?;
            *cache = ConvexCache::Direction(direction);
            proximity
        }
    })
}

/// Returns a lower bound on the distance of two convex shapes that is greater than `margin` metres. Returns `None` if
/// they may be nearer, or if no cached data gives a bound faster than [`closest_convex_pair`].
pub(super) fn gap_convex_pair(
    a: &Shape,
    b: &Shape,
    b_in_a: &RelativePose,
    margin: f64,
    cache: &mut ConvexCache,
) -> Option<f64> {
    let ConvexCache::Direction(direction) = cache else { return None };
    if order(a) > order(b) {
        gap_convex_convex(b, a, &b_in_a.swapped(), margin, direction)
    } else {
        gap_convex_convex(a, b, b_in_a, margin, direction)
    }
}

/// Runs V-Clip from the features where it last ended.
pub(super) fn vclip_polyhedra(
    a: &Polyhedron,
    b: &Polyhedron,
    b_in_a: &RelativePose,
    cache: &mut ConvexCache,
    statistics: &mut VclipStatistics,
) -> VclipOutcome {
    let mut features = cache.features();
    let outcome = closest_polyhedron_polyhedron(a, b, b_in_a, &mut features, statistics);
    *cache = ConvexCache::Features(features);
    outcome
}

/// Returns the order in which the table above lists the shapes of a pair.
fn order(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Capsule(_) => 1,
        Shape::Cuboid(_) => 2,
        Shape::Cylinder(_) => 3,
        Shape::Cone(_) => 4,
        Shape::Frustum(_) => 5,
        Shape::Ellipsoid(_) => 6,
        Shape::Polyhedron(_) => 7,
        Shape::HalfSpace(_) => 8,
        // These are not convex, so the table has no row for them.
        Shape::Compound(_) | Shape::Mesh(_) | Shape::HeightField(_) => 9,
    }
}
