//! The rules of a flock for one member.
//!
//! What a member sees at distance d and angle a from its direction of flight has the weight (Timchenko 2007, appendix A)
//!
//! ```text
//!   w = f(d; d_full, d_view) f(a; a_full, a_view),   f(x; x_0, x_1) = 1 up to x_0, then falls linearly to 0 at x_1
//! ```
//!
//! With the unit vector u and the offset r = d u to a neighbour of velocity v', the wishes are accelerations:
//!
//! ```text
//!   avoidance           - k_a sum w u / d
//!   velocity matching     k_v (sum w (v' - v)) / sum w
//!   centring              k_c (sum w r) / sum w
//! ```
//!
//! Matching and centring are means, where the source has sums, so that a member in a dense flock does not react more
//! strongly than the step allows. Wishes are granted in order of priority (obstacles, predators, avoidance, matching,
//! centring, speed) until the maximum acceleration is reached.

use glam::DVec3;

use super::FlockSettings;

/// Distances below this count as this, in m: avoidance stays finite for bodies in the same place.
const MIN_DISTANCE: f64 = 0.05;

/// Speed below which a member looks along its body instead of along its velocity, in m/s.
pub(super) const MIN_SPEED: f64 = 0.1;

/// Another member of the flock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Position relative to the member that sees it, in m.
    pub offset: DVec3,
    /// Velocity, in m/s.
    pub velocity: DVec3,
}

/// What one member sees, and the acceleration that follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steering {
    velocity: DVec3,
    forward: DVec3,
    weight: f64,
    avoidance: DVec3,
    velocity_difference: DVec3,
    offset: DVec3,
    escape: DVec3,
    evasion: DVec3,
}

impl Steering {
    /// Begins with a member of the given velocity (m/s). `heading` is the direction of its body, which counts while it
    /// hardly moves.
    pub fn new(velocity: DVec3, heading: DVec3) -> Self {
        Self {
            velocity,
            forward: if velocity.length() > MIN_SPEED { velocity.normalize() } else { heading },
            weight: 0.0,
            avoidance: DVec3::ZERO,
            velocity_difference: DVec3::ZERO,
            offset: DVec3::ZERO,
            escape: DVec3::ZERO,
            evasion: DVec3::ZERO,
        }
    }

    /// Direction in which the member flies.
    pub(super) fn forward(&self) -> DVec3 {
        self.forward
    }

    /// Takes a neighbour into account.
    pub fn see(&mut self, settings: &FlockSettings, neighbour: &Neighbour) {
        let distance = neighbour.offset.length();
        let direction = neighbour.offset.normalize_or_zero();
        let weight = self.visibility(settings, distance, direction);
        self.avoidance -= direction * (weight / distance.max(MIN_DISTANCE));
        self.velocity_difference += weight * (neighbour.velocity - self.velocity);
        self.offset += weight * neighbour.offset;
        self.weight += weight;
    }

    /// Takes a predator at the given offset (m) into account. Members notice predators in every direction.
    pub fn flee(&mut self, settings: &FlockSettings, offset: DVec3) {
        let nearness = 1.0 - offset.length() / settings.flee_distance;
        self.escape -= offset.normalize_or(self.forward) * nearness.max(0.0);
    }

    /// Takes an obstacle into account, of which the nearest point is at the given offset (m).
    pub fn evade(&mut self, settings: &FlockSettings, offset: DVec3) {
        let distance = offset.length();
        let nearness = 1.0 - distance / settings.obstacle_distance;
        if nearness <= 0.0 || distance < f64::MIN_POSITIVE {
            return;
        }
        let away = -offset / distance;
        // Flying past an obstacle is no danger, and neither is leaving it.
        let approach = (-self.forward.dot(away)).max(0.0);
        // Straight ahead there is no side to turn to, so the turn is about a fixed axis.
        let sideways =
            (away - away.dot(self.forward) * self.forward).normalize_or(self.forward.any_orthonormal_vector());
        self.evasion += nearness * (approach * sideways + nearness * nearness * away);
    }

    /// Returns the acceleration by steering, in m/s^2, without the pull back to the region.
    pub fn acceleration(&self, settings: &FlockSettings) -> DVec3 {
        let mean = if self.weight > 0.0 { 1.0 / self.weight } else { 0.0 };
        let wishes = [
            settings.max_acceleration * self.evasion,
            settings.max_acceleration * self.escape,
            settings.avoidance * self.avoidance,
            settings.matching * mean * self.velocity_difference,
            settings.centring * mean * self.offset,
            settings.speed_rate * (settings.speed - self.velocity.length()) * self.forward,
        ];
        granted(&wishes, settings.max_acceleration)
    }

    /// The weight of what is seen at a distance (m) in a direction.
    fn visibility(&self, settings: &FlockSettings, distance: f64, direction: DVec3) -> f64 {
        let angle = libm::acos(direction.dot(self.forward).clamp(-1.0, 1.0));
        falling(distance, settings.full_view_distance, settings.view_distance)
            * falling(angle, settings.full_view_angle, settings.view_angle)
    }
}

