//! The interface of the contact force solvers.

use glam::{DVec3, Vec3Swizzles};
use thiserror::Error;

use super::{ContactForceProblem, ContactMode};

/// Finds forces for contacts.
pub trait ContactForceSolver {
    /// Writes one force per contact, in N and in the contact's frame (x normal, y and z tangential). What `forces`
    /// holds is the first guess, where the method can use one. On an error it is left as it was.
    ///
    /// Where contacts are redundant the forces are one of many solutions; the accelerations are unique.
    fn solve(
        &mut self,
        problem: &ContactForceProblem<'_>,
        forces: &mut [DVec3],
    ) -> Result<ContactForceReport, ContactForceError>;
}

/// Quality of the forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForceReport {
    /// Number of pivots, sweeps or applied forces, depending on the method.
    pub iterations: usize,
    /// [Residual](ContactForceProblem::residual) of the forces, in m/s^2.
    pub residual: f64,
    /// Whether the residual is within the method's tolerance.
    pub converged: bool,
}

/// Why there are no forces.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ContactForceError {
    /// Painlevé's case: friction of a sliding contact accelerates it inward faster than the normal force can lift it.
    /// Or contradictory contacts: a body squeezed between immovable things.
    #[error(
        "no finite forces keep these contacts: friction presses a sliding contact on faster than its normal force lifts it, or contacts contradict each other; an impulse is needed"
    )]
    Inconsistent,
    /// The method stopped without usable forces.
    #[error("no forces were found in {iterations} iterations")]
    IterationBound {
        /// Number of iterations of the method.
        iterations: usize,
    },
    /// The length of the slice of forces does not match the problem.
    #[error("{contacts} contacts need {contacts} forces, found {found}")]
    Size {
        /// Number of contacts.
        contacts: usize,
        /// Length of the slice.
        found: usize,
    },
    /// A setting is invalid.
    #[error("{0}")]
    Setting(&'static str),
}

/// Returns an error if the length of the slice of forces does not match.
pub(super) fn check_size(problem: &ContactForceProblem<'_>, forces: &[DVec3]) -> Result<(), ContactForceError> {
    let (contacts, found) = (problem.len(), forces.len());
    if contacts == found { Ok(()) } else { Err(ContactForceError::Size { contacts, found }) }
}

/// Projects an initial guess to the laws of force: within the cone, against the sliding, finite.
pub(super) fn admissible(problem: &ContactForceProblem<'_>, contact: usize, guess: DVec3) -> DVec3 {
    if !guess.is_finite() || guess.x <= 0.0 {
        return DVec3::ZERO;
    }
    let unit = problem.unit_normal_force(contact);
    let held = match problem.mode(contact) {
        ContactMode::Resting => guess.yz().clamp_length_max(problem.friction(contact) * guess.x),
        _ => unit.yz() * guess.x,
    };
    DVec3::new(guess.x, held.x, held.y)
}
