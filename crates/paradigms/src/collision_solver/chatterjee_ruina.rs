//! Chatterjee and Ruina's algebraic law (Fontijne 2000, section 3.4.3).
//! `p_I` stops the normal velocity without friction, `p_II` stops the whole velocity (Fontijne 2000, eq. 3.35, 3.36).
//! The impulse is
//!
//! ```text
//! p = (1 + e) p_I + kappa (p_II - p_I),   kappa = min(1 + e_t, mu (1 + e) n.p_I / (|t(p_II)| - mu n.(p_II - p_I)))
//! ```
//! This is Fontijne (2000) eq. 3.37, scaled back to the friction cone along `p_II - p_I`. Along that line the normal
//! velocity does not change, so the separation speed is exactly `-e` times the approach speed.
//!
//! `p_I` and `p_II - p_I` are orthogonal under `K`, and the energy changes by `-(1 - e^2)/2 u_n^2/k_nn - kappa (2 -
//! kappa)/2 |p_II - p_I|_K^2`: it never increases for `e <= 1` and `0 <= kappa <= 2`.
//!
//! The friction of a sliding collision is along `p_II - p_I`, which need not be exactly opposite to the slip.

use glam::{DMat3, DVec3};

use super::impact::Impact;
use super::{CollisionLaw, ImpactParameters};

/// The algebraic law with normal and tangential restitution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChatterjeeRuina;

impl CollisionLaw for ChatterjeeRuina {
    fn name(&self) -> &'static str {
        "chatterjee-ruina"
    }

    fn impulse(&self, k: &DMat3, u: DVec3, normal: DVec3, parameters: &ImpactParameters) -> DVec3 {
        let Some(impact) = Impact::new(k, u, normal) else { return DVec3::ZERO };
        let ImpactParameters { restitution, tangential_restitution, friction } = parameters.in_range();
        let stop = impact.frictionless();
        let base = (1.0 + restitution) * stop;
        // The tangential part of p_II - p_I.
        let stick = -impact.tangential_response().pseudo_solve(impact.slip_after(stop));
        let kappa = (1.0 + tangential_restitution).min(impact.cone_fraction(base, stick, friction));
        impact.to_world(kappa * stick, base + kappa * impact.normal_part(stick))
    }
}
