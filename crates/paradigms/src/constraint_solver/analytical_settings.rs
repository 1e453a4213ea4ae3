//! Settings of analytical contact forces.

use burgess_simulation::WorldError;

/// How contact forces are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ForceMethod {
    /// Lemke's algorithm: exact. Groups of more contacts than [`AnalyticalSettings::most_exact`] are swept all the
    /// same.
    #[default]
    Lemke,
    /// Projected Gauss-Seidel: approximate, for larger groups.
    GaussSeidel,
    /// Contact after contact, the most violated first (Arnold 1997, section 2.4.4).
    Arnold,
}

/// Settings of analytical contact forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnalyticalSettings {
    /// How forces are found.
    pub method: ForceMethod,
    /// The most contacts of a group that Lemke's algorithm is asked for: its work grows with the third power.
    pub most_exact: usize,
    /// Gaps up to this are contacts, in m.
    pub contact_tolerance: f64,
    /// If bodies get deeper in each other by this during a step, the time control has to know, in m; infinite for those
    /// that cannot go back.
    pub penetration_tolerance: f64,
    /// How much of an error one step takes back, roughly: alpha times the usual step. From 0 to about 1.
    pub feedback: f64,
    /// Slip slower than what gravity gains in a step times this counts as none.
    pub rest_share: f64,
    /// Are there forces only where a collision solver says that a contact lasts (see
    /// [`TransientImpulses`](crate::collision_solver::TransientImpulses))?
    pub lasting_only: bool,
    /// Are the terms of rolling surfaces in the accelerations? Without them spinning balls sink in.
    pub rolling_terms: bool,
}

impl Default for AnalyticalSettings {
    fn default() -> Self {
        Self {
            method: ForceMethod::Lemke,
            most_exact: 24,
            contact_tolerance: 1e-3,
            penetration_tolerance: 1e-3,
            feedback: 0.2,
            rest_share: 0.5,
            lasting_only: false,
            rolling_terms: true,
        }
    }
}

impl AnalyticalSettings {
    /// Refuses numbers that make no sense.
    pub(super) fn check(&self, step: f64) -> Result<(), WorldError> {
        WorldError::unless_positive("the step of analytical forces", step)?;
        WorldError::unless_positive("the contact tolerance", self.contact_tolerance)?;
        let penetration = self.penetration_tolerance;
        WorldError::unless(penetration > 0.0, "the penetration tolerance", "positive", penetration)?;
        WorldError::unless((0.0..=1.0).contains(&self.feedback), "the feedback", "from 0 to 1", self.feedback)?;
        WorldError::unless_not_negative("the rest share", self.rest_share)
    }
}
