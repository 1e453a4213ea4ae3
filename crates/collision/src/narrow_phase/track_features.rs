//! Tracking of features that were once the closest (Fontijne 2000, section 2.4.2): the closest points of two given
//! features, and whether a point is (still) in the Voronoi region of a feature.
//!
//! Features include their boundaries: an edge is a segment, a face a polygon. Where many pairs of points are equally
//! close, as between parallel edges or faces, the result is in the middle of them, so that it moves smoothly.

use burgess_geometry::{Feature, Polyhedron, RelativePose};
use glam::DVec3;

/// Squared sine below which two segments are parallel.
const PARALLEL_SINE_SQUARED: f64 = 1e-20;
/// Difference below which heights count as equal, relative to the length between them.
const LEVEL_TOLERANCE: f64 = 1e-10;
/// Difference below which distances count as equal, relative to the size of the features.
const EQUAL_TOLERANCE: f64 = 4e-15;

/// Returns the closest points of two features, on a and on b, both in the frame of a.
pub fn closest_points_of_features(
    a: &Polyhedron,
    feature_a: Feature,
    b: &Polyhedron,
    feature_b: Feature,
    b_in_a: &RelativePose,
) -> (DVec3, DVec3) {
    let vertex_a = |i: u32| a.vertices()[i as usize];
    let vertex_b = |i: u32| b_in_a.b_to_a(b.vertices()[i as usize]);
    let edge_b = |i: u32| {
        let (tail, head) = b.edge_points(i);
        (b_in_a.b_to_a(tail), b_in_a.b_to_a(head))
    };
    match (feature_a, feature_b) {
        (Feature::Vertex(v), Feature::Vertex(w)) => (vertex_a(v), vertex_b(w)),
        (Feature::Vertex(v), Feature::Edge(e)) => (vertex_a(v), closest_on_segment(edge_b(e), vertex_a(v))),
        (Feature::Edge(e), Feature::Vertex(v)) => (closest_on_segment(a.edge_points(e), vertex_b(v)), vertex_b(v)),
        (Feature::Edge(e), Feature::Edge(f)) => closest_segments(a.edge_points(e), edge_b(f)),
        (Feature::Face(f), Feature::Vertex(v)) => (closest_on_face(a, f, vertex_b(v)), vertex_b(v)),
        (Feature::Face(f), Feature::Edge(e)) => swap(closest_segment_face(edge_b(e), a, f)),
        (Feature::Face(f), Feature::Face(g)) => closest_faces(a, f, b, g, b_in_a),
        // The rest is the same with the face on the other side, in the frame of b.
        (Feature::Vertex(v), Feature::Face(f)) => {
            (vertex_a(v), b_in_a.b_to_a(closest_on_face(b, f, b_in_a.a_to_b(vertex_a(v)))))
        }
        (Feature::Edge(e), Feature::Face(f)) => {
            let (tail, head) = a.edge_points(e);
            let (on_edge, on_face) = closest_segment_face((b_in_a.a_to_b(tail), b_in_a.a_to_b(head)), b, f);
            (b_in_a.b_to_a(on_edge), b_in_a.b_to_a(on_face))
        }
    }
}

/// Returns whether the point is in the Voronoi region of the feature, or outside by at most `tolerance` metres. A point
/// below a face by more than the tolerance is outside as well. The point is in the frame of the polyhedron.
pub fn lies_in_voronoi_region(polyhedron: &Polyhedron, feature: Feature, point: DVec3, tolerance: f64) -> bool {
    let below = match feature {
        Feature::Face(f) => -polyhedron.faces()[f as usize].plane.distance(point),
        _ => f64::NEG_INFINITY,
    };
    below <= tolerance && distance_beyond_voronoi_planes(polyhedron, feature, point) <= tolerance
}

/// Returns how far a point is beyond the most violated plane between the feature's Voronoi region and adjacent ones, in
/// metres; negative inside. The plane of a face is not one of them: this measures sideways only.
pub fn distance_beyond_voronoi_planes(polyhedron: &Polyhedron, feature: Feature, point: DVec3) -> f64 {
    let worst = |distances: &mut dyn Iterator<Item = f64>| distances.fold(f64::NEG_INFINITY, f64::max);
    match feature {
        Feature::Vertex(v) => worst(&mut polyhedron.spokes(v).iter().map(|s| s.plane.distance(point))),
        Feature::Edge(e) => worst(&mut polyhedron.edges()[e as usize].planes.iter().map(|p| p.distance(point))),
        Feature::Face(f) => worst(&mut polyhedron.sides(f).iter().map(|s| s.plane.distance(point))),
    }
}

fn swap<T>((first, second): (T, T)) -> (T, T) {
    (second, first)
}

/// Returns the parameter of the point on the segment, as a fraction of its length.
fn parameter_on_segment((tail, head): (DVec3, DVec3), point: DVec3) -> f64 {
    let along = head - tail;
    ((point - tail).dot(along) / along.length_squared()).clamp(0.0, 1.0)
}

fn closest_on_segment(segment: (DVec3, DVec3), point: DVec3) -> DVec3 {
    segment.0.lerp(segment.1, parameter_on_segment(segment, point))
}

