//! Velocity in a periodic box that belongs to a vorticity: the law of Biot and Savart by Fourier transforms.

use glam::DVec3;
use rustfft::num_complex::Complex64;

use super::wave_numbers::{WaveNumbers, pack, pack_real};
use super::{Axis, Transform};
use crate::filament::Filament;
use crate::grid::Grid;

/// Distance, in standard deviations, beyond which the vorticity of a filament is left out: it is below 1e-11 there.
const REACH: f64 = 7.0;

/// Vorticity of filaments with a Gaussian section at the points of a periodic box.
pub fn vorticity_of(grid: &Grid, filaments: &[Filament]) -> [Vec<f64>; 3] {
    let mut vorticity = [(); 3].map(|()| vec![0.0; grid.points()]);
    for filament in filaments {
        let sigma = filament.sigma;
        let strength = filament.circulation / libm::pow(std::f64::consts::TAU * sigma * sigma, 1.5);
        for (place, element) in filament.elements() {
            spread(grid, place, sigma, |index, weight| {
                for axis in 0..3 {
                    vorticity[axis][index] += strength * weight * element[axis];
                }
            });
        }
    }
    vorticity
}

/// Calls a function with each point near a place and the Gaussian of its distance.
fn spread(grid: &Grid, place: DVec3, sigma: f64, mut add: impl FnMut(usize, f64)) {
    let cells = (place - grid.origin()) / grid.spacing();
    let weights = [0, 1, 2].map(|axis| {
        let (count, spacing) = (grid.size()[axis] as i64, grid.spacing()[axis]);
        let reach = REACH * sigma / spacing;
        let first = libm::ceil(cells[axis] - reach) as i64;
        let last = libm::floor(cells[axis] + reach) as i64;
        let weight = |place: i64| {
            let distance = (place as f64 - cells[axis]) * spacing / sigma;
            (place.rem_euclid(count) as usize, libm::exp(-0.5 * distance * distance))
        };
        (first..=last).map(weight).collect::<Vec<_>>()
    });
    for (z, wz) in &weights[2] {
        for (y, wy) in &weights[1] {
            for (x, wx) in &weights[0] {
                add(grid.index([*x, *y, *z]), wx * wy * wz);
            }
        }
    }
}

/// Velocity with mean zero whose curl is the part of a vorticity that is free of divergence and of a mean.
pub fn velocity_of(grid: &Grid, vorticity: &[Vec<f64>; 3]) -> [Vec<f64>; 3] {
    let transform = Transform::new(grid.size(), [Axis::Periodic; 3]);
    let waves = WaveNumbers::new(grid);
    let mut packed = pack_real(&vorticity[0], &vorticity[1]);
    transform.forward(&mut packed);
    let [x, y] = waves.unpack(&packed);
    let mut z: Vec<Complex64> = vorticity[2].iter().map(|value| Complex64::from(*value)).collect();
    transform.forward(&mut z);
    let mut velocity = [x, y, z];
    for (index, wave) in (0..grid.points()).map(|index| (index, waves.vector(index))) {
        let square = wave.length_squared();
        let [x, y, z] = [0, 1, 2].map(|axis| velocity[axis][index]);
        // i k x w / k^2.
        let turned = [y_z(wave.y, z, wave.z, y), y_z(wave.z, x, wave.x, z), y_z(wave.x, y, wave.y, x)];
        for axis in 0..3 {
            let value = if square > 0.0 { turned[axis] / square } else { Complex64::ZERO };
            velocity[axis][index] = Complex64::new(-value.im, value.re);
        }
    }
    real_fields(&transform, &velocity)
}

/// One component of a cross product.
fn y_z(a: f64, b: Complex64, c: f64, d: Complex64) -> Complex64 {
    a * b - c * d
}

/// The real fields of three transforms.
pub(crate) fn real_fields(transform: &Transform, coefficients: &[Vec<Complex64>; 3]) -> [Vec<f64>; 3] {
    let mut packed = pack(&coefficients[0], &coefficients[1]);
    transform.inverse(&mut packed);
    let mut last = coefficients[2].clone();
    transform.inverse(&mut last);
    [
        packed.iter().map(|value| value.re).collect(),
        packed.iter().map(|value| value.im).collect(),
        last.iter().map(|value| value.re).collect(),
    ]
}
