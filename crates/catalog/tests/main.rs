//! All integration tests of the crate, in one program.

mod loading;
mod resolving;
mod support;
