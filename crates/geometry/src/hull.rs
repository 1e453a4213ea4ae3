//! Convex hulls by Quickhull (Barber, Dobkin and Huhdanpaa 1996) with exact predicates, followed by a merge of coplanar
//! faces.
//!
//! An exact orientation test decides whether a point is above a face, so the triangles always form a closed surface.
//! Distances only choose which point is added next and which points are close enough to the surface to be left out.

use std::collections::BTreeMap;

use glam::DVec3;
use robust::{Coord3D, orient3d};

use crate::{Aabb, GeometryError, Polyhedron, polyhedron::polygon_plane};

/// Distance to the surface below which a point counts as on it, relative to the extent.
const ON_SURFACE_TOLERANCE: f64 = 1e-13;
/// Distance to a common plane below which faces are merged, relative to the extent.
const COPLANAR_TOLERANCE: f64 = 1e-12;
/// Thickness below which a body has no volume, relative to the extent.
const MIN_RELATIVE_THICKNESS: f64 = 1e-10;
/// Marks a missing link between triangles and points.
const NONE: u32 = u32::MAX;

impl Polyhedron {
    /// Returns the convex hull of the points.
    ///
    /// ```
    /// use burgess_geometry::Polyhedron;
    /// use glam::DVec3;
    ///
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [0.1, 0.1, 0.1]].map(DVec3::from);
    /// assert_eq!(Polyhedron::hull(&corners).unwrap().vertices().len(), 4);
    /// assert!(Polyhedron::hull(&corners[..3]).is_err());
    /// ```
    pub fn hull(points: &[DVec3]) -> Result<Self, GeometryError> {
        if let Some(vertex) = points.iter().position(|p| !p.is_finite()) {
            return Err(GeometryError::NotFinite { vertex });
        }
        let triangles = Quickhull::run(points)?;
        let extent = Aabb::from_points(points.iter().copied()).extents().max_element();
        let merged = merge_coplanar(points, &triangles, COPLANAR_TOLERANCE * extent);
        compacted(points, merged)
            .or_else(|_| compacted(points, triangles.iter().map(|t| t.to_vec()).collect()))
            .map_err(|_| GeometryError::NoVolume { points: points.len(), why: "their hull is too thin somewhere" })
    }

    /// Creates a convex polyhedron from its faces: corner indices, counter-clockwise seen from outside. Coplanar
    /// neighbours are merged. Returns an error if the surface is open, inside out or not convex.
    pub fn from_faces(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<Self, GeometryError> {
        let not_convex = |why: String| GeometryError::NotConvex { why };
        if let Some(vertex) = vertices.iter().position(|p| !p.is_finite()) {
            return Err(GeometryError::NotFinite { vertex });
        }
        for (index, face) in faces.iter().enumerate() {
            if face.len() < 3 {
                return Err(not_convex(format!("face {index} has {} corners", face.len())));
            }
            if let Some(v) = face.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(not_convex(format!("face {index} uses vertex {v}, but there are only {}", vertices.len())));
            }
        }
        // Checks that the surface is closed and points outward.
        let given = compacted(vertices, faces.to_vec())?;
        let hull = Self::hull(vertices)?;
        let extent = given.bounds().extents().max_element();
        for (index, face) in given.faces().iter().enumerate() {
            let highest = hull.vertices()[hull.support_from(face.plane.normal, 0) as usize];
            if face.plane.distance(highest) > 1e-9 * extent {
                return Err(not_convex(format!("a vertex is {} m above face {index}", face.plane.distance(highest))));
            }
        }
        Ok(hull)
    }
}

/// A triangle of the growing hull.
struct Triangle {
    corners: [u32; 3],
    /// Triangle across the side from `corners[i]` to `corners[i + 1]`.
    neighbours: [u32; 3],
    normal: DVec3,
    offset: f64,
    /// First point above this triangle (a linked list), and the highest of them.
    outside: u32,
    highest: u32,
    height: f64,
    alive: bool,
}

