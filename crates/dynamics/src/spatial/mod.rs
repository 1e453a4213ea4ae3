//! Spatial algebra in blocks of three.
//!
//! A spatial vector is always *about a point*, with world-aligned axes: the motion of a link about `o` is its angular
//! velocity and the velocity of the link's point at `o`; a force about `o` is its moment about `o` and the force. The
//! passes use the anchor of each link's joint as its point, so that going from link to link is a pure translation.

mod articulated_inertia;
mod factored_inertia;
mod inverse_inertia;
mod rigid_inertia;
mod symmetric;
mod vectors;

pub use articulated_inertia::ArticulatedInertia;
pub use factored_inertia::FactoredInertia;
pub use inverse_inertia::InverseInertia;
pub use rigid_inertia::RigidInertia;
pub use symmetric::Symmetric3;
pub use vectors::{Force, Motion};
