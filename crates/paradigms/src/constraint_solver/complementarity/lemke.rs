//! Lemke's algorithm for the linear complementarity problem
//!
//! ```text
//!   w = M z + q,    w >= 0,    z >= 0,    w . z = 0
//! ```
//! (Timchenko 2007, section IV.B.3.b; the method as in Cottle, Pang and Stone). An artificial variable `z0` with a
//! column of ones makes the start feasible; then the complement of the variable that left the basis enters it, until
//! `z0` itself leaves. The path ends at a solution, or on a ray along which nothing bounds the entering variable. For
//! copositive-plus matrices, thus for every positive semi-definite one, a ray proves that there is no solution; for
//! other matrices it proves nothing, but friction problems without a solution (Painlevé) do end this way.
//! Ties in the ratio test are broken lexicographically over the rows of `[B^-1 q, B^-1]`, so a basis never recurs and
//! degenerate problems do not cycle. The basis inverse is stored, not a tableau: columns come from the given matrix, so
//! rounding does not accumulate in them, and the result is refined against that matrix.
//! The algorithm is dense: a pivot costs `O(n^2)`, and a problem usually takes 1 to 3 pivots per variable. In the worst
//! case the number of pivots grows exponentially, therefore it is bounded.

use thiserror::Error;

/// Size of a number relative to its summands below which it counts as zero: rounding, with a margin for the errors of
/// the basis inverse.
const ROUNDING_TOLERANCE: f64 = 1e-11;

/// Number of iterative refinements at the end.
const REFINEMENTS: usize = 2;

/// The algorithm with its buffers: nothing is allocated once it has seen its largest problem.
#[derive(Debug, Clone)]
pub struct Lemke {
    /// Maximum number of pivots per variable.
    pub pivots_per_variable: usize,
    size: usize,
    /// The basis inverse by rows.
    inverse: Vec<f64>,
    /// Basic variable of each row.
    basis: Vec<Variable>,
    /// Values of the basic variables.
    values: Vec<f64>,
    /// The largest entry in every row of the basis inverse.
    row_scales: Vec<f64>,
    /// The entering variable's column of the system, then that column in terms of the basis.
    column: Vec<f64>,
    direction: Vec<f64>,
    tied_rows: Vec<usize>,
    residual: Vec<f64>,
}

/// How a solution was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LemkeReport {
    /// Number of basis changes.
    pub pivots: usize,
    /// The largest `|min(w_i, z_i)|`, in the mixed units of the problem.
    pub residual: f64,
}