/// 1 up to `full`, then falls linearly to 0 at `end`.
fn falling(value: f64, full: f64, end: f64) -> f64 {
    if value <= full {
        1.0
    } else if value >= end {
        0.0
    } else {
        (end - value) / (end - full)
    }
}

/// Adds wishes in order of priority until the sum has the maximum length.
fn granted(wishes: &[DVec3], max: f64) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for wish in wishes {
        sum += *wish;
        let length = sum.length();
        if length > max {
            return sum * (max / length);
        }
    }
    sum
}

/// Returns the acceleration (m/s^2) with which a predator turns to the prey at `offset` (m).
pub(super) fn pursue(settings: &FlockSettings, velocity: DVec3, offset: Option<DVec3>) -> DVec3 {
    let wanted = match offset {
        Some(offset) => offset.normalize_or_zero() * settings.predator_speed,
        None => velocity.normalize_or_zero() * settings.predator_speed,
    };
    granted(&[settings.matching * (wanted - velocity)], settings.max_acceleration)
}

/// Returns the acceleration (m/s^2) that pulls a member back to the region of the flock.
pub(super) fn pull_back(settings: &FlockSettings, position: DVec3) -> DVec3 {
    let offset = position - settings.center;
    let beyond = offset.length() - settings.radius;
    if beyond > 0.0 { -settings.pull * beyond * offset.normalize_or_zero() } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One neighbour, fully visible: the sums of the module's equations by hand.
    #[test]
    fn one_neighbour_gives_the_closed_forms() {
        let settings = FlockSettings { speed: 2.0, ..FlockSettings::default() };
        let mut steering = Steering::new(2.0 * DVec3::X, DVec3::Y);
        steering.see(&settings, &Neighbour { offset: DVec3::new(0.0, 1.5, 0.0), velocity: DVec3::new(2.0, 0.0, 0.4) });
        let expected = DVec3::new(0.0, settings.centring * 1.5 - settings.avoidance / 1.5, settings.matching * 0.4);
        assert!((steering.acceleration(&settings) - expected).length() < 1e-12, "{}", steering.acceleration(&settings));
    }

    #[test]
    fn neighbours_behind_and_beyond_are_not_seen() {
        let settings = FlockSettings::default();
        let mut steering = Steering::new(settings.speed * DVec3::X, DVec3::X);
        for offset in [-DVec3::X, 1.001 * settings.view_distance * DVec3::X] {
            steering.see(&settings, &Neighbour { offset, velocity: DVec3::Y });
        }
        assert_eq!(steering.acceleration(&settings), DVec3::ZERO);
    }

    #[test]
    fn weights_fall_linearly() {
        assert_eq!([0.0, 1.0, 1.5, 2.0, 3.0].map(|value| falling(value, 1.0, 2.0)), [1.0, 1.0, 0.5, 0.0, 0.0]);
        // Equal bounds make a step.
        assert_eq!([1.0, 1.1].map(|value| falling(value, 1.0, 1.0)), [1.0, 0.0]);
    }

    /// A wish of higher priority that takes everything leaves nothing for the others.
    #[test]
    fn wishes_are_granted_in_order() {
        assert_eq!(granted(&[5.0 * DVec3::X, 100.0 * DVec3::Y], 5.0).length(), 5.0);
        assert_eq!(granted(&[6.0 * DVec3::X, 100.0 * DVec3::Y], 5.0), 5.0 * DVec3::X);
        assert_eq!(granted(&[DVec3::X, DVec3::Y], 5.0), DVec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn members_in_the_same_place_stay_finite() {
        let settings = FlockSettings::default();
        let mut steering = Steering::new(DVec3::ZERO, DVec3::X);
        steering.see(&settings, &Neighbour { offset: DVec3::ZERO, velocity: DVec3::ZERO });
        steering.flee(&settings, DVec3::ZERO);
        steering.evade(&settings, DVec3::ZERO);
        assert!(steering.acceleration(&settings).is_finite());
        assert!(pull_back(&FlockSettings { radius: 0.0, ..settings }, settings.center).is_finite());
    }

    /// An obstacle straight ahead turns the member aside; one behind it does not matter from afar.
    #[test]
    fn obstacles_ahead_turn_and_obstacles_behind_do_not() {
        let settings = FlockSettings::default();
        let turned = |offset: DVec3| {
            let mut steering = Steering::new(settings.speed * DVec3::X, DVec3::X);
            steering.evade(&settings, offset);
            steering.acceleration(&settings)
        };
        let ahead = turned(2.0 * DVec3::X);
        assert!(ahead.with_x(0.0).length() > 1.0 && ahead.x < 0.0, "{ahead}");
        assert!(turned(-2.0 * DVec3::X).length() < 0.05 * settings.max_acceleration);
        assert_eq!(turned(1.1 * settings.obstacle_distance * DVec3::X), DVec3::ZERO);
    }
}
