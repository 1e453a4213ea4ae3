//! The five states of V-Clip (000 figure 2.5): from a pair of features to a better one.

use burgess_geometry::{Edge, Feature, Plane, Polyhedron};
use glam::{DMat3, DVec3};

use super::VclipStatistics;
use super::clip::{Clip, Clipped, clip};

/// Slopes of unit vectors against unit normals below this are rounding: an edge that lies flat over a face must not
/// send the walk round that face. The distance changes by no more than this part of an edge.
const LEVEL: f64 = 4e-15;

/// What a state decides.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// The pair is closest.
    Closest,
    /// The bodies penetrate.
    Penetrating,
    /// Go on with this feature in the first place.
    First(Feature),
    /// Go on with this feature in the second place.
    Second(Feature),
}

/// One body in its own frame, and the way to bring points of the other body there.
#[derive(Clone, Copy)]
pub struct View<'p> {
    /// The body whose frame this is.
    pub this: &'p Polyhedron,
    /// The other one.
    pub other: &'p Polyhedron,
    /// Directions of the other body in this frame.
    pub rotation: &'p DMat3,
    /// Origin of the other body in this frame.
    pub translation: DVec3,
}

impl View<'_> {
    /// A point of the other body in this frame.
    #[inline]
    fn bring(&self, point: DVec3) -> DVec3 {
        *self.rotation * point + self.translation
    }

    /// A vertex of the other body in this frame.
    #[inline]
    fn bring_vertex(&self, vertex: u32) -> DVec3 {
        self.bring(self.other.vertices()[vertex as usize])
    }

    /// The ends of an edge of the other body in this frame.
    #[inline]
    fn bring_edge(&self, edge: u32) -> (DVec3, DVec3) {
        let (tail, head) = self.other.edge_points(edge);
        (self.bring(tail), self.bring(head))
    }
}

/// The neighbour whose plane the point violates most, if any.
#[inline]
fn most_violated<'p, T>(point: DVec3, planes: impl Iterator<Item = (&'p Plane, T)>) -> Option<T> {
    let mut worst = (0.0, None);
    for (plane, neighbour) in planes {
        let violation = plane.distance(point);
        if violation > worst.0 {
            worst = (violation, Some(neighbour));
        }
    }
    worst.1
}

/// The edge at a vertex beyond whose plane the point lies.
#[inline]
fn beyond_vertex(body: &Polyhedron, vertex: u32, point: DVec3) -> Option<Feature> {
    most_violated(point, body.spokes(vertex).iter().map(|s| (&s.plane, s.edge))).map(Feature::Edge)
}

/// Vertex against vertex: each must be in the other's region.
pub fn vertex_vertex(v: u32, w: u32, in_v: &View, in_w: &View) -> Step {
    if let Some(edge) = beyond_vertex(in_v.this, v, in_v.bring_vertex(w)) {
        return Step::First(edge);
    }
    match beyond_vertex(in_w.this, w, in_w.bring_vertex(v)) {
        Some(edge) => Step::Second(edge),
        None => Step::Closest,
    }
}

/// Vertex against edge.
pub fn vertex_edge(v: u32, e: u32, in_v: &View, in_e: &View) -> Step {
    let edge = &in_e.this.edges()[e as usize];
    let point = in_e.bring_vertex(v);
    // Ends first: beyond an end the nearest point of the edge is that end, and nothing of the face need be nearer.
    for ends_then_faces in [0..2, 2..4] {
        let planes = ends_then_faces.map(|i| (&edge.planes[i], i));
        if let Some(neighbour) = most_violated(point, planes) {
            return Step::Second(edge.neighbour(neighbour));
        }
    }

    // The vertex is in the edge's region; does the edge come nearest inside the vertex's region?
    let spokes = in_v.this.spokes(v);
    let (tail, head) = in_v.bring_edge(e);
    let distances = spokes.iter().map(|s| (s.plane.distance(tail), s.plane.distance(head)));
    let clip = match clip(distances) {
        Clipped::ExcludedBy(spoke) => return Step::First(Feature::Edge(spokes[spoke].edge)),
        Clipped::Inside(clip) => clip,
    };
    let (along, from) = (head - tail, tail - in_v.this.vertices()[v as usize]);
    // Half the derivative of the squared distance between the vertex and the edge at lambda.
    let rises = |lambda: f64| (from + lambda * along).dot(along);
    match leave_by_derivative(&clip, |lambda, _| rises(lambda)) {
        Some(spoke) => Step::First(Feature::Edge(spokes[spoke].edge)),
        None => Step::Closest,
    }
}

