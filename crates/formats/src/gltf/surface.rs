//! Surfaces as triangles with vertex normals, for display.
//!
//! Triangles are counter-clockwise seen from outside. Flat faces have their own vertices with the normal of the face;
//! triangles of smooth surfaces share vertices. A surface of revolution is a profile (radius, z) rotated about z in
//! [`SEGMENTS`] steps. Its vertices are on the exact surface, so it is inside it by at most 1 % of the radius.

use std::f64::consts::{FRAC_PI_2, TAU};

use burgess_geometry::{Aabb, Polyhedron, Pose};
use glam::{DVec3, dvec3};

/// Number of steps around a smooth surface.
pub(super) const SEGMENTS: usize = 32;
/// Number of steps from a pole of a sphere to the equator.
const STEPS_TO_EQUATOR: usize = 8;
/// Cosine of the largest angle between the normals of two faces that are shaded smoothly.
const SMOOTH_COSINE: f64 = 0.8;
/// Maximum number of triangles at a smooth vertex; comparing more with each other would be slow.
const MAX_SMOOTH_TRIANGLES: usize = 64;

/// A triangulated surface. Lengths in m.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// Positions of the vertices.
    pub corners: Vec<DVec3>,
    /// Unit normal of each vertex.
    pub normals: Vec<DVec3>,
    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A circle of a surface of revolution and its normal, in the plane of radius and z.
#[derive(Debug, Clone, Copy)]
struct Ring {
    radius: f64,
    z: f64,
    normal: [f64; 2],
}

impl Surface {
    pub(super) fn sphere(radius: f64) -> Self {
        Self::capsule(radius, 0.0)
    }

    /// Returns a cylinder with hemispherical ends; `length` is the distance of their centres.
    pub(super) fn capsule(radius: f64, length: f64) -> Self {
        let mut profile = Vec::new();
        for (side, half) in [(-1.0, -0.5 * length), (1.0, 0.5 * length)] {
            for step in 0..=STEPS_TO_EQUATOR {
                let step = if side < 0.0 { STEPS_TO_EQUATOR - step } else { step };
                // At the pole the radius is exactly zero.
                let (sin, cos) = if step == STEPS_TO_EQUATOR {
                    (1.0, 0.0)
                } else {
                    libm::sincos(FRAC_PI_2 * step as f64 / STEPS_TO_EQUATOR as f64)
                };
                profile.push(Ring { radius: radius * cos, z: half + side * radius * sin, normal: [cos, side * sin] });
            }
        }
        if length == 0.0 {
            // Both halves contain the equator.
            profile.remove(STEPS_TO_EQUATOR);
        }
        let mut surface = Self::default();
        surface.revolve(&profile);
        surface
    }

    pub(super) fn ellipsoid(semi_axes: DVec3) -> Self {
        let mut surface = Self::sphere(1.0);
        surface.corners.iter_mut().for_each(|corner| *corner *= semi_axes);
        surface.normals.iter_mut().for_each(|normal| *normal = unit(*normal / semi_axes));
        surface
    }

    /// Returns a frustum, or a cone if the upper radius is zero.
    pub(super) fn frustum(bottom_radius: f64, top_radius: f64, length: f64) -> Self {
        let slope = unit(dvec3(length, bottom_radius - top_radius, 0.0));
        let normal = [slope.x, slope.y];
        let ring = |radius, z| Ring { radius, z, normal };
        let mut surface = Self::default();
        surface.revolve(&[ring(bottom_radius, -0.5 * length), ring(top_radius, 0.5 * length)]);
        for (side, radius) in [(-1.0, bottom_radius), (1.0, top_radius)] {
            if radius > 0.0 {
                let place = DVec3::Z * (0.5 * side * length);
                let disc: Vec<DVec3> = circle(SEGMENTS).map(|c| place + radius * c.with_y(side * c.y)).collect();
                surface.polygon(&disc, DVec3::Z * side);
            }
        }
        surface
    }

