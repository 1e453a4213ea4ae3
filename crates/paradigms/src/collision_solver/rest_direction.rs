//! The behaviour of a contact whose tangential velocity has vanished: it sticks, or it slides again.
//! It sticks if the tangential impulse that holds it, `-K_tt^-1 k_tn` per unit of normal impulse, is in the friction
//! cone (Arnold 1997, eq. 2.28, 2.29). Otherwise it slides in a constant direction `s` (Bhatt and Koechling; Arnold
//! 1997, eq. 2.30 solved without losing a sign): friction `-mu s` must accelerate the contact along `s`,
//!
//! ```text
//! k_tn - mu K_tt s = lambda s,   lambda > 0     so     s = (mu K_tt + lambda)^-1 k_tn,   |s| = 1.
//! ```
//! The length of that decreases as `lambda` grows, from above 1 at zero (sticking is not allowed) to 0: there is
//! exactly one solution. It is also where `d^T K d`, the response along the impulse `d = n - mu s`, is the least of all
//! directions.

use glam::DVec2;

use super::impact::Impact;
use super::root::root_between;

/// Accuracy of the length of the unit vector `s`.
const LENGTH_TOLERANCE: f64 = 1e-14;

/// Returns the tangential impulse per unit of normal impulse of a contact without tangential velocity.
pub(super) fn rest_direction(impact: &Impact, friction: f64) -> DVec2 {
    let hold = -impact.k_tt.pseudo_solve(impact.k_tn);
    if hold.length() <= friction {
        return hold;
    }
    let direction = |lambda: f64| impact.k_tt.shifted_solve(friction, lambda, impact.k_tn);
    let shortfall = |lambda: f64| 1.0 / direction(lambda).length() - 1.0;
    // |s| <= |k_tn| / lambda bounds lambda from above.
    let high = impact.k_tn.length();
    let lambda =
        root_between((0.0, friction / hold.length() - 1.0), (high, shortfall(high)), LENGTH_TOLERANCE, shortfall);
    -friction * direction(lambda).normalize_or_zero()
}
