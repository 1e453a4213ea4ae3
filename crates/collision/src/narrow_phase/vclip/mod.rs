//! V-Clip (Mirtich 1997; Fontijne 2000, section 2.4): walks over the features of two convex polyhedra to the closest
//! pair.
//!
//! A pair of features is closest when each of their closest points lies in the Voronoi region of the other feature
//! (Fontijne 2000, theorem 2). Otherwise, one test on the pair yields an adjacent feature that is nearer, or of lower
//! dimension at the same distance. The walk starts where the last one ended, so it is short for bodies that have moved
//! little.
//!
//! Mirtich clips edges in every state, to avoid computing the closest points. Here only edges over faces are clipped,
//! where penetration is detected; the other states test the closest points, which the result needs anyway.
//!
//! In exact arithmetic the walk terminates. In floating point a tie can make it cyclic (Fontijne 2000, section 2.8).
//! The next pair is a pure function of the current one, so Brent's method detects a cycle without storing the pairs.
//! Then an exhaustive search gives the result, and the query is counted.
//!
//! Theorem 2 holds for disjoint bodies. Bodies that share a point can satisfy it there and yet penetrate deeply (a cube
//! twice at the same position shares its vertices), so a distance of zero is examined as well.

mod clip;
mod states;

use burgess_geometry::{Feature, Polyhedron, RelativePose};

use super::{FeaturePair, Proximity, exact_fallback};
pub use states::distance_squared_segment_segment;
use states::{Step, View, edge_edge, edge_face, vertex_edge, vertex_face, vertex_vertex};

/// Result of V-Clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VclipOutcome {
    /// The bodies are separated or touch.
    Separated(Proximity),
    /// The interiors of the bodies overlap. `penetration_polyhedron_polyhedron` computes the depth.
    Penetrating,
}

/// Counts over many queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VclipStatistics {
    /// Number of queries.
    pub queries: u64,
    /// Feature pairs visited, and faces scanned while leaving local minima.
    pub features_visited: u64,
    /// Queries answered by the exact fallback: the walk was cyclic, or ended at a shared point.
    pub fallbacks: u64,
    /// Depth searches that reached their maximum work: their results separate the bodies, but may not be the shortest.
    pub unfinished: u64,
}

/// Returns the distance, closest points and closest features of two convex polyhedra, or that they penetrate.
///
/// The walk starts at `features`, which are replaced by the features at which it ended. Features that do not exist (a
/// stale or default cache) are replaced by vertex 0.
///
/// ```
/// use burgess_collision::narrow_phase::{FeaturePair, vclip};
/// use burgess_geometry::{Polyhedron, Pose, RelativePose};
/// use glam::DVec3;
///
/// let cube = Polyhedron::cuboid(DVec3::splat(0.5)).unwrap();
/// let b_in_a = RelativePose::new(&Pose::IDENTITY, &Pose::from_translation(DVec3::new(3.0, 0.2, 0.1)));
/// let (mut features, mut statistics) = (FeaturePair::default(), vclip::VclipStatistics::default());
/// let outcome = vclip::closest_polyhedron_polyhedron(&cube, &cube, &b_in_a, &mut features, &mut statistics);
/// let vclip::VclipOutcome::Separated(proximity) = outcome else { panic!("they are apart") };
/// assert!((proximity.distance - 2.0).abs() < 1e-15);
/// ```
pub fn closest_polyhedron_polyhedron(
    a: &Polyhedron,
    b: &Polyhedron,
    b_in_a: &RelativePose,
    features: &mut FeaturePair,
    statistics: &mut VclipStatistics,
) -> VclipOutcome {
    statistics.queries += 1;
    let in_a = View { this: a, other: b, rotation: &b_in_a.rotation, translation: b_in_a.translation };
    let in_b = View { this: b, other: a, rotation: &b_in_a.rotation_inverse, translation: b_in_a.translation_inverse };
    let mut pair = FeaturePair { a: existing(a, features.a), b: existing(b, features.b) };

    // Brent: compare every pair with one stored earlier, which is renewed at powers of two.
    let mut kept = pair;
    let mut steps = 0u64;
    let mut renew_at = 8u64;
    let outcome = loop {
        let (step, swapped) = match (pair.a, pair.b) {
            (Feature::Vertex(v), Feature::Face(f)) => (vertex_face(v, f, &in_a, &in_b, statistics), false),
            (Feature::Face(f), Feature::Vertex(v)) => (vertex_face(v, f, &in_b, &in_a, statistics), true),
            (Feature::Edge(e), Feature::Edge(g)) => (edge_edge(e, g, &in_a, &in_b), false),
            (Feature::Vertex(v), Feature::Edge(e)) => (vertex_edge(v, e, &in_a, &in_b), false),
            (Feature::Edge(e), Feature::Vertex(v)) => (vertex_edge(v, e, &in_b, &in_a), true),
            (Feature::Edge(e), Feature::Face(f)) => (edge_face(e, f, &in_a, &in_b), false),
            (Feature::Face(f), Feature::Edge(e)) => (edge_face(e, f, &in_b, &in_a), true),
            (Feature::Vertex(v), Feature::Vertex(w)) => (vertex_vertex(v, w, &in_a, &in_b), false),
            // Not a state of V-Clip; only a caller's cache can contain it.
            (Feature::Face(_), Feature::Face(g)) => (Step::Second(Feature::Vertex(b.sides(g)[0].vertex)), false),
        };
        steps += 1;
        match (step, swapped) {
            (Step::Closest(found), _) => {
                let proximity = if swapped {
                    found.swapped()
                } else {
                    let normal = b_in_a.rotation * found.normal;
                    Proximity::from_point_a(b_in_a.b_to_a(found.point_a), normal, found.distance)
                };
                break if is_proof(a, b, pair, &proximity) { Some(VclipOutcome::Separated(proximity)) } else { None };
            }
            (Step::Penetrating, _) => break Some(VclipOutcome::Penetrating),
            (Step::First(feature), false) | (Step::Second(feature), true) => pair.a = feature,
            (Step::Second(feature), false) | (Step::First(feature), true) => pair.b = feature,
        }
        if pair == kept {
            break None;
        }
        if steps == renew_at {
            (kept, renew_at) = (pair, 2 * renew_at);
        }
    };
    statistics.features_visited += steps;
    let outcome = outcome.unwrap_or_else(|| {
        statistics.fallbacks += 1;
        exact_fallback::closest(a, b, b_in_a, &mut pair)
    });
    *features = pair;
    outcome
}

/// Returns the feature, or vertex 0 if the body has no such feature.
fn existing(body: &Polyhedron, feature: Feature) -> Feature {
    if body.has(feature) { feature } else { Feature::Vertex(0) }
}

/// Returns whether a closest pair proves that the bodies are separated. A vertex over a face always does: the face's
/// plane separates. Other pairs do when the distance is positive.
fn is_proof(a: &Polyhedron, b: &Polyhedron, pair: FeaturePair, proximity: &Proximity) -> bool {
    let by_face = matches!(pair.a, Feature::Face(_)) || matches!(pair.b, Feature::Face(_));
    by_face || proximity.distance > exact_fallback::TOUCHING_TOLERANCE * a.size().max(b.size())
}
