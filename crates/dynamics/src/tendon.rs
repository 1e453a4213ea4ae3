//! Tendons over joints: damped springs on a weighted sum of positions.
//!
//! ```text
//!   l = sum of c_i q_i                     the length
//!   f = -k (l beyond its rest) - d l'      slack from rest[0] to rest[1]
//!   effort_i = c_i f
//! ```
//!
//! As an [`Environment`] they are explicit: the step has to resolve them. Simulators that solve for end velocities can
//! make them implicit, as `burgess_simulation` does.

use crate::joint::Joint;
use crate::{Environment, Model, Moment, Workspace};

/// One axis in the length of a tendon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TendonPart {
    /// Degree of freedom.
    pub dof: usize,
    /// Index of its position in `State::q`.
    pub position: usize,
    /// Coefficient of its position (rad or m).
    pub coefficient: f64,
}

impl TendonPart {
    /// Creates the part of an axis of a link's joint. Returns `None` if the axis does not exist, and for ball and free
    /// joints, whose positions are quaternions.
    pub fn new(model: &Model, link: usize, axis: usize, coefficient: f64) -> Option<Self> {
        let link = model.links().get(link)?;
        let has_numbers = !matches!(link.joint, Joint::Spherical | Joint::Free);
        (has_numbers && axis < link.dofs as usize).then_some(Self {
            dof: link.v + axis,
            position: link.q + axis,
            coefficient,
        })
    }
}

/// A damped spring on a weighted sum of positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Tendon {
    /// Parts whose sum is the length.
    pub parts: Vec<TendonPart>,
    /// Stiffness, in N/m, N m/rad or a mixture, depending on the coefficients.
    pub stiffness: f64,
    /// Damping, in the units of the stiffness times s.
    pub damping: f64,
    /// Shortest and longest length at which the spring is slack.
    pub rest: [f64; 2],
}

impl Tendon {
    /// Returns the length at given positions.
    pub fn length(&self, q: &[f64]) -> f64 {
        self.parts.iter().map(|part| part.coefficient * q[part.position]).sum()
    }

    /// Returns the rate of the length at given velocities (or its acceleration at given accelerations).
    pub fn rate(&self, v: &[f64]) -> f64 {
        self.parts.iter().map(|part| part.coefficient * v[part.dof]).sum()
    }

    /// Returns the rest length from which the spring is stretched or compressed; `None` where it is slack.
    #[inline]
    pub fn anchor(&self, length: f64) -> Option<f64> {
        let [shortest, longest] = self.rest;
        if length >= longest {
            Some(longest)
        } else if length <= shortest {
            Some(shortest)
        } else {
            None
        }
    }

    /// Returns the force of spring and damper.
    pub fn force(&self, length: f64, rate: f64) -> f64 {
        let stretch = self.anchor(length).map_or(0.0, |anchor| length - anchor);
        -self.stiffness * stretch - self.damping * rate
    }

    /// Returns the energy of the spring, in J.
    pub fn energy(&self, q: &[f64]) -> f64 {
        let length = self.length(q);
        let stretch = self.anchor(length).map_or(0.0, |anchor| length - anchor);
        0.5 * self.stiffness * stretch * stretch
    }

    /// Adds the efforts at given positions and velocities, in N m and N.
    pub fn add_efforts(&self, q: &[f64], v: &[f64], efforts: &mut [f64]) {
        let force = self.force(self.length(q), self.rate(v));
        for part in &self.parts {
            efforts[part.dof] += part.coefficient * force;
        }
    }
}

/// All tendons of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tendons(pub Vec<Tendon>);

impl Environment for Tendons {
    fn drive(&mut self, _model: &Model, moment: &Moment, _workspace: &Workspace, efforts: &mut [f64]) {
        for tendon in &self.0 {
            tendon.add_efforts(moment.q, moment.v, efforts);
        }
    }
}
