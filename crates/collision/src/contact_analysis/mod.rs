//! Contact analysis: contact groups and support points (Erleben 2002, section 2.2.4).
//!
//! Contact groups are sets of bodies without contacts or joints to the rest: each can be solved, or put to sleep,
//! separately. Support points are the corners of a contact region: forces there can produce every force and torque of a
//! pressure distribution over the region, with the fewest unknowns.

mod contact_groups;
mod support_points;

pub use contact_groups::{ContactAnalysisError, ContactGroup, ContactGroups};
pub use support_points::SupportPoints;
