//! The five states of V-Clip (Fontijne 2000, figure 2.5): from a pair of features to a better one.
//!
//! A pair of closest points x, y is the result when `y - x` is a normal of the first body at x and `x - y` one of the
//! second at y (Fontijne 2000, theorem 2, in terms of points). Otherwise some adjacent feature is nearer. Every move
//! lowers the distance, or keeps it and lowers the dimension of a feature; the only exception is leaving a local
//! minimum.

use burgess_geometry::{Edge, Feature, Polyhedron};
use glam::{DMat3, DVec3};

use super::VclipStatistics;
use super::clip::{Clipped, clip};
use crate::narrow_phase::Proximity;

/// Slope of a unit vector against a unit normal below which it is rounding: an edge that lies flat over a face must not
/// send the walk around that face. The distance changes by no more than this fraction of an edge.
const LEVEL_TOLERANCE: f64 = 4e-15;
/// Cosine below which a move from a vertex or an edge is not worthwhile: along an edge at cosine c towards a point, the
/// distance decreases by less than its c^2 / 2, here by 5e-21 of itself.
const MIN_COSINE: f64 = 1e-10;
/// Squared sine above which the common normal of two edges is computed from their directions; below, from the gap.
const CROSSING_SINE_SQUARED: f64 = 1e-8;

/// Decision of a state.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// The pair is closest: from the first to the second body, in the frame of the second.
    Closest(Proximity),
    /// The bodies penetrate.
    Penetrating,
    /// Continue with this feature of the first body.
    First(Feature),
    /// Continue with this feature of the second body.
    Second(Feature),
}

/// One body in its own frame, and the transform of the other body into that frame.
#[derive(Clone, Copy)]
pub struct View<'p> {
    /// The body whose frame this is.
    pub this: &'p Polyhedron,
    /// The other body.
    pub other: &'p Polyhedron,
    /// Rotation of the other body in this frame.
    pub rotation: &'p DMat3,
    /// Origin of the other body in this frame.
    pub translation: DVec3,
}

impl View<'_> {
    /// Returns a vertex of the other body in this frame.
    #[inline(always)]
    fn bring_vertex(&self, vertex: u32) -> DVec3 {
        *self.rotation * self.other.vertices()[vertex as usize] + self.translation
    }

    /// Returns the ends of an edge of the other body in this frame.
    #[inline(always)]
    fn bring_edge(&self, edge: u32) -> (DVec3, DVec3) {
        let edge = &self.other.edges()[edge as usize];
        (self.bring_vertex(edge.tail), self.bring_vertex(edge.head))
    }
}

/// Two closest points and the gap between them.
struct Gap {
    on_first: DVec3,
    on_second: DVec3,
    gap: DVec3,
    square: f64,
}

impl Gap {
    #[inline(always)]
    fn new(on_first: DVec3, on_second: DVec3) -> Self {
        let gap = on_second - on_first;
        Self { on_first, on_second, gap, square: gap.length_squared() }
    }

    /// Returns whether a component of the gap along some unit vector is significant.
    #[inline(always)]
    fn matters(&self, component: f64) -> bool {
        component > 0.0 && component * component > MIN_COSINE * MIN_COSINE * self.square
    }

    #[inline(always)]
    fn closest(&self) -> Step {
        let distance = self.square.sqrt();
        // Touching points have no gap that gives the normal; the caller handles this case.
        let normal = if distance > 0.0 { self.gap / distance } else { DVec3::Z };
        Step::Closest(Proximity { distance, normal, point_a: self.on_first, point_b: self.on_second })
    }
}

/// Returns the edge at a vertex that leads most along `direction`, if one does.
#[inline(always)]
fn along_a_spoke(body: &Polyhedron, vertex: u32, direction: DVec3, gap: &Gap) -> Option<Feature> {
    let mut best = (0.0, None);
    for spoke in body.spokes(vertex) {
        let component = spoke.plane.normal.dot(direction);
        if component > best.0 {
            best = (component, Some(Feature::Edge(spoke.edge)));
        }
    }
    if gap.matters(best.0) { best.1 } else { None }
}

/// Returns the face at an edge that `direction` leads over, if any.
#[inline(always)]
fn over_a_face(edge: &Edge, direction: DVec3, gap: &Gap) -> Option<Feature> {
    let (left, right) = (edge.planes[2].normal.dot(direction), edge.planes[3].normal.dot(direction));
    let (component, face) = if left >= right { (left, edge.left) } else { (right, edge.right) };
    gap.matters(component).then_some(Feature::Face(face))
}

/// Decides for a vertex and a vertex.
pub fn vertex_vertex(v: u32, w: u32, in_v: &View, in_w: &View) -> Step {
    let gap = Gap::new(in_w.bring_vertex(v), in_w.this.vertices()[w as usize]);
    if let Some(edge) = along_a_spoke(in_w.this, w, -gap.gap, &gap) {
        return Step::Second(edge);
    }
    match along_a_spoke(in_v.this, v, *in_v.rotation * gap.gap, &gap) {
        Some(edge) => Step::First(edge),
        None => gap.closest(),
    }
}

