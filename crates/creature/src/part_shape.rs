//! Shapes of parts, with the queries that growth needs: where a ray from the middle leaves the shape, and
//! cross-sections.

use std::f64::consts::PI;

use burgess_geometry::shape::{Capsule, Cone, Cuboid, Ellipsoid, Frustum, Sphere};
use burgess_geometry::{GeometryError, Pose, Shape};
use burgess_scene::spec::{BoxShape, EllipsoidShape, FrustumShape, RoundShape, ShapeKind, ShapeSpec, SphereShape};
use glam::DVec3;

/// The shape of a part, in m. Solids of revolution have their axis along z. The origin is in the middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartShape {
    /// A box, given by half its sides.
    Box(DVec3),
    /// A sphere, given by its radius.
    Sphere(f64),
    /// A cylinder with hemispherical ends.
    Capsule {
        /// Radius of the cylinder and its ends.
        radius: f64,
        /// Half the distance between the centres of the ends.
        half_length: f64,
    },
    /// An ellipsoid, given by its semi-axes.
    Ellipsoid(DVec3),
    /// A cone with its apex at +z.
    Cone {
        /// Radius of the base at -z.
        radius: f64,
        /// Half the length along z.
        half_length: f64,
    },
    /// A truncated cone.
    Frustum {
        /// Radius at -z.
        bottom: f64,
        /// Radius at +z.
        top: f64,
        /// Half the length along z.
        half_length: f64,
    },
}

