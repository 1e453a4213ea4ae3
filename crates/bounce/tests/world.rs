//! Bounce: the same motion whatever finds the pairs, nothing missed, nothing unfinished.

use burgess_bounce::{BodyKind, BounceConfig, BounceError, BounceWorld, BroadPhaseKind, proportional_world};

const BROAD_PHASES: [BroadPhaseKind; 4] = [
    BroadPhaseKind::Exhaustive,
    BroadPhaseKind::SweepAndPrune,
    BroadPhaseKind::Hashing { coherence: true },
    BroadPhaseKind::Hashing { coherence: false },
];

fn run(config: BounceConfig, steps: u64) -> BounceWorld {
    let mut world = BounceWorld::new(config).unwrap();
    for _ in 0..steps {
        world.step().unwrap();
    }
    world
}

/// All bits of all poses.
fn bits(world: &BounceWorld) -> Vec<u64> {
    let numbers = world.bodies().flat_map(|(_, pose)| {
        let (q, t) = (pose.rotation.to_array(), pose.translation.to_array());
        q.into_iter().chain(t)
    });
    numbers.map(f64::to_bits).collect()
}

#[test]
fn motion_does_not_depend_on_the_broad_phase() {
    let config = BounceConfig { objects: 40, world: 8.0, step_size: 0.02, ..Default::default() };
    let reference = run(BounceConfig { broad_phase: BROAD_PHASES[0], ..config }, 3000);
    assert!(reference.statistics().penetrating > 100, "the bodies must meet for this to tell anything");
    for broad_phase in &BROAD_PHASES[1..] {
        let world = run(BounceConfig { broad_phase: *broad_phase, ..config }, 3000);
        assert_eq!(bits(&world), bits(&reference), "{broad_phase:?}");
        assert_eq!(world.vclip_statistics(), reference.vclip_statistics(), "{broad_phase:?}");
    }
}

#[test]
fn no_pair_is_missed_and_no_query_is_unfinished() {
    for (step_size, broad_phase) in [(0.01, BROAD_PHASES[2]), (0.5, BROAD_PHASES[2]), (0.05, BROAD_PHASES[1])] {
        let config = BounceConfig { step_size, broad_phase, check: true, ..Default::default() };
        let world = run(config, 3000);
        assert_eq!(world.statistics().missed_pairs, 0);
        assert_eq!(world.statistics().unfinished_queries, 0);
    }
}

#[test]
fn a_clone_goes_on_identically() {
    let mut world = run(BounceConfig::default(), 500);
    let mut copy = world.clone();
    for _ in 0..500 {
        world.step().unwrap();
        copy.step().unwrap();
    }
    assert_eq!(bits(&world), bits(&copy));
}

#[test]
fn features_visited_grow_slowly() {
    // Fontijne (2000) figure 2.11: near constant for small steps.
    let visited = |vertices| {
        let bodies = BodyKind::Hulls(vertices);
        let config = BounceConfig { objects: 2, world: 3.0, bodies, ..Default::default() };
        let world = run(BounceConfig { broad_phase: BroadPhaseKind::Off, ..config }, 5000);
        let vclip = world.vclip_statistics();
        vclip.features_visited as f64 / vclip.queries as f64
    };
    let (small, large) = (visited(20), visited(1280));
    // 64 times the vertices: 64^0.25 = 2.8.
    assert!(large < 2.8 * small, "{small} features of 20 vertices, {large} of 1280");
}

#[test]
fn the_proportional_world_grows_with_the_bodies() {
    let side = |objects| proportional_world(&BounceConfig { objects, step_size: 0.05, ..Default::default() }).unwrap();
    let (few, many) = (side(32), side(256));
    // At one density eight times the bodies need twice the side; chance and walls leave some room.
    assert!(many / few > 1.5 && many / few < 2.7, "{few} {many}");
}

#[test]
fn the_proportional_world_does_not_depend_on_how_pairs_are_found() {
    for objects in [8, 25] {
        let side = |broad_phase| {
            proportional_world(&BounceConfig { objects, broad_phase, step_size: 0.1, ..Default::default() }).unwrap()
        };
        let reference = side(BroadPhaseKind::Exhaustive);
        assert!(reference > 1.0 && reference < 40.0, "{objects} objects: {reference}");
        for broad_phase in &BROAD_PHASES[1..] {
            assert_eq!(side(*broad_phase), reference, "{objects} objects, {broad_phase:?}");
        }
    }
    assert!(proportional_world(&BounceConfig { objects: 7, ..Default::default() }).is_err());
}

#[test]
fn numbers_out_of_range_are_refused() {
    let refused = |config| matches!(BounceWorld::new(config), Err(BounceError::OutOfRange { .. }));
    let good = BounceConfig::default();
    assert!(refused(BounceConfig { objects: 0, ..good }));
    assert!(refused(BounceConfig { world: f64::NAN, ..good }));
    assert!(refused(BounceConfig { world: -1.0, ..good }));
    assert!(refused(BounceConfig { step_size: f64::INFINITY, ..good }));
    assert!(refused(BounceConfig { bodies: BodyKind::Hulls(3), ..good }));
    assert!(refused(BounceConfig { objects: 100_000, broad_phase: BroadPhaseKind::Off, ..good }));
}
