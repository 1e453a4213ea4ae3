//! Residuals of the laws of contact in a contact space.

use super::ContactSpace;
use crate::constraint_solver::contact_problem::ContactResiduals;

impl ContactSpace {
    /// Returns the largest residuals of some contacts at their current impulses and velocities. They correspond to the
    /// [`Residuals`](crate::constraint_solver::contact_problem::Residuals) of a dense problem.
    pub fn residuals(&self, contacts: impl Iterator<Item = usize>) -> ContactResiduals {
        let mut all = ContactResiduals::default();
        for index in contacts {
            let block = &self.blocks()[index];
            let (n, mu) = (block.normal, block.friction);
            let velocity = self.relative_velocity(index);
            let (x_n, w_n) = (block.impulse.dot(n), velocity.dot(n) - block.target);
            let (x_t, w_t) = (block.impulse - n * x_n, velocity - n * velocity.dot(n));
            let k_n = n.dot(block.k * n);
            let k_t = 0.5 * (block.k.x_axis.x + block.k.y_axis.y + block.k.z_axis.z - k_n);
            let radius = mu * x_n.max(0.0);
            all.signorini = all.signorini.max(w_n.min(k_n * x_n).abs());
            all.coulomb = all.coulomb.max(x_t.length() - radius);
            if k_t > 0.0 {
                let inside = x_t.clamp_length_max(radius);
                let natural = (inside - w_t / k_t).clamp_length_max(radius);
                all.dissipation = all.dissipation.max(k_t * (inside - natural).length());
            }
        }
        all
    }
}
