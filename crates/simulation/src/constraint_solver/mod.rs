//! Forces and impulses that keep contacts and other constraints (004 section 2.1.3).

pub mod complementarity;
pub mod penalty_law;
