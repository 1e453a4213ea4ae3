//! Convex polyhedra with their features: vertices, edges, faces with any number of sides, their adjacency, and the
//! Voronoi planes between adjacent features (Fontijne 2000, section 2.4, figure 2.4).
//!
//! The Voronoi region of a feature is the set of points outside the body that are closest to that feature. It is
//! bounded by planes, each shared with one adjacent feature: a vertex and an edge share the plane through the vertex
//! perpendicular to the edge; an edge and a face share the plane through the edge along the face's normal. Every plane
//! is stored twice, once with each of the two features that it separates, pointing *out* of that feature's region. The
//! two copies are exact negatives, so a point is never outside both regions, whatever the rounding.

use glam::{DMat3, DVec3};

use crate::{Aabb, GeometryError, Pose};

/// A feature of a polyhedron, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Index into [`Polyhedron::vertices`].
    Vertex(u32),
    /// Index into [`Polyhedron::edges`].
    Edge(u32),
    /// Index into [`Polyhedron::faces`].
    Face(u32),
}

/// An oriented plane: points with `normal . x = offset`; the positive side is where the normal points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: DVec3,
    /// Signed distance of the plane from the origin, in metres.
    pub offset: f64,
}

impl Plane {
    fn through(point: DVec3, normal: DVec3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// Returns the signed distance of a point, in metres.
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// An edge from `tail` to `head`. The boundary of the face `left` runs in this direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Index of the first vertex.
    pub tail: u32,
    /// Index of the second vertex.
    pub head: u32,
    /// The face whose boundary runs from tail to head.
    pub left: u32,
    /// The face whose boundary runs from head to tail.
    pub right: u32,
    /// Voronoi planes towards tail, head, left and right, positive outside the edge's region.
    pub planes: [Plane; 4],
}

impl Edge {
    /// Returns the unit vector from tail to head.
    pub fn direction(&self) -> DVec3 {
        self.planes[1].normal
    }
}

/// A face: its supporting plane, and where its sides are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    /// The plane of the face; the normal points out of the body.
    pub plane: Plane,
    /// The face as a vertex of the polar dual about [`Polyhedron::center`]: a point `x` is above this face if and only
    /// if `dual . (x - center) > 1`. The dual is convex as well, so walking uphill from face to face finds the highest.
    pub dual: DVec3,
    first_side: u32,
    sides: u32,
}

/// One side of a face, in counter-clockwise order seen from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Voronoi plane between the face and this edge, positive outside the face's region.
    pub plane: Plane,
    /// Index of the edge.
    pub edge: u32,
    /// Index of the vertex at which the side begins.
    pub vertex: u32,
    /// Index of the face across the edge.
    pub opposite: u32,
}

/// One edge as seen from a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spoke {
    /// Voronoi plane between the vertex and this edge, positive outside the vertex's region; the normal is the unit
    /// vector from the vertex along the edge.
    pub plane: Plane,
    /// Index of the edge.
    pub edge: u32,
    /// Index of the vertex at the other end.
    pub other: u32,
}

/// A closed convex polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<DVec3>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    sides: Vec<Side>,
    spokes: Vec<Spoke>,
    spoke_ranges: Vec<(u32, u32)>,
    center: DVec3,
    bounds: Aabb,
    size: f64,
}

