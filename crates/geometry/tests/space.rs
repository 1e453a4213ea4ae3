//! Points and isometries of the three spaces.

use std::f64::consts::{PI, TAU};

use burgess_geometry::glam::{DVec3, DVec4};
use burgess_geometry::space::{Isometry, ORIGIN, Space};
use proptest::prelude::*;

const SPACES: [Space; 3] = [Space::Spherical, Space::Flat, Space::Hyperbolic];

fn vector(limit: f64) -> impl Strategy<Value = DVec3> {
    [-limit..limit, -limit..limit, -limit..limit].prop_map(DVec3::from_array)
}

fn isometry(space: Space, v: DVec3, turn: DVec3) -> Isometry {
    Isometry::translation(space, v) * Isometry::turn(space, turn, turn.length())
}

proptest! {
    #[test]
    fn isometries_keep_distances(a in vector(1.5), b in vector(1.5), v in vector(1.5), turn in vector(2.0)) {
        for space in SPACES {
            let motion = isometry(space, v, turn);
            let (p, q) = (space.point(a), space.point(b));
            // Coordinates reach e^5 in hyperbolic space, and rounding in proportion.
            prop_assert!(motion.defect() < 1e-11);
            let moved = space.distance(motion.apply(p), motion.apply(q));
            prop_assert!((moved - space.distance(p, q)).abs() < 1e-11);
            let there_and_back = motion * motion.inverse();
            prop_assert!(there_and_back.difference(&Isometry::identity(space)) < 1e-11);
        }
    }

    #[test]
    fn translations_go_as_far_as_they_say(v in vector(1.5)) {
        for space in SPACES {
            let end = Isometry::translation(space, v).centre();
            prop_assert!((end - space.point(v)).length() < 1e-13);
            prop_assert!((space.distance(ORIGIN, end) - v.length()).abs() < 1e-13);
            prop_assert!((space.vector(end) - v).length() < 1e-12);
        }
    }

    #[test]
    fn nearby_points_have_accurate_distances(v in vector(1.5), step in 1e-9_f64..1e-3) {
        // The points are made independently of the distance: at v and at v (1 + step / |v|) on the same ray.
        prop_assume!(v.length() > 0.1);
        for space in SPACES {
            let q = space.point(v * (1.0 + step / v.length()));
            let distance = space.distance(space.point(v), q);
            // Coordinates up to e^2.6 are rounded to 1e-15.
            prop_assert!((distance - step).abs() < 4e-14, "{space:?} {distance} {step}");
        }
    }

    #[test]
    fn bisectors_are_halfway(a in vector(1.5), p in vector(1.5)) {
        prop_assume!(a.length() > 0.1);
        for space in SPACES {
            let q = space.point(a);
            let plane = space.bisector(q).unwrap();
            let x = space.point(p);
            // The reflection in the bisector exchanges both points.
            let mirror = Isometry::reflection(space, plane);
            prop_assert!(space.distance(mirror.apply(ORIGIN), q) < 1e-11);
            let nearer = space.distance(x, q) < space.distance(x, ORIGIN);
            let height = plane.dot(x);
            prop_assert!(height.abs() < 1e-12 || (height > 0.0) == nearer);
        }
    }

    #[test]
    fn small_errors_are_removed(v in vector(1.0), turn in vector(2.0), noise in prop::array::uniform16(-1e-5_f64..1e-5)) {
        for space in SPACES {
            let exact = isometry(space, v, turn);
            let mut entries = exact.matrix().to_cols_array();
            for (i, entry) in entries.iter_mut().enumerate() {
                // The last row of a flat isometry is exact.
                *entry += if space == Space::Flat && i % 4 == 3 { 0.0 } else { noise[i] };
            }
            let matrix = burgess_geometry::glam::DMat4::from_cols_array(&entries);
            let mended = Isometry::from_matrix(space, matrix, 1e-2).unwrap();
            prop_assert!(mended.defect() < 1e-12);
            prop_assert!(mended.difference(&exact) < 1e-3);
        }
    }
}

#[test]
fn opposite_points_of_the_sphere_are_pi_apart() {
    let space = Space::Spherical;
    let almost = Isometry::translation(space, DVec3::X * (PI - 1e-9)).centre();
    assert!((space.distance(ORIGIN, -ORIGIN) - PI).abs() < 1e-15);
    assert!((space.distance(-ORIGIN, almost) - 1e-9).abs() < 1e-15);
}

#[test]
fn great_circles_return_after_two_pi() {
    for (direction, steps) in [(DVec3::X, 1000), (DVec3::new(1.0, 2.0, -0.5), 7919), (DVec3::Z, 3)] {
        let step = direction.normalize() * (TAU / f64::from(steps));
        let motion = Isometry::translation(Space::Spherical, step);
        let mut frame = Isometry::identity(Space::Spherical);
        for turn in 1..=10 {
            for _ in 0..steps {
                frame = (frame * motion).orthonormalised();
            }
            let error = frame.difference(&Isometry::identity(Space::Spherical));
            assert!(error < 1e-10, "{direction} after {turn} turns: {error}");
        }
    }
}

#[test]
fn matrices_that_are_no_isometries_are_refused() {
    use burgess_geometry::glam::DMat4;
    for space in SPACES {
        assert!(Isometry::from_matrix(space, DMat4::IDENTITY * 2.0, 1e-3).is_none());
        assert!(Isometry::from_matrix(space, DMat4::from_cols_array(&[f64::NAN; 16]), 1e-3).is_none());
        assert!(Isometry::from_matrix(space, DMat4::IDENTITY, 1e-3).is_some());
    }
    // The halves of the hyperboloid are exchanged.
    assert!(Isometry::from_matrix(Space::Hyperbolic, -DMat4::IDENTITY, 1e-3).is_none());
    assert!(Isometry::from_matrix(Space::Spherical, -DMat4::IDENTITY, 1e-3).is_some());
    assert!(Space::Hyperbolic.on_line(DVec4::X).is_none());
}
