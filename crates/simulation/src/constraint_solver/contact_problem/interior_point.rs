//! A primal-dual interior-point iteration: slow but robust. It finds the modes where Newton alone cycles, at any mass
//! ratio and with any redundancy; Newton then finds the exact solution.
//!
//! With `x^ = (mu x_n, x_t)` and `u = (w_n / mu + |w_t|, w_t)` Coulomb and Signorini together say that `x^` and `u` lie
//! in the Lorentz cone `L = {|z_t| <= z_0}` and are orthogonal (De Saxce's form; `|w_t|` prevents a sliding
//! contact from lifting). The iteration keeps both inside and reduces `x^ . u` to 0 in every block: with the
//! Nesterov-Todd scaling `P x^ = u` a step is
//!
//! ```text
//! (G^ + P) dx = t x^-1 - (G^ x + b^ + |w_t|),    du = t x^-1 - u - P dx,
//! ```
//!
//! where `t` is the target of `x^ . u` in every block and the change of `|w_t|` with `u` is added to the normal
//! equations. `P` makes the system regular even where `G` is singular. A row between bounds is the same in one
//! dimension.
//!
//! The problem is not convex, so convergence is not guaranteed. If steps become too short, the iteration is recentred.

use glam::{DMat3, DVec2, DVec3};

use super::dense_problem::dot;
use super::factorization::Factorization;
use super::{DenseProblem, Law};

/// Friction below which a contact is treated as frictionless here. Newton uses the exact value afterwards.
const MIN_FRICTION: f64 = 1e-6;
/// Number of consecutive steps shorter than `SHORT_STEP` after which the iteration is recentred.
const MAX_SHORT_STEPS: u32 = 4;
/// Share of the full step below which a step is short.
const SHORT_STEP: f64 = 0.1;
/// Factor of the orthogonality `x^ . u` when the iteration is recentred.
const RECENTRE_FACTOR: f64 = 100.0;
/// Factor of the orthogonality after a short step.
const SHORT_STEP_FACTOR: f64 = 3.0;
/// Maximum share of the distance to the boundary that a step covers.
const BOUNDARY_FRACTION: f64 = 0.98;

/// The set of allowed impulses of a block, with the iterates.
#[derive(Clone, Copy, Debug)]
enum Cone {
    /// First row, friction, the impulse `x^` and its dual `u`, the scaling `P`.
    Lorentz { row: usize, friction: f64, x: DVec3, u: DVec3, p: DMat3 },
    /// A unilateral row: impulse and dual.
    Half { row: usize, x: f64, u: f64 },
    /// A row between bounds: impulse, limit, multipliers of the upper and the lower bound.
    Interval { row: usize, x: f64, limit: f64, upper: f64, lower: f64 },
    /// A row without bounds.
    Free { row: usize, x: f64 },
    /// A row whose impulse is zero.
    Nothing { row: usize },
}

/// The iteration and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct InteriorPoint {
    cones: Vec<Cone>,
    /// Factor from `x^` to `x` of each row: `1 / mu` for the normal of a contact.
    scale: Vec<f64>,
    matrix: Vec<f64>,
    factorization: Factorization,
    /// `G^ x + b^ + s`.
    gradient: Vec<f64>,
    step: Vec<f64>,
    /// Orthogonality at the start, an energy in J.
    start: f64,
    last_share: f64,
    short_steps: u32,
}

impl InteriorPoint {
    /// Starts on the axes of all cones. The initial orthogonality is `start` times the largest energy `b^2 / g`.
    pub(super) fn prepare(&mut self, problem: &DenseProblem, start: f64) {
        let n = problem.size();
        let energy = (0..n).fold(0.0_f64, |largest, row| {
            let b = problem.velocities()[row];
            largest.max(b * b / problem.diagonal(row).max(f64::MIN_POSITIVE))
        });
        self.start = start * energy.min(1e290);
        self.last_share = 1.0;
        self.short_steps = 0;
        self.cones.clear();
        self.scale.clear();
        self.scale.resize(n, 1.0);
        for block in problem.blocks() {
            self.push(problem, block.first_row, block.law);
        }
        self.matrix.clear();
        for (row, scale) in problem.matrix().chunks_exact(n.max(1)).zip(&self.scale) {
            self.matrix.extend(row.iter().zip(&self.scale).map(|(entry, other)| entry * scale * other));
        }
    }