/// Why no solution was found.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum LemkeError {
    /// The path ended on a ray.
    #[error(
        "Lemke's path ended on a ray after {pivots} pivots: the problem has no solution, or none that the method can reach"
    )]
    Ray {
        /// Number of basis changes until then.
        pivots: usize,
    },
    /// The maximum number of pivots was reached.
    #[error("Lemke's path had not ended after {pivots} pivots")]
    PivotBound {
        /// The maximum number of pivots.
        pivots: usize,
    },
    /// The lengths of the slices do not match.
    #[error(
        "a problem of {size} variables needs a matrix of {size} x {size} entries and room for {size} results, found {matrix} and {solution}"
    )]
    Size {
        /// Length of the vector.
        size: usize,
        /// Length of the matrix.
        matrix: usize,
        /// Length of the result.
        solution: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Variable {
    W(usize),
    Z(usize),
    Artificial,
}

impl Default for Lemke {
    fn default() -> Self {
        Self {
            pivots_per_variable: 20,
            size: 0,
            inverse: Vec::new(),
            basis: Vec::new(),
            values: Vec::new(),
            row_scales: Vec::new(),
            column: Vec::new(),
            direction: Vec::new(),
            tied_rows: Vec::new(),
            residual: Vec::new(),
        }
    }
}

impl Lemke {
    /// Finds `z` for the matrix `M` (by rows) and the vector `q`. The result is zero unless a solution is found.
    pub fn solve(&mut self, matrix: &[f64], vector: &[f64], solution: &mut [f64]) -> Result<LemkeReport, LemkeError> {
        let size = vector.len();
        if matrix.len() != size * size || solution.len() != size {
            return Err(LemkeError::Size { size, matrix: matrix.len(), solution: solution.len() });
        }
        solution.fill(0.0);
        let Some(first_row) = lexicographically_lowest(vector) else {
            return Ok(LemkeReport { pivots: 0, residual: 0.0 });
        };
        self.start(size, first_row);

        let mut entering = Variable::Z(first_row);
        let bound = self.pivots_per_variable * size + 1;
        for pivots in 1..bound {
            self.measure_rows();
            self.enter(entering, matrix);
            self.evaluate(vector);
            let Some(row) = self.leaving_row(largest(vector)) else { return Err(LemkeError::Ray { pivots }) };
            let leaving = self.basis[row];
            self.pivot(row, entering);
            entering = match leaving {
                Variable::W(i) => Variable::Z(i),
                Variable::Z(i) => Variable::W(i),
                Variable::Artificial => {
                    let residual = self.finish(matrix, vector, solution);
                    return Ok(LemkeReport { pivots: pivots + 1, residual });
                }
            };
        }
        Err(LemkeError::PivotBound { pivots: bound })
    }

    /// Sets up the basis of all `w`, with `z0` in place of the most negative one.
    fn start(&mut self, size: usize, first_row: usize) {
        self.size = size;
        self.inverse.clear();
        self.inverse.resize(size * size, 0.0);
        for i in 0..size {
            self.inverse[i * size + i] = 1.0;
        }
        self.basis.clear();
        self.basis.extend((0..size).map(Variable::W));
        let Self { values, row_scales, column, direction, residual, .. } = self;
        for buffer in [values, row_scales, column, direction, residual] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
        self.tied_rows.clear();
        self.tied_rows.reserve(size);
        self.direction.fill(-1.0);
        self.pivot(first_row, Variable::Artificial);
    }

    fn measure_rows(&mut self) {
        for (scale, row) in self.row_scales.iter_mut().zip(self.inverse.chunks_exact(self.size)) {
            *scale = largest(row);
        }
    }

    /// Returns the column of the entering variable in `w - M z - 1 z0 = q`, in terms of the basis. Rounding is set to
    /// zero.
    fn enter(&mut self, entering: Variable, matrix: &[f64]) {
        let size = self.size;
        for (i, entry) in self.column.iter_mut().enumerate() {
            *entry = match entering {
                Variable::W(j) => f64::from(i == j),
                Variable::Z(j) => -matrix[i * size + j],
                Variable::Artificial => -1.0,
            };
        }
        multiply_rounded(&self.inverse, &self.row_scales, &self.column, &mut self.direction);
    }

    /// Computes the values of the basic variables. They are non-negative by the ratio test, except for rounding.
    fn evaluate(&mut self, vector: &[f64]) {
        multiply_rounded(&self.inverse, &self.row_scales, vector, &mut self.values);
        self.values.iter_mut().for_each(|value| *value = value.max(0.0));
    }

    /// Returns the row that reaches zero first when the entering variable grows; `None` on a ray.
    fn leaving_row(&mut self, vector_scale: f64) -> Option<usize> {
        self.tied_rows.clear();
        self.tied_rows.extend((0..self.size).filter(|&i| self.direction[i] > 0.0));
        let (values, direction, inverse, size) = (&self.values, &self.direction, &self.inverse, self.size);
        let rounding = |i: usize| ROUNDING_TOLERANCE * self.row_scales[i] / direction[i];
        keep_lowest(&mut self.tied_rows, |i| (values[i] / direction[i], vector_scale * rounding(i)));

        // The artificial variable leaves where it can, which ends the search.
        if let Some(&row) = self.tied_rows.iter().find(|&&i| self.basis[i] == Variable::Artificial) {
            return Some(row);
        }
        for column in 0..size {
            if self.tied_rows.len() < 2 {
                break;
            }
            keep_lowest(&mut self.tied_rows, |i| (inverse[i * size + column] / direction[i], rounding(i)));
        }
        // Rows that are equal up to rounding: the largest pivot causes the least error.
        self.tied_rows.iter().copied().max_by(|&a, &b| direction[a].total_cmp(&direction[b]))
    }

    /// Replaces the basic variable of a row.
    fn pivot(&mut self, row: usize, entering: Variable) {
        let size = self.size;
        let scale = 1.0 / self.direction[row];
        let (before, rest) = self.inverse.split_at_mut(row * size);
        let (pivot_row, after) = rest.split_at_mut(size);
        pivot_row.iter_mut().for_each(|entry| *entry *= scale);
        let others = before.chunks_exact_mut(size).chain(after.chunks_exact_mut(size));
        let factors = self.direction[..row].iter().chain(&self.direction[row + 1..]);
        for (other, &factor) in others.zip(factors).filter(|(_, factor)| **factor != 0.0) {
            for (entry, &pivot) in other.iter_mut().zip(pivot_row.iter()) {
                let before = *entry;
                *entry = without_rounding(before - factor * pivot, before.abs());
            }
        }
        self.basis[row] = entering;
    }

    /// Refines the basic variables against the given matrix, writes `z` and returns the residual.
    fn finish(&mut self, matrix: &[f64], vector: &[f64], solution: &mut [f64]) -> f64 {
        self.measure_rows();
        self.evaluate(vector);
        for _ in 0..REFINEMENTS {
            self.write_solution(solution);
            // The remainder of `q - B x`: `M z + q` minus the basic `w`.
            product_plus(matrix, solution, vector, &mut self.residual);
            for (variable, &value) in self.basis.iter().zip(&self.values) {
                if let Variable::W(i) = *variable {
                    self.residual[i] -= value;
                }
            }
            for (value, row) in self.values.iter_mut().zip(self.inverse.chunks_exact(self.size)) {
                *value = (*value + dot(row, &self.residual)).max(0.0);
            }
        }
        self.write_solution(solution);
        product_plus(matrix, solution, vector, &mut self.residual);
        self.residual.iter().zip(solution.iter()).map(|(w, z)| w.min(*z).abs()).fold(0.0, f64::max)
    }

    fn write_solution(&self, solution: &mut [f64]) {
        for (variable, &value) in self.basis.iter().zip(&self.values) {
            if let Variable::Z(i) = *variable {
                solution[i] = value;
            }
        }
    }
}

/// Returns the row with the lowest entry, the last of several: the lexicographic minimum of `[q, 1]`. `None` if none is
/// negative.
fn lexicographically_lowest(vector: &[f64]) -> Option<usize> {
    let lowest = vector.iter().copied().fold(0.0, f64::min);
    if lowest < 0.0 { vector.iter().rposition(|&entry| entry == lowest) } else { None }
}

/// Keeps the rows with the lowest ratio, up to its rounding.
fn keep_lowest(rows: &mut Vec<usize>, ratio: impl Fn(usize) -> (f64, f64)) {
    let highest = |(ratio, rounding): (f64, f64)| ratio + rounding;
    let bound = rows.iter().map(|&i| highest(ratio(i))).fold(f64::INFINITY, f64::min);
    rows.retain(|&i| {
        let (ratio, rounding) = ratio(i);
        ratio - rounding <= bound
    });
}

/// Multiplies matrix and vector; sums that are only rounding become zero, because their signs must not affect the path.
fn multiply_rounded(matrix: &[f64], row_scales: &[f64], vector: &[f64], out: &mut [f64]) {
    let scale = largest(vector);
    for ((entry, row), row_scale) in out.iter_mut().zip(matrix.chunks_exact(vector.len())).zip(row_scales) {
        *entry = without_rounding(dot(row, vector), scale * row_scale);
    }
}

/// The largest magnitude.
fn largest(entries: &[f64]) -> f64 {
    entries.iter().fold(0.0, |largest, entry| largest.max(entry.abs()))
}

/// Returns the number, or zero if it is negligible compared with its summands.
fn without_rounding(number: f64, made_of: f64) -> f64 {
    if number.abs() <= ROUNDING_TOLERANCE * made_of { 0.0 } else { number }
}

/// `out = M z + q`.
fn product_plus(matrix: &[f64], solution: &[f64], vector: &[f64], out: &mut [f64]) {
    for ((entry, row), q) in out.iter_mut().zip(matrix.chunks_exact(solution.len())).zip(vector) {
        *entry = dot(row, solution) + q;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
