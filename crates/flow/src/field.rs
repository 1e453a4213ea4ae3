//! A flow field at one moment: velocity and pressure on a grid.

use glam::DVec3;
use thiserror::Error;

use crate::grid::Grid;

/// Velocity and pressure at the points of a grid at one moment. All values are finite. The density is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowField {
    grid: Grid,
    time: f64,
    velocity: [Vec<f32>; 3],
    pressure: Vec<f32>,
}

/// Why a field is not valid.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FieldError {
    /// An array has the wrong length.
    #[error("{name} has {found} values; the grid has {expected} points")]
    Length {
        /// Name of the quantity.
        name: &'static str,
        /// Number of values.
        found: usize,
        /// Number of points of the grid.
        expected: usize,
    },
    /// A value is infinite, not a number, or so large that its square is infinite.
    #[error("{name} at point [{}, {}, {}] is {value}; values must be finite and below {MAX_VALUE:e}",
        .point[0], .point[1], .point[2])]
    Value {
        /// Name of the quantity.
        name: &'static str,
        /// The point.
        point: [usize; 3],
        /// The value.
        value: f32,
    },
    /// The time is not finite.
    #[error("the time must be finite, found {0}")]
    Time(f64),
}

/// Largest value of a velocity or pressure. Squares of larger ones exceed single precision.
pub const MAX_VALUE: f32 = 1e15;

const COMPONENT_NAMES: [&str; 3] = ["the velocity along x", "the velocity along y", "the velocity along z"];

impl FlowField {
    /// Creates a field and checks its values.
    pub fn new(grid: Grid, time: f64, velocity: [Vec<f32>; 3], pressure: Vec<f32>) -> Result<Self, FieldError> {
        if !time.is_finite() {
            return Err(FieldError::Time(time));
        }
        for (name, values) in COMPONENT_NAMES.into_iter().zip(&velocity).chain([("the pressure", &pressure)]) {
            check(&grid, name, values)?;
        }
        Ok(Self { grid, time, velocity, pressure })
    }

    /// Creates a field from values in double precision.
    pub fn from_f64(grid: Grid, time: f64, velocity: &[Vec<f64>; 3], pressure: &[f64]) -> Result<Self, FieldError> {
        let single = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<f32>>();
        Self::new(grid, time, [single(&velocity[0]), single(&velocity[1]), single(&velocity[2])], single(pressure))
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The time.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The three components of the velocity.
    pub fn velocity(&self) -> &[Vec<f32>; 3] {
        &self.velocity
    }

    /// The pressure divided by the density, up to a constant.
    pub fn pressure(&self) -> &[f32] {
        &self.pressure
    }

    /// The velocity at a point.
    pub fn velocity_at(&self, index: usize) -> DVec3 {
        let [x, y, z] = &self.velocity;
        DVec3::new(f64::from(x[index]), f64::from(y[index]), f64::from(z[index]))
    }

    /// Number of bytes of velocity and pressure in single precision.
    pub fn bytes(&self) -> u64 {
        16 * self.grid.points() as u64
    }
}

/// Checks the length and the values of one quantity.
pub(crate) fn check(grid: &Grid, name: &'static str, values: &[f32]) -> Result<(), FieldError> {
    if values.len() != grid.points() {
        return Err(FieldError::Length { name, found: values.len(), expected: grid.points() });
    }
    let is_bad = |value: &f32| value.is_nan() || value.abs() >= MAX_VALUE;
    match values.iter().position(is_bad) {
        Some(index) => Err(FieldError::Value { name, point: grid.point(index), value: values[index] }),
        None => Ok(()),
    }
}
