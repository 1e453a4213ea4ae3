//! The linear system of given modes, factored once and solved several times: one unknown and one equation for every row
//! at rest, two for a sliding contact, none for an open one.
//!
//! In given modes the laws are linear except for the rotation of the sliding directions:
//! - at rest: `w = 0`;
//! - sliding in the direction `d`: `x = x_n (1, mu d) + s (0, d_perp)`; `w_n = 0` and, with the slip speed
//!   `l = -d . w_t`, `mu x_n d_perp . w_t + l s = 0` (the friction rotates until it opposes the slip).
//!
//! Rows at rest come first, joint limits before contacts: their part of the matrix is symmetric, so only half of it is
//! factored (`L D L^T`). Sliding makes the rest unsymmetric (LU).
//!
//! The matrix is singular where rows depend on each other, as four contacts of a rigid box do. A pivot that vanishes
//! drops its unknown, which keeps the value it has, and its equation, which then holds by itself or, if the modes are
//! not feasible, does not hold. There is no pivoting: a wrong result shows in its residual.

use glam::DVec2;

use super::dense_problem::dot;
use super::mode::{BlockMode, Mode};
use super::residuals::tangent;
use super::{DenseProblem, Law};

/// Pivot, relative to its original diagonal entry, below which its row depends on rows before it: above rounding, and
/// below what a mass ratio of a million leaves.
const DEPENDENT_PIVOT: f64 = 1e-9;
/// Number of entries that are processed at once.
const LANES: usize = 4;

/// A contact that slides.
#[derive(Clone, Copy, Debug)]
struct Sliding {
    row: usize,
    /// Friction impulse for each unit of the normal impulse, `mu d`.
    friction: DVec2,
    perpendicular: DVec2,
    /// Weight of the slip across `d`.
    weight: f64,
    /// Weight of the friction impulse across `d`.
    added: f64,
}

/// The factored system and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ModeSystem {
    at_rest: Vec<usize>,
    sliding: Vec<Sliding>,
    /// Rows of the upper factor, each of whole groups of [`LANES`] entries. Entries left of the diagonal have no meaning.
    upper: Vec<f64>,
    /// Rows of the lower factor of the sliding part.
    lower: Vec<f64>,
    stride: usize,
    /// Inverse pivots; 0 for a dropped unknown.
    inverse_pivots: Vec<f64>,
    equation: Vec<f64>,
    step: Vec<f64>,
}

impl ModeSystem {
    /// Builds and factors the matrix of the modes.
    pub(super) fn factor(&mut self, problem: &DenseProblem, modes: &[BlockMode]) {
        self.collect(problem, modes);
        let size = self.at_rest.len() + 2 * self.sliding.len();
        self.stride = size.next_multiple_of(LANES).max(LANES);
        self.upper.clear();
        self.upper.resize(size * self.stride, 0.0);
        self.lower.resize(2 * self.sliding.len() * self.stride, 0.0);
        let (rest, sliding) = self.upper.split_at_mut(self.at_rest.len() * self.stride);
        let fill = |entries: &mut [f64], equation: &[f64], from: usize| {
            for (entry, &row) in entries[from..].iter_mut().zip(&self.at_rest[from..]) {
                *entry = equation[row];
            }
            let (pairs, _) = entries[self.at_rest.len()..size].as_chunks_mut::<2>();
            for ([normal, turn], slide) in pairs.iter_mut().zip(&self.sliding) {
                let across = tangent(equation, slide.row);
                *normal = equation[slide.row] + slide.friction.dot(across);
                *turn = slide.perpendicular.dot(across);
            }
        };
        for (k, (entries, &row)) in rest.chunks_exact_mut(self.stride).zip(&self.at_rest).enumerate() {
            fill(entries, problem.row(row), k);
        }
        for (k, (entries, slide)) in sliding.chunks_exact_mut(2 * self.stride).zip(&self.sliding).enumerate() {
            let (normal, turn) = entries.split_at_mut(self.stride);
            fill(normal, problem.row(slide.row), 0);
            let direction = slide.perpendicular * slide.weight;
            let rows = problem.row(slide.row + 1).iter().zip(problem.row(slide.row + 2));
            self.equation.clear();
            self.equation.extend(rows.map(|(y, z)| direction.x * y + direction.y * z));
            fill(turn, &self.equation, 0);
            turn[self.at_rest.len() + 2 * k + 1] += slide.added;
        }
        self.eliminate(size);
    }

    /// Updates the equations to rotated sliding directions without factoring again. The modes must be those that were
    /// factored.
    pub(super) fn turn(&mut self, problem: &DenseProblem, modes: &[BlockMode]) {
        if !self.sliding.is_empty() {
            self.collect(problem, modes);
        }
    }

