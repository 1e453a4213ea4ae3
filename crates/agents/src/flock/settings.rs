//! The numbers that shape a flock.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Settings of a flock. The defaults suit members of 0.3 m that fly at 6 m/s.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlockSettings {
    /// Distance up to which a member sees others, in m.
    pub view_distance: f64,
    /// Distance up to which it sees others fully, in m. Beyond it their weight falls to 0 at the view distance.
    pub full_view_distance: f64,
    /// Angle from its direction of flight up to which a member sees others, in rad.
    pub view_angle: f64,
    /// Angle up to which it sees others fully, in rad.
    pub full_view_angle: f64,
    /// Maximum number of neighbours that a member minds: the nearest that it sees, as starlings do (Ballerini et al.
    /// 2008), so that the distances in a flock do not depend on its size. Flocks with fewer fall apart more easily.
    pub neighbours: usize,
    /// Strength of avoidance: the acceleration (m/s^2) away from a neighbour at 1 m. It is inversely proportional to
    /// the distance.
    pub avoidance: f64,
    /// Rate at which a member takes on the mean velocity of its neighbours, in 1/s.
    pub matching: f64,
    /// Acceleration (m/s^2) per m of distance from the mean position of the neighbours.
    pub centring: f64,
    /// Speed at which members fly when nothing else matters, in m/s.
    pub speed: f64,
    /// Rate at which a member returns to that speed, in 1/s.
    pub speed_rate: f64,
    /// Maximum acceleration by steering, in m/s^2.
    pub max_acceleration: f64,
    /// Distance from obstacles at which members begin to avoid them, in m.
    pub obstacle_distance: f64,
    /// Distance from predators at which members begin to flee, in m.
    pub flee_distance: f64,
    /// Speed of predators, in m/s.
    pub predator_speed: f64,
    /// Centre of the region of the flock, in m.
    pub center: DVec3,
    /// Radius of the region, in m. Members beyond it are pulled back.
    pub radius: f64,
    /// Pull back to the region: acceleration (m/s^2) per m beyond it.
    pub pull: f64,
    /// Time between two rounds of decisions, in s.
    pub period: f64,
    /// Number of rounds in which every member decides once. It spreads the work over the steps.
    pub rounds: usize,
}

impl Default for FlockSettings {
    fn default() -> Self {
        Self {
            view_distance: 6.0,
            full_view_distance: 3.0,
            view_angle: 2.4,
            full_view_angle: 1.6,
            neighbours: 20,
            avoidance: 0.5,
            matching: 3.0,
            centring: 1.5,
            speed: 6.0,
            speed_rate: 1.0,
            max_acceleration: 20.0,
            obstacle_distance: 3.0,
            flee_distance: 6.0,
            predator_speed: 5.0,
            center: DVec3::new(0.0, 0.0, 12.0),
            radius: 14.0,
            pull: 1.0,
            period: 1.0 / 60.0,
            rounds: 2,
        }
    }
}
