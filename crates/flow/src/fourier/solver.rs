//! Incompressible flow in a periodic box by a pseudo-spectral method.
//!
//! Velocities are Fourier coefficients. The nonlinear term is `u x w` at the points of the grid, without aliases by the
//! two-thirds rule, and projected onto fields without divergence. Viscosity is exact by an integrating factor, and the
//! steps are Runge and Kutta's of fourth order. The energy that viscosity takes is integrated by the same steps.

use rustfft::num_complex::Complex64;
use thiserror::Error;

use super::biot_savart::real_fields;
use super::wave_numbers::{WaveNumbers, pack_real};
use super::{Axis, Transform, periodic_pressure};
use crate::field::{FieldError, FlowField};
use crate::grid::Grid;

type Coefficients = [Vec<Complex64>; 3];

/// A flow in a periodic box.
pub struct Solver {
    grid: Grid,
    viscosity: f64,
    time: f64,
    /// Transforms of the velocity, divided by the number of points.
    velocity: Coefficients,
    dissipated: f64,
    transform: Transform,
    waves: WaveNumbers,
}

/// Why a flow cannot be solved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolverError {
    /// The box is not periodic.
    #[error("the solver needs a box that is periodic on all axes")]
    NotPeriodic,
    /// The viscosity or the step is not valid.
    #[error("{0} must be finite and not negative, found {1}")]
    Invalid(&'static str, f64),
    /// The flow diverged.
    #[error("the flow at time {time} is not finite; use a smaller step or a larger viscosity")]
    Diverged {
        /// Time of the step that diverged.
        time: f64,
    },
}

impl Solver {
    /// Starts from a velocity at the points of a periodic grid. Its divergence and the waves beyond two thirds of the
    /// highest are removed.
    pub fn new(grid: Grid, velocity: &[Vec<f64>; 3], viscosity: f64) -> Result<Self, SolverError> {
        if !grid.is_periodic() {
            return Err(SolverError::NotPeriodic);
        }
        if !(viscosity.is_finite() && viscosity >= 0.0) {
            return Err(SolverError::Invalid("the viscosity", viscosity));
        }
        let transform = Transform::new(grid.size(), [Axis::Periodic; 3]);
        let waves = WaveNumbers::new(&grid);
        let mut velocity = coefficients(&transform, &waves, velocity);
        let scale = 1.0 / grid.points() as f64;
        velocity.iter_mut().flatten().for_each(|value| *value *= scale);
        project(&waves, &mut velocity);
        Ok(Self { grid, viscosity, time: 0.0, velocity, dissipated: 0.0, transform, waves })
    }

    /// The time.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Mean kinetic energy per volume.
    pub fn energy(&self) -> f64 {
        0.5 * self.velocity.iter().flatten().map(Complex64::norm_sqr).sum::<f64>()
    }

    /// Energy per volume that viscosity has taken since the start.
    pub fn dissipated(&self) -> f64 {
        self.dissipated
    }

    /// Energy per volume and time that viscosity takes.
    pub fn dissipation(&self) -> f64 {
        dissipation(&self.waves, self.viscosity, &self.velocity)
    }

    /// Greatest step for which the fastest point moves half a cell.
    pub fn stable_step(&self) -> f64 {
        let [x, y, z] = self.velocities();
        let speeds = x.iter().zip(&y).zip(&z).map(|((x, y), z)| x.abs() + y.abs() + z.abs());
        0.5 * self.grid.cell() / speeds.fold(1e-9, f64::max)
    }

    /// Velocity at the points of the grid.
    pub fn velocities(&self) -> [Vec<f64>; 3] {
        let mut velocity = real_fields(&self.transform, &self.velocity);
        let points = self.grid.points() as f64;
        velocity.iter_mut().flatten().for_each(|value| *value *= points);
        velocity
    }

    /// Velocity and pressure at the points of the grid.
    pub fn field(&self) -> Result<FlowField, FieldError> {
        let velocity = self.velocities();
        let pressure = periodic_pressure(&self.grid, &velocity);
        FlowField::from_f64(self.grid, self.time, &velocity, &pressure)
    }

