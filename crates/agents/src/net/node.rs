//! The nodes of a behaviour net.
//!
//! Attract and avoid are proportional servos (Granieri et al. 1995, section 2.2). With the distance d and the angle a
//! of
//! what is perceived, thresholds t and weights k, they emit
//!
//! ```text
//!   attract:  angle    k_a (a - t_a) for a > t_a, k_a (a + t_a) for a < -t_a, else 0
//!             distance k_d (d - t_d) for d > t_d, else 0
//!   avoid:    angle    k_a (a - pi) for a >= 0, k_a (a + pi) for a < 0, if d <= t_d; else 0
//!             distance k_d (d - t_d) for d <= t_d, else 0
//! ```
//!
//! so that a positive angle turns to the left and a negative distance backs off. The source has the opposite sign of
//! the
//! angle of avoidance, which would turn towards the obstacle.

use std::f64::consts::PI;

use glam::DVec2;

use crate::crowd::Region;

/// A distance (m) and an angle (rad), or the changes of both that a control node asks for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Output {
    /// Distance, in m. What is not perceived is infinitely far.
    pub distance: f64,
    /// Angle from the heading, positive to the left, in rad.
    pub angle: f64,
}

/// How many things become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Averaging {
    /// The nearest one.
    #[default]
    Nearest,
    /// The mean of all, weighted by nearness.
    Mean,
}

/// What a perceptual node perceives.
#[derive(Debug, Clone, PartialEq)]
pub enum Sensor {
    /// A body, wherever it is: its index among the objects of the surroundings.
    Object(usize),
    /// A fixed point, in m.
    Location(DVec2),
    /// Other walkers or moving things in a sector ahead.
    Proximity {
        /// Radius of the sector, in m.
        distance: f64,
        /// Largest angle from the heading, in rad.
        angle: f64,
        /// How they become one.
        averaging: Averaging,
    },
    /// A segment, in m: its nearest point.
    Line(DVec2, DVec2),
    /// Regions that are bad to walk on: the nearest point of the nearest one.
    Terrain(Vec<Region>),
    /// The fields of view of other walkers. The distance is the sum of the inverse distances of those that see this
    /// one, in 1/m, and the angle is that to the nearest of them.
    FieldOfView {
        /// Distance up to which others see, in m.
        distance: f64,
        /// Largest angle from their heading, in rad.
        angle: f64,
    },
}

/// A control node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Control {
    /// Whether it avoids what it perceives; otherwise it is attracted.
    pub avoid: bool,
    /// Distance threshold, in m.
    pub distance: f64,
    /// Angle threshold of attraction, in rad.
    pub angle: f64,
    /// Weight of the distance.
    pub distance_weight: f64,
    /// Weight of the angle, in m/rad.
    pub angle_weight: f64,
}

impl Control {
    /// Returns the changes that the node asks for.
    pub fn emit(&self, input: Output) -> Output {
        let Output { distance: d, angle: a } = input;
        if !d.is_finite() {
            return Output::default();
        }
        let is_near = d <= self.distance;
        if self.avoid {
            let turn = if a >= 0.0 { a - PI } else { a + PI };
            return match is_near {
                true => {
                    Output { distance: self.distance_weight * (d - self.distance), angle: self.angle_weight * turn }
                }
                false => Output::default(),
            };
        }
        let beyond = a.abs() - self.angle;
        let angle = if beyond > 0.0 { self.angle_weight * beyond * a.signum() } else { 0.0 };
        let distance = if is_near { 0.0 } else { self.distance_weight * (d - self.distance) };
        Output { distance, angle }
    }

    /// Returns the energy of an input: the size of the changes that the node asks for.
    pub fn energy(&self, input: Output) -> f64 {
        let asked = self.emit(input);
        asked.distance.abs() + asked.angle.abs()
    }
}

/// What a node does.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// It perceives.
    Perceptual(Sensor),
    /// It asks for changes that reduce what is wrong with its input.
    Control(Control),
    /// It chooses the next step.
    Walk,
}

impl NodeKind {
    /// The name of the kind, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Perceptual(_) => "perceptual",
            Self::Control(_) => "control",
            Self::Walk => "motor",
        }
    }
}

/// A node of a net.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it does.
    pub kind: NodeKind,
}