    /// Rotates a closed section of (radius, z) about z in steps with flat faces. The section is counter-clockwise seen
    /// with the radius to the right and z up.
    pub(super) fn ring(steps: usize, section: &[(f64, f64)]) -> Self {
        let directions: Vec<DVec3> = circle(steps).collect();
        let mut surface = Self::default();
        for (index, &d) in directions.iter().enumerate() {
            let e = directions[(index + 1) % steps];
            for (place, &a) in section.iter().enumerate() {
                let b = section[(place + 1) % section.len()];
                let corner = |(radius, z): (f64, f64), d: DVec3| radius * d + DVec3::Z * z;
                let face = [corner(a, d), corner(a, e), corner(b, e), corner(b, d)];
                surface.polygon(&face, unit((face[2] - face[0]).cross(face[3] - face[1])));
            }
        }
        surface
    }

    /// Returns a square in the plane z = 0.
    pub(super) fn square(middle: DVec3, half_side: f64) -> Self {
        let corner = |x, y| middle.with_z(0.0) + half_side * dvec3(x, y, 0.0);
        let mut surface = Self::default();
        surface.polygon(&[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], DVec3::Z);
        surface
    }

    /// Returns the surface of a polyhedron, with flat faces.
    pub fn polyhedron(polyhedron: &Polyhedron) -> Self {
        let mut surface = Self::default();
        for (index, face) in polyhedron.faces().iter().enumerate() {
            let sides = polyhedron.sides(index as u32).iter();
            let corners: Vec<DVec3> = sides.map(|side| polyhedron.vertices()[side.vertex as usize]).collect();
            surface.polygon(&corners, face.plane.normal);
        }
        surface
    }

    /// Returns the surface of any triangles, smooth except at sharp edges. The normal at a vertex of a triangle is the
    /// area-weighted sum over the triangles at the vertex whose normals are close to its own.
    pub(super) fn creased(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let doubled_area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|vertex| vertices[vertex as usize]);
            (b - a).cross(c - a)
        };
        let areas: Vec<DVec3> = triangles.iter().map(doubled_area).collect();
        let units: Vec<DVec3> = areas.iter().map(|&area| unit(area)).collect();
        let adjacency = Adjacency::new(vertices.len(), triangles);
        let mut surface = Self::default();
        // Linked lists of the surface vertices of each mesh vertex: the last one, and the previous one of each.
        let mut last = vec![u32::MAX; vertices.len()];
        let mut previous: Vec<u32> = Vec::new();
        for (index, triangle) in triangles.iter().enumerate() {
            let corners = triangle.map(|vertex| {
                let near = adjacency.triangles(vertex);
                let is_crowded = near.len() > MAX_SMOOTH_TRIANGLES;
                let normal = if is_crowded {
                    units[index]
                } else {
                    let similar =
                        near.iter().filter(|&&other| units[other as usize].dot(units[index]) >= SMOOTH_COSINE);
                    unit(similar.map(|&other| areas[other as usize]).sum())
                };
                let mut index_found = if is_crowded { u32::MAX } else { last[vertex as usize] };
                while index_found != u32::MAX && surface.normals[index_found as usize] != normal {
                    index_found = previous[index_found as usize];
                }
                if index_found == u32::MAX {
                    index_found = surface.corner(vertices[vertex as usize], normal);
                    previous.push(std::mem::replace(&mut last[vertex as usize], index_found));
                }
                index_found
            });
            surface.triangles.push(corners);
        }
        surface
    }

    /// Adds a convex polygon.
    fn polygon(&mut self, corners: &[DVec3], normal: DVec3) {
        let first = self.corners.len() as u32;
        for &corner in corners {
            self.corner(corner, normal);
        }
        self.triangles.extend((2..corners.len() as u32).map(|last| [first, first + last - 1, first + last]));
    }

    /// Rotates a profile about z, from its lower end up.
    fn revolve(&mut self, profile: &[Ring]) {
        let first = self.corners.len() as u32;
        for ring in profile {
            for c in circle(SEGMENTS) {
                self.corner(ring.radius * c + DVec3::Z * ring.z, unit(ring.normal[0] * c + DVec3::Z * ring.normal[1]));
            }
        }
        for (lower, pair) in profile.windows(2).enumerate() {
            let a = first + (lower * SEGMENTS) as u32;
            let b = a + SEGMENTS as u32;
            for this in 0..SEGMENTS as u32 {
                let next = (this + 1) % SEGMENTS as u32;
                if pair[0].radius > 0.0 {
                    self.triangles.push([a + this, a + next, b + next]);
                }
                if pair[1].radius > 0.0 {
                    self.triangles.push([a + this, b + next, b + this]);
                }
            }
        }
    }

    fn corner(&mut self, place: DVec3, normal: DVec3) -> u32 {
        self.corners.push(place);
        self.normals.push(normal);
        self.corners.len() as u32 - 1
    }

    /// Adds another surface.
    pub fn append(&mut self, other: Self) {
        let first = self.corners.len() as u32;
        self.corners.extend(other.corners);
        self.normals.extend(other.normals);
        self.triangles.extend(other.triangles.into_iter().map(|t| t.map(|corner| first + corner)));
    }

    /// Returns the surface transformed by a pose.
    pub fn moved(mut self, pose: &Pose) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner = pose.transform_point(*corner));
        self.normals.iter_mut().for_each(|normal| *normal = unit(pose.transform_vector(*normal)));
        self
    }

    /// Returns the bounding box.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_points(self.corners.iter().copied())
    }
}

