//! The simulator: bodies, contacts and time (004). Eight modules, each a small trait with several implementations:
//! time control, motion solver, constraint solver and collision solver here, and the four modules of collision detection
//! from `burgess_collision`.

pub mod collision_solver;
pub mod constraint_solver;
