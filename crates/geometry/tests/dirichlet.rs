//! Dirichlet domains of random groups and base points.

use std::f64::consts::PI;

use burgess_geometry::glam::{DMat3, DVec3};
use burgess_geometry::manifold::{Manifold, ManifoldError, Recipe, SpaceName, dirichlet_domain};
use burgess_geometry::space::{Isometry, Space};
use proptest::prelude::*;

fn vector(limit: f64) -> impl Strategy<Value = DVec3> {
    [-limit..limit, -limit..limit, -limit..limit].prop_map(DVec3::from_array)
}

/// Checks what holds in every manifold: closed cycles, Euler's formula, and an origin inside.
fn check(manifold: &Manifold, tolerance: f64) -> Result<(), TestCaseError> {
    let domain = &manifold.domain;
    for cycle in &manifold.cycles {
        prop_assert!(cycle.error() < tolerance, "{}", cycle.error());
    }
    prop_assert_eq!(domain.vertices.len() + domain.faces.len(), domain.edges.len() + 2);
    prop_assert!(domain.in_radius() > 0.0 && domain.in_radius() < domain.out_radius());
    for face in &domain.faces {
        prop_assert_eq!(domain.faces[face.partner].partner, domain.faces.iter().position(|f| f == face).unwrap());
        let moved = face.pairing.apply(domain.faces[face.partner].centre);
        prop_assert!(face.plane.dot(moved).abs() < tolerance.max(1e-9));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_lattices(a in vector(1.0), b in vector(1.0), c in vector(1.0)) {
        let volume = DMat3::from_cols(a, b, c).determinant().abs();
        prop_assume!(volume > 0.1);
        let generators = [a, b, c].map(|v| Isometry::translation(Space::Flat, v));
        let domain = dirichlet_domain(Space::Flat, &generators).unwrap();
        prop_assert!((domain.volume() - volume).abs() < 1e-12);
        // The cell of a lattice has 6 to 14 faces, and each is paired with the opposite one.
        prop_assert!((6..=14).contains(&domain.faces.len()));
        check(&Manifold::new(generators.to_vec(), domain).unwrap(), 1e-12)?;
    }

    #[test]
    fn deformed_flat_spaces(name in 0_usize..6, sizes in prop::array::uniform6(0.0_f64..1.0), base in vector(1.0)) {
        let mut recipe = Recipe { base, ..Recipe::new(SpaceName::ALL[name]) };
        for (i, parameter) in recipe.name.parameters().iter().enumerate() {
            recipe.values[i] = parameter.min + sizes[i] * (parameter.max - parameter.min);
        }
        let at_origin = Recipe { base: DVec3::ZERO, ..recipe.clone() }.build().unwrap();
        let manifold = recipe.build().unwrap();
        let v = &recipe.values;
        let expected = match recipe.name {
            SpaceName::ThreeTorus | SpaceName::HalfTurn => v[0] * v[1] * v[2],
            SpaceName::QuarterTurn => v[0] * v[0] * v[1],
            SpaceName::HantzscheWendt => v[0] * v[1] * v[2] / 4.0,
            _ => v[0] * v[0] * v[1] * 3.0_f64.sqrt() / 2.0,
        };
        prop_assert!((manifold.domain.volume() - expected).abs() < 1e-11);
        prop_assert!((at_origin.domain.volume() - expected).abs() < 1e-11);
        check(&manifold, 1e-11)?;
    }

    #[test]
    fn volumes_do_not_depend_on_the_base_point(name in 9_usize..13, base in vector(0.8)) {
        let name = SpaceName::ALL[name];
        // A base point on an axis of the orbifold has no domain of this kind.
        let moved = Recipe { base, ..Recipe::new(name) }.build();
        prop_assume!(!matches!(moved, Err(ManifoldError::NotDiscrete { .. })));
        let usual = Recipe::new(name).build().unwrap().domain.volume();
        let moved = moved.unwrap();
        prop_assert!((moved.domain.volume() - usual).abs() < 1e-9, "{} {}", moved.domain.volume(), usual);
        check(&moved, 1e-10)?;
    }

    #[test]
    fn lens_spaces(p in 2_u32..31, q in 1_u32..31, base in vector(0.7)) {
        let mut divisors = 2..=p;
        prop_assume!(!divisors.any(|d| p % d == 0 && q % d == 0));
        let recipe = Recipe { values: vec![f64::from(p), f64::from(q)], ..Recipe::new(SpaceName::Lens) };
        for base in [DVec3::ZERO, base] {
            let manifold = Recipe { base, ..recipe.clone() }.build().unwrap();
            prop_assert_eq!(manifold.group_order(), Some(p as usize));
            let volume = manifold.domain.volume();
            prop_assert!((volume - 2.0 * PI * PI / f64::from(p)).abs() < 1e-9, "L({p},{q}) {base}: {volume}");
            for cycle in &manifold.cycles {
                prop_assert!(cycle.error() < 1e-11 && cycle.order == 1);
            }
        }
    }
}

#[test]
fn groups_that_are_not_discrete_are_refused() {
    let screw =
        |angle: f64| Isometry::translation(Space::Flat, DVec3::Z) * Isometry::turn(Space::Flat, DVec3::Z, angle);
    let shift = |x: f64, y: f64| Isometry::translation(Space::Flat, DVec3::new(x, y, 0.0));
    // Incommensurable translations.
    let generators = [shift(1.0, 0.0), shift(2.0_f64.sqrt(), 0.0), shift(0.0, 1.0), screw(0.0)];
    assert!(matches!(dirichlet_domain(Space::Flat, &generators), Err(ManifoldError::NotDiscrete { .. })));
    // A screw motion by an angle that no lattice allows.
    let generators = [shift(1.0, 0.0), shift(0.0, 1.0), screw(1.0)];
    assert!(dirichlet_domain(Space::Flat, &generators).is_err());
    // Two translations leave the third direction free.
    assert_eq!(dirichlet_domain(Space::Flat, &[shift(1.0, 0.0), shift(0.0, 1.0)]), Err(ManifoldError::Unbounded));
    assert_eq!(dirichlet_domain(Space::Flat, &[]), Err(ManifoldError::NoElements));
    // A free group of long translations has a domain of infinite volume.
    let long = [DVec3::X, DVec3::Y].map(|axis| Isometry::translation(Space::Hyperbolic, axis * 4.0));
    assert_eq!(dirichlet_domain(Space::Hyperbolic, &long), Err(ManifoldError::Unbounded));
    // A rotation about the base point.
    let turn = Isometry::turn(Space::Hyperbolic, DVec3::Z, 1.0);
    assert!(matches!(dirichlet_domain(Space::Hyperbolic, &[turn]), Err(ManifoldError::NotDiscrete { .. })));
}
