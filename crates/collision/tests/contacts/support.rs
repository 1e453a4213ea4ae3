//! Support points.

use burgess_collision::contact_analysis::SupportPoints;
use burgess_collision::contact_determination::{Contact, ContactId};
use burgess_geometry::Feature;
use glam::{DVec2, DVec3};
use proptest::prelude::*;

fn contacts(points: &[(f64, f64, f64)]) -> Vec<Contact> {
    let name = |i: usize| ContactId::new(Feature::Vertex(i as u32), Feature::Face(0));
    points.iter().enumerate().map(|(i, &(x, y, d))| Contact::new(DVec3::new(x, y, 0.0), DVec3::Z, d, name(i))).collect()
}

/// Returns the area of the hull of points by gift wrapping, independently of the tested code.
fn hull_area(points: &[DVec2]) -> f64 {
    let Some(start) = points.iter().copied().min_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y))) else {
        return 0.0;
    };
    let (mut area, mut here) = (0.0, start);
    for _ in 0..points.len() {
        let mut next = points[0];
        for &p in points {
            let turn = (next - here).perp_dot(p - here);
            if next == here || turn < 0.0 || (turn == 0.0 && p.distance(here) > next.distance(here)) {
                next = p;
            }
        }
        area += 0.5 * (here - start).perp_dot(next - start);
        here = next;
        if here == start {
            break;
        }
    }
    area
}

fn flat(contacts: &[Contact]) -> Vec<DVec2> {
    contacts.iter().map(|c| c.point.truncate()).collect()
}

#[test]
fn box_face_stays_its_corners_and_the_rest_goes() {
    let mut finder = SupportPoints::default();
    let face = contacts(&[(0., 0., 0.), (1., 0., 0.), (1., 1., 0.), (0., 1., 0.)]);
    assert_eq!(finder.find(&face, DVec3::Z, 4), [0, 1, 2, 3]);
    // Points on sides, inside, and duplicates.
    let more = contacts(&[
        (0., 0., 0.),
        (0.5, 0., 0.),
        (1., 0., 0.),
        (1., 1., 0.),
        (0., 1., 0.),
        (0.3, 0.4, 0.),
        (1., 1., 0.),
        (0., 0.25, 0.),
        (1e-7, 0., 0.),
    ]);
    assert_eq!(finder.find(&more, DVec3::Z, 8), [0, 2, 3, 4]);
    // A deeper point inside is kept.
    let deeper = contacts(&[(0., 0., 0.), (1., 0., 0.), (1., 1., 0.), (0., 1., 0.), (0.4, 0.5, -0.1)]);
    assert_eq!(finder.find(&deeper, DVec3::Z, 8), [0, 1, 2, 3, 4]);
    assert_eq!(finder.find(&deeper, DVec3::Z, 1), [4]);
}

#[test]
fn degenerate_regions_are_points_and_segments() {
    let mut finder = SupportPoints::default();
    assert!(finder.find(&[], DVec3::Z, 4).is_empty());
    let place = contacts(&[(0.3, 0.2, 0.); 5]);
    assert_eq!(finder.find(&place, DVec3::Z, 4), [0]);
    let line = contacts(&[(0.5, 0.5, 0.), (0., 0., 0.), (0.25, 0.25, 0.), (1., 1., 0.)]);
    assert_eq!(finder.find(&line, DVec3::Z, 4), [1, 3]);
    assert!(finder.find(&line, DVec3::Z, 0).is_empty());
    let broken = contacts(&[(f64::NAN, 0., 0.), (0., f64::INFINITY, 0.), (1., 0., f64::NAN), (0., 0., 0.)]);
    assert!(finder.find(&broken, DVec3::Z, 2).len() <= 2);
}

#[test]
fn octagon_is_thinned_to_a_square() {
    let octagon: Vec<_> =
        (0..8).map(|i| libm::sincos(f64::from(i) * std::f64::consts::FRAC_PI_4)).map(|(s, c)| (c, s, 0.0)).collect();
    let mut finder = SupportPoints::default();
    let square = finder.find(&contacts(&octagon), DVec3::Z, 4).to_vec();
    assert_eq!(square, [0, 2, 4, 6]);
    // Rounding does not change the choice.
    let noisy: Vec<_> = octagon.iter().enumerate().map(|(i, &(x, y, d))| (x + 1e-12 * i as f64, y, d)).collect();
    assert_eq!(finder.find(&contacts(&noisy), DVec3::Z, 4), square);
}

proptest! {
    #[test]
    fn support_points_keep_the_area_and_the_deepest(
        points in prop::collection::vec((-1.0..1.0f64, -1.0..1.0f64, -0.1..0.1f64), 1..30),
        max_points in 1usize..10,
    ) {
        let all = contacts(&points);
        let mut finder = SupportPoints::default();
        let pick = |kept: &[u32]| -> Vec<Contact> { kept.iter().map(|&i| all[i as usize]).collect() };
        let corners = pick(finder.find(&all, DVec3::Z, usize::MAX));
        let area = hull_area(&flat(&all));
        prop_assert!((hull_area(&flat(&corners)) - area).abs() <= 1e-2 * area + 1e-4);

        let few = pick(finder.find(&all, DVec3::Z, max_points));
        let depth = |c: &[Contact]| c.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
        prop_assert!(few.len() <= max_points);
        prop_assert!(depth(&few) <= depth(&all) + 3e-4);
        // The greedy reduction is not optimal, but keeps a large part of a convex n-gon.
        if max_points >= 4 {
            prop_assert!(hull_area(&flat(&few)) >= 0.3 * area, "{} of {area}", hull_area(&flat(&few)));
        }
    }
}
