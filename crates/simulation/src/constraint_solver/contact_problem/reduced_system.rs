//! The linear system of given modes: one unknown and one equation for every row at rest, two for a sliding contact,
//! none for an open one. The matrix is `L^T G R`; `R` carries the friction that comes with a sliding contact's normal
//! impulse, `L` does not, so that sliding makes it unsymmetric.

use glam::DVec2;

use super::dense_problem::DenseProblem;
use super::factorization::Factorization;
use super::mode::{BlockMode, Mode};
use super::residuals::tangent;

/// Share of the diagonal that is added: far above rounding, far below the smallest eigenvalue at a mass ratio of a
/// million.
const REGULARIZATION: f64 = 1e-10;

/// One column of the reduced system.
#[derive(Clone, Copy, Debug)]
enum Unknown {
    /// The impulse of a row that is at rest.
    Row(usize),
    /// The normal impulse of a sliding contact, which determines its friction: the normal row and `mu d`.
    SlideNormal(usize, DVec2),
    /// The rotation of the friction: the normal row, `d_perp`, the weight of the slip row, the term added to the
    /// diagonal.
    SlideTurn(usize, DVec2, f64, f64),
}

/// The largest residual of an equation before a step, and the largest unknown of the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSize {
    pub(super) velocity: f64,
    pub(super) impulse: f64,
}

/// The factored system and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ReducedSystem {
    unknowns: Vec<Unknown>,
    symmetric: bool,
    /// An equation of a sliding contact: a combination of rows of `G`.
    equation: Vec<f64>,
    factorization: Factorization,
    step: Vec<f64>,
}

impl ReducedSystem {
    /// Builds and factors `L^T G R` for the modes.
    pub(super) fn factor(&mut self, problem: &DenseProblem, modes: &[BlockMode]) {
        self.collect_unknowns(problem, modes);
        self.factorization.reset(self.unknowns.len());
        for ((i, unknown), row) in self.unknowns.iter().enumerate().zip(self.factorization.rows_mut()) {
            let equation = unknown.left(problem, &mut self.equation);
            for (entry, unknown) in row.iter_mut().zip(&self.unknowns) {
                *entry = unknown.right(equation);
            }
            row[i] += REGULARIZATION * problem.diagonal(unknown.row()) + unknown.added();
        }
        if self.symmetric { self.factorization.factor_symmetric() } else { self.factorization.factor_general() }
    }

    /// Updates the equations to rotated sliding directions without factoring again. The modes must be those that were
    /// factored. Returns whether the factors are still exact.
    pub(super) fn turn(&mut self, problem: &DenseProblem, modes: &[BlockMode]) -> bool {
        if !self.symmetric {
            self.collect_unknowns(problem, modes);
        }
        self.symmetric
    }

    fn collect_unknowns(&mut self, problem: &DenseProblem, modes: &[BlockMode]) {
        self.unknowns.clear();
        self.symmetric = true;
        for (block, mode) in problem.blocks().iter().zip(modes) {
            match mode.mode {
                Mode::Stick => self.unknowns.extend(block.rows().map(Unknown::Row)),
                Mode::Slide if block.law.friction() > 0.0 => {
                    let row = block.first_row;
                    let added = (1.0 - mode.turning) * problem.tangent_diagonal(row);
                    self.unknowns.push(Unknown::SlideNormal(row, mode.direction * block.law.friction()));
                    self.unknowns.push(Unknown::SlideTurn(row, mode.direction.perp(), mode.turning, added));
                    self.symmetric = false;
                }
                Mode::Slide => self.unknowns.push(Unknown::Row(block.first_row)),
                Mode::Open | Mode::Low | Mode::High => {}
            }
        }
    }

    /// Moves `x`, whose velocities are `w`, to the solution (except for the share added to the diagonal). Returns the
    /// size of the step. Velocities up to `quiet` count as zero: where rows depend on each other, rounding errors would
    /// drive the step along a null direction.
    pub(super) fn step(&mut self, w: &[f64], x: &mut [f64], quiet: f64) -> StepSize {
        let wanted = |velocity: f64| if velocity.abs() <= quiet { 0.0 } else { -velocity };
        self.step.clear();
        self.step.extend(self.unknowns.iter().map(|unknown| wanted(unknown.velocity(w, x))));
        let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let velocity = largest(&self.step);
        if velocity == 0.0 {
            return StepSize { velocity, impulse: 0.0 };
        }
        self.factorization.solve(&mut self.step);
        for (unknown, step) in self.unknowns.iter().zip(&self.step) {
            unknown.add(*step, x);
        }
        StepSize { velocity, impulse: largest(&self.step) }
    }
}

impl Unknown {
    fn row(&self) -> usize {
        match *self {
            Self::Row(row) | Self::SlideNormal(row, _) | Self::SlideTurn(row, ..) => row,
        }
    }

    fn added(&self) -> f64 {
        if let Self::SlideTurn(.., added) = *self { added } else { 0.0 }
    }

    /// Returns the response of a row of `G` to the unknown.
    #[inline(always)]
    fn right(&self, source: &[f64]) -> f64 {
        match *self {
            Self::Row(row) => source[row],
            Self::SlideNormal(row, friction) => source[row] + friction.dot(tangent(source, row)),
            Self::SlideTurn(row, perpendicular, ..) => perpendicular.dot(tangent(source, row)),
        }
    }

    /// Returns the coefficients of the unknown's equation, by row.
    fn left<'a>(&self, problem: &'a DenseProblem, equation: &'a mut Vec<f64>) -> &'a [f64] {
        match *self {
            Self::Row(row) | Self::SlideNormal(row, _) => problem.row(row),
            Self::SlideTurn(row, perpendicular, weight, _) => {
                let direction = perpendicular * weight;
                let rows = problem.row(row + 1).iter().zip(problem.row(row + 2));
                equation.clear();
                equation.extend(rows.map(|(y, z)| direction.x * y + direction.y * z));
                equation
            }
        }
    }

    /// Returns the velocity that is zero if the equation of the unknown holds.
    fn velocity(&self, w: &[f64], x: &[f64]) -> f64 {
        match *self {
            Self::Row(row) | Self::SlideNormal(row, _) => w[row],
            Self::SlideTurn(row, perpendicular, weight, added) => {
                perpendicular.dot(tangent(w, row)) * weight + perpendicular.dot(tangent(x, row)) * added
            }
        }
    }

    /// Adds a step of the unknown to the impulses.
    fn add(&self, step: f64, x: &mut [f64]) {
        match *self {
            Self::Row(row) => x[row] += step,
            Self::SlideNormal(row, friction) => {
                x[row] += step;
                x[row + 1] += step * friction.x;
                x[row + 2] += step * friction.y;
            }
            Self::SlideTurn(row, perpendicular, ..) => {
                x[row + 1] += step * perpendicular.x;
                x[row + 2] += step * perpendicular.y;
            }
        }
    }
}
