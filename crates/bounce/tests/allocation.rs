//! A warm step of bounce allocates nothing.

use burgess_bounce::{BodyKind, BounceConfig, BounceWorld, BroadPhaseKind};

const WARM_UP: u32 = 20_000;
const STEPS: u32 = 5_000;

/// Allocations in warm steps. So many pairs must penetrate on a step's average that the costly queries are among them.
fn warm_allocations(config: BounceConfig, penetrating: f64) -> u64 {
    let mut world = BounceWorld::new(config).unwrap();
    let run = |world: &mut BounceWorld, steps| (0..steps).for_each(|_| world.step().unwrap());
    run(&mut world, WARM_UP);
    let before = world.statistics().penetrating;
    let counted = allocation_counter::measure(|| run(&mut world, STEPS));
    let found = (world.statistics().penetrating - before) as f64 / f64::from(STEPS);
    assert!(found > penetrating, "{config:?}: {found} penetrating pairs on average");
    counted.count_total
}

#[test]
fn a_warm_step_allocates_nothing() {
    let hashing = |coherence| BroadPhaseKind::Hashing { coherence };
    for broad_phase in [hashing(true), hashing(false), BroadPhaseKind::SweepAndPrune, BroadPhaseKind::Exhaustive] {
        // Crowded: compounds, which are a third of the bodies, are opened all the time.
        let config = BounceConfig { objects: 40, world: 5.0, broad_phase, ..Default::default() };
        assert_eq!(warm_allocations(config, 0.5), 0, "{broad_phase:?}");
    }
}

#[test]
fn a_warm_step_of_hulls_allocates_nothing() {
    let config = BounceConfig { objects: 20, world: 5.0, bodies: BodyKind::Hulls(100), ..Default::default() };
    assert_eq!(warm_allocations(config, 0.1), 0);
}
