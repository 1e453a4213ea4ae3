//! Why a group of isometries has no domain that can be shown.

use thiserror::Error;

/// Why no domain was made from generators, faces or parameters.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ManifoldError {
    /// There is no generator but the identity.
    #[error("all generators are the identity; expected at least one other")]
    NoElements,
    /// An element moves the origin too little.
    #[error(
        "generator {} leads to an element that moves the base point by only {distance:.2e}; the group is not discrete, or \
         the base point is on an axis: expected at least 0.001",
        generator + 1
    )]
    NotDiscrete {
        /// Generator, counted from 0.
        generator: usize,
        /// Distance by which the base point is moved.
        distance: f64,
    },
    /// The search for elements was stopped.
    #[error(
        "found more than {limit} elements before the domain was closed, the last ones from generator {}; the group is not \
         discrete, or its domain is too large",
        generator + 1
    )]
    TooManyElements {
        /// Maximum number of elements.
        limit: usize,
        /// Generator, counted from 0.
        generator: usize,
    },
    /// The domain did not close in the allowed number of rounds.
    #[error("the domain was not closed after {limit} rounds of adding elements; the generators give no discrete group")]
    TooManyRounds {
        /// Maximum number of rounds.
        limit: usize,
    },
    /// The domain has too many faces.
    #[error("the domain has more than {limit} faces")]
    TooManyFaces {
        /// Maximum number of faces.
        limit: usize,
    },
    /// The domain is unbounded.
    #[error("the domain is unbounded: the generators do not generate the group of a closed space")]
    Unbounded,
    /// The faces do not form a closed surface.
    #[error("{edges} edges have only one face; the domain is not a polyhedron")]
    OpenEdge {
        /// Number of such edges.
        edges: usize,
    },
    /// A pairing does not map a face to a face.
    #[error("the pairing of face {face} maps no face to it: the pairings do not generate a group with this domain")]
    UnpairedFace {
        /// Face, counted from 0.
        face: usize,
    },
    /// The copies of the domain about an edge do not close.
    #[error("the copies of the domain about edge {edge} do not close: the group is not discrete")]
    OpenCycle {
        /// Edge, counted from 0.
        edge: usize,
    },
    /// A parameter of a space is out of range.
    #[error("{name} must be from {min} to {max}, found {value}")]
    ParameterOutOfRange {
        /// Name of the parameter.
        name: &'static str,
        /// Value found.
        value: f64,
        /// Smallest allowed value.
        min: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// The space has no such parameter.
    #[error("{space} has no parameter '{name}'; expected {expected}")]
    UnknownParameter {
        /// Name of the space.
        space: String,
        /// Name found.
        name: String,
        /// Names of the parameters, or "none".
        expected: String,
    },
    /// The numbers of a lens space have a common divisor.
    #[error("the numbers of a lens space must have no common divisor, found {p} and {q}")]
    CommonDivisor {
        /// Order of the group.
        p: u32,
        /// Twist.
        q: u32,
    },
}
