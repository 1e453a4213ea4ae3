//! A warm broad phase does not allocate.

use burgess_collision::broad_phase::{
    BroadPhase, Exhaustive, HashingOptions, HierarchicalHashing, Proxy, ProxyId, SweepAndPrune,
};
use burgess_geometry::Aabb;
use glam::DVec3;

/// Period of the orbits of the boxes, in updates: a second round needs no more memory than the first.
const PERIOD: u32 = 500;

fn orbit(rank: u32, update: u32) -> Aabb {
    let rank = f64::from(rank);
    let phase = std::f64::consts::TAU * f64::from(update % PERIOD) / f64::from(PERIOD);
    let center = DVec3::new(
        4.0 * libm::sin(phase + 0.7 * rank),
        4.0 * libm::cos(phase + 1.3 * rank),
        3.0 * libm::sin(2.0 * phase + 0.4 * rank),
    );
    // Sizes change over several levels.
    let half = 0.5 * libm::exp2(2.0 * libm::sin(phase + rank));
    Aabb::from_center(center, DVec3::splat(half))
}

fn allocations_when_warm(mut world: impl BroadPhase) -> u64 {
    world.insert(Proxy::fixed(Aabb::new(DVec3::new(-9.0, -9.0, -9.0), DVec3::new(9.0, 9.0, -1.0)))).unwrap();
    let mut ids: Vec<ProxyId> = (0..200).map(|rank| world.insert(Proxy::moving(orbit(rank, 0))).unwrap()).collect();
    let mut play = |updates: std::ops::Range<u32>| {
        for update in updates {
            let proxies = world.proxies_mut();
            // One box is removed and added again.
            let rank = update % 200;
            proxies.remove(ids[rank as usize]).unwrap();
            ids[rank as usize] = proxies.insert(Proxy::moving(orbit(rank, update))).unwrap();
            for (rank, &id) in (0..).zip(&ids) {
                proxies.set_box(id, orbit(rank, update)).unwrap();
            }
            world.update();
        }
        world.pairs().len()
    };
    assert!(play(0..4 * PERIOD) > 0);
    allocation_counter::measure(|| {
        play(4 * PERIOD..6 * PERIOD);
    })
    .count_total
}

#[test]
fn a_warm_update_allocates_nothing() {
    let rebuilt = HashingOptions { coherence: false, ..HashingOptions::default() };
    assert_eq!(allocations_when_warm(Exhaustive::new()), 0);
    assert_eq!(allocations_when_warm(SweepAndPrune::new()), 0);
    assert_eq!(allocations_when_warm(HierarchicalHashing::default()), 0);
    assert_eq!(allocations_when_warm(HierarchicalHashing::new(rebuilt)), 0);
}
