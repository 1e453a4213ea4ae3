//! Walking by steps (Granieri et al. 1995, sections 2.3 and 4.4).
//!
//! A figure stands on two feet. In a step one foot is planted and the other swings to its next place. The root of the
//! figure is the mean of the two feet, so a step from stride `l` to stride `l'` moves it by about `(l + l') / 2`. The
//! figure turns about the planted foot: the next place of the swinging foot is given by a heading, the stride ahead of
//! the planted foot and the width of the stance beside it.

use std::f64::consts::PI;

use glam::DVec2;

use super::plane::{direction, wrap_angle};

/// Distance of the feet across the heading, in m.
pub(super) const STANCE_WIDTH: f64 = 0.16;

/// Strides of a step: none (the feet are put side by side), short, medium and long, in m.
pub const STRIDES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];

/// Extra width of the stance in a side-step, in m.
pub(super) const SIDE_STEP: f64 = 0.2;

/// Turns that a step can make, in rad. The order breaks ties: straight on first, then right before left.
pub(super) const TURNS: [f64; 13] = [
    0.0,
    -PI / 24.0,
    PI / 24.0,
    -PI / 12.0,
    PI / 12.0,
    -PI / 6.0,
    PI / 6.0,
    -PI / 4.0,
    PI / 4.0,
    -PI / 3.0,
    PI / 3.0,
    -PI / 2.0,
    PI / 2.0,
];

/// Turns that can be made only on the spot, in rad.
pub(super) const PIVOTS: [f64; 4] = [-2.0 * PI / 3.0, 2.0 * PI / 3.0, -5.0 * PI / 6.0, 5.0 * PI / 6.0];

/// A foot on the floor.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Foot {
    /// Position, in m.
    pub position: DVec2,
    /// Direction of the toes, in rad from the x axis.
    pub heading: f64,
}

/// The feet of a figure, and the step that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gait {
    /// The left and the right foot. The place of the swinging foot is that at the end of the step.
    pub feet: [Foot; 2],
    /// The foot that swings in this step, 0 or 1.
    pub swing: usize,
    /// Place from which it swings.
    pub swing_from: Foot,
    /// Time since the beginning of the step, in s.
    pub elapsed: f64,
    /// Time in which the foot swings, in s; 0 if the figure stands.
    pub duration: f64,
    /// Time after which the next step is decided on, in s; at least the duration.
    pub until: f64,
}

/// The next place of the swinging foot, and where it takes the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub foot: Foot,
    /// The foot that swings, 0 or 1.
    pub swing: usize,
    /// Root at the end of the step, in m.
    pub root: DVec2,
    /// Root if the walker then puts its other foot beside this one, in m.
    pub stop: DVec2,
    /// Turn of the step, in rad.
    pub turn: f64,
    /// Index of the stride.
    pub stride: usize,
}

impl Gait {
    /// A figure that stands at a place (m) with a heading (rad).
    pub fn standing(position: DVec2, heading: f64) -> Self {
        let side = 0.5 * STANCE_WIDTH * direction(heading).perp();
        let foot = |sign: f64| Foot { position: position + sign * side, heading };
        Self { feet: [foot(1.0), foot(-1.0)], swing_from: foot(1.0), ..Self::default() }
    }

    /// Share of the swing that is done, from 0 to 1.
    pub fn phase(&self) -> f64 {
        if self.duration > 0.0 { (self.elapsed / self.duration).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Root at the end of the step, in m.
    pub fn root_to(&self) -> DVec2 {
        0.5 * (self.feet[0].position + self.feet[1].position)
    }

    /// Root at the beginning of the step, in m.
    pub fn root_from(&self) -> DVec2 {
        0.5 * (self.feet[1 - self.swing].position + self.swing_from.position)
    }

    /// Present position of the root, in m.
    pub fn root(&self) -> DVec2 {
        let phase = self.phase();
        if phase >= 1.0 { self.root_to() } else { self.root_from().lerp(self.root_to(), phase) }
    }

    /// Present velocity of the root, in m/s.
    pub fn velocity(&self) -> DVec2 {
        if self.elapsed < self.duration { (self.root_to() - self.root_from()) / self.duration } else { DVec2::ZERO }
    }

    /// Mean velocity of the root in this step, the pause after it included, in m/s.
    pub fn pace(&self) -> DVec2 {
        if self.duration > 0.0 {
            (self.root_to() - self.root_from()) / self.until.max(self.duration)
        } else {
            DVec2::ZERO
        }
    }

    /// Heading at the end of the step, in rad.
    pub fn heading_to(&self) -> f64 {
        self.feet[self.swing].heading
    }

    /// Present heading, in rad.
    pub fn heading(&self) -> f64 {
        let from = self.feet[1 - self.swing].heading;
        from + self.phase() * wrap_angle(self.heading_to() - from)
    }

    /// Present place of a foot, in m, and its height above the floor, in m.
    pub fn foot(&self, foot: usize) -> (Foot, f64) {
        let phase = self.phase();
        if foot != self.swing || phase >= 1.0 {
            return (self.feet[foot & 1], 0.0);
        }
        let (from, to) = (self.swing_from, self.feet[foot & 1]);
        // The foot starts and lands at rest.
        let share = phase * phase * (3.0 - 2.0 * phase);
        let position = from.position.lerp(to.position, share);
        let heading = from.heading + share * wrap_angle(to.heading - from.heading);
        let height = LIFT * libm::sin(PI * phase) * (from.position.distance(to.position) / 1.5).clamp(0.2, 1.0);
        (Foot { position, heading }, height)
    }

    /// The index of the stride of the stance that the last step led to.
    pub fn stride(&self) -> usize {
        let along =
            direction(self.heading_to()).dot(self.feet[self.swing].position - self.feet[1 - self.swing].position);
        let nearest =
            |a: &usize, b: &usize| (STRIDES[*a] - along.abs()).abs().total_cmp(&(STRIDES[*b] - along.abs()).abs());
        (0..STRIDES.len()).min_by(nearest).unwrap_or(0)
    }

    /// The step of a foot with a turn (rad), a stride, and a wider stance (m).
    pub(super) fn step(&self, swing: usize, turn: f64, stride: usize, wider: f64) -> Step {
        let planted = self.feet[1 - swing];
        let heading = wrap_angle(self.heading_to() + turn);
        let ahead = direction(heading);
        let side = if swing == 0 { 1.0 } else { -1.0 };
        let position = planted.position + STRIDES[stride] * ahead + side * (STANCE_WIDTH + wider) * ahead.perp();
        let foot = Foot { position, heading };
        // The other foot can always be put beside this one.
        let stop = position - side * 0.5 * STANCE_WIDTH * ahead.perp();
        Step { foot, swing, root: 0.5 * (planted.position + position), stop, turn, stride }
    }

    /// Begins a step that takes a time (s) and is `late` (s) already.
    pub(super) fn begin(&mut self, step: &Step, duration: f64, late: f64) {
        self.swing = step.swing;
        self.swing_from = self.feet[self.swing];
        self.feet[self.swing] = step.foot;
        self.duration = duration;
        self.until = duration;
        self.elapsed = late.min(duration);
    }

    /// Stands for a time (s) before the next decision.
    pub(super) fn stand(&mut self, time: f64) {
        self.swing_from = self.feet[self.swing];
        self.duration = 0.0;
        self.elapsed = 0.0;
        self.until = time;
    }
}

/// Height to which a foot is lifted in a long step, in m.
const LIFT: f64 = 0.12;
