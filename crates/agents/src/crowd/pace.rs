//! How fast people walk in a crowd (Weidmann 1993).
//!
//! The speed falls with the density, in persons per square metre:
//!
//! ```text
//!   v / v_free = 1 - exp(-gamma (1 / density - 1 / max_density)),   gamma = 1.913 / m^2,  max_density = 5.4 / m^2
//! ```
//!
//! A walker counts the persons within a radius R, itself too, with the weight
//!
//! ```text
//!   (1 - (d/R)^2) (1 + cos a)^3 / 2.5
//! ```
//!
//! where a is the angle from its heading, so those ahead count most and those behind hardly at all. The mean over all angles is
//! 1, so the weights of uniformly spread persons add to `density pi R^2 / 2`.
//!
//! The distance d is the expected one: a person who walks away faster leaves more room. In a stream in which
//! all walk alike this changes nothing. Behind the narrowest place of a way people walk apart, so more can pass
//! it than Weidmann's curve allows in a long corridor. Seyfried et al. (2009) measured still more.

use glam::DVec2;

/// Mean speed of a person who is free to walk, in m/s.
pub const FREE_SPEED: f64 = 1.34;

const GAMMA: f64 = 1.913;
const MAX_DENSITY: f64 = 5.4;

/// Radius within which a walker counts others, in m.
pub(super) const COUNT_RADIUS: f64 = 1.5;

/// Time for which a walker expects others to go on as they do, in s.
const FORESIGHT: f64 = 1.5;

/// Returns the share of its free speed with which a person walks at a density (1/m^2).
pub fn speed_share(density: f64) -> f64 {
    if density <= 0.0 {
        return 1.0;
    }
    (1.0 - libm::exp(-GAMMA * (1.0 / density - 1.0 / MAX_DENSITY))).max(0.0)
}

/// Weight of a person at an offset (m) from a walker that looks along a unit vector.
pub(super) fn count_weight(offset: DVec2, heading: DVec2) -> f64 {
    let square = offset.length_squared() / (COUNT_RADIUS * COUNT_RADIUS);
    if square >= 1.0 {
        return 0.0;
    }
    let ahead = 1.0 + offset.normalize_or_zero().dot(heading);
    (1.0 - square) * ahead * ahead * ahead / 2.5
}

/// Returns the expected offset (m) of a person that walks at a relative pace (m/s). Only those who walk away leave more
/// room: a person who comes nearer can still turn aside.
pub(super) fn expected_offset(offset: DVec2, relative_pace: DVec2) -> DVec2 {
    let away = offset.normalize_or_zero();
    offset + away * (FORESIGHT * relative_pace.dot(away)).max(0.0)
}

/// Converts the sum of the weights to a density (1/m^2), where only a share of the surroundings can be walked on.
pub(super) fn density(weights: f64, open_share: f64) -> f64 {
    weights / (0.5 * std::f64::consts::PI * COUNT_RADIUS * COUNT_RADIUS * open_share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64;

    /// Values of the published curve.
    #[test]
    fn speeds_are_those_of_weidmann() {
        assert_eq!(speed_share(0.0), 1.0);
        for (density, speed) in [(0.5, 1.298), (1.0, 1.058), (2.0, 0.606), (4.0, 0.156)] {
            assert!((FREE_SPEED * speed_share(density) - speed).abs() < 2e-3, "{density}: {}", speed_share(density));
        }
        assert_eq!([5.4, 6.0, 1e9].map(speed_share), [0.0; 3]);
    }

    /// Random persons: those who walk away are expected farther off in the same direction, others where they are.
    #[test]
    fn only_those_who_walk_away_leave_more_room() {
        let mut random = Pcg64::seed_from_u64(3);
        let mut point = || DVec2::new(random.random_range(-2.0..2.0), random.random_range(-2.0..2.0));
        for _ in 0..200 {
            let (offset, pace) = (point(), point());
            let expected = expected_offset(offset, pace);
            let farther = FORESIGHT * (pace.dot(offset) / offset.length()).max(0.0);
            assert!((expected.length() - offset.length() - farther).abs() < 1e-12);
            assert!(expected.perp_dot(offset).abs() < 1e-12 && expected.dot(offset) > 0.0);
        }
    }

    /// A fine lattice of persons, the walker in the middle, has the density of the lattice.
    #[test]
    fn counts_of_a_lattice_give_its_density() {
        for heading in [DVec2::X, DVec2::new(-0.6, 0.8)] {
            let spacing = 0.05;
            let at = |index: i32| spacing * f64::from(index);
            let weights: f64 = (-40..=40)
                .flat_map(|x| (-40..=40).map(move |y| DVec2::new(at(x), at(y))))
                .map(|offset| count_weight(offset, heading))
                .sum();
            let found = density(weights, 1.0);
            assert!((found * spacing * spacing - 1.0).abs() < 0.01, "{found}");
        }
    }
}
