//! All broad phases find the same pairs, whatever happens to the proxies.

use burgess_collision::broad_phase::{
    BroadPhase, Exhaustive, Filter, HashingOptions, HierarchicalHashing, Pair, Proxy, ProxyId, SweepAndPrune, TreeId,
    TreeLink,
};
use burgess_geometry::Aabb;
use glam::DVec3;
use proptest::prelude::*;

/// A change to a world of proxies. Proxies are given by their rank among the live ones.
#[derive(Debug, Clone)]
enum Event {
    Insert { aabb: Aabb, fixed: bool, filter: Filter },
    Remove(usize),
    Shift { rank: usize, step: DVec3 },
    Place { rank: usize, aabb: Aabb },
    Refilter { rank: usize, filter: Filter },
    Fix { rank: usize, fixed: bool },
    Exclude(usize, usize),
    Include(usize, usize),
    SelfCollision { tree: u32, allowed: bool },
    Thresholds { moving: u32, fixed: u32 },
    Update,
}

fn vector(limit: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-limit..limit).prop_map(DVec3::from)
}

/// Boxes of all kinds: sizes over six orders of magnitude, corners on tile boundaries, flat, infinite and empty ones.
fn any_box() -> impl Strategy<Value = Aabb> {
    let scattered = (vector(6.0), prop::array::uniform3(-10.0..3.0_f64))
        .prop_map(|(center, exponents)| Aabb::from_center(center, DVec3::from(exponents.map(libm::exp2))));
    let sized = (vector(1.0), -10.0..10.0_f64, vector(1.0)).prop_map(|(direction, exponent, shape)| {
        let size = libm::exp2(exponent);
        Aabb::from_center(direction * 4.0 * size, shape.abs() * size)
    });
    let on_grid = (prop::array::uniform3(-4..4_i32), prop::array::uniform3(0..3_i32), 0..4_u32).prop_map(
        |(corner, size, level)| {
            let scale = f64::from(1 << level);
            let corner = DVec3::from(corner.map(f64::from)) * scale;
            Aabb::new(corner, corner + DVec3::from(size.map(f64::from)) * scale)
        },
    );
    let special = prop::sample::select(vec![
        Aabb::EVERYWHERE,
        Aabb::EMPTY,
        Aabb::new(DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 0.0)),
        Aabb::new(DVec3::splat(-1e300), DVec3::splat(1e300)),
        Aabb::new(DVec3::splat(1e300), DVec3::splat(1e300)),
        Aabb::new(DVec3::INFINITY, DVec3::INFINITY),
        Aabb::new(DVec3::splat(1.0), DVec3::new(2.0, 0.0, 2.0)),
        Aabb::new(DVec3::splat(-0.0), DVec3::splat(0.0)),
    ]);
    prop_oneof![6 => scattered, 6 => sized, 6 => on_grid, 1 => special]
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let link = (0..3_u32, 0..5_u16).prop_map(|(tree, link)| TreeLink {
        tree: TreeId(tree),
        link,
        parent: link.checked_sub(1),
    });
    prop_oneof![
        4 => Just(Filter::default()),
        2 => (1..8_u32, 0..8_u32).prop_map(|(group, mask)| Filter { group, mask, link: None }),
        2 => link.prop_map(|link| Filter { link: Some(link), ..Filter::default() }),
    ]
}

fn any_event() -> impl Strategy<Value = Event> {
    let rank = 0..64_usize;
    prop_oneof![
        8 => (any_box(), prop::bool::weighted(0.2), any_filter())
            .prop_map(|(aabb, fixed, filter)| Event::Insert { aabb, fixed, filter }),
        2 => rank.clone().prop_map(Event::Remove),
        12 => (rank.clone(), vector(0.5)).prop_map(|(rank, step)| Event::Shift { rank, step }),
        4 => (rank.clone(), any_box()).prop_map(|(rank, aabb)| Event::Place { rank, aabb }),
        1 => (rank.clone(), any_filter()).prop_map(|(rank, filter)| Event::Refilter { rank, filter }),
        1 => (rank.clone(), any::<bool>()).prop_map(|(rank, fixed)| Event::Fix { rank, fixed }),
        1 => (rank.clone(), rank.clone()).prop_map(|(a, b)| Event::Exclude(a, b)),
        1 => (rank.clone(), rank).prop_map(|(a, b)| Event::Include(a, b)),
        1 => (0..3_u32, any::<bool>()).prop_map(|(tree, allowed)| Event::SelfCollision { tree, allowed }),
        1 => (0..100_u32, 0..600_u32).prop_map(|(moving, fixed)| Event::Thresholds { moving, fixed }),
        8 => Just(Event::Update),
    ]
}

/// Applies an event. Returns the new id, if any.
fn apply(event: &Event, world: &mut dyn BroadPhase) -> Option<ProxyId> {
    let living: Vec<ProxyId> = world.proxies().ids().collect();
    let proxies = world.proxies_mut();
    if let &Event::Insert { aabb, fixed, filter } = event {
        return Some(proxies.insert(Proxy { aabb, fixed, filter }).unwrap());
    }
    if let &Event::SelfCollision { tree, allowed } = event {
        proxies.set_self_collision(TreeId(tree), allowed);
    }
    if living.is_empty() {
        return None;
    }
    let name = |rank: usize| living[rank % living.len()];
    match *event {
        Event::Remove(rank) => proxies.remove(name(rank)).unwrap(),
        Event::Shift { rank, step } => {
            let old = proxies.get_box(name(rank)).unwrap();
            proxies.set_box(name(rank), Aabb::new(old.min + step, old.max + step)).unwrap();
        }
        Event::Place { rank, aabb } => proxies.set_box(name(rank), aabb).unwrap(),
        Event::Refilter { rank, filter } => proxies.set_filter(name(rank), filter).unwrap(),
        Event::Fix { rank, fixed } => proxies.set_fixed(name(rank), fixed).unwrap(),
        Event::Exclude(a, b) => proxies.exclude(name(a), name(b)).unwrap(),
        Event::Include(a, b) => proxies.include(name(a), name(b)).unwrap(),
        _ => {}
    }
    None
}

