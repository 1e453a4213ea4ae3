//! Boosted restitution for contacts that are nearly at rest (Fontijne 2000, section 3.4.4).
//! In an impulse-based simulation a body rests on a series of small collisions. Each loses energy, so the body would
//! sink through the collision envelope and collisions would become ever more frequent. A *micro-collision*, slower than
//! a fall through the envelope, gets more restitution, the more the deeper the envelope is entered (Fontijne 2000, eq.
//! 3.38):
//!
//! ```text
//! e_b = e + (e_max - e) p,   p = 1 - distance / epsilon,   for a closing speed below sqrt(2 |g| epsilon)
//! ```
//! The speed is that along the normal: a crate that slides fast over the floor still rests on it. The boost
//! deliberately adds energy; without gravity there is none.

/// Parameters of the boost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MicroImpulse {
    /// Thickness `epsilon` of the collision envelope, in metres.
    pub envelope: f64,
    /// Magnitude of gravity, in m/s^2.
    pub gravity: f64,
    /// Restitution `e_max` of touching bodies, usually between 2 and 5.
    pub max_restitution: f64,
}

impl MicroImpulse {
    /// Returns the closing speed below which a collision is a micro-collision, in m/s.
    pub fn threshold(&self) -> f64 {
        (2.0 * self.gravity * self.envelope).max(0.0).sqrt()
    }

    /// Returns the restitution to use in place of `restitution` at a distance (in metres, negative inside) and a
    /// closing speed `-u . n` (in m/s). It is never less than `restitution`.
    pub fn restitution(&self, restitution: f64, distance: f64, closing_speed: f64) -> f64 {
        let near = distance < self.envelope;
        if !(near && closing_speed > 0.0 && closing_speed < self.threshold()) {
            return restitution;
        }
        let penetration = (1.0 - distance / self.envelope).clamp(0.0, 1.0);
        restitution + (self.max_restitution - restitution).max(0.0) * penetration
    }
}
