//! Where in a step dampers and servos act.
//!
//! A force that depends on the velocity is evaluated at a share t of the step: at `v + t (v' - v)`, and at the position
//! `x + t h v + t^2 h (v' - v)`. With t = 1/2 this is the midpoint rule, accurate to second order, but a stiff damper
//! would reverse velocities in each step. With t = 1 it is backward Euler, stable at any stiffness, but its error is half a
//! step of time, which creatures exploit. The share chosen here is the one with which a damper slows its axis exactly as it
//! does in continuous time.

use crate::joint::Joint;
use crate::{ImpulseResponse, Model, State, Workspace, articulated_inertias, update_kinematics};

/// Returns the share t of a step such that `v' = v - z (v + t (v' - v))` is the exact solution `v e^-z` of a motion that is
/// damped at the rate z per step: from 1/2 for slow to 1 for fast damping.
#[inline]
pub fn share_of_step(z: f64) -> f64 {
    // The first terms of the series, where the difference below would be inaccurate.
    if z < 1e-3 { 0.5 + z / 12.0 } else { -1.0 / libm::expm1(-z) - 1.0 / z }
}

/// A share of the step (see [`share_of_step`]) and the damping rate that it belongs to, which seldom changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastShare {
    rate: f64,
    share: f64,
}

impl Default for LastShare {
    fn default() -> Self {
        Self { rate: 0.0, share: share_of_step(0.0) }
    }
}

impl LastShare {
    /// Returns the share for a damping rate per step.
    pub fn at(&mut self, rate: f64) -> f64 {
        if rate != self.rate {
            *self = Self { rate, share: share_of_step(rate) };
        }
        self.share
    }
}

/// Returns the inverse effective inertia of each degree of freedom where all positions are zero, in 1/(kg m^2) or 1/kg.
/// Free joints get no finite value.
pub fn inverse_inertias(model: &Model) -> Vec<f64> {
    let (mut workspace, mut response) = (Workspace::new(model), ImpulseResponse::new(model));
    update_kinematics(model, &State::new(model), &mut workspace);
    articulated_inertias(model, &vec![0.0; model.dofs()], &mut workspace);
    let mut inverse = vec![f64::MAX; model.dofs()];
    for link in model.links().iter().filter(|link| link.joint != Joint::Free) {
        let dofs = link.v..link.v + link.dofs as usize;
        for (dof, inverse) in dofs.clone().zip(&mut inverse[dofs]) {
            response.drive(model, dof, 1.0);
            response.propagate(model, &workspace);
            *inverse = response.joint_velocities()[dof];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damping_at_the_share_of_the_step_is_exact() {
        for z in [0.0, 1e-6, 9.99e-4, 1.01e-3, 0.1, 1.0, 7.0, 50.0, 1e9, f64::MAX] {
            let share = share_of_step(z);
            assert!((0.5..=1.0).contains(&share), "{z}: {share}");
            let slowed = (1.0 - z * (1.0 - share)) / (1.0 + z * share);
            assert!((slowed - libm::exp(-z)).abs() < 1e-12, "{z}: {slowed}");
        }
    }
}
