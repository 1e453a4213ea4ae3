//! C libraries of other simulators, called by the benchmarks.

pub mod mujoco;
mod shim;
