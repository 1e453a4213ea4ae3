//! The scene `flock`.

use glam::DVec3;

use super::run::Run;

/// The birds avoid towers and ground, keep together, and fly with their front ahead.
#[test]
fn birds_fly_together_round_the_towers() {
    let mut run = Run::start("flock");
    let birds = run.names("bird");
    let (mut collisions, mut sideways) = (0, 0.0_f64);
    run.watch(10.0, |run| {
        let data = run.simulation.data();
        let of_tree = |collider: u32| data.world.colliders()[collider as usize].link;
        let touching = data.detection.contacts().iter().filter(|contact| contact.distance < 0.0);
        collisions += touching
            .filter(|contact| of_tree(contact.collider_a).is_none() || of_tree(contact.collider_b).is_none())
            .count();
        if run.time() > 2.0 {
            let pose = run.pose("bird 0");
            sideways = sideways.max(pose.transform_vector(DVec3::X).angle_between(run.velocity("bird 0")));
        }
    });
    assert_eq!(collisions, 0, "birds hit towers or the ground");
    assert!(sideways < 0.5, "bird 0 flies sideways by {sideways} rad");
    let mean: DVec3 = birds.iter().map(|name| run.velocity(name).normalize()).sum::<DVec3>() / birds.len() as f64;
    assert!(mean.length() > 0.3, "{mean}");
}