impl PartShape {
    /// Returns the volume, in m^3.
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Box(half) => 8.0 * half.x * half.y * half.z,
            Self::Sphere(radius) => 4.0 / 3.0 * PI * radius * radius * radius,
            Self::Capsule { radius, half_length } => PI * radius * radius * (4.0 / 3.0 * radius + 2.0 * half_length),
            Self::Ellipsoid(semi) => 4.0 / 3.0 * PI * semi.x * semi.y * semi.z,
            Self::Cone { radius, half_length } => 2.0 / 3.0 * PI * radius * radius * half_length,
            Self::Frustum { bottom, top, half_length } => {
                2.0 / 3.0 * PI * half_length * (bottom * bottom + bottom * top + top * top)
            }
        }
    }

    /// Returns the shape with all lengths multiplied by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Box(half) => Self::Box(factor * half),
            Self::Sphere(radius) => Self::Sphere(factor * radius),
            Self::Capsule { radius, half_length } => {
                Self::Capsule { radius: factor * radius, half_length: factor * half_length }
            }
            Self::Ellipsoid(semi) => Self::Ellipsoid(factor * semi),
            Self::Cone { radius, half_length } => {
                Self::Cone { radius: factor * radius, half_length: factor * half_length }
            }
            Self::Frustum { bottom, top, half_length } => {
                Self::Frustum { bottom: factor * bottom, top: factor * top, half_length: factor * half_length }
            }
        }
    }

    /// Returns half the extent along the shape's z axis.
    pub fn half_length(&self) -> f64 {
        self.half_sides().z
    }

    /// Returns half the sides of the bounding box along the shape's own axes.
    pub fn half_sides(&self) -> DVec3 {
        match *self {
            Self::Box(half) => half,
            Self::Sphere(radius) => DVec3::splat(radius),
            Self::Capsule { radius, half_length } => DVec3::new(radius, radius, half_length + radius),
            Self::Ellipsoid(semi) => semi,
            Self::Cone { radius, half_length } => DVec3::new(radius, radius, half_length),
            Self::Frustum { bottom, top, half_length } => {
                let radius = bottom.max(top);
                DVec3::new(radius, radius, half_length)
            }
        }
    }

    /// Returns half the smallest side of the bounding box.
    pub fn half_thickness(&self) -> f64 {
        self.half_sides().min_element()
    }

    /// Returns the extent from the middle along a unit vector in the shape's frame (the support function).
    pub fn reach(&self, d: DVec3) -> f64 {
        let across = || libm::hypot(d.x, d.y);
        match *self {
            Self::Box(half) => half.dot(d.abs()),
            Self::Sphere(radius) => radius,
            Self::Capsule { radius, half_length } => radius + half_length * d.z.abs(),
            Self::Ellipsoid(semi) => (semi * d).length(),
            Self::Cone { radius, half_length } => (radius * across() - half_length * d.z).max(half_length * d.z),
            Self::Frustum { bottom, top, half_length } => {
                (bottom * across() - half_length * d.z).max(top * across() + half_length * d.z)
            }
        }
    }

    /// Returns the lowest and highest corner of the bounding box of the shape at a pose.
    pub fn bounds(&self, pose: &Pose) -> [DVec3; 2] {
        let reach = |axis: DVec3| self.reach(pose.inverse_transform_vector(axis));
        let high = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
        let low = DVec3::new(reach(DVec3::NEG_X), reach(DVec3::NEG_Y), reach(DVec3::NEG_Z));
        [pose.translation - low, pose.translation + high]
    }

    /// Returns the point where a ray from the middle leaves the shape, and the outward unit normal there. The direction
    /// may have any length except zero.
    pub fn surface(&self, direction: DVec3) -> (DVec3, DVec3) {
        let d = direction.normalize_or(DVec3::Z);
        match *self {
            Self::Box(half) => {
                // The face that the ray reaches first.
                let reach = [half.x / d.x.abs(), half.y / d.y.abs(), half.z / d.z.abs()];
                let axis = (0..3).fold(0, |least, axis| if reach[axis] < reach[least] { axis } else { least });
                let mut normal = DVec3::ZERO;
                normal[axis] = if d[axis] < 0.0 { -1.0 } else { 1.0 };
                (d * reach[axis], normal)
            }
            Self::Sphere(radius) => (d * radius, d),
            Self::Ellipsoid(semi) => {
                let point = d / (d / semi).length();
                (point, (point / (semi * semi)).normalize_or(d))
            }
            Self::Capsule { radius, half_length } => {
                let across = libm::hypot(d.x, d.y);
                let side = radius / across;
                if side * d.z.abs() <= half_length {
                    return (d * side, DVec3::new(d.x, d.y, 0.0).normalize_or(DVec3::X));
                }
                // |t d - c| = r, where c is the centre of the end that the ray goes to.
                let center = DVec3::new(0.0, 0.0, if d.z < 0.0 { -half_length } else { half_length });
                let along = d.dot(center);
                let root = libm::sqrt((along * along - half_length * half_length + radius * radius).max(0.0));
                let point = d * (along + root);
                (point, (point - center).normalize_or(d))
            }
            Self::Cone { .. } | Self::Frustum { .. } => {
                let (bottom, top, half_length) = match *self {
                    Self::Frustum { bottom, top, half_length } => (bottom, top, half_length),
                    _ => (self.half_sides().x, 0.0, self.half_length()),
                };
                let across = libm::hypot(d.x, d.y);
                // The radius at height z is middle + slope z.
                let (middle, slope) = (0.5 * (bottom + top), 0.5 * (top - bottom) / half_length);
                let side = middle / (across - slope * d.z);
                if side.is_finite() && side > 0.0 && (side * d.z).abs() <= half_length {
                    let outward = DVec3::new(d.x, d.y, 0.0).normalize_or(DVec3::X);
                    return (d * side, (outward - DVec3::Z * slope).normalize());
                }
                let end = if d.z < 0.0 { -1.0 } else { 1.0 };
                (d * (half_length / d.z.abs()), DVec3::Z * end)
            }
        }
    }

    /// Returns the area of the cross-section through the middle, perpendicular to a direction in the shape's frame, in
    /// m^2. A box is cut perpendicular to the axis nearest to the direction.
    pub fn section(&self, direction: DVec3) -> f64 {
        let d = direction.normalize_or(DVec3::Z);
        match *self {
            Self::Sphere(radius) => PI * radius * radius,
            // Area of the central section of an ellipsoid: pi a b c / |(a dx, b dy, c dz)|.
            Self::Ellipsoid(semi) => PI * semi.x * semi.y * semi.z / (semi * d).length(),
            _ => {
                let half = self.half_sides();
                let axis = (0..3).fold(0, |most, axis| if d[axis].abs() > d[most].abs() { axis } else { most });
                let rectangle = 4.0 * half[(axis + 1) % 3] * half[(axis + 2) % 3];
                match *self {
                    Self::Box(_) => rectangle,
                    Self::Capsule { radius, .. } if axis == 2 => PI * radius * radius,
                    Self::Capsule { radius, half_length } => PI * radius * radius + 4.0 * radius * half_length,
                    Self::Frustum { bottom, top, .. } if axis == 2 => 0.25 * PI * (bottom + top) * (bottom + top),
                    Self::Frustum { bottom, top, half_length } => 2.0 * half_length * (bottom + top),
                    Self::Cone { radius, .. } if axis == 2 => 0.25 * PI * radius * radius,
                    Self::Cone { radius, half_length } => 2.0 * half_length * radius,
                    Self::Sphere(_) | Self::Ellipsoid(_) => rectangle,
                }
            }
        }
    }

    /// Returns the collision shape. Fails if a size is not positive.
    pub fn shape(&self) -> Result<Shape, GeometryError> {
        Ok(match *self {
            Self::Box(half) => Shape::Cuboid(Cuboid::new(half)?),
            Self::Sphere(radius) => Shape::Sphere(Sphere::new(radius)?),
            Self::Capsule { radius, half_length } => Shape::Capsule(Capsule::new(radius, half_length)?),
            Self::Ellipsoid(semi) => Shape::Ellipsoid(Ellipsoid::new(semi)?),
            Self::Cone { radius, half_length } => Shape::Cone(Cone::new(radius, half_length)?),
            Self::Frustum { bottom, top, half_length } => Shape::Frustum(Frustum::new(bottom, top, half_length)?),
        })
    }

    /// Returns the shape for a scene.
    pub fn spec(&self) -> ShapeSpec {
        ShapeSpec::new(match *self {
            Self::Box(half) => ShapeKind::Box(BoxShape { size: 2.0 * half }),
            Self::Sphere(radius) => ShapeKind::Sphere(SphereShape { radius }),
            Self::Capsule { radius, half_length } => {
                ShapeKind::Capsule(RoundShape { radius, length: 2.0 * half_length })
            }
            Self::Ellipsoid(semi_axes) => ShapeKind::Ellipsoid(EllipsoidShape { semi_axes }),
            Self::Cone { radius, half_length } => ShapeKind::Cone(RoundShape { radius, length: 2.0 * half_length }),
            Self::Frustum { bottom, top, half_length } => {
                ShapeKind::Frustum(FrustumShape { bottom_radius: bottom, top_radius: top, length: 2.0 * half_length })
            }
        })
    }
}
