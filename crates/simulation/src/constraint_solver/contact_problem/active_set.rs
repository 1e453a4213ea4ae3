//! Semi-smooth Newton over contact modes, which is also the direct attempt 'all rows stick'.
//!
//! The natural map `y = x - w / g` sorts every block into a mode (Alart and Curnier): open if `y_n <= 0`; stick if `|y_t| <= mu y_n`;
//! else slide in the direction `d = y_t / |y_t|`. In given modes the laws are linear but for the turning of `d`:
//! - stick: `w = 0`, three unknowns;
//! - slide: `x = x_n (1, mu d) + s (0, d_perp)`, two unknowns; `w_n = 0` and, with the slip speed `l = -d . w_t`,
//!   `mu x_n d_perp . w_t + l s = 0` (the friction turns until it opposes the slip);
//! - open: no unknown; a bounded row at its limit: no unknown.
//!
//! The system is singular whenever `G` is. A tiny share of the diagonal is added, and the steps are repeated with the same factors
//! until the residual is gone (proximal point): the result is the solution nearest to the base point. When the modes change, the
//! iteration starts again from the base point, so that what a wrong choice of modes left in the null space does not stay.
//!
//! It does not always converge (modes can cycle); the caller goes on with Gauss-Seidel.

use glam::DVec2;

use super::factorization::Factorization;
use super::residuals::{block_defect, clip, nan_max, tangent};
use super::{Block, DenseProblem, Law, SolverSettings};

/// The share of the diagonal that is added.
const REGULARIZATION: f64 = 1e-10;
/// A turn of a sliding direction (radians) beyond which the matrix is factored again.
const SMALL_TURN: f64 = 1e-2;
/// Steps with unchanged modes before giving up.
const STEPS_PER_FACTORIZATION: u32 = 6;

/// What a block does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Mode {
    /// All rows at rest.
    #[default]
    Stick,
    /// No impulse.
    Open,
    /// On the edge of the cone.
    Slide,
    /// At the lower limit.
    Low,
    /// At the upper limit.
    High,
}

/// A mode and, for sliding, the direction and the weights of its turning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BlockMode {
    pub(super) mode: Mode,
    pub(super) direction: DVec2,
    /// `mu x_n g / (mu x_n g + l)`: 1 for a slip that starts, 0 for friction that is small beside the slip.
    pub(super) turning: f64,
}

/// One column of the reduced system.
#[derive(Clone, Copy, Debug)]
enum Unknown {
    /// The impulse of a row that is at rest.
    Row(usize),
    /// The normal impulse of a sliding contact, which brings its friction: the normal row and `mu d`.
    SlideNormal(usize, DVec2),
    /// The turning of the friction: the normal row, `d_perp`, the weight of the slip row, what is added to the diagonal.
    SlideTurn(usize, DVec2, f64, f64),
}

/// How the modes differ from those of the factors.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    Turned,
    Modes,
}

const LS: usize = 6;
/// How an attempt ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attempt {
    pub(super) converged: bool,
    pub(super) residual: f64,
    pub(super) factorizations: u32,
    /// Whether the accepted modes were those of the start.
    pub(super) modes_kept: bool,
}

/// The iteration and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    pub(super) modes: Vec<BlockMode>,
    base: Vec<f64>,
    unknowns: Vec<Unknown>,
    /// `G R`: the response of the rows to the unknowns.
    response: Vec<f64>,
    factorization: Factorization,
    step: Vec<f64>,
    target: Vec<f64>,
    origin: Vec<f64>,
    candidate: Vec<f64>,
    // What is added at regular intervals to tell cycling from progress.
    symmetric: bool,
}

impl ActiveSet {
    /// All rows at rest.
    pub(super) fn all_stick(&mut self, problem: &DenseProblem) {
        self.modes.clear();
        self.modes.resize(problem.blocks().len(), BlockMode::default());
    }

