//! Narrow phase: distance, closest points and penetration of two shapes (004 section 2.2.2).
//!
//! Grammar: `operation_shape_shape(a, b, b_in_a)` in a file of that name. `b_in_a` is how b stands in the frame of a, and
//! all results are in the frame of a.

mod proximity;
mod track_features;

pub use proximity::{FeaturePair, Proximity};
pub use track_features::{closest_points_of_features, distance_beyond_voronoi_planes, lies_in_voronoi_region};
