//! Why a world or the settings of a simulation were refused.

use burgess_dynamics::ModelError;
use burgess_geometry::GeometryError;
use thiserror::Error;

/// Why a world was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WorldError {
    /// The links are not a valid model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A shape has no volume to take the mass of.
    #[error("body '{body}': {source}")]
    Shape {
        /// Name of the body.
        body: String,
        /// Problem of the shape.
        source: GeometryError,
    },
    /// A body that moves has neither shapes nor a mass.
    #[error("body '{body}' moves but has no shape to take its mass from; give it a shape or a mass")]
    NoMass {
        /// Name of the body.
        body: String,
    },
    /// A number is out of its range.
    #[error("{what} must be {expected}, found {found}")]
    OutOfRange {
        /// The quantity.
        what: String,
        /// The allowed range in words.
        expected: &'static str,
        /// The given value.
        found: f64,
    },
    /// A pose is invalid.
    #[error("the pose of {what} must have a finite position and a rotation of length 1")]
    Pose {
        /// Object that has the pose.
        what: String,
    },
    /// Both ends of a constraint are on the same body.
    #[error("a constraint has both ends {place}; it must tie two bodies, or a body and the world")]
    TiedToItself {
        /// "in the world", or "on body '...'".
        place: String,
    },
    /// Something refers to an item that does not exist.
    #[error("{what} names a {missing} that does not exist")]
    Unknown {
        /// Object that refers to it.
        what: String,
        /// "link", "shape" or "material".
        missing: &'static str,
    },
    /// A moving body has a shape that only the world can have.
    #[error("body '{body}': a {shape} cannot move; give it to the world")]
    Immovable {
        /// Name of the body.
        body: String,
        /// Kind of shape.
        shape: &'static str,
    },
    /// The combination is not supported.
    #[error("{why}")]
    Impossible {
        /// The reason.
        why: String,
    },
    /// Initial positions or velocities do not fit the joint.
    #[error("body '{body}': its joint has {expected} {what}, found {found}")]
    StateLength {
        /// Name of the body.
        body: String,
        /// "positions" or "velocities".
        what: &'static str,
        /// The number that the joint has.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
}

impl WorldError {
    /// Refuses a number unless a condition holds.
    pub fn unless(fits: bool, what: &str, expected: &'static str, found: f64) -> Result<(), Self> {
        if fits { Ok(()) } else { Err(Self::OutOfRange { what: what.to_string(), expected, found }) }
    }

    /// Refuses a number that is negative or not finite.
    pub fn unless_not_negative(what: &str, found: f64) -> Result<(), Self> {
        Self::unless(found >= 0.0 && found.is_finite(), what, "finite and not negative", found)
    }

    /// Refuses a number that is not positive or not finite.
    pub fn unless_positive(what: &str, found: f64) -> Result<(), Self> {
        Self::unless(found > 0.0 && found.is_finite(), what, "positive and finite", found)
    }
}
