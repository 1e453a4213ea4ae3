//! Errors of shape construction.

use thiserror::Error;

/// Returns `value` if it is between `min` and `max`.
pub(crate) fn check_count(what: &'static str, value: usize, min: usize, max: usize) -> Result<usize, GeometryError> {
    if (min..=max).contains(&value) { Ok(value) } else { Err(GeometryError::CountOutOfRange { what, value, min, max }) }
}

/// Why a shape was rejected. Every message says what was found and, where it helps, what was expected.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeometryError {
    /// A length that must be positive and finite is not.
    #[error("{what} must be positive and finite, found {value}")]
    NotPositive {
        /// Name of the quantity, for example "radius of the sphere".
        what: &'static str,
        /// Value found.
        value: f64,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the vertex in the caller's list.
        vertex: usize,
    },
    /// Too few points, or all of them on a point, a line or a plane.
    #[error("{points} points enclose no volume: {why}")]
    NoVolume {
        /// Number of points found.
        points: usize,
        /// Kind of degeneracy.
        why: &'static str,
    },
    /// The surface is not the closed boundary of a convex body.
    #[error("not a closed convex surface: {why}")]
    NotConvex {
        /// Which feature is wrong, and how.
        why: String,
    },
    /// The shape has no volume or is unbounded.
    #[error("a {shape} has no mass properties: it can only be part of the fixed world")]
    NoMass {
        /// The kind of shape.
        shape: &'static str,
    },
    /// Mass or inertia is too large or too small for a floating-point number.
    #[error("mass {mass} kg with moments of inertia {moments} kg m^2 is out of range")]
    MassOutOfRange {
        /// Resulting mass, in kilograms.
        mass: f64,
        /// Diagonal of the resulting inertia, in kg m^2.
        moments: glam::DVec3,
    },
    /// A fraction is not between 0 and 1.
    #[error("{what} must be from 0 to 1, found {value}")]
    ShareOutOfRange {
        /// Name of the quantity.
        what: &'static str,
        /// Value found.
        value: f64,
    },
    /// A count is out of range.
    #[error("{what} must be {min} to {max}, found {value}")]
    CountOutOfRange {
        /// Name of the check_count quantity.
        what: &'static str,
        /// Value found.
        value: usize,
        /// Smallest allowed value.
        min: usize,
        /// Largest allowed value.
        max: usize,
    },
    /// A shape cannot be part of a compound.
    #[error("part {part} of the compound: {why}")]
    BadPart {
        /// Index of the part in the caller's list.
        part: usize,
        /// Reason.
        why: String,
    },
    /// The index for distance queries on a mesh could not be built.
    #[error("the mesh cannot be searched: {why}")]
    Unsearchable {
        /// Message of the index.
        why: String,
    },
}