struct Quickhull<'a> {
    points: &'a [DVec3],
    triangles: Vec<Triangle>,
    /// Next point in the same outside list, for each point.
    next: Vec<u32>,
    tolerance: f64,
}

impl<'a> Quickhull<'a> {
    fn run(points: &'a [DVec3]) -> Result<Vec<[u32; 3]>, GeometryError> {
        let (corners, tolerance) = first_tetrahedron(points)?;
        let mut hull = Self { points, triangles: Vec::new(), next: vec![NONE; points.len()], tolerance };
        let [a, b, c, d] = corners;
        for (corners, neighbours) in
            [([a, b, c], [3, 2, 1]), ([a, c, d], [0, 2, 3]), ([c, b, d], [0, 3, 1]), ([b, a, d], [0, 1, 2])]
        {
            hull.push(corners, neighbours);
        }
        let all: Vec<u32> = (0..points.len() as u32).filter(|p| !corners.contains(p)).collect();
        hull.distribute(&all, 0);

        let mut pending: Vec<u32> = (0..4).collect();
        while let Some(triangle) = pending.pop() {
            let t = &hull.triangles[triangle as usize];
            if t.alive && t.outside != NONE {
                let first_new = hull.triangles.len() as u32;
                hull.add(triangle);
                pending.extend(first_new..hull.triangles.len() as u32);
            }
        }
        Ok(hull.triangles.iter().filter(|t| t.alive).map(|t| t.corners).collect())
    }

    fn push(&mut self, corners: [u32; 3], neighbours: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let offset = normal.dot(a);
        let (outside, highest, height, alive) = (NONE, NONE, 0.0, true);
        self.triangles.push(Triangle { corners, neighbours, normal, offset, outside, highest, height, alive });
    }

    /// Returns whether the point is strictly above the triangle. The test is exact.
    fn sees(&self, point: u32, triangle: u32) -> bool {
        let [a, b, c] = self.triangles[triangle as usize].corners.map(|i| coord(self.points[i as usize]));
        orient3d(a, b, c, coord(self.points[point as usize])) < 0.0
    }

    /// Assigns each point to the first triangle, from `first` on, that it is above.
    fn distribute(&mut self, points: &[u32], first: u32) {
        for &point in points {
            for triangle in first..self.triangles.len() as u32 {
                let t = &self.triangles[triangle as usize];
                let height = t.normal.dot(self.points[point as usize]) - t.offset;
                if height > self.tolerance && self.sees(point, triangle) {
                    let t = &mut self.triangles[triangle as usize];
                    self.next[point as usize] = t.outside;
                    t.outside = point;
                    if height > t.height {
                        (t.height, t.highest) = (height, point);
                    }
                    break;
                }
            }
        }
    }

    /// Adds the highest point above a triangle: removes the triangles that it sees and connects it to the horizon.
    fn add(&mut self, seed: u32) {
        let eye = self.triangles[seed as usize].highest;
        let mut orphans = Vec::new();
        let mut visible = vec![seed];
        let mut horizon: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        self.triangles[seed as usize].alive = false;
        let mut done = 0;
        while done < visible.len() {
            let triangle = visible[done];
            done += 1;
            let mut point = self.triangles[triangle as usize].outside;
            while point != NONE {
                if point != eye {
                    orphans.push(point);
                }
                point = self.next[point as usize];
            }
            for side in 0..3 {
                let across = self.triangles[triangle as usize].neighbours[side];
                if !self.triangles[across as usize].alive {
                    continue;
                }
                if self.sees(eye, across) {
                    self.triangles[across as usize].alive = false;
                    visible.push(across);
                } else {
                    let corners = self.triangles[triangle as usize].corners;
                    horizon.insert(corners[side], (corners[(side + 1) % 3], across));
                }
            }
        }

        // The horizon is one loop, so each of its corners begins one side.
        let first = self.triangles.len() as u32;
        let count = horizon.len() as u32;
        let Some((&start, _)) = horizon.first_key_value() else { return };
        let mut tail = start;
        for i in 0..count {
            let (head, across) = horizon[&tail];
            let new = first + i;
            self.push([tail, head, eye], [across, first + (i + 1) % count, first + (i + count - 1) % count]);
            let neighbour = &mut self.triangles[across as usize];
            for side in 0..3 {
                if neighbour.corners[side] == head && neighbour.corners[(side + 1) % 3] == tail {
                    neighbour.neighbours[side] = new;
                }
            }
            tail = head;
        }
        self.distribute(&orphans, first);
    }
}

