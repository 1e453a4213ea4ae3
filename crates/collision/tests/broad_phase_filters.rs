//! Filters of proxies, and errors of the broad phase.

use burgess_collision::broad_phase::{
    BroadPhase, BroadPhaseError, Exhaustive, Filter, HierarchicalHashing, Pair, Proxy, SweepAndPrune, TreeId, TreeLink,
};
use burgess_geometry::Aabb;
use glam::DVec3;

fn cube(center: DVec3, side: f64) -> Aabb {
    Aabb::from_center(center, DVec3::splat(0.5 * side))
}

#[test]
fn filters_decide_which_proxies_pair() {
    let here = cube(DVec3::ZERO, 1.0);
    let with = |filter: Filter| Proxy { aabb: here, fixed: false, filter };
    let in_tree =
        |tree, link, parent| Filter { link: Some(TreeLink { tree: TreeId(tree), link, parent }), ..Filter::default() };
    let worlds: [Box<dyn BroadPhase>; 3] =
        [Box::new(Exhaustive::new()), Box::new(SweepAndPrune::new()), Box::new(HierarchicalHashing::default())];
    for mut world in worlds {
        let root = world.insert(with(in_tree(7, 0, None))).unwrap();
        let child = world.insert(with(in_tree(7, 1, Some(0)))).unwrap();
        let grandchild = world.insert(with(in_tree(7, 2, Some(1)))).unwrap();
        let second_shape_of_root = world.insert(with(in_tree(7, 0, None))).unwrap();
        let other_tree = world.insert(with(in_tree(8, 1, Some(0)))).unwrap();
        let sensor = world.insert(with(Filter { group: 2, mask: 4, link: None })).unwrap();
        let target = world.insert(with(Filter { group: 4, mask: 2, link: None })).unwrap();
        let floor = world.insert(Proxy::fixed(here)).unwrap();
        let wall = world.insert(Proxy::fixed(here)).unwrap();
        world.update();
        let all = [root, child, grandchild, second_shape_of_root, other_tree, floor, wall];
        let mut expected: Vec<Pair> = Vec::new();
        for (rank, &a) in all.iter().enumerate() {
            expected.extend(all[rank + 1..].iter().map(|&b| Pair::new(a, b)));
        }
        let forbidden = [
            (root, child),
            (child, grandchild),
            (root, second_shape_of_root),
            (child, second_shape_of_root),
            (floor, wall),
        ];
        expected.retain(|pair| !forbidden.iter().any(|&(a, b)| *pair == Pair::new(a, b)));
        expected.push(Pair::new(sensor, target));
        expected.sort();
        assert_eq!(world.pairs(), expected);

        // Switch self-collision of the tree off and on.
        world.proxies_mut().set_self_collision(TreeId(7), false);
        world.update();
        let within = [(root, grandchild), (grandchild, second_shape_of_root)].map(|(a, b)| Pair::new(a, b));
        assert!(within.iter().all(|pair| expected.contains(pair) && !world.pairs().contains(pair)));
        assert_eq!(world.pairs().len(), expected.len() - 2);
        world.proxies_mut().set_self_collision(TreeId(7), true);
        world.update();
        assert_eq!(world.pairs(), expected);

        // Exclude and include a pair. Removing a proxy removes its exclusions.
        world.proxies_mut().exclude(other_tree, floor).unwrap();
        world.update();
        assert!(!world.pairs().contains(&Pair::new(floor, other_tree)));
        world.proxies_mut().include(floor, other_tree).unwrap();
        world.proxies_mut().exclude(other_tree, root).unwrap();
        world.update();
        assert!(world.pairs().contains(&Pair::new(floor, other_tree)));
        world.remove(other_tree).unwrap();
        assert_eq!(world.insert(with(Filter::default())).unwrap(), other_tree);
        world.update();
        assert!(world.pairs().contains(&Pair::new(root, other_tree)));
    }
}

#[test]
fn bad_requests_are_rejected_and_change_nothing() {
    let mut world = HierarchicalHashing::default();
    let id = world.insert(Proxy::moving(cube(DVec3::ZERO, 1.0))).unwrap();
    let nan = Aabb::new(DVec3::ZERO, DVec3::new(1.0, f64::NAN, 1.0));
    assert_eq!(world.set_box(id, nan), Err(BroadPhaseError::NotANumber));
    assert_eq!(world.insert(Proxy::moving(nan)), Err(BroadPhaseError::NotANumber));
    assert_eq!(world.proxies().get_box(id), Some(cube(DVec3::ZERO, 1.0)));
    let link =
        |tree, link| Filter { link: Some(TreeLink { tree: TreeId(tree), link, parent: None }), ..Filter::default() };
    assert!(matches!(
        world.proxies_mut().set_filter(id, link(u32::MAX, 0)),
        Err(BroadPhaseError::TreeOutOfRange { .. })
    ));
    assert_eq!(
        world.proxies_mut().set_filter(id, link(0, u16::MAX)),
        Err(BroadPhaseError::LinkOutOfRange { link: u16::MAX })
    );
    assert_eq!(world.proxies().filter(id), Some(Filter::default()));
    world.remove(id).unwrap();
    assert_eq!(world.remove(id), Err(BroadPhaseError::UnknownProxy { id }));
    assert_eq!(world.set_box(id, cube(DVec3::ZERO, 1.0)), Err(BroadPhaseError::UnknownProxy { id }));
    assert_eq!(world.proxies().get_box(id), None);
}
