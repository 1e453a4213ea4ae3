//! Common bodies as polyhedra or, where they are not convex, as compounds of polyhedra. V-Clip needs flat faces.

use std::f64::consts::PI;

use glam::DVec3;

use super::{Compound, NodeBounds, primitives::positive};
use crate::{GeometryError, Polyhedron, error::check_count};

/// Maximum number of sides or segments.
const MAX_SIDES: usize = 4096;
/// Maximum number of subdivisions of a sphere: six give 40962 vertices.
const MAX_SUBDIVISIONS: usize = 6;

/// Creates a sphere from an icosahedron whose triangles are divided in four `subdivisions` times. The vertices are at
/// distance `radius`, in metres.
pub fn sphere(radius: f64, subdivisions: usize) -> Result<Polyhedron, GeometryError> {
    positive("radius of the sphere", radius)?;
    check_count("subdivisions of the sphere", subdivisions, 0, MAX_SUBDIVISIONS)?;
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let mut points = Vec::with_capacity(12);
    for (a, b) in [(-1.0, -golden), (1.0, -golden), (-1.0, golden), (1.0, golden)] {
        points.extend([DVec3::new(0.0, a, b), DVec3::new(a, b, 0.0), DVec3::new(b, 0.0, a)].map(DVec3::normalize));
    }
    // The midpoints of the edges are the new points. On a sphere, every subdivision is the hull of its points.
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

/// Creates a cone along z with a regular polygon as base, centred on half its height. Lengths are in metres.
pub fn cone(radius: f64, height: f64, sides: usize) -> Result<Polyhedron, GeometryError> {
    positive("radius of the cone", radius)?;
    positive("height of the cone", height)?;
    check_count("sides of the cone", sides, 3, MAX_SIDES)?;
    let mut points: Vec<DVec3> = circle(sides).map(|c| radius * c - DVec3::Z * (0.5 * height)).collect();
    points.push(DVec3::Z * (0.5 * height));
    Polyhedron::hull(&points)
}

/// Creates a pyramid along z on a square with sides of `base` metres, centred on half its height.
pub fn pyramid(base: f64, height: f64) -> Result<Polyhedron, GeometryError> {
    positive("base of the pyramid", base)?;
    positive("height of the pyramid", height)?;
    let (b, h) = (0.5 * base, 0.5 * height);
    let corner = |x, y| DVec3::new(x, y, -h);
    Polyhedron::hull(&[corner(b, b), corner(-b, b), corner(-b, -b), corner(b, -b), DVec3::new(0.0, 0.0, h)])
}

/// Creates a tube along z around the origin from a ring of wedges. Radii and height are in metres.
pub fn tube(outer: f64, inner: f64, height: f64, sides: usize) -> Result<Compound, GeometryError> {
    positive("inner radius of the tube", inner)?;
    positive("thickness of the tube's wall", outer - inner)?;
    positive("height of the tube", height)?;
    check_count("sides of the tube", sides, 3, MAX_SIDES)?;
    let h = 0.5 * height;
    ring(sides, &[(inner, -h), (outer, -h), (outer, h), (inner, h)])
}

/// Creates a torus around z. `major` is the radius of the centre circle, `minor` that of the cross-section, in metres.
pub fn torus(major: f64, minor: f64, segments: usize, sides: usize) -> Result<Compound, GeometryError> {
    positive("minor radius of the torus", minor)?;
    positive("major less minor radius of the torus", major - minor)?;
    check_count("segments of the torus", segments, 3, MAX_SIDES)?;
    check_count("sides of the torus", sides, 3, MAX_SIDES)?;
    let section: Vec<(f64, f64)> = circle(sides).map(|c| (major + minor * c.x, minor * c.y)).collect();
    ring(segments, &section)
}

/// Sweeps a convex section of (radius, z) points around z in steps. The solid between two steps is a convex wedge
/// because the chords of all points are parallel.
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

/// Returns points of the unit circle, counter-clockwise from the x axis.
fn circle(sides: usize) -> impl Iterator<Item = DVec3> {
    (0..sides).map(move |i| {
        let (s, c) = libm::sincos(2.0 * PI * i as f64 / sides as f64);
        DVec3::new(c, s, 0.0)
    })
}
