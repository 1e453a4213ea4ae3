//! Contact determination: from closest points to contacts (Erleben 2002, section 2.2.3).
//!
//! The trait has three implementations. [`ClosestPair`] uses only the closest points. [`TrackedFeatures`] adds features
//! that were closest before and still touch (Fontijne 2000, section 3.10). [`FullManifold`] finds the whole region in
//! which the surfaces touch. All work in the frame of a; [`Manifold::transform`] transforms the result to the world.
//! Shapes of several convex parts get one manifold for each pair of near parts: [`determine_parts`].
//!
//! ```
//! use burgess_collision::contact_determination::{
//!     ClosePair, ContactDetermination, FullManifold, Manifold, PairMemory,
//! };
//! use burgess_collision::narrow_phase::Proximity;
//! use burgess_geometry::{Pose, RelativePose, Shape, shape::{Cuboid, HalfSpace}};
//! use glam::DVec3;
//!
//! let ground = Shape::HalfSpace(HalfSpace);
//! let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap());
//! let b_in_a = RelativePose::new(&Pose::IDENTITY, &Pose::from_translation(DVec3::new(0.0, 0.0, 0.501)));
//! let (point_a, point_b) = (DVec3::ZERO, DVec3::new(0.0, 0.0, 0.001));
//! let proximity = Proximity { distance: 0.001, normal: DVec3::Z, point_a, point_b };
//! let pair = ClosePair { a: &ground, b: &cube, b_in_a: &b_in_a, proximity: &proximity, features: None };
//! let mut manifold = Manifold::new();
//! FullManifold::new(0.01).determine(&pair, &mut PairMemory::default(), &mut manifold);
//! assert_eq!(manifold.len(), 4);
//! ```

mod closest_pair;
mod contact;
mod full_manifold;
mod overlap_half_space;
mod overlap_polygon_polygon;
mod overlap_segment_polygon;
mod overlap_segment_segment;
mod overlap_tip;
mod parts;
mod patch;
mod patch_polyhedron;
mod patch_revolution;
mod region;
mod tracked_features;

pub use closest_pair::ClosestPair;
pub use contact::{Contact, ContactId, Manifold};
pub use full_manifold::FullManifold;
pub use parts::{PartContact, PartContactId, PartMemory, PartScratch, determine_parts};
pub use tracked_features::{PairMemory, TrackedFeatures};

use burgess_geometry::{Feature, RelativePose, Shape};

use crate::narrow_phase::{FeaturePair, Proximity};

/// Two convex shapes near each other, and their closest points.
#[derive(Debug, Clone, Copy)]
pub struct ClosePair<'a> {
    /// The first shape. All coordinates are in its frame.
    pub a: &'a Shape,
    /// The second shape.
    pub b: &'a Shape,
    /// Pose of b in the frame of a.
    pub b_in_a: &'a RelativePose,
    /// Closest or deepest points.
    pub proximity: &'a Proximity,
    /// Closest features of a and b, if both are polyhedra and the narrow phase found them.
    pub features: Option<FeaturePair>,
}

/// Turns the closest points of a pair into contacts.
pub trait ContactDetermination {
    /// Sets the maximum gap of a contact, in metres. Methods that use the result of the narrow phase as it is ignore
    /// this.
    fn set_margin(&mut self, _margin: f64) {}

    /// Replaces `manifold` by the contacts of the pair. `memory` belongs to this pair of shapes: it must be kept from
    /// step to step, and is part of the state of the world.
    fn determine(&mut self, pair: &ClosePair, memory: &mut PairMemory, manifold: &mut Manifold);
}

/// Feature that stands for a round body as a whole.
const WHOLE: Feature = Feature::Face(0);
