//! All integration tests of the crate in one program, because one program links faster than many.

mod analytical;
mod analytical_surfaces;
mod collision_laws;
#[path = "../../simulation/tests/common/mod.rs"]
mod common;
mod complementarity;
mod contact_forces;
mod contact_kinematics;
mod continuous_motion;
mod examples;
mod force_robustness;
mod force_support;
mod hybrid;
mod impulse;
mod impulse_loops;
mod impulse_worlds;
mod passing;
mod penalty;
mod penalty_law;
mod physics_checks;
mod refused_settings;
mod snapshots;
mod soft_limits;
mod take_over;
mod time_control;
mod worlds;
