//! Which bodies are refused before anything is simulated, and why.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What bodies must keep to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Viability {
    /// Fewer are no creature: it takes two to have a joint.
    pub min_parts: usize,
    /// More are refused; growth stops there.
    pub max_parts: usize,
    /// Of one part, in m^3.
    pub min_part_volume: f64,
    /// Smallest side of a part as a share of its largest: thinner ones are sheets and needles.
    pub min_thickness: f64,
    /// Of the whole body, in m^3.
    pub min_volume: f64,
    /// Of the whole body, in m^3.
    pub max_volume: f64,
    /// Parts whose middle is inside another part, or that are deeper in it than this share of their own thickness, are
    /// buried.
    pub max_depth: f64,
}

impl Default for Viability {
    fn default() -> Self {
        Self {
            min_parts: 2,
            max_parts: 24,
            min_part_volume: 1e-5,
            min_thickness: 0.05,
            min_volume: 0.005,
            max_volume: 1.0,
            max_depth: 0.5,
        }
    }
}

/// Why a genome does not live.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Unviable {
    /// No joint, so nothing to move.
    #[error("it has {parts} part(s), fewer than {least}")]
    TooFewParts {
        /// How many it has.
        parts: usize,
        /// How many it needs.
        least: usize,
    },
    /// Growth went on and on.
    #[error("it has more than {most} parts")]
    TooManyParts {
        /// How many it may have.
        most: usize,
    },
    /// A part is too small.
    #[error("part {part} has a volume of {volume} m^3, less than {least}")]
    PartTooSmall {
        /// Index of the part.
        part: usize,
        /// In m^3.
        volume: f64,
        /// In m^3.
        least: f64,
    },
    /// A part is a sheet or a needle.
    #[error("part {part} is too thin: its sides are {share} of each other, less than {least}")]
    PartTooThin {
        /// Index of the part.
        part: usize,
        /// Smallest side by largest.
        share: f64,
        /// What it must be.
        least: f64,
    },
    /// The whole body is too small or too large.
    #[error("its volume of {volume} m^3 is not between {least} and {most}")]
    Volume {
        /// In m^3.
        volume: f64,
        /// In m^3.
        least: f64,
        /// In m^3.
        most: f64,
    },
    /// Two parts are in the same place.
    #[error("parts {first} and {second} coincide")]
    Coincident {
        /// Index of the first.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// A part is inside another.
    #[error("part {part} is buried in part {other}: {depth} m deep")]
    Buried {
        /// Index of the part.
        part: usize,
        /// Index of the one that it is in.
        other: usize,
        /// In m.
        depth: f64,
    },
    /// Parts overlap at the start and stay so.
    #[error("parts {part} and {other} are {depth} m deep in each other, and settling does not part them")]
    Entangled {
        /// Index of the part.
        part: usize,
        /// Index of the other.
        other: usize,
        /// In m.
        depth: f64,
    },
    /// It starts inside something that is not its own.
    #[error("it starts {depth} m deep in the {by}")]
    Obstructed {
        /// What that is.
        by: String,
        /// In m.
        depth: f64,
    },
    /// Numbers beyond all bounds.
    #[error("{what} of part {part} is not finite")]
    NotFinite {
        /// What it is.
        what: String,
        /// Index of the part.
        part: usize,
    },
    /// The simulator refuses the body.
    #[error("it cannot be built: {reason}")]
    Unbuildable {
        /// In its words.
        reason: String,
    },
}

impl Unviable {
    /// One word for tables and scripts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooFewParts { .. } => "too_few_parts",
            Self::TooManyParts { .. } => "too_many_parts",
            Self::PartTooSmall { .. } => "part_too_small",
            Self::PartTooThin { .. } => "part_too_thin",
            Self::Volume { .. } => "volume",
            Self::Coincident { .. } => "coincident",
            Self::Buried { .. } => "buried",
            Self::Entangled { .. } => "entangled",
            Self::Obstructed { .. } => "obstructed",
            Self::NotFinite { .. } => "not_finite",
            Self::Unbuildable { .. } => "unbuildable",
        }
    }
}
