//! What one end of a contact or row is on.

use glam::DVec3;

/// One end of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Side {
    /// A free body, hit at a lever from its centre of mass.
    Body {
        /// Its tree.
        tree: u32,
        /// In m.
        lever: DVec3,
    },
    /// A link of a larger tree.
    Tree {
        /// The tree's first degree of freedom.
        start: u32,
        /// How many it has.
        dofs: u32,
        /// Where the columns begin: of J, then of `M^-1 J^T`.
        columns: u32,
        /// The velocity that a scripted root gives the point, in m/s.
        carried: DVec3,
    },
    /// Something that no impulse moves.
    Prescribed {
        /// Velocity of its point, in m/s.
        velocity: DVec3,
    },
}

/// One end of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSide {
    /// Not there.
    Nothing,
    /// A free body.
    Body {
        /// Its tree.
        tree: u32,
        /// What multiplies the angular velocity.
        angular: DVec3,
        /// What multiplies the velocity of the centre of mass.
        linear: DVec3,
    },
    /// A larger tree.
    Tree {
        /// The tree's first degree of freedom.
        start: u32,
        /// How many it has.
        dofs: u32,
        /// Where the entries begin: of J, then of `M^-1 J^T`.
        entries: u32,
        /// The velocity that a scripted root gives along the row, in m/s or rad/s.
        carried: f64,
    },
    /// Something that no impulse moves.
    Prescribed {
        /// Along the row, in m/s or rad/s.
        velocity: f64,
    },
}
