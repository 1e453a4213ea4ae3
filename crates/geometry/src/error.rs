//! What can be wrong with a shape.

use thiserror::Error;

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
}
