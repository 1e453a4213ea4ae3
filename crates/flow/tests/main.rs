//! Tests of flows, extraction, tracking and files.

mod cores;
mod files;
mod histories;
mod pressure;
mod rings;
mod solver;
mod support;
mod tracking;
mod trigonometric;
