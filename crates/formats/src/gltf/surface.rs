//! Surfaces as triangles with a normal at each corner, to be looked at.
//!
//! Triangles run counter-clockwise seen from outside. Flat faces have their own corners, with the face's normal; around
//! smooth surfaces neighbours share corners. A surface of revolution is a profile (radius, z) carried around z in
//! [`SEGMENTS`] steps: its corners are on the true surface, so it lies inside of it by at most 1 % of its radius.

use std::f64::consts::{FRAC_PI_2, TAU};

use burgess_geometry::{Aabb, Polyhedron, Pose};
use glam::{DVec3, dvec3};

/// Steps around a smooth surface.
pub(super) const SEGMENTS: usize = 32;
/// Steps from a pole of a ball to its equator.
const STEPS_TO_EQUATOR: usize = 8;
/// Faces that meet at a sharper angle than this make an edge: its cosine.
const CREASE: f64 = 0.8;
/// Around a corner with more triangles all are flat: comparing each with each would take too long.
const MOST_AROUND: usize = 64;

/// Triangles to be looked at. Lengths in m.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// Places that triangles have in common.
    pub corners: Vec<DVec3>,
    /// Unit vectors, one for each corner.
    pub normals: Vec<DVec3>,
    /// Three corners each, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A circle around z of a smooth surface, and its normal, both in the plane of radius and z.
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

    /// A cylinder with round ends, `length` between their centres.
    pub(super) fn capsule(radius: f64, length: f64) -> Self {
        let mut profile = Vec::new();
        for (side, half) in [(-1.0, -0.5 * length), (1.0, 0.5 * length)] {
            for step in 0..=STEPS_TO_EQUATOR {
                let step = if side < 0.0 { STEPS_TO_EQUATOR - step } else { step };
                // At the pole the radius is zero to the last bit.
                let (sin, cos) = if step == STEPS_TO_EQUATOR {
                    (1.0, 0.0)
                } else {
                    libm::sincos(FRAC_PI_2 * step as f64 / STEPS_TO_EQUATOR as f64)
                };
                profile.push(Ring { radius: radius * cos, z: half + side * radius * sin, normal: [cos, side * sin] });
            }
        }
        if length == 0.0 {
            // Both halves have the equator.
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

    /// A cone without its tip, or with it if the upper radius is zero.
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

    /// A section of (radius, z) carried around z in steps with flat faces, as a tube or a ring. The section runs
    /// counter-clockwise seen with the radius to the right and z up.
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

    /// A square around a point of the plane z = 0.
    pub(super) fn square(middle: DVec3, half_side: f64) -> Self {
        let corner = |x, y| middle.with_z(0.0) + half_side * dvec3(x, y, 0.0);
        let mut surface = Self::default();
        surface.polygon(&[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], DVec3::Z);
        surface
    }

    /// With flat faces.
    pub fn polyhedron(polyhedron: &Polyhedron) -> Self {
        let mut surface = Self::default();
        for (index, face) in polyhedron.faces().iter().enumerate() {
            let sides = polyhedron.sides(index as u32).iter();
            let corners: Vec<DVec3> = sides.map(|side| polyhedron.vertices()[side.vertex as usize]).collect();
            surface.polygon(&corners, face.plane.normal);
        }
        surface
    }

    /// Any triangles: smooth where they meet at a wide angle, with an edge where it is sharp. The normal at a corner of a
    /// triangle is the sum of those of the triangles around the corner that are on its side of every edge, by area.
    pub(super) fn creased(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let doubled_area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|vertex| vertices[vertex as usize]);
            (b - a).cross(c - a)
        };
        let areas: Vec<DVec3> = triangles.iter().map(doubled_area).collect();
        let units: Vec<DVec3> = areas.iter().map(|&area| unit(area)).collect();
        let around = Around::new(vertices.len(), triangles);
        let mut surface = Self::default();
        // The corners that were made for each vertex, as a chain: the last one, and from each the one before.
        let mut last = vec![u32::MAX; vertices.len()];
        let mut before: Vec<u32> = Vec::new();
        for (index, triangle) in triangles.iter().enumerate() {
            let corners = triangle.map(|vertex| {
                let near = around.triangles(vertex);
                let is_crowded = near.len() > MOST_AROUND;
                let normal = if is_crowded {
                    units[index]
                } else {
                    let alike = near.iter().filter(|&&other| units[other as usize].dot(units[index]) >= CREASE);
                    unit(alike.map(|&other| areas[other as usize]).sum())
                };
                let mut made = if is_crowded { u32::MAX } else { last[vertex as usize] };
                while made != u32::MAX && surface.normals[made as usize] != normal {
                    made = before[made as usize];
                }
                if made == u32::MAX {
                    made = surface.corner(vertices[vertex as usize], normal);
                    before.push(std::mem::replace(&mut last[vertex as usize], made));
                }
                made
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

    /// Carries a profile around z, from its lower end up.
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

    /// At another place.
    pub fn moved(mut self, pose: &Pose) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner = pose.transform_point(*corner));
        self.normals.iter_mut().for_each(|normal| *normal = unit(pose.transform_vector(*normal)));
        self
    }

    /// The box around it.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_points(self.corners.iter().copied())
    }
}

/// The triangles around each vertex.
struct Around {
    begin: Vec<u32>,
    triangles: Vec<u32>,
}

impl Around {
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

/// Of length one; up where there is no direction (a triangle too small for numbers).
fn unit(vector: DVec3) -> DVec3 {
    vector.try_normalize().unwrap_or(DVec3::Z)
}

/// Points of the unit circle, counter-clockwise from the x axis.
pub(super) fn circle(sides: usize) -> impl Iterator<Item = DVec3> {
    (0..sides).map(move |side| {
        let (sin, cos) = libm::sincos(TAU * side as f64 / sides as f64);
        dvec3(cos, sin, 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fan around the z axis, rising to a tip of a height.
    fn fan(sides: usize, height: f64) -> Surface {
        let mut vertices: Vec<DVec3> = circle(sides).collect();
        vertices.push(DVec3::Z * height);
        let tip = sides as u32;
        let triangles: Vec<[u32; 3]> = (0..tip).map(|side| [side, (side + 1) % tip, tip]).collect();
        Surface::creased(&vertices, &triangles)
    }

    #[test]
    fn a_gentle_tip_is_smooth_and_a_sharp_one_is_not() {
        let gentle = fan(8, 0.1);
        assert_eq!(gentle.corners.len(), 9);
        assert!((gentle.normals[gentle.triangles[0][2] as usize] - DVec3::Z).length() < 1e-9);
        // Four steep sides meet at right angles: each has its own three corners.
        assert_eq!(fan(4, 5.0).corners.len(), 12);
    }

    #[test]
    fn around_a_crowded_corner_all_is_flat() {
        let sides = MOST_AROUND + 1;
        let crowded = fan(sides, 0.1);
        let (flat, smooth) = (sides, sides);
        assert_eq!(crowded.corners.len(), flat + smooth, "each triangle has its own tip; the rim is shared");
    }

    #[test]
    fn triangles_of_no_size_have_normals_too() {
        let flat = Surface::creased(&[DVec3::ZERO, DVec3::X, 2.0 * DVec3::X], &[[0, 1, 2]]);
        assert_eq!(flat.normals, [DVec3::Z; 3]);
    }
}