/// Returns the pairs by definition, using only the public view of the proxies.
fn oracle(world: &dyn BroadPhase) -> Vec<Pair> {
    let proxies = world.proxies();
    let mut pairs = Vec::new();
    for a in proxies.ids() {
        for b in proxies.ids().filter(|&b| b > a) {
            let (box_a, box_b) = (proxies.get_box(a).unwrap(), proxies.get_box(b).unwrap());
            let something = box_a.min.cmple(box_a.max).all() && box_b.min.cmple(box_b.max).all();
            if something && box_a.overlaps(&box_b) && proxies.may_pair(a, b) {
                pairs.push(Pair::new(a, b));
            }
        }
    }
    pairs
}

fn hashing(change: impl FnOnce(&mut HashingOptions)) -> HierarchicalHashing {
    let mut options = HashingOptions::default();
    change(&mut options);
    HierarchicalHashing::new(options)
}

/// Hashing with several options: few levels put most boxes at the everywhere level, no hysteresis makes them change
/// levels often.
fn hashings() -> Vec<HierarchicalHashing> {
    vec![
        HierarchicalHashing::default(),
        hashing(|options| options.coherence = false),
        hashing(|options| {
            options.pair_hysteresis = 0;
            options.resolution_hysteresis = 1.0;
            options.fixed_threshold = 8;
        }),
        hashing(|options| {
            options.finest_exponent = -2;
            options.coarsest_exponent = 0;
            options.fixed_threshold = 16;
        }),
        hashing(|options| {
            options.threshold = 64;
            options.pair_hysteresis = 1;
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_broad_phases_find_the_same_pairs(events in prop::collection::vec(any_event(), 1..200)) {
        let mut tuned = hashings();
        let mut others: Vec<Box<dyn BroadPhase>> = vec![Box::new(Exhaustive::new()), Box::new(SweepAndPrune::new())];
        for event in events.iter().chain([&Event::Update]) {
            if let &Event::Thresholds { moving, fixed } = event {
                tuned.iter_mut().for_each(|world| world.set_thresholds(moving, fixed));
            }
            let mut worlds: Vec<&mut dyn BroadPhase> = others.iter_mut().map(|world| &mut **world).collect();
            worlds.extend(tuned.iter_mut().map(|world| world as &mut dyn BroadPhase));
            let names: Vec<Option<ProxyId>> = worlds.iter_mut().map(|world| apply(event, *world)).collect();
            prop_assert!(names.iter().all(|name| *name == names[0]));
            if let Event::Update = event {
                let expected = oracle(worlds[0]);
                for (which, world) in worlds.into_iter().enumerate() {
                    world.update();
                    let found = world.pairs();
                    let missed: Vec<&Pair> = expected.iter().filter(|pair| !found.contains(pair)).collect();
                    let surplus: Vec<&Pair> = found.iter().filter(|pair| !expected.contains(pair)).collect();
                    prop_assert!(found == expected, "broad phase {which}: missed {missed:?}, surplus {surplus:?}");
                }
            }
        }
    }

    #[test]
    fn a_clone_gives_the_same_results(events in prop::collection::vec(any_event(), 1..150), split in 0..150_usize) {
        let mut worlds: Vec<Box<dyn BroadPhase>> = vec![Box::new(Exhaustive::new()), Box::new(SweepAndPrune::new())];
        worlds.extend(hashings().into_iter().map(|world| Box::new(world) as Box<dyn BroadPhase>));
        for mut world in worlds {
            let (before, after) = events.split_at(split.min(events.len()));
            let play = |world: &mut dyn BroadPhase, events: &[Event]| {
                let mut seen = Vec::new();
                for event in events {
                    apply(event, world);
                    if let Event::Update = event {
                        world.update();
                        seen.push((world.pairs().to_vec(), *world.statistics()));
                    }
                }
                seen
            };
            play(&mut *world, before);
            let mut copy = world.clone();
            prop_assert_eq!(play(&mut *world, after), play(&mut *copy, after));
        }
    }

    #[test]
    fn nothing_is_left_when_all_are_gone(events in prop::collection::vec(any_event(), 1..150)) {
        for mut world in hashings() {
            for event in &events {
                apply(event, &mut world);
                if let Event::Update = event {
                    world.update();
                }
            }
            let living: Vec<ProxyId> = world.proxies().ids().collect();
            for id in living {
                world.remove(id).unwrap();
            }
            world.update();
            prop_assert_eq!((world.statistics().tiles, world.statistics().candidates, world.pairs().len()), (0, 0, 0));
        }
    }

    #[test]
    fn nothing_is_left_when_all_boxes_are_empty(boxes in prop::collection::vec(any_box(), 1..60)) {
        let mut world = HierarchicalHashing::default();
        let ids: Vec<ProxyId> = boxes.iter().map(|&aabb| world.insert(Proxy::moving(aabb)).unwrap()).collect();
        world.update();
        for &id in &ids {
            world.set_box(id, Aabb::EMPTY).unwrap();
        }
        world.update();
        prop_assert_eq!((world.statistics().tiles, world.statistics().candidates, world.pairs().len()), (0, 0, 0));
        for (&id, &aabb) in ids.iter().zip(&boxes) {
            world.set_box(id, aabb).unwrap();
        }
        world.update();
        prop_assert_eq!(world.pairs(), &oracle(&world)[..]);
    }
}