/// The plane through which an edge leaves the region towards smaller distances, given the sign of the derivative of the
/// distance to the feature behind the plane.
#[inline]
fn leave_by_derivative(clip: &Clip, derivative: impl Fn(f64, usize) -> f64) -> Option<usize> {
    if let (lambda, Some(plane)) = clip.enter
        && (derivative(lambda, plane) > 0.0)
    {
        return Some(plane);
    }
    if let (lambda, Some(plane)) = clip.leave
        && (clip.is_empty() || derivative(lambda, plane) < 0.0)
    {
        return Some(plane);
    }
    None
}

/// Edge against edge: each is clipped against the region of the other.
pub fn edge_edge(e: u32, g: u32, in_e: &View, in_g: &View) -> Step {
    if let Some(neighbour) = beyond_edge(e, &in_g.this.edges()[g as usize], in_g) {
        return Step::Second(neighbour);
    }
    match beyond_edge(g, &in_e.this.edges()[e as usize], in_e) {
        Some(neighbour) => Step::First(neighbour),
        None => Step::Closest,
    }
}

/// The neighbour of `edge` that edge `other` of the other body is nearer to, if any. `view` is the frame of `edge`.
#[inline]
fn beyond_edge(other: u32, edge: &Edge, view: &View) -> Option<Feature> {
    let (tail, head) = view.bring_edge(other);
    let along = head - tail;

    // Ends first: only where `edge` is nearest with its inside do its faces matter.
    let ends = &edge.planes[..2];
    let between = match clip(ends.iter().map(|plane| (plane.distance(tail), plane.distance(head)))) {
        Clipped::ExcludedBy(end) => return Some(edge.neighbour(end)),
        Clipped::Inside(clip) => clip,
    };
    let from_vertex = |lambda: f64, end: usize| {
        let vertex = view.this.vertices()[if end == 0 { edge.tail } else { edge.head } as usize];
        (tail + lambda * along - vertex).dot(along)
    };
    if let Some(end) = leave_by_derivative(&between, from_vertex) {
        return Some(edge.neighbour(end));
    }

    let (enter, leave) = (tail + between.enter.0 * along, tail + between.leave.0 * along);
    let faces = &edge.planes[2..];
    let clip = match clip(faces.iter().map(|plane| (plane.distance(enter), plane.distance(leave)))) {
        Clipped::ExcludedBy(face) => return Some(edge.neighbour(2 + face)),
        Clipped::Inside(clip) => clip,
    };
    let from_face = |lambda: f64, face: usize| {
        let face = if face == 0 { edge.left } else { edge.right };
        let plane = &view.this.faces()[face as usize].plane;
        let slope = plane.normal.dot(along);
        let slope = if slope.abs() <= LEVEL * along.length() { 0.0 } else { slope };
        if plane.distance(enter + lambda * (leave - enter)) >= 0.0 { slope } else { -slope }
    };
    leave_by_derivative(&clip, from_face).map(|face| edge.neighbour(2 + face))
}

/// Vertex against face.
pub fn vertex_face(v: u32, f: u32, in_v: &View, in_f: &View, statistics: &mut VclipStatistics) -> Step {
    let point = in_f.bring_vertex(v);
    if let Some(edge) = nearest_violated_side(point, f, in_f.this) {
        return Step::Second(Feature::Edge(edge));
    }

    // Above (or below) the face: does an edge of the vertex lead nearer to its plane?
    let plane = &in_f.this.faces()[f as usize].plane;
    let above = plane.distance(point) >= 0.0;
    let normal = *in_v.rotation * plane.normal;
    let towards = if above { -normal } else { normal };
    let mut steepest = (LEVEL, None);
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
        return Step::Closest;
    }
    match escape_local_minimum(point, f, in_f.this, statistics) {
        Some(face) => Step::Second(Feature::Face(face)),
        None => Step::Penetrating,
    }
}