fn coord(p: DVec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

/// Returns four corners of a large tetrahedron, and the tolerance. The last corner is below the triangle of the first
/// three.
fn first_tetrahedron(points: &[DVec3]) -> Result<([u32; 4], f64), GeometryError> {
    let none = |why| GeometryError::NoVolume { points: points.len(), why };
    if points.len() < 4 {
        return Err(none("at least four are needed"));
    }
    let extents = Aabb::from_points(points.iter().copied()).extents();
    let extent = extents.max_element();
    let axis = (0..3).find(|&i| extents[i] == extent).unwrap_or(0);
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).fold((0, f64::NEG_INFINITY), |best, i| {
            let value = measure(points[i]);
            if value > best.1 { (i, value) } else { best }
        })
    };
    let (a, _) = farthest(&|p| -p[axis]);
    let (b, _) = farthest(&|p| p[axis]);
    if extent <= 0.0 {
        return Err(none("they all coincide"));
    }
    // Products of six lengths must not overflow or underflow.
    if !(1e-40..=1e40).contains(&extent) {
        return Err(none("lengths must be between 1e-40 and 1e40 m"));
    }
    let along = (points[b] - points[a]).normalize();
    let (c, width) = farthest(&|p| (p - points[a]).cross(along).length());
    if width <= MIN_RELATIVE_THICKNESS * extent {
        return Err(none("they are collinear"));
    }
    let normal = along.cross(points[c] - points[a]).normalize();
    let (d, height) = farthest(&|p| (p - points[a]).dot(normal).abs());
    if height <= MIN_RELATIVE_THICKNESS * extent {
        return Err(none("they are coplanar"));
    }
    let [pa, pb, pc, pd] = [a, b, c, d].map(|i| coord(points[i]));
    let corners = if orient3d(pa, pb, pc, pd) > 0.0 { [a, b, c, d] } else { [a, c, b, d] };
    Ok((corners.map(|i| i as u32), ON_SURFACE_TOLERANCE * extent))
}

/// Merges triangles into faces. Each face starts at the largest remaining triangle and takes in connected triangles
/// within `tolerance` of its plane. V-Clip loops between parallel faces that share an edge (Fontijne 2000, section
/// 2.8).
fn merge_coplanar(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Vec<Vec<u32>> {
    let mut across: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (index, t) in triangles.iter().enumerate() {
        for side in 0..3 {
            across.insert((t[side], t[(side + 1) % 3]), index as u32);
        }
    }
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        (b - a).cross(c - a).length_squared()
    };
    let mut order: Vec<(f64, u32)> = triangles.iter().enumerate().map(|(i, t)| (area(t), i as u32)).collect();
    order.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));

    let mut group = vec![NONE; triangles.len()];
    let mut polygons = Vec::new();
    for &(_, seed) in &order {
        if group[seed as usize] != NONE {
            continue;
        }
        let Some(plane) = polygon_plane(points, triangles[seed as usize].iter().copied()) else { continue };
        let mut members = vec![seed];
        group[seed as usize] = seed;
        let mut done = 0;
        while done < members.len() {
            let t = triangles[members[done] as usize];
            done += 1;
            for side in 0..3 {
                let other = across[&(t[(side + 1) % 3], t[side])];
                let flat =
                    || triangles[other as usize].iter().all(|&v| plane.distance(points[v as usize]).abs() <= tolerance);
                if group[other as usize] == NONE && flat() {
                    group[other as usize] = seed;
                    members.push(other);
                }
            }
        }
        match boundary(triangles, &members, |edge| group[across[&edge] as usize] != seed) {
            Some(polygon) => polygons.push(polygon),
            None => polygons.extend(members.iter().map(|&m| triangles[m as usize].to_vec())),
        }
    }
    drop_straight_corners(points.len(), polygons)
}

