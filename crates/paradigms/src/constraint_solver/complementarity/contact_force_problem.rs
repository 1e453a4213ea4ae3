//! The forces at lasting contacts, as a problem of the accelerations (Timchenko 2007, sections IV.B.3.c and d):
//!
//! ```text
//!   a+ = A f + a                    relative accelerations of the contact points, with the forces f and without
//!   0 <= f_n  complementary to  a+_n >= 0
//!   sliding, |u_t| > 0:   f_t = -mu f_n u_t / |u_t|
//!   at rest:              |f_t| <= mu f_n,  and where a+_t is not zero,  f_t = -mu f_n a+_t / |a+_t|
//! ```
//!
//! Vectors have one entry per contact, in the contact's own frame: x along the normal, y and z tangential. Row
//! `3 i + c` of A is component c of contact i. A is symmetric and positive semi-definite, but sliding makes the problem
//! nonsymmetric: a unit of normal force brings its friction along, and the column becomes `A_n - mu A_t u_t / |u_t|`.
//! With such columns the problem may have no solution, or several (Painlevé).
//! The free accelerations must include every velocity-dependent term (the rotating normal, centripetal terms): a+ is
//! the second derivative of the gap, not only the difference of two accelerations. The law at rest is the limit of the
//! sliding one for the motion that is about to begin.
//! The same problem applies to impulses (Timchenko 2007, section IV.B.3.b): A is the same, f are impulses, and the free
//! accelerations are replaced by the velocities before, the normal ones times `1 + e` where the contact approaches.

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};
use thiserror::Error;

use super::projected_gauss_seidel::larger_eigenvalue;

/// Default speed in m/s up to which a contact counts as at rest: a thousandth of what gravity adds in a step of 1 ms.
const DEFAULT_REST_SPEED: f64 = 1e-5;

/// Contacts and their data, checked on construction.
#[derive(Debug, Clone, Copy)]
pub struct ContactForceProblem<'a> {
    matrix: &'a [f64],
    free_accelerations: &'a [DVec3],
    tangential_velocities: &'a [DVec2],
    friction: &'a [f64],
    rest_speed: f64,
}

/// The law of a contact's tangential force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactMode {
    /// There is no tangential force.
    Frictionless,
    /// The force opposes the sliding, whose unit direction this is.
    Sliding(DVec2),
    /// The force is within the cone, against the motion that would begin.
    Resting,
}

/// Why a problem is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ContactProblemError {
    /// The lengths of the slices do not match.
    #[error(
        "{contacts} contacts need a matrix of {expected} entries, {contacts} tangential velocities and {contacts} coefficients of friction, found {matrix}, {velocities} and {friction}"
    )]
    Size {
        /// Number of free accelerations.
        contacts: usize,
        /// Entries that the matrix needs.
        expected: usize,
        /// Entries of the matrix.
        matrix: usize,
        /// Number of tangential velocities.
        velocities: usize,
        /// Number of coefficients of friction.
        friction: usize,
    },
    /// A number is NaN or infinite, or a coefficient of friction is negative.
    #[error("contact {contact}: {what}")]
    Contact {
        /// Index of the contact.
        contact: usize,
        /// What was found and expected.
        what: &'static str,
    },
}

impl<'a> ContactForceProblem<'a> {
    /// Creates a problem from `matrix` by rows in 1/kg, `free_accelerations` in m/s^2, `tangential_velocities` in m/s
    /// (y and z of the contact's frame), and dimensionless `friction`.
    pub fn new(
        matrix: &'a [f64],
        free_accelerations: &'a [DVec3],
        tangential_velocities: &'a [DVec2],
        friction: &'a [f64],
    ) -> Result<Self, ContactProblemError> {
        let contacts = free_accelerations.len();
        let expected = 9 * contacts * contacts;
        if matrix.len() != expected || tangential_velocities.len() != contacts || friction.len() != contacts {
            let (matrix, velocities, friction) = (matrix.len(), tangential_velocities.len(), friction.len());
            return Err(ContactProblemError::Size { contacts, expected, matrix, velocities, friction });
        }
        let rest_speed = DEFAULT_REST_SPEED;
        let problem = Self { matrix, free_accelerations, tangential_velocities, friction, rest_speed };
        (0..contacts).try_for_each(|contact| problem.check_contact(contact))?;
        Ok(problem)
    }

    /// Returns the problem with another speed up to which a contact counts as at rest, in m/s.
    #[must_use]
    pub fn with_rest_speed(self, rest_speed: f64) -> Self {
        Self { rest_speed, ..self }
    }