fn closest_segments(first: (DVec3, DVec3), second: (DVec3, DVec3)) -> (DVec3, DVec3) {
    let (u, v, w) = (first.1 - first.0, second.1 - second.0, first.0 - second.0);
    let (uu, vv) = (u.length_squared(), v.length_squared());
    let across = u.cross(v);
    if across.length_squared() <= PARALLEL_SINE_SQUARED * uu * vv {
        // The midpoint of the part of the first segment that the second one covers.
        let along = |point: DVec3| (point - first.0).dot(u) / uu;
        let (p, q) = (along(second.0), along(second.1));
        let middle = 0.5 * (p.min(q).clamp(0.0, 1.0) + p.max(q).clamp(0.0, 1.0));
        let on_first = first.0.lerp(first.1, middle);
        return (on_first, closest_on_segment(second, on_first));
    }
    // The crossing of the lines, clamped to the first segment; then each clamped to the other. Cross products are used
    // because the difference of products of dot products cancels when the segments are nearly parallel.
    let s = (v.cross(w).dot(across) / across.length_squared()).clamp(0.0, 1.0);
    let on_second = closest_on_segment(second, first.0.lerp(first.1, s));
    (closest_on_segment(first, on_second), on_second)
}

/// Returns the two ends of a side of a face.
fn side_points(polyhedron: &Polyhedron, face: u32, side: usize) -> (DVec3, DVec3) {
    let sides = polyhedron.sides(face);
    let corner = |i: usize| polyhedron.vertices()[sides[i % sides.len()].vertex as usize];
    (corner(side), corner(side + 1))
}

fn closest_on_face(polyhedron: &Polyhedron, face: u32, point: DVec3) -> DVec3 {
    let plane = &polyhedron.faces()[face as usize].plane;
    let sides = polyhedron.sides(face);
    if sides.iter().all(|s| s.plane.distance(point) <= 0.0) {
        return point - plane.distance(point) * plane.normal;
    }
    let mut best = (f64::INFINITY, point);
    for side in 0..sides.len() {
        let candidate = closest_on_segment(side_points(polyhedron, face, side), point);
        let distance = candidate.distance_squared(point);
        if distance < best.0 {
            best = (distance, candidate);
        }
    }
    best.1
}

/// Returns the closest points of a segment and a face, both in the frame of the face's polyhedron.
fn closest_segment_face(segment: (DVec3, DVec3), polyhedron: &Polyhedron, face: u32) -> (DVec3, DVec3) {
    let plane = &polyhedron.faces()[face as usize].plane;
    let sides = polyhedron.sides(face);
    let (tail, head) = segment;
    // The part of the segment directly above or below the face.
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for side in sides {
        let (from, to) = (side.plane.distance(tail), side.plane.distance(head));
        if from > 0.0 && to > 0.0 {
            start = f64::INFINITY;
        } else if from > 0.0 {
            start = start.max(from / (from - to));
        } else if to > 0.0 {
            end = end.min(from / (from - to));
        }
    }
    let height = |t: f64| plane.distance(tail.lerp(head, t));
    let straight_down = |t: f64| (tail.lerp(head, t), tail.lerp(head, t) - height(t) * plane.normal);
    if start <= end {
        let (first, last, rise) = (height(start), height(end), height(1.0) - height(0.0));
        if rise.abs() < LEVEL_TOLERANCE * tail.distance(head) {
            return straight_down(0.5 * (start + end));
        } else if (first < 0.0) != (last < 0.0) {
            return straight_down(start + (end - start) * first / (first - last));
        }
        // An end of the segment, unless it continues towards the plane where the face has ended.
        let towards_tail = (rise > 0.0) == (first >= 0.0);
        if towards_tail && start == 0.0 {
            return straight_down(0.0);
        } else if !towards_tail && end == 1.0 {
            return straight_down(1.0);
        }
    }

    // The segment may be nearer beyond the boundary.
    let mut best = (f64::INFINITY, (tail, tail));
    for side in 0..sides.len() {
        let points = closest_segments(segment, side_points(polyhedron, face, side));
        let distance = points.0.distance_squared(points.1);
        if distance < best.0 {
            best = (distance, points);
        }
    }
    best.1
}

fn closest_faces(a: &Polyhedron, face_a: u32, b: &Polyhedron, face_b: u32, b_in_a: &RelativePose) -> (DVec3, DVec3) {
    // Two polygons are closest, or cross, on the boundary of one of them: compare each side of one with the other.
    let from_b = (0..b.sides(face_b).len()).map(|side| {
        let (tail, head) = side_points(b, face_b, side);
        swap(closest_segment_face((b_in_a.b_to_a(tail), b_in_a.b_to_a(head)), a, face_a))
    });
    let from_a = (0..a.sides(face_a).len()).map(|side| {
        let (tail, head) = side_points(a, face_a, side);
        let (on_a, on_b) = closest_segment_face((b_in_a.a_to_b(tail), b_in_a.a_to_b(head)), b, face_b);
        (b_in_a.b_to_a(on_a), b_in_a.b_to_a(on_b))
    });
    let (tail, head) = side_points(a, face_a, 0);
    let equal = EQUAL_TOLERANCE * tail.distance(head);
    let mut closest = f64::INFINITY;
    let mut mean = (DVec3::ZERO, DVec3::ZERO);
    let mut count = 0.0;
    for (on_a, on_b) in from_b.chain(from_a) {
        let distance = on_a.distance(on_b);
        if distance < closest - equal {
            (closest, count, mean) = (distance, 0.0, (DVec3::ZERO, DVec3::ZERO));
        }
        // The set of closest pairs is convex, so the mean of equally close ones is one of them.
        if distance <= closest + equal {
            count += 1.0;
            mean = (mean.0 + on_a, mean.1 + on_b);
        }
    }
    (mean.0 / count, mean.1 / count)
}
