//! Contact forces one at a time (Arnold 1997, section 2.4.4): the contact with the most negative relative normal
//! acceleration gets a force, which changes the accelerations of all, until none is negative.
//!
//! ```text
//!   i  = the contact with the lowest a_n;   f_i <- the force that i alone needs;   a <- a + A_i (change of f_i)
//! ```
//!
//! As in Arnold (1997), the tangential part follows Coulomb's law and may change its direction with every visit. Two
//! things differ:
//!
//! - **Forces may decrease.** A force that was applied too early, and lifts its contact after the neighbours got
//!   theirs, theirs, shrinks; what remains is always at least zero. Only adding leaves bodies hovering over contacts
//!   that push though they part. Contacts with such a force, or with a tangential force that breaks Coulomb's law, take
//!   their turn when no normal acceleration is negative any more.
//! - **Static friction opposes the tangential acceleration within the cone.** First the force that makes a contact
//!   stick;
//!   if that leaves the cone, a projected step towards the force that opposes the motion about to begin.
//!
//! Arnold reports that the iteration may not terminate, as a force at one contact can press on another. It is bounded,
//! and the report says whether it converged. Contacts that share a load converge slowly; the cost of a visit grows only
//! linearly with the number of contacts.

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};

use super::contact_force_solver::{admissible, check_size};
use super::{ContactForceError, ContactForceProblem, ContactForceReport, ContactForceSolver, ContactMode};

/// Smallest fraction of a contact's own inverse mass that a unit of normal force with its friction must still lift.
const MIN_LIFT: f64 = 1e-12;

/// The solver with its buffers.
#[derive(Debug, Clone)]
pub struct ArnoldIteration {
    /// Violation of a contact's laws that is allowed, in m/s^2.
    pub tolerance: f64,
    /// Maximum number of visits per contact.
    pub visits_per_contact: usize,
    forces: Vec<DVec3>,
    accelerations: Vec<DVec3>,
}

impl Default for ArnoldIteration {
    fn default() -> Self {
        Self { tolerance: 1e-6, visits_per_contact: 5_000, forces: Vec::new(), accelerations: Vec::new() }
    }
}

impl ContactForceSolver for ArnoldIteration {
    fn solve(
        &mut self,
        problem: &ContactForceProblem<'_>,
        forces: &mut [DVec3],
    ) -> Result<ContactForceReport, ContactForceError> {
        check_size(problem, forces)?;
        self.start(problem, forces);
        let mut iterations = 0;
        while let Some(contact) = self.next_contact(problem) {
            if iterations == self.visits_per_contact * problem.len() {
                break;
            }
            iterations += 1;
            self.visit(problem, contact)?;
        }
        if !self.forces.iter().all(|force| force.is_finite()) {
            return Err(ContactForceError::IterationBound { iterations });
        }
        forces.copy_from_slice(&self.forces);
        let residual = problem.residual(forces);
        // The accelerations are accumulated over the visits: twice the tolerance allows for their rounding.
        Ok(ContactForceReport { iterations, residual, converged: residual <= 2.0 * self.tolerance })
    }
}

impl ArnoldIteration {
    fn start(&mut self, problem: &ContactForceProblem<'_>, guess: &[DVec3]) {
        self.forces.clear();
        self.forces.extend(guess.iter().enumerate().map(|(contact, &force)| admissible(problem, contact, force)));
        self.accelerations.clear();
        self.accelerations.extend((0..problem.len()).map(|contact| problem.acceleration(contact, &self.forces)));
    }

    /// Returns the contact with the most negative normal acceleration; if none is negative, the one that violates its
    /// laws most.
    fn next_contact(&self, problem: &ContactForceProblem<'_>) -> Option<usize> {
        let pressed = |contact: usize| -self.accelerations[contact].x;
        let broken =
            |contact: usize| problem.contact_residual(contact, self.forces[contact], self.accelerations[contact]);
        self.largest(problem.len(), pressed).or_else(|| self.largest(problem.len(), broken))
    }

    /// Returns the first of the contacts with the largest value above the tolerance.
    fn largest(&self, contacts: usize, value: impl Fn(usize) -> f64) -> Option<usize> {
        let mut found = None;
        let mut largest = self.tolerance;
        for contact in 0..contacts {
            let value = value(contact);
            if value > largest {
                (found, largest) = (Some(contact), value);
            }
        }
        found
    }

    fn visit(&mut self, problem: &ContactForceProblem<'_>, contact: usize) -> Result<(), ContactForceError> {
        let (force, acceleration) = (self.forces[contact], self.accelerations[contact]);
        let wanted = match problem.mode(contact) {
            ContactMode::Resting => resting_force(problem, contact, force, acceleration),
            ContactMode::Frictionless | ContactMode::Sliding(_) => {
                sliding_force(problem, contact, force, acceleration)?
            }
        };
        let change = wanted - force;
        self.forces[contact] = wanted;
        for (other, acceleration) in self.accelerations.iter_mut().enumerate() {
            *acceleration += problem.block(other, contact) * change;
        }
        Ok(())
    }
}

/// Returns the force that stops the normal acceleration, with its friction against the sliding.
fn sliding_force(
    problem: &ContactForceProblem<'_>,
    contact: usize,
    force: DVec3,
    acceleration: DVec3,
) -> Result<DVec3, ContactForceError> {
    let unit = problem.unit_normal_force(contact);
    let lift = (problem.block(contact, contact) * unit).x;
    if lift <= MIN_LIFT * problem.normal_inverse_mass(contact) {
        return Err(ContactForceError::Inconsistent);
    }
    Ok(unit * (force.x - acceleration.x / lift).max(0.0))
}

/// Returns the force that makes the contact stick or, outside the cone, a normal step and a projected tangential step.
fn resting_force(problem: &ContactForceProblem<'_>, contact: usize, force: DVec3, acceleration: DVec3) -> DVec3 {
    let friction = problem.friction(contact);
    let block = problem.block(contact, contact);
    if let Some(change) = solve_positive(block, -acceleration) {
        let sticking = force + change;
        if sticking.x >= 0.0 && sticking.yz().length() <= friction * sticking.x {
            return sticking;
        }
    }
    let normal = (force.x - acceleration.x / problem.normal_inverse_mass(contact)).max(0.0);
    // The tangential acceleration after the normal step.
    let slipping = acceleration.yz() + block.x_axis.yz() * (normal - force.x);
    let scale = problem.tangential_inverse_mass(contact);
    let step = if scale > 0.0 { slipping / scale } else { DVec2::ZERO };
    let held = (force.yz() - step).clamp_length_max(friction * normal);
    DVec3::new(normal, held.x, held.y)
}

/// Solves with a symmetric positive definite matrix; `None` where it is singular to rounding.
fn solve_positive(matrix: DMat3, right: DVec3) -> Option<DVec3> {
    let determinant = matrix.determinant();
    let size = matrix.x_axis.x * matrix.y_axis.y * matrix.z_axis.z;
    if determinant <= 1e-10 * size { None } else { Some(matrix.inverse() * right) }
}
