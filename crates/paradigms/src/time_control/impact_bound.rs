//! A lower bound on the time at which two colliders can meet (Mirtich and Canny 1995, section 3.3).
//!
//! Convex shapes a distance d apart lie on both sides of a slab that is as thick as d, across the normal n of their
//! closest points. Before they meet, points of the two have to come nearer by d along n. With u the velocity and g the
//! acceleration of a's anchor against b's along n, w and r the angular speed and radius of each, that takes at least
//! until
//!
//! ```text
//!   u t + g t^2 / 2 + sum over both of  min(w r t, r - s)  =  d
//! ```
//!
//! where s is how far a body reaches along n now: turning brings no point of it farther out than its radius, so a
//! ball's spin does not count. Shapes that are not convex may meet anywhere; for them u is the whole relative speed,
//! and nothing is subtracted from r.

use burgess_simulation::Nearness;
use glam::DVec3;

/// How a link may move from now on: its anchor flies, with an acceleration that is known up to `growth` and gives or
/// takes as much to the speed of its farthest point by turning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    /// Where the anchor is.
    pub anchor: DVec3,
    /// Velocity of the anchor, in m/s.
    pub velocity: DVec3,
    /// What is known of its acceleration, in m/s^2.
    pub acceleration: DVec3,
    /// How much the acceleration may be off, in m/s^2.
    pub growth: f64,
    /// Bound on the angular speed, in rad/s.
    pub turning: f64,
}

impl Course {
    /// Something that does not move.
    pub const STILL: Self =
        Self { anchor: DVec3::ZERO, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, growth: 0.0, turning: 0.0 };

    /// How much farther the body can reach along a direction by turning, in m, and how fast, in m/s.
    fn turn(&self, reach: f64, point: DVec3, direction: DVec3) -> (f64, f64) {
        if self.turning == 0.0 && self.growth == 0.0 {
            return (0.0, 0.0);
        }
        let slack = (reach - (point - self.anchor).dot(direction)).max(0.0);
        (slack, self.turning * reach)
    }
}

/// No sooner than in so many seconds the distance of two colliders can have shrunk by `gap` m. `reach` are their radii
/// about the anchors.
pub(super) fn time_to_close(near: &Nearness, gap: f64, courses: [&Course; 2], reach: [f64; 2]) -> f64 {
    let [a, b] = courses;
    let (velocity, acceleration) = (a.velocity - b.velocity, a.acceleration - b.acceleration);
    // Once for the anchors, once for turning.
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

/// A half-space has no radius, but then it does not turn either.
fn finite(reach: f64, course: &Course) -> f64 {
    if course.turning == 0.0 { 0.0 } else { reach }
}

/// The time in which speed and acceleration cover a distance. A negative acceleration is left out: it would only help.
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
