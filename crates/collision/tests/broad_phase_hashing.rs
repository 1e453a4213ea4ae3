//! Properties of hierarchical hashing besides the correct pairs: lifetimes, levels, and work that grows linearly.

use burgess_collision::broad_phase::{
    BroadPhase, Exhaustive, HashingOptions, HierarchicalHashing, Pair, Proxy, ProxyId, SweepAndPrune,
};
use burgess_geometry::Aabb;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn cube(center: DVec3, side: f64) -> Aabb {
    Aabb::from_center(center, DVec3::splat(0.5 * side))
}

/// Boxes that move in a cubic world and bounce off its walls.
struct Swarm {
    centers: Vec<DVec3>,
    velocities: Vec<DVec3>,
    sides: Vec<f64>,
    world: f64,
}

impl Swarm {
    fn new(count: usize, world: f64, sides: impl Fn(f64) -> f64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut vector =
            |scale: f64| DVec3::from_array(std::array::from_fn(|_| scale * (2.0 * random.random::<f64>() - 1.0)));
        let centers = (0..count).map(|_| vector(0.5 * world)).collect();
        let velocities = (0..count).map(|_| vector(1.0)).collect();
        let sides = (0..count).map(|rank| sides((rank as f64 + 0.5) / count as f64)).collect();
        Self { centers, velocities, sides, world }
    }

    fn boxes(&self) -> impl Iterator<Item = Aabb> + '_ {
        self.centers.iter().zip(&self.sides).map(|(&center, &side)| cube(center, side))
    }

    fn step(&mut self, interval: f64) {
        for (center, velocity) in self.centers.iter_mut().zip(&mut self.velocities) {
            *center += *velocity * interval;
            for axis in 0..3 {
                if center[axis].abs() > 0.5 * self.world {
                    velocity[axis] = -velocity[axis].abs() * center[axis].signum();
                }
            }
        }
    }

    fn insert_into(&self, broad_phase: &mut dyn BroadPhase) -> Vec<ProxyId> {
        self.boxes().map(|aabb| broad_phase.insert(Proxy::moving(aabb)).unwrap()).collect()
    }

    fn move_in(&self, broad_phase: &mut dyn BroadPhase, ids: &[ProxyId]) {
        let proxies = broad_phase.proxies_mut();
        for (&id, aabb) in ids.iter().zip(self.boxes()) {
            proxies.set_box(id, aabb).unwrap();
        }
        broad_phase.update();
    }
}

#[test]
fn swarms_in_small_steps_never_lose_a_pair() {
    let sizes: [fn(f64) -> f64; 3] = [|_| 1.0, |part| 0.5 + part, |part| libm::exp2(10.0 * part - 7.0)];
    for (step, sizes) in [(0.001, sizes[0]), (0.01, sizes[1]), (0.05, sizes[2]), (0.5, sizes[1])] {
        let mut swarm = Swarm::new(150, 9.0, sizes);
        let mut worlds: Vec<Box<dyn BroadPhase>> = vec![
            Box::new(Exhaustive::new()),
            Box::new(SweepAndPrune::new()),
            Box::new(HierarchicalHashing::default()),
            Box::new(HierarchicalHashing::new(HashingOptions { coherence: false, ..HashingOptions::default() })),
        ];
        let ids: Vec<Vec<ProxyId>> = worlds.iter_mut().map(|world| swarm.insert_into(&mut **world)).collect();
        let mut found = 0;
        for update in 0..400 {
            swarm.step(step);
            for (world, ids) in worlds.iter_mut().zip(&ids) {
                swarm.move_in(&mut **world, ids);
            }
            for world in &worlds[1..] {
                assert_eq!(world.pairs(), worlds[0].pairs(), "update {update} of step {step}");
            }
            found += worlds[0].pairs().len();
        }
        assert!(found > 400, "the swarm has too few pairs for a meaningful test");
    }
}