/// Returns the boundary of a group of triangles if it is a single closed loop.
fn boundary(triangles: &[[u32; 3]], members: &[u32], outer: impl Fn((u32, u32)) -> bool) -> Option<Vec<u32>> {
    let mut next = BTreeMap::new();
    for &m in members {
        let t = triangles[m as usize];
        for side in 0..3 {
            let (tail, head) = (t[side], t[(side + 1) % 3]);
            if outer((head, tail)) && next.insert(tail, head).is_some() {
                return None;
            }
        }
    }
    let (&start, _) = next.first_key_value()?;
    let mut polygon = vec![start];
    let mut at = *next.get(&start)?;
    while at != start {
        polygon.push(at);
        if polygon.len() > next.len() {
            return None;
        }
        at = *next.get(&at)?;
    }
    (polygon.len() == next.len()).then_some(polygon)
}

/// Removes corners that only two faces share: they lie on a straight edge.
fn drop_straight_corners(points: usize, mut polygons: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut faces = vec![0u32; points];
    for &v in polygons.iter().flatten() {
        faces[v as usize] += 1;
    }
    for polygon in &mut polygons {
        polygon.retain(|&v| faces[v as usize] > 2);
    }
    polygons.retain(|p| p.len() > 2);
    polygons
}

/// Creates a polyhedron from polygons and the points that they use.
fn compacted(points: &[DVec3], mut polygons: Vec<Vec<u32>>) -> Result<Polyhedron, GeometryError> {
    let mut index = vec![NONE; points.len()];
    let mut vertices = Vec::new();
    for &v in polygons.iter().flatten() {
        index[v as usize] = 0;
    }
    for (i, slot) in index.iter_mut().enumerate().filter(|(_, slot)| **slot == 0) {
        *slot = vertices.len() as u32;
        vertices.push(points[i]);
    }
    for v in polygons.iter_mut().flatten() {
        *v = index[*v as usize];
    }
    if vertices.len() < 4 {
        return Err(GeometryError::NoVolume { points: vertices.len(), why: "too few corners are left" });
    }
    Polyhedron::from_polygons(vertices, polygons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_on_a_cube_becomes_six_faces() {
        let mut points = Vec::new();
        for i in 0..125 {
            points.push(DVec3::new((i % 5) as f64, (i / 5 % 5) as f64, (i / 25) as f64) * 0.3 + DVec3::splat(7.0));
        }
        let cube = Polyhedron::hull(&points).unwrap();
        assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6));
        // The same grid rotated, so that the faces are flat only up to rounding.
        let turn = glam::DQuat::from_scaled_axis(DVec3::new(0.3, -0.7, 1.1));
        let turned: Vec<_> = points.iter().map(|&p| turn * p).collect();
        let cube = Polyhedron::hull(&turned).unwrap();
        assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6));
    }

    #[test]
    fn flat_and_broken_points_are_refused() {
        let square = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.]].map(DVec3::from);
        assert!(matches!(Polyhedron::hull(&square), Err(GeometryError::NoVolume { .. })));
        assert!(matches!(Polyhedron::hull(&[DVec3::ONE; 9]), Err(GeometryError::NoVolume { .. })));
        let mut nan = square;
        nan[2].x = f64::NAN;
        assert_eq!(Polyhedron::hull(&nan), Err(GeometryError::NotFinite { vertex: 2 }));
        let inside_out = [vec![0, 1, 2], vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3]];
        let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from);
        assert!(matches!(Polyhedron::from_faces(&corners, &inside_out), Err(GeometryError::NotConvex { .. })));
    }
}
