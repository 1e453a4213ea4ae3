//! Tests of flows, extraction, tracking and files.

mod cores;
mod solver;
mod support;
