//! Covers, counted against the numbers of subgroups that are known.

use burgess_geometry::manifold::{Manifold, Recipe, SpaceName};

fn covers(name: &str, sheets: usize) -> usize {
    let manifold = Recipe::named(name).unwrap().build().unwrap();
    manifold.domain.covers(&manifold.cycles, sheets).len()
}

#[test]
fn the_torus_has_as_many_covers_as_sublattices() {
    // Sublattices of Z^3 of index n: sum over n = a b c of b c^2.
    for sheets in 2..=6 {
        let divisors = |n: usize| (1..=n).filter(move |d| n.is_multiple_of(*d));
        let expected: usize =
            divisors(sheets).flat_map(|a| divisors(sheets / a).map(move |b| b * (sheets / a / b).pow(2))).sum();
        assert_eq!(covers("3-torus", sheets), expected, "{sheets} sheets");
    }
}

#[test]
fn lens_spaces_have_one_cover_for_each_divisor() {
    for (sheets, expected) in [(2, 1), (3, 1), (4, 1), (5, 0), (6, 1), (7, 0)] {
        assert_eq!(covers("lens-12-5", sheets), expected, "{sheets} sheets");
    }
}

#[test]
fn covers_of_other_spaces() {
    // The binary icosahedral group is perfect; the classes of its subgroups of index 5 and 6 are unique.
    for (sheets, expected) in [(2, 0), (3, 0), (4, 0), (5, 1), (6, 1)] {
        assert_eq!(covers("poincare", sheets), expected, "{sheets} sheets");
    }
    // Homology Z/4 x Z/4 has three subgroups of index 2; Z/2 x Z/2 as well.
    assert_eq!(covers("hantzsche-wendt", 2), 3);
    assert_eq!(covers("quaternion", 2), 3);
    // Homology Z/5 x Z/5 has none of index 2 and six of index 5.
    assert_eq!(covers("weeks", 2), 0);
    let weeks = Recipe::named("weeks").unwrap().build().unwrap();
    let regular = weeks.domain.covers(&weeks.cycles, 5).iter().filter(|cover| cover.is_regular()).count();
    assert_eq!(regular, 6);
    assert_eq!(covers("3-sphere", 2), 0);
}

/// A product of two elements that stay in sheet 0 stays in sheet 0: the sheets are cosets of a subgroup.
#[test]
fn sheets_are_cosets() {
    let Manifold { domain, cycles, .. } = Recipe::new(SpaceName::HantzscheWendt).build().unwrap();
    let elements = domain.elements(6, 3000);
    let near = domain.elements(2, 3000);
    for cover in domain.covers(&cycles, 3).iter().chain(&domain.covers(&cycles, 4)) {
        let sheets = cover.sheets_of(&elements);
        let stays = |count: usize| (0..count).filter(|&i| sheets[i] == 0).collect::<Vec<_>>();
        let subgroup = stays(near.len());
        for &a in &subgroup {
            for &b in &subgroup {
                let product = elements[a].isometry * elements[b].isometry;
                let index = elements.iter().position(|e| e.isometry.difference(&product) < 1e-9).unwrap();
                assert_eq!(sheets[index], 0);
            }
        }
        assert!((0..cover.sheets()).all(|sheet| sheets.contains(&sheet)));
    }
}
