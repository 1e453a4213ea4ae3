//! The built-in spaces: edges, groups, volumes.

use std::f64::consts::{PI, TAU};

use burgess_geometry::manifold::{Manifold, ManifoldError, Recipe, SpaceName};
use burgess_geometry::space::Space;

fn usual(name: SpaceName) -> Manifold {
    Recipe::new(name).build().unwrap_or_else(|error| panic!("{}: {error}", name.name()))
}

fn counts(manifold: &Manifold) -> (usize, usize, usize) {
    (manifold.domain.faces.len(), manifold.domain.edges.len(), manifold.domain.vertices.len())
}

/// Lobachevsky's function, by its Fourier series. The tail after a million terms is below 1e-11.
fn lobachevsky(angle: f64) -> f64 {
    (1..1_000_000_u32).rev().map(f64::from).map(|n| libm::sin(2.0 * n * angle) / (2.0 * n * n)).sum()
}

/// Volume of a hyperbolic orthoscheme with the dihedral angles `a`, `b`, `c`: Lobachevsky's formula, as in Vinberg
/// (1993), *Geometry II*. It shares nothing with the method of the library.
fn orthoscheme(a: f64, b: f64, c: f64) -> f64 {
    let root = (libm::cos(b) * libm::cos(b) - libm::sin(a) * libm::sin(a) * libm::sin(c) * libm::sin(c)).sqrt();
    let d = libm::atan2(root, libm::cos(a) * libm::cos(c));
    let l = lobachevsky;
    0.25 * (l(a + d) - l(a - d) + l(c + d) - l(c - d) - l(PI / 2.0 - b + d)
        + l(PI / 2.0 - b - d)
        + 2.0 * l(PI / 2.0 - d))
}

#[test]
fn pairings_round_every_edge_give_the_identity() {
    for name in SpaceName::ALL {
        let manifold = usual(name);
        let orders: Vec<usize> = manifold.cycles.iter().map(|cycle| cycle.order).collect();
        let edges: usize = manifold.cycles.iter().map(|cycle| cycle.edges.len()).sum();
        assert_eq!(edges, manifold.domain.edges.len(), "{}", name.name());
        for cycle in &manifold.cycles {
            assert!(cycle.error() < 1e-12, "{}: {}", name.name(), cycle.error());
            assert!((cycle.angle * cycle.order as f64 - TAU).abs() < 1e-12, "{}", name.name());
        }
        if name == SpaceName::RightAngledDodecahedra {
            assert_eq!(orders.iter().filter(|&&order| order == 4).count(), 6, "{orders:?}");
            assert_eq!(orders.iter().filter(|&&order| order == 1).count(), 6, "{orders:?}");
            assert!(!manifold.is_manifold());
            // The product itself is a quarter of a turn: its second power is not yet the identity.
            let axis = manifold.cycles.iter().find(|cycle| cycle.order == 4).unwrap();
            let twice = axis.product * axis.product;
            assert!(twice.difference(&burgess_geometry::space::Isometry::identity(Space::Hyperbolic)) > 1.0);
        } else {
            assert!(manifold.is_manifold(), "{}: {orders:?}", name.name());
        }
    }
}

#[test]
fn closed_manifolds_have_euler_characteristic_zero() {
    // The corners that the pairings identify are counted by following them.
    for name in SpaceName::ALL {
        let domain = usual(name).domain;
        let mut class: Vec<usize> = (0..domain.vertices.len()).collect();
        for _ in 0..domain.vertices.len() {
            for face in &domain.faces {
                for (corner, &image) in face.corners.iter().zip(&face.images) {
                    let other = domain.faces[face.partner].corners[image];
                    let least = class[*corner].min(class[other]);
                    (class[*corner], class[other]) = (least, least);
                }
            }
        }
        let vertices = (0..class.len()).filter(|&v| class[v] == v).count();
        if name != SpaceName::ThreeSphere && name != SpaceName::RightAngledDodecahedra {
            let edges = usual(name).cycles.len();
            let faces = domain.faces.len() / 2;
            assert_eq!(vertices + faces, edges + 1, "{}", name.name());
        }
    }
}

#[test]
fn domains_have_the_known_shapes() {
    for (name, shape) in [
        (SpaceName::ThreeTorus, (6, 12, 8)),
        (SpaceName::QuarterTurn, (6, 12, 8)),
        (SpaceName::ThirdTurn, (8, 18, 12)),
        (SpaceName::SixthTurn, (8, 18, 12)),
        (SpaceName::HantzscheWendt, (12, 24, 14)),
        (SpaceName::ThreeSphere, (0, 0, 0)),
        (SpaceName::Lens, (2, 5, 5)),
        (SpaceName::Quaternion, (6, 12, 8)),
        (SpaceName::Poincare, (12, 30, 20)),
        (SpaceName::SeifertWeber, (12, 30, 20)),
        (SpaceName::Weeks, (18, 42, 26)),
        (SpaceName::RightAngledDodecahedra, (12, 30, 20)),
    ] {
        assert_eq!(counts(&usual(name)), shape, "{}", name.name());
    }
}

