//! Constraint solvers at the level of forces (Erleben 2002, section 2.1.3): analytical and penalty.

mod acceleration_rows;
mod analytical;
mod analytical_settings;
pub mod complementarity;
pub mod contact_kinematics;
pub mod curvature;
mod group_problem;
mod penalty;
pub mod penalty_law;
mod unconstrained_motion;

pub use analytical::Analytical;
pub use analytical_settings::{AnalyticalSettings, ForceMethod};
pub use penalty::{Penalty, PenaltySettings, PenaltySpring};
