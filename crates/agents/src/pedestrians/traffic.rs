//! Vehicles on closed lanes. Each follows what is ahead of it (another vehicle, a stop line, a pedestrian on the lane)
//! by the intelligent driver model (Treiber et al. 2000): with the speed v, the wanted speed v_0, the gap s and the
//! closing speed c,
//!
//! ```text
//!   a = a_max (1 - (v / v_0)^4 - (s* / s)^2),   s* = s_0 + v T + v c / (2 sqrt(a_max b))
//! ```

use glam::DVec2;

use super::plan::{Lane, VehiclePlan};
use crate::crowd::Mover;
use crate::crowd::plane::nearest_on_segment;

/// Maximum acceleration and comfortable deceleration, in m/s^2.
const ACCELERATION: f64 = 1.5;
const DECELERATION: f64 = 2.5;
/// Hardest braking, in m/s^2.
const BRAKING: f64 = 8.0;
/// Gap at rest, in m, and time gap, in s.
const GAP: f64 = 1.5;
const TIME_GAP: f64 = 1.2;
/// Distance ahead that is watched, in m.
const WATCHED: f64 = 30.0;
/// Distance that is kept from pedestrians beside the lane, in m.
const SIDE_DISTANCE: f64 = 0.5;
/// Distance between the corners over which a vehicle turns, in m.
const TURN_LENGTH: f64 = 3.0;

impl Lane {
    /// Length of the lane, in m.
    pub fn length(&self) -> f64 {
        self.segments().map(|(a, b)| a.distance(b)).sum()
    }

    fn segments(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let next = self.points.iter().cycle().skip(1);
        self.points.iter().copied().zip(next.copied())
    }

    /// The point at a length of the lane, in m.
    pub fn point(&self, length: f64) -> DVec2 {
        let mut left = length.rem_euclid(self.length().max(f64::MIN_POSITIVE));
        for (a, b) in self.segments() {
            let side = a.distance(b);
            if left < side {
                return a.lerp(b, left / side);
            }
            left -= side;
        }
        self.points.first().copied().unwrap_or_default()
    }

    /// The middle of a vehicle at a length of the lane, in m, and its heading, in rad. Its axles are on the lane.
    pub fn pose(&self, length: f64) -> (DVec2, f64) {
        let (rear, front) = (self.point(length - 0.5 * TURN_LENGTH), self.point(length + 0.5 * TURN_LENGTH));
        let ahead = front - rear;
        (0.5 * (rear + front), libm::atan2(ahead.y, ahead.x))
    }

    /// The length of the lane up to the point that is nearest to a point, and the distance from it, in m.
    fn nearest(&self, point: DVec2) -> (f64, f64) {
        let (mut start, mut best) = (0.0, (0.0, f64::INFINITY));
        for (a, b) in self.segments() {
            let near = nearest_on_segment(point, a, b);
            if near.distance(point) < best.1 {
                best = (start + a.distance(near), near.distance(point));
            }
            start += a.distance(b);
        }
        best
    }
}

/// A vehicle on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vehicle {
    pub plan: VehiclePlan,
    /// Length of the lane up to its middle, in m.
    pub at: f64,
    /// Speed, in m/s.
    pub speed: f64,
}

impl Vehicle {
    /// Discs that cover it, for walkers.
    pub fn movers(&self, lane: &Lane) -> impl Iterator<Item = Mover> + use<> {
        let [length, width] = self.plan.size;
        let (center, heading) = lane.pose(self.at);
        let (sin, cos) = libm::sincos(heading);
        let ahead = DVec2::new(cos, sin);
        let radius = 0.6 * width;
        let reach = (0.5 * length - 0.5 * radius).max(0.0);
        let velocity = self.speed * ahead;
        [-1.0, -0.5, 0.0, 0.5, 1.0].into_iter().map(move |share| Mover {
            position: center + share * reach * ahead,
            velocity,
            radius,
        })
    }
}

/// Advances all vehicles by a time (s). `closed` tells whether a stop line of a lane is closed.
pub(super) fn drive(
    vehicles: &mut [Vehicle],
    lanes: &[Lane],
    walkers: impl Iterator<Item = DVec2> + Clone,
    closed: impl Fn(usize, usize) -> bool,
    time: f64,
) {
    for index in 0..vehicles.len() {
        let vehicle = vehicles[index];
        let lane = &lanes[vehicle.plan.lane];
        let round = lane.length();
        let ahead = |place: f64| (place - vehicle.at).rem_euclid(round);
        let half = 0.5 * vehicle.plan.size[0];
        // Gap (m) to what is ahead, and its speed (m/s).
        let mut leaders = [(f64::INFINITY, 0.0); 3];
        let mut found = |slot: usize, gap: f64, speed: f64| {
            if gap < leaders[slot].0 {
                leaders[slot] = (gap, speed);
            }
        };
        for (other, there) in vehicles.iter().enumerate() {
            if other != index && there.plan.lane == vehicle.plan.lane {
                found(0, ahead(there.at) - half - 0.5 * there.plan.size[0], there.speed);
            }
        }
        for (stop, line) in lane.stops.iter().enumerate() {
            let gap = ahead(line.at) - half;
            // A car that can no longer stop continues.
            let can_stop = gap > vehicle.speed * vehicle.speed / (2.0 * BRAKING);
            if gap > 0.0 && can_stop && closed(vehicle.plan.lane, stop) {
                found(1, gap, 0.0);
            }
        }
        let (center, _) = lane.pose(vehicle.at);
        for walker in walkers.clone().filter(|walker| walker.distance(center) < WATCHED) {
            let (place, beside) = lane.nearest(walker);
            let gap = ahead(place) - half;
            if beside < 0.5 * vehicle.plan.size[1] + SIDE_DISTANCE && gap > -half && gap < WATCHED {
                found(2, gap, 0.0);
            }
        }
        let wanted = vehicle.plan.speed.max(0.1);
        let share = vehicle.speed / wanted;
        let free = 1.0 - share * share * share * share;
        let follow = |(gap, speed): (f64, f64)| {
            let closing = vehicle.speed - speed;
            let braking = vehicle.speed * closing / (2.0 * (ACCELERATION * DECELERATION).sqrt());
            let wished = GAP + (vehicle.speed * TIME_GAP + braking).max(0.0);
            let ratio = wished / gap.max(0.05);
            ACCELERATION * (free - ratio * ratio)
        };
        let acceleration = leaders.into_iter().map(follow).fold(ACCELERATION * free, f64::min).max(-BRAKING);
        let speed = (vehicle.speed + time * acceleration).max(0.0);
        vehicles[index].at = (vehicle.at + time * 0.5 * (vehicle.speed + speed)).rem_euclid(round);
        vehicles[index].speed = speed;
    }
}
