//! Closed triangle meshes: the boundary of a solid of any form.

use glam::DVec3;
use thiserror::Error;

use crate::{Aabb, GeometryError, MassProperties};

/// Volume below this part of surface area times extent is none: rounding alone makes that much.
const NO_VOLUME: f64 = 1e-13;

/// Why triangles are not the boundary of a solid. Places are given by index and by coordinates in metres.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshError {
    /// No triangles at all.
    #[error("there are no triangles")]
    Empty,
    /// More vertices or triangles than 32-bit indices can name.
    #[error("{count} vertices or triangles are too many")]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// The index it uses.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A triangle has the same corner twice.
    #[error("triangle {triangle} has vertex {vertex} twice")]
    RepeatedCorner {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex.
        vertex: u32,
    },
    /// An edge with a triangle on one side only: a hole in the surface.
    #[error("the surface is open: triangle {triangle} has no neighbour along its edge from {from} to {to}")]
    OpenEdge {
        /// Index of the triangle.
        triangle: usize,
        /// Where the edge begins, in metres.
        from: DVec3,
        /// Where it ends, in metres.
        to: DVec3,
    },
    /// An edge that two triangles run along in the same direction: more than two meet there, or one is turned over.
    #[error(
        "triangles {first} and {second} both run along the edge from {from} to {to}: \
         more than two meet there, or one of them is turned over"
    )]
    CrowdedEdge {
        /// Index of one triangle.
        first: usize,
        /// Index of another.
        second: usize,
        /// Where the edge begins, in metres.
        from: DVec3,
        /// Where it ends, in metres.
        to: DVec3,
    },
    /// A vertex at which parts of the surface touch that are not connected around it.
    #[error("the triangles around vertex {vertex} at {at} are not one fan: parts of the surface touch there")]
    PinchedVertex {
        /// Index of the vertex.
        vertex: usize,
        /// Where it is, in metres.
        at: DVec3,
    },
    /// A vertex that no triangle uses.
    #[error("no triangle uses vertex {vertex}")]
    UnusedVertex {
        /// Index of the vertex.
        vertex: usize,
    },
    /// The surface encloses nothing, or its volume is not a finite number.
    #[error("the surface encloses a volume of {volume} m^3, which is none")]
    NoVolume {
        /// The signed volume, in m^3.
        volume: f64,
    },
    /// The triangles are clockwise seen from outside.
    #[error(
        "the surface is inside out: its volume is {volume} m^3; the triangles must be counter-clockwise seen from outside"
    )]
    InsideOut {
        /// The signed volume, in m^3.
        volume: f64,
    },
}

impl MeshError {
    /// The same fault with triangles numbered as they were before some were left out: `original[new]`.
    pub(crate) fn renumbered(mut self, original: &[u32]) -> Self {
        let rename = |index: &mut usize| *index = original.get(*index).map_or(*index, |&i| i as usize);
        match &mut self {
            Self::NoSuchVertex { triangle, .. }
            | Self::RepeatedCorner { triangle, .. }
            | Self::OpenEdge { triangle, .. } => rename(triangle),
            Self::CrowdedEdge { first, second, .. } => {
                rename(first);
                rename(second);
            }
            _ => {}
        }
        self
    }
}

/// The boundary of a solid: closed, manifold, counter-clockwise seen from outside, with positive volume. It may have
/// several pieces, handles and cavities. That pieces do not cut through each other is the maker's care.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    volume: f64,
    bounds: Aabb,
}