    /// The modes that `x` and `w` point to.
    pub(super) fn classify_all(&mut self, problem: &DenseProblem, x: &[f64], w: &[f64]) {
        self.modes.clear();
        self.modes.extend(problem.blocks().iter().map(|block| classify(problem, block, x, w)));
    }

    /// Whether every block is at rest.
    pub(super) fn is_all_stick(&self) -> bool {
        self.modes.iter().all(|mode| mode.mode == Mode::Stick)
    }

    /// Iterates from the present modes, with `x` as the base point; `x` and `w = G x + b` are the result.
    pub(super) fn run(
        &mut self,
        problem: &DenseProblem,
        settings: &SolverSettings,
        x: &mut Vec<f64>,
        w: &mut Vec<f64>,
    ) -> Attempt {
        let mut attempt = Attempt { modes_kept: true, residual: f64::INFINITY, ..Attempt::default() };
        self.base.clone_from(x);
        let tolerance = settings.tolerance * problem.velocity_scale();
        let mut target = std::mem::take(&mut self.target);
        let mut merit_before = f64::INFINITY;
        let mut change = Change::Modes;
        let mut steps = 0;
        loop {
            if change != Change::Nothing {
                if attempt.factorizations >= settings.factorizations {
                    break;
                }
                self.factor(problem);
                attempt.factorizations += 1;
                steps = 0;
            }
            target.clone_from(if change == Change::Modes { &self.base } else { x });
            self.impose(problem, &mut target);
            problem.response(&target, w);
            self.advance(problem, &mut target, w);
            steps += 1;
            merit_before = self.search(problem, &target, merit_before, x, w);
            change = self.reclassify(problem, x, w);
            attempt.modes_kept &= change != Change::Modes;
            let before = attempt.residual;
            attempt.residual = residual(problem, x, w);
            if attempt.residual <= tolerance {
                attempt.converged = true;
                break;
            }
            let stalled = !(attempt.residual < 0.5 * before);
            if change == Change::Nothing && (steps >= STEPS_PER_FACTORIZATION || stalled && steps > 1) {
                // No progress with these modes: at the limit of rounding, or without a solution.
                let slides = self.modes.iter().any(|mode| mode.mode == Mode::Slide);
                attempt.converged = at_rounding(problem, settings, x, w);
                if attempt.converged || !slides {
                    break;
                }
                change = Change::Turned;
            }
        }
        self.target = target;
        attempt
    }

    /// Moves `x` towards the target as far as the merit falls; returns the merit there.
    fn search(&mut self, problem: &DenseProblem, target: &[f64], before: f64, x: &mut Vec<f64>, w: &mut Vec<f64>) -> f64 {
        let mut best = f64::INFINITY;
        let mut share = 1.0;
        self.origin.clone_from(x);
        for _ in 0..LS {
            self.candidate.clear();
            self.candidate.extend(self.origin.iter().zip(target).map(|(x, t)| x + share * (t - x)));
            make_feasible(problem, &mut self.candidate);
            problem.response(&self.candidate, w);
            let merit = merit(problem, &self.candidate, w);
            if merit < best || best == f64::INFINITY {
                best = merit;
                x.clone_from(&self.candidate);
            }
            if merit < before * (1.0 - 0.1 * share) || before == f64::INFINITY {
                return merit;
            }
            share *= 0.4;
        }
        problem.response(x, w);
        best
    }

    /// Brings `x` onto what the modes prescribe exactly.
    fn impose(&self, problem: &DenseProblem, x: &mut [f64]) {
        for (block, mode) in problem.blocks().iter().zip(&self.modes) {
            let row = block.first_row;
            match (mode.mode, block.law) {
                (Mode::Open, _) => x[block.rows()].fill(0.0),
                (Mode::Low, Law::Bounded { limit }) => x[row] = -limit.max(0.0),
                (Mode::High, Law::Bounded { limit }) => x[row] = limit.max(0.0),
                (Mode::Slide, _) => {
                    x[row] = x[row].max(0.0);
                    let friction = mode.direction * (block.law.friction() * x[row]);
                    (x[row + 1], x[row + 2]) = (friction.x, friction.y);
                }
                _ => {}
            }
        }
    }

