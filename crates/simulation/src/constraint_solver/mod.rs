//! Forces and impulses of contacts and other constraints (Erleben 2002, section 2.1.3).

pub mod contact_problem;
mod free_body_sweep;
mod limits;
mod momentum;
mod rows;
mod soft_limits;
mod spring_rows;
mod tendon_rows;
mod velocity_solver;

pub(crate) use limits::{any_limit_passed, rotation_vector};
pub use limits::{landing_speed, limit_gap, nearest_limit, opening_velocity, resting_speed};
pub use rows::{END_VELOCITY_WEIGHT, MAX_FORCE_SPEED_GAIN, RowContext, RowMemory, RowSlots, add_constraints, add_rows};
pub use soft_limits::{add_soft_limit, explicit_damping};
pub use velocity_solver::{FACTORIZATION_RANGES, SolverWork, VelocitySolver, VelocitySolverSettings, solve_row};
