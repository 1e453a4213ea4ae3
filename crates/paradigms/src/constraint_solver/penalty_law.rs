//! The penalty law: a spring and a damper push overlapping bodies apart, a tangential spring with memory holds them
//! (Erleben 2002, section 2.1.3; Arnold 1997, section 2.4.4).
//!
//! # Normal force
//!
//! ```text
//!   f_n = max(0, k d - c v_n)          d depth, v_n relative velocity along the normal, positive when parting
//! ```
//!
//! It never pulls: contact ends when the force does. A mass m that falls on such a spring bounces with
//!
//! ```text
//!   e = exp(-2 phi cot phi),   zeta = c / (2 sqrt(k m)) = cos phi             e > exp(-2)
//!   e = exp(-2 psi coth psi),  zeta = cosh psi                                e < exp(-2)
//! ```
//! whatever its speed (from `m x'' = -k x - c x'` up to the first time at which `x'' = 0`, which is `2 phi` of the
//! damped phase). [`damping_ratio`] solves this for zeta. `e = 0` would need infinite damping; it is limited to
//! [`MIN_RESTITUTION`].
//!
//! # Friction
//!
//! A contact stores the stretch xi of a tangential spring, from its anchor to its present position:
//!
//! ```text
//!   f_t = -k_t xi - c_t v_t     while |f_t| <= mu f_n:  it sticks, and xi grows with the motion
//!   f_t scaled to mu f_n        beyond:                 it slides, and drags the anchor along, xi = -f_t / k_t
//! ```
//!
//! At rest the spring carries the load without any velocity, so nothing creeps down a slope.
//!
//! # The scheme
//!
//! Stiff springs need implicit steps. With the velocity v+ at the end of a step h, to first order,
//!
//! ```text
//!   f(v+) = k (d - h v+) - c v+ = f_0 - G v+,       f_0 = k d,   G = c + h k
//! ```
//!
//! and the same for the tangential spring with `f_0 = -k_t xi`. There are two ways to use it:
//!
//! - together: the caller adds `h J^T G J` to the inertia matrix and `h J^T f_0` to the impulses ([`LinearForce`]);
//!   stable for every step, but clamping and sliding must be settled by the caller;
//! - alone: `v+ = v + h f / m` with the effective mass m of the contact gives `f = (f_0 - G v) / (1 + h G / m)`
//!   ([`PenaltyLaw::contact_force`]). Give v without the contact forces, but with all others, at the end of the step.
//!   Stable for every step if 1/m is the sum of the responses to all contacts of the group (`sum_j |A_ij|`), since then
//!   the contacts together never overshoot; with 1/m = A_ii it is for one or two contacts that share a load.
//!
//! The scheme itself damps like a damper of `h k / 2`. [`PenaltyLaw::stable`] chooses a stiffness that the step
//! resolves and takes that damping into account, so that bodies bounce nearly as they should (to about 0.1); above e =
//! 0.6 they lose more. For faithful bounces set a softer spring, or leave them to a collision solver.

use glam::DVec3;
use thiserror::Error;

/// Smallest coefficient of restitution: smaller ones would need infinite damping.
pub const MIN_RESTITUTION: f64 = 0.01;

/// Steps per period of the normal spring in [`PenaltyLaw::stable`]: enough to resolve a bounce.
const STEPS_PER_PERIOD: f64 = 20.0;

/// Bisections for the damping ratio: one per bit of its mantissa.
const BISECTIONS: usize = 52;

/// Springs and dampers of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenaltyLaw {
    /// Normal stiffness k, in N/m.
    pub stiffness: f64,
    /// Normal damping c, in N s/m.
    pub damping: f64,
    /// Stiffness of the friction spring k_t, in N/m.
    pub tangential_stiffness: f64,
    /// Damping of the friction spring c_t, in N s/m.
    pub tangential_damping: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// Data of a contact for the law, at the end of a step without contact forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenaltyContact {
    /// Unit vector along which the normal force pushes.
    pub normal: DVec3,
    /// Depth of the overlap at the beginning of the step, in m; negative when separated.
    pub depth: f64,
    /// Relative velocity of the pushed point, in m/s.
    pub velocity: DVec3,
    /// Mass that the normal force moves, in kg.
    pub normal_mass: f64,
    /// Mass that the friction force moves, in kg.
    pub tangential_mass: f64,
}

/// A force that is linear in the velocity at the end of the step: `constant - damping * velocity`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearForce {
    /// f_0, in N.
    pub constant: f64,
    /// G, in N s/m.
    pub damping: f64,
}

/// What is wrong with the numbers of a law.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{what} must be {expected}, found {found}")]
pub struct PenaltyError {
    /// The quantity.
    pub what: &'static str,
    /// What it may be.
    pub expected: &'static str,
    /// What was given.
    pub found: f64,
}

impl PenaltyLaw {
    /// A law with a given normal stiffness in N/m and damping in N s/m. The friction spring gets the same.
    pub fn new(stiffness: f64, damping: f64, friction: f64) -> Result<Self, PenaltyError> {
        check("the stiffness", "positive and finite", stiffness, stiffness > 0.0)?;
        check("the damping", "at least zero and finite", damping, damping >= 0.0)?;
        check("the friction", "at least zero and finite", friction, friction >= 0.0)?;
        Ok(Self { stiffness, damping, tangential_stiffness: stiffness, tangential_damping: damping, friction })
    }