    fn reclassify(&mut self, problem: &DenseProblem, x: &[f64], w: &[f64]) -> Change {
        let mut change = Change::Nothing;
        for (block, mode) in problem.blocks().iter().zip(&mut self.modes) {
            let new = classify(problem, block, x, w);
            if new.mode != mode.mode {
                change = Change::Modes;
            } else if new.mode == Mode::Slide
                && change == Change::Nothing
                && (new.direction - mode.direction).length_squared() > SMALL_TURN * SMALL_TURN
            {
                change = Change::Turned;
            }
            *mode = new;
        }
        change
    }

    /// Builds and factors `L^T G R` for the present modes.
    fn factor(&mut self, problem: &DenseProblem) {
        self.collect_unknowns(problem);
        let (n, m) = (problem.size(), self.unknowns.len());
        if m == 0 {
            self.factorization.reset(0);
            return;
        }
        let matrix = self.factorization.reset(m);
        if self.symmetric {
            for (row, unknown) in matrix.chunks_exact_mut(m).zip(&self.unknowns) {
                let source = problem.row(unknown.row());
                for (entry, unknown) in row.iter_mut().zip(&self.unknowns) {
                    *entry = source[unknown.row()];
                }
            }
        } else {
            self.response.clear();
            self.response.resize(n * m, 0.0);
            for (row, source) in self.response.chunks_exact_mut(m).zip(problem.matrix().chunks_exact(n)) {
                for (entry, unknown) in row.iter_mut().zip(&self.unknowns) {
                    *entry = unknown.right(source);
                }
            }
            for (row, unknown) in matrix.chunks_exact_mut(m).zip(&self.unknowns) {
                unknown.left(&self.response, m, row);
            }
        }
        for (i, unknown) in self.unknowns.iter().enumerate() {
            matrix[i * (m + 1)] += REGULARIZATION * problem.diagonal(unknown.row()) + unknown.added();
        }
        if self.symmetric { self.factorization.factor_symmetric() } else { self.factorization.factor_general() }
    }

