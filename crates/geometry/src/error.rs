//! What can be wrong with a shape.

use thiserror::Error;

/// `value` if it is within the range.
pub(crate) fn counted(what: &'static str, value: usize, least: usize, most: usize) -> Result<usize, GeometryError> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(GeometryError::CountOutOfRange { what, value, least, most })
    }
}

/// Why a shape was refused. Every message says what was found and, where it helps, what was expected.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeometryError {
    /// A length that must be positive and finite is not.
    #[error("{what} must be positive and finite, found {value}")]
    NotPositive {
        /// The quantity, in the words of the shape ("radius of the sphere").
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the vertex as the caller gave it.
        vertex: usize,
    },
    /// Too few points, or all of them on a point, a line or a plane.
    #[error("{points} points enclose no volume: {why}")]
    NoVolume {
        /// How many points were given.
        points: usize,
        /// Which way they are degenerate.
        why: &'static str,
    },
    /// The surface is not the closed boundary of a convex body.
    #[error("not a closed convex surface: {why}")]
    NotConvex {
        /// The place and the fault.
        why: String,
    },
    /// The shape has no volume, or no end.
    #[error("a {shape} has no mass properties: it is part of the fixed world")]
    NoMass {
        /// The kind of shape.
        shape: &'static str,
    },
    /// Mass or inertia is too large or too small for a floating-point number.
    #[error("mass {mass} kg with moments of inertia {moments} kg m^2 is out of range")]
    MassOutOfRange {
        /// What the mass came to, in kilograms.
        mass: f64,
        /// The diagonal of the inertia, in kg m^2.
        moments: glam::DVec3,
    },
    /// A share that is not between 0 and 1.
    #[error("{what} must be from 0 to 1, found {value}")]
    ShareOutOfRange {
        /// The quantity.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A count that is out of range.
    #[error("{what} must be {least} to {most}, found {value}")]
    CountOutOfRange {
        /// What is counted.
        what: &'static str,
        /// What was given.
        value: usize,
        /// The smallest that is allowed.
        least: usize,
        /// The largest that is allowed.
        most: usize,
    },
    /// A part of a compound cannot be one.
    #[error("part {part} of the compound: {why}")]
    BadPart {
        /// Index of the part as the caller gave it.
        part: usize,
        /// The fault.
        why: String,
    },
    /// No index for distance queries could be made of a mesh.
    #[error("the mesh cannot be searched: {why}")]
    Unsearchable {
        /// What the index says.
        why: String,
    },
}
