//! Cubic splines through the values of a field: smooth velocity, vorticity and pressure between the points.

use glam::{DMat3, DVec3};

use crate::field::FlowField;
use crate::grid::Grid;

/// Velocity, pressure and their gradients at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Velocity.
    pub velocity: DVec3,
    /// Derivatives of the velocity: the columns are those along x, y and z.
    pub velocity_gradient: DMat3,
    /// Pressure.
    pub pressure: f64,
    /// Gradient of the pressure.
    pub pressure_gradient: DVec3,
}

impl Sample {
    /// The curl of the velocity.
    pub fn vorticity(&self) -> DVec3 {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = self.velocity_gradient;
        DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x)
    }

    /// Half of the square of rotation minus the square of strain (Q): positive where rotation dominates.
    pub fn rotation_excess(&self) -> f64 {
        let gradient = self.velocity_gradient;
        -0.5 * (gradient * gradient).to_cols_array().iter().step_by(4).sum::<f64>()
    }
}

/// Spline of velocity and pressure with continuous second derivatives, exact at the points of the grid.
pub struct FieldSpline {
    grid: Grid,
    /// Number of coefficients per axis, with one before the first point and one or two after the last.
    size: [usize; 3],
    coefficients: Vec<[f32; 4]>,
}

impl FieldSpline {
    /// Creates the spline of a field.
    pub fn new(field: &FlowField) -> Self {
        let grid = *field.grid();
        let size = [0, 1, 2].map(|axis| padded(grid.size()[axis], grid.periodicity()[axis]));
        let mut coefficients = vec![[0.0; 4]; size.iter().product()];
        let [x, y, z] = field.velocity();
        for (channel, values) in [x.as_slice(), y, z, field.pressure()].into_iter().enumerate() {
            for (coefficient, value) in coefficients.iter_mut().zip(filter(&grid, values)) {
                coefficient[channel] = value as f32;
            }
        }
        Self { grid, size, coefficients }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Velocity, pressure and gradients at a place. Places beyond a wall give the values of the outermost cell.
    pub fn sample(&self, place: DVec3) -> Sample {
        let (first, [x, y, z]) = self.weights(place);
        let mut value = [0.0; 4];
        let mut along = [[0.0; 4]; 3];
        for k in 0..4 {
            let (mut plane, mut plane_x, mut plane_y) = ([0.0; 4], [0.0; 4], [0.0; 4]);
            for j in 0..4 {
                let line = &self.coefficients[first + (k * self.size[1] + j) * self.size[0]..][..4];
                for channel in 0..4 {
                    let c = [0, 1, 2, 3].map(|i| f64::from(line[i][channel]));
                    let sum = x.value[0] * c[0] + x.value[1] * c[1] + x.value[2] * c[2] + x.value[3] * c[3];
                    let slope = x.slope[0] * c[0] + x.slope[1] * c[1] + x.slope[2] * c[2] + x.slope[3] * c[3];
                    plane[channel] += y.value[j] * sum;
                    plane_x[channel] += y.value[j] * slope;
                    plane_y[channel] += y.slope[j] * sum;
                }
            }
            for channel in 0..4 {
                value[channel] += z.value[k] * plane[channel];
                along[0][channel] += z.value[k] * plane_x[channel];
                along[1][channel] += z.value[k] * plane_y[channel];
                along[2][channel] += z.slope[k] * plane[channel];
            }
        }
        let column = |axis: usize| DVec3::new(along[axis][0], along[axis][1], along[axis][2]);
        Sample {
            velocity: DVec3::new(value[0], value[1], value[2]),
            velocity_gradient: DMat3::from_cols(column(0), column(1), column(2)),
            pressure: value[3],
            pressure_gradient: DVec3::new(along[0][3], along[1][3], along[2][3]),
        }
    }

    /// Gradient and second derivatives of the pressure at a place.
    pub fn pressure_derivatives(&self, place: DVec3) -> (DVec3, DMat3) {
        let (first, [x, y, z]) = self.weights(place);
        let mut gradient = DVec3::ZERO;
        let (mut xx, mut yy, mut zz, mut xy, mut xz, mut yz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for k in 0..4 {
            for j in 0..4 {
                let line = &self.coefficients[first + (k * self.size[1] + j) * self.size[0]..][..4];
                let (mut sum, mut slope, mut bend) = (0.0, 0.0, 0.0);
                for (i, values) in line.iter().enumerate() {
                    let c = f64::from(values[3]);
                    sum += x.value[i] * c;
                    slope += x.slope[i] * c;
                    bend += x.bend[i] * c;
                }
                gradient += DVec3::new(
                    y.value[j] * z.value[k] * slope,
                    y.slope[j] * z.value[k] * sum,
                    y.value[j] * z.slope[k] * sum,
                );
                xx += y.value[j] * z.value[k] * bend;
                yy += y.bend[j] * z.value[k] * sum;
                zz += y.value[j] * z.bend[k] * sum;
                xy += y.slope[j] * z.value[k] * slope;
                xz += y.value[j] * z.slope[k] * slope;
                yz += y.slope[j] * z.slope[k] * sum;
            }
        }
        let columns = [DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)];
        (gradient, DMat3::from_cols(columns[0], columns[1], columns[2]))
    }

    /// The first coefficient that a place needs, and the weights of four coefficients per axis.
    fn weights(&self, place: DVec3) -> (usize, [Weights; 3]) {
        let mut first = 0;
        let mut stride = 1;
        let weights = [0, 1, 2].map(|axis| {
            let cells = self.grid.cells(axis) as f64;
            let spacing = self.grid.spacing()[axis];
            let mut at = (place[axis] - self.grid.origin()[axis]) / spacing;
            if self.grid.periodicity()[axis] {
                at -= libm::floor(at / cells) * cells;
            }
            let cell = libm::floor(at).clamp(0.0, cells - 1.0);
            first += cell as usize * stride;
            stride *= self.size[axis];
            Weights::new((at - cell).clamp(0.0, 1.0), spacing)
        });
        (first, weights)
    }
}

/// Weights of four neighbouring coefficients for the value and its first and second derivative.
struct Weights {
    value: [f64; 4],
    slope: [f64; 4],
    bend: [f64; 4],
}

impl Weights {
    fn new(t: f64, spacing: f64) -> Self {
        let s = 1.0 - t;
        let middle = |t: f64| 2.0 / 3.0 + t * t * (0.5 * t - 1.0);
        let scale = |weights: [f64; 4], factor: f64| weights.map(|weight| weight * factor);
        Self {
            value: [s * s * s / 6.0, middle(t), middle(s), t * t * t / 6.0],
            slope: scale([-0.5 * s * s, t * (1.5 * t - 2.0), -s * (1.5 * s - 2.0), 0.5 * t * t], 1.0 / spacing),
            bend: scale([s, 3.0 * t - 2.0, 3.0 * s - 2.0, t], 1.0 / (spacing * spacing)),
        }
    }
}

/// Number of coefficients along an axis.
fn padded(count: usize, periodic: bool) -> usize {
    count + if periodic { 3 } else { 2 }
}

/// The coefficients of the spline through the values, axis by axis.
fn filter(grid: &Grid, values: &[f32]) -> Vec<f64> {
    let mut size = grid.size();
    let mut values: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
    for axis in 0..3 {
        let periodic = grid.periodicity()[axis];
        let (count, stride) = (size[axis], size[..axis].iter().product::<usize>());
        let blocks = size[axis + 1..].iter().product::<usize>();
        let longer = padded(count, periodic);
        let mut filtered = vec![0.0; stride * blocks * longer];
        let mut line = vec![0.0; count];
        let mut coefficients = vec![0.0; longer];
        let factors = thomas_factors(count);
        for block in 0..blocks {
            for offset in 0..stride {
                for (place, value) in line.iter_mut().enumerate() {
                    *value = values[(block * count + place) * stride + offset];
                }
                if periodic {
                    periodic_line(&line, &mut coefficients);
                } else {
                    bounded_line(&line, &factors, &mut coefficients);
                }
                for (place, value) in coefficients.iter().enumerate() {
                    filtered[(block * longer + place) * stride + offset] = *value;
                }
            }
        }
        values = filtered;
        size[axis] = longer;
    }
    values
}

/// Root of the recursion that inverts the weights 1/6, 4/6, 1/6.
const POLE: f64 = -0.267_949_192_431_122_7; // sqrt(3) - 2

/// Coefficients of a periodic line: a recursion forward and one backward.
fn periodic_line(line: &[f64], coefficients: &mut [f64]) {
    let count = line.len();
    let mut power = 1.0;
    let mut sum = 0.0;
    for place in 0..count {
        sum += power * line[(count - place) % count];
        power *= POLE;
    }
    let closure = 1.0 / (1.0 - power);
    let inner = &mut coefficients[1..=count];
    inner[0] = sum * closure;
    for place in 1..count {
        inner[place] = line[place] + POLE * inner[place - 1];
    }
    let (mut power, mut sum) = (1.0, 0.0);
    for place in 0..count {
        sum += power * inner[(count - 1 + place) % count];
        power *= POLE;
    }
    inner[count - 1] = -POLE * closure * sum;
    for place in (0..count - 1).rev() {
        inner[place] = POLE * (inner[place + 1] - inner[place]);
    }
    inner.iter_mut().for_each(|value| *value *= 6.0);
    coefficients[0] = coefficients[count];
    coefficients[count + 1] = coefficients[1];
    coefficients[count + 2] = coefficients[2];
}

/// Factors of Thomas's algorithm for the weights 1, 4, 1.
fn thomas_factors(count: usize) -> Vec<f64> {
    let mut factors = vec![0.0; count];
    for place in 1..count {
        factors[place] = 1.0 / (4.0 - factors[place - 1]);
    }
    factors
}

/// Coefficients of a line between walls. The second derivatives at both ends come from four values.
fn bounded_line(line: &[f64], factors: &[f64], coefficients: &mut [f64]) {
    let count = line.len();
    let bend = |value: &dyn Fn(usize) -> f64| 2.0 * value(0) - 5.0 * value(1) + 4.0 * value(2) - value(3);
    let bends = [bend(&|place| line[place]), bend(&|place| line[count - 1 - place])];
    let inner = &mut coefficients[1..=count];
    inner[0] = line[0] - bends[0] / 6.0;
    inner[count - 1] = line[count - 1] - bends[1] / 6.0;
    // Forward elimination, then back substitution, of the rows between the ends.
    for place in 1..count - 1 {
        inner[place] = (6.0 * line[place] - inner[place - 1]) * factors[place];
    }
    for place in (1..count - 1).rev() {
        inner[place] -= inner[place + 1] * factors[place];
    }
    let ends = [inner[0], inner[1], inner[count - 2], inner[count - 1]];
    coefficients[0] = bends[0] + 2.0 * ends[0] - ends[1];
    coefficients[count + 1] = bends[1] + 2.0 * ends[3] - ends[2];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubic_splines_reproduce_points_and_quadratics() {
        let grid = Grid::new([9, 8, 7], DVec3::new(-1.0, 0.5, 2.0), DVec3::new(0.5, 0.25, 1.0), [false; 3]).unwrap();
        let quadratic = |p: DVec3| 1.0 + 2.0 * p.x - p.y * p.y + 0.5 * p.x * p.z + 0.25 * p.x * p.x;
        let at = |index| grid.position(grid.point(index));
        let values: Vec<f32> = (0..grid.points()).map(|index| quadratic(at(index)) as f32).collect();
        let field = FlowField::new(grid, 0.0, [values.clone(), values.clone(), values.clone()], values).unwrap();
        let spline = FieldSpline::new(&field);
        for place in [DVec3::new(-0.3, 1.1, 4.4), DVec3::new(-1.0, 0.5, 2.0), DVec3::new(2.99, 2.2, 7.9)] {
            let sample = spline.sample(place);
            let slope = DVec3::new(2.0 + 0.5 * place.z + 0.5 * place.x, -2.0 * place.y, 0.5 * place.x);
            // Single precision of values up to 20, and of differences over a quarter.
            assert!((sample.pressure - quadratic(place)).abs() < 1e-5);
            assert!((sample.pressure_gradient - slope).length() < 1e-4, "{} {slope}", sample.pressure_gradient);
            let (gradient, hessian) = spline.pressure_derivatives(place);
            assert!((gradient - sample.pressure_gradient).length() < 1e-9);
            let bends =
                DMat3::from_cols(DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.0, -2.0, 0.0), DVec3::new(0.5, 0.0, 0.0));
            assert!((hessian - bends).abs_diff_eq(DMat3::ZERO, 1e-3), "{hessian}");
        }
    }

    #[test]
    fn periodic_splines_pass_through_their_points_and_wrap() {
        let grid = Grid::periodic([8, 12, 10], DVec3::ZERO, 0.1).unwrap();
        let wave = |p: DVec3| {
            let turn = std::f64::consts::TAU * (p / grid.extent());
            libm::sin(turn.x) * libm::cos(turn.y) + libm::cos(turn.z)
        };
        let values: Vec<f32> = (0..grid.points()).map(|i| wave(grid.position(grid.point(i))) as f32).collect();
        let field =
            FlowField::new(grid, 0.0, [values.clone(), values.clone(), values.clone()], values.clone()).unwrap();
        let spline = FieldSpline::new(&field);
        for index in (0..grid.points()).step_by(7) {
            let place = grid.position(grid.point(index));
            for turns in [DVec3::ZERO, DVec3::new(1.0, -2.0, 3.0)] {
                let found = spline.sample(place + turns * grid.extent()).pressure;
                assert!((found - f64::from(values[index])).abs() < 1e-6, "{found} {}", values[index]);
            }
        }
    }
}
