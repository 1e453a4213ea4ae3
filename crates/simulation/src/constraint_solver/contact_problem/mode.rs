//! The mode of a block, given by the natural map (Alart and Curnier): with `y = x - w / g`, a contact is
//! open if `y_n <= 0`, sticks if `|y_t| <= mu y_n`, and else slides in the direction `d = y_t / |y_t|` of its friction.

use glam::DVec2;

use super::residuals::tangent;
use super::{Block, DenseProblem, Law};

/// Relative distance to the edge of the cone below which a contact of a warm start slides.
const CONE_EDGE_TOLERANCE: f64 = 1e-6;

/// Rotation of a sliding direction above which the matrix is factored again, in rad.
const MAX_TURN_WITH_SAME_FACTORS: f64 = 1e-2;

/// Mode of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Mode {
    /// All rows at rest.
    #[default]
    Stick,
    /// No impulse.
    Open,
    /// Impulse on the boundary of the cone.
    Slide,
    /// Impulse at the lower limit.
    Low,
    /// Impulse at the upper limit.
    High,
}

/// A mode and, for sliding, the direction and the weight of its rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BlockMode {
    pub(super) mode: Mode,
    pub(super) direction: DVec2,
    /// `mu x_n g / (mu x_n g + l)`: 1 for a slip that starts, 0 for friction that is small beside the slip.
    pub(super) turning: f64,
}

impl BlockMode {
    /// Returns whether it slides in a direction that differs from the one before by more than the tolerance.
    pub(super) fn has_turned(&self, before: &Self) -> bool {
        let turn = self.direction - before.direction;
        self.mode == Mode::Slide && turn.length_squared() > MAX_TURN_WITH_SAME_FACTORS * MAX_TURN_WITH_SAME_FACTORS
    }

    /// Sets the impulses of the block that the mode prescribes.
    pub(super) fn impose(&self, block: &Block, x: &mut [f64]) {
        let row = block.first_row;
        match (self.mode, block.law) {
            (Mode::Open, _) => x[block.rows()].fill(0.0),
            (Mode::Low, Law::Bounded { limit }) => x[row] = -limit.max(0.0),
            (Mode::High, Law::Bounded { limit }) => x[row] = limit.max(0.0),
            (Mode::Slide, _) => {
                x[row] = x[row].max(0.0);
                let friction = self.direction * (block.law.friction() * x[row]);
                (x[row + 1], x[row + 2]) = (friction.x, friction.y);
            }
            _ => {}
        }
    }
}

/// Returns the mode that the natural map gives.
pub(super) fn classify(problem: &DenseProblem, block: &Block, x: &[f64], w: &[f64]) -> BlockMode {
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
        Law::Contact { .. } if y > 0.0 => return classify_friction(problem, block, x, w, y / g),
        Law::Contact { .. } => Mode::Open,
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

/// Returns the mode of a block of a warm start from its impulse, not from its velocities, which belong to another time:
/// contacts that are about to close or stick are found in the next iteration. Only an approach faster than `fast` (m/s)
/// closes a contact.
pub(super) fn classify_warm(problem: &DenseProblem, block: &Block, x: &[f64], w: &[f64], fast: f64) -> BlockMode {
    let row = block.first_row;
    let from_map = classify(problem, block, x, w);
    let mode = match block.law {
        Law::Bilateral => Mode::Stick,
        Law::Contact { .. } | Law::Unilateral if x[row] <= 0.0 && w[row] > -fast => Mode::Open,
        Law::Contact { .. } | Law::Unilateral if x[row] <= 0.0 => return from_map,
        Law::Unilateral => Mode::Stick,
        Law::Bounded { limit } if x[row] >= limit => Mode::High,
        Law::Bounded { limit } if x[row] <= -limit => Mode::Low,
        Law::Bounded { .. } => Mode::Stick,
        Law::Contact { .. } => {
            let friction = tangent(x, row);
            let (length, radius) = (friction.length(), block.law.friction() * x[row]);
            if length < radius * (1.0 - CONE_EDGE_TOLERANCE) {
                Mode::Stick
            } else {
                let direction = if length > 0.0 { friction / length } else { from_map.direction };
                return BlockMode { mode: Mode::Slide, direction, turning: from_map.turning };
            }
        }
    };
    BlockMode { mode, ..BlockMode::default() }
}
