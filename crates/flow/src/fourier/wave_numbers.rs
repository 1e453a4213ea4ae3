//! Wave vectors of a periodic box, and the packing of two real fields into one complex transform.

use glam::DVec3;
use rustfft::num_complex::Complex64;

use crate::grid::Grid;

/// The wave numbers of a periodic box.
#[derive(Debug, Clone)]
pub(crate) struct WaveNumbers {
    size: [usize; 3],
    along: [Vec<f64>; 3],
    /// Whether a wave number along an axis is below two thirds of the largest.
    kept: [Vec<bool>; 3],
}

impl WaveNumbers {
    pub(crate) fn new(grid: &Grid) -> Self {
        let size = grid.size();
        let extent = grid.extent();
        let signed = |place: usize, count: usize| {
            if 2 * place > count { place as f64 - count as f64 } else { place as f64 }
        };
        let along = [0, 1, 2].map(|axis| {
            let unit = std::f64::consts::TAU / extent[axis];
            // The highest wave of an even count has no sign, hence no derivative.
            let wave = |place: usize| if 2 * place == size[axis] { 0.0 } else { unit * signed(place, size[axis]) };
            (0..size[axis]).map(wave).collect::<Vec<f64>>()
        });
        let kept = [0, 1, 2].map(|axis| {
            let keep = |place: usize| 3.0 * signed(place, size[axis]).abs() < size[axis] as f64;
            (0..size[axis]).map(keep).collect::<Vec<bool>>()
        });
        Self { size, along, kept }
    }

    /// The wave vector of a coefficient.
    pub(crate) fn vector(&self, index: usize) -> DVec3 {
        let [x, y, z] = self.place(index);
        DVec3::new(self.along[0][x], self.along[1][y], self.along[2][z])
    }

    /// Whether a coefficient is kept by the two-thirds rule: products of two such fields have no aliases among them.
    pub(crate) fn is_kept(&self, index: usize) -> bool {
        let [x, y, z] = self.place(index);
        self.kept[0][x] && self.kept[1][y] && self.kept[2][z]
    }

    /// The coefficient of the opposite wave vector.
    pub(crate) fn opposite(&self, index: usize) -> usize {
        let [x, y, z] = self.place(index);
        let [nx, ny, nz] = self.size;
        (((nz - z) % nz) * ny + (ny - y) % ny) * nx + (nx - x) % nx
    }

    /// The transforms of two real fields that were transformed as the real and the imaginary part of one.
    pub(crate) fn unpack(&self, packed: &[Complex64]) -> [Vec<Complex64>; 2] {
        let halves = |sign: f64| {
            let half = |(index, value): (usize, &Complex64)| 0.5 * (value + sign * packed[self.opposite(index)].conj());
            packed.iter().enumerate().map(half).collect::<Vec<_>>()
        };
        let mut second = halves(-1.0);
        second.iter_mut().for_each(|value| *value = Complex64::new(value.im, -value.re));
        [halves(1.0), second]
    }

    fn place(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.size;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }
}

/// Packs the transforms of two real fields, so that one inverse transform gives both.
pub(crate) fn pack(first: &[Complex64], second: &[Complex64]) -> Vec<Complex64> {
    first.iter().zip(second).map(|(a, b)| Complex64::new(a.re - b.im, a.im + b.re)).collect()
}

/// Packs two real fields.
pub(crate) fn pack_real(first: &[f64], second: &[f64]) -> Vec<Complex64> {
    first.iter().zip(second).map(|(a, b)| Complex64::new(*a, *b)).collect()
}
