//! The conditions that a block of rows imposes on its impulses `x` and its velocities `w`.

use super::residuals::{clip, tangent};

/// The law of a block of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// A contact with dry friction, three rows: normal, first tangent, second tangent. Signorini in the normal row (`0
    /// <= x_n`, `w_n >= 0`, `x_n w_n = 0`), Coulomb in the tangents (`|x_t| <= mu x_n`; inside the cone `w_t = 0`, on
    /// its edge `w_t` points against `x_t`). Restitution and position bias belong in `b`.
    Contact {
        /// Coefficient of friction `mu`. A negative value counts as 0.
        friction: f64,
    },
    /// One row, `w = 0`: joints, loops, pins.
    Bilateral,
    /// One row, `0 <= x`, `w >= 0`, `x w = 0`: joint limits.
    Unilateral,
    /// One row, `|x| <= limit`, `w = 0` inside, `w` against `x` at the limit: dry joint friction, motors of limited
    /// effort.
    Bounded {
        /// Maximum impulse, in N s or N m s. A negative value counts as 0.
        limit: f64,
    },
}

impl Law {
    /// Returns the number of rows of the block.
    #[must_use]
    pub const fn rows(&self) -> usize {
        match self {
            Self::Contact { .. } => 3,
            Self::Bilateral | Self::Unilateral | Self::Bounded { .. } => 1,
        }
    }

    /// Projects the impulses of the block that starts at `row` onto the set that the law allows: the cone, the
    /// half-line or the interval.
    pub(super) fn project(&self, row: usize, x: &mut [f64]) {
        match *self {
            Self::Bilateral => {}
            Self::Unilateral => x[row] = x[row].max(0.0),
            Self::Bounded { limit } => x[row] = x[row].max(-limit.max(0.0)).min(limit.max(0.0)),
            Self::Contact { .. } => {
                x[row] = x[row].max(0.0);
                let friction = clip(tangent(x, row), self.friction() * x[row]);
                (x[row + 1], x[row + 2]) = (friction.x, friction.y);
            }
        }
    }

    /// Returns the friction of a contact; 0 for other laws and for invalid numbers.
    pub(super) fn friction(&self) -> f64 {
        if let Self::Contact { friction } = self { friction.max(0.0) } else { 0.0 }
    }
}