#[test]
fn a_candidate_outlives_its_last_shared_tile_by_the_hysteresis() {
    for pair_hysteresis in [0, 1, 3, 10] {
        let mut world = HierarchicalHashing::new(HashingOptions { pair_hysteresis, ..HashingOptions::default() });
        let (home, away) = (cube(DVec3::splat(0.5), 0.9), cube(DVec3::splat(50.5), 0.9));
        world.insert(Proxy::moving(home)).unwrap();
        let other = world.insert(Proxy::moving(home)).unwrap();
        world.update();
        assert_eq!((world.pairs().len(), world.statistics().candidates), (1, 1));
        world.set_box(other, away).unwrap();
        for _ in 0..pair_hysteresis {
            world.update();
            assert_eq!((world.pairs().len(), world.statistics().candidates), (0, 1));
        }
        world.update();
        assert_eq!((world.pairs().len(), world.statistics().candidates), (0, 0));
        assert_eq!(world.statistics().candidates_created, 1);
    }
}

#[test]
fn a_bouncing_ball_creates_its_pair_once() {
    let mut world = HierarchicalHashing::default();
    world.insert(Proxy::fixed(Aabb::new(DVec3::new(-3.0, -3.0, -1.0), DVec3::new(3.0, 3.0, 0.0)))).unwrap();
    let ball = world.insert(Proxy::moving(cube(DVec3::splat(0.5), 1.0))).unwrap();
    for update in 0..300 {
        let height = 0.45 + 10.0 * f64::from(u8::from(update % 3 == 0));
        world.set_box(ball, cube(DVec3::new(0.5, 0.5, height), 1.0)).unwrap();
        world.update();
        assert_eq!(world.pairs().len(), usize::from(update % 3 != 0));
    }
    assert_eq!(world.statistics().candidates_created, 1);
}

#[test]
fn a_box_moves_to_the_everywhere_level_and_back() {
    let mut world = HierarchicalHashing::new(HashingOptions {
        finest_exponent: -4,
        coarsest_exponent: 2,
        ..HashingOptions::default()
    });
    let small: Vec<ProxyId> = (0..50)
        .map(|n| world.insert(Proxy::moving(cube(DVec3::new(7.0 * f64::from(n), 0.3, 0.3), 1.0))).unwrap())
        .collect();
    let giant = world.insert(Proxy::moving(cube(DVec3::splat(-500.0), 1.0))).unwrap();
    world.update();
    let alone = world.statistics().candidates;
    for _ in 0..3 {
        world.set_box(giant, Aabb::new(DVec3::splat(-1.0), DVec3::new(100.0, 1.0, 200.0))).unwrap();
        world.update();
        assert!(
            world.statistics().candidates >= small.len(),
            "a box at the everywhere level is a candidate of all others"
        );
        assert_eq!(world.pairs().len(), 15);
        world.set_box(giant, cube(DVec3::splat(-500.0), 1.0)).unwrap();
        (0..10).for_each(|_| world.update());
        assert_eq!((world.statistics().candidates, world.pairs().len()), (alone, 0));
    }
    // A new proxy pairs with one that is already at the everywhere level.
    world.set_box(giant, Aabb::EVERYWHERE).unwrap();
    world.update();
    let late = world.insert(Proxy::moving(cube(DVec3::splat(1e9), 1e-3))).unwrap();
    world.update();
    assert!(world.pairs().contains(&Pair::new(giant, late)));
    assert_eq!(world.pairs().len(), 51);
}

#[test]
fn sizes_from_a_micrometre_to_a_thousand_kilometres_work_together() {
    let mut worlds: [Box<dyn BroadPhase>; 2] = [Box::new(Exhaustive::new()), Box::new(HierarchicalHashing::default())];
    for world in &mut worlds {
        for exponent in -6..=6 {
            let size = libm::exp10(f64::from(exponent));
            for n in 0..8 {
                let center = DVec3::new(size * f64::from(n) * 0.9, size * 0.3, -size * 0.4);
                world.insert(Proxy::moving(cube(center, size))).unwrap();
            }
        }
        world.update();
    }
    assert_eq!(worlds[0].pairs(), worlds[1].pairs());
    // Each of 13 sizes has its own level; no box overlaps more than 8 tiles of each.
    assert!(worlds[1].statistics().tiles <= 13 * 8 * 13 * 8);
}