    fn push(&mut self, problem: &DenseProblem, row: usize, law: Law) {
        let g = problem.diagonal(row);
        let (x, u) = ((self.start / g).sqrt(), (self.start * g).sqrt());
        if g.is_nan() || g <= 0.0 {
            self.cones.extend((row..row + law.rows()).map(|row| Cone::Nothing { row }));
            return;
        }
        match law {
            Law::Contact { friction } if friction > MIN_FRICTION => {
                self.scale[row] = 1.0 / friction;
                let (x, u) = (DVec3::X * x * friction, DVec3::X * u / friction);
                self.cones.push(Cone::Lorentz { row, friction, x, u, p: DMat3::IDENTITY });
            }
            Law::Contact { .. } => {
                self.cones.push(Cone::Half { row, x, u });
                self.cones.extend([Cone::Nothing { row: row + 1 }, Cone::Nothing { row: row + 2 }]);
            }
            Law::Unilateral => self.cones.push(Cone::Half { row, x, u }),
            Law::Bilateral => self.cones.push(Cone::Free { row, x: 0.0 }),
            Law::Bounded { limit } if limit > 0.0 => {
                let multiplier = self.start / limit;
                self.cones.push(Cone::Interval { row, x: 0.0, limit, upper: multiplier, lower: multiplier });
            }
            Law::Bounded { .. } => self.cones.push(Cone::Nothing { row }),
        }
    }

    /// Writes the current impulses `x`.
    pub(super) fn impulses(&self, x: &mut [f64]) {
        for cone in &self.cones {
            match *cone {
                Cone::Lorentz { row, friction, x: scaled, .. } => {
                    DVec3::new(scaled.x / friction, scaled.y, scaled.z).write_to_slice(&mut x[row..row + 3]);
                }
                Cone::Half { row, x: value, .. }
                | Cone::Interval { row, x: value, .. }
                | Cone::Free { row, x: value } => x[row] = value,
                Cone::Nothing { row } => x[row] = 0.0,
            }
        }
    }

    /// Returns the current orthogonality relative to that at the start.
    pub(super) fn progress(&self) -> f64 {
        self.orthogonality() / self.start
    }

