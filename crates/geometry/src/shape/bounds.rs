//! Bounds of shapes: boxes, support points, radii.

use glam::{DMat3, DVec3};

use super::{Convex, Shape};
use crate::{Aabb, Flight, Polyhedron, Pose};

impl Shape {
    /// Returns the smallest box around the shape at a pose. A half-space whose normal is not along an axis has an
    /// unbounded box.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let rotation = pose.matrix();
        let at = pose.translation;
        match self {
            Self::Sphere(s) => Aabb::from_center(at, DVec3::splat(s.radius)),
            Self::Cuboid(b) => Aabb::from_center(DVec3::ZERO, b.half_extents).transformed(&rotation, at),
            Self::Capsule(c) => Aabb::from_center(at, (rotation.z_axis * c.half_length).abs() + c.radius),
            Self::Cylinder(c) => discs_aabb(&rotation, at, c.radius, c.radius, c.half_length),
            Self::Cone(c) => discs_aabb(&rotation, at, c.radius, 0.0, c.half_length),
            Self::Frustum(f) => discs_aabb(&rotation, at, f.bottom_radius, f.top_radius, f.half_length),
            Self::Ellipsoid(e) => {
                let stretched = rotation * DMat3::from_diagonal(e.semi_axes);
                Aabb::from_center(at, row_lengths(stretched.x_axis, stretched.y_axis, stretched.z_axis))
            }
            Self::HalfSpace(_) => half_space_aabb(rotation.z_axis, at),
            Self::Polyhedron(p) => p.aabb(&rotation, at),
            Self::Compound(c) => c.aabb(pose),
            Self::Mesh(m) => Aabb::from_points(m.surface().vertices().iter().map(|&v| rotation * v + at)),
            Self::HeightField(h) => h.aabb(pose),
        }
    }

    /// Returns a box that contains the shape during a whole flight. `center` is the point of the shape's frame that the
    /// flight describes, usually the centre of mass.
    pub fn swept_aabb(&self, pose: &Pose, center: DVec3, flight: &Flight) -> Aabb {
        let radius = self.bounding_radius(center);
        self.aabb(pose).swept_turning(pose.transform_point(center), radius, flight)
    }

    /// Returns the shape as a polyhedron with features, if it is a polyhedron or a box.
    pub fn as_polyhedron(&self) -> Option<&Polyhedron> {
        match self {
            Self::Cuboid(cuboid) => Some(&cuboid.polyhedron),
            Self::Polyhedron(polyhedron) => Some(polyhedron),
            _ => None,
        }
    }

    /// Returns the shape as a convex body with a support function. Half-spaces (unbounded) and non-convex shapes have
    /// none.
    pub fn as_convex(&self) -> Option<&dyn Convex> {
        match self {
            Self::Sphere(s) => Some(s),
            Self::Cuboid(b) => Some(b),
            Self::Capsule(c) => Some(c),
            Self::Cylinder(c) => Some(c),
            Self::Cone(c) => Some(c),
            Self::Frustum(f) => Some(f),
            Self::Ellipsoid(e) => Some(e),
            Self::Polyhedron(p) => Some(p.as_ref()),
            Self::HalfSpace(_) | Self::Compound(_) | Self::Mesh(_) | Self::HeightField(_) => None,
        }
    }

    /// Returns a point farthest along `direction` (non-zero, of any length) in the shape's frame, if the shape is
    /// convex and bounded.
    pub fn support(&self, direction: DVec3) -> Option<DVec3> {
        self.as_convex().map(|convex| convex.support(direction))
    }

    /// Returns the largest distance of the shape from a point of its frame, in metres. It is infinite for half-spaces,
    /// exact for all others except the ellipsoid, for which it is an upper bound that is exact at its centre.
    pub fn bounding_radius(&self, about: DVec3) -> f64 {
        match self {
            Self::Sphere(s) => about.length() + s.radius,
            Self::Cuboid(b) => (about.abs() + b.half_extents).length(),
            Self::Capsule(c) => (about.abs() + DVec3::new(0.0, 0.0, c.half_length)).length() + c.radius,
            Self::Cylinder(c) => discs_radius(about, c.radius, c.radius, c.half_length),
            Self::Cone(c) => discs_radius(about, c.radius, 0.0, c.half_length),
            Self::Frustum(f) => discs_radius(about, f.bottom_radius, f.top_radius, f.half_length),
            Self::Ellipsoid(e) => about.length() + e.semi_axes.max_element(),
            Self::HalfSpace(_) => f64::INFINITY,
            Self::Polyhedron(p) => farthest(about, p.vertices()),
            Self::Compound(c) => c.bounding_radius(about),
            Self::Mesh(m) => farthest(about, m.surface().vertices()),
            Self::HeightField(h) => h.bounding_radius(about),
        }
    }
}

/// Returns the distance of the farthest point.
fn farthest(about: DVec3, points: &[DVec3]) -> f64 {
    points.iter().map(|p| p.distance_squared(about)).fold(0.0, f64::max).sqrt()
}

/// Returns the lengths of the rows of a matrix given by columns.
fn row_lengths(x: DVec3, y: DVec3, z: DVec3) -> DVec3 {
    let squares = x * x + y * y + z * z;
    DVec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt())
}

/// Returns the box around two discs perpendicular to the z axis, at `-h` and `+h`.
fn discs_aabb(rotation: &DMat3, at: DVec3, bottom: f64, top: f64, h: f64) -> Aabb {
    let spread = row_lengths(rotation.x_axis, rotation.y_axis, DVec3::ZERO);
    let axis = rotation.z_axis * h;
    Aabb::from_center(at - axis, spread * bottom).union(&Aabb::from_center(at + axis, spread * top))
}

/// Returns the distance of the farthest rim point of two discs perpendicular to the z axis, at `-h` and `+h`.
fn discs_radius(about: DVec3, bottom: f64, top: f64, h: f64) -> f64 {
    let off_axis = about.truncate().length();
    let rim = |radius: f64, z: f64| libm::hypot(off_axis + radius, about.z - z);
    rim(bottom, -h).max(rim(top, h))
}

/// Returns the box of a half-space, which is bounded only if the normal is exactly along an axis.
fn half_space_aabb(normal: DVec3, at: DVec3) -> Aabb {
    let mut aabb = Aabb::EVERYWHERE;
    for axis in 0..3 {
        if normal[(axis + 1) % 3] == 0.0 && normal[(axis + 2) % 3] == 0.0 {
            if normal[axis] > 0.0 {
                aabb.max[axis] = at[axis];
            } else {
                aabb.min[axis] = at[axis];
            }
        }
    }
    aabb
}