#[test]
fn finite_groups_have_the_known_orders() {
    assert_eq!(usual(SpaceName::Poincare).group_order(), Some(120));
    assert_eq!(usual(SpaceName::Quaternion).group_order(), Some(8));
    assert_eq!(usual(SpaceName::ThreeSphere).group_order(), Some(1));
    assert_eq!(usual(SpaceName::Weeks).group_order(), None);
}

#[test]
fn the_poincare_group_is_closed_under_products() {
    let elements = usual(SpaceName::Poincare).domain.elements(usize::MAX, usize::MAX);
    for a in &elements {
        for b in &elements {
            let product = a.isometry * b.isometry;
            let matches = elements.iter().filter(|c| c.isometry.difference(&product) < 1e-12).count();
            assert_eq!(matches, 1);
        }
    }
}

#[test]
fn volumes_agree_with_the_literature() {
    let volume = |name| usual(name).domain.volume();
    for (name, expected) in [
        (SpaceName::ThreeTorus, 1.0),
        (SpaceName::HalfTurn, 1.0),
        (SpaceName::QuarterTurn, 1.0),
        (SpaceName::ThirdTurn, 3.0_f64.sqrt() / 2.0),
        (SpaceName::SixthTurn, 3.0_f64.sqrt() / 2.0),
        (SpaceName::HantzscheWendt, 0.25),
        (SpaceName::ThreeSphere, 2.0 * PI * PI),
        (SpaceName::Lens, 2.0 * PI * PI / 5.0),
        (SpaceName::Quaternion, 2.0 * PI * PI / 8.0),
        (SpaceName::Poincare, 2.0 * PI * PI / 120.0),
        // Gabai, Meyerhoff and Milley (2009), Minimum volume cusped hyperbolic three-manifolds.
        (SpaceName::Weeks, 0.942_707_362_776_927_7),
    ] {
        assert!((volume(name) - expected).abs() < 1e-12, "{}: {} {expected}", name.name(), volume(name));
    }
    // A regular dodecahedron is 120 orthoschemes.
    let seifert_weber = 120.0 * orthoscheme(PI / 5.0, PI / 3.0, PI / 5.0);
    assert!((volume(SpaceName::SeifertWeber) - seifert_weber).abs() < 1e-9);
    assert!((volume(SpaceName::SeifertWeber) - 11.199_064_740_8).abs() < 1e-9);
    let right_angled = 120.0 * orthoscheme(PI / 5.0, PI / 3.0, PI / 4.0);
    assert!((volume(SpaceName::RightAngledDodecahedra) - right_angled).abs() < 1e-9);
}

#[test]
fn layers_of_the_torus_are_shells_of_cubes() {
    // Cubes at the distance n in steps along the axes: 4 n^2 + 2.
    let elements = usual(SpaceName::ThreeTorus).domain.elements(6, 100_000);
    for layer in 1..=6 {
        assert_eq!(elements.iter().filter(|e| e.layer == layer).count(), 4 * layer * layer + 2);
    }
    assert_eq!(usual(SpaceName::ThreeTorus).domain.elements(100, 500).len(), 500);
}

#[test]
fn copies_do_not_overlap() {
    for name in SpaceName::ALL {
        let domain = usual(name).domain;
        let elements = domain.elements(4, 3000);
        for (i, a) in elements.iter().enumerate().step_by(7) {
            for b in &elements[i + 1..] {
                let distance = domain.space.distance(a.isometry.centre(), b.isometry.centre());
                assert!(distance > 1.999 * domain.in_radius(), "{}: {distance}", name.name());
            }
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refusal = |recipe: Recipe| recipe.build().unwrap_err().to_string();
    let lens = |p: f64, q: f64| Recipe { values: vec![p, q], ..Recipe::new(SpaceName::Lens) };
    assert_eq!(refusal(lens(6.0, 3.0)), "the numbers of a lens space must have no common divisor, found 6 and 3");
    assert_eq!(refusal(lens(61.0, 1.0)), "p must be from 2 to 60, found 61");
    assert_eq!(refusal(lens(5.0, f64::NAN)), "q must be from 1 to 60, found NaN");
    assert_eq!(refusal(lens(5.5, 1.0)), "p must be from 2 to 60, found 5.5");
    let mut torus = Recipe::new(SpaceName::ThreeTorus);
    assert!(torus.set("width", 1.5).is_ok());
    assert!(matches!(torus.set("girth", 1.0), Err(ManifoldError::UnknownParameter { .. })));
    torus.base.x = f64::INFINITY;
    assert_eq!(refusal(torus), "base must be from 0 to 3, found inf");
    assert!(Recipe::named("lens-7-2").is_some_and(|lens| lens.values == [7.0, 2.0]));
    assert!(Recipe::named("lens-7").is_none() && Recipe::named("klein").is_none());
}
