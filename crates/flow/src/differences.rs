//! Derivatives and integrals of fourth order along the axes of a grid.

use rayon::prelude::*;

use crate::grid::Grid;

/// Weights for the derivative at place 0 and at place 1 of five points, times 12.
const ONE_SIDED: [[f64; 5]; 2] = [[-25.0, 48.0, -36.0, 16.0, -3.0], [-3.0, -10.0, 18.0, -6.0, 1.0]];

/// Derivative of a quantity along an axis, with an error of fourth order in the spacing.
pub fn derivative(grid: &Grid, values: &[f64], axis: usize) -> Vec<f64> {
    let factor = 1.0 / (12.0 * grid.spacing()[axis]);
    let lines = Lines::new(grid, axis);
    lines.map(values, |place, value| {
        let count = lines.count;
        let sum = if lines.periodic || (2..count - 2).contains(&place) {
            8.0 * (value(place as isize + 1) - value(place as isize - 1))
                - (value(place as isize + 2) - value(place as isize - 2))
        } else if place < 2 {
            (0..5).map(|n| ONE_SIDED[place][n as usize] * value(n)).sum()
        } else {
            let from_end = count - 1 - place;
            -(0..5).map(|n| ONE_SIDED[from_end][n as usize] * value(count as isize - 1 - n)).sum::<f64>()
        };
        factor * sum
    })
}

/// Integral of a quantity over the edge from each point to the next along an axis, with an error of fifth order in the
/// spacing. The last point of a bounded axis has no edge and gets 0.
pub fn edge_integrals(grid: &Grid, values: &[f64], axis: usize) -> Vec<f64> {
    let factor = grid.spacing()[axis] / 24.0;
    let lines = Lines::new(grid, axis);
    lines.map(values, |place, value| {
        let (at, count) = (place as isize, lines.count);
        let sum = if lines.periodic || (1..count - 2).contains(&place) {
            13.0 * (value(at) + value(at + 1)) - value(at - 1) - value(at + 2)
        } else if place == 0 {
            9.0 * value(0) + 19.0 * value(1) - 5.0 * value(2) + value(3)
        } else if place + 2 == count {
            9.0 * value(at + 1) + 19.0 * value(at) - 5.0 * value(at - 1) + value(at - 2)
        } else {
            0.0
        };
        factor * sum
    })
}

/// The lines of a grid along an axis.
struct Lines {
    count: usize,
    stride: usize,
    periodic: bool,
}

impl Lines {
    fn new(grid: &Grid, axis: usize) -> Self {
        let stride = grid.size()[..axis].iter().product();
        Self { count: grid.size()[axis], stride, periodic: grid.periodicity()[axis] }
    }

    /// Computes a value at each point from the values on its line. Places beyond the end of a periodic line wrap.
    fn map(&self, values: &[f64], formula: impl Fn(usize, &dyn Fn(isize) -> f64) -> f64 + Sync) -> Vec<f64> {
        let count = self.count as isize;
        let at_point = |index: usize| {
            let place = index / self.stride % self.count;
            let start = index - place * self.stride;
            let value = |place: isize| values[start + place.rem_euclid(count) as usize * self.stride];
            formula(place, &value)
        };
        (0..values.len()).into_par_iter().map(at_point).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// Both rules are exact for polynomials of degree 3 on bounded axes.
    #[test]
    fn cubic_polynomials_are_exact() {
        let grid = Grid::new([7, 8, 9], DVec3::splat(-1.0), DVec3::new(0.3, 0.2, 0.4), [false; 3]).unwrap();
        for axis in 0..3 {
            let at = |index: usize| grid.position(grid.point(index))[axis];
            let cubic = |x: f64| 1.0 + x * (2.0 + x * (-3.0 + 0.5 * x));
            let slope = |x: f64| 2.0 + x * (-6.0 + 1.5 * x);
            let integral = |x: f64| x * (1.0 + x * (1.0 + x * (-1.0 + 0.125 * x)));
            let values: Vec<f64> = (0..grid.points()).map(|index| cubic(at(index))).collect();
            let slopes = derivative(&grid, &values, axis);
            let rises = edge_integrals(&grid, &values, axis);
            let spacing = grid.spacing()[axis];
            for index in 0..grid.points() {
                let x = at(index);
                assert!((slopes[index] - slope(x)).abs() < 1e-12);
                if grid.point(index)[axis] + 1 < grid.size()[axis] {
                    assert!((rises[index] - integral(x + spacing) + integral(x)).abs() < 1e-12);
                }
            }
        }
    }
}
