//! Tendons over joints: damped springs on a sum of positions.
//!
//! ```text
//!   l = sum of c_i q_i                     the length
//!   f = -k (l beyond its rest) - d l'      slack from rest[0] to rest[1]
//!   effort_i = c_i f
//! ```
//!
//! As an [`Environment`] they are explicit: the step has to resolve them. Simulators that solve for end velocities can make
//! them implicit, as the rows of `burgess_simulation` are.

use crate::joint::Joint;
use crate::{Environment, Model, Moment, Workspace};

/// One axis in the length of a tendon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TendonPart {
    /// Its degree of freedom.
    pub dof: usize,
    /// Where its position is in `State::q`.
    pub position: usize,
    /// What its position (rad or m) is multiplied by.
    pub coefficient: f64,
}

impl TendonPart {
    /// An axis of a link's joint. None if there is no such axis, and for ball and free joints, whose positions are no numbers.
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

/// A damped spring on a sum of positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Tendon {
    /// What its length is made of.
    pub parts: Vec<TendonPart>,
    /// In N/m, N m/rad or a mixture, as the coefficients make it.
    pub stiffness: f64,
    /// The like, times s.
    pub damping: f64,
    /// Shortest and longest length at which the spring is slack.
    pub rest: [f64; 2],
}

impl Tendon {
    /// At given positions.
    pub fn length(&self, q: &[f64]) -> f64 {
        self.parts.iter().map(|part| part.coefficient * q[part.position]).sum()
    }

    /// How fast it grows longer at given velocities, or what accelerations make of it.
    pub fn rate(&self, v: &[f64]) -> f64 {
        self.parts.iter().map(|part| part.coefficient * v[part.dof]).sum()
    }

    /// The length from which the spring is stretched or pressed; none where it is slack.
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

    /// Of spring and damper.
    pub fn force(&self, length: f64, rate: f64) -> f64 {
        let stretch = self.anchor(length).map_or(0.0, |anchor| length - anchor);
        -self.stiffness * stretch - self.damping * rate
    }

    /// Of the spring, in J.
    pub fn energy(&self, q: &[f64]) -> f64 {
        let length = self.length(q);
        let stretch = self.anchor(length).map_or(0.0, |anchor| length - anchor);
        0.5 * self.stiffness * stretch * stretch
    }

    /// Adds its efforts at given positions and velocities, in N m and N.
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
