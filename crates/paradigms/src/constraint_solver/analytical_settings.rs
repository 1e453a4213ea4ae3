//! Settings of analytical contact forces.

use burgess_simulation::WorldError;

/// Method of computing contact forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ForceMethod {
    /// Lemke's algorithm: exact. Groups with more contacts than [`AnalyticalSettings::most_exact`] are solved by
    /// sweeping.
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
    /// Method of computing forces.
    pub method: ForceMethod,
    /// Maximum number of contacts of a group for Lemke's algorithm: its work grows with the third power.
    pub most_exact: usize,
    /// Maximum gap of a contact, in m.
    pub contact_tolerance: f64,
    /// Increase of depth during a step above which the time control is informed, in m; infinite for time controls that
    /// cannot go back.
    pub penetration_tolerance: f64,
    /// Approximate fraction of an error that one step corrects: alpha times the usual step. From 0 to about 1.
    pub feedback: f64,
    /// Slip that counts as none, relative to the speed that gravity adds in a step.
    pub rest_share: f64,
    /// Whether forces act only on contacts that a collision solver has marked as lasting (see
    /// [`TransientImpulses`](crate::collision_solver::TransientImpulses)).
    pub lasting_only: bool,
    /// Whether the accelerations include the terms of rolling surfaces. Without them spinning balls sink in.
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
    /// Returns an error for invalid numbers.
    pub(super) fn check(&self, step: f64) -> Result<(), WorldError> {
        WorldError::unless_positive("the step of analytical forces", step)?;
        WorldError::unless_positive("the contact tolerance", self.contact_tolerance)?;
        let penetration = self.penetration_tolerance;
        WorldError::unless(penetration > 0.0, "the penetration tolerance", "positive", penetration)?;
        WorldError::unless((0.0..=1.0).contains(&self.feedback), "the feedback", "from 0 to 1", self.feedback)?;
        WorldError::unless_not_negative("the rest share", self.rest_share)
    }
}
