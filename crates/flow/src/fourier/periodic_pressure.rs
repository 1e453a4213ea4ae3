//! Pressure in a periodic box, by Fourier transforms.

use rustfft::num_complex::Complex64;

use super::wave_numbers::{WaveNumbers, pack_real};
use super::{Axis, Transform};
use crate::grid::Grid;

/// Pressure with mean zero of a divergence-free velocity in a periodic box:
/// `laplacian p = -sum over i and j of d_i d_j (u_i u_j)`.
pub fn periodic_pressure(grid: &Grid, velocity: &[Vec<f64>; 3]) -> Vec<f64> {
    let transform = Transform::new(grid.size(), [Axis::Periodic; 3]);
    let waves = WaveNumbers::new(grid);
    let product =
        |a: usize, b: usize| -> Vec<f64> { velocity[a].iter().zip(&velocity[b]).map(|(a, b)| a * b).collect() };
    let mut pressure = vec![Complex64::ZERO; grid.points()];
    for pair in [[[0, 0], [1, 1]], [[2, 2], [0, 1]], [[0, 2], [1, 2]]] {
        let mut packed = pack_real(&product(pair[0][0], pair[0][1]), &product(pair[1][0], pair[1][1]));
        transform.forward(&mut packed);
        for ([a, b], part) in pair.into_iter().zip(waves.unpack(&packed)) {
            let times = if a == b { 1.0 } else { 2.0 };
            for (index, (pressure, part)) in pressure.iter_mut().zip(part).enumerate() {
                let wave = waves.vector(index);
                let square = wave.length_squared();
                if square > 0.0 {
                    *pressure -= times * wave[a] * wave[b] / square * part;
                }
            }
        }
    }
    transform.inverse(&mut pressure);
    pressure.into_iter().map(|value| value.re).collect()
}
