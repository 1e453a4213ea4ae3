//! The patch of a polyhedron: a face if one is nearly perpendicular to the direction, else an edge, else a corner.

use burgess_geometry::{Edge, Feature, Polyhedron, Spoke};
use glam::DVec3;

use super::patch::{Corner, EDGE_SINE, FACE_COSINE, Patch, Polygon, Segment, SegmentEnd, Tip};

/// Sine of a slope below which an edge counts as perpendicular to the direction.
const LEVEL_SINE: f64 = 1e-6;

/// Returns the patch along a unit direction. The search for the farthest corner starts at `start`.
pub(super) fn patch_polyhedron(
    polyhedron: &Polyhedron,
    direction: DVec3,
    start: Option<Feature>,
    corners: &mut Vec<Corner>,
) -> Patch {
    let start = start.and_then(|feature| corner_of(polyhedron, feature)).unwrap_or(0);
    let tip = polyhedron.support_from(direction, start);

    // The edge at the tip that is most nearly perpendicular to the direction. If it is exactly so, its two ends are
    // equally far, and only its two faces can touch; otherwise all faces at the tip can.
    let edge_at = |spoke: &Spoke| &polyhedron.edges()[spoke.edge as usize];
    let slope = |spoke: &&Spoke| spoke.plane.normal.dot(direction).abs();
    let spokes = polyhedron.spokes(tip);
    let Some(across) = spokes.iter().min_by(|s, t| slope(s).total_cmp(&slope(t))) else {
        return Patch::None;
    };
    let beside = if slope(&across) <= LEVEL_SINE { std::slice::from_ref(across) } else { spokes };
    let mut flattest = (f64::NEG_INFINITY, 0);
    for face in beside.iter().map(edge_at).flat_map(|edge| [edge.left, edge.right]) {
        let cosine = polyhedron.faces()[face as usize].plane.normal.dot(direction);
        if cosine > flattest.0 || (cosine == flattest.0 && face < flattest.1) {
            flattest = (cosine, face);
        }
    }
    let (cosine, face) = flattest;
    if cosine >= FACE_COSINE {
        corners.extend(polyhedron.sides(face).iter().map(|side| Corner {
            point: polyhedron.vertices()[side.vertex as usize],
            vertex: Feature::Vertex(side.vertex),
            side: Feature::Edge(side.edge),
            outward: DVec3::ZERO,
        }));
        let plane = &polyhedron.faces()[face as usize].plane;
        return Patch::Polygon(Polygon { normal: plane.normal, offset: plane.offset, feature: Feature::Face(face) });
    }

    if slope(&across) <= EDGE_SINE {
        let Edge { tail, head, .. } = *edge_at(across);
        let ends = [tail, head].map(|vertex| SegmentEnd {
            point: polyhedron.vertices()[vertex as usize],
            radius: 0.0,
            vertex: Feature::Vertex(vertex),
        });
        return Patch::Segment(Segment { ends, feature: Feature::Edge(across.edge) });
    }
    Patch::Tip(Tip {
        point: polyhedron.vertices()[tip as usize],
        feature: Feature::Vertex(tip),
        size: polyhedron.bounds().extents().max_element(),
    })
}

/// Returns a corner of a feature, if the polyhedron has such a feature.
fn corner_of(polyhedron: &Polyhedron, feature: Feature) -> Option<u32> {
    match feature {
        Feature::Vertex(v) => ((v as usize) < polyhedron.vertices().len()).then_some(v),
        Feature::Edge(e) => polyhedron.edges().get(e as usize).map(|edge| edge.tail),
        Feature::Face(f) => ((f as usize) < polyhedron.faces().len()).then(|| polyhedron.sides(f)[0].vertex),
    }
}