impl TriangleMesh {
    /// A mesh from vertices (metres) and triangles by index; refused unless it bounds a solid.
    ///
    /// ```
    /// use burgess_geometry::{MeshError, TriangleMesh};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// assert!(TriangleMesh::new(corners.clone(), faces.clone()).is_ok());
    /// let open = TriangleMesh::new(corners, faces[..3].to_vec());
    /// assert!(matches!(open, Err(MeshError::OpenEdge { .. })));
    /// ```
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let count = vertices.len().max(triangles.len());
        if count >= u32::MAX as usize / 4 {
            return Err(MeshError::TooMany { count });
        }
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshError::NotFinite { vertex });
        }
        check_corners(vertices.len(), &triangles)?;
        check_edges(&vertices, &triangles)?;
        check_fans(&vertices, &triangles)?;

        let bounds = Aabb::from_points(vertices.iter().copied());
        let (volume, area) = volume_and_area(&vertices, &triangles, bounds.center());
        let none = NO_VOLUME * area * bounds.extents().max_element();
        // Written so that NaN is refused too.
        if !(volume.abs() > none && volume.is_finite()) {
            return Err(MeshError::NoVolume { volume });
        }
        if volume < 0.0 {
            return Err(MeshError::InsideOut { volume });
        }
        Ok(Self { vertices, triangles, volume, bounds })
    }

    /// A mesh from triangles that are clockwise seen from outside: each is turned over.
    pub fn new_flipped(vertices: Vec<DVec3>, mut triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        for triangle in &mut triangles {
            triangle.swap(1, 2);
        }
        Self::new(vertices, triangles)
    }

    /// The vertices, in metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles: three vertices each, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle, in metres.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// The corners of all triangles, in metres.
    pub fn surface(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + Clone + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }

    /// The enclosed volume, in m^3.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The box around it.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Mass properties of the solid for a uniform density in kg/m^3.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        MassProperties::of_surface(self.surface(), density)
    }
}

/// Indices in range, three different corners each, every vertex used.
fn check_corners(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    let mut used = vec![false; vertices];
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        for vertex in [a, b, c] {
            let Some(slot) = used.get_mut(vertex as usize) else {
                return Err(MeshError::NoSuchVertex { triangle, vertex, vertices });
            };
            *slot = true;
        }
        if a == b || a == c {
            return Err(MeshError::RepeatedCorner { triangle, vertex: a });
        }
        if b == c {
            return Err(MeshError::RepeatedCorner { triangle, vertex: b });
        }
    }
    used.iter().position(|used| !used).map_or(Ok(()), |vertex| Err(MeshError::UnusedVertex { vertex }))
}

/// Every edge exactly once in each direction.
fn check_edges(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    let mut directed: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for (index, &[a, b, c]) in triangles.iter().enumerate() {
        directed.extend([(a, b, index as u32), (b, c, index as u32), (c, a, index as u32)]);
    }
    directed.sort_unstable();
    let at = |v: u32| vertices[v as usize];
    for pair in directed.windows(2) {
        let [(tail, head, first), (other_tail, other_head, second)] = [pair[0], pair[1]];
        if (tail, head) == (other_tail, other_head) {
            let (first, second) = (first as usize, second as usize);
            return Err(MeshError::CrowdedEdge { first, second, from: at(tail), to: at(head) });
        }
    }
    for &(tail, head, triangle) in &directed {
        if directed.binary_search_by_key(&(head, tail), |&(t, h, _)| (t, h)).is_err() {
            return Err(MeshError::OpenEdge { triangle: triangle as usize, from: at(tail), to: at(head) });
        }
    }
    Ok(())
}

/// The triangles around each vertex form one closed fan; edges are in order already.
fn check_fans(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    // Around vertex v, triangle (v, a, b) leads from a to b.
    let mut corners: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for &[a, b, c] in triangles {
        corners.extend([(a, b, c), (b, c, a), (c, a, b)]);
    }
    corners.sort_unstable();
    for fan in corners.chunk_by(|x, y| x.0 == y.0) {
        let (vertex, start, mut at) = fan[0];
        let mut met = 1;
        while at != start && met <= fan.len() {
            let Ok(next) = fan.binary_search_by_key(&at, |&(_, from, _)| from) else { break };
            at = fan[next].2;
            met += 1;
        }
        if met != fan.len() {
            return Err(MeshError::PinchedVertex { vertex: vertex as usize, at: vertices[vertex as usize] });
        }
    }
    Ok(())
}

/// Signed volume by tetrahedra about `middle`, and surface area.
fn volume_and_area(vertices: &[DVec3], triangles: &[[u32; 3]], middle: DVec3) -> (f64, f64) {
    let (mut volume, mut area) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - middle);
        volume += a.dot(b.cross(c)) / 6.0;
        area += 0.5 * (b - a).cross(c - a).length();
    }
    (volume, area)
}
