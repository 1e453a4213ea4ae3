//! Exhaustive search over the pairs of features that can be closest, for queries in which V-Clip's walk was cyclic or
//! ended at a shared point.

use burgess_geometry::{Feature, Polyhedron, RelativePose};
use glam::DVec3;

use super::expanding_polytope::{PolytopeOutcome, PolytopeScratch};
use super::penetration_polyhedron_polyhedron::penetration_polyhedron_polyhedron;
use super::vclip::{VclipOutcome, distance_squared_segment_segment};
use super::{FeaturePair, Proximity, closest_points_of_features};

/// Distance below which bodies count as touching, relative to the larger one.
pub const TOUCHING_TOLERANCE: f64 = 1e-13;

/// Returns the closest features by exhaustive search over those that a separating direction leaves.
///
/// May allocate: it runs a few times in a million queries.
pub fn closest(a: &Polyhedron, b: &Polyhedron, b_in_a: &RelativePose, pair: &mut FeaturePair) -> VclipOutcome {
    let normal = match penetration_polyhedron_polyhedron(a, b, b_in_a, &mut PolytopeScratch::default()) {
        PolytopeOutcome::Unfinished(_) => return VclipOutcome::Penetrating,
        PolytopeOutcome::Penetrating(p) if -p.distance > TOUCHING_TOLERANCE * a.size().max(b.size()) => {
            return VclipOutcome::Penetrating;
        }
        PolytopeOutcome::Penetrating(p) => {
            // They touch: the polytope gives the normal, the features may not.
            return VclipOutcome::Separated(Proximity { distance: 0.0, point_b: p.point_a, ..p });
        }
        PolytopeOutcome::Separated { normal, .. } => normal,
    };
    let mut search = Search::new(a, b, b_in_a, normal);
    search.visit_edges();
    search.visit_faces();
    *pair = search.best.1;
    VclipOutcome::Separated(search.best.0)
}

/// All of b in the frame of a, and the best pair so far.
struct Search<'p> {
    a: &'p Polyhedron,
    b: &'p Polyhedron,
    b_in_a: &'p RelativePose,
    b_vertices: Vec<DVec3>,
    normal: DVec3,
    /// Highest coordinate of a, lowest coordinate of b along the separating normal.
    top_a: f64,
    bottom_b: f64,
    best: (Proximity, FeaturePair),
}

impl<'p> Search<'p> {
    fn new(a: &'p Polyhedron, b: &'p Polyhedron, b_in_a: &'p RelativePose, normal: DVec3) -> Self {
        let b_vertices: Vec<DVec3> = b.vertices().iter().map(|&v| b_in_a.b_to_a(v)).collect();
        let top = a.support_from(normal, 0);
        let bottom = b.support_from(-(b_in_a.rotation_inverse * normal), 0);
        let features = FeaturePair { a: Feature::Vertex(top), b: Feature::Vertex(bottom) };
        let best = (proximity_of_features(a, b, b_in_a, features, normal), features);
        let top_a = normal.dot(a.vertices()[top as usize]);
        let bottom_b = normal.dot(b_vertices[bottom as usize]);
        Self { a, b, b_in_a, b_vertices, normal, top_a, bottom_b, best }
    }

    /// Returns whether a vertex of a is near enough to the top of a to be part of a nearer pair.
    fn near_a(&self, vertex: u32) -> bool {
        self.bottom_b - self.normal.dot(self.a.vertices()[vertex as usize]) <= self.best.0.distance
    }

    fn near_b(&self, vertex: u32) -> bool {
        self.normal.dot(self.b_vertices[vertex as usize]) - self.top_a <= self.best.0.distance
    }

    fn offer(&mut self, features: FeaturePair) {
        let proximity = proximity_of_features(self.a, self.b, self.b_in_a, features, self.normal);
        if proximity.distance < self.best.0.distance {
            self.best = (proximity, features);
        }
    }

    /// Compares edges with edges. This includes vertices, which are ends of edges.
    fn visit_edges(&mut self) {
        let (a, b) = (self.a, self.b);
        let edges_b: Vec<u32> = (0..b.edges().len() as u32)
            .filter(|&g| self.near_b(b.edges()[g as usize].tail) || self.near_b(b.edges()[g as usize].head))
            .collect();
        for (e, edge) in a.edges().iter().enumerate() {
            if !self.near_a(edge.tail) && !self.near_a(edge.head) {
                continue;
            }
            let (tail, head) = a.edge_points(e as u32);
            for &g in &edges_b {
                let other = &b.edges()[g as usize];
                let (from, to) = (self.b_vertices[other.tail as usize], self.b_vertices[other.head as usize]);
                let square = distance_squared_segment_segment((tail, head), (from, to));
                if square < self.best.0.distance * self.best.0.distance {
                    self.offer(FeaturePair { a: Feature::Edge(e as u32), b: Feature::Edge(g) });
                }
            }
        }
    }

    /// Compares vertices with faces, where the vertex is over the face.
    fn visit_faces(&mut self) {
        let (a, b) = (self.a, self.b);
        let near_a: Vec<u32> = (0..a.vertices().len() as u32).filter(|&v| self.near_a(v)).collect();
        let near_b: Vec<u32> = (0..b.vertices().len() as u32).filter(|&v| self.near_b(v)).collect();
        for f in 0..a.faces().len() as u32 {
            for &v in &near_b {
                if is_over(a, f, self.b_vertices[v as usize]) {
                    self.offer(FeaturePair { a: Feature::Face(f), b: Feature::Vertex(v) });
                }
            }
        }
        for f in 0..b.faces().len() as u32 {
            for &v in &near_a {
                if is_over(b, f, self.b_in_a.a_to_b(a.vertices()[v as usize])) {
                    self.offer(FeaturePair { a: Feature::Vertex(v), b: Feature::Face(f) });
                }
            }
        }
    }
}

/// Returns whether the point is in the Voronoi region of the face.
fn is_over(body: &Polyhedron, face: u32, point: DVec3) -> bool {
    body.faces()[face as usize].plane.distance(point) >= 0.0
        && body.sides(face).iter().all(|side| side.plane.distance(point) <= 0.0)
}

/// Returns the closest points of two features; `normal` is used where they touch.
fn proximity_of_features(
    a: &Polyhedron,
    b: &Polyhedron,
    b_in_a: &RelativePose,
    features: FeaturePair,
    normal: DVec3,
) -> Proximity {
    let (point_a, point_b) = closest_points_of_features(a, features.a, b, features.b, b_in_a);
    let gap = point_b - point_a;
    let distance = gap.length();
    let touching = distance <= TOUCHING_TOLERANCE * a.size().max(b.size());
    Proximity { distance, normal: if touching { normal } else { gap / distance }, point_a, point_b }
}