#[test]
fn operations_grow_no_faster_than_objects_and_pairs() {
    let work = |count: usize| {
        let mut swarm = Swarm::new(count, 2.7 * libm::cbrt(count as f64), |_| 1.0);
        let mut world = HierarchicalHashing::default();
        let ids = swarm.insert_into(&mut world);
        let (mut operations, mut pairs) = (0, 0);
        for update in 0..60 {
            swarm.step(0.01);
            swarm.move_in(&mut world, &ids);
            // The first updates find the initial pairs.
            if update >= 10 {
                operations += world.statistics().operations;
                pairs += world.pairs().len();
            }
        }
        (operations as f64 / 50.0, count as f64 + pairs as f64 / 50.0)
    };
    let (few, size_of_few) = work(512);
    let (many, size_of_many) = work(32_768);
    let exponent = libm::log(many / few) / libm::log(size_of_many / size_of_few);
    assert!(exponent <= 1.05, "operations grow with exponent {exponent}");
}

#[test]
fn boxes_that_do_not_move_cost_nothing() {
    let swarm = Swarm::new(1000, 12.0, |_| 1.0);
    let mut world = HierarchicalHashing::default();
    let ids = swarm.insert_into(&mut world);
    world.update();
    let pairs = world.pairs().to_vec();
    (0..5).for_each(|_| world.update());
    swarm.move_in(&mut world, &ids);
    assert_eq!((world.statistics().operations, world.statistics().visited), (0, 0));
    assert_eq!(world.pairs(), pairs);
}

#[test]
fn a_level_without_natives_is_retired() {
    let mut swarm = Swarm::new(100, 10.0, |_| 0.6);
    let (mut world, mut reference) = (HierarchicalHashing::default(), Exhaustive::new());
    let ids = swarm.insert_into(&mut world);
    swarm.insert_into(&mut reference);
    world.update();
    for round in 0..3 {
        let giant = Proxy::moving(cube(DVec3::splat(3.0), 40.0 * f64::from(round + 1)));
        let id = world.insert(giant).unwrap();
        assert_eq!(reference.insert(giant).unwrap(), id);
        let mut max_tiles = 0;
        for update in 0..200 {
            if update == 50 {
                world.remove(id).unwrap();
                reference.remove(id).unwrap();
            }
            swarm.step(0.02);
            swarm.move_in(&mut world, &ids);
            swarm.move_in(&mut reference, &ids);
            assert_eq!(world.pairs(), reference.pairs(), "round {round}, update {update}");
            max_tiles = max_tiles.max(world.statistics().tiles);
        }
        // Only the tiles of the swarm's level remain: as many as in a new world, plus those that boxes have just left.
        let mut fresh = HierarchicalHashing::default();
        swarm.insert_into(&mut fresh);
        fresh.update();
        assert!(world.statistics().tiles < 2 * fresh.statistics().tiles && max_tiles > 0);
    }
}

/// A test of two boxes that only touch is invalid as soon as either of them moves.
#[test]
fn boxes_on_a_lattice_touch_and_separate_exactly() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let mut lattice = |limit: i32| 0.25 * f64::from(random.random_range(-limit..=limit));
    let mut worlds: [Box<dyn BroadPhase>; 3] =
        [Box::new(Exhaustive::new()), Box::new(SweepAndPrune::new()), Box::new(HierarchicalHashing::default())];
    let mut boxes: Vec<Aabb> = (0..80)
        .map(|_| {
            let corner = DVec3::new(lattice(12), lattice(12), lattice(12));
            Aabb::new(corner, corner + DVec3::new(lattice(6), lattice(6), lattice(6)).abs())
        })
        .collect();
    boxes[0] = Aabb::new(DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 0.0));
    let mut ids = Vec::new();
    for world in &mut worlds {
        let insert = |(rank, &aabb)| world.insert(Proxy { fixed: rank % 10 == 1, ..Proxy::moving(aabb) }).unwrap();
        ids = boxes.iter().enumerate().map(insert).collect();
    }
    for update in 0..1500 {
        // A few at a time, so that mostly one of a pair moves and the other does not.
        for _ in 0..5 {
            let rank = (lattice(400).abs() * 4.0) as usize % boxes.len();
            let step = DVec3::new(lattice(1), lattice(1), lattice(1));
            // Move back towards the centre, or they disperse.
            let step =
                if boxes[rank].min.x.abs() > 4.0 { -boxes[rank].min.clamp(-DVec3::ONE, DVec3::ONE) } else { step };
            boxes[rank] = Aabb::new(boxes[rank].min + step, boxes[rank].max + step);
            worlds.iter_mut().for_each(|world| world.set_box(ids[rank], boxes[rank]).unwrap());
        }
        worlds.iter_mut().for_each(|world| world.update());
        assert_eq!(worlds[1].pairs(), worlds[0].pairs(), "sweep and prune, update {update}");
        assert_eq!(worlds[2].pairs(), worlds[0].pairs(), "hashing, update {update}");
    }
    assert!(worlds[0].pairs().len() > 20);
}

