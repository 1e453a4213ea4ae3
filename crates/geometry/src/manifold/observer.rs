//! Observer who moves in a manifold.

use glam::{DVec3, DVec4};

use super::Domain;
use crate::space::{Isometry, Space};

/// Motion of one step, in the observer's own axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Direction and length of the translation.
    pub drift: DVec3,
    /// Axis and angle of the rotation, in radians.
    pub turn: DVec3,
}

/// Observer in a domain. The observer is brought back into the domain by elements of the group; the copies of the domain
/// never move, so that far copies keep their accuracy.
#[derive(Debug, Clone, PartialEq)]
pub struct Observer {
    frame: Isometry,
}

impl Observer {
    /// Puts an observer at the origin.
    pub fn at_origin(space: Space) -> Observer {
        Observer { frame: Isometry::identity(space) }
    }

    /// Returns the isometry that maps the observer's coordinates to those of the domain.
    pub fn frame(&self) -> &Isometry {
        &self.frame
    }

    /// Returns the position in the domain.
    pub fn position(&self) -> DVec4 {
        self.frame.centre()
    }

    /// Moves and turns the observer. Returns the faces crossed, in order.
    pub fn step(&mut self, domain: &Domain, motion: Motion) -> Vec<usize> {
        let space = self.frame.space();
        let turn = Isometry::turn(space, motion.turn, motion.turn.length());
        self.frame = (self.frame * Isometry::translation(space, motion.drift) * turn).orthonormalised();
        domain.bring_back(&mut self.frame)
    }
}