/// From a face that the point is below to one that it is above; none when it is inside the body.
///
/// Mirtich scans all faces. The faces are the vertices of the polar dual, which is convex, and 'how far above' is
/// linear there, so walking uphill from face to face finds the highest of all in O(sqrt n).
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

/// Edge against face: always moves on, or finds that the edge pierces the face.
pub fn edge_face(e: u32, f: u32, in_e: &View, in_f: &View) -> Step {
    let sides = in_f.this.sides(f);
    let (tail, head) = in_f.bring_edge(e);
    let clip = match clip(sides.iter().map(|s| (s.plane.distance(tail), s.plane.distance(head)))) {
        Clipped::Inside(clip) if !clip.is_empty() => clip,
        // Nowhere over the face: then the nearest point of the face is on its boundary.
        _ => return Step::Second(Feature::Edge(nearest_side(tail, head, f, in_f.this))),
    };
    let plane = &in_f.this.faces()[f as usize].plane;
    let (tail_height, head_height) = (plane.distance(tail), plane.distance(head));
    let height = |lambda: f64| tail_height + lambda * (head_height - tail_height);
    let (enter, leave) = (height(clip.enter.0), height(clip.leave.0));
    if enter * leave <= 0.0 {
        return Step::Penetrating;
    }
    // The same numbers as in `vertex_face`, so that the two never disagree about the way down.
    let edge = &in_e.this.edges()[e as usize];
    let slope = (*in_e.rotation * plane.normal).dot(edge.direction());
    let falls = if enter > 0.0 { slope < 0.0 } else { slope > 0.0 };
    match if falls { clip.leave.1 } else { clip.enter.1 } {
        Some(side) => Step::Second(Feature::Edge(sides[side].edge)),
        None => Step::First(Feature::Vertex(if falls { edge.head } else { edge.tail })),
    }
}

/// Of the sides of a face that the point is beyond, the nearest; not the most violated, which may be farther away.
#[inline]
fn nearest_violated_side(point: DVec3, face: u32, body: &Polyhedron) -> Option<u32> {
    let mut nearest = (f64::INFINITY, None);
    for side in body.sides(face) {
        if side.plane.distance(point) > 0.0 {
            let (tail, head) = body.edge_points(side.edge);
            let distance = (point - closest_point_segment(point, tail, head)).length_squared();
            if distance < nearest.0 {
                nearest = (distance, Some(side.edge));
            }
        }
    }
    nearest.1
}

/// The side of a face nearest to a segment.
fn nearest_side(tail: DVec3, head: DVec3, face: u32, body: &Polyhedron) -> u32 {
    let mut nearest = (f64::INFINITY, 0);
    for side in body.sides(face) {
        let (p, q) = body.edge_points(side.edge);
        let (x, y) = closest_segment_segment(tail, head, p, q);
        let distance = (x - y).length_squared();
        if distance < nearest.0 {
            nearest = (distance, side.edge);
        }
    }
    nearest.1
}

/// The point of the segment from `tail` to `head` closest to a point.
pub fn closest_point_segment(point: DVec3, tail: DVec3, head: DVec3) -> DVec3 {
    let along = head - tail;
    tail + ((point - tail).dot(along) / along.length_squared()).clamp(0.0, 1.0) * along
}

/// The closest points of the segments from `a` to `b` and from `c` to `d`.
pub fn closest_segment_segment(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> (DVec3, DVec3) {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    // |u x v|^2, computed as such: uu vv - uv^2 loses all digits for nearly parallel segments.
    let cross = u.cross(v).length_squared();
    let s = if cross > 0.0 { ((uv * vw - vv * uw) / cross).clamp(0.0, 1.0) } else { 0.0 };
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    let s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    (a + s * u, c + t * v)
}
