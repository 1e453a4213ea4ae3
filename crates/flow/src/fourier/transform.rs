//! Three-dimensional transforms: a Fourier transform along periodic axes, a cosine transform along bounded ones.

use std::sync::Arc;

use rayon::prelude::*;
use rustfft::num_complex::Complex64;
use rustfft::{Fft, FftDirection, FftPlannerScalar};

/// The transform along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Complex Fourier transform.
    Periodic,
    /// Cosine transform (DCT-II, and DCT-III for the inverse), which mirrors the values at both ends.
    Mirrored,
}

/// A transform of arrays of one size.
pub struct Transform {
    size: [usize; 3],
    lines: [Lines; 3],
}

/// Columns that one task transposes: a cache line holds four complex numbers.
const TRANSPOSED_COLUMNS: usize = 4;

impl Transform {
    /// Plans the transforms of an array with x fastest.
    pub fn new(size: [usize; 3], axes: [Axis; 3]) -> Self {
        let mut planner = FftPlannerScalar::new();
        let lines = [0, 1, 2].map(|axis| Lines::new(&mut planner, size[axis], axes[axis]));
        Self { size, lines }
    }

    /// Transforms the values in place, without a factor.
    pub fn forward(&self, values: &mut Vec<Complex64>) {
        self.run(values, FftDirection::Forward);
    }

    /// Transforms back, with the factor that makes it the inverse.
    pub fn inverse(&self, values: &mut Vec<Complex64>) {
        self.run(values, FftDirection::Inverse);
        let scale = 1.0 / self.size.iter().product::<usize>() as f64;
        values.iter_mut().for_each(|value| *value *= scale);
    }

    /// Transforms the contiguous axis and rotates the axes, three times.
    fn run(&self, values: &mut Vec<Complex64>, direction: FftDirection) {
        let mut rotated = vec![Complex64::ZERO; values.len()];
        for lines in &self.lines {
            lines.run(values, direction);
            transpose(values, &mut rotated, lines.length);
            std::mem::swap(values, &mut rotated);
        }
    }
}

/// Transposes a matrix with the given number of columns.
fn transpose(from: &[Complex64], to: &mut [Complex64], columns: usize) {
    let rows = from.len() / columns;
    to.par_chunks_mut(rows * TRANSPOSED_COLUMNS).enumerate().for_each(|(chunk, to)| {
        let first = chunk * TRANSPOSED_COLUMNS;
        let width = to.len() / rows;
        for row in 0..rows {
            let from = &from[row * columns + first..][..width];
            for (column, value) in from.iter().enumerate() {
                to[column * rows + row] = *value;
            }
        }
    });
}

/// The transforms of lines of one length.
struct Lines {
    length: usize,
    axis: Axis,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
    /// `exp(i pi k / 2n)` for the cosine transform.
    phases: Vec<Complex64>,
}

/// Lines that one task transforms.
const LINES_PER_TASK: usize = 64;

impl Lines {
    fn new(planner: &mut FftPlannerScalar<f64>, length: usize, axis: Axis) -> Self {
        let transformed = if axis == Axis::Mirrored { 2 * length } else { length };
        let phase = |k: usize| {
            let angle = std::f64::consts::PI * k as f64 / (2 * length) as f64;
            Complex64::new(libm::cos(angle), libm::sin(angle))
        };
        Self {
            length,
            axis,
            forward: planner.plan_fft_forward(transformed),
            inverse: planner.plan_fft_inverse(transformed),
            phases: (0..length).map(phase).collect(),
        }
    }

    fn run(&self, values: &mut [Complex64], direction: FftDirection) {
        let fft = if direction == FftDirection::Forward { &self.forward } else { &self.inverse };
        values.par_chunks_mut(self.length * LINES_PER_TASK).for_each(|lines| match self.axis {
            Axis::Periodic => {
                let mut scratch = vec![Complex64::ZERO; fft.get_inplace_scratch_len()];
                fft.process_with_scratch(lines, &mut scratch);
            }
            Axis::Mirrored => {
                let mut scratch = vec![Complex64::ZERO; fft.get_inplace_scratch_len()];
                let mut doubled = vec![Complex64::ZERO; 2 * self.length];
                for line in lines.chunks_exact_mut(self.length) {
                    match direction {
                        FftDirection::Forward => self.cosine(line, &mut doubled, &mut scratch),
                        FftDirection::Inverse => self.inverse_cosine(line, &mut doubled, &mut scratch),
                    }
                }
            }
        });
    }

    /// `X[k] = sum over j of x[j] cos(pi (j + 1/2) k / n)`.
    fn cosine(&self, line: &mut [Complex64], doubled: &mut [Complex64], scratch: &mut [Complex64]) {
        let last = 2 * self.length - 1;
        for (place, value) in line.iter().enumerate() {
            doubled[place] = *value;
            doubled[last - place] = *value;
        }
        self.forward.process_with_scratch(doubled, scratch);
        for ((value, found), phase) in line.iter_mut().zip(doubled.iter()).zip(&self.phases) {
            *value = 0.5 * phase.conj() * found;
        }
    }

    /// `x[j] = X[0] + 2 * sum over k > 0 of X[k] cos(pi (j + 1/2) k / n)`.
    fn inverse_cosine(&self, line: &mut [Complex64], doubled: &mut [Complex64], scratch: &mut [Complex64]) {
        doubled[self.length] = Complex64::ZERO;
        doubled[0] = line[0];
        for place in 1..self.length {
            doubled[place] = self.phases[place] * line[place];
            doubled[2 * self.length - place] = self.phases[place].conj() * line[place];
        }
        self.inverse.process_with_scratch(doubled, scratch);
        line.copy_from_slice(&doubled[..self.length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The transforms equal their defining sums, and the inverse returns the values.
    #[test]
    fn transforms_equal_their_sums() {
        let size = [6, 5, 4];
        let axes = [Axis::Periodic, Axis::Mirrored, Axis::Periodic];
        let transform = Transform::new(size, axes);
        let values: Vec<Complex64> =
            (0..120).map(|n| Complex64::new(libm::sin(f64::from(n * n)), libm::cos(f64::from(3 * n)))).collect();
        let mut found = values.clone();
        transform.forward(&mut found);
        let factor = |axis: usize, place: usize, wave: usize| {
            let n = size[axis] as f64;
            let turn = std::f64::consts::TAU * (place * wave) as f64 / n;
            match axes[axis] {
                Axis::Periodic => Complex64::new(libm::cos(turn), -libm::sin(turn)),
                Axis::Mirrored => {
                    Complex64::from(libm::cos(std::f64::consts::PI * (place as f64 + 0.5) * wave as f64 / n))
                }
            }
        };
        for (index, found) in found.iter().enumerate() {
            let wave = [index % 6, index / 6 % 5, index / 30];
            let sum: Complex64 = (0..120)
                .map(|n| {
                    let place = [n % 6, n / 6 % 5, n / 30];
                    (0..3).fold(values[n], |product, axis| product * factor(axis, place[axis], wave[axis]))
                })
                .sum();
            assert!((sum - found).norm() < 1e-12, "{wave:?}: {sum} {found}");
        }
        transform.inverse(&mut found);
        for (value, found) in values.iter().zip(&found) {
            assert!((value - found).norm() < 1e-14, "{value} {found}");
        }
    }
}