    fn collect(&mut self, problem: &DenseProblem, modes: &[BlockMode]) {
        self.at_rest.clear();
        self.sliding.clear();
        let blocks = || problem.blocks().iter().zip(modes);
        for (block, mode) in blocks() {
            if mode.mode == Mode::Stick && !matches!(block.law, Law::Contact { .. }) {
                self.at_rest.push(block.first_row);
            }
        }
        for (block, mode) in blocks() {
            let Law::Contact { .. } = block.law else { continue };
            let (row, friction) = (block.first_row, block.law.friction());
            match mode.mode {
                Mode::Stick => self.at_rest.extend(block.rows()),
                Mode::Slide if friction > 0.0 => self.sliding.push(Sliding {
                    row,
                    friction: mode.direction * friction,
                    perpendicular: mode.direction.perp(),
                    weight: mode.turning,
                    added: (1.0 - mode.turning) * problem.tangent_diagonal(row),
                }),
                Mode::Slide => self.at_rest.push(row),
                Mode::Open | Mode::Low | Mode::High => {}
            }
        }
    }

    fn eliminate(&mut self, size: usize) {
        let (stride, symmetric) = (self.stride, self.at_rest.len());
        self.inverse_pivots.clear();
        self.inverse_pivots.extend((0..size).map(|k| self.upper[k * stride + k]));
        for k in 0..size {
            let (above, below) = self.upper.split_at_mut((k + 1) * stride);
            let pivot_row = &above[k * stride..];
            let (pivot, original) = (pivot_row[k], self.inverse_pivots[k]);
            let inverse = if pivot > DEPENDENT_PIVOT * original.abs() { 1.0 / pivot } else { 0.0 };
            self.inverse_pivots[k] = inverse;
            if inverse == 0.0 {
                (0..2 * self.sliding.len()).for_each(|i| self.lower[i * stride + k] = 0.0);
                continue;
            }
            for (i, row) in (k + 1..size).zip(below.chunks_exact_mut(stride)) {
                if i < symmetric {
                    subtract(row, pivot_row[i] * inverse, pivot_row, i);
                } else {
                    let factor = row[k] * inverse;
                    self.lower[(i - symmetric) * stride + k] = factor;
                    subtract(row, factor, pivot_row, k + 1);
                }
            }
        }
    }

    /// Moves `x`, whose velocities are `w`, to the solution in the modes.
    pub(super) fn step(&mut self, w: &[f64], x: &mut [f64]) {
        let (stride, symmetric) = (self.stride, self.at_rest.len());
        self.step.clear();
        self.step.extend(self.at_rest.iter().map(|&row| -w[row]));
        for slide in &self.sliding {
            let across = slide.perpendicular.dot(tangent(w, slide.row)) * slide.weight
                + slide.perpendicular.dot(tangent(x, slide.row)) * slide.added;
            self.step.extend([-w[slide.row], -across]);
        }
        let size = self.step.len();
        let step = &mut self.step[..];
        for (k, row) in self.upper.chunks_exact(stride).take(symmetric).enumerate() {
            let value = step[k] * self.inverse_pivots[k];
            for (later, entry) in step[k + 1..symmetric].iter_mut().zip(&row[k + 1..]) {
                *later -= value * entry;
            }
        }
        for (k, row) in (symmetric..size).zip(self.lower.chunks_exact(stride)) {
            step[k] -= dot(&row[..k], &step[..k]);
        }
        for (k, row) in self.upper.chunks_exact(stride).enumerate().rev() {
            let sum = dot(&row[k + 1..size], &step[k + 1..]);
            step[k] = (step[k] - sum) * self.inverse_pivots[k];
        }
        for (&row, step) in self.at_rest.iter().zip(&*step) {
            x[row] += step;
        }
        let (pairs, _) = step[symmetric..size].as_chunks::<2>();
        for ([normal, turn], slide) in pairs.iter().zip(&self.sliding) {
            let friction = slide.friction * *normal + slide.perpendicular * *turn;
            x[slide.row] += normal;
            x[slide.row + 1] += friction.x;
            x[slide.row + 2] += friction.y;
        }
    }
}

/// Subtracts a multiple of a row from the entry `from` on, and from entries before it that have no meaning.
#[inline(always)]
fn subtract(row: &mut [f64], factor: f64, pivot_row: &[f64], from: usize) {
    let (row, _) = row.as_chunks_mut::<LANES>();
    let (pivot_row, _) = pivot_row.as_chunks::<LANES>();
    for (row, pivot) in row.iter_mut().zip(pivot_row).skip(from / LANES) {
        for lane in 0..LANES {
            row[lane] -= factor * pivot[lane];
        }
    }
}
