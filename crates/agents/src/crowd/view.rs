//! What a walker knows when it decides, and the energies of the steps that it considers.
//!
//! The energy of a step is a length of way:
//!
//! ```text
//!   E = (u(place) + u(ahead)) / 2 + k_t turn^2 + walls + sum over others of (crowding + meetings)
//! ```
//!
//! with u the length of the way to the goal from the next place and from a point a little ahead of it.
//!
//! The test whether a step touches anybody is exact: a step moves the root on a straight line at constant speed, and so
//! do the steps that others are making, so the least distance of two walkers has a closed form.

use glam::DVec2;

use super::field::{FloorField, Region};
use super::floor::{Floor, Obstacle};
use super::gait::Step;
use super::pace::FREE_SPEED;
use super::plane::{closest_approach, direction, time_to_reach};
use super::settings::CrowdSettings;

/// Tolerance of distances, in m.
const TOLERANCE: f64 = 1e-9;
/// Factor by which a way may be shorter than it can be, by the errors of floor fields.
const WAY_SLACK: f64 = 1.2;
/// Distance that others keep besides their radii in an encounter, in m.
const MEETING_MARGIN: f64 = 0.1;
/// Weights of an encounter for the walker that has the right of way, and for the other one.
const RIGHT_OF_WAY: [f64; 2] = [0.5, 1.5];
/// Time for which moving obstacles are foreseen besides the time of the step, in s.
const MOVER_TIME: f64 = 0.6;

/// Where walkers want to go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// A region, on the shortest way round the obstacles.
    Region(Region),
    /// A point (m), straight ahead.
    Point(DVec2),
    /// On and on in the direction of a unit vector.
    Direction(DVec2),
    /// Nowhere: only a behaviour net decides.
    Free,
}

/// Something that moves and that walkers keep out of the way of: a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mover {
    /// Centre, in m.
    pub position: DVec2,
    /// Velocity, in m/s.
    pub velocity: DVec2,
    /// Radius, in m.
    pub radius: f64,
}

/// Another walker nearby.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Position relative to the walker that decides, in m.
    pub offset: DVec2,
    /// Velocity, in m/s.
    pub velocity: DVec2,
    /// Mean velocity in its present step, the pause after it included, in m/s.
    pub pace: DVec2,
    /// Time for which it keeps its velocity, in s. Then it stands.
    pub remaining: f64,
    /// Whether it has the right of way.
    pub first: bool,
}

/// What a walker knows when it decides.
pub(super) struct View<'a> {
    pub settings: &'a CrowdSettings,
    pub floor: &'a Floor,
    pub goal: Goal,
    pub field: Option<&'a FloorField>,
    pub gates_open: &'a [bool],
    pub movers: &'a [Mover],
    pub near: &'a [Near],
    /// Share of the surroundings that can be walked on.
    pub open_share: f64,
    /// Radius of the room that the walker takes at present, in m.
    pub radius: f64,
}

