//! One contact: the exact solution against the laws and against brute force over directions.

use burgess_simulation::constraint_solver::contact_problem::{ContactBlock, solve_contact};
use glam::{DMat3, DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Returns the residual of `x`, in m/s: the natural map with the mean diagonal entry.
fn defect(k: &DMat3, b: DVec3, friction: f64, x: DVec3) -> f64 {
    let w = *k * x + b;
    let g = (k.x_axis.x + k.y_axis.y + k.z_axis.z) / 3.0;
    let normal = (g * x.x).min(w.x).abs();
    let (x_t, w_t) = (DVec2::new(x.y, x.z) * g, DVec2::new(w.y, w.z));
    let tangent = (x_t - (x_t - w_t).clamp_length_max(friction * x.x.max(0.0) * g)).length();
    normal.max(tangent)
}

/// Returns all solutions: open, stick, and the sliding directions found on a fine circle and bisected.
fn brute_force(k: &DMat3, b: DVec3, friction: f64) -> Vec<DVec3> {
    const DIRECTIONS: usize = 3000;
    let mut solutions = Vec::new();
    if b.x >= 0.0 {
        solutions.push(DVec3::ZERO);
    }
    let stick = -(k.inverse() * b);
    if stick.x >= 0.0 && DVec2::new(stick.y, stick.z).length() <= friction * stick.x {
        solutions.push(stick);
    }
    let slide = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        let along = DVec3::new(1.0, friction * cos, friction * sin);
        let x = along * (-b.x / k.row(0).dot(along));
        let w = *k * x + b;
        (x, cos * w.z - sin * w.y, cos * w.y + sin * w.z)
    };
    let step = std::f64::consts::TAU / DIRECTIONS as f64;
    for i in 0..DIRECTIONS {
        let (mut left, mut right) = (i as f64 * step, (i + 1) as f64 * step);
        let sign = slide(left).1 > 0.0;
        if (slide(right).1 > 0.0) == sign {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (left + right);
            if (slide(middle).1 > 0.0) == sign { left = middle } else { right = middle }
        }
        let (x, _, along) = slide(left);
        if x.x > 0.0 && along <= 0.0 {
            solutions.push(x);
        }
    }
    solutions
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// Returns the block of a contact at `arm` on a body of mass 1 with these inverse inertias: long arms couple normal and
/// tangent strongly.
fn block(arm: DVec3, inverse_inertia: DVec3) -> DMat3 {
    let cross = DMat3::from_cols(DVec3::X.cross(arm), DVec3::Y.cross(arm), DVec3::Z.cross(arm));
    DMat3::IDENTITY + cross.transpose() * DMat3::from_diagonal(inverse_inertia) * cross
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    #[test]
    fn the_laws_hold_and_brute_force_finds_the_solution(
        arm in vector(2.0),
        inertia in (0.0..20.0, 0.0..20.0, 0.0..20.0),
        b in vector(1.0),
        friction in 0.0..2.0,
    ) {
        let k = block(arm, DVec3::new(inertia.0, inertia.1, inertia.2));
        let x = solve_contact(&k, b, friction);
        let scale = 1.0 + (k.x_axis.x + k.y_axis.y + k.z_axis.z) * x.length();
        // The direction is found to about 1e-15; a nearly singular slide magnifies it.
        prop_assert!(defect(&k, b, friction, x) < 1e-11 * scale, "defect {:e}", defect(&k, b, friction, x));
        prop_assert!(DVec2::new(x.y, x.z).length() <= friction * x.x * (1.0 + 1e-15));
        let known = brute_force(&k, b, friction);
        let nearest = known.iter().map(|y| (*y - x).length()).fold(f64::INFINITY, f64::min);
        prop_assert!(nearest < 1e-8 * (1.0 + x.length()), "{x} is not among {known:?}");
    }

    /// A block of rank one or two, as on a link with few degrees of freedom, and a velocity that the link can have.
    #[test]
    fn a_singular_block_is_solved(
        axes in (vector(1.0), vector(1.0)),
        rank_two in any::<bool>(),
        motion in (-1.0..1.0, -1.0..1.0),
        friction in 0.0..2.0,
    ) {
        let outer = |a: DVec3| DMat3::from_cols(a * a.x, a * a.y, a * a.z);
        let second = if rank_two { axes.1 } else { DVec3::ZERO };
        let k = outer(axes.0) + outer(second);
        let b = axes.0 * motion.0 + second * motion.1;
        let independent = axes.0.cross(second).length() > 0.05 || !rank_two;
        prop_assume!(independent && k.x_axis.x > 1e-2);
        let x = solve_contact(&k, b, friction);
        let w = k * x + b;
        prop_assert!(DVec2::new(x.y, x.z).length() <= friction * x.x * (1.0 + 1e-12));
        prop_assert!(w.x >= -1e-9 * (1.0 + x.length()), "still approaching: {w}");
        prop_assert!(x.x * w.x.abs() < 1e-8 * (1.0 + x.length_squared()));
        // Stick is accepted to 1e-9 of b when the inverse is a pseudo-inverse.
        let defect = defect(&k, b, friction, x);
        prop_assert!(defect < 1e-8 * (1.0 + x.length()), "{x} {w} {defect:e}");
    }
}

#[test]
fn sliding_does_not_lift() {
    let k = block(DVec3::new(-0.5, 0.3, 0.1), DVec3::new(2.0, 3.0, 4.0));
    let block = ContactBlock::new(k, 0.3);
    let b = DVec3::new(-0.1, 1.0, 0.4);
    let w = k * block.solve(b) + b;
    assert!(w.x.abs() < 1e-14 && DVec2::new(w.y, w.z).length() > 0.1);
}

#[test]
fn a_zero_matrix_gives_no_impulse() {
    assert_eq!(solve_contact(&DMat3::ZERO, DVec3::new(-1.0, 0.5, 0.0), 0.5), DVec3::ZERO);
}

#[test]
fn bad_numbers_do_no_harm() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let _ = solve_contact(&DMat3::IDENTITY, DVec3::new(bad, 1.0, 0.0), 0.5);
        let _ = solve_contact(&DMat3::IDENTITY, DVec3::new(-1.0, bad, 0.0), 0.5);
        let _ = solve_contact(&(DMat3::IDENTITY * bad), DVec3::new(-1.0, 1.0, 0.0), 0.5);
        let _ = solve_contact(&DMat3::IDENTITY, DVec3::new(-1.0, 1.0, 0.0), bad);
    }
}