    /// Moves the flow by one step.
    pub fn advance(&mut self, step: f64) -> Result<(), SolverError> {
        if !(step.is_finite() && step >= 0.0) {
            return Err(SolverError::Invalid("the step", step));
        }
        let decay = self.decay(0.5 * step);
        let faded = |from: &Coefficients, rates: &Coefficients, part: f64| -> Coefficients {
            combine(from, rates, |index, value, rate| decay[index] * (value + part * rate))
        };
        let start = self.velocity.clone();
        let (rate_1, taken_1) = self.rates(&start);
        // Second and third stage at half the step, fourth at its end, with the viscous decay since each rate.
        let stage = faded(&start, &rate_1, 0.5 * step);
        let (rate_2, taken_2) = self.rates(&stage);
        let half = faded(&start, &rate_1, 0.0);
        let stage = combine(&half, &rate_2, |_, value, rate| value + 0.5 * step * rate);
        let (rate_3, taken_3) = self.rates(&stage);
        let moved = combine(&half, &rate_3, |index, value, rate| decay[index] * (value + step * rate));
        let (rate_4, taken_4) = self.rates(&moved);
        // u' = E^2 (u + h/6 k1) + E h/3 (k2 + k3) + h/6 k4.
        let mut next =
            combine(&start, &rate_1, |index, value, rate| decay[index] * decay[index] * (value + step / 6.0 * rate));
        for axis in 0..3 {
            for (index, next) in next[axis].iter_mut().enumerate() {
                *next += decay[index] * (step / 3.0) * (rate_2[axis][index] + rate_3[axis][index])
                    + step / 6.0 * rate_4[axis][index];
            }
        }
        self.velocity = next;
        self.dissipated += step / 6.0 * (taken_1 + 2.0 * (taken_2 + taken_3) + taken_4);
        self.time += step;
        if self.energy().is_finite() { Ok(()) } else { Err(SolverError::Diverged { time: self.time }) }
    }

    /// Factors by which viscosity reduces each coefficient in a time.
    fn decay(&self, time: f64) -> Vec<f64> {
        let factor = |index| libm::exp(-self.viscosity * time * self.waves.vector(index).length_squared());
        (0..self.grid.points()).map(factor).collect()
    }

    /// The nonlinear rate of change without viscosity, and the energy that viscosity takes per time.
    fn rates(&self, velocity: &Coefficients) -> (Coefficients, f64) {
        let points = self.grid.points() as f64;
        let mut curl = velocity.clone();
        for index in 0..self.grid.points() {
            let wave = self.waves.vector(index);
            let [x, y, z] = [0, 1, 2].map(|axis| velocity[axis][index]);
            let turned = [wave.y * z - wave.z * y, wave.z * x - wave.x * z, wave.x * y - wave.y * x];
            for axis in 0..3 {
                curl[axis][index] = Complex64::new(-turned[axis].im, turned[axis].re);
            }
        }
        let [u, v, w] = real_fields(&self.transform, velocity);
        let [a, b, c] = real_fields(&self.transform, &curl);
        let cross = |p: &[f64], q: &[f64], r: &[f64], s: &[f64]| -> Vec<f64> {
            p.iter().zip(q).zip(r.iter().zip(s)).map(|((p, q), (r, s))| (p * q - r * s) * points).collect()
        };
        let force = [cross(&v, &c, &w, &b), cross(&w, &a, &u, &c), cross(&u, &b, &v, &a)];
        let mut rates = coefficients(&self.transform, &self.waves, &force);
        project(&self.waves, &mut rates);
        (rates, dissipation(&self.waves, self.viscosity, velocity))
    }
}

/// Applies a formula to the coefficients of two fields.
fn combine(
    first: &Coefficients,
    second: &Coefficients,
    formula: impl Fn(usize, Complex64, Complex64) -> Complex64,
) -> Coefficients {
    [0, 1, 2].map(|axis| {
        let pairs = first[axis].iter().zip(&second[axis]).enumerate();
        pairs.map(|(index, (first, second))| formula(index, *first, *second)).collect()
    })
}

/// Transforms of three real fields.
fn coefficients(transform: &Transform, waves: &WaveNumbers, fields: &[Vec<f64>; 3]) -> Coefficients {
    let mut packed = pack_real(&fields[0], &fields[1]);
    transform.forward(&mut packed);
    let [x, y] = waves.unpack(&packed);
    let mut z: Vec<Complex64> = fields[2].iter().map(|value| Complex64::from(*value)).collect();
    transform.forward(&mut z);
    [x, y, z]
}

/// Removes the divergence and the waves beyond two thirds of the highest.
fn project(waves: &WaveNumbers, field: &mut Coefficients) {
    for index in 0..field[0].len() {
        let wave = waves.vector(index);
        let square = wave.length_squared();
        let [x, y, z] = [0, 1, 2].map(|axis| field[axis][index]);
        let along = if square > 0.0 { (wave.x * x + wave.y * y + wave.z * z) / square } else { Complex64::ZERO };
        for axis in 0..3 {
            let value = field[axis][index] - wave[axis] * along;
            field[axis][index] = if waves.is_kept(index) { value } else { Complex64::ZERO };
        }
    }
}

fn dissipation(waves: &WaveNumbers, viscosity: f64, velocity: &Coefficients) -> f64 {
    let part = |index: usize| {
        let energy: f64 = velocity.iter().map(|component| component[index].norm_sqr()).sum();
        waves.vector(index).length_squared() * energy
    };
    viscosity * (0..velocity[0].len()).map(part).sum::<f64>()
}
