//! Narrow phase: distance, closest points and penetration of two shapes (Erleben 2002, section 2.2.2).
//!
//! Functions are named `operation_shape_shape(a, b, b_in_a)`, each in a file of that name. `b_in_a` is the pose of b in
//! the frame of a, and all results are in the frame of a. [`closest`] takes any two shapes and returns world
//! coordinates.

mod closest;
mod closest_capsule_capsule;
mod closest_capsule_cuboid;
mod closest_convex_convex;
mod closest_convex_half_space;
mod closest_convex_pair;
mod closest_height_field_convex;
mod closest_height_field_tree;
mod closest_sphere_capsule;
mod closest_sphere_cuboid;
mod closest_sphere_ellipsoid;
mod closest_sphere_frustum;
mod closest_sphere_sphere;
mod closest_sphere_tree;
mod closest_tree_tree;
mod core;
mod exact_fallback;
mod expanding_polytope;
mod gjk;
mod ground;
mod near_parts;
mod near_parts_height_field_tree;
mod node_pairs;
mod pair_cache;
mod pair_table;
mod part_tree;
mod penetration_cuboid_cuboid;
mod penetration_polyhedron_polyhedron;
mod proximity;
mod segment;
mod simplex;
mod surface_point;
mod track_features;
pub mod vclip;

pub use closest::{NarrowScratch, WorldProximity, closest, closest_within, gap_beyond};
pub use closest_capsule_capsule::closest_capsule_capsule;
pub use closest_capsule_cuboid::closest_capsule_cuboid;
pub use closest_convex_convex::closest_convex_convex;
pub use closest_convex_half_space::{closest_convex_half_space, closest_polyhedron_half_space};
pub use closest_convex_pair::closest_convex_pair;
pub use closest_height_field_convex::closest_height_field_convex;
pub use closest_sphere_capsule::{closest_sphere_capsule, nearest_on_capsule};
pub use closest_sphere_cuboid::{closest_sphere_cuboid, nearest_on_cuboid};
pub use closest_sphere_ellipsoid::{closest_sphere_ellipsoid, nearest_on_ellipsoid};
pub use closest_sphere_frustum::{
    closest_sphere_cone, closest_sphere_cylinder, closest_sphere_frustum, nearest_on_frustum,
};
pub use closest_sphere_sphere::closest_sphere_sphere;
pub use closest_sphere_tree::{
    BallContact, SphereTreeScratch, closest_sphere_tree_convex, closest_sphere_tree_sphere_tree,
    contacts_sphere_tree_sphere_tree,
};
pub use expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};
pub use near_parts::{NearParts, near_parts};
pub use pair_cache::{ConvexCache, NodePairCache, PairCache};
pub use pair_table::{PairTable, Reusable};
pub use penetration_cuboid_cuboid::penetration_cuboid_cuboid;
pub use penetration_polyhedron_polyhedron::penetration_polyhedron_polyhedron;
pub use proximity::{FeaturePair, Proximity};
pub use surface_point::SurfacePoint;
pub use track_features::{closest_points_of_features, distance_beyond_voronoi_planes, lies_in_voronoi_region};