    /// A law for an effective mass in kg and a step in s, stable under that step: twenty steps per period of the
    /// spring, damping that together with the scheme's own gives the coefficient of restitution, and a critically
    /// damped friction spring.
    pub fn stable(mass: f64, step: f64, restitution: f64, friction: f64) -> Result<Self, PenaltyError> {
        Self::stable_in_pieces(mass, step, step, restitution, friction)
    }

    /// The same spring where the step is taken in pieces, so that the scheme itself damps less.
    pub fn stable_in_pieces(
        mass: f64,
        step: f64,
        piece: f64,
        restitution: f64,
        friction: f64,
    ) -> Result<Self, PenaltyError> {
        check("the effective mass", "positive and finite", mass, mass > 0.0)?;
        check("the step", "positive and finite", step, step > 0.0)?;
        check("the restitution", "from 0 to 1", restitution, (0.0..=1.0).contains(&restitution))?;
        let frequency = core::f64::consts::TAU / (STEPS_PER_PERIOD * step);
        let critical = 2.0 * mass * frequency;
        let stiffness = mass * frequency * frequency;
        let damping = (critical * damping_ratio(restitution) - 0.5 * piece * stiffness).max(0.0);
        let law = Self::new(stiffness, damping, friction)?;
        Ok(Self { tangential_damping: critical, ..law })
    }

    /// The normal force of an overlap in m, linear in the normal velocity at the end of a step in s. Not clamped.
    pub fn normal_response(&self, depth: f64, step: f64) -> LinearForce {
        LinearForce { constant: self.stiffness * depth, damping: self.damping + step * self.stiffness }
    }

    /// One component of the friction force of a stretch in m, linear in that component of the velocity at the end of a
    /// step in s. Not bounded by the cone.
    pub fn tangential_response(&self, stretch: f64, step: f64) -> LinearForce {
        let damping = self.tangential_damping + step * self.tangential_stiffness;
        LinearForce { constant: -self.tangential_stiffness * stretch, damping }
    }

    /// The force on a contact over a step in s, in N, with the stretch of its friction spring in m (zero for a new
    /// contact), which is brought to the end of the step.
    pub fn contact_force(&self, contact: &PenaltyContact, step: f64, stretch: &mut DVec3) -> DVec3 {
        let normal_velocity = contact.velocity.dot(contact.normal);
        let normal_force = if contact.depth > 0.0 {
            self.normal_response(contact.depth, step).over_step(normal_velocity, contact.normal_mass, step).max(0.0)
        } else {
            0.0
        };
        let sliding = contact.velocity - contact.normal * normal_velocity;
        contact.normal * normal_force + self.friction_force(contact, sliding, normal_force, step, stretch)
    }

    fn friction_force(
        &self,
        contact: &PenaltyContact,
        sliding: DVec3,
        normal_force: f64,
        step: f64,
        stretch: &mut DVec3,
    ) -> DVec3 {
        // The tangent plane may have turned since the last step.
        let before = stretch.reject_from_normalized(contact.normal);
        let mass = contact.tangential_mass;
        let sticking = DVec3::from_array(core::array::from_fn(|axis| {
            self.tangential_response(before[axis], step).over_step(sliding[axis], mass, step)
        }));
        let bound = self.friction * normal_force;
        if sticking.length() <= bound {
            *stretch = before + (sliding + sticking * (step / mass)) * step;
            return sticking;
        }
        let slipping = sticking.clamp_length_max(bound);
        *stretch = -slipping / self.tangential_stiffness;
        slipping
    }
}

impl LinearForce {
    /// The force in N over a step in s on a mass in kg that would have this velocity at the end without it.
    pub fn over_step(&self, velocity: f64, mass: f64, step: f64) -> f64 {
        (self.constant - self.damping * velocity) / (1.0 + step * self.damping / mass)
    }
}

/// The damping ratio zeta with which a spring that never pulls gives a coefficient of restitution (from 0 to 1).
pub fn damping_ratio(restitution: f64) -> f64 {
    let wanted = -libm::log(restitution.clamp(MIN_RESTITUTION, 1.0));
    // Both branches are monotonic; phi falls from pi/2 as the loss grows, psi rises from 0.
    if wanted <= 2.0 {
        let loss = |phi: f64| 2.0 * phi * libm::cos(phi) / libm::sin(phi);
        libm::cos(bisect(core::f64::consts::FRAC_PI_2, 0.0, |phi| phi > 0.0 && loss(phi) < wanted))
    } else {
        let loss = |psi: f64| 2.0 * psi / libm::tanh(psi);
        libm::cosh(bisect(0.0, wanted, |psi| psi == 0.0 || loss(psi) < wanted))
    }
}

/// Where a condition that holds at `from` ceases to, on the way `to`.
fn bisect(mut from: f64, mut to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (from + to);
        if holds(middle) { from = middle } else { to = middle }
    }
    from
}

fn check(what: &'static str, expected: &'static str, found: f64, sound: bool) -> Result<(), PenaltyError> {
    if sound && found.is_finite() { Ok(()) } else { Err(PenaltyError { what, expected, found }) }
}
