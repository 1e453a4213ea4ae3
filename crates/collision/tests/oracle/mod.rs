//! An independent computation of distance or depth: exhaustive search over all pairs of features. A first pass in f64
//! finds every candidate near the best, a second computes those in double-double arithmetic (about 32 digits).

pub mod double;
pub mod pairs;

use burgess_geometry::{Polyhedron, RelativePose};
use double::{Dd, Vec3};
use glam::DVec3;

/// Difference from the best below which candidates are computed in higher precision, relative to the size.
const NEAR_TOLERANCE: f64 = 1e-10;
/// Maximum number of candidates: in flat contact many are equal, and the first ones suffice.
const MAX_CANDIDATES: usize = 64;

/// Returns the signed distance: positive when separated, otherwise minus the depth of the minimal translation.
pub fn signed_distance(a: &Polyhedron, b: &Polyhedron, b_in_a: &RelativePose) -> f64 {
    let size = a.bounds().extents().max_element().max(b.bounds().extents().max_element());
    let scene = Scene::new(a, b, b_in_a, NEAR_TOLERANCE * size);
    let separation = scene.separation();
    if separation <= 0.0 { separation } else { scene.distance() }
}

/// Both bodies in the frame of a, in f64 and in double-double.
struct Scene<'p> {
    a: &'p Polyhedron,
    b: &'p Polyhedron,
    b_vertices: Vec<DVec3>,
    b_normals: Vec<DVec3>,
    exact_a: Vec<Vec3>,
    exact_b: Vec<Vec3>,
    near: f64,
}

/// Keeps the candidates near the smallest value.
struct Candidates<T> {
    near: f64,
    best: f64,
    list: Vec<(f64, T)>,
}

impl<T> Candidates<T> {
    fn new(near: f64) -> Self {
        Self { near, best: f64::INFINITY, list: Vec::new() }
    }

    fn offer(&mut self, value: f64, make: impl FnOnce() -> T) {
        if value > self.best + self.near {
            return;
        }
        self.best = self.best.min(value);
        self.list.push((value, make()));
    }

    fn finish(mut self) -> Vec<T> {
        let limit = self.best + self.near;
        self.list.retain(|c| c.0 <= limit);
        self.list.sort_by(|x, y| x.0.total_cmp(&y.0));
        self.list.truncate(MAX_CANDIDATES);
        self.list.into_iter().map(|c| c.1).collect()
    }
}

/// Points of a pair of features in double-double.
enum FeaturePoints {
    PointSegment(Vec3, Vec3, Vec3),
    Lines(Vec3, Vec3, Vec3, Vec3),
    PointPlane(Vec3, [Vec3; 3]),
}

impl<'p> Scene<'p> {
    fn new(a: &'p Polyhedron, b: &'p Polyhedron, b_in_a: &RelativePose, near: f64) -> Self {
        let exact_b: Vec<Vec3> = b.vertices().iter().map(|&v| Vec3::transformed(b_in_a, v)).collect();
        Self {
            a,
            b,
            b_vertices: exact_b.iter().map(|v| v.rounded()).collect(),
            b_normals: b.faces().iter().map(|f| b_in_a.rotation * f.plane.normal).collect(),
            exact_a: a.vertices().iter().map(|&v| Vec3::from(v)).collect(),
            exact_b,
            near,
        }
    }

