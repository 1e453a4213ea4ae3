//! Long walks: the observer stays in the domain, and its frame stays an isometry.

use burgess_geometry::glam::DVec3;
use burgess_geometry::manifold::{Domain, Motion, Observer, Recipe, SpaceName};
use burgess_geometry::space::Isometry;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn walk(name: SpaceName, steps: usize) {
    let domain = Recipe::new(name).build().unwrap().domain;
    let mut random = Pcg64Mcg::seed_from_u64(24);
    let mut observer = Observer::at_origin(domain.space);
    let (mut crossings, mut defect) = (0, 0.0_f64);
    for step in 0..steps {
        let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| size * random.random_range(-1.0..1.0)));
        let motion = Motion { drift: vector(0.2), turn: vector(0.5) };
        crossings += observer.step(&domain, motion).len();
        assert!(domain.contains(observer.position()), "{}: outside after step {step}", name.name());
        defect = defect.max(observer.frame().defect());
    }
    assert!(defect < 1e-10, "{}: {defect}", name.name());
    assert!(crossings > steps / 100 || name == SpaceName::ThreeSphere, "{}: {crossings} crossings", name.name());
}

#[test]
fn walks_stay_in_the_domain() {
    for name in SpaceName::ALL {
        walk(name, 20_000);
    }
}

#[test]
#[ignore = "takes minutes"]
fn long_walks_stay_in_the_domain() {
    for name in SpaceName::ALL {
        walk(name, 10_000_000);
    }
}

/// Walks straight through a face to the same place: through each face, to the image of the start.
#[test]
fn a_walk_through_a_face_and_back_returns() {
    for name in SpaceName::ALL {
        let domain: Domain = Recipe::new(name).build().unwrap().domain;
        for (face, across) in domain.faces.iter().enumerate() {
            let target = domain.space.vector(across.pairing.centre());
            let mut observer = Observer::at_origin(domain.space);
            let there = observer.step(&domain, Motion { drift: target, turn: DVec3::ZERO });
            // The centre of the neighbouring copy is the origin again, turned by the pairing.
            assert!(there.len() == 1 && there[0] == face, "{}: {there:?} for face {face}", name.name());
            assert!(domain.space.distance(observer.position(), burgess_geometry::space::ORIGIN) < 1e-12);
            // Stepping back along the same line restores the frame.
            observer.step(&domain, Motion { drift: -target, turn: DVec3::ZERO });
            let error = observer.frame().difference(&Isometry::identity(domain.space));
            assert!(error < 1e-11, "{}: {error}", name.name());
        }
    }
}
