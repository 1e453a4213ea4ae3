//! Radii of curvature of a surface at a point of contact.
//!
//! At a point with outward unit normal n, a displacement u along the surface rotates the normal by `dn = R^-1 u`. R is
//! symmetric and in the tangent plane: `r` times the identity for a sphere, two different radii for a cylinder.
//! Polyhedra are limits: a face has infinite radii, a corner zero radii, an edge one of each. [`FLAT`] stands for an
//! infinite radius: large enough to be flat, small enough for floating-point arithmetic.
//!
//! Edges of height fields count as corners.

use burgess_geometry::shape::{Capsule, Ellipsoid};
use burgess_geometry::{Feature, Polyhedron, Shape};
use glam::{DMat3, DVec3};

use burgess_simulation::{CollisionDetection, World, WorldContact};

/// Radius that stands for a plane, in m. A body that slides over it at speed v accelerates away from it with
/// `v^2 / FLAT`, and rounding errors grow by `FLAT` where edges cross.
pub const FLAT: f64 = 1e8;

/// Difference in height, relative to a polyhedron's size, below which vertices are on the same feature.
const HEIGHT_TOLERANCE: f64 = 1e-7;

/// Tilt of a rim, in rad, below which its points count as corners: its lowest point would move around it too fast to be
/// followed.
const MIN_RIM_TILT: f64 = 0.05;

/// A point of a surface, in the shape's own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Position, in m.
    pub point: DVec3,
    /// Outward unit normal.
    pub normal: DVec3,
    /// Index of the convex part of the shape; 0 for a convex shape.
    pub part: u32,
    /// Feature of the shape, as named by contact determination.
    pub feature: Feature,
    /// Maximum distance of the point from the surface, in m.
    pub slack: f64,
}

/// Returns the radii of curvature (m) as a symmetric matrix in the tangent plane, in the shape's own frame.
pub fn radii_of_curvature(shape: &Shape, at: &SurfacePoint) -> DMat3 {
    match shape {
        Shape::Sphere(sphere) => tangent_plane(at.normal) * sphere.radius,
        Shape::HalfSpace(_) => tangent_plane(at.normal) * FLAT,
        Shape::Cuboid(cuboid) => of_polyhedron(&cuboid.polyhedron, at),
        Shape::Polyhedron(polyhedron) => of_polyhedron(polyhedron, at),
        Shape::Capsule(capsule) => of_capsule(capsule, at),
        Shape::Cylinder(cylinder) => of_revolution(cylinder.half_length, cylinder.radius, at),
        Shape::Cone(cone) => of_revolution(cone.half_length, cone.radius, at),
        Shape::Frustum(frustum) => {
            of_revolution(frustum.half_length, frustum.bottom_radius.max(frustum.top_radius), at)
        }
        Shape::Ellipsoid(ellipsoid) => of_ellipsoid(ellipsoid, at),
        Shape::Compound(compound) => of_part(compound, at),
        Shape::Mesh(mesh) => of_part(mesh.parts(), at),
        Shape::HeightField(_) => match at.feature {
            Feature::Face(_) => tangent_plane(at.normal) * FLAT,
            Feature::Edge(_) | Feature::Vertex(_) => DMat3::ZERO,
        },
    }
}

fn of_part(compound: &burgess_geometry::shape::Compound, at: &SurfacePoint) -> DMat3 {
    let Some(part) = compound.parts().get(at.part as usize) else { return DMat3::ZERO };
    let point = part.pose().inverse_transform_point(at.point);
    let normal = part.pose().rotation.inverse() * at.normal;
    let radii = radii_of_curvature(part.shape(), &SurfacePoint { point, normal, part: 0, ..*at });
    turned(&radii, &part.pose().matrix())
}

/// Returns the matrix in another frame. `rotation` contains the axes of the first frame in it.
pub fn turned(radii: &DMat3, rotation: &DMat3) -> DMat3 {
    *rotation * *radii * rotation.transpose()
}

