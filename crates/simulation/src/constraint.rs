//! Constraints beyond the joints of a tree: loops, and constraints between trees.

use burgess_geometry::Pose;
use glam::DVec3;

/// A place on a link (in the link's own coordinates) or in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Index of the link; none for the world.
    pub link: Option<usize>,
    /// Pose in the link's own coordinates, or in the world.
    pub pose: Pose,
}

impl Anchor {
    /// A point of a link.
    pub fn on_link(link: usize, point: DVec3) -> Self {
        Self { link: Some(link), pose: Pose::from_translation(point) }
    }

    /// A point of the world.
    pub fn in_world(point: DVec3) -> Self {
        Self { link: None, pose: Pose::from_translation(point) }
    }
}

/// The relation between two anchors that a constraint maintains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstraintKind {
    /// The points coincide: a ball joint.
    Pin,
    /// The points coincide and the z axes of the two anchors stay parallel: a hinge that closes a loop.
    Hinge,
    /// The second point stays on the z axis of the first anchor, and the two do not turn against each other: a slide
    /// that closes a loop.
    Slide,
    /// The anchors coincide, orientation too.
    Weld,
    /// The points keep their distance.
    Distance {
        /// Length, in m.
        length: f64,
    },
    /// The points stay within a distance: a rope.
    Rope {
        /// Length, in m.
        length: f64,
    },
    /// A damped spring between the points, implicit in time.
    Spring {
        /// Length, in m.
        length: f64,
        /// Stiffness, in N/m.
        stiffness: f64,
        /// Damping, in N s/m.
        damping: f64,
    },
}

/// A constraint between two places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// Relation between the anchors.
    pub kind: ConstraintKind,
    /// The first place.
    pub a: Anchor,
    /// The second place.
    pub b: Anchor,
}
