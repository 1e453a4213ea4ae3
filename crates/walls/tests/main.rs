//! All integration tests of the crate in one program, because one program links faster than many.

mod cave;
mod clock;
mod frame;
mod lock;
mod menu;
mod projection;
mod simulated_walls;
mod tracking;