    fn check_contact(&self, contact: usize) -> Result<(), ContactProblemError> {
        let rows = 9 * contact * self.len()..9 * (contact + 1) * self.len();
        let refuse = |what| Err(ContactProblemError::Contact { contact, what });
        if !self.matrix[rows].iter().all(|entry| entry.is_finite()) {
            return refuse("the matrix has an entry that is not finite");
        }
        if !self.free_accelerations[contact].is_finite() || !self.tangential_velocities[contact].is_finite() {
            return refuse("the acceleration or the velocity is not finite");
        }
        if !(self.friction[contact] >= 0.0 && self.friction[contact].is_finite()) {
            return refuse("the coefficient of friction must be finite and at least zero");
        }
        if self.normal_inverse_mass(contact) <= 0.0 {
            return refuse("no force can move it: the normal's diagonal entry must be positive");
        }
        Ok(())
    }

    /// Returns the number of contacts.
    pub fn len(&self) -> usize {
        self.free_accelerations.len()
    }

    /// Returns whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.free_accelerations.is_empty()
    }

    /// Returns the acceleration of one contact per force at another, in 1/kg.
    pub fn block(&self, contact: usize, forced: usize) -> DMat3 {
        let size = 3 * self.len();
        let column = |c: usize| {
            let at = 3 * contact * size + 3 * forced + c;
            DVec3::new(self.matrix[at], self.matrix[at + size], self.matrix[at + 2 * size])
        };
        DMat3::from_cols(column(0), column(1), column(2))
    }

    /// Returns the acceleration along the normal per normal force of a contact, in 1/kg. It is positive.
    pub fn normal_inverse_mass(&self, contact: usize) -> f64 {
        self.matrix[3 * contact * (3 * self.len() + 1)]
    }

    /// Returns the larger tangential acceleration per tangential force of a contact, in 1/kg.
    pub fn tangential_inverse_mass(&self, contact: usize) -> f64 {
        let block = self.block(contact, contact);
        larger_eigenvalue(block.y_axis.y, 0.5 * (block.y_axis.z + block.z_axis.y), block.z_axis.z)
    }

    /// Returns the relative acceleration of a contact without contact forces, in m/s^2.
    pub fn free_acceleration(&self, contact: usize) -> DVec3 {
        self.free_accelerations[contact]
    }

    /// Returns the coefficient of friction of a contact.
    pub fn friction(&self, contact: usize) -> f64 {
        self.friction[contact]
    }

    /// Returns the law of a contact's tangential force.
    pub fn mode(&self, contact: usize) -> ContactMode {
        let velocity = self.tangential_velocities[contact];
        if self.friction[contact] == 0.0 {
            ContactMode::Frictionless
        } else if velocity.length() > self.rest_speed {
            ContactMode::Sliding(velocity.normalize())
        } else {
            ContactMode::Resting
        }
    }

    /// Returns the force that comes with a unit of normal force: the normal itself, and friction where the contact
    /// slides.
    pub fn unit_normal_force(&self, contact: usize) -> DVec3 {
        match self.mode(contact) {
            ContactMode::Sliding(direction) => DVec3::X - tangential(direction) * self.friction[contact],
            ContactMode::Frictionless | ContactMode::Resting => DVec3::X,
        }
    }

    /// Returns the relative acceleration of a contact under forces (one per contact, in N), in m/s^2.
    pub fn acceleration(&self, contact: usize, forces: &[DVec3]) -> DVec3 {
        let pushed = |(forced, force): (usize, &DVec3)| self.block(contact, forced) * *force;
        self.free_accelerations[contact] + forces.iter().enumerate().map(pushed).sum::<DVec3>()
    }

    /// Returns the violation of the laws above by a contact with a force and its acceleration, in m/s^2: the change by
    /// a projected step along the acceleration, as an acceleration.
    pub fn contact_residual(&self, contact: usize, force: DVec3, acceleration: DVec3) -> f64 {
        let normal = (force.x * self.normal_inverse_mass(contact)).min(acceleration.x).abs();
        let bound = self.friction[contact] * force.x.max(0.0);
        let scale = self.tangential_inverse_mass(contact);
        let (held, moved) = (force.yz(), acceleration.yz());
        let tangential = match self.mode(contact) {
            ContactMode::Frictionless => scale * held.length(),
            ContactMode::Sliding(direction) => scale * (held + direction * bound).length(),
            ContactMode::Resting if scale > 0.0 => {
                scale * (held - (held - moved / scale).clamp_length_max(bound)).length()
            }
            ContactMode::Resting => 0.0,
        };
        normal.max(tangential)
    }

    /// Returns the largest [residual](Self::contact_residual) of all contacts, in m/s^2.
    pub fn residual(&self, forces: &[DVec3]) -> f64 {
        (0..self.len())
            .map(|i| self.contact_residual(i, forces[i], self.acceleration(i, forces)))
            .fold(0.0, |largest, found| if found > largest || found.is_nan() { found } else { largest })
    }
}

/// A tangential vector in the contact's frame.
pub(super) fn tangential(vector: DVec2) -> DVec3 {
    DVec3::new(0.0, vector.x, vector.y)
}
