//! Scenes with creatures in them.

use burgess_creature::inhabited;
use burgess_scene::RunOptions;
use glam::{DVec2, DVec3};

/// The park is alive: dogs trot by their brains, people walk and keep away from them, birds fly and balls roll.
#[test]
fn the_park_is_alive() {
    let park = inhabited::find("park").unwrap().scene();
    let mut running = park.run(&RunOptions::default()).unwrap();
    let place = |running: &mut burgess_scene::RunningScene, body: usize| -> DVec3 {
        running.simulation.data_mut().update_kinematics();
        running.body_pose(body).unwrap().translation
    };
    let named = |prefix: &str| -> Vec<usize> {
        (0..park.scene().bodies.len()).filter(|&body| park.scene().bodies[body].name.starts_with(prefix)).collect()
    };
    let groups = [park.roots(), named("person"), named("bird"), named("ball")];
    assert_eq!(groups.each_ref().map(Vec::len), [3, 24, 40, 5]);
    let starts: Vec<Vec<DVec3>> =
        groups.iter().map(|group| group.iter().map(|&body| place(&mut running, body)).collect()).collect();
    let (mut nearest, mut lowest) = (f64::INFINITY, f64::INFINITY);
    for second in 1..=8 {
        running.simulation.run(f64::from(second)).unwrap();
        for &bird in &groups[2] {
            lowest = lowest.min(place(&mut running, bird).z);
        }
        for &dog in &groups[0] {
            let there = place(&mut running, dog);
            assert!(there.z > 0.0 && there.z < 2.0, "a dog is on the ground: {there}");
            for &person in &groups[1] {
                nearest = nearest.min(place(&mut running, person).truncate().distance(there.truncate()));
            }
        }
    }
    let moved = |group: usize| -> Vec<f64> {
        let ends = groups[group].iter().zip(&starts[group]);
        ends.map(|(&body, start)| {
            running.body_pose(body).unwrap().translation.truncate().distance(DVec2::new(start.x, start.y))
        })
        .collect()
    };
    assert!(moved(0).iter().all(|&way| way > 0.5), "dogs: {:?}", moved(0));
    assert!(moved(1).iter().filter(|&&way| way > 1.5).count() > 18, "people: {:?}", moved(1));
    assert!(moved(3).iter().any(|&way| way > 0.3), "balls: {:?}", moved(3));
    assert!(nearest > 0.2, "nobody walks through a dog: {nearest}");
    assert!(lowest > 1.9, "birds fly above the people: {lowest}");
}

/// The same bits on every run and after a restore.
#[test]
fn the_park_has_the_same_hash_again() {
    let park = inhabited::find("park").unwrap().scene();
    let mut one = park.run(&RunOptions::default()).unwrap();
    one.simulation.run(0.7).unwrap();
    let snapshot = one.simulation.snapshot();
    one.simulation.run(1.2).unwrap();
    let mut other = park.run(&RunOptions::default()).unwrap();
    other.simulation.restore(&snapshot).unwrap();
    other.simulation.run(1.2).unwrap();
    assert_eq!(one.simulation.state_hash(), other.simulation.state_hash());
}
