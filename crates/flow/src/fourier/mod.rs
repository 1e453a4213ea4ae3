//! Fourier and cosine transforms on grids, and what is solved with them.
//!
//! The transforms use the scalar algorithms of rustfft: those with SIMD are chosen by the processor at run time, and
//! their results differ in the last bits.

pub mod biot_savart;
mod periodic_pressure;
pub mod solver;
mod transform;
mod wall_pressure;
mod wave_numbers;

pub use periodic_pressure::periodic_pressure;
pub use rustfft::num_complex::Complex64;
pub use transform::{Axis, Transform};
pub use wall_pressure::wall_pressure;

use crate::grid::Grid;

/// Pressure divided by the density, with mean zero, that belongs to a velocity at one moment.
///
/// A periodic box gives the pressure of the flow. Boxes with walls give the pressure of the flow if it is steady,
/// because the acceleration at the walls is not known.
pub fn pressure_of(grid: &Grid, velocity: &[Vec<f64>; 3]) -> Vec<f64> {
    if grid.is_periodic() { periodic_pressure(grid, velocity) } else { wall_pressure(grid, velocity) }
}