/// Decides for a vertex and an edge.
pub fn vertex_edge(v: u32, e: u32, in_v: &View, in_e: &View) -> Step {
    let edge = &in_e.this.edges()[e as usize];
    let point = in_e.bring_vertex(v);
    // Beyond an end, the nearest point of the edge is that end.
    if edge.planes[0].distance(point) > 0.0 {
        return Step::Second(Feature::Vertex(edge.tail));
    }
    let beyond_head = edge.planes[1].distance(point);
    if beyond_head > 0.0 {
        return Step::Second(Feature::Vertex(edge.head));
    }
    let foot = in_e.this.vertices()[edge.head as usize] + beyond_head * edge.direction();
    let gap = Gap::new(point, foot);
    if let Some(face) = over_a_face(edge, -gap.gap, &gap) {
        return Step::Second(face);
    }
    match along_a_spoke(in_v.this, v, *in_v.rotation * gap.gap, &gap) {
        Some(spoke) => Step::First(spoke),
        None => gap.closest(),
    }
}

/// Decides for an edge and an edge.
pub fn edge_edge(e: u32, g: u32, in_e: &View, in_g: &View) -> Step {
    let (first, second) = (&in_e.this.edges()[e as usize], &in_g.this.edges()[g as usize]);
    let (tail, head) = in_g.bring_edge(e);
    let (from, to) = in_g.this.edge_points(g);
    let (u, v) = (head - tail, to - from);
    let lines = Lines::new(u, v, tail - from);
    let (s, t) = lines.closest();
    // At an end of an edge, the end vertex is equally near.
    if s <= 0.0 {
        return Step::First(Feature::Vertex(first.tail));
    }
    if s >= 1.0 {
        return Step::First(Feature::Vertex(first.head));
    }
    if t <= 0.0 {
        return Step::Second(Feature::Vertex(second.tail));
    }
    if t >= 1.0 {
        return Step::Second(Feature::Vertex(second.head));
    }
    let gap = Gap::new(tail + s * u, from + t * v);
    if let Some(face) = over_a_face(second, -gap.gap, &gap) {
        return Step::Second(face);
    }
    if let Some(face) = over_a_face(first, *in_e.rotation * gap.gap, &gap) {
        return Step::First(face);
    }
    if lines.cross_square <= CROSSING_SINE_SQUARED * lines.uu * lines.vv {
        return gap.closest();
    }
    // Perpendicular to both edges: exact however short the gap is.
    let normal = lines.cross / lines.cross_square.sqrt();
    let along = normal.dot(gap.gap);
    let (normal, distance) = if along < 0.0 { (-normal, -along) } else { (normal, along) };
    Step::Closest(Proximity { distance, normal, point_a: gap.on_first, point_b: gap.on_first + distance * normal })
}

/// Decides for a vertex and a face.
pub fn vertex_face(v: u32, f: u32, in_v: &View, in_f: &View, statistics: &mut VclipStatistics) -> Step {
    let point = in_f.bring_vertex(v);
    if let Some(edge) = nearest_violated_side(point, f, in_f.this) {
        return Step::Second(Feature::Edge(edge));
    }

    // Above (or below) the face: does an edge of the vertex lead nearer to its plane?
    let plane = &in_f.this.faces()[f as usize].plane;
    let height = plane.distance(point);
    let above = height >= 0.0;
    let normal = *in_v.rotation * plane.normal;
    let towards = if above { -normal } else { normal };
    let mut steepest = (LEVEL_TOLERANCE, None);
    for spoke in in_v.this.spokes(v) {
        let slope = towards.dot(spoke.plane.normal);
        if slope > steepest.0 {
            steepest = (slope, Some(spoke.edge));
        }
    }
    if let Some(edge) = steepest.1 {
        return Step::First(Feature::Edge(edge));
    }
    if above {
        return Step::Closest(Proximity::from_point_a(point, -plane.normal, height));
    }
    match escape_local_minimum(point, f, in_f.this, statistics) {
        Some(face) => Step::Second(Feature::Face(face)),
        None => Step::Penetrating,
    }
}

