//! All integration tests of the crate in one program, because one program links faster than many.

mod crowds;
mod flocks;
mod guidelines;
mod nets;
mod networks;
mod support;
