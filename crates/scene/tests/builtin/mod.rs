//! Built-in scenes with time-stepping: each survives writing and reading, runs to its end and behaves as described.

mod benchmark;
mod classics;
mod crowds;
mod every_scene;
mod flock;
mod games;
mod living;
mod machines;
mod run;
mod standing;
mod tracks;
