//! Narrow phase: distance, closest points and penetration of two shapes (004 section 2.2.2).
//!
//! Grammar: `operation_shape_shape(a, b, b_in_a)` in a file of that name. `b_in_a` is how b stands in the frame of a, and
//! all results are in the frame of a.

mod exact_fallback;
mod expanding_polytope;
mod penetration_polyhedron_polyhedron;
mod proximity;
pub mod vclip;

pub use expanding_polytope::{PolytopeOutcome, PolytopeScratch, expanding_polytope};
pub use penetration_polyhedron_polyhedron::penetration_polyhedron_polyhedron;
pub use proximity::{FeaturePair, Proximity};