impl View<'_> {
    /// Length of the way to the goal from a point, in m.
    pub fn way(&self, point: DVec2) -> Option<f64> {
        match self.goal {
            Goal::Point(goal) => Some(point.distance(goal)),
            Goal::Direction(direction) => Some(-point.dot(direction)),
            Goal::Free => Some(0.0),
            Goal::Region(_) => self.field.and_then(|field| field.length(point)),
        }
    }

    /// Mean length of the way, in m, from a place and from a point ahead of it; nothing if the place has no way.
    pub fn way_energy(&self, place: DVec2, heading: f64) -> Option<f64> {
        let distance = self.settings.look_ahead;
        let here = self.way(place)?;
        // The way cannot get shorter by more than the distance: then a wall is between.
        let is_open = |ahead: &f64| *ahead >= here - WAY_SLACK * distance;
        let ahead = self.way(place + distance * direction(heading)).filter(is_open).unwrap_or(here + distance);
        Some(0.5 * (here + ahead))
    }

    /// Energy of a step without others, in m; nothing if it leads to a place without a way.
    pub fn place_energy(&self, step: &Step) -> Option<f64> {
        let settings = self.settings;
        let way = self.way_energy(step.root, step.foot.heading)?;
        let gap = self.floor.clearance(step.root) - settings.radius;
        let nearness = (1.0 - gap / settings.wall_distance.max(TOLERANCE)).clamp(0.0, 1.0);
        Some(way + settings.turning * step.turn * step.turn + settings.wall_avoidance * nearness * nearness)
    }

    /// Energy of being near others, in m, after a shift (m) that takes a time (s).
    pub fn crowding(&self, shift: DVec2, time: f64) -> f64 {
        let settings = self.settings;
        let energy = |near: &Near| {
            let offset = near.offset + near.velocity * near.remaining.min(time) - shift;
            let gap = offset.length() - 2.0 * settings.radius;
            let nearness = (1.0 - gap / settings.personal_distance.max(TOLERANCE)).max(0.0);
            settings.personal_avoidance * nearness * nearness
        };
        self.near.iter().map(energy).sum()
    }

    /// Energy of the encounters, in m, that follow if a walker continues with a velocity (m/s) after a shift (m) that
    /// takes a time (s).
    pub fn meetings(&self, shift: DVec2, velocity: DVec2, time: f64) -> f64 {
        let settings = self.settings;
        let distance = 2.0 * settings.radius + MEETING_MARGIN;
        let energy = |near: &Near| {
            let relative = near.velocity - velocity;
            let offset = near.offset + near.velocity * time - shift;
            let Some(time) = time_to_reach(offset, relative, distance) else { return 0.0 };
            let urgency = (relative.length() / FREE_SPEED).min(1.0);
            RIGHT_OF_WAY[usize::from(near.first)] * urgency * libm::exp(-time / settings.meeting_time)
        };
        settings.meeting_avoidance * self.near.iter().map(energy).sum::<f64>()
    }

    /// Returns whether a step touches nothing: walls, other walkers and things that move. Where a body touches
    /// something already, the step must not take it nearer.
    pub fn is_clear(&self, root: DVec2, step: &Step, duration: f64, late: f64) -> bool {
        let (radius, shift) = (self.radius, step.root - root);
        let allowed = radius.min(self.floor.clearance(root)) - TOLERANCE;
        let walls =
            self.floor.segment_clearance(root, step.root).min(self.floor.segment_clearance(step.root, step.stop));
        if walls < allowed {
            return false;
        }
        let velocity = shift / duration;
        let (begun, left) = (velocity * late.min(duration), (duration - late).max(0.0));
        let touches = |near: &Near| {
            let allowed = (2.0 * radius).min(near.offset.length()) - TOLERANCE;
            let start = near.offset - begun;
            let both = left.min(near.remaining);
            if closest_approach(start, near.velocity - velocity, both) < allowed {
                return true;
            }
            // Then one of the two stands.
            let later = start + (near.velocity - velocity) * both;
            let alone = if left > near.remaining { -velocity } else { near.velocity };
            closest_approach(later, alone, (left - near.remaining).abs()) < allowed
        };
        let is_hit = |mover: &Mover| {
            let offset = mover.position - root;
            let allowed = (radius + mover.radius).min(offset.length()) - TOLERANCE;
            // It may go on as it does, or stop.
            closest_approach(offset - begun, mover.velocity - velocity, left) < allowed
                || closest_approach(offset - begun, -velocity, left) < allowed
                || closest_approach(offset - shift + mover.velocity * left, mover.velocity, MOVER_TIME) < allowed
        };
        !self.near.iter().any(touches) && !self.movers.iter().any(is_hit)
    }

    /// Returns whether a step enters a closed gate from outside.
    pub fn enters_gate(&self, from: DVec2, to: DVec2) -> bool {
        let closed = self.floor.gates().iter().zip(self.gates_open).filter(|(_, open)| !**open);
        closed.into_iter().any(|(gate, _)| {
            let rectangle = Obstacle::Rectangle { min: gate.min, max: gate.max };
            // Doors keep bodies out, lights the middle of them.
            let margin = if gate.detour { self.settings.squeezed_radius } else { 0.0 };
            rectangle.distance(from) > margin && rectangle.segment_distance(from, to) <= margin
        })
    }
}
