//! A lower bound on the time at which two colliders can meet (Mirtich and Canny 1995, section 3.3).
//! Convex shapes at distance d are separated by a slab of thickness d, perpendicular to the normal n of their closest
//! points. Before they meet, points of the two must approach by d along n. With u the velocity and g the acceleration
//! of a's anchor relative to b's along n, w and r the angular speed and radius of each, that takes at least until
//!
//! ```text
//!   u t + g t^2 / 2 + sum over both of  min(w r t, r - s)  =  d
//! ```
//! where s is the current extent of a body along n: rotation moves no point of it farther out than its radius, so the
//! spin of a ball does not count. Non-convex shapes may meet anywhere; for them u is the whole relative speed, and
//! nothing is subtracted from r.

use burgess_simulation::Nearness;
use glam::DVec3;

/// Bound on the motion of a link: its anchor flies with an acceleration that is known up to `growth`, which also bounds
/// the change of speed of its farthest point by rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    /// Position of the anchor.
    pub anchor: DVec3,
    /// Velocity of the anchor, in m/s.
    pub velocity: DVec3,
    /// Known part of its acceleration, in m/s^2.
    pub acceleration: DVec3,
    /// Maximum error of the acceleration, in m/s^2.
    pub growth: f64,
    /// Bound on the angular speed, in rad/s.
    pub turning: f64,
}

impl Course {
    /// Returns the motion of a fixed body.
    pub const STILL: Self =
        Self { anchor: DVec3::ZERO, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, growth: 0.0, turning: 0.0 };

    /// Returns how much farther the body can extend along a direction by rotation, in m, and how fast, in m/s.
    fn turn(&self, reach: f64, point: DVec3, direction: DVec3) -> (f64, f64) {
        if self.turning == 0.0 && self.growth == 0.0 {
            return (0.0, 0.0);
        }
        let slack = (reach - (point - self.anchor).dot(direction)).max(0.0);
        (slack, self.turning * reach)
    }
}

/// Returns a lower bound, in seconds, on the time in which the distance of two colliders can shrink by `gap` m. `reach`
/// are their radii about the anchors.
pub(super) fn time_to_close(near: &Nearness, gap: f64, courses: [&Course; 2], reach: [f64; 2]) -> f64 {
    let [a, b] = courses;
    let (velocity, acceleration) = (a.velocity - b.velocity, a.acceleration - b.acceleration);
    // One term for the anchors, one for rotation.
    let growth = 2.0 * (a.growth + b.growth);
    if !near.convex {
        let speed = velocity.length() + a.turning * finite(reach[0], a) + b.turning * finite(reach[1], b);
        return time_of(gap, speed, acceleration.length() + growth);
    }
    let speed = velocity.dot(near.normal);
    let acceleration = acceleration.dot(near.normal) + growth;
    let (slack_a, turning_a) = a.turn(reach[0], near.point_a, near.normal);
    let (slack_b, turning_b) = b.turn(reach[1], near.point_b, -near.normal);
    let turning = time_of(gap, speed + turning_a + turning_b, acceleration);
    let slack = slack_a + slack_b;
    if slack < gap { turning.max(time_of(gap - slack, speed, acceleration)) } else { turning }
}

/// A half-space has no radius, but it does not rotate either.
fn finite(reach: f64, course: &Course) -> f64 {
    if course.turning == 0.0 { 0.0 } else { reach }
}

/// Returns the time in which speed and acceleration cover a distance. A negative acceleration is ignored: the bound
/// stays valid.
fn time_of(distance: f64, speed: f64, acceleration: f64) -> f64 {
    let acceleration = acceleration.max(0.0);
    let end_speed = speed + (speed * speed + 2.0 * acceleration * distance).sqrt();
    if end_speed > 0.0 { 2.0 * distance / end_speed } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(distance: f64) -> Nearness {
        let point_b = DVec3::new(distance, 0.0, 0.0);
        Nearness { distance, normal: DVec3::X, point_a: DVec3::ZERO, point_b, convex: true }
    }

    #[test]
    fn a_fall_takes_its_time() {
        let falling =
            Course { acceleration: DVec3::new(9.81, 0.0, 0.0), anchor: DVec3::new(-1.0, 0.0, 0.0), ..Course::STILL };
        let time = time_to_close(&apart(2.0), 2.0, [&falling, &Course::STILL], [1.0, 0.0]);
        assert!((time - (2.0 * 2.0 / 9.81_f64).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn spin_counts_for_a_rod_but_not_for_a_ball() {
        let spinning = Course { turning: 10.0, anchor: DVec3::new(-1.0, 0.0, 0.0), ..Course::STILL };
        let ball = time_to_close(&apart(0.5), 0.5, [&spinning, &Course::STILL], [1.0, 0.0]);
        assert_eq!(ball, f64::INFINITY);
        let rod = time_to_close(&apart(0.5), 0.5, [&spinning, &Course::STILL], [2.0, 0.0]);
        assert!((rod - 0.5 / 20.0).abs() < 1e-15);
    }

    #[test]
    fn what_moves_away_never_meets() {
        let leaving = Course { velocity: DVec3::new(-1.0, 0.0, 0.0), ..Course::STILL };
        assert_eq!(time_to_close(&apart(0.5), 0.5, [&leaving, &Course::STILL], [0.0, 0.0]), f64::INFINITY);
    }
}
