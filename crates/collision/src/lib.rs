//! Collision detection: broad phase, narrow phase, contact determination and contact analysis (Erleben 2002, section
//! 2.2).

pub mod broad_phase;
pub mod contact_analysis;
pub mod contact_determination;
pub mod narrow_phase;