    fn collect_unknowns(&mut self, problem: &DenseProblem) {
        self.unknowns.clear();
        self.symmetric = true;
        for (block, mode) in problem.blocks().iter().zip(&self.modes) {
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

    /// One step with the present factors.
    fn advance(&mut self, problem: &DenseProblem, x: &mut [f64], w: &mut Vec<f64>) {
        self.step.clear();
        self.step.extend(self.unknowns.iter().map(|unknown| -unknown.velocity(w)));
        self.factorization.solve(&mut self.step);
        for (unknown, step) in self.unknowns.iter().zip(&self.step) {
            unknown.add(*step, x);
        }
        problem.response(x, w);
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

    /// The response of a row of `G` to the unknown.
    fn right(&self, source: &[f64]) -> f64 {
        match *self {
            Self::Row(row) => source[row],
            Self::SlideNormal(row, friction) => source[row] + friction.dot(tangent(source, row)),
            Self::SlideTurn(row, perpendicular, ..) => perpendicular.dot(tangent(source, row)),
        }
    }

    /// The equation of the unknown, from the responses of the rows.
    fn left(&self, response: &[f64], columns: usize, equation: &mut [f64]) {
        let source = |row: usize| &response[row * columns..(row + 1) * columns];
        match *self {
            Self::Row(row) | Self::SlideNormal(row, _) => equation.copy_from_slice(source(row)),
            Self::SlideTurn(row, perpendicular, weight, _) => {
                let direction = perpendicular * weight;
                for ((entry, y), z) in equation.iter_mut().zip(source(row + 1)).zip(source(row + 2)) {
                    *entry = direction.x * y + direction.y * z;
                }
            }
        }
    }

    /// The velocity that the equation of the unknown wants to be zero.
    fn velocity(&self, w: &[f64]) -> f64 {
        match *self {
            Self::Row(row) | Self::SlideNormal(row, _) => w[row],
            Self::SlideTurn(row, perpendicular, weight, _) => perpendicular.dot(tangent(w, row)) * weight,
        }
    }

    /// Adds so much of the unknown to the impulses.
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

/// The mode that the natural map gives.
fn classify(problem: &DenseProblem, block: &Block, x: &[f64], w: &[f64]) -> BlockMode {
    let row = block.first_row;
    let g = problem.diagonal(row);
    // The natural map times g, a velocity.
    let y = g * x[row] - w[row];
    let mode = match block.law {
        Law::Bilateral => Mode::Stick,
        Law::Unilateral => [Mode::Open, Mode::Stick][usize::from(y > 0.0)],
        Law::Bounded { limit } if y > g * limit => Mode::High,
        Law::Bounded { limit } if y < -g * limit => Mode::Low,
        Law::Bounded { .. } => Mode::Stick,
        Law::Contact { .. } if !(y > 0.0) => Mode::Open,
        Law::Contact { .. } => return classify_friction(problem, block, x, w, y / g),
    };
    BlockMode { mode, ..BlockMode::default() }
}

fn classify_friction(problem: &DenseProblem, block: &Block, x: &[f64], w: &[f64], y_n: f64) -> BlockMode {
    let row = block.first_row;
    let g = problem.tangent_diagonal(row);
    let y_t = tangent(x, row) * g - tangent(w, row);
    let radius = block.law.friction() * y_n * g;
    let length = y_t.length();
    if length <= radius && radius > 0.0 {
        return BlockMode { mode: Mode::Stick, ..BlockMode::default() };
    }
    let direction = if length > 0.0 { y_t / length } else { DVec2::X };
    BlockMode { mode: Mode::Slide, direction, turning: (radius / length).clamp(0.0, 1.0) }
}

/// The sum of the squared defects over the diagonal entries.
fn merit(problem: &DenseProblem, x: &[f64], w: &[f64]) -> f64 {
    let terms = problem.blocks().iter().map(|block| {
        let defect = block_defect(problem, block, x, w);
        defect * defect / problem.diagonal(block.first_row)
    });
    terms.sum()
}

/// The largest defect (m/s).
pub(super) fn residual(problem: &DenseProblem, x: &[f64], w: &[f64]) -> f64 {
    problem.blocks().iter().fold(0.0, |largest, block| nan_max(largest, block_defect(problem, block, x, w)))
}

/// Whether every block is as good as rounding in `G x` allows, or as the tolerance asks.
pub(super) fn at_rounding(problem: &DenseProblem, settings: &SolverSettings, x: &[f64], w: &[f64]) -> bool {
    // |G_ij| <= sqrt(G_ii G_jj), so that sqrt(G_ii) times this sum bounds what is added up in row i.
    let size: f64 = x.iter().enumerate().map(|(row, x)| x.abs() * problem.diagonal(row).max(0.0).sqrt()).sum();
    let tolerance = settings.tolerance * problem.velocity_scale();
    problem.blocks().iter().all(|block| {
        let diagonal = block.rows().fold(0.0, |largest: f64, row| largest.max(problem.diagonal(row)));
        block_defect(problem, block, x, w) <= tolerance + 16.0 * f64::EPSILON * diagonal.sqrt() * size
    })
}

/// Brings the impulses of a block exactly into its set: the cone, the half-line, the limits.
pub(super) fn make_feasible(problem: &DenseProblem, x: &mut [f64]) {
    for block in problem.blocks() {
        let row = block.first_row;
        match block.law {
            Law::Bilateral => {}
            Law::Unilateral => x[row] = x[row].max(0.0),
            Law::Bounded { limit } => x[row] = x[row].max(-limit.max(0.0)).min(limit.max(0.0)),
            Law::Contact { .. } => {
                x[row] = x[row].max(0.0);
                let friction = clip(tangent(x, row), block.law.friction() * x[row]);
                (x[row + 1], x[row + 2]) = (friction.x, friction.y);
            }
        }
    }
}