    fn orthogonality(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0_f64);
        for cone in &self.cones {
            match *cone {
                Cone::Lorentz { x, u, .. } => {
                    sum += x.dot(u);
                    count += 1.0;
                }
                Cone::Half { x, u, .. } => {
                    sum += x * u;
                    count += 1.0;
                }
                Cone::Interval { x, limit, upper, lower, .. } => {
                    sum += (limit - x) * upper + (limit + x) * lower;
                    count += 2.0;
                }
                Cone::Free { .. } | Cone::Nothing { .. } => {}
            }
        }
        sum / count.max(1.0)
    }

    /// Makes a predictor and a corrector step with the same factors. Returns the share of the step that was taken.
    pub(super) fn advance(&mut self, problem: &DenseProblem) -> f64 {
        self.factor(problem);
        self.evaluate_gradient(problem);
        let target = self.orthogonality();
        self.solve(0.0);
        let predictor = self.longest_step(0.0);
        let rest = 1.0 - predictor;
        let centring =
            if self.last_share < 2.0 * SHORT_STEP { SHORT_STEP_FACTOR } else { (rest * rest * rest).clamp(1e-6, 0.8) };
        let centring = centring * target;
        self.solve(centring);
        let share = (BOUNDARY_FRACTION * self.longest_step(centring)).min(1.0);
        self.apply(centring, share);
        self.last_share = share;
        self.short_steps = if share < SHORT_STEP { self.short_steps + 1 } else { 0 };
        if self.short_steps >= MAX_SHORT_STEPS {
            self.short_steps = 0;
            self.last_share = 1.0;
            self.recentre(problem.size());
        }
        share
    }

    /// Moves away from the boundaries onto the central path, after steps have become too short.
    fn recentre(&mut self, n: usize) {
        let target = RECENTRE_FACTOR * self.orthogonality();
        for cone in &mut self.cones {
            match cone {
                Cone::Lorentz { row, x, u, .. } => {
                    x.x += (target / self.matrix[*row * (n + 1)]).sqrt();
                    *u = inverse(*x) * target;
                }
                Cone::Half { row, x, u } => {
                    *x += (target / self.matrix[*row * (n + 1)]).sqrt();
                    *u = target / *x;
                }
                Cone::Interval { x, limit, upper, lower, .. } => {
                    *x *= 0.9;
                    *upper = target / (*limit - *x);
                    *lower = target / (*limit + *x);
                }
                Cone::Free { .. } | Cone::Nothing { .. } => {}
            }
        }
    }

    fn factor(&mut self, problem: &DenseProblem) {
        let n = problem.size();
        let factorization = &mut self.factorization;
        factorization.reset(n);
        for (row, source) in factorization.rows_mut().zip(self.matrix.chunks_exact(n.max(1))) {
            row.copy_from_slice(source);
        }
        for cone in &mut self.cones {
            match cone {
                Cone::Lorentz { row, x, u, p, .. } => {
                    *p = scaling(*x, *u);
                    // The slip speed |u_t| changes with u = .. - P x.
                    let slip = slip_direction(*u);
                    let normal = p.x_axis - p.y_axis * slip.x - p.z_axis * slip.y;
                    for (i, column) in [normal, p.y_axis, p.z_axis].into_iter().enumerate() {
                        for j in 0..3 {
                            factorization.row_mut(*row + i)[*row + j] += column[j];
                        }
                    }
                }
                Cone::Half { row, x, u } => factorization.row_mut(*row)[*row] += *u / *x,
                Cone::Interval { row, x, limit, upper, lower } => {
                    factorization.row_mut(*row)[*row] += *upper / (*limit - *x) + *lower / (*limit + *x);
                }
                Cone::Free { row, .. } => factorization.row_mut(*row)[*row] *= 1.0 + 1e-10,
                Cone::Nothing { row } => {
                    factorization.row_mut(*row).fill(0.0);
                    factorization.rows_mut().for_each(|entries| entries[*row] = 0.0);
                }
            }
        }
        self.factorization.factor_general();
    }

    fn evaluate_gradient(&mut self, problem: &DenseProblem) {
        let n = problem.size();
        // The scaled impulses, in the buffer of the step.
        self.step.clear();
        self.step.resize(n, 0.0);
        for cone in &self.cones {
            match *cone {
                Cone::Lorentz { row, x, .. } => x.write_to_slice(&mut self.step[row..row + 3]),
                Cone::Half { row, x, .. } | Cone::Interval { row, x, .. } | Cone::Free { row, x } => self.step[row] = x,
                Cone::Nothing { .. } => {}
            }
        }
        self.gradient.clear();
        let rows = self.matrix.chunks_exact(n.max(1)).zip(problem.velocities()).zip(&self.scale);
        let step = &self.step;
        self.gradient.extend(rows.map(|((row, b), scale)| dot(row, step) + b * scale));
        for cone in &self.cones {
            if let Cone::Lorentz { row, u, .. } = *cone {
                self.gradient[row] += (u.y * u.y + u.z * u.z).sqrt();
            }
        }
    }

    /// Computes the step `dx` towards the orthogonality `target`.
    fn solve(&mut self, target: f64) {
        self.step.clear();
        self.step.extend(self.gradient.iter().map(|gradient| -gradient));
        for cone in &self.cones {
            match *cone {
                Cone::Lorentz { row, x, u, .. } => {
                    let mut push = inverse(x) * target;
                    let slip = slip_direction(u);
                    push.x -= slip.x * (push.y - u.y) + slip.y * (push.z - u.z);
                    for i in 0..3 {
                        self.step[row + i] += push[i];
                    }
                }
                Cone::Half { row, x, .. } => self.step[row] += target / x,
                Cone::Interval { row, x, limit, .. } => self.step[row] += target / (limit + x) - target / (limit - x),
                Cone::Free { .. } => {}
                Cone::Nothing { row } => self.step[row] = 0.0,
            }
        }
        self.factorization.solve(&mut self.step);
    }

    /// Returns the largest share of the step that stays inside, at most 1 / BOUNDARY_FRACTION.
    fn longest_step(&self, target: f64) -> f64 {
        let mut share = 1.0 / BOUNDARY_FRACTION;
        for cone in &self.cones {
            match *cone {
                Cone::Lorentz { row, x, u, ref p, .. } => {
                    let dx = DVec3::from_slice(&self.step[row..row + 3]);
                    let du = inverse(x) * target - u - *p * dx;
                    share = share.min(to_edge(x, dx)).min(to_edge(u, du));
                }
                Cone::Half { row, x, u } => {
                    let dx = self.step[row];
                    share = share.min(to_zero(x, dx)).min(to_zero(u, (target - u * dx) / x - u));
                }
                Cone::Interval { row, x, limit, upper, lower } => {
                    let dx = self.step[row];
                    share = share.min(to_zero(limit - x, -dx)).min(to_zero(limit + x, dx));
                    share = share.min(to_zero(upper, (target + upper * dx) / (limit - x) - upper));
                    share = share.min(to_zero(lower, (target - lower * dx) / (limit + x) - lower));
                }
                Cone::Free { .. } | Cone::Nothing { .. } => {}
            }
        }
        share
    }

    fn apply(&mut self, target: f64, share: f64) {
        for cone in &mut self.cones {
            match cone {
                Cone::Lorentz { row, x, u, p, .. } => {
                    let dx = DVec3::from_slice(&self.step[*row..*row + 3]);
                    let du = inverse(*x) * target - *u - *p * dx;
                    *x += dx * share;
                    *u += du * share;
                }
                Cone::Half { row, x, u } => {
                    let dx = self.step[*row];
                    *u += ((target - *u * dx) / *x - *u) * share;
                    *x += dx * share;
                }
                Cone::Interval { row, x, limit, upper, lower } => {
                    let dx = self.step[*row];
                    *upper += ((target + *upper * dx) / (*limit - *x) - *upper) * share;
                    *lower += ((target - *lower * dx) / (*limit + *x) - *lower) * share;
                    *x += dx * share;
                }
                Cone::Free { row, x } => *x += self.step[*row] * share,
                Cone::Nothing { .. } => {}
            }
        }
    }
}