/// One box retreats from an overlap until the two only touch. Then the other one, whose next test is scheduled for
/// later, moves a little.
#[test]
fn a_pair_that_only_touches_is_tested_at_the_next_movement() {
    for (first, second) in [(0, 1), (1, 0)] {
        let mut world = HierarchicalHashing::default();
        let mut corners = [DVec3::ZERO, DVec3::new(0.5, 0.0, 0.0)];
        let ids = corners.map(|corner| world.insert(Proxy::moving(Aabb::new(corner, corner + 1.0))).unwrap());
        world.update();
        for (mover, distance, pairs) in [(first, 0.5, 1), (second, 0.125, 0)] {
            corners[mover].x += if mover == 0 { -distance } else { distance };
            world.set_box(ids[mover], Aabb::new(corners[mover], corners[mover] + 1.0)).unwrap();
            world.update();
            assert_eq!(world.pairs().len(), pairs, "{mover} moved by {distance}");
        }
    }
}

/// Boxes move, rest, jump, change size and move twice between updates, for so long that pairs end and begin again many
/// times while old tests of theirs are still scheduled.
#[test]
fn boxes_that_rest_and_jump_are_never_lost() {
    for pair_hysteresis in [0, 4] {
        let mut random = Pcg64Mcg::seed_from_u64(u64::from(pair_hysteresis) + 11);
        let options = HashingOptions { pair_hysteresis, ..HashingOptions::default() };
        let (mut world, mut reference) = (HierarchicalHashing::new(options), Exhaustive::new());
        let mut boxes: Vec<(DVec3, f64)> = (0..60)
            .map(|_| {
                (
                    DVec3::from_array(std::array::from_fn(|_| random.random_range(-3.0..3.0))),
                    random.random_range(0.2..1.5),
                )
            })
            .collect();
        let ids: Vec<ProxyId> =
            boxes.iter().map(|&(center, size)| world.insert(Proxy::moving(cube(center, size))).unwrap()).collect();
        for &(center, size) in &boxes {
            reference.insert(Proxy::moving(cube(center, size))).unwrap();
        }
        for update in 0..3000_usize {
            for (rank, (center, size)) in boxes.iter_mut().enumerate() {
                // Every box alternately moves and rests, at paces from a millimetre to half a metre.
                if (update / 20 + rank) % 3 == 0 {
                    continue;
                }
                let pace = libm::exp2(-f64::from(rank as u32 % 10) - 1.0);
                for _ in 0..random.random_range(1..3) {
                    let mut step = DVec3::from_array(std::array::from_fn(|_| random.random_range(-pace..pace)));
                    if random.random_range(0..200) == 0 {
                        step = -*center * random.random_range(0.0..2.0);
                    }
                    *center = (*center + step).clamp(DVec3::splat(-3.0), DVec3::splat(3.0));
                    *size = (*size * random.random_range(0.98..1.02)).clamp(0.1, 2.0);
                    world.set_box(ids[rank], cube(*center, *size)).unwrap();
                    reference.set_box(ids[rank], cube(*center, *size)).unwrap();
                }
            }
            world.update();
            reference.update();
            assert!(world.pairs() == reference.pairs(), "update {update}, hysteresis {pair_hysteresis}");
        }
    }
}
