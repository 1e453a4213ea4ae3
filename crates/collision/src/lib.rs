//! Collision detection: broad phase, narrow phase, contact determination and contact analysis (Erleben 2002, section
//! 2.2).
//!
//! The closest points of two cubes, by V-Clip:
//!
//! ```
//! use burgess_collision::narrow_phase::{FeaturePair, vclip};
//! use burgess_geometry::{Polyhedron, Pose, RelativePose, glam::DVec3};
//!
//! let cube = Polyhedron::cuboid(DVec3::splat(0.5))?;
//! let b_in_a = RelativePose::new(&Pose::IDENTITY, &Pose::from_translation(DVec3::new(3.0, 0.2, 0.1)));
//! let (mut features, mut statistics) = (FeaturePair::default(), vclip::VclipStatistics::default());
//! // `features` remembers the closest features: keep it, and the next query of this pair is nearly free.
//! let outcome = vclip::closest_polyhedron_polyhedron(&cube, &cube, &b_in_a, &mut features, &mut statistics);
//! let vclip::VclipOutcome::Separated(proximity) = outcome else { panic!("the cubes overlap") };
//! assert!((proximity.distance - 2.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod broad_phase;
pub mod contact_analysis;
pub mod contact_determination;
pub mod narrow_phase;
