//! What can be wrong with a model.

use thiserror::Error;

/// Why a model was refused. Every message names the link.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ModelError {
    /// A mass that is not positive and finite.
    #[error("link '{link}': the mass must be positive and finite, found {mass}")]
    Mass {
        /// Name of the link.
        link: String,
        /// What was given, in kg.
        mass: f64,
    },
    /// An inertia that no distribution of mass has.
    #[error("link '{link}': no body has this inertia: {why}")]
    Inertia {
        /// Name of the link.
        link: String,
        /// The rule that it breaks.
        why: String,
    },
    /// A number that is NaN or infinite.
    #[error("link '{link}': {what} is not finite")]
    NotFinite {
        /// Name of the link.
        link: String,
        /// The quantity.
        what: &'static str,
    },
    /// The parent does not exist (any more).
    #[error("link '{link}': its parent does not exist")]
    MissingParent {
        /// Name of the link.
        link: String,
    },
    /// Following the parents leads back to the link.
    #[error("link '{link}': its parents form a cycle")]
    Cycle {
        /// Name of the link.
        link: String,
    },
    /// An axis without a direction.
    #[error("link '{link}': axis {axis} of its joint has length zero")]
    ZeroAxis {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
    },
    /// A lower limit above the upper one.
    #[error("link '{link}': the limits of axis {axis} are in the wrong order: {lower} > {upper}")]
    LimitOrder {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
        /// Lower limit.
        lower: f64,
        /// Upper limit.
        upper: f64,
    },
    /// A spring for a limit that is not there, or without any stiffness.
    #[error("link '{link}': a spring at the limits of axis {axis} needs limits and a stiffness above zero")]
    LimitSpring {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
    },
    /// A property that must not be negative is.
    #[error("link '{link}': {what} of axis {axis} must not be negative, found {value}")]
    Negative {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
        /// The property.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// The joint does not allow this.
    #[error("link '{link}': {why}")]
    Joint {
        /// Name of the link.
        link: String,
        /// What, and what would be right.
        why: String,
    },
    /// The handle names no link of this model.
    #[error("no such link: it was removed, or belongs to another model")]
    UnknownLink,
}
