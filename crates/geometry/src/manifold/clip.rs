//! Intersection of half-spaces, in homogeneous coordinates: a polyhedron that is cut by one plane after another.

use std::collections::BTreeMap;

use glam::{DVec3, DVec4};

/// A vertex this near to a plane is on it. Vertices are unit vectors of four coordinates. Rounding errors are about
/// 1e-15, or 1e-12 in files; distinct vertices of a domain are much farther apart.
const ON_PLANE: f64 = 1e-8;

/// Face of a [`Cutting`].
#[derive(Debug, Clone)]
pub struct CutFace {
    /// Unit covector; the polyhedron is where it is negative.
    pub plane: DVec4,
    /// Number given by the caller, or `None` for a face of the initial cube.
    pub label: Option<usize>,
    /// Vertices, anticlockwise seen from outside.
    pub corners: Vec<usize>,
}

/// Convex polyhedron in the projective model, cut from a cube about the origin.
#[derive(Debug, Clone)]
pub struct Cutting {
    /// Vertices as vectors of Euclidean length 1. Some may no longer be used by a face.
    pub vertices: Vec<DVec4>,
    /// Faces.
    pub faces: Vec<CutFace>,
}

impl Cutting {
    /// Makes a cube with half the side `half` in the projective model.
    pub fn cube(half: f64) -> Cutting {
        let vertices = (0..8).map(|i| {
            let sign = |bit: usize| if i >> bit & 1 == 1 { half } else { -half };
            DVec4::new(sign(0), sign(1), sign(2), 1.0).normalize()
        });
        // The corners of each face, anticlockwise seen from outside; bit 0 of a corner is x, bit 1 y, bit 2 z.
        let faces = [
            (-DVec3::X, [0, 4, 6, 2]),
            (DVec3::X, [1, 3, 7, 5]),
            (-DVec3::Y, [0, 1, 5, 4]),
            (DVec3::Y, [2, 6, 7, 3]),
            (-DVec3::Z, [0, 2, 3, 1]),
            (DVec3::Z, [4, 5, 7, 6]),
        ];
        let faces = faces.map(|(normal, corners)| CutFace {
            plane: normal.extend(-half).normalize(),
            label: None,
            corners: corners.to_vec(),
        });
        Cutting { vertices: vertices.collect(), faces: faces.to_vec() }
    }

    /// Returns whether a face of the initial cube is left.
    pub fn is_unbounded(&self) -> bool {
        self.faces.iter().any(|face| face.label.is_none())
    }

    /// Returns the vertices that faces use.
    pub fn used_vertices(&self) -> impl Iterator<Item = DVec4> + '_ {
        self.faces.iter().flat_map(|face| face.corners.iter().map(|&corner| self.vertices[corner]))
    }

    /// Removes the part where `plane` is positive. Returns whether anything was removed.
    pub fn cut(&mut self, plane: DVec4, label: usize) -> bool {
        let scaled = plane.normalize();
        let heights: Vec<f64> = self.vertices.iter().map(|v| scaled.dot(*v)).collect();
        if !self.faces.iter().any(|face| face.corners.iter().any(|&corner| heights[corner] > ON_PLANE)) {
            return false;
        }
        let mut crossings: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut rim: Vec<usize> = Vec::new();
        let mut kept = Vec::with_capacity(self.faces.len() + 1);
        for face in std::mem::take(&mut self.faces) {
            let mut corners = Vec::with_capacity(face.corners.len() + 1);
            for (i, &a) in face.corners.iter().enumerate() {
                let b = face.corners[(i + 1) % face.corners.len()];
                let (low, high) = (heights[a], heights[b]);
                if low <= ON_PLANE {
                    corners.push(a);
                }
                if (low < -ON_PLANE && high > ON_PLANE) || (low > ON_PLANE && high < -ON_PLANE) {
                    let vertices = &mut self.vertices;
                    let crossing = *crossings.entry((a.min(b), a.max(b))).or_insert_with(|| {
                        vertices.push(((vertices[a] * high - vertices[b] * low) / (high - low)).normalize());
                        vertices.len() - 1
                    });
                    corners.push(crossing);
                }
            }
            if corners.len() >= 3 {
                let on_plane = |&&c: &&usize| heights.get(c).is_none_or(|height| *height >= -ON_PLANE);
                let touching = corners.iter().filter(on_plane).count();
                // A face whose corners are all on the plane is a sliver of the part that is removed.
                if touching < corners.len() {
                    rim.extend(corners.iter().filter(on_plane));
                    kept.push(CutFace { corners, ..face });
                }
            }
        }
        self.faces = kept;
        rim.sort_unstable();
        rim.dedup();
        if rim.len() >= 3 {
            self.order_around(&mut rim, plane);
            self.faces.push(CutFace { plane, label: Some(label), corners: rim });
        }
        true
    }

    /// Sorts vertices of a plane anticlockwise about their mean, seen from the positive side.
    fn order_around(&self, corners: &mut [usize], plane: DVec4) {
        let positions: Vec<DVec3> = corners.iter().map(|&c| self.vertices[c].truncate() / self.vertices[c].w).collect();
        let mean = positions.iter().sum::<DVec3>() / positions.len() as f64;
        let normal = plane.truncate().normalize_or(DVec3::Z);
        let (u, v) = normal.any_orthonormal_pair();
        // The pair must be right-handed about the normal.
        let v = if u.cross(v).dot(normal) < 0.0 { -v } else { v };
        let mut keyed: Vec<(f64, usize)> = corners
            .iter()
            .zip(&positions)
            .map(|(&corner, position)| (libm::atan2((*position - mean).dot(v), (*position - mean).dot(u)), corner))
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (place, (_, corner)) in corners.iter_mut().zip(keyed) {
            *place = corner;
        }
    }
}
