//! Pressure in a box with walls: the pressure whose differences along the edges of the grid are nearest to those that
//! a steady flow needs.
//!
//! In a steady flow `grad p = -(u . grad) u`. The integral of the right side over an edge between two points is the
//! difference of their pressures. The least-squares solution of all these equations is a Poisson equation whose
//! boundary conditions follow, and which cosine transforms solve.

use rayon::prelude::*;
use rustfft::num_complex::Complex64;

use super::{Axis, Transform};
use crate::differences::{derivative, edge_integrals};
use crate::grid::Grid;

/// Pressure with mean zero of a steady flow in a box of which some axes are bounded.
pub fn wall_pressure(grid: &Grid, velocity: &[Vec<f64>; 3]) -> Vec<f64> {
    let size = grid.size();
    let strides = [1, size[0], size[0] * size[1]];
    let mut source = vec![0.0; grid.points()];
    for axis in 0..3 {
        // The force along the axis.
        let mut force = vec![0.0; grid.points()];
        for along in 0..3 {
            let slope = derivative(grid, &velocity[axis], along);
            for ((force, slope), speed) in force.iter_mut().zip(slope).zip(&velocity[along]) {
                *force -= speed * slope;
            }
        }
        let rises = edge_integrals(grid, &force, axis);
        let square = grid.spacing()[axis] * grid.spacing()[axis];
        let (count, stride) = (size[axis], strides[axis]);
        let periodic = grid.periodicity()[axis];
        source.par_iter_mut().enumerate().for_each(|(index, source)| {
            let place = index / stride % count;
            if place + 1 < count || periodic {
                *source += rises[index] / square;
            }
            if place > 0 {
                *source -= rises[index - stride] / square;
            } else if periodic {
                *source -= rises[index + (count - 1) * stride] / square;
            }
        });
    }
    solve_poisson(grid, &source)
}

/// Solves `laplacian p = source` with differences of second order, as the equations of the edges require.
fn solve_poisson(grid: &Grid, source: &[f64]) -> Vec<f64> {
    let size = grid.size();
    let axes = grid.periodicity().map(|periodic| if periodic { Axis::Periodic } else { Axis::Mirrored });
    let transform = Transform::new(size, axes);
    let eigenvalues = [0, 1, 2].map(|axis| {
        let turn = if axes[axis] == Axis::Periodic { std::f64::consts::TAU } else { std::f64::consts::PI };
        let square = grid.spacing()[axis] * grid.spacing()[axis];
        let value = |wave: usize| 2.0 * (libm::cos(turn * wave as f64 / size[axis] as f64) - 1.0) / square;
        (0..size[axis]).map(value).collect::<Vec<f64>>()
    });
    let mut values: Vec<Complex64> = source.iter().map(|value| Complex64::from(*value)).collect();
    transform.forward(&mut values);
    for (index, value) in values.iter_mut().enumerate() {
        let [x, y, z] = grid.point(index);
        let eigenvalue = eigenvalues[0][x] + eigenvalues[1][y] + eigenvalues[2][z];
        *value = if index == 0 { Complex64::ZERO } else { *value / eigenvalue };
    }
    transform.inverse(&mut values);
    values.into_iter().map(|value| value.re).collect()
}