/// Returns the nearest of the sides of a face that the point is beyond; not the most violated, which may be farther
/// away.
#[inline(always)]
fn nearest_violated_side(point: DVec3, face: u32, body: &Polyhedron) -> Option<u32> {
    let mut nearest = (f64::INFINITY, None);
    for side in body.sides(face) {
        if side.plane.distance(point) > 0.0 {
            let (tail, head) = body.edge_points(side.edge);
            let along = head - tail;
            let lambda = ((point - tail).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let distance = (point - (tail + lambda * along)).length_squared();
            if distance < nearest.0 {
                nearest = (distance, Some(side.edge));
            }
        }
    }
    nearest.1
}

/// Returns a face that the point is above, given one that it is below; `None` when it is inside the body.
///
/// Mirtich scans all faces. The faces are the vertices of the polar dual, which is convex, and the height above them is
/// linear there, so walking uphill from face to face finds the highest in O(sqrt n).
fn escape_local_minimum(point: DVec3, from: u32, body: &Polyhedron, statistics: &mut VclipStatistics) -> Option<u32> {
    let direction = point - body.center();
    let mut best = from;
    let mut height = body.faces()[best as usize].dual.dot(direction);
    loop {
        let here = best;
        for side in body.sides(here) {
            let other = body.faces()[side.opposite as usize].dual.dot(direction);
            if other > height {
                (best, height) = (side.opposite, other);
            }
        }
        statistics.features_visited += body.sides(here).len() as u64;
        if best == here {
            return (body.faces()[best as usize].plane.distance(point) > 0.0).then_some(best);
        }
    }
}

/// Decides for an edge and a face: the edge is clipped against the face's region (Fontijne 2000, figure 2.6), and
/// either pierces the face there or is nearest at an end of the clipped part.
pub fn edge_face(e: u32, f: u32, in_e: &View, in_f: &View) -> Step {
    let sides = in_f.this.sides(f);
    let (tail, head) = in_f.bring_edge(e);
    let clip = match clip(sides.iter().map(|s| (s.plane.distance(tail), s.plane.distance(head)))) {
        Clipped::Inside(clip) => clip,
        // Nowhere over the face: then the nearest point of the face is on its boundary.
        Clipped::Nothing => return Step::Second(Feature::Edge(nearest_side(tail, head, f, in_f.this))),
    };
    let plane = &in_f.this.faces()[f as usize].plane;
    let (tail_height, head_height) = (plane.distance(tail), plane.distance(head));
    let height = |lambda: f64| tail_height + lambda * (head_height - tail_height);
    let (enter, leave) = (height(clip.enter.0), height(clip.leave.0));
    if enter * leave <= 0.0 {
        return Step::Penetrating;
    }
    // The same numbers as in `vertex_face`, so that both always agree on the direction of descent.
    let edge = &in_e.this.edges()[e as usize];
    let slope = (*in_e.rotation * plane.normal).dot(edge.direction());
    let falls = if enter > 0.0 { slope < 0.0 } else { slope > 0.0 };
    match if falls { clip.leave.1 } else { clip.enter.1 } {
        Some(side) => Step::Second(Feature::Edge(sides[side].edge)),
        None => Step::First(Feature::Vertex(if falls { edge.head } else { edge.tail })),
    }
}

/// Returns the side of a face nearest to a segment.
fn nearest_side(tail: DVec3, head: DVec3, face: u32, body: &Polyhedron) -> u32 {
    let mut nearest = (f64::INFINITY, 0);
    for side in body.sides(face) {
        let (from, to) = body.edge_points(side.edge);
        let distance = distance_squared_segment_segment((tail, head), (from, to));
        if distance < nearest.0 {
            nearest = (distance, side.edge);
        }
    }
    nearest.1
}

/// Returns the squared distance of two segments, each given by its ends.
pub fn distance_squared_segment_segment((a, b): (DVec3, DVec3), (c, d): (DVec3, DVec3)) -> f64 {
    let (u, v) = (b - a, d - c);
    let (s, t) = Lines::new(u, v, a - c).closest();
    (a + s * u - (c + t * v)).length_squared()
}

/// Products of two segments' directions u, v and the vector w from the start of the second to the start of the first.
struct Lines {
    cross: DVec3,
    cross_square: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    uw: f64,
    vw: f64,
}

impl Lines {
    #[inline(always)]
    fn new(u: DVec3, v: DVec3, w: DVec3) -> Self {
        // |u x v|^2 is computed directly: uu vv - uv^2 loses all digits for nearly parallel segments.
        let cross = u.cross(v);
        let cross_square = cross.length_squared();
        Self { cross, cross_square, uu: u.dot(u), uv: u.dot(v), vv: v.dot(v), uw: u.dot(w), vw: v.dot(w) }
    }

    /// Returns the parameters in [0, 1] of the closest points of the two segments.
    #[inline(always)]
    fn closest(&self) -> (f64, f64) {
        let Self { cross_square, uu, uv, vv, uw, vw, .. } = *self;
        // The lines cross well inside: two products and one division.
        let scale = 1.0 / cross_square;
        let (s, t) = ((uv * vw - vv * uw) * scale, (uu * vw - uv * uw) * scale);
        if cross_square > CROSSING_SINE_SQUARED * uu * vv && s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 {
            return (s, t);
        }
        let s = if cross_square > 0.0 { s.clamp(0.0, 1.0) } else { 0.0 };
        let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
        let s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
        let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
        (s, t)
    }
}
