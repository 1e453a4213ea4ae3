//! Narrow phase: distance, closest points and penetration of two shapes (004 section 2.2.2).
//!
//! Grammar: `operation_shape_shape(a, b, b_in_a)` in a file of that name. `b_in_a` is how b stands in the frame of a, and
//! all results are in the frame of a.

mod closest_capsule_capsule;
mod closest_capsule_cuboid;
mod closest_convex_half_space;
mod closest_sphere_capsule;
mod closest_sphere_cuboid;
mod closest_sphere_ellipsoid;
mod closest_sphere_frustum;
mod closest_sphere_sphere;
mod proximity;
mod segment;
mod surface_point;

pub use closest_capsule_capsule::closest_capsule_capsule;
pub use closest_capsule_cuboid::closest_capsule_cuboid;
pub use closest_convex_half_space::{closest_convex_half_space, closest_polyhedron_half_space};
pub use closest_sphere_capsule::{closest_sphere_capsule, nearest_on_capsule};
pub use closest_sphere_cuboid::{closest_sphere_cuboid, nearest_on_cuboid};
pub use closest_sphere_ellipsoid::{closest_sphere_ellipsoid, nearest_on_ellipsoid};
pub use closest_sphere_frustum::{
    closest_sphere_cone, closest_sphere_cylinder, closest_sphere_frustum, nearest_on_frustum,
};
pub use closest_sphere_sphere::closest_sphere_sphere;
pub use proximity::{FeaturePair, Proximity};
pub use surface_point::SurfacePoint;