fn tangent_plane(normal: DVec3) -> DMat3 {
    DMat3::IDENTITY - outer(normal)
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The feature of a contact with a round shape is only the nearest face or edge. The direction of the normal tells the
/// true feature.
fn of_polyhedron(polyhedron: &Polyhedron, at: &SurfacePoint) -> DMat3 {
    match at.feature {
        Feature::Vertex(_) => DMat3::ZERO,
        Feature::Edge(edge) => {
            let named = polyhedron.edges().get(edge as usize).map(|edge| edge.direction());
            match named.filter(|direction| direction.dot(at.normal).abs() < HEIGHT_TOLERANCE) {
                Some(direction) => along(direction, at.normal) * FLAT,
                None => of_support(polyhedron, at.normal),
            }
        }
        Feature::Face(face) => {
            let named = polyhedron.faces().get(face as usize).map(|face| face.plane.normal);
            let is_face = named.is_some_and(|normal| normal.dot(at.normal) > 1.0 - 1e-12);
            if is_face { tangent_plane(at.normal) * FLAT } else { of_support(polyhedron, at.normal) }
        }
    }
}

/// Returns the radii of the feature that is farthest along a normal.
fn of_support(polyhedron: &Polyhedron, normal: DVec3) -> DMat3 {
    let height = |vertex: &DVec3| vertex.dot(normal);
    let highest = polyhedron.vertices().iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    let level = highest - HEIGHT_TOLERANCE * polyhedron.size();
    let mut reached = polyhedron.vertices().iter().filter(|vertex| height(vertex) >= level);
    match (reached.next(), reached.next(), reached.next()) {
        (Some(first), Some(second), None) => along(*second - *first, normal) * FLAT,
        (Some(_), Some(_), Some(_)) => tangent_plane(normal) * FLAT,
        _ => DMat3::ZERO,
    }
}

/// Returns the projection onto a direction's component in the tangent plane.
fn along(direction: DVec3, normal: DVec3) -> DMat3 {
    direction.reject_from_normalized(normal).try_normalize().map_or(DMat3::ZERO, outer)
}

fn of_capsule(capsule: &Capsule, at: &SurfacePoint) -> DMat3 {
    let round = tangent_plane(at.normal) * capsule.radius;
    if at.point.z.abs() >= capsule.half_length - at.slack {
        return round;
    }
    let lengthwise = along(DVec3::Z, at.normal);
    round + lengthwise * (FLAT - capsule.radius)
}

/// Returns the radii of cylinders and cones: flat lengthwise, round across. A rim is round along its circle and sharp
/// across; rim points of a flat end count as corners.
fn of_revolution(half_length: f64, largest_radius: f64, at: &SurfacePoint) -> DMat3 {
    let radial = DVec3::new(at.point.x, at.point.y, 0.0);
    let distance = radial.length();
    let slack = at.slack + 1e-9 * (half_length + largest_radius);
    let on_end = at.point.z.abs() >= half_length - slack;
    if at.normal.z.abs() > 1.0 - 1e-9 {
        // On a flat end: a face inside, corners at the rim.
        return if matches!(at.feature, Feature::Face(_)) { tangent_plane(at.normal) * FLAT } else { DMat3::ZERO };
    }
    if distance <= slack {
        return DMat3::ZERO;
    }
    let outward = radial / distance;
    let around = outer(DVec3::Z.cross(outward));
    let tilt = at.normal.dot(outward);
    if on_end {
        return if tilt > MIN_RIM_TILT { around * (distance / tilt) } else { DMat3::ZERO };
    }
    around * (distance / tilt.max(distance / FLAT)) + along(DVec3::Z, at.normal) * FLAT
}

/// Returns the radii of an ellipsoid. From `F = sum of (x / s)^2`, the normal rotates by `P H P u / |grad F|`, with H
/// the second derivatives of F.
fn of_ellipsoid(ellipsoid: &Ellipsoid, at: &SurfacePoint) -> DMat3 {
    let squares = ellipsoid.semi_axes * ellipsoid.semi_axes;
    let gradient = (at.point / squares).length();
    let (first, second) = at.normal.any_orthonormal_pair();
    let bend = |a: DVec3, b: DVec3| (a / squares).dot(b) / gradient;
    let (xx, xy, yy) = (bend(first, first), bend(first, second), bend(second, second));
    let determinant = xx * yy - xy * xy;
    if !(determinant > 0.0 && determinant.is_finite()) {
        return DMat3::ZERO;
    }
    let mixed = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    (outer(first) * yy + outer(second) * xx - (mixed(first, second) + mixed(second, first)) * xy) * (1.0 / determinant)
}

/// Returns the radii of curvature of one side of a contact, along the axes of the world.
pub fn radii(world: &World, detection: &CollisionDetection, contact: &WorldContact, of_b: bool) -> DMat3 {
    let features = contact.id.contact.features();
    let (collider, part, feature, outward) = if of_b {
        (contact.collider_b, contact.id.part_b, features.b, -contact.normal)
    } else {
        (contact.collider_a, contact.id.part_a, features.a, contact.normal)
    };
    let pose = &detection.collider_poses()[collider as usize];
    let slack = contact.distance.abs();
    let place = SurfacePoint {
        point: pose.inverse_transform_point(contact.point),
        normal: pose.rotation.inverse() * outward,
        part,
        feature,
        slack,
    };
    turned(&radii_of_curvature(&world.colliders()[collider as usize].shape, &place), &pose.matrix())
}
