//! The interface of collision laws: from the contact before the collision to an impulse.
//! The normal `n` points from body a to body b. The impulse `p` acts on b and `-p` on a, `u` is the velocity of b's
//! contact point relative to a's, and `u . n > 0` separates. At constant positions, velocity is linear in impulse, `du
//! = K p` (Fontijne 2000, eq. 3.28; Arnold 1997, eq. 2.21), with `K` symmetric and positive semi-definite.

use std::fmt::Debug;

use glam::{DMat3, DVec3};

/// Parameters of a collision, from the two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactParameters {
    /// Coefficient of restitution `e`, at least 0 (taken as 0 if less): 0 is inelastic, 1 elastic, more than 1 adds
    /// energy ([`MicroImpulse`](super::MicroImpulse)). Its exact meaning depends on the law.
    pub restitution: f64,
    /// Tangential restitution `e_t`, from -1 (frictionless) over 0 (sticks) to 1 (tangential velocity reversed); other
    /// values are clamped. Used only by [`ChatterjeeRuina`](super::ChatterjeeRuina).
    pub tangential_restitution: f64,
    /// Coulomb's coefficient of friction `mu`, at least 0 (taken as 0 if less).
    pub friction: f64,
}

impl ImpactParameters {
    /// Upper bound on restitution and friction, which keeps infinity out of the arithmetic.
    const MAX_COEFFICIENT: f64 = 1e6;

    /// Returns the parameters with every value clamped to its range; NaN becomes the lowest value.
    pub(super) fn in_range(&self) -> Self {
        let within = |value: f64, low: f64, high: f64| if value.is_nan() { low } else { value.clamp(low, high) };
        Self {
            restitution: within(self.restitution, 0.0, Self::MAX_COEFFICIENT),
            tangential_restitution: within(self.tangential_restitution, -1.0, 1.0),
            friction: within(self.friction, 0.0, Self::MAX_COEFFICIENT),
        }
    }
}

/// A law of collision between two bodies that touch in one point.
pub trait CollisionLaw: Send + Sync + Debug {
    /// Returns the name of the law in scene files and reports.
    fn name(&self) -> &'static str;

    /// Returns the impulse on body b, in N s; body a receives the opposite one.
    ///
    /// `k` is the collision matrix in 1/kg, `u` the velocity of b's contact point relative to a's in m/s, `normal` the
    /// unit normal from a to b. The impulse is zero where the contact does not approach, where no impulse can change
    /// the normal velocity (both bodies are immovable along the normal), and where an input is not finite.
    fn impulse(&self, k: &DMat3, u: DVec3, normal: DVec3, parameters: &ImpactParameters) -> DVec3;
}