impl Polyhedron {
    /// Creates a box around the origin. `half_extents` are in metres.
    pub fn cuboid(half_extents: DVec3) -> Result<Self, GeometryError> {
        for value in half_extents.to_array() {
            if !(value > 0.0 && value.is_finite()) {
                return Err(GeometryError::NotPositive { what: "half extent of the box", value });
            }
        }
        let corner = |i: usize| {
            let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half_extents * DVec3::new(sign(0), sign(1), sign(2))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self::from_polygons((0..8).map(corner).collect(), faces.iter().map(|f| f.to_vec()).collect())
    }

    /// Returns the vertices, in metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Returns the edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Returns the sides of a face, counter-clockwise seen from outside.
    pub fn sides(&self, face: u32) -> &[Side] {
        let face = &self.faces[face as usize];
        &self.sides[face.first_side as usize..(face.first_side + face.sides) as usize]
    }

    /// Returns the edges that meet at a vertex.
    pub fn spokes(&self, vertex: u32) -> &[Spoke] {
        let (first, end) = self.spoke_ranges[vertex as usize];
        &self.spokes[first as usize..end as usize]
    }

    /// Returns whether the feature's index is valid for this polyhedron.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Vertex(v) => (v as usize) < self.vertices.len(),
            Feature::Edge(e) => (e as usize) < self.edges.len(),
            Feature::Face(f) => (f as usize) < self.faces.len(),
        }
    }

    /// Returns the point inside the body about which the duals are taken.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Returns the bounding box in the polyhedron's frame.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Returns the largest extent along an axis of the polyhedron's frame, in metres.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Returns the tail and head of an edge, in metres.
    pub fn edge_points(&self, edge: u32) -> (DVec3, DVec3) {
        let edge = &self.edges[edge as usize];
        (self.vertices[edge.tail as usize], self.vertices[edge.head as usize])
    }

    /// Returns the vertex farthest along `direction`, found by walking uphill from `start`.
    pub fn support_from(&self, direction: DVec3, start: u32) -> u32 {
        let mut best = start;
        let mut height = direction.dot(self.vertices[best as usize]);
        loop {
            let here = best;
            for spoke in self.spokes(here) {
                let other = direction.dot(self.vertices[spoke.other as usize]);
                if other > height {
                    (best, height) = (spoke.other, other);
                }
            }
            if best == here {
                return best;
            }
        }
    }

    /// Returns the exact bounding box of the rotated and translated polyhedron.
    pub fn aabb(&self, rotation: &DMat3, translation: DVec3) -> Aabb {
        Aabb::from_points(self.vertices.iter().map(|&v| *rotation * v + translation))
    }

    /// Returns the body in an outer frame, in which the present frame has the given pose. Features keep their indices.
    pub fn transformed(&self, pose: &Pose) -> Result<Self, GeometryError> {
        let vertices = self.vertices.iter().map(|&v| pose.transform_point(v)).collect();
        let polygon = |face| self.sides(face).iter().map(|side| side.vertex).collect();
        Self::from_polygons(vertices, (0..self.faces.len() as u32).map(polygon).collect())
    }

    /// Moves the vertices and keeps the features. Does not allocate. The body must stay convex with flat faces; only a
    /// face without area or with an inward normal is detected and rejected.
    pub(crate) fn move_vertices(&mut self, vertices: &[DVec3]) -> Result<(), GeometryError> {
        for (vertex, &moved) in self.vertices.iter_mut().zip(vertices) {
            *vertex = moved;
        }
        self.update_planes()
    }

    /// Builds the features and their planes from polygons that are already convex, closed, outward and not coplanar
    /// with their neighbours. Returns an error if the surface is not closed.
    pub(crate) fn from_polygons(vertices: Vec<DVec3>, polygons: Vec<Vec<u32>>) -> Result<Self, GeometryError> {
        let not_convex = |why: String| GeometryError::NotConvex { why };
        let blank = Plane { normal: DVec3::ZERO, offset: 0.0 };

        // Collect the faces, and every directed side with its face.
        let mut faces = Vec::with_capacity(polygons.len());
        let mut directed = Vec::new();
        let mut side_count = 0;
        for (index, polygon) in polygons.iter().enumerate() {
            let sides = polygon.len() as u32;
            faces.push(Face { plane: blank, dual: DVec3::ZERO, first_side: side_count, sides });
            for i in 0..polygon.len() {
                let (tail, head) = (polygon[i], polygon[(i + 1) % polygon.len()]);
                directed.push((tail.min(head), tail.max(head), tail > head, index as u32, side_count + i as u32));
            }
            side_count += sides;
        }

        // Each edge must occur once in each direction.
        directed.sort_unstable();
        let mut edges = Vec::with_capacity(directed.len() / 2);
        let mut sides = vec![Side { plane: blank, edge: 0, vertex: 0, opposite: 0 }; side_count as usize];
        for pair in directed.chunks(2) {
            let &[(tail, head, false, left, left_side), (tail_2, head_2, true, right, right_side)] = pair else {
                let (tail, head, ..) = pair[0];
                return Err(not_convex(format!(
                    "the edge between vertices {tail} and {head} does not have exactly two faces"
                )));
            };
            if (tail, head) != (tail_2, head_2) {
                return Err(not_convex(format!("the edge between vertices {tail} and {head} has only one face")));
            }
            let edge = edges.len() as u32;
            sides[left_side as usize] = Side { plane: blank, edge, vertex: tail, opposite: right };
            sides[right_side as usize] = Side { plane: blank, edge, vertex: head, opposite: left };
            edges.push(Edge { tail, head, left, right, planes: [blank; 4] });
        }
        if vertices.len() + faces.len() != edges.len() + 2 {
            return Err(not_convex("the surface does not satisfy vertices - edges + faces = 2".to_string()));
        }

        // Spokes are the edges as seen from the vertices.
        let mut seen: Vec<(u32, Spoke)> = Vec::with_capacity(2 * edges.len());
        for (index, edge) in edges.iter().enumerate() {
            let spoke = |other| Spoke { plane: blank, edge: index as u32, other };
            seen.push((edge.tail, spoke(edge.head)));
            seen.push((edge.head, spoke(edge.tail)));
        }
        seen.sort_by_key(|&(vertex, spoke)| (vertex, spoke.edge));
        let mut spoke_ranges = vec![(0, 0); vertices.len()];
        for (position, &(vertex, _)) in seen.iter().enumerate() {
            let range = &mut spoke_ranges[vertex as usize];
            if range.1 == 0 {
                range.0 = position as u32;
            }
            range.1 = position as u32 + 1;
        }
        let spokes = seen.into_iter().map(|(_, spoke)| spoke).collect();
        let (center, bounds, size) = (DVec3::ZERO, Aabb::EMPTY, 0.0);
        let mut polyhedron = Self { vertices, edges, faces, sides, spokes, spoke_ranges, center, bounds, size };
        polyhedron.update_planes()?;
        Ok(polyhedron)
    }

    /// Updates what depends on the vertex positions: planes, centre and bounds.
    fn update_planes(&mut self) -> Result<(), GeometryError> {
        let Self { vertices, edges, faces, sides, spokes, .. } = self;
        let not_convex = |index: usize, why: &str| GeometryError::NotConvex { why: format!("face {index} {why}") };
        self.center = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        self.bounds = Aabb::from_points(vertices.iter().copied());
        self.size = self.bounds.extents().max_element();
        for (index, face) in faces.iter_mut().enumerate() {
            let polygon = &sides[face.first_side as usize..(face.first_side + face.sides) as usize];
            let plane = polygon_plane(vertices, polygon.iter().map(|side| side.vertex));
            face.plane = plane.ok_or_else(|| not_convex(index, "has no area"))?;
            let height = -face.plane.distance(self.center);
            if height <= 0.0 {
                return Err(not_convex(index, "does not point outward"));
            }
            face.dual = face.plane.normal / height;
        }
        for edge in edges.iter_mut() {
            let (from, to) = (vertices[edge.tail as usize], vertices[edge.head as usize]);
            let direction = (to - from).normalize();
            let normal = |face: u32| faces[face as usize].plane.normal;
            let towards_left = Plane::through(from, normal(edge.left).cross(direction).normalize());
            let towards_right = Plane::through(from, direction.cross(normal(edge.right)).normalize());
            edge.planes =
                [Plane::through(from, -direction), Plane::through(to, direction), towards_left, towards_right];
        }
        // The same planes, seen from the faces and from the vertices.
        for side in sides.iter_mut() {
            let edge = &edges[side.edge as usize];
            side.plane = edge.planes[if edge.tail == side.vertex { 2 } else { 3 }].flipped();
        }
        for spoke in spokes.iter_mut() {
            let edge = &edges[spoke.edge as usize];
            spoke.plane = edge.planes[if edge.head == spoke.other { 0 } else { 1 }].flipped();
        }
        Ok(())
    }
}

/// Returns the plane of a polygon by Newell's sum, raised to its highest vertex so that it supports the body.
pub(crate) fn polygon_plane(vertices: &[DVec3], polygon: impl Iterator<Item = u32> + Clone) -> Option<Plane> {
    let points = polygon.map(|vertex| vertices[vertex as usize]);
    let origin = points.clone().next()?;
    let spans = points.clone().skip(1).zip(points.clone().skip(2));
    let area = spans.fold(DVec3::ZERO, |area, (p, q)| area + (p - origin).cross(q - origin));
    let normal = area.try_normalize()?;
    let offset = points.map(|point| normal.dot(point)).fold(f64::NEG_INFINITY, f64::max);
    Some(Plane { normal, offset })
}