/// Returns `z_0^2 - |z_t|^2`, without cancellation.
fn determinant(z: DVec3) -> f64 {
    let tangent = (z.y * z.y + z.z * z.z).sqrt();
    (z.x - tangent) * (z.x + tangent)
}

fn slip_direction(u: DVec3) -> DVec2 {
    DVec2::new(u.y, u.z).normalize_or_zero()
}

/// Returns the inverse in the algebra of the cone.
fn inverse(z: DVec3) -> DVec3 {
    DVec3::new(z.x, -z.y, -z.z) / determinant(z)
}

/// Returns the Nesterov-Todd scaling: symmetric, positive definite, `P x = u`.
fn scaling(x: DVec3, u: DVec3) -> DMat3 {
    let (det_x, det_u) = (determinant(x), determinant(u));
    let (x, u) = (x / det_x.sqrt(), u / det_u.sqrt());
    let gamma = (0.5 * (1.0 + x.dot(u))).sqrt();
    let w = (u + DVec3::new(x.x, -x.y, -x.z)) / (2.0 * gamma);
    let outer = DMat3::from_cols(w * (2.0 * w.x), w * (2.0 * w.y), w * (2.0 * w.z));
    (outer - DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0))) * (det_u / det_x).sqrt()
}

/// Returns the share of `dz` that leads from `z` to the boundary of the cone.
fn to_edge(z: DVec3, dz: DVec3) -> f64 {
    // |z_t + a dz_t|^2 = (z_0 + a dz_0)^2: the smallest positive root.
    let a = dz.x * dz.x - dz.y * dz.y - dz.z * dz.z;
    let b = z.x * dz.x - z.y * dz.y - z.z * dz.z;
    let c = determinant(z);
    let discriminant = b * b - a * c;
    let apex = to_zero(z.x, dz.x);
    if discriminant < 0.0 {
        return apex;
    }
    let root = discriminant.sqrt();
    let edge = if b <= 0.0 { c / (root - b) } else { -(b + root) / a };
    if edge > 0.0 { edge.min(apex) } else { apex }
}

/// Returns the share of `dz` that leads from `z > 0` to 0.
fn to_zero(z: f64, dz: f64) -> f64 {
    if dz < 0.0 { -z / dz } else { f64::INFINITY }
}
