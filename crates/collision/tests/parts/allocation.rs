//! Warm queries of near parts and their contacts do not allocate.

use burgess_collision::contact_determination::{FullManifold, PartMemory, PartScratch, determine_parts};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, near_parts};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use super::setup::*;

#[test]
fn contacts_of_parts_allocate_nothing_once_warm() {
    let hills = terrain(|x, y| 0.1 * libm::sin(2.0 * x) * libm::cos(3.0 * y));
    let (ring, pipe, body, floor) = (torus(1.0, 0.25), tube(0.5, 0.4, 1.0, 12), cuboid(0.5, 0.4, 0.3), ground());
    let pairs =
        [(&hills, &ring, 0.3), (&hills, &body, 0.35), (&floor, &pipe, 0.5), (&ring, &ring, 0.3), (&pipe, &hills, -0.5)];
    let mut caches = vec![(PairCache::default(), PartMemory::default()); pairs.len()];
    let (mut narrow, mut scratch) = (NarrowScratch::default(), PartScratch::default());
    let (mut near, mut contacts) = (Vec::new(), Vec::new());
    let mut full = FullManifold::new(MARGIN);
    let mut count = 0;
    let mut run = || {
        for step in 0..50 {
            let step = f64::from(step);
            let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.01 * step + 0.003);
            for ((a, b, height), (cache, memory)) in pairs.iter().zip(&mut caches) {
                let pose = Pose::new(turn, DVec3::new(0.02 * step - 0.51, 0.137, *height));
                near_parts(a, &Pose::IDENTITY, b, &pose, MARGIN, cache, &mut narrow, &mut near);
                determine_parts(&mut full, (a, b), &near, memory, &mut scratch, &mut contacts);
                count += contacts.len();
            }
        }
    };
    run();
    let counted = allocation_counter::measure(&mut run);
    // Only the exhaustive search after a cyclic walk may allocate.
    assert_eq!((counted.count_total, narrow.statistics.fallbacks), (0, 0));
    assert!(count > 3000, "{count}");
}
