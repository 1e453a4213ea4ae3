//! Mass properties of every shape, from a uniform density (Fontijne 2000, section 3.5).

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::Shape;
use crate::{GeometryError, MassProperties, Polyhedron, mass::positive_density};

impl Shape {
    /// Returns the mass properties for a uniform density in kg/m^3, in the shape's frame. Half-spaces and height fields
    /// have none.
    ///
    /// ```
    /// use burgess_geometry::{Shape, shape::Sphere};
    ///
    /// let ball = Shape::Sphere(Sphere::new(0.5).unwrap());
    /// let water = ball.mass_properties(1000.0).unwrap();
    /// assert!((water.mass - 523.6).abs() < 0.1);
    /// ```
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let density = positive_density(density)?;
        match self {
            Self::Sphere(s) => ellipsoid(DVec3::splat(s.radius), density),
            Self::Ellipsoid(e) => ellipsoid(e.semi_axes, density),
            Self::Cuboid(b) => cuboid(b.half_extents, density),
            Self::Capsule(c) => capsule(c.radius, c.half_length, density),
            Self::Cylinder(c) => frustum(c.radius, c.radius, c.half_length, density),
            Self::Cone(c) => frustum(c.radius, 0.0, c.half_length, density),
            Self::Frustum(f) => frustum(f.bottom_radius, f.top_radius, f.half_length, density),
            Self::Polyhedron(p) => p.mass_properties(density),
            Self::Compound(c) => c.mass_properties(density),
            Self::Mesh(m) => m.surface().mass_properties(density),
            Self::HalfSpace(_) | Self::HeightField(_) => Err(GeometryError::NoMass { shape: self.kind() }),
        }
    }
}

impl Polyhedron {
    /// Returns the mass properties for a uniform density in kg/m^3.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        MassProperties::of_surface(self.triangles(), density)
    }

    /// Returns the surface as triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> + Clone + '_ {
        (0..self.faces().len() as u32).flat_map(|face| {
            let sides = self.sides(face);
            let corner = |i: usize| self.vertices()[sides[i].vertex as usize];
            (1..sides.len() - 1).map(move |i| [corner(0), corner(i), corner(i + 1)])
        })
    }
}

fn diagonal(mass: f64, center: DVec3, moments: DVec3) -> Result<MassProperties, GeometryError> {
    MassProperties::new(mass, center, DMat3::from_diagonal(moments))
}

fn ellipsoid(semi_axes: DVec3, density: f64) -> Result<MassProperties, GeometryError> {
    let mass = density * 4.0 / 3.0 * PI * semi_axes.element_product();
    let s = semi_axes * semi_axes;
    diagonal(mass, DVec3::ZERO, mass / 5.0 * DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
}

fn cuboid(half_extents: DVec3, density: f64) -> Result<MassProperties, GeometryError> {
    let mass = density * 8.0 * half_extents.element_product();
    let s = half_extents * half_extents;
    diagonal(mass, DVec3::ZERO, mass / 3.0 * DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
}

/// A capsule is a cylinder and two half balls, whose centres of mass are `3 r / 8` from their flat sides.
fn capsule(r: f64, h: f64, density: f64) -> Result<MassProperties, GeometryError> {
    let tube = density * PI * r * r * 2.0 * h;
    let ball = density * 4.0 / 3.0 * PI * r * r * r;
    let along = tube * r * r / 2.0 + ball * 0.4 * r * r;
    let across = tube * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    diagonal(tube + ball, DVec3::ZERO, DVec3::new(across, across, along))
}

/// The radius is `a` at `z = -h` and `b` at `z = h`. With `t = (z + h) / 2h`, the disc at `t` has radius `a + t (b -
/// a)`.
fn frustum(a: f64, b: f64, h: f64, density: f64) -> Result<MassProperties, GeometryError> {
    let height = 2.0 * h;
    // Integrals over t from 0 to 1 of r^2, r^2 t, r^2 t^2 and r^4.
    let r2 = (a * a + a * b + b * b) / 3.0;
    let r2t = (a * a + 2.0 * a * b + 3.0 * b * b) / 12.0;
    let r2tt = (a * a + 3.0 * a * b + 6.0 * b * b) / 30.0;
    let r4 = (a * a * (a * a + a * b + b * b) + b * b * b * (a + b)) / 5.0;
    let middle = r2t / r2;
    let column = density * PI * height;
    let along = column * r4 / 2.0;
    let across = column * (r4 / 4.0 + height * height * (r2tt - middle * r2t));
    diagonal(column * r2, DVec3::new(0.0, 0.0, height * middle - h), DVec3::new(across, across, along))
}
