//! Closed triangle meshes: the boundary of any solid.

use glam::DVec3;
use thiserror::Error;

use crate::{Aabb, GeometryError, MassProperties};

/// Volume that counts as none, relative to surface area times extent: rounding alone causes that much.
const MIN_RELATIVE_VOLUME: f64 = 1e-13;

/// Why triangles do not bound a solid. Places are given by index and by coordinates in metres.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshError {
    /// The mesh has no triangles.
    #[error("there are no triangles")]
    Empty,
    /// More vertices or triangles than 32-bit indices can name.
    #[error("{count} vertices or triangles are more than 32-bit indices can address")]
    TooMany {
        /// Number of vertices or triangles.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A triangle uses a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {vertex}, but there are only {vertices}")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// Vertex index that the triangle uses.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle uses the same vertex twice.
    #[error("triangle {triangle} uses vertex {vertex} twice")]
    RepeatedCorner {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the vertex.
        vertex: u32,
    },
    /// An edge has a triangle on one side only: the surface has a hole.
    #[error("the surface is open: triangle {triangle} has no neighbour along its edge from {from} to {to}")]
    OpenEdge {
        /// Index of the triangle.
        triangle: usize,
        /// Start of the edge, in metres.
        from: DVec3,
        /// End of the edge, in metres.
        to: DVec3,
    },
    /// Two triangles have an edge in the same direction: more than two triangles meet there, or one is flipped.
    #[error(
        "triangles {first} and {second} both run along the edge from {from} to {to}: \
         more than two meet there, or one of them is turned over"
    )]
    CrowdedEdge {
        /// Index of one triangle.
        first: usize,
        /// Index of the other triangle.
        second: usize,
        /// Start of the edge, in metres.
        from: DVec3,
        /// End of the edge, in metres.
        to: DVec3,
    },
    /// Separate parts of the surface touch at a vertex.
    #[error("the triangles around vertex {vertex} at {at} are not one fan: parts of the surface touch there")]
    PinchedVertex {
        /// Index of the vertex.
        vertex: usize,
        /// Position of the vertex, in metres.
        at: DVec3,
    },
    /// No triangle uses a vertex.
    #[error("no triangle uses vertex {vertex}")]
    UnusedVertex {
        /// Index of the vertex.
        vertex: usize,
    },
    /// The surface encloses no volume, or its volume is not finite.
    #[error("the surface encloses no volume (found {volume} m^3)")]
    NoVolume {
        /// Signed volume, in m^3.
        volume: f64,
    },
    /// The triangles are clockwise seen from outside.
    #[error(
        "the surface is inside out: its volume is {volume} m^3; the triangles must be counter-clockwise seen from outside"
    )]
    InsideOut {
        /// Signed volume, in m^3.
        volume: f64,
    },
}

impl MeshError {
    /// Returns the error with the triangle indices from before some triangles were removed: `original[new]`.
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
/// several components, handles and cavities. Self-intersections are not detected.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    volume: f64,
    bounds: Aabb,
}

impl TriangleMesh {
    /// Creates a mesh from vertices (metres) and triangles of vertex indices. Returns an error unless it bounds a
    /// solid.
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
        let none = MIN_RELATIVE_VOLUME * area * bounds.extents().max_element();
        // The condition is negated so that NaN is rejected as well.
        if !(volume.abs() > none && volume.is_finite()) {
            return Err(MeshError::NoVolume { volume });
        }
        if volume < 0.0 {
            return Err(MeshError::InsideOut { volume });
        }
        Ok(Self { vertices, triangles, volume, bounds })
    }

    /// Creates a mesh from triangles that are clockwise seen from outside, by flipping each of them.
    pub fn new_flipped(vertices: Vec<DVec3>, mut triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        for triangle in &mut triangles {
            triangle.swap(1, 2);
        }
        Self::new(vertices, triangles)
    }

    /// Returns the vertices, in metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Returns the triangles: three vertex indices each, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the corners of a triangle, in metres.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Returns the corners of all triangles, in metres.
    pub fn surface(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + Clone + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }

    /// Returns the enclosed volume, in m^3.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Returns the bounding box.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Returns the mass properties of the solid for a uniform density in kg/m^3.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        MassProperties::of_surface(self.surface(), density)
    }
}

/// Checks that indices are in range, corners are distinct and every vertex is used.
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

/// Checks that every edge occurs exactly once in each direction.
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

/// Checks that the triangles around each vertex form one closed fan. The edges must have been checked before.
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

/// Returns the signed volume, summed over tetrahedra with apex `middle`, and the surface area.
fn volume_and_area(vertices: &[DVec3], triangles: &[[u32; 3]], middle: DVec3) -> (f64, f64) {
    let (mut volume, mut area) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - middle);
        volume += a.dot(b.cross(c)) / 6.0;
        area += 0.5 * (b - a).cross(c - a).length();
    }
    (volume, area)
}
