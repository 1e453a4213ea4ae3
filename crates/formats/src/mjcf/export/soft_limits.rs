//! Converts limits with springs to MuJoCo's soft limits.
//!
//! The softness of MuJoCo's constraints is relative to an inertia: with constant `solimp` d, `solref = (-s, -b)` and w
//! the inverse inertia of the axis where all positions are zero (`dof_invweight0`), a limit that is violated by r at
//! velocity v and acceleration a exerts the force
//!
//! ```text
//!   f = (s r + b v + d a) / ((1 - d) w),     so s = (1 - d) w k,  b = (1 - d) w c
//! ```
//!
//! for a spring k and a damper c. The last term is an extra inertia, `d / (1 - d)` of the axis' own, so d is small.

use burgess_scene::BuiltScene;

/// Constraint impedance d.
pub(super) const IMPEDANCE: f64 = 0.01;

/// Returns the inverse effective inertia of each degree of freedom where all positions are zero, in 1/(kg m^2) or 1/kg;
/// empty if no limit has a spring.
pub(super) fn inverse_inertias(built: &BuiltScene) -> Vec<f64> {
    let model = built.world.model();
    if model.properties().iter().all(|axis| axis.limit_spring.is_none()) {
        return Vec::new();
    }
    burgess_dynamics::inverse_inertias(model)
}