    /// Returns the largest gap over all possible separating axes: face normals and products of edges. A negative value
    /// is the depth.
    fn separation(&self) -> f64 {
        let (a, b) = (self.a, self.b);
        let mut axes: Candidates<Vec3> = Candidates::new(self.near);
        let heights = |n: DVec3| {
            let top = a.vertices().iter().map(|&v| n.dot(v)).fold(f64::NEG_INFINITY, f64::max);
            let bottom = self.b_vertices.iter().map(|&v| n.dot(v)).fold(f64::INFINITY, f64::min);
            top - bottom
        };
        // Heights are the extent of W along n, minus the gap. The smallest one counts.
        for (f, face) in a.faces().iter().enumerate() {
            axes.offer(heights(face.plane.normal), || self.face_normal_a(f as u32));
        }
        for (f, &normal) in self.b_normals.iter().enumerate() {
            axes.offer(heights(-normal), || self.face_normal_b(f as u32).negated());
        }
        let arcs_b: Vec<[DVec3; 3]> = b
            .edges()
            .iter()
            .map(|g| {
                let direction = self.b_vertices[g.head as usize] - self.b_vertices[g.tail as usize];
                [-self.b_normals[g.left as usize], -self.b_normals[g.right as usize], direction.normalize()]
            })
            .collect();
        for edge in a.edges() {
            let (c, d) = (a.faces()[edge.left as usize].plane.normal, a.faces()[edge.right as usize].plane.normal);
            let u = edge.direction();
            for (g, &[p, q, v]) in arcs_b.iter().enumerate() {
                // Loose test whether the arcs c-d and p-q on the sphere of normals cross. Superfluous candidates do no
                // harm.
                let loose = 1e-9;
                let (cv, dv, pu, qu) = (c.dot(v), d.dot(v), p.dot(u), q.dot(u));
                if (cv > loose && dv > loose) || (cv < -loose && dv < -loose) {
                    continue;
                }
                if (pu > loose && qu > loose) || (pu < -loose && qu < -loose) {
                    continue;
                }
                let cross = u.cross(v);
                if cross.length_squared() < 1e-24 {
                    continue;
                }
                let n = cross.normalize();
                let n = if n.dot(c + d) < 0.0 { -n } else { n };
                let sign = if cross.dot(n) < 0.0 { -1.0 } else { 1.0 };
                let other = &b.edges()[g];
                axes.offer(heights(n), || {
                    let x = self.exact_a[edge.head as usize].minus(&self.exact_a[edge.tail as usize]);
                    let y = self.exact_b[other.head as usize].minus(&self.exact_b[other.tail as usize]);
                    x.cross(&y).normalized().times(Dd::from(sign))
                });
            }
        }
        let exact = |n: Vec3| {
            let top = self.exact_a.iter().map(|v| n.dot(v)).reduce(Dd::max).unwrap();
            let bottom = self.exact_b.iter().map(|v| n.dot(v)).reduce(Dd::min).unwrap();
            (top - bottom).rounded()
        };
        -axes.finish().into_iter().map(exact).fold(f64::INFINITY, f64::min)
    }

    fn face_normal_a(&self, face: u32) -> Vec3 {
        polygon_normal(self.a.sides(face).iter().map(|s| self.exact_a[s.vertex as usize]))
    }

    fn face_normal_b(&self, face: u32) -> Vec3 {
        polygon_normal(self.b.sides(face).iter().map(|s| self.exact_b[s.vertex as usize]))
    }

