//! Warm contact determination does not allocate.

use burgess_collision::contact_analysis::ContactGroups;
use burgess_collision::contact_determination::{
    ClosePair, ClosestPair, ContactDetermination, FullManifold, Manifold, PairMemory, TrackedFeatures,
};
use burgess_geometry::{Pose, RelativePose};
use glam::{DQuat, DVec3};

use super::setup::*;

#[test]
fn contacts_allocate_nothing_once_warm() {
    let shapes = [cuboid(0.5, 0.5, 0.5), cylinder(0.5, 0.5), capsule(0.25, 0.5), ground(), cone(0.4, 0.5), sphere(0.5)];
    let mut queries = Vec::new();
    for a in &shapes {
        for b in shapes.iter().filter(|&b| (a, b) != (&shapes[3], &shapes[3])) {
            for step in 0..20 {
                let turn = DQuat::from_axis_angle(DVec3::X, 0.001 * f64::from(step));
                let pose = Pose::new(turn, DVec3::new(0.01 * f64::from(step), 0.02, 0.95));
                let (proximity, features) = proximity(a, b, &pose);
                queries.push((a, b, RelativePose::new(&Pose::IDENTITY, &pose), proximity, features));
            }
        }
    }
    let mut determinations: [Box<dyn ContactDetermination>; 3] =
        [Box::new(ClosestPair { margin: 0.1 }), Box::new(TrackedFeatures::new(0.1)), Box::new(FullManifold::new(0.1))];
    let (mut memory, mut manifold, mut groups) = (PairMemory::default(), Manifold::new(), ContactGroups::default());
    let movable = [true; 100];
    let chain: Vec<_> = (0..99).map(|i| (i, i + 1)).collect();
    let mut found = 0;
    let mut run = || {
        for (a, b, b_in_a, proximity, features) in &queries {
            for determination in &mut determinations {
                let pair = ClosePair { a, b, b_in_a, proximity, features: *features };
                determination.determine(&pair, &mut memory, &mut manifold);
                found += manifold.len();
            }
        }
        groups.find(&movable, &chain, &[]).unwrap();
    };
    run();
    let counted = allocation_counter::measure(&mut run);
    assert_eq!(counted.count_total, 0);
    assert!(found > 1000);
}
