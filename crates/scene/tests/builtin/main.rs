//! Built-in scenes, by time stepping: each one can be written and read, runs to its end and does what it says.

mod classics;
mod every_scene;
mod games;
mod run;
mod standing;
