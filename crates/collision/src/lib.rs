//! From bodies and poses to contacts: broad phase, narrow phase, contact determination, contact analysis
//! (004 section 2.2).

pub mod broad_phase;
pub mod contact_analysis;
pub mod contact_determination;
pub mod narrow_phase;
