//! Newton's restitution with Coulomb friction at separation (Arnold 1997, section 2.4.3; Kane and Levinson 1985).
//! The normal velocity after the collision is `-e u_n`. The contact sticks if an impulse in the friction cone can
//! achieve it; otherwise it slides, with the impulse on the cone and opposite to the slip `w` at separation:
//!
//! ```text
//! w = w_0 + S p_t,   p_t = -w / lambda,   |p_t| = mu p_n     so     p_t = -(S + lambda)^-1 w_0,   lambda > 0,
//! ```
//! with `w_0` the slip without friction and `S` the tangential response at constant normal velocity. This leaves one
//! unknown with a bracket. If friction couples back into the normal impulse so strongly that there are several
//! solutions, one of them is used; if there is none (a wedged contact, `K` singular), the sticking impulse is scaled
//! back to the cone.
//! Friction acts as if the whole impulse were applied at the end: where slip stops or turns during an eccentric
//! collision, the law can add energy, even for `e < 1`. It is provided for comparison and for its simple meaning of
//! `e`.

use glam::{DMat3, DVec2, DVec3};

use super::impact::Impact;
use super::root::root_between;
use super::symmetric_matrix::IMMOVABLE;
use super::{CollisionLaw, ImpactParameters};

/// The algebraic law with Newton's restitution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Newton;

/// Relative accuracy of the length of a sliding impulse.
const CONE_TOLERANCE: f64 = 1e-14;

impl CollisionLaw for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn impulse(&self, k: &DMat3, u: DVec3, normal: DVec3, parameters: &ImpactParameters) -> DVec3 {
        let Some(impact) = Impact::new(k, u, normal) else { return DVec3::ZERO };
        let ImpactParameters { restitution, friction, .. } = parameters.in_range();
        let base = (1.0 + restitution) * impact.frictionless();
        let stick = -impact.tangential_response().pseudo_solve(impact.slip_after(base));
        let kappa = impact.cone_fraction(base, stick, friction);
        let tangential =
            if kappa >= 1.0 { stick } else { sliding_impulse(&impact, base, friction).unwrap_or(kappa * stick) };
        impact.to_world(tangential, base + impact.normal_part(tangential))
    }
}

/// Returns the tangential impulse that opposes the resulting slip, where sticking would leave the cone; `None` if there
/// is none.
fn sliding_impulse(impact: &Impact, base: f64, friction: f64) -> Option<DVec2> {
    let (response, slip) = (impact.tangential_response(), impact.slip_after(base));
    let tangential = |lambda: f64| -response.shifted_solve(1.0, lambda, slip);
    // Nearly linear in lambda: the allowed over the actual length of the tangential impulse.
    let excess = |lambda: f64| {
        let p_t = tangential(lambda);
        friction * (base + impact.normal_part(p_t)) / p_t.length() - 1.0
    };
    // |p_t| <= |slip| / lambda bounds lambda from above; near zero the impulse is outside the cone.
    let coupling = impact.k_tn.length() / impact.k_nn;
    let high = slip.length() * (1.0 + friction * coupling) / (friction * base);
    let (low, at_low, at_high) = (IMMOVABLE, excess(IMMOVABLE), excess(high));
    let bracket = low < high && high.is_finite() && at_low < 0.0 && at_high >= 0.0;
    bracket.then(|| tangential(root_between((low, at_low), (high, at_high), CONE_TOLERANCE, excess)))
}
