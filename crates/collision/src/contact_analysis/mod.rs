//! Contact analysis: contact groups and support points (004 section 2.2.4).
//!
//! Contact groups are sets of bodies that no contact and no joint links to the rest: each can be solved, or put to
//! sleep, on its own. Support points are the corners of a contact region: forces there can make every force and torque
//! that pressure all over the region could, with the fewest unknowns.

mod contact_groups;
mod support_points;

pub use contact_groups::{ContactAnalysisError, ContactGroup, ContactGroups};
pub use support_points::SupportPoints;
