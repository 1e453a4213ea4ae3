//! The closest points of a pair of features that V-Clip has found to be closest.

use burgess_geometry::{Feature, Polyhedron, RelativePose};
use glam::DVec3;

use super::states::{closest_point_segment, closest_segment_segment};
use crate::narrow_phase::{FeaturePair, Proximity};

/// Distance, normal and points of two features, none of them a face unless the other is a vertex. In the frame of a.
pub fn proximity_of_features(a: &Polyhedron, b: &Polyhedron, b_in_a: &RelativePose, pair: FeaturePair) -> Proximity {
    let vertex_a = |v: u32| a.vertices()[v as usize];
    let vertex_b = |v: u32| b_in_a.b_to_a(b.vertices()[v as usize]);
    let edge_b = |e: u32| {
        let (tail, head) = b.edge_points(e);
        (b_in_a.b_to_a(tail), b_in_a.b_to_a(head))
    };
    match (pair.a, pair.b) {
        (Feature::Face(f), Feature::Vertex(v)) => {
            let plane = &a.faces()[f as usize].plane;
            let point_b = vertex_b(v);
            let distance = plane.distance(point_b);
            Proximity { distance, normal: plane.normal, point_a: point_b - distance * plane.normal, point_b }
        }
        (Feature::Vertex(v), Feature::Face(f)) => {
            let plane = &b.faces()[f as usize].plane;
            let point_a = vertex_a(v);
            let distance = plane.distance(b_in_a.a_to_b(point_a));
            let normal = -(b_in_a.rotation * plane.normal);
            Proximity { distance, normal, point_a, point_b: point_a + distance * normal }
        }
        (Feature::Edge(e), Feature::Edge(g)) => {
            let (tail, head) = a.edge_points(e);
            let (from, to) = edge_b(g);
            let (x, y) = closest_segment_segment(tail, head, from, to);
            between(x, y, || outward(a, b, b_in_a, (head - tail).cross(to - from)))
        }
        (Feature::Vertex(v), Feature::Edge(g)) => {
            let (from, to) = edge_b(g);
            let point = vertex_a(v);
            between(point, closest_point_segment(point, from, to), || edge_normal(b, g, |n| -(b_in_a.rotation * n)))
        }
        (Feature::Edge(e), Feature::Vertex(v)) => {
            let (tail, head) = a.edge_points(e);
            let point = vertex_b(v);
            between(closest_point_segment(point, tail, head), point, || edge_normal(a, e, |n| n))
        }
        (x, y) => {
            let corner = |body: &Polyhedron, feature| match feature {
                Feature::Vertex(v) => v,
                Feature::Edge(e) => body.edges()[e as usize].tail,
                Feature::Face(f) => body.sides(f)[0].vertex,
            };
            between(vertex_a(corner(a, x)), vertex_b(corner(b, y)), || outward(a, b, b_in_a, DVec3::ZERO))
        }
    }
}

/// The proximity of two points; `when_touching` gives the normal when they are one.
fn between(point_a: DVec3, point_b: DVec3, when_touching: impl Fn() -> DVec3) -> Proximity {
    let gap = point_b - point_a;
    let distance = gap.length();
    // Below this the direction of the gap is rounding.
    let touching = distance <= 1e-14 * (point_a.abs().max(point_b.abs()).max_element());
    let normal = if touching || distance == 0.0 { when_touching() } else { gap / distance };
    Proximity { distance, normal, point_a, point_b }
}

/// The mean normal of the two faces at an edge.
fn edge_normal(body: &Polyhedron, edge: u32, turn: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let edge = &body.edges()[edge as usize];
    let normal = |face: u32| body.faces()[face as usize].plane.normal;
    turn((normal(edge.left) + normal(edge.right)).normalize_or(normal(edge.left)))
}

/// The direction, pointed from a to b; the line of the centres when there is none.
fn outward(a: &Polyhedron, b: &Polyhedron, b_in_a: &RelativePose, direction: DVec3) -> DVec3 {
    let centers = b_in_a.b_to_a(b.center()) - a.center();
    match direction.try_normalize() {
        Some(unit) if unit.dot(centers) < 0.0 => -unit,
        Some(unit) => unit,
        None => centers.normalize_or(DVec3::Z),
    }
}
