//! Common bodies as polyhedra, or as compounds of them where they are not convex: made for V-Clip, which knows no curves.

use std::f64::consts::PI;

use glam::DVec3;

use super::{Compound, NodeBounds, primitives::positive};
use crate::{GeometryError, Polyhedron, error::counted};

/// More sides or segments are refused.
const MAX_SIDES: usize = 4096;
/// More subdivisions of a sphere are refused: six give 40962 vertices.
const MAX_SUBDIVISIONS: usize = 6;

/// A ball: an icosahedron with its triangles cut in four `subdivisions` times. The vertices are at `radius` metres.
pub fn sphere(radius: f64, subdivisions: usize) -> Result<Polyhedron, GeometryError> {
    positive("radius of the sphere", radius)?;
    counted("subdivisions of the sphere", subdivisions, 0, MAX_SUBDIVISIONS)?;
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let mut points = Vec::with_capacity(12);
    for (a, b) in [(-1.0, -golden), (1.0, -golden), (-1.0, golden), (1.0, golden)] {
        points.extend([DVec3::new(0.0, a, b), DVec3::new(a, b, 0.0), DVec3::new(b, 0.0, a)].map(DVec3::normalize));
    }
    // Midpoints of the hull's edges are the new points: on a sphere every subdivision is the hull of its points.
    for _ in 0..subdivisions {
        let hull = Polyhedron::hull(&points)?;
        points = hull.vertices().to_vec();
        points.extend((0..hull.edges().len() as u32).map(|edge| {
            let (tail, head) = hull.edge_points(edge);
            (tail + head).normalize()
        }));
    }
    points.iter_mut().for_each(|p| *p *= radius);
    Polyhedron::hull(&points)
}

/// A cone along z with a regular base, half of its height below the origin and half above, in metres.
pub fn cone(radius: f64, height: f64, sides: usize) -> Result<Polyhedron, GeometryError> {
    positive("radius of the cone", radius)?;
    positive("height of the cone", height)?;
    counted("sides of the cone", sides, 3, MAX_SIDES)?;
    let mut points: Vec<DVec3> = circle(sides).map(|c| radius * c - DVec3::Z * (0.5 * height)).collect();
    points.push(DVec3::Z * (0.5 * height));
    Polyhedron::hull(&points)
}

/// A pyramid along z on a square with sides of `base` metres, half of its height below the origin and half above.
pub fn pyramid(base: f64, height: f64) -> Result<Polyhedron, GeometryError> {
    positive("base of the pyramid", base)?;
    positive("height of the pyramid", height)?;
    let (b, h) = (0.5 * base, 0.5 * height);
    let corner = |x, y| DVec3::new(x, y, -h);
    Polyhedron::hull(&[corner(b, b), corner(-b, b), corner(-b, -b), corner(b, -b), DVec3::new(0.0, 0.0, h)])
}

/// A tube along z around the origin, radii and height in metres: a ring of wedges.
pub fn tube(outer: f64, inner: f64, height: f64, sides: usize) -> Result<Compound, GeometryError> {
    positive("inner radius of the tube", inner)?;
    positive("thickness of the tube's wall", outer - inner)?;
    positive("height of the tube", height)?;
    counted("sides of the tube", sides, 3, MAX_SIDES)?;
    let h = 0.5 * height;
    ring(sides, &[(inner, -h), (outer, -h), (outer, h), (inner, h)])
}

/// A ring around z: the circle of the section's middles has radius `major`, the section `minor`, in metres.
pub fn torus(major: f64, minor: f64, segments: usize, sides: usize) -> Result<Compound, GeometryError> {
    positive("minor radius of the torus", minor)?;
    positive("major less minor radius of the torus", major - minor)?;
    counted("segments of the torus", segments, 3, MAX_SIDES)?;
    counted("sides of the torus", sides, 3, MAX_SIDES)?;
    let section: Vec<(f64, f64)> = circle(sides).map(|c| (major + minor * c.x, minor * c.y)).collect();
    ring(segments, &section)
}

/// A convex section of (radius, z) carried around z in steps. Between two steps it sweeps a convex wedge, as the chords
/// of all its points are parallel.
fn ring(steps: usize, section: &[(f64, f64)]) -> Result<Compound, GeometryError> {
    let directions: Vec<DVec3> = circle(steps).collect();
    let wedge = |i: usize| {
        let ends = [directions[i], directions[(i + 1) % steps]];
        let points: Vec<DVec3> =
            ends.iter().flat_map(|&d| section.iter().map(move |&(r, z)| r * d + DVec3::new(0.0, 0.0, z))).collect();
        Polyhedron::hull(&points)
    };
    Compound::from_polyhedra((0..steps).map(wedge).collect::<Result<_, _>>()?, NodeBounds::Hull)
}

/// Points of the unit circle, counter-clockwise from the x axis.
fn circle(sides: usize) -> impl Iterator<Item = DVec3> {
    (0..sides).map(move |i| {
        let (s, c) = libm::sincos(2.0 * PI * i as f64 / sides as f64);
        DVec3::new(c, s, 0.0)
    })
}