    /// Returns the smallest distance over all pairs of features of separated bodies.
    fn distance(&self) -> f64 {
        let (a, b) = (self.a, self.b);
        let (va, vb) = (a.vertices(), &self.b_vertices[..]);
        let (ea, eb) = (&self.exact_a, &self.exact_b);
        let mut pairs: Candidates<FeaturePoints> = Candidates::new(self.near);
        let mut points_to_edges = |points: &[DVec3], exact: &[Vec3], body: &Polyhedron, ends: &[DVec3], ee: &[Vec3]| {
            for edge in body.edges() {
                let (t, h) = (edge.tail as usize, edge.head as usize);
                let along = ends[h] - ends[t];
                let length = along.length_squared();
                for (i, &p) in points.iter().enumerate() {
                    let lambda = ((p - ends[t]).dot(along) / length).clamp(0.0, 1.0);
                    let distance = (p - (ends[t] + lambda * along)).length();
                    pairs.offer(distance, || FeaturePoints::PointSegment(exact[i], ee[t], ee[h]));
                }
            }
        };
        points_to_edges(va, ea, b, vb, eb);
        points_to_edges(vb, eb, a, va, ea);
        for x in a.edges() {
            let (p, u) = (va[x.tail as usize], va[x.head as usize] - va[x.tail as usize]);
            let uu = u.length_squared();
            for y in b.edges() {
                let (q, v) = (vb[y.tail as usize], vb[y.head as usize] - vb[y.tail as usize]);
                // The common perpendicular, where it intersects both edges.
                let (w, cross) = (q - p, u.cross(v));
                let square = cross.length_squared();
                let (s, t) = (w.cross(v).dot(cross), w.cross(u).dot(cross));
                if s < 0.0 || t < 0.0 || s > square || t > square || square < 1e-20 * uu * v.length_squared() {
                    continue;
                }
                let distance = w.dot(cross).abs() / square.sqrt();
                let ends = || {
                    let (i, j) = (x.tail as usize, x.head as usize);
                    let (k, l) = (y.tail as usize, y.head as usize);
                    FeaturePoints::Lines(ea[i], ea[j], eb[k], eb[l])
                };
                pairs.offer(distance, ends);
            }
        }
        let mut points_to_faces =
            |points: &[DVec3], exact: &[Vec3], body: &Polyhedron, ends: &[DVec3], ee: &[Vec3], normals: &[DVec3]| {
                for (f, &normal) in normals.iter().enumerate() {
                    let sides = body.sides(f as u32);
                    let origin = ends[sides[0].vertex as usize];
                    for (i, &p) in points.iter().enumerate() {
                        let height = normal.dot(p - origin);
                        if height < 0.0 || height > pairs.best + pairs.near {
                            continue;
                        }
                        let over = (0..sides.len()).all(|k| {
                            let (t, h) = (sides[k].vertex, sides[(k + 1) % sides.len()].vertex);
                            let (t, h) = (ends[t as usize], ends[h as usize]);
                            normal.cross(h - t).dot(p - t) >= 0.0
                        });
                        if over {
                            let corner = |k: usize| ee[sides[k * sides.len() / 3].vertex as usize];
                            pairs.offer(height, || {
                                FeaturePoints::PointPlane(exact[i], [corner(0), corner(1), corner(2)])
                            });
                        }
                    }
                }
            };
        points_to_faces(va, ea, b, vb, eb, &self.b_normals);
        let normals_a: Vec<DVec3> = a.faces().iter().map(|f| f.plane.normal).collect();
        points_to_faces(vb, eb, a, va, ea, &normals_a);
        pairs.finish().iter().map(FeaturePoints::distance).fold(f64::INFINITY, f64::min)
    }
}

impl FeaturePoints {
    fn distance(&self) -> f64 {
        match self {
            Self::PointSegment(p, tail, head) => {
                let along = head.minus(tail);
                let lambda = p.minus(tail).dot(&along) / along.dot(&along);
                let lambda = lambda.max(Dd::from(0.0)).min(Dd::from(1.0));
                p.minus(&tail.plus(&along.times(lambda))).length().rounded()
            }
            Self::Lines(a, b, c, d) => {
                let cross = b.minus(a).cross(&d.minus(c));
                (c.minus(a).dot(&cross) / cross.length()).rounded().abs()
            }
            Self::PointPlane(p, corners) => {
                let normal = polygon_normal(corners.iter().copied());
                normal.dot(&p.minus(&corners[0])).rounded().abs()
            }
        }
    }
}

fn polygon_normal(corners: impl Iterator<Item = Vec3>) -> Vec3 {
    let corners: Vec<Vec3> = corners.collect();
    let mut sum = Vec3::from(DVec3::ZERO);
    for i in 1..corners.len() - 1 {
        sum = sum.plus(&corners[i].minus(&corners[0]).cross(&corners[i + 1].minus(&corners[0])));
    }
    sum.normalized()
}
