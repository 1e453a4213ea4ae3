//! Errors of model construction.

use thiserror::Error;

/// Why a model was rejected. Every message gives the name of the link.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ModelError {
    /// A mass is not positive and finite.
    #[error("link '{link}': the mass must be positive and finite, found {mass}")]
    Mass {
        /// Name of the link.
        link: String,
        /// Value found, in kg.
        mass: f64,
    },
    /// No distribution of mass has this inertia.
    #[error("link '{link}': the inertia is not physical: {why}")]
    Inertia {
        /// Name of the link.
        link: String,
        /// The violated condition.
        why: String,
    },
    /// A number is NaN or infinite.
    #[error("link '{link}': {what} is not finite")]
    NotFinite {
        /// Name of the link.
        link: String,
        /// Name of the quantity.
        what: &'static str,
    },
    /// The parent does not exist, or was removed.
    #[error("link '{link}': its parent does not exist")]
    MissingParent {
        /// Name of the link.
        link: String,
    },
    /// The parents of a link form a cycle.
    #[error("link '{link}': its parents form a cycle")]
    Cycle {
        /// Name of the link.
        link: String,
    },
    /// An axis has length zero.
    #[error("link '{link}': axis {axis} of its joint has length zero")]
    ZeroAxis {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
    },
    /// A lower limit is above the upper one.
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
    /// A limit spring has no limit or no stiffness.
    #[error("link '{link}': a spring at the limits of axis {axis} needs limits and a stiffness above zero")]
    LimitSpring {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
    },
    /// A property that must not be negative is negative.
    #[error("link '{link}': {what} of axis {axis} must not be negative, found {value}")]
    Negative {
        /// Name of the link.
        link: String,
        /// Index of the axis in the joint.
        axis: usize,
        /// Name of the property.
        what: &'static str,
        /// Value found.
        value: f64,
    },
    /// The joint does not support the request.
    #[error("link '{link}': {why}")]
    Joint {
        /// Name of the link.
        link: String,
        /// What is wrong, and what is expected.
        why: String,
    },
    /// The handle refers to no link of this model.
    #[error("no such link: it was removed, or belongs to another model")]
    UnknownLink,
}
