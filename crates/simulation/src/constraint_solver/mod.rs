//! Forces and impulses that keep contacts and other constraints (004 section 2.1.3).

mod acceleration_rows;
mod analytical;
mod analytical_settings;
pub mod complementarity;
pub mod contact_kinematics;
pub mod contact_problem;
pub mod curvature;
mod free_body_sweep;
mod group_problem;
mod momentum;
mod penalty;
pub mod penalty_law;
mod rows;
mod soft_limits;
mod tendon_rows;
mod time_stepping;
mod turning_ground;
mod unconstrained_motion;
mod velocity_solver;

pub use analytical::Analytical;
pub use analytical_settings::{AnalyticalSettings, ForceMethod};
pub use penalty::{Penalty, PenaltySettings, PenaltySpring};
pub use rows::{RowContext, RowSlots, add_constraints, add_rows};
pub(crate) use rows::{limit_gap, nearest_limit, opening_velocity};
pub(crate) use soft_limits::{add_soft_limit, explicit_damping};
pub use time_stepping::{TimeStepping, TimeSteppingSettings};
pub use velocity_solver::{SolverWork, VelocitySolver, VelocitySolverSettings};
