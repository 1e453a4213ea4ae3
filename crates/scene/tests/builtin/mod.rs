//! Built-in scenes, by time stepping: each one can be written and read, runs to its end and does what it says.

mod benchmark;
mod classics;
mod every_scene;
mod games;
mod machines;
mod run;
mod standing;
mod tracks;
