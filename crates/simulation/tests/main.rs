//! All integration tests of the crate in one program, because one program links faster than many.

mod ball_limits;
mod common;
mod contact_physics;
mod contact_problem;
mod events;
mod floating_trees;
mod held_limits;
mod loops;
mod no_allocation;
mod refused_worlds;
mod seams;
mod servos;
mod shared_world;
mod sleeping;
mod tunnelling;