/// The triangles at each vertex.
struct Adjacency {
    begin: Vec<u32>,
    triangles: Vec<u32>,
}

impl Adjacency {
    fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut begin = vec![0; vertices + 1];
        triangles.iter().flatten().for_each(|&vertex| begin[vertex as usize + 1] += 1);
        (0..vertices).for_each(|vertex| begin[vertex + 1] += begin[vertex]);
        let mut free = begin.clone();
        let mut list = vec![0; 3 * triangles.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            for &vertex in triangle {
                list[free[vertex as usize] as usize] = index as u32;
                free[vertex as usize] += 1;
            }
        }
        Self { begin, triangles: list }
    }

    fn triangles(&self, vertex: u32) -> &[u32] {
        &self.triangles[self.begin[vertex as usize] as usize..self.begin[vertex as usize + 1] as usize]
    }
}

/// Normalizes a vector; returns z for a zero vector (from a degenerate triangle).
fn unit(vector: DVec3) -> DVec3 {
    vector.try_normalize().unwrap_or(DVec3::Z)
}

/// Returns points of the unit circle, counter-clockwise from the x axis.
pub(super) fn circle(sides: usize) -> impl Iterator<Item = DVec3> {
    (0..sides).map(move |side| {
        let (sin, cos) = libm::sincos(TAU * side as f64 / sides as f64);
        dvec3(cos, sin, 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a fan of triangles about the z axis with a tip at a height.
    fn fan(sides: usize, height: f64) -> Surface {
        let mut vertices: Vec<DVec3> = circle(sides).collect();
        vertices.push(DVec3::Z * height);
        let tip = sides as u32;
        let triangles: Vec<[u32; 3]> = (0..tip).map(|side| [side, (side + 1) % tip, tip]).collect();
        Surface::creased(&vertices, &triangles)
    }

    #[test]
    fn blunt_tips_are_smooth_and_sharp_tips_are_not() {
        let blunt = fan(8, 0.1);
        assert_eq!(blunt.corners.len(), 9);
        assert!((blunt.normals[blunt.triangles[0][2] as usize] - DVec3::Z).length() < 1e-9);
        // Four steep sides meet at right angles, so each has its own three vertices.
        assert_eq!(fan(4, 5.0).corners.len(), 12);
    }

    #[test]
    fn vertices_with_many_triangles_are_flat() {
        let sides = MAX_SMOOTH_TRIANGLES + 1;
        let crowded = fan(sides, 0.1);
        let (flat, smooth) = (sides, sides);
        assert_eq!(crowded.corners.len(), flat + smooth, "each triangle has its own tip; the rim is shared");
    }

    #[test]
    fn degenerate_triangles_have_normals() {
        let flat = Surface::creased(&[DVec3::ZERO, DVec3::X, 2.0 * DVec3::X], &[[0, 1, 2]]);
        assert_eq!(flat.normals, [DVec3::Z; 3]);
    }
}
